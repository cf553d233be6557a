//===- Analysis/AffineArithmetic.cpp ---------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/AffineArithmetic.h"

#include <algorithm>

namespace tailor {

bool IntRange::fitsUnsigned(unsigned width) const {
  if (!isBounded() || lo < 0)
    return false;
  return width >= 63 || hi < int64_t{1} << width;
}

bool IntRange::fitsSigned(unsigned width) const {
  if (!isBounded())
    return false;
  return width >= 64 || within(-(int64_t{1} << (width - 1)), (int64_t{1} << (width - 1)) - 1);
}

unsigned AffineTerm::degree() const {
  return static_cast<unsigned>(std::find(symbols.begin(), symbols.end(), kNone) - symbols.begin());
}

bool AffineTerm::contains(SymbolIndex symbol) const {
  return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
}

namespace affine {

int64_t wrapTo(uint64_t bits, unsigned width) {
  if (width >= 64)
    return static_cast<int64_t>(bits);
  unsigned unused = 64 - width;
  return static_cast<int64_t>(bits << unused) >> unused;
}

/// Modulo 2^64, which keeps every smaller power of two right.
static int64_t wrappingAdd(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
static int64_t wrappingMultiply(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

AffineExpr constant(int64_t value) { return {value, {}}; }

AffineExpr symbol(SymbolIndex index) {
  AffineTerm term;
  term.symbols[0] = index;
  term.coefficient = 1;
  return {0, {term}};
}

AffineExpr reduce(const AffineExpr &a, unsigned width) {
  AffineExpr result{wrapTo(static_cast<uint64_t>(a.constant), width), {}};
  for (AffineTerm term : a.terms) {
    term.coefficient = wrapTo(static_cast<uint64_t>(term.coefficient), width);
    if (term.coefficient != 0)
      result.terms.push_back(term);
  }
  return result;
}

std::optional<AffineExpr> add(const AffineExpr &a, const AffineExpr &b, unsigned width) {
  AffineExpr sum{wrappingAdd(a.constant, b.constant), {}};
  sum.terms.reserve(a.terms.size() + b.terms.size());
  auto left = a.terms.begin(), right = b.terms.begin();
  while (left != a.terms.end() || right != b.terms.end()) {
    if (right == b.terms.end() || (left != a.terms.end() && left->symbols < right->symbols)) {
      sum.terms.push_back(*left++);
    } else if (left == a.terms.end() || right->symbols < left->symbols) {
      sum.terms.push_back(*right++);
    } else {
      sum.terms.push_back(*left++);
      sum.terms.back().coefficient =
          wrappingAdd(sum.terms.back().coefficient, (right++)->coefficient);
    }
  }
  sum = reduce(sum, width);
  return sum.terms.size() <= kMaxTerms ? std::optional(std::move(sum)) : std::nullopt;
}

AffineExpr scale(const AffineExpr &a, int64_t factor, unsigned width) {
  AffineExpr product = a;
  product.constant = wrappingMultiply(a.constant, factor);
  for (AffineTerm &term : product.terms)
    term.coefficient = wrappingMultiply(term.coefficient, factor);
  return reduce(product, width);
}

static std::optional<AffineTerm> multiply(const AffineTerm &a, const AffineTerm &b) {
  unsigned degree = a.degree(), other = b.degree();
  if (degree + other > AffineTerm::kMaxDegree)
    return std::nullopt;
  AffineTerm product;
  std::merge(a.symbols.begin(), a.symbols.begin() + degree, b.symbols.begin(),
             b.symbols.begin() + other, product.symbols.begin());
  product.coefficient = wrappingMultiply(a.coefficient, b.coefficient);
  return product;
}

std::optional<AffineExpr> multiply(const AffineExpr &a, const AffineExpr &b, unsigned width) {
  if (b.isConstant())
    return scale(a, b.constant, width);
  if (a.isConstant())
    return scale(b, a.constant, width);
  if (a.terms.size() * b.terms.size() > kMaxTerms)
    return std::nullopt;
  std::optional<AffineExpr> sum = scale(a, b.constant, width);
  for (const AffineTerm &right : b.terms) {
    AffineExpr row = scale({0, {right}}, a.constant, width);
    for (const AffineTerm &left : a.terms) {
      std::optional<AffineTerm> term = multiply(left, right);
      if (!term)
        return std::nullopt;
      std::optional<AffineExpr> next = add(row, {0, {*term}}, width);
      if (!next)
        return std::nullopt;
      row = std::move(*next);
    }
    sum = add(*sum, row, width);
    if (!sum)
      return std::nullopt;
  }
  return sum;
}

Split splitBy(const AffineExpr &expr, int64_t divisor) {
  Split split;
  int64_t rest = expr.constant % divisor;
  if (rest < 0)
    rest += divisor;
  split.remainder.constant = rest;
  // Not -INT64_MIN and the like: the difference is a multiple of the divisor, nearer to zero.
  split.quotient.constant = (expr.constant - rest) / divisor;
  for (const AffineTerm &term : expr.terms) {
    bool divides = term.coefficient % divisor == 0;
    AffineExpr &part = divides ? split.quotient : split.remainder;
    part.terms.push_back(term);
    if (divides)
      part.terms.back().coefficient /= divisor;
  }
  return split;
}

// --- ranges ---

__extension__ typedef __int128 Wide; // NOLINT(modernize-use-using): the extension's only spelling

static int64_t clampLow(Wide value) {
  return value <= Wide{IntRange::kMin}   ? IntRange::kMin
         : value >= Wide{IntRange::kMax} ? IntRange::kMax - 1
                                         : static_cast<int64_t>(value);
}
static int64_t clampHigh(Wide value) {
  return value >= Wide{IntRange::kMax}   ? IntRange::kMax
         : value <= Wide{IntRange::kMin} ? IntRange::kMin + 1
                                         : static_cast<int64_t>(value);
}

IntRange add(const IntRange &a, const IntRange &b) {
  IntRange sum;
  if (a.lo != IntRange::kMin && b.lo != IntRange::kMin)
    sum.lo = clampLow(Wide{a.lo} + b.lo);
  if (a.hi != IntRange::kMax && b.hi != IntRange::kMax)
    sum.hi = clampHigh(Wide{a.hi} + b.hi);
  return sum;
}

IntRange multiply(const IntRange &a, const IntRange &b) {
  if (a == IntRange{0, 0} || b == IntRange{0, 0})
    return {0, 0};
  if (!a.isBounded() || !b.isBounded()) {
    // What is never negative stays so.
    bool neverNegative = a.lo >= 0 && b.lo >= 0;
    return {neverNegative ? 0 : IntRange::kMin, IntRange::kMax};
  }
  const Wide products[] = {Wide{a.lo} * b.lo, Wide{a.lo} * b.hi, Wide{a.hi} * b.lo,
                           Wide{a.hi} * b.hi};
  return {clampLow(*std::min_element(std::begin(products), std::end(products))),
          clampHigh(*std::max_element(std::begin(products), std::end(products)))};
}

IntRange unite(const IntRange &a, const IntRange &b) {
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

IntRange fullRange(unsigned width, bool isSigned) {
  if (width >= 64)
    return {};
  if (isSigned)
    return {-(int64_t{1} << (width - 1)), (int64_t{1} << (width - 1)) - 1};
  return {0, (int64_t{1} << width) - 1};
}

} // namespace affine

} // namespace tailor
