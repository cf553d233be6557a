//===- Analysis/LaneModel.cpp - What all invocations share ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/LaneEvaluator.h"

#include "llvm/ADT/PostOrderIterator.h"

#include <algorithm>
#include <map>

namespace tailor {

LaneModel::LaneModel(const KernelAnalysis &analysis) : kernel(analysis) {
  size_t blocks = kernel.form().function().size();
  loopMask.assign(blocks, 0);
  headerBit.assign(blocks, 0);
  position.assign(blocks, UINT32_MAX);
  numberLoops();
  orderBlocks();
  findStores();
}

void LaneModel::numberLoops() {
  std::map<const LoopInfo *, uint64_t> bits;
  for (const auto &loop : kernel.affine().loops()) {
    size_t number = std::min<size_t>(bits.size(), 63);
    bits[loop.get()] = uint64_t{1} << number;
    headerBit[loop->header->index()] = uint64_t{1} << number;
  }
  for (const Block &block : kernel.form().function().blocks()) {
    unsigned depth = 0;
    for (const LoopInfo *loop = kernel.affine().loopOf(block); loop; loop = loop->parent) {
      loopMask[block.index()] |= bits[loop];
      ++depth;
    }
    if (depth != kernel.flow().cycleDepth(block))
      loopMask[block.index()] |= kOtherLoops;
  }
}

void LaneModel::orderBlocks() {
  unsigned next = 0;
  llvm::ReversePostOrderTraversal<Function *> order(&kernel.form().function());
  for (const Block *block : order)
    position[block->index()] = next++;
}

void LaneModel::findStores() {
  const Module &module = kernel.module();
  auto noteUnknown = [&](Id pointer) {
    if (std::optional<PointerPath> path = tracePointer(module, pointer))
      if (path->space == MemorySpace::Private)
        onlyStore[raw(path->variable->result())] = nullptr;
  };
  auto noteStore = [&](const Instruction &store) {
    std::optional<PointerPath> path = tracePointer(module, store.id(0));
    if (!path || path->space != MemorySpace::Private)
      return;
    const Instruction *stored = module.def(store.id(1));
    bool isWhole = path->indices.empty() && stored && isConstant(stored->opcode()) &&
                   path->variable->numOperands() == 1; // no initializer besides
    auto [known, isNew] = onlyStore.try_emplace(raw(path->variable->result()), &store);
    if (!isNew || !isWhole)
      known->second = nullptr;
  };
  for (const Block &block : kernel.form().function().blocks())
    for (const Instruction &inst : block.instructions())
      switch (inst.opcode()) {
      case spv::Op::OpStore:
        noteStore(inst);
        noteUnknown(inst.id(1));
        break;
      case spv::Op::OpLoad:
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain:
      case spv::Op::OpCopyObject:
      case spv::Op::OpVariable:
        break;
      default: // whatever else takes a pointer may write through it
        for (unsigned at = 0; at < inst.numOperands(); ++at)
          if (inst.isId(at))
            noteUnknown(inst.id(at));
      }
}

/// Whether `first` has run whenever `second` does.
static bool runsBefore(const ControlFlow &flow, const Instruction &first,
                       const Instruction &second) {
  if (first.parent() != second.parent())
    return flow.dominates(*first.parent(), *second.parent());
  for (const Instruction &inst : first.parent()->instructions()) {
    if (&inst == &first)
      return true;
    if (&inst == &second)
      return false;
  }
  return false;
}

Id LaneModel::constantContent(const Instruction &variable, const Instruction &load) const {
  auto found = onlyStore.find(raw(variable.result()));
  if (found == onlyStore.end())
    return variable.numOperands() > 1 ? variable.id(1) : Id::None;
  const Instruction *store = found->second;
  if (!store || !runsBefore(kernel.flow(), *store, load))
    return Id::None;
  return store->id(1);
}

const std::optional<PointerLayout> &LaneModel::layoutOf(const Instruction &load) const {
  auto [known, isNew] = layouts.try_emplace(&load);
  if (isNew)
    if (std::optional<PointerPath> path = tracePointer(kernel.module(), load.id(0)))
      known->second = layoutOfPointer(kernel.module(), *path, kernel.constants());
  return known->second;
}

} // namespace tailor
