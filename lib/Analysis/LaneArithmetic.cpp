//===- Analysis/LaneArithmetic.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/LaneArithmetic.h"

#include "IR/Folding.h"

#include "spirv/unified1/GLSL.std.450.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

namespace tailor {

namespace {

using Maybe = std::optional<ConstantValue>;
using Operands = llvm::ArrayRef<ConstantValue>;

Maybe integer(const ConstantValue &type, uint64_t bits) {
  ConstantValue value = type;
  value.bits = type.width >= 64 ? bits : bits & ((uint64_t{1} << type.width) - 1);
  return value;
}

/// Sums, products, quotients and roots of two floats, computed as doubles and rounded once more,
/// are the same as computed in single precision.
std::optional<double> number(const ConstantValue &value) {
  if (value.kind != ConstantValue::Kind::Float)
    return std::nullopt;
  if (value.width == 32)
    return llvm::bit_cast<float>(static_cast<uint32_t>(value.bits));
  if (value.width == 64)
    return llvm::bit_cast<double>(value.bits);
  return std::nullopt;
}

Maybe floating(const ConstantValue &type, double value) {
  ConstantValue result = type;
  if (type.width == 32)
    result.bits = llvm::bit_cast<uint32_t>(static_cast<float>(value));
  else if (type.width == 64)
    result.bits = llvm::bit_cast<uint64_t>(value);
  else
    return std::nullopt;
  return result;
}

Maybe convert(spv::Op op, const ConstantValue &from, const ConstantValue &type) {
  using enum spv::Op;
  std::optional<double> value = number(from);
  switch (op) {
  case OpConvertFToU:
    // Out of range is undefined; the comparison refuses NaN too.
    if (!value || !(*value > -1.0 && *value < std::ldexp(1.0, type.width)))
      return std::nullopt;
    return integer(type, static_cast<uint64_t>(std::trunc(*value)));
  case OpConvertFToS:
    if (!value || !(*value > -std::ldexp(1.0, type.width - 1) - 1 &&
                    *value < std::ldexp(1.0, type.width - 1)))
      return std::nullopt;
    return integer(type, static_cast<uint64_t>(static_cast<int64_t>(std::trunc(*value))));
  case OpConvertSToF:
  case OpConvertUToF:
    if (from.width > 32 && type.width == 32) // two roundings
      return std::nullopt;
    return floating(type, op == OpConvertSToF ? static_cast<double>(from.asSigned())
                                              : static_cast<double>(from.bits));
  case OpFConvert:
    return value ? floating(type, *value) : std::nullopt;
  default:
    return std::nullopt;
  }
}

Maybe compareFloats(spv::Op op, double a, double b) {
  using enum spv::Op;
  bool isUnordered = std::isnan(a) || std::isnan(b);
  switch (op) {
  case OpFOrdEqual:
    return boolValue(a == b);
  case OpFUnordEqual:
    return boolValue(isUnordered || a == b);
  case OpFOrdNotEqual:
    return boolValue(!isUnordered && a != b);
  case OpFUnordNotEqual:
    return boolValue(isUnordered || a != b);
  case OpFOrdLessThan:
    return boolValue(a < b);
  case OpFUnordLessThan:
    return boolValue(isUnordered || a < b);
  case OpFOrdGreaterThan:
    return boolValue(a > b);
  case OpFUnordGreaterThan:
    return boolValue(isUnordered || a > b);
  case OpFOrdLessThanEqual:
    return boolValue(a <= b);
  case OpFUnordLessThanEqual:
    return boolValue(isUnordered || a <= b);
  case OpFOrdGreaterThanEqual:
    return boolValue(a >= b);
  case OpFUnordGreaterThanEqual:
    return boolValue(isUnordered || a >= b);
  default:
    return std::nullopt;
  }
}

Maybe floatOperation(spv::Op op, double a, double b, const ConstantValue &type) {
  switch (op) {
  case spv::Op::OpFAdd:
    return floating(type, a + b);
  case spv::Op::OpFSub:
    return floating(type, a - b);
  case spv::Op::OpFMul:
    return floating(type, a * b);
  case spv::Op::OpFDiv:
    return b == 0 ? std::nullopt : floating(type, a / b);
  default:
    return compareFloats(op, a, b);
  }
}

/// Bits [offset, offset + count) as a mask; nullopt where they do not fit.
std::optional<uint64_t> fieldMask(const ConstantValue &offset, const ConstantValue &count,
                                  unsigned width) {
  if (offset.bits > width || count.bits > width || offset.bits + count.bits > width)
    return std::nullopt;
  uint64_t ones = count.bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << count.bits) - 1;
  return offset.bits >= 64 ? 0 : ones << offset.bits;
}

Maybe bitField(spv::Op op, Operands operands, const ConstantValue &type) {
  bool isInsert = op == spv::Op::OpBitFieldInsert;
  if (operands.size() != (isInsert ? 4u : 3u))
    return std::nullopt;
  const ConstantValue &base = operands[0], &offset = operands[isInsert ? 2 : 1],
                      &count = operands[isInsert ? 3 : 2];
  std::optional<uint64_t> mask = fieldMask(offset, count, type.width);
  if (!mask)
    return std::nullopt;
  uint64_t shift = std::min<uint64_t>(offset.bits, 63);
  if (isInsert)
    return integer(type, (base.bits & ~*mask) | ((operands[1].bits << shift) & *mask));
  uint64_t field = (base.bits & *mask) >> shift;
  if (op == spv::Op::OpBitFieldSExtract && count.bits != 0)
    field = static_cast<uint64_t>(llvm::SignExtend64(field, static_cast<unsigned>(count.bits)));
  return integer(type, field);
}

Maybe bitOperation(spv::Op op, Operands operands, const ConstantValue &type) {
  using enum spv::Op;
  switch (op) {
  case OpBitFieldInsert:
  case OpBitFieldSExtract:
  case OpBitFieldUExtract:
    return bitField(op, operands, type);
  case OpBitCount:
    return integer(type, static_cast<uint64_t>(llvm::popcount(operands[0].bits)));
  case OpBitReverse: {
    uint64_t reversed = 0;
    for (unsigned bit = 0; bit < type.width; ++bit)
      reversed |= (operands[0].bits >> bit & 1) << (type.width - 1 - bit);
    return integer(type, reversed);
  }
  default:
    return std::nullopt;
  }
}

Maybe extendedInteger(uint32_t instruction, Operands a, const ConstantValue &type) {
  auto isLess = [&](const ConstantValue &x, const ConstantValue &y, bool isSigned) {
    return isSigned ? x.asSigned() < y.asSigned() : x.bits < y.bits;
  };
  auto pick = [&](bool first) { return integer(type, first ? a[0].bits : a[1].bits); };
  int64_t value = a[0].asSigned();
  switch (instruction) {
  case GLSLstd450UMin:
  case GLSLstd450SMin:
    return pick(!isLess(a[1], a[0], instruction == GLSLstd450SMin));
  case GLSLstd450UMax:
  case GLSLstd450SMax:
    return pick(!isLess(a[0], a[1], instruction == GLSLstd450SMax));
  case GLSLstd450UClamp:
  case GLSLstd450SClamp: {
    bool isSigned = instruction == GLSLstd450SClamp;
    if (isLess(a[2], a[1], isSigned)) // undefined
      return std::nullopt;
    const ConstantValue &low = isLess(a[0], a[1], isSigned) ? a[1] : a[0];
    return integer(type, (isLess(a[2], low, isSigned) ? a[2] : low).bits);
  }
  case GLSLstd450SAbs:
    return integer(type, value < 0 ? uint64_t{0} - a[0].bits : a[0].bits);
  case GLSLstd450SSign:
    return integer(type, value < 0 ? ~uint64_t{0} : value > 0);
  case GLSLstd450FindILsb:
    return integer(type, a[0].bits == 0 ? ~uint64_t{0}
                                        : static_cast<uint64_t>(llvm::countr_zero(a[0].bits)));
  case GLSLstd450FindUMsb:
  case GLSLstd450FindSMsb: {
    if (a[0].width != 32)
      return std::nullopt;
    auto bits = static_cast<uint32_t>(a[0].bits);
    if (instruction == GLSLstd450FindSMsb && value < 0)
      bits = ~bits;
    return integer(type,
                   bits == 0 ? ~uint64_t{0} : static_cast<uint64_t>(31 - llvm::countl_zero(bits)));
  }
  default:
    return std::nullopt;
  }
}

Maybe extendedFloat(uint32_t instruction, llvm::ArrayRef<double> a, const ConstantValue &type) {
  switch (instruction) {
  case GLSLstd450FAbs:
    return floating(type, std::fabs(a[0]));
  case GLSLstd450FSign:
    return floating(type, a[0] > 0 ? 1.0 : a[0] < 0 ? -1.0 : a[0]);
  case GLSLstd450Floor:
    return floating(type, std::floor(a[0]));
  case GLSLstd450Ceil:
    return floating(type, std::ceil(a[0]));
  case GLSLstd450Trunc:
    return floating(type, std::trunc(a[0]));
  case GLSLstd450RoundEven:
    return floating(type, std::nearbyint(a[0]));
  case GLSLstd450Fract:
    return floating(type, a[0] - std::floor(a[0]));
  case GLSLstd450FMin:
    return floating(type, a[1] < a[0] ? a[1] : a[0]);
  case GLSLstd450FMax:
    return floating(type, a[0] < a[1] ? a[1] : a[0]);
  case GLSLstd450FClamp:
    if (!(a[1] <= a[2]))
      return std::nullopt;
    return floating(type, std::min(std::max(a[0], a[1]), a[2]));
  default:
    return std::nullopt;
  }
}

/// Operands that the instructions above take; 0 for one that is not among them.
unsigned operandsOf(uint32_t instruction) {
  switch (instruction) {
  case GLSLstd450FMin:
  case GLSLstd450UMin:
  case GLSLstd450SMin:
  case GLSLstd450FMax:
  case GLSLstd450UMax:
  case GLSLstd450SMax:
    return 2;
  case GLSLstd450FClamp:
  case GLSLstd450UClamp:
  case GLSLstd450SClamp:
    return 3;
  default:
    return 1;
  }
}

} // namespace

Maybe foldLane(spv::Op op, Operands operands, const ConstantValue &type) {
  if (operands.empty())
    return std::nullopt;
  if (Maybe value = foldScalar(op, operands, type))
    return value;
  if (Maybe value = bitOperation(op, operands, type))
    return value;
  if (operands.size() == 1) {
    if (op == spv::Op::OpFNegate)
      if (std::optional<double> value = number(operands[0]))
        return floating(type, -*value);
    return convert(op, operands[0], type);
  }
  std::optional<double> a = number(operands[0]), b = number(operands[1]);
  if (operands.size() != 2 || !a || !b)
    return std::nullopt;
  return floatOperation(op, *a, *b, type);
}

Maybe foldLaneExtended(uint32_t instruction, Operands operands, const ConstantValue &type) {
  if (operands.size() != operandsOf(instruction))
    return std::nullopt;
  if (type.kind == ConstantValue::Kind::Int)
    return extendedInteger(instruction, operands, type);
  llvm::SmallVector<double, 3> numbers;
  for (const ConstantValue &operand : operands) {
    std::optional<double> value = number(operand);
    if (!value)
      return std::nullopt;
    numbers.push_back(*value);
  }
  return extendedFloat(instruction, numbers, type);
}

} // namespace tailor
