//===- Analysis/UniformityContext.h - ValueGraph for LLVM's analyses -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The SSA context in which LLVM's generic analyses see a ValueGraph: a value is
// a node, that is one component of what an instruction computes.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_UNIFORMITYCONTEXT_H
#define TAILOR_ANALYSIS_UNIFORMITYCONTEXT_H

#include "Analysis/UniformityGraph.h"

#include "llvm/ADT/GenericCycleInfo.h"
#include "llvm/ADT/GenericSSAContext.h"
#include "llvm/Support/GenericDomTree.h"

namespace tailor {

/// A value as LLVM's code names it: the index of its node. (There, a value and an instruction must
/// have different types.)
enum class NodeIndex : uint32_t {};
inline NodeIndex indexOf(const ValueNode &node) { return static_cast<NodeIndex>(node.index); }

/// A value where a block uses it.
struct NodeUse {
  const ValueNode *value;
  const NodeBlock *block;
};

} // namespace tailor

namespace llvm {

template <> struct GenericSSATraits<tailor::ValueGraph> {
  using BlockT = tailor::NodeBlock;
  using FunctionT = tailor::ValueGraph;
  using InstructionT = tailor::ValueNode;
  using ValueRefT = tailor::NodeIndex;
  using ConstValueRefT = tailor::NodeIndex;
  using UseT = tailor::NodeUse;
};

} // namespace llvm

namespace tailor {

using NodeContext = llvm::GenericSSAContext<ValueGraph>;
using NodeCycles = llvm::GenericCycleInfo<NodeContext>;
using NodeCycle = llvm::GenericCycle<NodeContext>;
using NodeDominators = llvm::DominatorTreeBase<NodeBlock, false>;

} // namespace tailor

namespace llvm {

template <> Printable GenericSSAContext<tailor::ValueGraph>::print(const tailor::NodeBlock *) const;
template <> Printable GenericSSAContext<tailor::ValueGraph>::print(const tailor::ValueNode *) const;
template <>
bool GenericSSAContext<tailor::ValueGraph>::isConstantOrUndefValuePhi(const tailor::ValueNode &);

} // namespace llvm

namespace tailor {

/// Dominators and cycles of a graph.
struct NodeFlow {
  explicit NodeFlow(ValueGraph &graph);
  ~NodeFlow();
  NodeDominators dominators;
  NodeCycles cycles;
};

} // namespace tailor

#endif
