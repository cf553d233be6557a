//===- Tuning/StrategyAuto.cpp - The default search ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the model expects of a variant is put right by how far it was off for the
// variants nearby that were measured: the nearer, the more it counts. So the
// neighbourhood of a leader comes up by itself, and where the model is wrong for
// a whole technique, one measurement says so.
//
//===----------------------------------------------------------------------===//
#include "Tuning/StrategyImpl.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tailor {

namespace {

class AutoStrategy : public Strategy {
public:
  AutoStrategy(std::span<const SearchCandidate> candidates, const StrategyOptions &options)
      : candidates(candidates), options(options) {}
  std::string_view name() const override { return "auto"; }
  std::vector<size_t> next(std::span<const Observed> observed) override;
  size_t choice(std::span<const Observed> observed) const override;

private:
  static constexpr size_t kFirst = 3;    ///< variants in the first batch
  static constexpr size_t kBatch = 2;    ///< in each later one
  static constexpr double kAlike = 1.2;  ///< another one of a technique that is in the batch
  static constexpr double kReach = 1.5;  ///< distance at which a measurement counts 1/e
  static constexpr double kPrior = 0.3;  ///< how much the model counts beside measurements
  static constexpr double kHope = 0.15;  ///< how far the unknown may be better than expected
  static constexpr size_t kPatience = 8; ///< measurements without a gain

  double expected(size_t at) const;
  double trust(std::span<const Observed> observed) const;
  std::vector<double> predictions(std::span<const Observed> observed, double hope) const;
  std::vector<size_t> bestOf(std::span<const Observed> observed, const std::vector<double> &times,
                             size_t count) const;
  bool isDone(std::span<const Observed> observed);

  std::span<const SearchCandidate> candidates;
  StrategyOptions options;
  double bestNs = 0;     ///< at the last gain
  size_t measuredAt = 0; ///< measurements at the last gain
};

/// Where the model knows nothing, like the middle of what it knows.
double AutoStrategy::expected(size_t at) const {
  if (candidates[at].expectedNs > 0)
    return candidates[at].expectedNs;
  std::vector<double> known;
  for (const SearchCandidate &each : candidates)
    if (each.expectedNs > 0)
      known.push_back(each.expectedNs);
  if (known.empty())
    return 1;
  std::nth_element(known.begin(), known.begin() + std::ptrdiff_t(known.size() / 2), known.end());
  return known[known.size() / 2];
}

/// How far times follow what was expected of them, from 1 (as the model says) to 0 (not at all): a
/// line through their logarithms, held to 1 by as much as a few measurements weigh.
double AutoStrategy::trust(std::span<const Observed> observed) const {
  constexpr double kHold = 0.2;
  double count = 0, meanX = 0, meanY = 0;
  for (size_t at = 0; at < observed.size(); ++at)
    if (isTimed(observed[at])) {
      ++count;
      meanX += std::log(expected(at));
      meanY += std::log(observed[at].ns);
    }
  if (count < 2)
    return 1;
  double square = kHold, product = kHold;
  for (size_t at = 0; at < observed.size(); ++at)
    if (isTimed(observed[at])) {
      const double x = std::log(expected(at)) - meanX / count;
      square += x * x;
      product += x * (std::log(observed[at].ns) - meanY / count);
    }
  return std::clamp(product / square, 0.0, 1.0);
}

/// What each variant may come to, with hope for those that nothing nearby was measured of.
std::vector<double> AutoStrategy::predictions(std::span<const Observed> observed,
                                              double hope) const {
  const double slope = trust(observed);
  auto base = [&](size_t at) { return slope * std::log(expected(at)); };
  std::vector<size_t> timed;
  double mean = 0;
  for (size_t at = 0; at < observed.size(); ++at)
    if (isTimed(observed[at])) {
      timed.push_back(at);
      mean += std::log(observed[at].ns) - base(at);
    }
  mean = timed.empty() ? 0 : mean / double(timed.size());
  std::vector<double> times(candidates.size());
  for (size_t at = 0; at < candidates.size(); ++at) {
    double weights = kPrior, sum = kPrior * mean;
    for (size_t near : timed) {
      const double weight = std::exp(-distanceOf(candidates[at], candidates[near]) / kReach);
      weights += weight;
      sum += weight * (std::log(observed[near].ns) - base(near));
    }
    times[at] = std::exp(base(at) + sum / weights - hope * kPrior / weights);
  }
  return times;
}

/// The fastest of those that are not known, with techniques that are there already put back a
/// little.
std::vector<size_t> AutoStrategy::bestOf(std::span<const Observed> observed,
                                         const std::vector<double> &times, size_t count) const {
  std::vector<size_t> batch;
  while (batch.size() < count) {
    std::optional<size_t> best;
    double least = 0;
    for (size_t at = 1; at < candidates.size(); ++at) {
      if (!isUnknown(observed[at]) || std::find(batch.begin(), batch.end(), at) != batch.end())
        continue;
      double time = times[at];
      for (size_t taken : batch)
        time *= candidates[taken].technique == candidates[at].technique ? kAlike : 1;
      if (!best || time < least) {
        best = at;
        least = time;
      }
    }
    if (!best)
      break;
    batch.push_back(*best);
  }
  return batch;
}

bool AutoStrategy::isDone(std::span<const Observed> observed) {
  const size_t best = fastestOf(observed);
  if (best == observed.size())
    return false;
  const double ns = observed[best].ns;
  const size_t measured = measuredOf(observed);
  if (bestNs == 0 || ns < bestNs * (1 - options.noise)) {
    bestNs = ns;
    measuredAt = measured;
  }
  const size_t inVain = measured - std::min(measured, measuredAt);
  if (inVain >= 2 * kPatience)
    return true;
  if (inVain >= kPatience) {
    // Go on only for what should be better by all that is known.
    const std::vector<double> times = predictions(observed, 0);
    bool isHopeless = true;
    for (size_t at = 1; at < candidates.size(); ++at)
      isHopeless &= !isUnknown(observed[at]) || times[at] >= ns * (1 - options.noise);
    if (isHopeless)
      return true;
  }
  // Nothing that is left can gain more than the noise.
  for (size_t at = 1; at < candidates.size(); ++at)
    if (isUnknown(observed[at]) &&
        (candidates[at].boundNs <= 0 || candidates[at].boundNs < ns * (1 - options.noise)))
      return false;
  return true;
}

std::vector<size_t> AutoStrategy::next(std::span<const Observed> observed) {
  const size_t left = leftOf(options, observed);
  const bool isFirst = measuredOf(observed) == 0;
  if (left == 0 || (!isFirst && isDone(observed)))
    return withAuthored({}, observed);
  return withAuthored(
      bestOf(observed, predictions(observed, kHope), std::min(left, isFirst ? kFirst : kBatch)),
      observed);
}

size_t AutoStrategy::choice(std::span<const Observed> observed) const {
  const size_t best = fastestOf(observed);
  return best == observed.size() ? expectedBest(candidates) : best;
}

} // namespace

std::unique_ptr<Strategy> makeAutoStrategy(std::span<const SearchCandidate> candidates,
                                           const StrategyOptions &options) {
  return std::make_unique<AutoStrategy>(candidates, options);
}

} // namespace tailor
