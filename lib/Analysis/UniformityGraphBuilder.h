//===- Analysis/UniformityGraphBuilder.h - Fills a ValueGraph --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_UNIFORMITYGRAPHBUILDER_H
#define TAILOR_ANALYSIS_UNIFORMITYGRAPHBUILDER_H

#include "Analysis/Memory.h"
#include "Analysis/UniformityGraph.h"

namespace tailor {

/// Nodes of a value of this type: components of a vector, else 1.
unsigned nodesOfType(const Module &module, Id type);

/// Fills a ValueGraph: first all nodes, then, since addresses are now settled, the edges.
class GraphBuilder {
public:
  GraphBuilder(ValueGraph &graph, const CanonicalForm &form, const ControlFlow &flow,
               const IdDependence &ids)
      : graph(graph), form(form), module(form.module()), flow(flow), ids(ids),
        rules(graph.memoryRules) {}

  void build() {
    addBlocks();
    addNodes();
    for (ValueNode &node : graph.nodeList)
      addOperands(node);
    for (ValueNode &node : graph.nodeList)
      for (ValueNode *operand : node.operands)
        operand->users.push_back(&node);
  }

private:
  void addBlocks();
  void addNodes();
  void addNode(NodeBlock &block, const Instruction *inst, ValueNode::Kind kind, unsigned count = 1);
  void addLeadingNodes(NodeBlock &entry);
  void addOperands(ValueNode &node);
  void addValueOperands(ValueNode &node);
  void addPhiOperands(ValueNode &node);
  void addLoadOperands(ValueNode &node);
  void addExtInstOperands(ValueNode &node);
  void addStoreOperands(ValueNode &node);
  void addComposite(ValueNode &node);
  void addComponentwise(ValueNode &node, unsigned firstOperand);
  void addAll(ValueNode &node, unsigned firstOperand);
  void setBuiltIn(ValueNode &node, const PointerPath &path);
  void noteEscapes(const Instruction &inst);
  void escapes(const Instruction &inst, unsigned operand);
  void use(ValueNode &node, Id id, unsigned component);
  void useAll(ValueNode &node, Id id);
  ValueNode *mutableNode(uint32_t index) { return &graph.nodeList[index]; }

  ValueGraph &graph;
  const CanonicalForm &form;
  const Module &module;
  const ControlFlow &flow;
  const IdDependence &ids;
  const MemoryRules &rules;
  llvm::DenseMap<uint32_t, uint32_t> contents; ///< variable -> its Content node
  static constexpr uint32_t kUndefinedNode = 0;
};

} // namespace tailor

#endif
