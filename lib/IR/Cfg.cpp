//===- IR/Cfg.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IR/Cfg.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/GenericCycleImpl.h"
#include "llvm/ADT/GenericSSAContext.h"
#include "llvm/Support/GenericDomTreeConstruction.h"

#include <algorithm>

namespace llvm {

template <> struct GenericSSATraits<tailor::Function> {
  using BlockT = tailor::Block;
  using FunctionT = tailor::Function;
  using InstructionT = tailor::Instruction;
  using ValueRefT = tailor::Id;
  using ConstValueRefT = tailor::Id;
  using UseT = tailor::Instruction *;
};

template <> Printable GenericSSAContext<tailor::Function>::print(const tailor::Block *block) const {
  return Printable([block](raw_ostream &os) { block->printAsOperand(os); });
}

template class DominatorTreeBase<tailor::Block, false>;
template class DominatorTreeBase<tailor::Block, true>;

} // namespace llvm

namespace tailor {

using CycleContext = llvm::GenericSSAContext<Function>;
using CycleInfo = llvm::GenericCycleInfo<CycleContext>;

struct ControlFlow::Impl {
  DominatorTree dominators;
  PostDominatorTree postDominators;
  CycleInfo cycles;
  std::vector<std::vector<Block *>> controllers; ///< by block index

  void computeControllers(Function &function);
};

/// Walks up the post-dominator tree from each successor of a branch to the branch's own
/// post-dominator: every block on the way depends on the branch.
void ControlFlow::Impl::computeControllers(Function &function) {
  controllers.assign(function.size(), {});
  for (Block &branch : function.blocks()) {
    if (branch.successors().size() < 2 || !postDominators.getNode(&branch))
      continue;
    Block *stop = nullptr;
    if (auto *node = postDominators.getNode(&branch)->getIDom())
      stop = node->getBlock();
    for (Block *successor : branch.successors()) {
      auto *node = postDominators.getNode(successor);
      while (node && node->getBlock() && node->getBlock() != stop) {
        auto &list = controllers[node->getBlock()->index()];
        if (std::find(list.begin(), list.end(), &branch) == list.end())
          list.push_back(&branch);
        node = node->getIDom();
      }
    }
  }
}

ControlFlow::ControlFlow(Function &function) : impl(std::make_unique<Impl>()) {
  if (function.isDeclaration())
    return;
  impl->dominators.recalculate(function);
  impl->postDominators.recalculate(function);
  impl->cycles.compute(function);
  impl->computeControllers(function);
}
ControlFlow::~ControlFlow() = default;
ControlFlow::ControlFlow(ControlFlow &&) noexcept = default;

bool ControlFlow::isReachable(const Block &block) const {
  return impl->dominators.isReachableFromEntry(&block);
}
bool ControlFlow::dominates(const Block &a, const Block &b) const {
  return impl->dominators.dominates(&a, &b);
}
bool ControlFlow::postDominates(const Block &a, const Block &b) const {
  return impl->postDominators.dominates(&a, &b);
}
Block *ControlFlow::immediateDominator(const Block &block) const {
  auto *node = impl->dominators.getNode(&block);
  return node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
}

static unsigned timesNamed(const Block &from, const Block &to) {
  const Instruction *last = from.terminator();
  unsigned count = 0;
  for (unsigned index = 0; last && index < last->numOperands(); ++index)
    count += last->isId(index) && last->id(index) == to.id();
  return count;
}

bool ControlFlow::edgeDominates(const Block &from, const Block &to, const Block &block) const {
  bool isEntry = &to == &to.getParent()->front();
  if (isEntry || !isReachable(block) || !dominates(to, block) || timesNamed(from, to) != 1)
    return false;
  // Every other way into `to` must itself come through `to` (a back edge).
  return std::all_of(to.predecessors().begin(), to.predecessors().end(), [&](Block *other) {
    return other == &from || !isReachable(*other) || dominates(to, *other);
  });
}

bool ControlFlow::inCycle(const Block &block) const { return cycleDepth(block) != 0; }
unsigned ControlFlow::cycleDepth(const Block &block) const {
  return impl->cycles.getCycleDepth(&block);
}

std::vector<std::vector<Block *>> ControlFlow::topLevelCycles() const {
  std::vector<std::vector<Block *>> list;
  for (auto *cycle : impl->cycles.toplevel_cycles()) {
    std::vector<Block *> blocks(cycle->block_begin(), cycle->block_end());
    std::sort(blocks.begin(), blocks.end(),
              [](const Block *a, const Block *b) { return a->index() < b->index(); });
    list.push_back(std::move(blocks));
  }
  return list;
}

const std::vector<Block *> &ControlFlow::controllers(const Block &block) const {
  return impl->controllers[block.index()];
}

std::vector<Construct> structuredConstructs(Function &function) {
  std::vector<Construct> list;
  llvm::DenseMap<uint32_t, Block *> byLabel;
  for (Block &block : function.blocks())
    byLabel[raw(block.id())] = &block;
  for (Block &block : function.blocks()) {
    const Instruction *merge = block.merge();
    if (!merge)
      continue;
    bool isLoop = merge->opcode() == spv::Op::OpLoopMerge;
    list.push_back({isLoop ? Construct::Kind::Loop : Construct::Kind::Selection, &block,
                    byLabel.lookup(raw(merge->id(0))),
                    isLoop ? byLabel.lookup(raw(merge->id(1))) : nullptr});
  }
  return list;
}

} // namespace tailor
