//===- interpreter/Products.cpp - Results of whole vectors and matrices ----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Scalars.h"

#include <algorithm>

namespace tailor::interp {

namespace {

/// out[i] = sum over k of left(i, k)·right(k), in the floats' own precision.
template <typename T, typename Left, typename Right>
uint64_t sumOfProducts(uint32_t count, Left left, Right right) {
  using C = Compute<T>;
  T sum{};
  for (uint32_t k = 0; k < count; ++k) {
    T product(static_cast<C>(fromBits<T>(left(k))) * static_cast<C>(fromBits<T>(right(k))));
    sum = k == 0 ? product : T(static_cast<C>(sum) + static_cast<C>(product));
  }
  return toBits(sum);
}

void dot(const WholeArgs &args) {
  const Operand64 a = args.in[0], b = args.in[1];
  args.out[0] = withFloatType(args.shape->width, [&](auto number) {
    return sumOfProducts<decltype(number)>(
        a.shape->rows, [&](uint32_t k) { return a.words[k]; },
        [&](uint32_t k) { return b.words[k]; });
  });
}

/// The product of matrices; a vector counts as one column on the right, one row on the left.
void matrixProduct(const WholeArgs &args, uint32_t rows, uint32_t inner, uint32_t columns) {
  const uint64_t *a = args.in[0].words, *b = args.in[1].words;
  withFloatType(args.shape->width, [&](auto number) {
    for (uint32_t column = 0; column < columns; ++column)
      for (uint32_t row = 0; row < rows; ++row)
        args.out[column * rows + row] = sumOfProducts<decltype(number)>(
            inner, [&](uint32_t k) { return a[k * rows + row]; },
            [&](uint32_t k) { return b[column * inner + k]; });
    return 0;
  });
}
void matrixTimesMatrix(const WholeArgs &args) {
  matrixProduct(args, args.in[0].shape->rows, args.in[0].shape->columns, args.in[1].shape->columns);
}
void matrixTimesVector(const WholeArgs &args) {
  matrixProduct(args, args.in[0].shape->rows, args.in[0].shape->columns, 1);
}
void vectorTimesMatrix(const WholeArgs &args) {
  matrixProduct(args, 1, args.in[1].shape->rows, args.in[1].shape->columns);
}
void outerProduct(const WholeArgs &args) {
  matrixProduct(args, args.in[0].shape->rows, 1, args.in[1].shape->rows);
}

void transpose(const WholeArgs &args) {
  const Shape &from = *args.in[0].shape;
  for (uint32_t column = 0; column < from.columns; ++column)
    for (uint32_t row = 0; row < from.rows; ++row)
      args.out[row * from.columns + column] = args.in[0].words[column * from.rows + row];
}

void any(const WholeArgs &args) {
  const uint64_t *words = args.in[0].words;
  args.out[0] =
      std::any_of(words, words + args.in[0].shape->words, [](uint64_t word) { return word != 0; });
}
void all(const WholeArgs &args) {
  const uint64_t *words = args.in[0].words;
  args.out[0] =
      std::all_of(words, words + args.in[0].shape->words, [](uint64_t word) { return word != 0; });
}

/// Calls `fn(a, b, width)`, which gives the two members of the result, for each component.
template <typename Fn> void pairwise(const WholeArgs &args, Fn fn) {
  const Shape &shape = *args.in[0].shape;
  for (uint32_t at = 0; at < shape.rows; ++at) {
    auto [first, second] = fn(args.in[0].words[at], args.in[1].words[at], shape.width);
    args.out[at] = truncateTo(shape.width, first);
    args.out[shape.rows + at] = truncateTo(shape.width, second);
  }
}
using Pair = std::pair<uint64_t, uint64_t>;
__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

void addCarry(const WholeArgs &args) {
  pairwise(args, [](uint64_t a, uint64_t b, unsigned width) {
    uint64_t sum = truncateTo(width, a + b);
    return Pair(sum, sum < a);
  });
}
void subBorrow(const WholeArgs &args) {
  pairwise(args, [](uint64_t a, uint64_t b, unsigned) { return Pair(a - b, a < b); });
}
void unsignedMultiply(const WholeArgs &args) {
  pairwise(args, [](uint64_t a, uint64_t b, unsigned width) {
    UnsignedWide product = static_cast<UnsignedWide>(a) * b;
    return Pair(static_cast<uint64_t>(product), static_cast<uint64_t>(product >> width));
  });
}
void signedMultiply(const WholeArgs &args) {
  pairwise(args, [](uint64_t a, uint64_t b, unsigned width) {
    Wide product = static_cast<Wide>(signExtend(width, a)) * signExtend(width, b);
    return Pair(static_cast<uint64_t>(product), static_cast<uint64_t>(product >> width));
  });
}

/// The same bits in components of another width, low bits first.
void bitcast(const WholeArgs &args) {
  const Shape &from = *args.in[0].shape, &to = *args.shape;
  if (from.width >= to.width) {
    const uint32_t parts = from.width / std::max<uint32_t>(to.width, 1);
    for (uint32_t at = 0; at < to.words; ++at)
      args.out[at] = truncateTo(to.width, args.in[0].words[at / parts] >> (at % parts * to.width));
    return;
  }
  const uint32_t parts = to.width / std::max<uint32_t>(from.width, 1);
  for (uint32_t at = 0; at < to.words; ++at) {
    args.out[at] = 0;
    for (uint32_t part = 0; part < parts; ++part)
      args.out[at] |= args.in[0].words[at * parts + part] << (part * from.width);
  }
}

void extractDynamic(const WholeArgs &args) {
  uint64_t index = args.in[1].words[0];
  args.out[0] = index < args.in[0].shape->rows ? args.in[0].words[index] : (*args.undefined)();
}
void insertDynamic(const WholeArgs &args) {
  const Operand64 vector = args.in[0];
  std::copy_n(vector.words, vector.shape->rows, args.out);
  uint64_t index = args.in[2].words[0];
  if (index < vector.shape->rows)
    args.out[index] = args.in[1].words[0];
  else
    std::fill_n(args.out, vector.shape->rows, (*args.undefined)());
}

/// A component of a vector, or a byte of four packed into a word.
int64_t element(const Operand64 &value, uint32_t index, bool isSigned) {
  const bool packed = value.shape->rows == 1;
  const unsigned width = packed ? 8 : value.shape->width;
  uint64_t bits = packed ? value.words[0] >> (index * 8) : value.words[index];
  bits = truncateTo(width, bits);
  return isSigned ? signExtend(width, bits) : static_cast<int64_t>(bits);
}
template <bool SignedA, bool SignedB, bool Accumulate> void integerDot(const WholeArgs &args) {
  const Operand64 &a = args.in[0], &b = args.in[1];
  const uint32_t count = a.shape->rows == 1 ? 4 : a.shape->rows;
  const unsigned width = args.shape->width;
  Wide sum = 0;
  for (uint32_t at = 0; at < count; ++at)
    sum += static_cast<Wide>(element(a, at, SignedA)) * element(b, at, SignedB);
  if (Accumulate) { // and saturate
    uint64_t other = args.in[2].words[0];
    sum += SignedA ? static_cast<Wide>(signExtend(width, other)) : static_cast<Wide>(other);
    const unsigned magnitude = SignedA ? width - 1 : width;
    const Wide high = (Wide{1} << magnitude) - 1, low = SignedA ? -high - 1 : Wide{0};
    sum = std::clamp(sum, low, high);
  }
  args.out[0] = truncateTo(width, static_cast<uint64_t>(sum));
}

} // namespace

WholeFn wholeFunction(spv::Op op) {
  using enum spv::Op;
  switch (op) {
  case OpDot:
    return dot;
  case OpMatrixTimesMatrix:
    return matrixTimesMatrix;
  case OpMatrixTimesVector:
    return matrixTimesVector;
  case OpVectorTimesMatrix:
    return vectorTimesMatrix;
  case OpOuterProduct:
    return outerProduct;
  case OpTranspose:
    return transpose;
  case OpAny:
    return any;
  case OpAll:
    return all;
  case OpIAddCarry:
    return addCarry;
  case OpISubBorrow:
    return subBorrow;
  case OpUMulExtended:
    return unsignedMultiply;
  case OpSMulExtended:
    return signedMultiply;
  case OpBitcast:
    return bitcast;
  case OpVectorExtractDynamic:
    return extractDynamic;
  case OpVectorInsertDynamic:
    return insertDynamic;
  case OpSDotKHR:
    return integerDot<true, true, false>;
  case OpUDotKHR:
    return integerDot<false, false, false>;
  case OpSUDotKHR:
    return integerDot<true, false, false>;
  case OpSDotAccSatKHR:
    return integerDot<true, true, true>;
  case OpUDotAccSatKHR:
    return integerDot<false, false, true>;
  case OpSUDotAccSatKHR:
    return integerDot<true, false, true>;
  default:
    return nullptr;
  }
}

} // namespace tailor::interp
