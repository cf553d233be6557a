//===- IR/Folding.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IR/Folding.h"

namespace tailor {

static uint64_t truncateTo(unsigned width, uint64_t bits) {
  return width >= 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}

ConstantValue boolValue(bool value) { return {ConstantValue::Kind::Bool, 1, false, value, {}}; }

std::optional<ConstantValue> scalarValue(const Module &module, Id typeId, uint64_t bits) {
  const Instruction *type = module.def(typeId);
  if (!type)
    return std::nullopt;
  switch (type->opcode()) {
  case spv::Op::OpTypeBool:
    return boolValue(bits != 0);
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

static std::optional<uint64_t> foldArithmetic(spv::Op op, const ConstantValue &a,
                                              const ConstantValue &b) {
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

static std::optional<bool> foldComparison(spv::Op op, const ConstantValue &a,
                                          const ConstantValue &b) {
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

std::optional<ConstantValue> foldScalar(spv::Op op, llvm::ArrayRef<ConstantValue> operands,
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
      return boolValue(a.bits == 0);
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
    return boolValue(*truth);
  if (std::optional<uint64_t> bits = foldArithmetic(op, operands[0], operands[1]))
    return intResult(*bits);
  return std::nullopt;
}

std::optional<ConstantValue> extractPart(ConstantValue value, const Instruction &inst,
                                         unsigned first) {
  for (unsigned at = first; at < inst.numOperands(); ++at) {
    uint32_t index = inst.literal(at);
    if (!value.isComposite() || index >= value.elements.size())
      return std::nullopt;
    ConstantValue inner = value.elements[index];
    value = std::move(inner);
  }
  return value;
}

std::optional<ConstantValue> insertPart(const ConstantValue &object, ConstantValue composite,
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

std::optional<ConstantValue> shuffleParts(const ConstantValue &a, const ConstantValue &b,
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

} // namespace tailor
