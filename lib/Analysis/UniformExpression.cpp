//===- Analysis/UniformExpression.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/UniformExpression.h"

#include "IR/Types.h"

#include "spirv/unified1/GLSL.std.450.h"

namespace tailor {

namespace {

constexpr unsigned kMaxDepth = 24;
/// Nodes of one expression: a value that is added to itself time and again has a tree of 2^depth.
constexpr unsigned kMaxNodes = 256;

class ExpressionBuilder {
public:
  ExpressionBuilder(const Module &module, const IdDependence &ids) : module(module), ids(ids) {}

  std::optional<UniformExpr> build(Id id, unsigned component, unsigned depth) const;

private:
  using Maybe = std::optional<UniformExpr>;
  Maybe constant(const Instruction &inst, unsigned component) const;
  Maybe load(const Instruction &inst, unsigned component) const;
  Maybe arrayLength(const Instruction &inst) const;
  Maybe imageSize(const Instruction &inst, unsigned component) const;
  Maybe extract(const Instruction &inst, unsigned component, unsigned depth) const;
  Maybe construct(const Instruction &inst, unsigned component, unsigned depth) const;
  Maybe binary(UniformExpr::Op op, Id a, Id b, unsigned component, unsigned depth) const;
  std::optional<uint32_t> offsetOf(const PointerPath &path, unsigned component) const;
  std::optional<std::array<uint32_t, 2>> descriptorOf(const PointerPath &path) const;

