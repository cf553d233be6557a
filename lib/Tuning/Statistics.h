//===- Tuning/Statistics.h - What a few times say -------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_STATISTICS_H
#define TAILOR_TUNING_STATISTICS_H

#include <span>

namespace tailor {

/// How much less time one takes than another, as a fraction of the other's; negative: it takes
/// more.
struct Gain {
  double middle = 0;        ///< the median of the pairs
  double low = 0, high = 0; ///< an interval that holds it in 95 of 100 runs
};

/// Of times taken in turns, `theirs[i]` next to `mine[i]`: what both have in common (a clock that
/// moves, others on the device) goes out of each pair. The interval is by the percentile bootstrap
/// (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13) over the pairs, with
/// the same random numbers each time. With fewer than two pairs, or a time that is not positive,
/// nothing is known: low is -1 and high 1. Pairs that have no partner are left out.
Gain gainOf(std::span<const double> theirs, std::span<const double> mine);

} // namespace tailor

#endif
