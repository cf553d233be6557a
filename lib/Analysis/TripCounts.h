//===- Analysis/TripCounts.h - How often blocks run ------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How often an invocation runs a block: the product of what the loops around it
// do, as a sum of products of names where the counts hang off values of the
// dispatch. Conditions inside loops are taken as met.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_TRIPCOUNTS_H
#define TAILOR_ANALYSIS_TRIPCOUNTS_H

#include "Analysis/KernelAnalysis.h"
#include "Analysis/LoopRounds.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <string>
#include <vector>

namespace tailor {

/// A sum of coefficient · name · name · ...: `12 + 5*params.columns`.
class TripSum {
public:
  /// Names in ascending order; a name twice is its square. Empty: the constant term.
  using Monomial = std::vector<std::string>;

  TripSum() = default; ///< 0
  static TripSum number(double value);
  static TripSum name(std::string name);

  TripSum &operator+=(const TripSum &other);
  TripSum operator+(const TripSum &other) const { return TripSum(*this) += other; }
  TripSum operator*(const TripSum &other) const;
  TripSum operator*(double factor) const { return *this * number(factor); }

  bool isZero() const { return terms.empty(); }
  /// The number that it is; nullopt where a name is in it.
  std::optional<double> constant() const;
  /// With `valueOf` each name.
  double evaluate(llvm::function_ref<double(const std::string &)> valueOf) const;
  /// `12 + 5*params.columns`; `0`.
  std::string str() const;
  const std::map<Monomial, double> &all() const { return terms; }
  friend bool operator==(const TripSum &, const TripSum &) = default;

private:
  std::map<Monomial, double> terms; ///< no coefficient is 0
};

/// A name that trip counts of a kernel are made of.
struct TripName {
  std::string name;
  double assumed = 0;    ///< what it is taken as where one figure is wanted
  std::string meaning{}; ///< where it is not a value that the kernel names
  bool isFound = true;   ///< false: nothing says what it is, and what is assumed is a guess
};

/// Trip counts of the blocks of one kernel.
class TripCounts {
public:
  /// What a count is taken as that neither the module says nor LoopRounds finds.
  static constexpr double kAssumed = 1024;

  /// `host`: values of the dispatch where they are known; what is assumed of a name follows them.
  explicit TripCounts(const KernelAnalysis &kernel, HostValues host = {});

  /// How often an invocation that takes every branch to it runs the block. Blocks of a loop up to
  /// the test that ends it run once more than its body.
  TripSum of(const Block &block) const;
  /// The names in all of them, sorted. An id is taken at the middle of its range, a count without a
  /// polynomial as LoopRounds finds it, every other one as kAssumed.
  const std::vector<TripName> &names() const { return used; }
  double assumedValue(const std::string &name) const;

private:
  TripSum fromPolynomial(const AffineExpr &expr);
  bool mayFallBelowZero(const AffineExpr &trips, unsigned depth) const;
  TripSum atLeastZero(const LoopInfo &loop);
  TripSum tripsOf(const LoopInfo &loop);
  void use(TripName name);

  std::optional<double> assumedFor(const Symbol &symbol) const;

  const KernelAnalysis &kernel;
  HostValues host;
  LoopRounds loopRounds;
  llvm::DenseMap<const LoopInfo *, TripSum> trips;
  std::vector<TripName> used;
};

} // namespace tailor

#endif
