//===- Analysis/UniformityEdges.cpp - What each value is computed from -----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/Opcodes.h"
#include "Analysis/UniformityGraphBuilder.h"
#include "IR/Types.h"

#include "spirv/unified1/GLSL.std.450.h"

#include <algorithm>

namespace tailor {

namespace {

/// Functions of GLSL.std.450 whose component i is a function of the operands' components i.
bool isComponentwiseGlsl(uint32_t function) {
  auto between = [&](uint32_t first, uint32_t last) {
    return function >= first && function <= last;
  };
  return between(GLSLstd450Round, GLSLstd450InverseSqrt) ||
         between(GLSLstd450FMin, GLSLstd450Fma) || function == GLSLstd450Ldexp ||
         between(GLSLstd450FindILsb, GLSLstd450FindUMsb) ||
         between(GLSLstd450NMin, GLSLstd450NClamp);
}

/// The same for all of a subgroup that execute it together.
bool isSubgroupUniform(const Module &module, const IdDependence &ids, const Instruction &inst) {
  using enum spv::Op;
  auto isReduction = [&](unsigned at) {
    return at < inst.numOperands() && !inst.isId(at) &&
           inst.literal(at) == static_cast<uint32_t>(spv::GroupOperation::Reduce);
  };
  spv::Op op = inst.opcode();
  switch (op) {
  case OpSubgroupBallotKHR:
  case OpSubgroupFirstInvocationKHR:
  case OpSubgroupAllKHR:
  case OpSubgroupAnyKHR:
  case OpSubgroupAllEqualKHR:
    return true;
  default:
    break;
  }
  if (op < OpGroupNonUniformElect || op > OpGroupNonUniformLogicalXor)
    return false;
  constexpr uint64_t kSubgroup = static_cast<uint64_t>(spv::Scope::Subgroup);
  if (inst.numOperands() == 0 || ids.constants().evaluateInt(inst.id(0)) != kSubgroup)
    return false;
  switch (op) {
  case OpGroupNonUniformAll:
  case OpGroupNonUniformAny:
  case OpGroupNonUniformAllEqual:
  case OpGroupNonUniformBroadcastFirst:
  case OpGroupNonUniformBallot:
    return true;
  case OpGroupNonUniformBroadcast:
    return module.def(inst.id(2)) && isConstant(module.def(inst.id(2))->opcode());
  default: // arithmetic, and the bit count of a ballot, by what the group operation is
    return op != OpGroupNonUniformBallotBitCount && isReduction(1);
  }
}

} // namespace

/// One component of a value; of a scalar, itself.
void GraphBuilder::use(ValueNode &node, Id id, unsigned component) {
  const auto [first, count] = graph.byId[raw(id)];
  if (count != 0)
    node.operands.push_back(mutableNode(first + (count == 1 ? 0 : std::min(component, count - 1))));
  else if (const Instruction *inst = module.def(id);
           inst && (isConstant(inst->opcode()) || inst->opcode() == spv::Op::OpUndef)) {
    if (graph.hasUndefinedPart(id))
      node.operands.push_back(mutableNode(kUndefinedNode));
  } else if (inst && inst->opcode() != spv::Op::OpVariable && inst->opcode() != spv::Op::OpLabel &&
             inst->opcode() != spv::Op::OpExtInstImport && inst->opcode() != spv::Op::OpFunction)
    node.operands.push_back(mutableNode(kUndefinedNode)); // from a block that cannot be reached
}

void GraphBuilder::useAll(ValueNode &node, Id id) {
  unsigned count = std::max(1u, graph.byId[raw(id)].count);
  for (unsigned component = 0; component < count; ++component)
    use(node, id, component);
}

void GraphBuilder::addAll(ValueNode &node, unsigned firstOperand) {
  for (unsigned at = firstOperand; at < node.inst->numOperands(); ++at)
    if (node.inst->isId(at))
      useAll(node, node.inst->id(at));
}

void GraphBuilder::addComponentwise(ValueNode &node, unsigned firstOperand) {
  unsigned count = nodesOfType(module, node.inst->typeId());
  for (unsigned at = firstOperand; at < node.inst->numOperands(); ++at) {
    if (!node.inst->isId(at))
      continue;
    const Instruction *operand = module.def(node.inst->id(at));
    unsigned operandCount = operand ? nodesOfType(module, operand->typeId()) : 0;
    if (operandCount == count || operandCount == 1)
      use(node, node.inst->id(at), node.component);
    else // a bitcast that regroups bits
      useAll(node, node.inst->id(at));
  }
}

void GraphBuilder::addPhiOperands(ValueNode &node) {
  for (unsigned at = 0; at + 1 < node.inst->numOperands(); at += 2) {
    const Instruction *label = module.def(node.inst->id(at + 1));
    if (!label)
      continue;
    for (const NodeBlock *from : node.block->preds)
      if (from->block->id() == label->result())
        use(node, node.inst->id(at), node.component);
  }
}

void GraphBuilder::addComposite(ValueNode &node) {
  const Instruction &inst = *node.inst;
  bool isVector = componentCount(module, inst.typeId()) > 1;
  auto width = [&](unsigned at) {
    const Instruction *def = module.def(inst.id(at));
    return def ? componentCount(module, def->typeId()) : 0;
  };
  switch (inst.opcode()) {
  case spv::Op::OpCompositeExtract:
    return width(0) > 1 && inst.numOperands() == 2 ? use(node, inst.id(0), inst.literal(1))
                                                   : useAll(node, inst.id(0));
  case spv::Op::OpCompositeInsert: {
    bool isOneComponent = isVector && inst.numOperands() == 3;
    if (!isOneComponent || inst.literal(2) == node.component)
      useAll(node, inst.id(0));
    if (!isOneComponent)
      useAll(node, inst.id(1));
    else if (inst.literal(2) != node.component)
      use(node, inst.id(1), node.component);
    return;
  }
  case spv::Op::OpVectorShuffle: {
    uint32_t from = inst.literal(2 + node.component), firstWidth = width(0);
    if (from == UINT32_MAX)
      node.source = ValueSource::Undefined;
    else if (from < firstWidth)
      use(node, inst.id(0), from);
    else
      use(node, inst.id(1), from - firstWidth);
    return;
  }
  default: { // OpCompositeConstruct
    unsigned before = 0;
    for (unsigned at = 0; at < inst.numOperands(); ++at) {
      unsigned count = std::max(1u, width(at));
      if (!isVector)
        useAll(node, inst.id(at));
      else if (node.component >= before && node.component < before + count)
        use(node, inst.id(at), node.component - before);
      before += count;
    }
  }
  }
}

void GraphBuilder::setBuiltIn(ValueNode &node, const PointerPath &path) {
  std::optional<spv::BuiltIn> builtIn = builtInOf(module, *path.variable);
  if (!builtIn) {
    node.source = ValueSource::Unknown;
    return;
  }
  node.source = ValueSource::BuiltIn;
  node.builtIn = *builtIn;
  node.axis = ValueNode::kAnyAxis;
  if (path.indices.empty())
    node.axis = static_cast<uint8_t>(std::min<uint32_t>(node.component, ValueNode::kAnyAxis));
  else if (auto axis = ids.constants().evaluateInt(path.indices[0]); axis && *axis < 3)
    node.axis = static_cast<uint8_t>(*axis);
}

/// Of OpLoad, OpCopyMemory's source, and what reads images.
void GraphBuilder::addLoadOperands(ValueNode &node) {
  const Instruction &inst = *node.inst;
  bool isCopy = inst.opcode() == spv::Op::OpCopyMemory;
  std::optional<PointerPath> path;
  if (isCopy || inst.opcode() == spv::Op::OpLoad) {
    useAll(node, inst.id(isCopy ? 1 : 0));
    path = tracePointer(module, inst.id(isCopy ? 1 : 0));
    if (path && path->space == MemorySpace::Input)
      return setBuiltIn(node, *path);
  } else {
    addAll(node, 0);
  }
  switch (rules.rule(inst)) {
  case MemoryRule::Constant:
    break;
  case MemoryRule::Own:
    if (auto content = contents.find(raw(path->variable->result())); content != contents.end())
      node.operands.push_back(mutableNode(content->second));
    else
      node.source = ValueSource::Unknown;
    break;
  case MemoryRule::Group:
    node.source = ValueSource::GroupMemory;
    break;
  case MemoryRule::Any:
    node.source = ValueSource::AnyMemory;
  }
}

void GraphBuilder::addExtInstOperands(ValueNode &node) {
  if (module.extInstSet(node.inst->id(0)) != "GLSL.std.450") {
    node.source = ValueSource::Unknown;
    return;
  }
  if (isComponentwiseGlsl(node.inst->literal(1)))
    addComponentwise(node, 2);
  else
    addAll(node, 2);
}

void GraphBuilder::addValueOperands(ValueNode &node) {
  const Instruction &inst = *node.inst;
  spv::Op op = inst.opcode();
  switch (op) {
  case spv::Op::OpPhi:
    return addPhiOperands(node);
  case spv::Op::OpLoad:
    return addLoadOperands(node);
  case spv::Op::OpCopyObject:
  case spv::Op::OpVectorTimesScalar:
    return addComponentwise(node, 0);
  case spv::Op::OpCompositeExtract:
  case spv::Op::OpCompositeConstruct:
  case spv::Op::OpCompositeInsert:
  case spv::Op::OpVectorShuffle:
    return addComposite(node);
  case spv::Op::OpUndef:
    node.source = ValueSource::Undefined;
    return;
  default:
    break;
  }
  switch (classOf(op)) {
  case OpcodeClass::Componentwise:
    return addComponentwise(node, 0);
  case OpcodeClass::Pure:
  case OpcodeClass::ImageQuery:
  case OpcodeClass::ArrayLength:
  case OpcodeClass::Memory: // access chains
    return addAll(node, 0);
  case OpcodeClass::ImageSample:
  case OpcodeClass::ImageAccess:
    return op == spv::Op::OpImageTexelPointer ? addAll(node, 0) : addLoadOperands(node);
  case OpcodeClass::ExtInst:
    return addExtInstOperands(node);
  case OpcodeClass::Atomic:
    node.source = ValueSource::Atomic;
    return addAll(node, 0);
  case OpcodeClass::Call:
    node.source = ValueSource::Call;
    return;
  case OpcodeClass::Subgroup:
    node.source =
        isSubgroupUniform(module, ids, inst) ? ValueSource::SubgroupUniform : ValueSource::Subgroup;
    return;
  default:
    node.source = ValueSource::Unknown;
  }
}

void GraphBuilder::addOperands(ValueNode &node) {
  switch (node.kind) {
  case ValueNode::Kind::Value:
  case ValueNode::Kind::Phi:
    if (node.index != kUndefinedNode)
      addValueOperands(node);
    break;
  case ValueNode::Kind::Store:
    addStoreOperands(node);
    break;
  case ValueNode::Kind::Content:
    // Nothing was ever put there, or something that is not defined. (Stores come as operands of
    // their own accord.)
    if (node.inst->numOperands() > 1 ? graph.hasUndefinedPart(node.inst->id(1))
                                     : !ids.written().contains(*node.inst))
      node.source = ValueSource::Undefined;
    break;
  case ValueNode::Kind::Terminator:
    if (node.inst->opcode() == spv::Op::OpBranchConditional ||
        node.inst->opcode() == spv::Op::OpSwitch)
      useAll(node, node.inst->id(0));
  }
}

} // namespace tailor
