//===- Analysis/UniformExpression.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/UniformExpression.h"

#include "Analysis/CompositeParts.h"
#include "Analysis/PhiChoice.h"
#include "IR/Types.h"

#include "spirv/unified1/GLSL.std.450.h"

namespace tailor {

namespace {

constexpr unsigned kMaxDepth = 24;
/// Nodes of one expression: a value that is added to itself time and again has a tree of 2^depth.
constexpr unsigned kMaxNodes = 256;

using Op = UniformExpr::Op;
using Maybe = std::optional<UniformExpr>;

/// Literal indices to a scalar, as in ValuePart.
using Path = llvm::ArrayRef<uint32_t>;

class ExpressionBuilder {
public:
  ExpressionBuilder(const Module &module, const IdDependence &ids) : module(module), ids(ids) {}

  /// The scalar at `path` of the value `id`.
  Maybe build(Id id, Path path, unsigned depth) const;

private:
  Maybe constant(const Instruction &inst, Path path, unsigned depth) const;
  Maybe load(const Instruction &inst, Path path) const;
  Maybe arrayLength(const Instruction &inst) const;
  Maybe imageSize(const Instruction &inst, Path path) const;
  Maybe operation(const Instruction &inst, spv::Op op, unsigned first, Path path,
                  unsigned depth) const;
  Maybe binary(Op op, Id a, Id b, Path path, unsigned depth) const;
  Maybe choice(Id condition, Id whenTrue, Id whenFalse, Path path, unsigned depth) const;
  std::optional<uint32_t> offsetOf(const PointerPath &pointer, Path path) const;
  std::optional<std::array<uint32_t, 2>> descriptorOf(const PointerPath &path) const;
  bool isUnderstood(Id type) const {
    return isIntType(module, type, 32) || isBoolType(module, type);
  }

