//===- interpreter/Arithmetic.cpp - Componentwise instructions -------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/ScalarOps.h"

#include <cmath>

namespace tailor::interp {

namespace {

using U = uint64_t;
using S = int64_t;

// --- integers ---

ScalarFn integerArithmetic(spv::Op op, unsigned width) {
  using enum spv::Op;
  switch (op) {
  case OpIAdd:
    return unsignedOp<[](U a, U b) { return a + b; }>(width);
  case OpISub:
    return unsignedOp<[](U a, U b) { return a - b; }>(width);
  case OpIMul:
    return unsignedOp<[](U a, U b) { return a * b; }>(width);
  case OpSNegate:
    return unsignedOp<[](U a) { return U{0} - a; }>(width);
  case OpUDiv:
    return unsignedOp<[](U a, U b, Undefined &u) { return b == 0 ? u() : a / b; }>(width);
  case OpUMod:
    return unsignedOp<[](U a, U b, Undefined &u) { return b == 0 ? u() : a % b; }>(width);
  // A division by -1 overflows at most once, where it wraps.
  case OpSDiv:
    return signedOp<[](S a, S b, Undefined &u) {
      return b == 0 ? u() : b == -1 ? U{0} - static_cast<U>(a) : static_cast<U>(a / b);
    }>(width);
  case OpSRem:
    return signedOp<[](S a, S b, Undefined &u) {
      return b == 0 ? u() : b == -1 ? 0 : static_cast<U>(a % b);
    }>(width);
  case OpSMod:
    return signedOp<[](S a, S b, Undefined &u) {
      if (b == 0 || b == -1)
        return b == 0 ? u() : 0;
      S rest = a % b;
      return static_cast<U>(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
    }>(width);
  default:
    return nullptr;
  }
}

template <unsigned Width>
uint64_t shiftLeft(uint64_t a, uint64_t by, uint64_t, uint64_t, Undefined &undefined) {
  return by >= Width ? undefined() : truncateTo(Width, a << by);
}
template <unsigned Width>
uint64_t shiftRight(uint64_t a, uint64_t by, uint64_t, uint64_t, Undefined &undefined) {
  return by >= Width ? undefined() : a >> by;
}
template <unsigned Width>
uint64_t shiftRightSigned(uint64_t a, uint64_t by, uint64_t, uint64_t, Undefined &undefined) {
  return by >= Width ? undefined()
                     : truncateTo(Width, static_cast<uint64_t>(signExtend(Width, a) >> by));
}
template <unsigned Width> uint64_t reverse(uint64_t a, uint64_t, uint64_t, uint64_t, Undefined &) {
  uint64_t out = 0;
  for (unsigned bit = 0; bit < Width; ++bit)
    out |= ((a >> bit) & 1) << (Width - 1 - bit);
  return out;
}
/// Bits [offset, offset + count) of `a`, as a mask; nothing where they leave the width.
template <unsigned Width> bool fieldMask(uint64_t offset, uint64_t count, uint64_t &mask) {
  if (offset > Width || count > Width || offset + count > Width)
    return false;
  mask = count == 0 ? 0 : truncateTo(static_cast<unsigned>(count), ~uint64_t{0}) << offset;
  return true;
}
template <unsigned Width>
uint64_t insertField(uint64_t a, uint64_t insert, uint64_t offset, uint64_t count,
                     Undefined &undefined) {
  uint64_t mask = 0;
  if (!fieldMask<Width>(offset, count, mask))
    return undefined();
  return mask == 0 ? a : (a & ~mask) | ((insert << offset) & mask);
}
template <unsigned Width>
uint64_t extractField(uint64_t a, uint64_t offset, uint64_t count, uint64_t, Undefined &undefined) {
  uint64_t mask = 0;
  if (!fieldMask<Width>(offset, count, mask))
    return undefined();
  return mask == 0 ? 0 : (a & mask) >> offset;
}
template <unsigned Width>
uint64_t extractSigned(uint64_t a, uint64_t offset, uint64_t count, uint64_t,
                       Undefined &undefined) {
  uint64_t field = extractField<Width>(a, offset, count, 0, undefined);
  if (count == 0 || count > Width)
    return field;
  return truncateTo(Width, static_cast<uint64_t>(signExtend(static_cast<unsigned>(count), field)));
}

#define TAILOR_BY_WIDTH(function)                                                                  \
  (width == 64   ? function<64>                                                                    \
   : width == 32 ? function<32>                                                                    \
   : width == 16 ? function<16>                                                                    \
                 : function<8>)

ScalarFn bitOperation(spv::Op op, unsigned width) {
  using enum spv::Op;
  switch (op) {
  case OpShiftLeftLogical:
    return TAILOR_BY_WIDTH(shiftLeft);
  case OpShiftRightLogical:
    return TAILOR_BY_WIDTH(shiftRight);
  case OpShiftRightArithmetic:
    return TAILOR_BY_WIDTH(shiftRightSigned);
  case OpBitwiseAnd:
    return unsignedOp<[](U a, U b) { return a & b; }>(width);
  case OpBitwiseOr:
    return unsignedOp<[](U a, U b) { return a | b; }>(width);
  case OpBitwiseXor:
    return unsignedOp<[](U a, U b) { return a ^ b; }>(width);
  case OpNot:
    return unsignedOp<[](U a) { return ~a; }>(width);
  case OpBitReverse:
    return TAILOR_BY_WIDTH(reverse);
  case OpBitCount:
    return unsignedOp<[](U a) { return U(std::popcount(a)); }>(width);
  case OpBitFieldInsert:
    return TAILOR_BY_WIDTH(insertField);
  case OpBitFieldUExtract:
    return TAILOR_BY_WIDTH(extractField);
  case OpBitFieldSExtract:
    return TAILOR_BY_WIDTH(extractSigned);
  default:
    return nullptr;
  }
}

#undef TAILOR_BY_WIDTH

ScalarFn integerComparison(spv::Op op, unsigned width) {
  using enum spv::Op;
  switch (op) {
  case OpIEqual:
    return unsignedOp<[](U a, U b) { return U(a == b); }>(width);
  case OpINotEqual:
    return unsignedOp<[](U a, U b) { return U(a != b); }>(width);
  case OpULessThan:
    return unsignedOp<[](U a, U b) { return U(a < b); }>(width);
  case OpULessThanEqual:
    return unsignedOp<[](U a, U b) { return U(a <= b); }>(width);
  case OpUGreaterThan:
    return unsignedOp<[](U a, U b) { return U(a > b); }>(width);
  case OpUGreaterThanEqual:
    return unsignedOp<[](U a, U b) { return U(a >= b); }>(width);
  case OpSLessThan:
    return signedOp<[](S a, S b) { return U(a < b); }>(width);
  case OpSLessThanEqual:
    return signedOp<[](S a, S b) { return U(a <= b); }>(width);
  case OpSGreaterThan:
    return signedOp<[](S a, S b) { return U(a > b); }>(width);
  case OpSGreaterThanEqual:
    return signedOp<[](S a, S b) { return U(a >= b); }>(width);
  default:
    return nullptr;
  }
}

// --- booleans and choice ---

ScalarFn logicalOperation(spv::Op op) {
  using enum spv::Op;
  switch (op) {
  case OpLogicalEqual:
    return unsignedOp<[](U a, U b) { return U(a == b); }>(1);
  case OpLogicalNotEqual:
    return unsignedOp<[](U a, U b) { return U(a != b); }>(1);
  case OpLogicalAnd:
    return unsignedOp<[](U a, U b) { return a & b; }>(1);
  case OpLogicalOr:
    return unsignedOp<[](U a, U b) { return a | b; }>(1);
  case OpLogicalNot:
    return unsignedOp<[](U a) { return a ^ 1; }>(1);
  case OpSelect: // of any width
    return unsignedOp<[](U condition, U a, U b) { return condition != 0 ? a : b; }>(64);
  default:
    return nullptr;
  }
}

// --- floats ---

ScalarFn floatArithmetic(spv::Op op, unsigned width) {
  using enum spv::Op;
  switch (op) {
  case OpFAdd:
    return floatOp<[](auto a, auto b) { return a + b; }>(width);
  case OpFSub:
    return floatOp<[](auto a, auto b) { return a - b; }>(width);
  case OpFMul:
  case OpVectorTimesScalar:
  case OpMatrixTimesScalar:
    return floatOp<[](auto a, auto b) { return a * b; }>(width);
  case OpFDiv:
    return floatOp<[](auto a, auto b) { return a / b; }>(width);
  case OpFNegate:
    return floatOp<[](auto a) { return -a; }>(width);
  case OpFRem:
    return floatOp<[](auto a, auto b) { return std::fmod(a, b); }>(width);
  case OpFMod:
    return floatOp<[](auto a, auto b) { return a - b * std::floor(a / b); }>(width);
  default:
    return nullptr;
  }
}

ScalarFn orderedComparison(spv::Op op, unsigned width) {
  using enum spv::Op;
  switch (op) {
  case OpIsNan:
    return floatOp<[](auto a) { return std::isnan(a); }>(width);
  case OpIsInf:
    return floatOp<[](auto a) { return std::isinf(a); }>(width);
  case OpOrdered:
    return floatOp<[](auto a, auto b) { return !std::isunordered(a, b); }>(width);
  case OpUnordered:
    return floatOp<[](auto a, auto b) { return std::isunordered(a, b); }>(width);
  case OpFOrdEqual:
    return floatOp<[](auto a, auto b) { return a == b; }>(width);
  case OpFOrdNotEqual:
    return floatOp<[](auto a, auto b) { return (a < b || a > b); }>(width);
  case OpFOrdLessThan:
    return floatOp<[](auto a, auto b) { return a < b; }>(width);
  case OpFOrdLessThanEqual:
    return floatOp<[](auto a, auto b) { return a <= b; }>(width);
  case OpFOrdGreaterThan:
    return floatOp<[](auto a, auto b) { return (a > b); }>(width);
  case OpFOrdGreaterThanEqual:
    return floatOp<[](auto a, auto b) { return a >= b; }>(width);
  default:
    return nullptr;
  }
}

ScalarFn unorderedComparison(spv::Op op, unsigned width) {
  using enum spv::Op;
  switch (op) {
  case OpFUnordEqual:
    return floatOp<[](auto a, auto b) { return !(a < b || a > b); }>(width);
  case OpFUnordNotEqual:
    return floatOp<[](auto a, auto b) { return a != b; }>(width);
  case OpFUnordLessThan:
    return floatOp<[](auto a, auto b) { return !(a >= b); }>(width);
  case OpFUnordLessThanEqual:
    return floatOp<[](auto a, auto b) { return !(a > b); }>(width);
  case OpFUnordGreaterThan:
    return floatOp<[](auto a, auto b) { return !(a <= b); }>(width);
  case OpFUnordGreaterThanEqual:
    return floatOp<[](auto a, auto b) { return !(a < b); }>(width);
  default:
    return nullptr;
  }
}

} // namespace

ScalarFn scalarFunction(spv::Op op, const Shape &operand, const Shape &result) {
  if (ScalarFn fn = logicalOperation(op))
    return fn;
  if (operand.scalar == Shape::Scalar::Float)
    for (auto *table : {floatArithmetic, orderedComparison, unorderedComparison})
      if (ScalarFn fn = table(op, operand.width))
        return fn;
  if (operand.scalar == Shape::Scalar::Int)
    for (auto *table : {integerArithmetic, bitOperation, integerComparison})
      if (ScalarFn fn = table(op, operand.width))
        return fn;
  return conversionFunction(op, operand, result);
}

} // namespace tailor::interp