  const Module &module;
  const IdDependence &ids;
  mutable unsigned nodesLeft = kMaxNodes;
};

std::optional<UniformExpr::Op> binaryOp(spv::Op op) {
  using Op = UniformExpr::Op;
  switch (op) {
  case spv::Op::OpIAdd:
    return Op::Add;
  case spv::Op::OpISub:
    return Op::Sub;
  case spv::Op::OpIMul:
    return Op::Mul;
  case spv::Op::OpUDiv:
    return Op::UDiv;
  case spv::Op::OpSDiv:
    return Op::SDiv;
  case spv::Op::OpUMod:
    return Op::UMod;
  case spv::Op::OpShiftLeftLogical:
    return Op::Shl;
  case spv::Op::OpShiftRightLogical:
    return Op::LShr;
  case spv::Op::OpShiftRightArithmetic:
    return Op::AShr;
  case spv::Op::OpBitwiseAnd:
    return Op::And;
  case spv::Op::OpBitwiseOr:
    return Op::Or;
  case spv::Op::OpBitwiseXor:
    return Op::Xor;
  default:
    return std::nullopt;
  }
}

std::optional<UniformExpr::Op> extendedOp(uint32_t number) {
  switch (number) {
  case GLSLstd450UMin:
    return UniformExpr::Op::UMin;
  case GLSLstd450UMax:
    return UniformExpr::Op::UMax;
  case GLSLstd450SMin:
    return UniformExpr::Op::SMin;
  case GLSLstd450SMax:
    return UniformExpr::Op::SMax;
  default:
    return std::nullopt;
  }
}

std::optional<UniformExpr> ExpressionBuilder::constant(const Instruction &inst,
                                                       unsigned component) const {
  std::optional<ConstantValue> value = ids.constants().evaluate(inst.result());
  if (value && value->isComposite()) {
    if (component >= value->elements.size())
      return std::nullopt;
    ConstantValue element = value->elements[component];
    value = element;
  }
  if (value)
    return UniformExpr::constant(static_cast<uint32_t>(value->bits));
  std::optional<uint32_t> specId = module.decoration(inst.result(), spv::Decoration::SpecId);
  if (inst.opcode() == spv::Op::OpSpecConstant && specId)
    return UniformExpr{UniformExpr::Op::SpecConstant, {*specId, inst.literal(0), 0, 0}, {}};
  if (inst.opcode() == spv::Op::OpSpecConstantOp && inst.numOperands() == 3)
    if (auto op = binaryOp(static_cast<spv::Op>(inst.literal(0))))
      return binary(*op, inst.id(1), inst.id(2), component, kMaxDepth / 2);
  return std::nullopt;
}

std::optional<std::array<uint32_t, 2>>
ExpressionBuilder::descriptorOf(const PointerPath &path) const {
  Id variable = path.variable->result();
  auto set = module.decoration(variable, spv::Decoration::DescriptorSet);
  auto binding = module.decoration(variable, spv::Decoration::Binding);
  if (!set || !binding)
    return std::nullopt;
  return std::array{*set, *binding};
}

/// The byte offset that constant indices lead to, by the explicit layout.
std::optional<uint32_t> ExpressionBuilder::offsetOf(const PointerPath &path,
                                                    unsigned component) const {
  std::optional<PointerType> pointer = pointerType(module, path.variable->typeId());
  if (!pointer)
    return std::nullopt;
  uint64_t offset = uint64_t{component} * 4;
  Id typeId = pointer->pointee;
  for (Id indexId : path.indices) {
    std::optional<uint64_t> index = ids.constants().evaluateInt(indexId);
    const Instruction *type = module.def(typeId);
    if (!index || !type)
      return std::nullopt;
    switch (type->opcode()) {
    case spv::Op::OpTypeStruct: {
      if (*index >= type->numOperands())
        return std::nullopt;
      auto at =
          module.memberDecoration(typeId, static_cast<uint32_t>(*index), spv::Decoration::Offset);
      if (!at)
        return std::nullopt;
      offset += *at;
      typeId = type->id(static_cast<unsigned>(*index));
      break;
    }
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray: {
      auto stride = module.decoration(typeId, spv::Decoration::ArrayStride);
      if (!stride) // an array of descriptors
        return std::nullopt;
      offset += *index * *stride;
      typeId = type->id(0);
      break;
    }
    case spv::Op::OpTypeVector:
      offset += *index * 4;
      typeId = type->id(0);
      break;
    default: // matrices
      return std::nullopt;
    }
  }
  if (!isIntType(module, scalarTypeOf(module, typeId), 32) || offset > UINT32_MAX)
    return std::nullopt;
  return static_cast<uint32_t>(offset);
}

std::optional<UniformExpr> ExpressionBuilder::load(const Instruction &inst,
                                                   unsigned component) const {
  std::optional<PointerPath> path = tracePointer(module, inst.id(0));
  if (!path || !ids.isConstantMemory(*path->variable, path->space))
    return std::nullopt;
  std::optional<uint32_t> offset = offsetOf(*path, component);
  if (!offset)
    return std::nullopt;
  if (path->space == MemorySpace::PushConstant)
    return UniformExpr{UniformExpr::Op::PushConstant, {*offset, 0, 0, 0}, {}};
  auto descriptor = descriptorOf(*path);
  if (!descriptor)
    return std::nullopt;
  return UniformExpr{
      UniformExpr::Op::BufferValue, {(*descriptor)[0], (*descriptor)[1], *offset, 0}, {}};
}

std::optional<UniformExpr> ExpressionBuilder::arrayLength(const Instruction &inst) const {
  std::optional<PointerPath> path = tracePointer(module, inst.id(0));
  if (!path || !path->indices.empty())
    return std::nullopt;
  std::optional<PointerType> pointer = pointerType(module, path->variable->typeId());
  const Instruction *block = pointer ? module.def(pointer->pointee) : nullptr;
  if (!block || block->opcode() != spv::Op::OpTypeStruct)
    return std::nullopt;
  uint32_t member = inst.literal(1);
  if (member >= block->numOperands())
    return std::nullopt;
  auto offset = module.memberDecoration(block->result(), member, spv::Decoration::Offset);
  auto stride = module.decoration(block->id(member), spv::Decoration::ArrayStride);
  auto descriptor = descriptorOf(*path);
  if (!offset || !stride || *stride == 0 || !descriptor)
    return std::nullopt;
  return UniformExpr{
      UniformExpr::Op::ArrayLength, {(*descriptor)[0], (*descriptor)[1], *offset, *stride}, {}};
}

std::optional<UniformExpr> ExpressionBuilder::imageSize(const Instruction &inst,
                                                        unsigned component) const {
  std::optional<PointerPath> path = traceResource(module, inst.id(0));
  if (!path || !path->indices.empty())
    return std::nullopt;
  if (inst.opcode() == spv::Op::OpImageQuerySizeLod) {
    std::optional<uint64_t> level = ids.constants().evaluateInt(inst.id(1));
    if (!level || *level != 0)
      return std::nullopt;
  }
  auto descriptor = descriptorOf(*path);
  if (!descriptor || component > 2)
    return std::nullopt;
  return UniformExpr{
      UniformExpr::Op::ImageSize, {(*descriptor)[0], (*descriptor)[1], component, 0}, {}};
}

std::optional<UniformExpr> ExpressionBuilder::extract(const Instruction &inst, unsigned component,
                                                      unsigned depth) const {
  const Instruction *from = module.def(inst.id(0));
  if (!from)
    return std::nullopt;
  if (componentCount(module, from->typeId()) > 1 && inst.numOperands() == 2)
    return build(inst.id(0), inst.literal(1), depth + 1);
  (void)component;
  return std::nullopt; // members of a block that was loaded whole
}

std::optional<UniformExpr> ExpressionBuilder::construct(const Instruction &inst, unsigned component,
                                                        unsigned depth) const {
  for (unsigned at = 0; at < inst.numOperands(); ++at) {
    const Instruction *part = module.def(inst.id(at));
    unsigned count = part ? componentCount(module, part->typeId()) : 0;
    if (count == 0)
      return std::nullopt;
    if (component < count)
      return build(inst.id(at), component, depth + 1);
    component -= count;
  }
  return std::nullopt;
}

std::optional<UniformExpr> ExpressionBuilder::binary(UniformExpr::Op op, Id a, Id b,
                                                     unsigned component, unsigned depth) const {
  Maybe left = build(a, component, depth + 1), right = build(b, component, depth + 1);
  if (!left || !right)
    return std::nullopt;
  return UniformExpr{op, {}, {std::move(*left), std::move(*right)}};
}

std::optional<UniformExpr> ExpressionBuilder::build(Id id, unsigned component,
                                                    unsigned depth) const {
  const Instruction *inst = module.def(id);
  if (nodesLeft == 0)
    return std::nullopt;
  --nodesLeft;
  if (!inst || depth > kMaxDepth || !isIntType(module, scalarTypeOf(module, inst->typeId()), 32))
    return std::nullopt;
  // A value of reduced precision may have 16 bits on the device, and is computed with 32 here.
  if (module.hasDecoration(id, spv::Decoration::RelaxedPrecision))
    return std::nullopt;
  if (isConstant(inst->opcode()))
    return constant(*inst, component);
  if (auto op = binaryOp(inst->opcode()))
    return binary(*op, inst->id(0), inst->id(1), component, depth);
  switch (inst->opcode()) {
  case spv::Op::OpLoad:
    return load(*inst, component);
  case spv::Op::OpArrayLength:
    return arrayLength(*inst);
  case spv::Op::OpImageQuerySize:
  case spv::Op::OpImageQuerySizeLod:
    return imageSize(*inst, component);
  case spv::Op::OpCopyObject:
    return build(inst->id(0), component, depth + 1);
  case spv::Op::OpBitcast:
  case spv::Op::OpUConvert:
  case spv::Op::OpSConvert: {
    const Instruction *from = module.def(inst->id(0));
    bool sameShape =
        from && componentCount(module, from->typeId()) == componentCount(module, inst->typeId());
    return sameShape ? build(inst->id(0), component, depth + 1) : std::nullopt; // 32 to 32 bits
  }
  case spv::Op::OpCompositeExtract:
    return extract(*inst, component, depth);
  case spv::Op::OpCompositeConstruct:
    return construct(*inst, component, depth);
  case spv::Op::OpVectorShuffle: {
    const Instruction *first = module.def(inst->id(0));
    unsigned count = first ? componentCount(module, first->typeId()) : 0;
    if (component + 2 >= inst->numOperands() || count == 0)
      return std::nullopt;
    uint32_t from = inst->literal(2 + component);
    return from < count ? build(inst->id(0), from, depth + 1)
                        : build(inst->id(1), from - count, depth + 1);
  }
  case spv::Op::OpExtInst:
    if (module.extInstSet(inst->id(0)) == "GLSL.std.450")
      if (auto op = extendedOp(inst->literal(1)))
        return binary(*op, inst->id(2), inst->id(3), component, depth);
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

} // namespace

std::optional<UniformExpr> uniformExpression(const Module &module, const IdDependence &ids, Id id,
                                             unsigned component) {
  return ExpressionBuilder(module, ids).build(id, component, 0);
}

} // namespace tailor
