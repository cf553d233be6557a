//===- Analysis/UniformityGraph.cpp ----------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/UniformityGraph.h"

#include "Analysis/UniformityGraphBuilder.h"
#include "IR/Types.h"

#include "spirv/unified1/GLSL.std.450.h"

#include <algorithm>

namespace tailor {

unsigned nodesOfType(const Module &module, Id type) {
  return std::max(1u, componentCount(module, type));
}

static bool writesThroughPointer(const Module &module, const Instruction &inst) {
  return inst.opcode() == spv::Op::OpExtInst && module.extInstSet(inst.id(0)) == "GLSL.std.450" &&
         (inst.literal(1) == GLSLstd450Modf || inst.literal(1) == GLSLstd450Frexp);
}

void GraphBuilder::addBlocks() {
  graph.byBlock.assign(form.function().size(), nullptr);
  graph.blockList.reserve(form.function().size());
  for (const Block &block : form.function().blocks())
    if (flow.isReachable(block)) {
      NodeBlock &added = graph.blockList.emplace_back();
      added.block = &block;
      added.graph = &graph;
      added.index = static_cast<unsigned>(graph.blockList.size() - 1);
      graph.byBlock[block.index()] = &added;
    }
  for (NodeBlock &block : graph.blockList) {
    for (const Block *next : block.block->successors()) {
      NodeBlock *successor = graph.byBlock[next->index()];
      block.succs.push_back(successor);
      successor->preds.push_back(&block);
    }
    for (const Block *branch : flow.controllers(*block.block))
      if (NodeBlock *controller = graph.byBlock[branch->index()])
        controller->controlled.push_back(&block);
  }
}

void GraphBuilder::addNode(NodeBlock &block, const Instruction *inst, ValueNode::Kind kind,
                           unsigned count) {
  for (unsigned component = 0; component < count; ++component) {
    ValueNode &node = graph.nodeList.emplace_back();
    node.inst = inst;
    node.block = &block;
    node.index = static_cast<uint32_t>(graph.nodeList.size() - 1);
    node.component = component;
    node.kind = kind;
  }
}

/// An undefined value, and what the variables of the invocation's own hold.
void GraphBuilder::addLeadingNodes(NodeBlock &entry) {
  addNode(entry, entry.block->terminator(), ValueNode::Kind::Value);
  graph.nodeList.back().source = ValueSource::Undefined;
  auto addContent = [&](const Instruction &variable) {
    if (variable.opcode() != spv::Op::OpVariable ||
        spaceOf(module, variable) != MemorySpace::Private)
      return;
    contents[raw(variable.result())] = static_cast<uint32_t>(graph.nodeList.size());
    addNode(entry, &variable, ValueNode::Kind::Content);
  };
  for (const Instruction &inst : module.section(Section::Globals))
    addContent(inst);
  for (const Instruction &inst : form.function().front().instructions())
    addContent(inst);
}

void GraphBuilder::addNodes() {
  graph.byId.assign(module.idBound(), {});
  std::vector<std::array<size_t, 3>> ranges;
  for (NodeBlock &block : graph.blockList) {
    size_t first = graph.nodeList.size(), firstBody = first;
    if (block.index == 0) {
      addLeadingNodes(block); // the entry has no phis
    }
    for (const Instruction &inst : block.block->instructions()) {
      spv::Op op = inst.opcode();
      if (isValid(inst.result()) && op != spv::Op::OpVariable) {
        unsigned count = nodesOfType(module, inst.typeId());
        bool isPhi = op == spv::Op::OpPhi;
        graph.byId[raw(inst.result())] = {static_cast<uint32_t>(graph.nodeList.size()), count};
        addNode(block, &inst, isPhi ? ValueNode::Kind::Phi : ValueNode::Kind::Value, count);
        if (isPhi)
          firstBody = graph.nodeList.size();
      }
      if (op == spv::Op::OpStore || op == spv::Op::OpCopyMemory ||
          writesThroughPointer(module, inst)) {
        unsigned at = op == spv::Op::OpExtInst ? 3 : 0;
        std::optional<PointerPath> path = tracePointer(module, inst.id(at));
        if (path && path->space == MemorySpace::Private)
          addNode(block, &inst, ValueNode::Kind::Store);
      }
    }
    addNode(block, block.block->terminator(), ValueNode::Kind::Terminator);
    ranges.push_back({first, firstBody, graph.nodeList.size()});
  }
  for (NodeBlock &block : graph.blockList) {
    auto [first, firstBody, last] = ranges[block.index];
    block.first = graph.nodeList.data() + first;
    block.firstBody = graph.nodeList.data() + firstBody;
    block.last = graph.nodeList.data() + last;
    for (const Instruction &inst : block.block->instructions())
      noteEscapes(inst);
  }
}

// --- memory of the invocation's own ---

/// A pointer to memory of the invocation's own goes where its uses are not followed.
void GraphBuilder::escapes(const Instruction &inst, unsigned operand) {
  std::optional<PointerPath> path = tracePointer(module, inst.id(operand));
  for (auto [variable, node] : contents)
    if (!path || raw(path->variable->result()) == variable)
      mutableNode(node)->source = ValueSource::Unknown;
}

void GraphBuilder::noteEscapes(const Instruction &inst) {
  spv::Op op = inst.opcode();
  for (unsigned at = 0; at < inst.numOperands(); ++at) {
    if (!inst.isId(at))
      continue;
    std::optional<PointerType> type = pointerTypeOfValue(module, inst.id(at));
    if (!type || (type->storageClass != spv::StorageClass::Function &&
                  type->storageClass != spv::StorageClass::Private))
      continue;
    bool isFollowed = op == spv::Op::OpLoad || op == spv::Op::OpAccessChain ||
                      op == spv::Op::OpCopyObject || op == spv::Op::OpInBoundsAccessChain ||
                      (op == spv::Op::OpStore && at == 0) || op == spv::Op::OpCopyMemory ||
                      (writesThroughPointer(module, inst) && at == 3);
    if (!isFollowed || !tracePointer(module, inst.id(at)))
      escapes(inst, at);
  }
}

void GraphBuilder::addStoreOperands(ValueNode &node) {
  const Instruction &inst = *node.inst;
  unsigned pointer = inst.opcode() == spv::Op::OpExtInst ? 3 : 0;
  useAll(node, inst.id(pointer));
  if (inst.opcode() == spv::Op::OpCopyMemory)
    addLoadOperands(node);
  else
    useAll(node, inst.id(inst.opcode() == spv::Op::OpExtInst ? 2 : 1));
  std::optional<PointerPath> path = tracePointer(module, inst.id(pointer));
  if (auto content = contents.find(raw(path->variable->result())); content != contents.end())
    mutableNode(content->second)->operands.push_back(&node);
}

// --- the graph ---

ValueGraph::ValueGraph(const CanonicalForm &form, const ControlFlow &flow, const IdDependence &ids)
    : module(form.module()), memoryRules(form, ids) {
  GraphBuilder(*this, form, flow, ids).build();
}

llvm::ArrayRef<ValueNode> ValueGraph::components(Id id) const {
  if (raw(id) >= byId.size())
    return {};
  return llvm::ArrayRef<ValueNode>(nodeList).slice(byId[raw(id)].first, byId[raw(id)].count);
}

void ValueGraph::distrustGroupMemory() {
  for (ValueNode &node : nodeList)
    if (node.source == ValueSource::GroupMemory)
      node.source = ValueSource::AnyMemory;
}

bool ValueGraph::hasUndefinedPart(Id id) const {
  auto [known, isNew] = undefinedParts.try_emplace(raw(id), true);
  if (!isNew)
    return known->second; // while it is being looked at: a constant that is part of itself
  const Instruction *inst = module.def(id);
  bool result = !inst || inst->opcode() == spv::Op::OpUndef;
  bool hasParts = inst && (inst->opcode() == spv::Op::OpConstantComposite ||
                           inst->opcode() == spv::Op::OpSpecConstantComposite ||
                           inst->opcode() == spv::Op::OpSpecConstantOp);
  for (unsigned at = 0; hasParts && at < inst->numOperands(); ++at)
    result |= inst->isId(at) && hasUndefinedPart(inst->id(at));
  undefinedParts[raw(id)] = result;
  return result;
}

bool ValueGraph::isFixed(Id id) const {
  const Instruction *inst = module.def(id);
  return inst && (isConstant(inst->opcode()) || inst->opcode() == spv::Op::OpVariable);
}

} // namespace tailor
