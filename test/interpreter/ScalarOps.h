//===- interpreter/ScalarOps.h - Functions on scalars from lambdas --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each helper turns a lambda over numbers into a ScalarFn for a width:
//   unsignedOp<[](uint64_t a, uint64_t b) { return a + b; }>(width)
// The lambda takes one to four numbers, or two and an Undefined& where its result
// may be undefined.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_INTERPRETER_SCALAROPS_H
#define TAILOR_INTERPRETER_SCALAROPS_H

#include "interpreter/Scalars.h"

namespace tailor::interp {

/// Calls F with as many of the numbers as it takes.
template <auto F, typename T> auto callWith(T a, T b, T c, T d, Undefined &undefined) {
  using L = decltype(F);
  if constexpr (std::is_invocable_v<L, T>)
    return F(a);
  else if constexpr (std::is_invocable_v<L, T, T>)
    return F(a, b);
  else if constexpr (std::is_invocable_v<L, T, T, T>)
    return F(a, b, c);
  else if constexpr (std::is_invocable_v<L, T, T, T, T>)
    return F(a, b, c, d);
  else
    return F(a, b, undefined);
}

template <auto F, unsigned Width>
uint64_t applyUnsigned(uint64_t a, uint64_t b, uint64_t c, uint64_t d, Undefined &undefined) {
  return truncateTo(Width, static_cast<uint64_t>(callWith<F, uint64_t>(a, b, c, d, undefined)));
}
template <auto F, unsigned Width>
uint64_t applySigned(uint64_t a, uint64_t b, uint64_t c, uint64_t d, Undefined &undefined) {
  return truncateTo(Width, static_cast<uint64_t>(callWith<F, int64_t>(
                               signExtend(Width, a), signExtend(Width, b), signExtend(Width, c),
                               signExtend(Width, d), undefined)));
}
template <auto F, typename T>
uint64_t applyFloat(uint64_t a, uint64_t b, uint64_t c, uint64_t d, Undefined &undefined) {
  using C = Compute<T>;
  auto number = [](uint64_t bits) { return static_cast<C>(fromBits<T>(bits)); };
  auto result = callWith<F, C>(number(a), number(b), number(c), number(d), undefined);
  if constexpr (std::is_same_v<decltype(result), bool>)
    return result;
  else
    return toBits(static_cast<T>(result));
}

template <auto F> ScalarFn unsignedOp(unsigned width) {
  return width == 64   ? applyUnsigned<F, 64>
         : width == 32 ? applyUnsigned<F, 32>
         : width == 16 ? applyUnsigned<F, 16>
         : width == 8  ? applyUnsigned<F, 8>
                       : applyUnsigned<F, 1>;
}
template <auto F> ScalarFn signedOp(unsigned width) {
  return width == 64   ? applySigned<F, 64>
         : width == 32 ? applySigned<F, 32>
         : width == 16 ? applySigned<F, 16>
                       : applySigned<F, 8>;
}
template <auto F> ScalarFn floatOp(unsigned width) {
  return width == 64   ? applyFloat<F, double>
         : width == 32 ? applyFloat<F, float>
                       : applyFloat<F, Half>;
}

} // namespace tailor::interp

#endif
