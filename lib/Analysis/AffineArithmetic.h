//===- Analysis/AffineArithmetic.h - Sums, products and ranges -------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic on AffineExpr modulo 2^width: coefficients and constants are kept
// as the signed numbers of that width. Integer ranges saturate at "not tracked".
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_AFFINEARITHMETIC_H
#define TAILOR_ANALYSIS_AFFINEARITHMETIC_H

#include "Analysis/Affine.h"

namespace tailor::affine {

/// A polynomial of more terms is not kept: the value becomes a symbol of its own.
inline constexpr size_t kMaxTerms = 16;

/// The low `width` bits as a signed number.
int64_t wrapTo(uint64_t bits, unsigned width);

AffineExpr constant(int64_t value);
AffineExpr symbol(SymbolIndex index);
std::optional<AffineExpr> add(const AffineExpr &a, const AffineExpr &b, unsigned width);
AffineExpr scale(const AffineExpr &a, int64_t factor, unsigned width);
/// nullopt: too many terms, or a product of too many symbols.
std::optional<AffineExpr> multiply(const AffineExpr &a, const AffineExpr &b, unsigned width);
/// The same polynomial modulo a smaller power of two.
AffineExpr reduce(const AffineExpr &a, unsigned width);

/// expr == divisor·quotient + remainder, as integers: the terms whose coefficients the divisor
/// divides, and the others; the constant is split so that its part of the remainder lies in [0,
/// divisor).
struct Split {
  AffineExpr quotient, remainder;
};
Split splitBy(const AffineExpr &expr, int64_t divisor);

IntRange add(const IntRange &a, const IntRange &b);
IntRange multiply(const IntRange &a, const IntRange &b);
IntRange unite(const IntRange &a, const IntRange &b);
/// All numbers of an integer type.
IntRange fullRange(unsigned width, bool isSigned);

} // namespace tailor::affine

#endif
