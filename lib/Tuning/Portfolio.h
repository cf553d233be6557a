//===- Tuning/Portfolio.h - Few variants for many devices -----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which few variants of a kernel to ship, so that every device and problem size
// that was measured has one among them that is close to its own best.
//
// The loss of a place (a device and a problem size) is the time of the best
// variant of the set there over that of the best variant there, 1 when the set
// has it. Of the sets of a size the one with the smallest geometric mean of
// losses is taken, where a loss of no more than kLeastGain counts as none; a set
// that leaves a place without a variant is worse than every set that does not.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_PORTFOLIO_H
#define TAILOR_TUNING_PORTFOLIO_H

#include "Tuning/DatabaseTypes.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tailor {

/// Times of variants at places. A variant without a time at a place does not run there, or nobody
/// measured it.
struct PortfolioTable {
  struct Place {
    std::string deviceName, deviceKey, sizeName;
  };
  std::string kernel, entryPoint, moduleHash;
  std::vector<std::string> variants;   ///< ids, the authored module first
  std::vector<Place> places;           ///< each has a time at least
  std::vector<std::vector<double>> ns; ///< [place][variant]; 0: no time
};

/// A table for each kernel, sorted by its name and module. Of outcomes of the same device, driver
/// (not its version) and problem size the latest counts. Kernels without a time are left out.
std::vector<PortfolioTable> portfolioTables(std::span<const StoredWinner> outcomes);

struct PortfolioOptions {
  size_t variants = 4;  ///< at most, the authored module counted where it is one of them
  double worstLoss = 0; ///< the smallest set with no loss above this is enough; 0: the best set
  uint64_t effort = 4000000; ///< sets that the exact search looks at before it is given up
};

/// A set, and what it costs.
struct VariantSet {
  std::vector<size_t> chosen; ///< indices into the table's variants, ascending
  std::vector<size_t> use;    ///< of each place, the variant to take there; SIZE_MAX: none runs
  std::vector<double> loss;   ///< of each place, 1 or more; 0 where none runs
  double cost = 0;            ///< sum of the logarithms of the losses above kLeastGain
  double meanLoss = 0;        ///< geometric, over the places where one runs
  double worstLoss = 0;
  size_t uncovered = 0; ///< places where none runs
  bool exact = false;   ///< no set of this size costs less; else greedy with exchange
};

struct Portfolio {
  VariantSet best;               ///< the answer: the smallest of equal ones
  std::vector<VariantSet> sizes; ///< the best sets of 1, 2, ... variants, up to the answer's size
};

/// The best sets of 1, 2, ... variants, until one loses nothing, is good enough or is as large as
/// may be. Exact by branch and bound where `effort` suffices; beyond, the better of what that found
/// and of greedy choice with exchanges. The same table and options give the same answer.
Portfolio choosePortfolio(const PortfolioTable &table, const PortfolioOptions &options);

} // namespace tailor

#endif