  const Module &module;
  const IdDependence &ids;
  mutable unsigned nodesLeft = kMaxNodes;
};

/// An operator with two operands; `swapped`: SPIR-V has them the other way round.
struct BinaryOp {
  Op op;
  bool swapped = false;
};

// A table of opcodes, as a switch.
// NOLINTNEXTLINE(readability-function-size)
std::optional<BinaryOp> binaryOp(spv::Op op) {
  switch (op) {
  case spv::Op::OpIAdd:
    return BinaryOp{Op::Add};
  case spv::Op::OpISub:
    return BinaryOp{Op::Sub};
  case spv::Op::OpIMul:
    return BinaryOp{Op::Mul};
  case spv::Op::OpUDiv:
    return BinaryOp{Op::UDiv};
  case spv::Op::OpSDiv:
    return BinaryOp{Op::SDiv};
  case spv::Op::OpUMod:
    return BinaryOp{Op::UMod};
  case spv::Op::OpShiftLeftLogical:
    return BinaryOp{Op::Shl};
  case spv::Op::OpShiftRightLogical:
    return BinaryOp{Op::LShr};
  case spv::Op::OpShiftRightArithmetic:
    return BinaryOp{Op::AShr};
  case spv::Op::OpBitwiseAnd:
  case spv::Op::OpLogicalAnd:
    return BinaryOp{Op::And};
  case spv::Op::OpBitwiseOr:
  case spv::Op::OpLogicalOr:
    return BinaryOp{Op::Or};
  case spv::Op::OpBitwiseXor:
    return BinaryOp{Op::Xor};
  case spv::Op::OpIEqual:
  case spv::Op::OpLogicalEqual:
    return BinaryOp{Op::Equal};
  case spv::Op::OpINotEqual:
  case spv::Op::OpLogicalNotEqual:
    return BinaryOp{Op::NotEqual};
  case spv::Op::OpULessThan:
    return BinaryOp{Op::ULess};
  case spv::Op::OpULessThanEqual:
    return BinaryOp{Op::ULessEqual};
  case spv::Op::OpUGreaterThan:
    return BinaryOp{Op::ULess, true};
  case spv::Op::OpUGreaterThanEqual:
    return BinaryOp{Op::ULessEqual, true};
  case spv::Op::OpSLessThan:
    return BinaryOp{Op::SLess};
  case spv::Op::OpSLessThanEqual:
    return BinaryOp{Op::SLessEqual};
  case spv::Op::OpSGreaterThan:
    return BinaryOp{Op::SLess, true};
  case spv::Op::OpSGreaterThanEqual:
    return BinaryOp{Op::SLessEqual, true};
  default:
    return std::nullopt;
  }
}

std::optional<Op> extendedOp(uint32_t number) {
  switch (number) {
  case GLSLstd450UMin:
    return Op::UMin;
  case GLSLstd450UMax:
    return Op::UMax;
  case GLSLstd450SMin:
    return Op::SMin;
  case GLSLstd450SMax:
    return Op::SMax;
  default:
    return std::nullopt;
  }
}

UniformExpr node(Op op, UniformExpr a, UniformExpr b) {
  return UniformExpr{op, {}, {std::move(a), std::move(b)}};
}

Maybe ExpressionBuilder::constant(const Instruction &inst, Path path, unsigned depth) const {
  std::optional<ConstantValue> value = ids.constants().evaluate(inst.result());
  for (uint32_t index : path) {
    if (!value || !value->isComposite() || index >= value->elements.size()) {
      value.reset();
      break;
    }
    ConstantValue element = std::move(value->elements[index]);
    value = std::move(element);
  }
  if (value && !value->isComposite())
    return UniformExpr::constant(static_cast<uint32_t>(value->bits));
  std::optional<uint32_t> specId = module.decoration(inst.result(), spv::Decoration::SpecId);
  switch (inst.opcode()) {
  case spv::Op::OpSpecConstant:
    return specId ? Maybe({Op::SpecConstant, {*specId, inst.literal(0), 0, 0}, {}}) : std::nullopt;
  case spv::Op::OpSpecConstantTrue:
  case spv::Op::OpSpecConstantFalse: { // a VkBool32: true is whatever is not 0
    const uint32_t initial = inst.opcode() == spv::Op::OpSpecConstantTrue ? 1 : 0;
    return specId ? Maybe(node(Op::NotEqual, {Op::SpecConstant, {*specId, initial, 0, 0}, {}},
                               UniformExpr::constant(0)))
                  : std::nullopt;
  }
  case spv::Op::OpSpecConstantOp:
    return operation(inst, static_cast<spv::Op>(inst.literal(0)), 1, path, depth);
  default:
    return std::nullopt;
  }
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

/// The byte offset that constant indices lead to, by the explicit layout: those of the pointer, and
/// then those into what is loaded.
std::optional<uint32_t> ExpressionBuilder::offsetOf(const PointerPath &pointer, Path path) const {
  std::optional<PointerType> variable = pointerType(module, pointer.variable->typeId());
  if (!variable)
    return std::nullopt;
  llvm::SmallVector<uint64_t, 8> indices;
  for (Id indexId : pointer.indices) {
    std::optional<uint64_t> index = ids.constants().evaluateInt(indexId);
    if (!index)
      return std::nullopt;
    indices.push_back(*index);
  }
  indices.append(path.begin(), path.end());
  uint64_t offset = 0;
  Id typeId = variable->pointee;
  for (uint64_t index : indices) {
    const Instruction *type = module.def(typeId);
    if (!type || index > UINT32_MAX)
      return std::nullopt;
    switch (type->opcode()) {
    case spv::Op::OpTypeStruct: {
      if (index >= type->numOperands())
        return std::nullopt;
      auto member = static_cast<uint32_t>(index);
      auto at = module.memberDecoration(typeId, member, spv::Decoration::Offset);
      if (!at)
        return std::nullopt;
      offset += *at;
      typeId = type->id(member);
      break;
    }
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray: {
      auto stride = module.decoration(typeId, spv::Decoration::ArrayStride);
      if (!stride) // an array of descriptors
        return std::nullopt;
      offset += index * *stride;
      typeId = type->id(0);
      break;
    }
    case spv::Op::OpTypeVector:
      offset += index * 4;
      typeId = type->id(0);
      break;
    default: // matrices
      return std::nullopt;
    }
  }
  if (!isIntType(module, typeId, 32) || offset > UINT32_MAX)
    return std::nullopt;
  return static_cast<uint32_t>(offset);
}

Maybe ExpressionBuilder::load(const Instruction &inst, Path path) const {
  std::optional<PointerPath> pointer = tracePointer(module, inst.id(0));
  if (!pointer || !ids.isConstantMemory(*pointer->variable, pointer->space) ||
      ids.readsSharedState(inst))
    return std::nullopt;
  std::optional<uint32_t> offset = offsetOf(*pointer, path);
  if (!offset)
    return std::nullopt;
  if (pointer->space == MemorySpace::PushConstant)
    return UniformExpr{Op::PushConstant, {*offset, 0, 0, 0}, {}};
  auto descriptor = descriptorOf(*pointer);
  if (!descriptor)
    return std::nullopt;
  return UniformExpr{Op::BufferValue, {(*descriptor)[0], (*descriptor)[1], *offset, 0}, {}};
}

Maybe ExpressionBuilder::arrayLength(const Instruction &inst) const {
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
  return UniformExpr{Op::ArrayLength, {(*descriptor)[0], (*descriptor)[1], *offset, *stride}, {}};
}

Maybe ExpressionBuilder::imageSize(const Instruction &inst, Path path) const {
  std::optional<PointerPath> image = traceResource(module, inst.id(0));
  if (!image || !image->indices.empty())
    return std::nullopt;
  if (inst.opcode() == spv::Op::OpImageQuerySizeLod) {
    std::optional<uint64_t> level = ids.constants().evaluateInt(inst.id(1));
    if (!level || *level != 0)
      return std::nullopt;
  }
  auto descriptor = descriptorOf(*image);
  const uint32_t component = path.empty() ? 0 : path[0];
  if (!descriptor || component > 2)
    return std::nullopt;
  return UniformExpr{Op::ImageSize, {(*descriptor)[0], (*descriptor)[1], component, 0}, {}};
}

Maybe ExpressionBuilder::binary(Op op, Id a, Id b, Path path, unsigned depth) const {
  Maybe left = build(a, path, depth + 1), right = build(b, path, depth + 1);
  if (!left || !right)
    return std::nullopt;
  return node(op, std::move(*left), std::move(*right));
}

/// `condition ? whenTrue : whenFalse`; the condition may have a component for each of theirs.
Maybe ExpressionBuilder::choice(Id condition, Id whenTrue, Id whenFalse, Path path,
                                unsigned depth) const {
  const Instruction *decides = module.def(condition);
  if (!decides)
    return std::nullopt;
  bool isVector = componentCount(module, decides->typeId()) > 1;
  Maybe which = build(condition, isVector ? path : Path(), depth + 1);
  Maybe a = which ? build(whenTrue, path, depth + 1) : std::nullopt;
  Maybe b = a ? build(whenFalse, path, depth + 1) : std::nullopt;
  if (!b)
    return std::nullopt;
  return UniformExpr{Op::Select, {}, {std::move(*which), std::move(*a), std::move(*b)}};
}

/// What an instruction or an OpSpecConstantOp computes of its operands, from `first` on.
Maybe ExpressionBuilder::operation(const Instruction &inst, spv::Op op, unsigned first, Path path,
                                   unsigned depth) const {
  if (std::optional<BinaryOp> known = binaryOp(op)) {
    unsigned a = known->swapped ? first + 1 : first;
    return binary(known->op, inst.id(a), inst.id(2 * first + 1 - a), path, depth);
  }
  switch (op) {
  case spv::Op::OpSelect:
    return choice(inst.id(first), inst.id(first + 1), inst.id(first + 2), path, depth);
  case spv::Op::OpLogicalNot: {
    Maybe value = build(inst.id(first), path, depth + 1);
    return value ? Maybe(node(Op::Equal, std::move(*value), UniformExpr::constant(0)))
                 : std::nullopt;
  }
  case spv::Op::OpBitcast:
  case spv::Op::OpUConvert:
  case spv::Op::OpSConvert: {
    const Instruction *from = module.def(inst.id(first));
    bool sameShape =
        from && componentCount(module, from->typeId()) == componentCount(module, inst.typeId());
    return sameShape ? build(inst.id(first), path, depth + 1) : std::nullopt; // 32 to 32 bits
  }
  default:
    return std::nullopt;
  }
}

Maybe ExpressionBuilder::build(Id id, Path path, unsigned depth) const {
  ValuePart source = sourceOf(module, {id, llvm::SmallVector<uint32_t, 4>(path)});
  path = source.path;
  const Instruction *inst = module.def(source.id);
  if (nodesLeft == 0)
    return std::nullopt;
  --nodesLeft;
  if (!inst || depth > kMaxDepth || !isUnderstood(typeOfPart(module, inst->typeId(), path)))
    return std::nullopt;
  // A value of reduced precision may have 16 bits on the device, and is computed with 32 here.
  if (module.hasDecoration(source.id, spv::Decoration::RelaxedPrecision))
    return std::nullopt;
  if (isConstant(inst->opcode()))
    return constant(*inst, path, depth);
  switch (inst->opcode()) {
  case spv::Op::OpLoad:
    return load(*inst, path);
  case spv::Op::OpArrayLength:
    return arrayLength(*inst);
  case spv::Op::OpImageQuerySize:
  case spv::Op::OpImageQuerySizeLod:
    return imageSize(*inst, path);
  case spv::Op::OpPhi:
    if (auto branch = choiceOf(module, ids.controlFlow(), *inst))
      return choice(branch->condition, branch->whenTrue, branch->whenFalse, path, depth);
    return std::nullopt;
  case spv::Op::OpExtInst:
    if (module.extInstSet(inst->id(0)) == "GLSL.std.450")
      if (auto op = extendedOp(inst->literal(1)))
        return binary(*op, inst->id(2), inst->id(3), path, depth);
    return std::nullopt;
  default:
    return operation(*inst, inst->opcode(), 0, path, depth);
  }
}

} // namespace

std::optional<UniformExpr> uniformExpression(const Module &module, const IdDependence &ids, Id id,
                                             unsigned component) {
  const Instruction *inst = module.def(id);
  bool isVector = inst && componentCount(module, inst->typeId()) > 1;
  return ExpressionBuilder(module, ids).build(id, isVector ? Path(component) : Path(), 0);
}

} // namespace tailor
