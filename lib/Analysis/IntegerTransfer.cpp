//===- Analysis/IntegerTransfer.cpp ----------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/IntegerTransfer.h"

#include "Analysis/LaneArithmetic.h"

#include "spirv/unified1/GLSL.std.450.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>
#include <bit>

namespace tailor {

using Sets = llvm::ArrayRef<IntegerSet>;

static IntegerSet compare(spv::Op op, const IntegerSet &a, const IntegerSet &b) {
  IntegerSet truths = IntegerSet::none(1);
  for (bool truth : {false, true})
    if (!constrainLeft(op, a, b, truth).isEmpty())
      truths = truths.unite(IntegerSet::of(1, truth ? 1 : 0));
  return truths;
}

//===----------------------------------------------------------------------===//
// Listed operands, pattern by pattern
//===----------------------------------------------------------------------===//

using Fold =
    llvm::function_ref<std::optional<ConstantValue>(llvm::ArrayRef<ConstantValue>, ConstantValue)>;

static ConstantValue valueOf(unsigned width, uint64_t bits) {
  return {width == 1 ? ConstantValue::Kind::Bool : ConstantValue::Kind::Int,
          static_cast<uint8_t>(width),
          false,
          bits,
          {}};
}

/// nullopt: too many combinations, or one that has no result.
static std::optional<IntegerSet> foldListed(Sets operands, unsigned width, Fold fold) {
  constexpr size_t kMaxCombinations = 64;
  size_t combinations = 1;
  for (const IntegerSet &operand : operands) {
    if (!operand.isTracked() || !operand.isListed())
      return std::nullopt;
    combinations *= operand.patterns().size();
    if (combinations > kMaxCombinations)
      return std::nullopt;
  }
  llvm::SmallVector<uint64_t, 16> results;
  llvm::SmallVector<ConstantValue, 3> values;
  for (size_t number = 0; number < combinations; ++number) {
    values.clear();
    size_t rest = number;
    for (const IntegerSet &operand : operands) {
      values.push_back(
          valueOf(operand.width(), operand.patterns()[rest % operand.patterns().size()]));
      rest /= operand.patterns().size();
    }
    std::optional<ConstantValue> result = fold(values, valueOf(width, 0));
    if (!result || result->width != width)
      return std::nullopt;
    results.push_back(result->bits);
  }
  std::sort(results.begin(), results.end());
  results.erase(std::unique(results.begin(), results.end()), results.end());
  if (results.size() > IntegerSet::kMaxListed)
    return std::nullopt;
  return IntegerSet::of(width, results);
}

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

/// Both ends wrap or neither: between them every number does the same.
static IntegerSet unsignedEnds(unsigned width, bool lowWraps, uint64_t low, bool highWraps,
                               uint64_t high) {
  if (lowWraps != highWraps)
    return IntegerSet::all(width);
  return IntegerSet::ofUnsigned(width, low & IntegerSet::maxUnsigned(width),
                                high & IntegerSet::maxUnsigned(width));
}

static IntegerSet signedEnds(unsigned width, bool overflows, int64_t low, int64_t high) {
  if (overflows || low < IntegerSet::minSigned(width) || high > IntegerSet::maxSigned(width))
    return IntegerSet::all(width);
  return IntegerSet::ofSigned(width, low, high);
}

static IntegerSet sum(const IntegerSet &a, const IntegerSet &b, unsigned width) {
  const uint64_t most = IntegerSet::maxUnsigned(width);
  uint64_t low = 0, high = 0;
  bool lowWraps = __builtin_add_overflow(a.low(), b.low(), &low) || low > most;
  bool highWraps = __builtin_add_overflow(a.high(), b.high(), &high) || high > most;
  int64_t least = 0, greatest = 0;
  bool overflows = __builtin_add_overflow(a.signedLow(), b.signedLow(), &least);
  overflows |= __builtin_add_overflow(a.signedHigh(), b.signedHigh(), &greatest);
  return unsignedEnds(width, lowWraps, low, highWraps, high)
      .intersect(signedEnds(width, overflows, least, greatest));
}

static IntegerSet difference(const IntegerSet &a, const IntegerSet &b, unsigned width) {
  int64_t least = 0, greatest = 0;
  bool overflows = __builtin_sub_overflow(a.signedLow(), b.signedHigh(), &least);
  overflows |= __builtin_sub_overflow(a.signedHigh(), b.signedLow(), &greatest);
  return unsignedEnds(width, a.low() < b.high(), a.low() - b.high(), a.high() < b.low(),
                      a.high() - b.low())
      .intersect(signedEnds(width, overflows, least, greatest));
}

static IntegerSet product(const IntegerSet &a, const IntegerSet &b, unsigned width) {
  uint64_t high = 0;
  bool wraps =
      __builtin_mul_overflow(a.high(), b.high(), &high) || high > IntegerSet::maxUnsigned(width);
  IntegerSet result =
      wraps ? IntegerSet::all(width) : IntegerSet::ofUnsigned(width, a.low() * b.low(), high);
  bool overflows = false;
  int64_t least = INT64_MAX, greatest = INT64_MIN;
  for (int64_t x : {a.signedLow(), a.signedHigh()})
    for (int64_t y : {b.signedLow(), b.signedHigh()}) {
      int64_t corner = 0;
      overflows |= __builtin_mul_overflow(x, y, &corner);
      least = std::min(least, corner);
      greatest = std::max(greatest, corner);
    }
  return result.intersect(signedEnds(width, overflows, least, greatest));
}

static IntegerSet quotient(spv::Op op, const IntegerSet &a, const IntegerSet &b, unsigned width) {
  if (op == spv::Op::OpUDiv)
    return b.low() == 0 ? IntegerSet::all(width)
                        : IntegerSet::ofUnsigned(width, a.low() / b.high(), a.high() / b.low());
  if (b.signedLow() <= 0)
    return IntegerSet::all(width);
  return IntegerSet::ofSigned(
      width, a.signedLow() / (a.signedLow() < 0 ? b.signedLow() : b.signedHigh()),
      a.signedHigh() / (a.signedHigh() < 0 ? b.signedHigh() : b.signedLow()));
}

/// Vulkan leaves signed remainders of negative numbers undefined.
static IntegerSet remainder(spv::Op op, const IntegerSet &a, const IntegerSet &b, unsigned width) {
  const bool isSigned = op != spv::Op::OpUMod;
  if (isSigned && (a.signedLow() < 0 || b.signedLow() <= 0))
    return IntegerSet::all(width);
  if (b.low() == 0)
    return IntegerSet::all(width);
  if (a.high() < b.low())
    return a;
  return IntegerSet::ofUnsigned(width, 0, std::min(a.high(), b.high() - 1));
}

static IntegerSet shift(spv::Op op, const IntegerSet &a, const IntegerSet &by, unsigned width) {
  if (by.high() >= width)
    return IntegerSet::all(width);
  const uint64_t least = by.low(), most = by.high();
  if (op == spv::Op::OpShiftRightLogical)
    return IntegerSet::ofUnsigned(width, a.low() >> most, a.high() >> least);
  if (op == spv::Op::OpShiftRightArithmetic)
    return IntegerSet::ofSigned(width, a.signedLow() >> (a.signedLow() < 0 ? least : most),
                                a.signedHigh() >> (a.signedHigh() < 0 ? most : least));
  if (a.high() > IntegerSet::maxUnsigned(width) >> most)
    return IntegerSet::all(width);
  return IntegerSet::ofUnsigned(width, a.low() << least, a.high() << most);
}

/// The largest number with no bit above the highest one of `bits`.
static uint64_t smeared(uint64_t bits) {
  return bits == 0 ? 0 : UINT64_MAX >> std::countl_zero(bits);
}

static IntegerSet bitwise(spv::Op op, const IntegerSet &a, const IntegerSet &b, unsigned width) {
  if (op == spv::Op::OpBitwiseAnd) {
    for (bool swapped : {false, true}) { // a mask that clears nothing
      const IntegerSet &mask = swapped ? a : b, &value = swapped ? b : a;
      if (mask.single() && smeared(value.high()) == (smeared(value.high()) & *mask.single()))
        return value;
    }
    return IntegerSet::ofUnsigned(width, 0, std::min(a.high(), b.high()));
  }
  const uint64_t high = smeared(a.high() | b.high());
  return IntegerSet::ofUnsigned(width, op == spv::Op::OpBitwiseOr ? std::max(a.low(), b.low()) : 0,
                                high);
}

static IntegerSet converted(spv::Op op, const IntegerSet &a, unsigned width) {
  if (op == spv::Op::OpUConvert)
    return a.high() > IntegerSet::maxUnsigned(width)
               ? IntegerSet::all(width)
               : IntegerSet::ofUnsigned(width, a.low(), a.high());
  return signedEnds(width, false, a.signedLow(), a.signedHigh());
}

static IntegerSet extracted(Sets operands, unsigned width) {
  std::optional<uint64_t> offset = operands[1].single(), count = operands[2].single();
  if (!offset || !count || *offset >= width || *count > width - *offset)
    return IntegerSet::all(width);
  const uint64_t mask = *count == 0 ? 0 : IntegerSet::maxUnsigned(static_cast<unsigned>(*count));
  const IntegerSet &a = operands[0];
  if (a.high() >> *offset <= mask)
    return IntegerSet::ofUnsigned(width, a.low() >> *offset, a.high() >> *offset);
  return IntegerSet::ofUnsigned(width, 0, mask);
}

static IntegerSet logical(spv::Op op, Sets operands) {
  auto has = [&](unsigned at, uint64_t truth) { return operands[at].contains(truth); };
  bool mayBeTrue = false, mayBeFalse = false;
  if (op == spv::Op::OpLogicalNot) {
    mayBeTrue = has(0, 0);
    mayBeFalse = has(0, 1);
  } else if (op == spv::Op::OpLogicalAnd) {
    mayBeTrue = has(0, 1) && has(1, 1);
    mayBeFalse = has(0, 0) || has(1, 0);
  } else {
    mayBeTrue = has(0, 1) || has(1, 1);
    mayBeFalse = has(0, 0) && has(1, 0);
  }
  llvm::SmallVector<uint64_t, 2> truths;
  if (mayBeFalse)
    truths.push_back(0);
  if (mayBeTrue)
    truths.push_back(1);
  return IntegerSet::of(1, truths);
}

static IntegerSet transferIntervals(spv::Op op, Sets operands, unsigned width) {
  using enum spv::Op;
  auto zero = [&] { return IntegerSet::of(width, 0); };
  switch (op) {
  case OpIAdd:
    return sum(operands[0], operands[1], width);
  case OpISub:
    return difference(operands[0], operands[1], width);
  case OpIMul:
    return product(operands[0], operands[1], width);
  case OpSNegate:
    return difference(zero(), operands[0], width);
  case OpNot: // -1 - a
    return difference(IntegerSet::of(width, UINT64_MAX), operands[0], width);
  case OpUDiv:
  case OpSDiv:
    return quotient(op, operands[0], operands[1], width);
  case OpUMod:
  case OpSRem:
  case OpSMod:
    return remainder(op, operands[0], operands[1], width);
  case OpShiftLeftLogical:
  case OpShiftRightLogical:
  case OpShiftRightArithmetic:
    return shift(op, operands[0], operands[1], width);
  case OpBitwiseAnd:
  case OpBitwiseOr:
  case OpBitwiseXor:
    return bitwise(op, operands[0], operands[1], width);
  case OpUConvert:
  case OpSConvert:
    return converted(op, operands[0], width);
  case OpBitFieldUExtract:
    return extracted(operands, width);
  case OpBitCount:
    return IntegerSet::ofUnsigned(width, 0, operands[0].width());
  case OpLogicalNot:
  case OpLogicalAnd:
  case OpLogicalOr:
    return logical(op, operands);
  default:
    return IntegerSet::all(width);
  }
}

static unsigned operandCount(spv::Op op) {
  switch (op) {
  case spv::Op::OpSNegate:
  case spv::Op::OpNot:
  case spv::Op::OpUConvert:
  case spv::Op::OpSConvert:
  case spv::Op::OpBitCount:
  case spv::Op::OpLogicalNot:
    return 1;
  case spv::Op::OpBitFieldUExtract:
    return 3;
  default:
    return 2;
  }
}

static bool anyEmpty(Sets operands) {
  return std::any_of(operands.begin(), operands.end(),
                     [](const IntegerSet &each) { return each.isTracked() && each.isEmpty(); });
}

static bool allTracked(Sets operands) {
  return std::all_of(operands.begin(), operands.end(),
                     [](const IntegerSet &each) { return each.isTracked(); });
}

IntegerSet transfer(spv::Op op, Sets operands, unsigned width) {
  if (anyEmpty(operands))
    return IntegerSet::none(width);
  if (operands.size() != operandCount(op) || !allTracked(operands))
    return IntegerSet::all(width);
  if (isIntegerComparison(op))
    return compare(op, operands[0], operands[1]);
  const bool isRemainder = op == spv::Op::OpSRem || op == spv::Op::OpSMod;
  if (!isRemainder || (operands[0].signedLow() >= 0 && operands[1].signedLow() > 0))
    if (std::optional<IntegerSet> exact = foldListed(
            operands, width, [op](llvm::ArrayRef<ConstantValue> values, const ConstantValue &type) {
              return foldLane(op, values, type);
            }))
      return *exact;
  return transferIntervals(op, operands, width);
}

//===----------------------------------------------------------------------===//
// GLSL.std.450
//===----------------------------------------------------------------------===//

static IntegerSet smallest(const IntegerSet &a, const IntegerSet &b, bool isSigned) {
  const unsigned width = a.width();
  if (isSigned)
    return IntegerSet::ofSigned(width, std::min(a.signedLow(), b.signedLow()),
                                std::min(a.signedHigh(), b.signedHigh()));
  return IntegerSet::ofUnsigned(width, std::min(a.low(), b.low()), std::min(a.high(), b.high()));
}

static IntegerSet largest(const IntegerSet &a, const IntegerSet &b, bool isSigned) {
  const unsigned width = a.width();
  if (isSigned)
    return IntegerSet::ofSigned(width, std::max(a.signedLow(), b.signedLow()),
                                std::max(a.signedHigh(), b.signedHigh()));
  return IntegerSet::ofUnsigned(width, std::max(a.low(), b.low()), std::max(a.high(), b.high()));
}

/// Undefined where the lower bound is above the upper one.
static IntegerSet clamped(Sets operands, bool isSigned) {
  const IntegerSet &low = operands[1], &high = operands[2];
  if (isSigned ? low.signedHigh() > high.signedLow() : low.high() > high.low())
    return IntegerSet::all(operands[0].width());
  return smallest(largest(operands[0], low, isSigned), high, isSigned);
}

IntegerSet transferExtended(uint32_t instruction, Sets operands, unsigned width) {
  if (anyEmpty(operands))
    return IntegerSet::none(width);
  if (!allTracked(operands) || operands.empty() || operands[0].width() != width)
    return IntegerSet::all(width);
  const bool isUndefined = // the most negative number has no absolute value
      instruction == GLSLstd450SAbs && operands[0].signedLow() == IntegerSet::minSigned(width);
  if (isUndefined)
    return IntegerSet::all(width);
  if (std::optional<IntegerSet> exact = foldListed(
          operands, width,
          [instruction](llvm::ArrayRef<ConstantValue> values, const ConstantValue &type) {
            return foldLaneExtended(instruction, values, type);
          }))
    return *exact;
  const IntegerSet &a = operands[0];
  const size_t count = operands.size();
  switch (instruction) {
  case GLSLstd450UMin:
  case GLSLstd450SMin:
    return count == 2 ? smallest(a, operands[1], instruction == GLSLstd450SMin)
                      : IntegerSet::all(width);
  case GLSLstd450UMax:
  case GLSLstd450SMax:
    return count == 2 ? largest(a, operands[1], instruction == GLSLstd450SMax)
                      : IntegerSet::all(width);
  case GLSLstd450UClamp:
  case GLSLstd450SClamp:
    return count == 3 ? clamped(operands, instruction == GLSLstd450SClamp) : IntegerSet::all(width);
  case GLSLstd450SAbs:
    if (a.signedLow() >= 0)
      return a;
    return IntegerSet::ofSigned(width, 0, std::max(-a.signedLow(), a.signedHigh()));
  case GLSLstd450SSign:
    return IntegerSet::ofSigned(width, -1, 1);
  case GLSLstd450FindILsb:
  case GLSLstd450FindUMsb:
  case GLSLstd450FindSMsb:
    return IntegerSet::ofSigned(width, -1, int64_t{width} - 1);
  default:
    return IntegerSet::all(width);
  }
}

} // namespace tailor
