//===- Analysis/UniformityGraph.h - Components of values, and their uses ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The function that LLVM's generic uniformity analysis walks over. A node is one
// component of what an instruction computes, with edges to the components that
// it is computed from. Memory of an invocation's own is a node too: what stores
// put there flows through it into the loads. Blocks that cannot be reached are
// left out.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_UNIFORMITYGRAPH_H
#define TAILOR_ANALYSIS_UNIFORMITYGRAPH_H

#include "Analysis/CanonicalForm.h"
#include "Analysis/IdDependence.h"
#include "Analysis/UniformityMemory.h"
#include "IR/Cfg.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/iterator_range.h"

#include <string>
#include <vector>

namespace tailor {

struct NodeBlock;
class ValueGraph;

/// What makes a node differ between invocations whatever its operands are.
enum class ValueSource : uint8_t {
  None,            ///< nothing: a function of its operands
  BuiltIn,         ///< an id, by axis
  GroupMemory,     ///< memory that holds one value for all of a workgroup that read it together
  AnyMemory,       ///< memory that may change between two reads
  Atomic,          ///< what an atomic operation found
  Undefined,       ///< any value at each use
  Call,            ///< a call that could not be inlined
  SubgroupUniform, ///< the same for a subgroup by its definition
  Subgroup,        ///< any other subgroup operation
  Unknown,         ///< not understood
};

struct ValueNode {
  enum class Kind : uint8_t {
    Value,
    Phi,
    Store,      ///< to memory of the invocation's own; computes nothing
    Content,    ///< of a variable of the invocation's own; `inst` is the OpVariable
    Terminator, ///< operand: the condition or selector
  };
  const Instruction *inst = nullptr;
  NodeBlock *block = nullptr;
  uint32_t index = 0; ///< into ValueGraph::nodes()
  uint32_t component = 0;
  Kind kind = Kind::Value;
  ValueSource source = ValueSource::None;
  uint8_t axis = 0; ///< of a BuiltIn; kAnyAxis: not known which
  spv::BuiltIn builtIn = spv::BuiltIn::Position;
  llvm::SmallVector<ValueNode *, 2> operands, users;

  static constexpr uint8_t kAnyAxis = 3;

  // What LLVM's generic code asks of an instruction.
  bool isTerminator() const { return kind == Kind::Terminator; }
  NodeBlock *getParent() const { return block; }
};

struct NodeBlock {
  const Block *block = nullptr;
  ValueGraph *graph = nullptr;
  unsigned index = 0; ///< into ValueGraph::blocks()
  llvm::SmallVector<NodeBlock *, 2> succs, preds;
  llvm::SmallVector<NodeBlock *, 2> controlled; ///< blocks that the terminator decides about
  ValueNode *first = nullptr, *firstBody = nullptr, *last = nullptr;

  // What LLVM's generic code asks of a block.
  ValueGraph *getParent() const { return graph; }
  ValueNode *begin() const { return first; }
  ValueNode *end() const { return last; }
  llvm::iterator_range<ValueNode *> phis() const { return {first, firstBody}; }
  const ValueNode &terminator() const { return *(last - 1); }
  void printAsOperand(llvm::raw_ostream &os, bool printType = true) const {
    block->printAsOperand(os, printType);
  }
};

inline llvm::ArrayRef<NodeBlock *> successors(const NodeBlock *block) { return block->succs; }
inline llvm::ArrayRef<NodeBlock *> predecessors(const NodeBlock *block) { return block->preds; }
inline size_t succ_size(const NodeBlock *block) { return block->succs.size(); }
inline size_t pred_size(const NodeBlock *block) { return block->preds.size(); }
inline llvm::iterator_range<ValueNode *> instrs(const NodeBlock &block) {
  return {block.first, block.last};
}

class ValueGraph {
public:
  ValueGraph(const CanonicalForm &form, const ControlFlow &flow, const IdDependence &ids);
  ValueGraph(const ValueGraph &) = delete;
  ValueGraph &operator=(const ValueGraph &) = delete;

  const std::vector<ValueNode> &nodes() const { return nodeList; }
  std::vector<NodeBlock> &blocks() { return blockList; }
  const std::vector<NodeBlock> &blocks() const { return blockList; }
  /// The components of a value; empty for what is no node: constants, variables, values of blocks
  /// that cannot be reached.
  llvm::ArrayRef<ValueNode> components(Id id) const;
  /// null: the block cannot be reached.
  const NodeBlock *blockOf(const Block &block) const { return byBlock[block.index()]; }
  const MemoryRules &rules() const { return memoryRules; }
  /// From now on GroupMemory counts as AnyMemory: the kernel synchronises by atomics.
  void distrustGroupMemory();
  /// The value is a constant or the address of a variable.
  bool isFixed(Id id) const;
  /// Of a constant.
  bool hasUndefinedPart(Id id) const;

  // What LLVM's generic code asks of a function.
  NodeBlock &front() { return blockList.front(); }
  const NodeBlock &front() const { return blockList.front(); }
  size_t size() const { return blockList.size(); }
  std::string getName() const { return "kernel"; }

private:
  friend class GraphBuilder;
  std::vector<ValueNode> nodeList;
  std::vector<NodeBlock> blockList;
  std::vector<NodeBlock *> byBlock;
  struct Components {
    uint32_t first = 0, count = 0;
  };
  std::vector<Components> byId;
  mutable llvm::DenseMap<uint32_t, bool> undefinedParts; ///< by constant
  const Module &module;
  MemoryRules memoryRules;
};

} // namespace tailor

namespace llvm {

template <> struct GraphTraits<tailor::NodeBlock *> {
  using NodeRef = tailor::NodeBlock *;
  using ChildIteratorType = ArrayRef<tailor::NodeBlock *>::iterator;
  static NodeRef getEntryNode(NodeRef block) { return block; }
  static ChildIteratorType child_begin(NodeRef block) { return successors(block).begin(); }
  static ChildIteratorType child_end(NodeRef block) { return successors(block).end(); }
};

template <> struct GraphTraits<Inverse<tailor::NodeBlock *>> {
  using NodeRef = tailor::NodeBlock *;
  using ChildIteratorType = ArrayRef<tailor::NodeBlock *>::iterator;
  static NodeRef getEntryNode(Inverse<NodeRef> block) { return block.Graph; }
  static ChildIteratorType child_begin(NodeRef block) { return predecessors(block).begin(); }
  static ChildIteratorType child_end(NodeRef block) { return predecessors(block).end(); }
};

template <> struct GraphTraits<tailor::ValueGraph *> : GraphTraits<tailor::NodeBlock *> {
  static NodeRef getEntryNode(tailor::ValueGraph *graph) { return &graph->front(); }
  using nodes_iterator = pointer_iterator<std::vector<tailor::NodeBlock>::iterator>;
  static nodes_iterator nodes_begin(tailor::ValueGraph *graph) {
    return nodes_iterator(graph->blocks().begin());
  }
  static nodes_iterator nodes_end(tailor::ValueGraph *graph) {
    return nodes_iterator(graph->blocks().end());
  }
  static unsigned size(tailor::ValueGraph *graph) { return graph->size(); }
};

} // namespace llvm

#endif
