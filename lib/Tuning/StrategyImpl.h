//===- Tuning/StrategyImpl.h - What the strategies share (internal) ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_STRATEGYIMPL_H
#define TAILOR_TUNING_STRATEGYIMPL_H

#include "Tuning/Strategy.h"

namespace tailor {

/// A small generator, so that an order is the same on every machine and library.
class Chance {
public:
  explicit Chance(uint64_t seed) : state(seed) {}
  uint64_t next() {
    state += 0x9E3779B97F4A7C15ULL;
    uint64_t mixed = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
    return mixed ^ (mixed >> 31);
  }
  /// 0 to count - 1; count is above 0.
  size_t below(size_t count) { return static_cast<size_t>(next() % count); }

private:
  uint64_t state;
};

inline bool isTimed(const Observed &each) { return each.state == Observed::State::Timed; }
inline bool isUnknown(const Observed &each) { return each.state == Observed::State::Unknown; }
/// The fastest that was timed; `observed.size()` where none was.
size_t fastestOf(std::span<const Observed> observed);
/// Variants beside the authored module that are not Unknown any more.
size_t measuredOf(std::span<const Observed> observed);
/// How many more may be measured.
size_t leftOf(const StrategyOptions &options, std::span<const Observed> observed);
/// What the model thinks fastest; the authored module where it knows nothing.
size_t expectedBest(std::span<const SearchCandidate> candidates);
/// With the authored module in front where it is not known.
std::vector<size_t> withAuthored(std::vector<size_t> batch, std::span<const Observed> observed);

std::unique_ptr<Strategy> makeAutoStrategy(std::span<const SearchCandidate> candidates,
                                           const StrategyOptions &options);

} // namespace tailor

#endif
