//===- Analysis/UniformityJoins.cpp ----------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/UniformityJoins.h"

#include <functional>
#include <set>

namespace tailor {

namespace {

using Order = llvm::ModifiedPostOrder<NodeContext>;
using Joins = llvm::NodeJoins::DivergenceDescriptor;

/// Every successor of the branch gets a label of its own, and hands it on. Where a second label
/// arrives, ways meet; such a block hands on itself as a label. Blocks are looked at in an order in
/// which, but for the back edges of loops, all predecessors come first.
class JoinFinder {
public:
  JoinFinder(const Order &order, const NodeCycles &cycles, const NodeBlock &branch, Joins &found)
      : order(order), cycles(cycles), branch(branch), found(found),
        isIrregular(inIrreducibleCycle(branch)) {}

  void run() {
    const NodeCycle *around = cycles.getCycle(&branch);
    for (const NodeBlock *way : branch.succs) {
      if (around && !around->contains(way))
        found.CycleDivBlocks.insert(way); // some leave the loop here, and others go on
      hand(*way, *way, found.JoinDivBlocks);
    }
    while (!pending.empty() && !isOneWayLeft()) {
      const NodeBlock &block = *order[*pending.begin()];
      pending.erase(pending.begin());
      if (&block != &branch) // behind it, other invocations part anew
        handOn(block);
    }
    if (isIrregular)
      compareExits();
  }

private:
  using Blocks = llvm::NodeJoins::ConstBlockSet;

  void hand(const NodeBlock &to, const NodeBlock &label, Blocks &joins) {
    const NodeBlock *&known = found.BlockLabels[&to];
    if (known == &label)
      return;
    if (known)
      joins.insert(&to);
    if (known == &to)
      return;
    known = known ? &to : &label;
    if (!to.succs.empty() || to.preds.size() > 1) // else nothing can meet there, or behind it
      pending.insert(order.getIndex(&to));
  }

  void handOn(const NodeBlock &block) {
    const NodeBlock &label = *found.BlockLabels[&block];
    // Who comes back to the head of a loop that the branch is in has stayed in it: with another
    // label than those who left, the loop's exit is divergent.
    const NodeCycle *loop =
        order.isReducibleCycleHeader(&block) ? cycles.getCycle(&block) : nullptr;
    if (loop && loop->contains(&branch)) {
      llvm::SmallVector<NodeBlock *, 4> exits;
      loop->getExitBlocks(exits);
      for (const NodeBlock *exit : exits)
        hand(*exit, label, found.CycleDivBlocks);
      return;
    }
    for (const NodeBlock *next : block.succs)
      hand(*next, label, found.JoinDivBlocks);
  }

  /// All ways go through one block, so that all behind it would have one label.
  bool isOneWayLeft() const {
    return pending.size() == 1 && !isIrregular && !inIrreducibleCycle(*order[*pending.begin()]);
  }

  bool inIrreducibleCycle(const NodeBlock &block) const {
    for (const NodeCycle *cycle = cycles.getCycle(&block); cycle; cycle = cycle->getParentCycle())
      if (!cycle->isReducible())
        return true;
    return false;
  }

  /// Cycles of several entries have no head that all come back to.
  void compareExits() {
    for (const NodeCycle *cycle = cycles.getCycle(&branch); cycle;
         cycle = cycle->getParentCycle()) {
      if (cycle->isReducible())
        continue;
      llvm::SmallVector<NodeBlock *, 4> exits;
      cycle->getExitBlocks(exits);
      for (const NodeBlock *exit : exits)
        if (found.BlockLabels.lookup(exit) != found.BlockLabels.lookup(cycle->getHeader()))
          found.CycleDivBlocks.insert(exit);
    }
  }

  const Order &order;
  const NodeCycles &cycles;
  const NodeBlock &branch;
  Joins &found;
  const bool isIrregular; ///< the branch is in a cycle with several entries
  std::set<unsigned, std::greater<>> pending;
};

} // namespace

} // namespace tailor

namespace llvm {

template <>
const NodeJoins::DivergenceDescriptor &NodeJoins::getJoinBlocks(const tailor::NodeBlock *branch) {
  std::unique_ptr<DivergenceDescriptor> &known = CachedControlDivDescs[branch];
  if (!known) {
    known = std::make_unique<DivergenceDescriptor>();
    if (branch->succs.size() > 1)
      tailor::JoinFinder(CyclePO, CI, *branch, *known).run();
    known->BlockLabels.shrink_and_clear(); // nobody asks for them
  }
  return *known;
}

} // namespace llvm
