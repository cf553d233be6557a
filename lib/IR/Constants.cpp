//===- IR/Constants.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IR/Constants.h"

#include "IR/Types.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

namespace tailor {

namespace {

constexpr unsigned kMaxDepth = 256;
constexpr uint64_t kMaxElements = 65536;

using Values = std::vector<ConstantValue>;

uint64_t truncateTo(unsigned width, uint64_t bits) {
  return width >= 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}

ConstantValue boolean(bool value) { return {ConstantValue::Kind::Bool, 1, false, value, {}}; }

/// Scalars in a value, so that composites of composites stay small.
uint64_t countScalars(const ConstantValue &value) {
  if (!value.isComposite())
    return 1;
  uint64_t count = 0;
  for (const ConstantValue &element : value.elements)
    count += countScalars(element);
  return std::max<uint64_t>(count, 1);
}

/// Applies `fold` to scalars, or to each component of equally long vectors.
template <typename Fold>
std::optional<ConstantValue> forEachComponent(const Values &operands, Fold fold) {
  if (!operands[0].isComposite())
    return fold(operands);
  ConstantValue result{ConstantValue::Kind::Composite, 0, false, 0, {}};
  for (size_t at = 0; at < operands[0].elements.size(); ++at) {
    Values components;
    for (const ConstantValue &operand : operands) {
      if (!operand.isComposite() || at >= operand.elements.size())
        return std::nullopt;
      components.push_back(operand.elements[at]);
    }
    std::optional<ConstantValue> component = fold(components);
    if (!component)
      return std::nullopt;
    result.elements.push_back(std::move(*component));
  }
  return result;
}

std::optional<uint64_t> foldArithmetic(spv::Op op, const ConstantValue &a, const ConstantValue &b) {
  using enum spv::Op;
  int64_t sa = a.asSigned(), sb = b.asSigned();
  switch (op) {
  case OpIAdd:
    return a.bits + b.bits;
  case OpISub:
    return a.bits - b.bits;
  case OpIMul:
    return a.bits * b.bits;
  case OpUDiv:
    return b.bits == 0 ? std::nullopt : std::optional(a.bits / b.bits);
  case OpUMod:
    return b.bits == 0 ? std::nullopt : std::optional(a.bits % b.bits);
  case OpSDiv:
  case OpSRem:
  case OpSMod: {
    if (sb == 0)
      return std::nullopt;
    if (sb == -1) { // undefined for the most negative number
      if (a.bits == uint64_t{1} << (a.width - 1))
        return std::nullopt;
      return op == OpSDiv ? uint64_t{0} - a.bits : uint64_t{0};
    }
    if (op == OpSDiv)
      return static_cast<uint64_t>(sa / sb);
    int64_t rest = sa % sb; // the sign of a
    if (op == OpSMod && rest != 0 && (rest < 0) != (sb < 0))
      rest += sb; // the sign of b
    return static_cast<uint64_t>(rest);
  }
  case OpShiftLeftLogical:
    return b.bits >= a.width ? std::nullopt : std::optional(a.bits << b.bits);
  case OpShiftRightLogical:
    return b.bits >= a.width ? std::nullopt : std::optional(a.bits >> b.bits);
  case OpShiftRightArithmetic:
    return b.bits >= a.width ? std::nullopt : std::optional(static_cast<uint64_t>(sa >> b.bits));
  case OpBitwiseAnd:
    return a.bits & b.bits;
  case OpBitwiseOr:
    return a.bits | b.bits;
  case OpBitwiseXor:
    return a.bits ^ b.bits;
  default:
    return std::nullopt;
  }
}

std::optional<bool> foldComparison(spv::Op op, const ConstantValue &a, const ConstantValue &b) {
  using enum spv::Op;
  int64_t sa = a.asSigned(), sb = b.asSigned();
  switch (op) {
  case OpIEqual:
  case OpLogicalEqual:
    return a.bits == b.bits;
  case OpINotEqual:
  case OpLogicalNotEqual:
    return a.bits != b.bits;
  case OpULessThan:
    return a.bits < b.bits;
  case OpULessThanEqual:
    return a.bits <= b.bits;
  case OpUGreaterThan:
    return a.bits > b.bits;
  case OpUGreaterThanEqual:
    return a.bits >= b.bits;
  case OpSLessThan:
    return sa < sb;
  case OpSLessThanEqual:
    return sa <= sb;
  case OpSGreaterThan:
    return sa > sb;
  case OpSGreaterThanEqual:
    return sa >= sb;
  case OpLogicalAnd:
    return (a.bits & b.bits) != 0;
  case OpLogicalOr:
    return (a.bits | b.bits) != 0;
  default:
    return std::nullopt;
  }
}

/// One scalar result of an operation on scalars. `type` is the result's scalar type.
std::optional<ConstantValue> foldScalar(spv::Op op, const Values &operands,
                                        const ConstantValue &type) {
  using enum spv::Op;
  auto intResult = [&](uint64_t bits) -> std::optional<ConstantValue> {
    ConstantValue value = type;
    value.bits = truncateTo(type.width, bits);
    return value;
  };
  for (const ConstantValue &operand : operands)
    if (operand.isComposite())
      return std::nullopt;
  if (operands.size() == 1) {
    const ConstantValue &a = operands[0];
    switch (op) {
    case OpSConvert:
      return intResult(static_cast<uint64_t>(a.asSigned()));
    case OpUConvert:
      return intResult(a.bits);
    case OpSNegate:
      return intResult(uint64_t{0} - a.bits);
    case OpNot:
      return intResult(~a.bits);
    case OpLogicalNot:
      return boolean(a.bits == 0);
    case OpBitcast:
      return a.width == type.width ? intResult(a.bits) : std::nullopt;
    default:
      return std::nullopt;
    }
  }
  if (operands.size() == 3 && op == OpSelect)
    return operands[0].bits != 0 ? operands[1] : operands[2];
  if (operands.size() != 2 || operands[0].kind == ConstantValue::Kind::Float ||
      operands[1].kind == ConstantValue::Kind::Float)
    return std::nullopt;
  if (std::optional<bool> truth = foldComparison(op, operands[0], operands[1]))
    return boolean(*truth);
  if (std::optional<uint64_t> bits = foldArithmetic(op, operands[0], operands[1]))
    return intResult(*bits);
  return std::nullopt;
}

std::optional<ConstantValue> extract(ConstantValue value, const Instruction &inst, unsigned first) {
  for (unsigned at = first; at < inst.numOperands(); ++at) {
    uint32_t index = inst.literal(at);
    if (!value.isComposite() || index >= value.elements.size())
      return std::nullopt;
    ConstantValue inner = value.elements[index];
    value = std::move(inner);
  }
  return value;
}

std::optional<ConstantValue> insert(const ConstantValue &object, ConstantValue composite,
                                    const Instruction &inst, unsigned first) {
  ConstantValue *place = &composite;
  for (unsigned at = first; at < inst.numOperands(); ++at) {
    uint32_t index = inst.literal(at);
    if (!place->isComposite() || index >= place->elements.size())
      return std::nullopt;
    place = &place->elements[index];
  }
  *place = object;
  return composite;
}

std::optional<ConstantValue> shuffle(const ConstantValue &a, const ConstantValue &b,
                                     const Instruction &inst, unsigned first) {
  if (!a.isComposite() || !b.isComposite())
    return std::nullopt;
  ConstantValue result{ConstantValue::Kind::Composite, 0, false, 0, {}};
  for (unsigned at = first; at < inst.numOperands(); ++at) {
    uint32_t index = inst.literal(at);
    if (index < a.elements.size())
      result.elements.push_back(a.elements[index]);
    else if (index - a.elements.size() < b.elements.size())
      result.elements.push_back(b.elements[index - a.elements.size()]);
    else
      return std::nullopt; // 0xFFFFFFFF: the component is undefined
  }
  return result;
}

} // namespace

int64_t ConstantValue::asSigned() const {
  return llvm::SignExtend64(bits, width == 0 ? 64 : width);
}

std::optional<ConstantValue> ConstantEvaluator::evaluate(Id id) { return at(id, 0); }

std::optional<uint64_t> ConstantEvaluator::evaluateInt(Id id) {
  std::optional<ConstantValue> value = evaluate(id);
  if (!value || value->kind != ConstantValue::Kind::Int)
    return std::nullopt;
  return value->bits;
}

std::optional<ConstantValue> ConstantEvaluator::at(Id id, unsigned depth) {
  if (auto found = known.find(raw(id)); found != known.end())
    return found->second;
  const Instruction *inst = module.def(id);
  if (!inst || depth > kMaxDepth || !isConstant(inst->opcode()))
    return std::nullopt;
  known[raw(id)] = std::nullopt; // what a malformed cycle finds
  std::optional<ConstantValue> value = compute(*inst, depth);
  known[raw(id)] = value;
  return value;
}

std::optional<ConstantValue> ConstantEvaluator::scalar(const Instruction &inst,
                                                       uint64_t bits) const {
  const Instruction *type = module.def(inst.typeId());
  if (!type)
    return std::nullopt;
  switch (type->opcode()) {
  case spv::Op::OpTypeBool:
    return boolean(bits != 0);
  case spv::Op::OpTypeInt:
  case spv::Op::OpTypeFloat: {
    bool isInt = type->opcode() == spv::Op::OpTypeInt;
    uint32_t width = type->literal(0);
    if (width == 0 || width > 64)
      return std::nullopt;
    return ConstantValue{isInt ? ConstantValue::Kind::Int : ConstantValue::Kind::Float,
                         static_cast<uint8_t>(width),
                         isInt && type->literal(1) != 0,
                         truncateTo(width, bits),
                         {}};
  }
  default:
    return std::nullopt;
  }
}

std::optional<ConstantValue> ConstantEvaluator::nullOf(Id typeId, unsigned depth) {
  const Instruction *type = module.def(typeId);
  if (!type || depth > kMaxDepth)
    return std::nullopt;
  Instruction zero(spv::Op::OpConstantNull, typeId);
  if (std::optional<ConstantValue> value = scalar(zero, 0))
    return value;
  ConstantValue result{ConstantValue::Kind::Composite, 0, false, 0, {}};
  if (type->opcode() == spv::Op::OpTypeStruct) {
    for (unsigned member = 0; member < type->numOperands(); ++member) {
      std::optional<ConstantValue> element = nullOf(type->id(member), depth + 1);
      if (!element)
        return std::nullopt;
      result.elements.push_back(std::move(*element));
      if (countScalars(result) > kMaxElements)
        return std::nullopt;
    }
    return result;
  }
  std::optional<uint64_t> count;
  if (type->opcode() == spv::Op::OpTypeVector || type->opcode() == spv::Op::OpTypeMatrix)
    count = type->literal(1);
  else if (type->opcode() == spv::Op::OpTypeArray)
    if (std::optional<ConstantValue> length = at(type->id(1), depth + 1);
        length && length->kind == ConstantValue::Kind::Int && length->bits != 0)
      count = length->bits;
  if (!count || *count > kMaxElements)
    return std::nullopt;
  std::optional<ConstantValue> element = nullOf(type->id(0), depth + 1);
  if (!element || *count * countScalars(*element) > kMaxElements)
    return std::nullopt;
  result.elements.assign(*count, *element);
  return result;
}

std::optional<ConstantValue> ConstantEvaluator::compute(const Instruction &inst, unsigned depth) {
  using enum spv::Op;
  std::optional<uint64_t> given;
  if (isSpecConstant(inst.opcode()))
    if (std::optional<uint32_t> specId =
            module.decoration(inst.result(), spv::Decoration::SpecId)) {
      if (auto at = spec.find(*specId); at != spec.end())
        given = at->second;
      else if (!useDefaults)
        return std::nullopt;
    }
  switch (inst.opcode()) {
  case OpConstantTrue:
  case OpSpecConstantTrue:
    return boolean(given.value_or(1) != 0);
  case OpConstantFalse:
  case OpSpecConstantFalse:
    return boolean(given.value_or(0) != 0);
  case OpConstant:
  case OpSpecConstant:
    return scalar(inst, given.value_or(inst.literal64(0)));
  case OpConstantNull:
    return nullOf(inst.typeId(), depth);
  case OpConstantComposite:
  case OpSpecConstantComposite: {
    ConstantValue result{ConstantValue::Kind::Composite, 0, false, 0, {}};
    uint64_t scalars = 0;
    for (unsigned index = 0; index < inst.numOperands(); ++index) {
      std::optional<ConstantValue> element = at(inst.id(index), depth + 1);
      if (!element)
        return std::nullopt;
      scalars += countScalars(*element);
      if (scalars > kMaxElements)
        return std::nullopt;
      result.elements.push_back(std::move(*element));
    }
    return result;
  }
  case OpSpecConstantOp:
    return operation(inst, depth);
  default:
    return std::nullopt;
  }
}

std::optional<ConstantValue> ConstantEvaluator::operation(const Instruction &inst, unsigned depth) {
  auto op = static_cast<spv::Op>(inst.literal(0));
  Values operands;
  unsigned next = 1;
  for (; next < inst.numOperands() && inst.isId(next); ++next) {
    std::optional<ConstantValue> operand = at(inst.id(next), depth + 1);
    if (!operand)
      return std::nullopt;
    operands.push_back(std::move(*operand));
  }
  if (operands.empty())
    return std::nullopt;
  switch (op) {
  case spv::Op::OpCompositeExtract:
    return extract(operands[0], inst, next);
  case spv::Op::OpCompositeInsert:
    return operands.size() == 2 ? insert(operands[0], operands[1], inst, next) : std::nullopt;
  case spv::Op::OpVectorShuffle:
    return operands.size() == 2 ? shuffle(operands[0], operands[1], inst, next) : std::nullopt;
  case spv::Op::OpSelect:
    if (operands.size() == 3 && !operands[0].isComposite())
      return operands[0].bits != 0 ? operands[1] : operands[2];
    break;
  default:
    break;
  }
  Instruction scalarType(spv::Op::OpUndef, scalarTypeOf(module, inst.typeId()));
  std::optional<ConstantValue> type = scalar(scalarType, 0);
  if (!type)
    return std::nullopt;
  return forEachComponent(operands,
                          [&](const Values &values) { return foldScalar(op, values, *type); });
}

bool dependsOnSpecConstant(const Module &module, Id constant) {
  const Instruction *root = module.def(constant);
  if (!root || !isConstant(root->opcode()))
    return false;
  // Through operands and types alike: the length of an array type may be specialized.
  llvm::DenseSet<uint32_t> seen = {raw(constant)};
  llvm::SmallVector<const Instruction *, 8> pending = {root};
  while (!pending.empty()) {
    const Instruction *inst = pending.pop_back_val();
    if (module.hasDecoration(inst->result(), spv::Decoration::SpecId))
      return true;
    auto follow = [&](Id id) {
      const Instruction *next = module.def(id);
      if (next && (isConstant(next->opcode()) || isType(next->opcode())) &&
          seen.insert(raw(id)).second)
        pending.push_back(next);
    };
    follow(inst->typeId());
    for (unsigned index = 0; index < inst->numOperands(); ++index)
      if (inst->isId(index))
        follow(inst->id(index));
  }
  return false;
}

} // namespace tailor
