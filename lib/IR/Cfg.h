//===- IR/Cfg.h - Control flow for LLVM's generic algorithms ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GraphTraits over Function and Block, and the dominator, post-dominator and
// cycle analyses of LLVM instantiated for them (IR/Cfg.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_IR_CFG_H
#define TAILOR_IR_CFG_H

#include "IR/Module.h"

#include "llvm/ADT/GraphTraits.h"
#include "llvm/ADT/iterator.h"
#include "llvm/Support/GenericDomTree.h"

namespace llvm {

template <> struct GraphTraits<tailor::Block *> {
  using NodeRef = tailor::Block *;
  using ChildIteratorType = ArrayRef<tailor::Block *>::iterator;
  static NodeRef getEntryNode(NodeRef block) { return block; }
  static ChildIteratorType child_begin(NodeRef block) { return block->successors().begin(); }
  static ChildIteratorType child_end(NodeRef block) { return block->successors().end(); }
};

template <> struct GraphTraits<Inverse<tailor::Block *>> {
  using NodeRef = tailor::Block *;
  using ChildIteratorType = ArrayRef<tailor::Block *>::iterator;
  static NodeRef getEntryNode(Inverse<NodeRef> block) { return block.Graph; }
  static ChildIteratorType child_begin(NodeRef block) { return block->predecessors().begin(); }
  static ChildIteratorType child_end(NodeRef block) { return block->predecessors().end(); }
};

template <> struct GraphTraits<tailor::Function *> : GraphTraits<tailor::Block *> {
  static NodeRef getEntryNode(tailor::Function *function) { return &function->front(); }
  using nodes_iterator = pointer_iterator<tailor::BlockList::iterator>;
  static nodes_iterator nodes_begin(tailor::Function *function) {
    return nodes_iterator(function->blocks().begin());
  }
  static nodes_iterator nodes_end(tailor::Function *function) {
    return nodes_iterator(function->blocks().end());
  }
  static unsigned size(tailor::Function *function) { return function->size(); }
};

} // namespace llvm

namespace tailor {

// Found by LLVM's generic code through argument-dependent lookup.
inline auto successors(const Block *block) { return block->successors(); }
inline auto predecessors(const Block *block) { return block->predecessors(); }
inline size_t succ_size(const Block *block) { return block->successors().size(); }
inline size_t pred_size(const Block *block) { return block->predecessors().size(); }

using DominatorTree = llvm::DominatorTreeBase<Block, false>;
using PostDominatorTree = llvm::DominatorTreeBase<Block, true>;

/// Control-flow facts of one function, valid until its CFG changes.
class ControlFlow {
public:
  explicit ControlFlow(Function &function);
  ~ControlFlow();
  ControlFlow(ControlFlow &&) noexcept;
  ControlFlow &operator=(ControlFlow &&) = delete;

  bool isReachable(const Block &block) const;
  bool dominates(const Block &a, const Block &b) const;
  bool postDominates(const Block &a, const Block &b) const;
  /// The immediate dominator; null for the entry and for unreachable blocks.
  Block *immediateDominator(const Block &block) const;
  /// Every path from the entry to `block` takes the edge from -> to. False for unreachable blocks,
  /// and where the terminator of `from` names `to` more than once: such an edge tells nothing
  /// about the branch's condition.
  bool edgeDominates(const Block &from, const Block &to, const Block &block) const;
  /// Whether the block is in a cycle (LLVM's CycleInfo: irreducible ones included).
  bool inCycle(const Block &block) const;
  /// Depth of the cycle nest around the block; 0 outside.
  unsigned cycleDepth(const Block &block) const;
  /// Blocks of every outermost cycle, each a list in function order.
  std::vector<std::vector<Block *>> topLevelCycles() const;
  /// Blocks from whose terminators `block` is control dependent (Ferrante, Ottenstein and Warren,
  /// 1987), directly, by block index.
  const std::vector<Block *> &controllers(const Block &block) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// A structured construct of SPIR-V 1.6 section 2.11.2.
struct Construct {
  enum class Kind : uint8_t { Selection, Loop };
  Kind kind;
  Block *header, *mergeBlock;
  Block *continueTarget; ///< of a loop; else null
};
/// The constructs that the merge instructions of the function declare, in block order.
std::vector<Construct> structuredConstructs(Function &function);

} // namespace tailor

#endif
