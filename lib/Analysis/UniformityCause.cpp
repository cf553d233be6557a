//===- Analysis/UniformityCause.cpp ----------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/UniformityCause.h"

#include "Analysis/Opcodes.h"
#include "IR/Types.h"

#include <algorithm>
#include <deque>

namespace tailor {

namespace {

class CauseFinder {
public:
  CauseFinder(const Module &module, const ValueGraph &graph, const UniformityRun &run,
              const Dim3 &size)
      : module(module), run(run), size(size), reachedFrom(graph.nodes().size(), nullptr) {}

  std::vector<CauseStep> find(const ValueNode &start) {
    bool differs = start.isTerminator() ? run.branchDiffers(*start.block) : run.differs(start);
    if (!differs)
      return {};
    const ValueNode *source = search(start);
    std::vector<const ValueNode *> path;
    for (const ValueNode *node = source; node != &start; node = reachedFrom[node->index])
      path.push_back(node);
    path.push_back(&start);
    std::reverse(path.begin(), path.end());
    for (size_t at = 0; at < path.size(); ++at)
      addStep(path, at);
    return shorten();
  }

private:
  /// Breadth first, so that the way to the first source is a shortest one.
  const ValueNode *search(const ValueNode &start) {
    std::deque<const ValueNode *> work = {&start};
    reachedFrom[start.index] = &start;
    const ValueNode *last = &start;
    while (!work.empty()) {
      const ValueNode *node = last = work.front();
      work.pop_front();
      if (sourceDiffers(*node, run.set(), size))
        return node;
      auto visit = [&](const ValueNode &next) {
        if (reachedFrom[next.index])
          return;
        reachedFrom[next.index] = node;
        work.push_back(&next);
      };
      for (const ValueNode *operand : node->operands)
        if (run.differs(*operand))
          visit(*operand);
      if (const ValueNode *branch = run.parting(*node))
        visit(*branch);
    }
    return last;
  }

  std::string nameOf(const Instruction &variable) const {
    std::string name = module.name(variable.result());
    if (name.front() != '%')
      return name;
    // A block without an instance name is known by its type's.
    std::optional<PointerType> type = pointerType(module, variable.typeId());
    return type ? module.name(type->pointee) : name;
  }

  /// What the node reads: through a pointer, or from an image.
  std::optional<PointerPath> memoryOf(const ValueNode &node) const {
    const Instruction &inst = *node.inst;
    if (inst.opcode() == spv::Op::OpLoad)
      return tracePointer(module, inst.id(0));
    if (inst.opcode() == spv::Op::OpCopyMemory)
      return tracePointer(module, inst.id(1));
    OpcodeClass kind = classOf(inst.opcode());
    if (kind == OpcodeClass::ImageAccess || kind == OpcodeClass::ImageSample)
      return traceResource(module, inst.id(0));
    return std::nullopt;
  }

  std::string memoryText(const ValueNode &node) const {
    std::optional<PointerPath> path = memoryOf(node);
    if (!path)
      return "it comes from memory that is not known by name";
    bool isWorkgroup = path->space == MemorySpace::Workgroup;
    return std::string("it comes from ") +
           (isWorkgroup ? "workgroup memory" : "memory that the kernel writes") + ": '" +
           nameOf(*path->variable) + "'";
  }

  std::string sourceText(const ValueNode &node) const {
    switch (node.source) {
    case ValueSource::BuiltIn:
      return "it comes from " + tailor::nameOf(node.builtIn);
    case ValueSource::GroupMemory:
    case ValueSource::AnyMemory:
      return memoryText(node);
    case ValueSource::Atomic:
      return "it comes from an atomic operation";
    case ValueSource::Undefined:
      return node.kind == ValueNode::Kind::Content
                 ? "it comes from '" + nameOf(*node.inst) + "', which nothing was written to"
                 : "it is undefined";
    case ValueSource::Call:
      return "it comes from a call that is not inlined";
    case ValueSource::SubgroupUniform:
    case ValueSource::Subgroup:
      return "it comes from a subgroup operation";
    default:
      return node.kind == ValueNode::Kind::Content
                 ? "it comes from '" + nameOf(*node.inst) + "', whose address is passed on"
                 : "it comes from " + tailor::nameOf(node.inst->opcode()) +
                       ", which is not understood";
    }
  }

  void addStep(const std::vector<const ValueNode *> &path, size_t at) {
    const ValueNode &node = *path[at];
    const ValueNode *before = at > 0 ? path[at - 1] : nullptr;
    const ValueNode *after = at + 1 < path.size() ? path[at + 1] : nullptr;
    if (!after) {
      if (sourceDiffers(node, run.set(), size)) {
        bool isShared = node.source == ValueSource::Undefined && node.inst->result() == Id::None;
        steps.push_back({isShared && before ? before->inst : node.inst, sourceText(node)});
      }
      return;
    }
    if (node.isTerminator()) {
      steps.push_back(
          {node.inst, !before ? "control flow depends on this branch" : "this branch parts them"});
      return;
    }
    if (after->isTerminator()) {
      bool isJoin = node.kind == ValueNode::Kind::Phi;
      bool isStore = node.kind == ValueNode::Kind::Store;
      steps.push_back({node.inst, isJoin    ? "it joins ways that a divergent branch parted"
                                  : isStore ? "some invocations store here, and others do not"
                                            : "it reads what a loop left behind, which invocations "
                                              "leave at different times"});
      return;
    }
    std::optional<PointerPath> memory = memoryOf(node);
    if (memory && after->kind != ValueNode::Kind::Content && node.kind == ValueNode::Kind::Value)
      steps.push_back({node.inst, "it is read from '" + nameOf(*memory->variable) +
                                      "' at an address that differs"});
    else if (node.kind == ValueNode::Kind::Content)
      steps.push_back({node.inst, "it comes from the variable '" + nameOf(*node.inst) + "'"});
    else if (before && before->isTerminator())
      steps.push_back({node.inst, "its condition is computed here"});
  }

  std::vector<CauseStep> shorten() {
    constexpr size_t kMost = 8;
    if (steps.size() > kMost)
      steps.erase(steps.begin() + (kMost - 1), steps.end() - 1);
    return std::move(steps);
  }

  const Module &module;
  const UniformityRun &run;
  const Dim3 &size;
  std::vector<const ValueNode *> reachedFrom;
  std::vector<CauseStep> steps;
};

} // namespace

std::vector<CauseStep> causeOfNode(const Module &module, const ValueGraph &graph,
                                   const UniformityRun &run, const Dim3 &size,
                                   const ValueNode &node) {
  return CauseFinder(module, graph, run, size).find(node);
}

} // namespace tailor
