//===- Analysis/UniformitySync.cpp - Synchronisation by atomics ------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// UniformityMemory.h trusts that only control barriers order memory. That fails
// where a branch depends on what an atomic found, in a kernel that has fences.
// Here the results of atomics are followed to the branches: through values,
// memory of the invocation's own, and other memory.
//
// Workgroup memory that a load reads at one address, in control flow that is the
// same for the workgroup, ends the trail: whoever put the result there did so
// before a barrier (else the others' loads would race with it), and behind that
// barrier all of the workgroup are ordered alike. This is how "the last group
// done" tells its invocations. A load at an address of the invocation's own
// may read back what it wrote itself, and goes on.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Opcodes.h"
#include "Analysis/UniformityRun.h"

namespace tailor {

namespace {

class AtomicTrail {
public:
  AtomicTrail(const ValueGraph &graph, const Module &module, const UniformityRun &run)
      : graph(graph), module(module), run(run), seen(graph.nodes().size()) {}

  bool reachesBranch() {
    for (const ValueNode &node : graph.nodes()) {
      bool reads =
          node.source == ValueSource::Atomic || node.source == ValueSource::Call ||
          node.source == ValueSource::Unknown ||
          (node.source == ValueSource::AnyMemory && graph.rules().observesOthers(*node.inst));
      if (reads)
        add(node);
    }
    if (work.empty())
      return false;
    for (const ValueNode &node : graph.nodes()) // these pass on what another invocation has
      if (node.source == ValueSource::Subgroup || node.source == ValueSource::SubgroupUniform)
        add(node);
    do
      if (follow())
        return true;
    while (followMemory());
    return false;
  }

private:
  void add(const ValueNode &node) {
    if (!seen[node.index]) {
      seen[node.index] = true;
      work.push_back(&node);
    }
  }

  bool follow() {
    while (!work.empty()) {
      const ValueNode *node = work.back();
      work.pop_back();
      if (node->isTerminator())
        return true;
      for (const ValueNode *user : node->users)
        add(*user);
    }
    return false;
  }

  bool isOnTrail(Id id) const {
    for (const ValueNode &node : graph.components(id))
      if (seen[node.index])
        return true;
    return false;
  }

  /// What is stored where others, or the invocation itself, may read it back.
  bool followMemory() {
    bool isStored = false;
    for (const NodeBlock &block : graph.blocks())
      for (const Instruction &inst : block.block->instructions()) {
        spv::Op op = inst.opcode();
        if (op == spv::Op::OpCopyMemory)
          isStored = true; // from what may hold such a result
        if (op == spv::Op::OpStore || op == spv::Op::OpImageWrite || isAtomic(op))
          for (unsigned at = 0; at < inst.numOperands(); ++at)
            isStored |= inst.isId(at) && isOnTrail(inst.id(at));
      }
    if (!isStored || memoryDone)
      return false;
    memoryDone = true;
    for (const ValueNode &node : graph.nodes()) {
      bool isShared =
          node.source == ValueSource::GroupMemory || node.source == ValueSource::AnyMemory;
      if (isShared && !isReadTogether(node))
        add(node);
    }
    return true;
  }

  /// A load of workgroup memory by all of the workgroup at one address.
  bool isReadTogether(const ValueNode &node) const {
    if (node.source != ValueSource::GroupMemory || node.inst->opcode() != spv::Op::OpLoad ||
        run.controlDiffers(*node.block))
      return false;
    std::optional<PointerPath> path = tracePointer(module, node.inst->id(0));
    return path && path->space == MemorySpace::Workgroup &&
           llvm::none_of(node.operands, [&](const ValueNode *operand) {
             return run.differsAt(*operand, *node.block);
           });
  }

  const ValueGraph &graph;
  const Module &module;
  const UniformityRun &run;
  std::vector<bool> seen;
  std::vector<const ValueNode *> work;
  bool memoryDone = false;
};

} // namespace

bool synchronizesByAtomics(const ValueGraph &graph, const Module &module,
                           const UniformityRun &workgroup) {
  return graph.rules().hasFences() && AtomicTrail(graph, module, workgroup).reachesBranch();
}

} // namespace tailor
