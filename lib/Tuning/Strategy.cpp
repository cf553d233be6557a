//===- Tuning/Strategy.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Strategy.h"

#include "Tuning/StrategyImpl.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

namespace tailor {

// --- what they share ---

size_t fastestOf(std::span<const Observed> observed) {
  size_t best = observed.size();
  for (size_t at = 0; at < observed.size(); ++at)
    if (isTimed(observed[at]) && (best == observed.size() || observed[at].ns < observed[best].ns))
      best = at;
  return best;
}

size_t measuredOf(std::span<const Observed> observed) {
  size_t count = 0;
  for (size_t at = 1; at < observed.size(); ++at)
    count += !isUnknown(observed[at]);
  return count;
}

size_t leftOf(const StrategyOptions &options, std::span<const Observed> observed) {
  if (options.maxMeasured == 0)
    return observed.size();
  return options.maxMeasured - std::min(options.maxMeasured, measuredOf(observed));
}

size_t expectedBest(std::span<const SearchCandidate> candidates) {
  size_t best = 0;
  for (size_t at = 1; at < candidates.size(); ++at)
    if (candidates[at].expectedNs > 0 && (candidates[best].expectedNs <= 0 ||
                                          candidates[at].expectedNs < candidates[best].expectedNs))
      best = at;
  return best;
}

std::vector<size_t> withAuthored(std::vector<size_t> batch, std::span<const Observed> observed) {
  if (!observed.empty() && isUnknown(observed[0]) &&
      std::find(batch.begin(), batch.end(), size_t{0}) == batch.end())
    batch.insert(batch.begin(), 0);
  return batch;
}

size_t Strategy::choice(std::span<const Observed> observed) const {
  const size_t best = fastestOf(observed);
  return best == observed.size() ? 0 : best;
}

// --- distance ---

namespace {

struct Step {
  std::string_view technique, parameters;
  Dim3 size;
};

/// `resize-64x4x1`, `swizzle-8x8x1-tile4x4`.
Step stepOf(std::string_view text) {
  Step step;
  const size_t first = text.find('-');
  step.technique = text.substr(0, first);
  if (first == std::string_view::npos)
    return step;
  text.remove_prefix(first + 1);
  const size_t second = text.find('-');
  step.size = parseDim3(text.substr(0, second)).value_or(Dim3{});
  if (second != std::string_view::npos)
    step.parameters = text.substr(second + 1);
  return step;
}

std::vector<Step> stepsOf(const SearchCandidate &candidate) {
  std::vector<Step> steps;
  std::string_view id = candidate.id;
  while (!id.empty()) {
    const size_t plus = std::min(id.find('+'), id.size());
    steps.push_back(stepOf(id.substr(0, plus)));
    id.remove_prefix(std::min(plus + 1, id.size()));
  }
  // The authored module is what its steps would leave alone.
  if (steps.size() == 1 && candidate.technique == "authored")
    steps.front() = {"authored", "", candidate.localSize};
  return steps;
}

double doublings(const Dim3 &a, const Dim3 &b) {
  double sum = 0;
  for (unsigned axis = 0; axis < 3; ++axis)
    sum += std::abs(std::log2(double(std::max(1U, a[axis])) / double(std::max(1U, b[axis]))));
  return sum;
}

} // namespace

static double subgroupDistance(uint32_t a, uint32_t b) {
  if (a == 0 || b == 0)
    return a == b ? 0 : 1;
  return std::abs(std::log2(double(a) / double(b)));
}

double distanceOf(const SearchCandidate &a, const SearchCandidate &b) {
  const double apart = subgroupDistance(a.subgroupSize, b.subgroupSize);
  const std::vector<Step> left = stepsOf(a), right = stepsOf(b);
  // Another size of what the author wrote is a step from it, whatever the technique.
  const bool withAuthored = a.technique == "authored" || b.technique == "authored";
  if (withAuthored) {
    const double steps = double(std::max(left.size(), right.size()) - 1);
    return apart + doublings(a.localSize, b.localSize) + 2 * steps +
           (a.localSize == b.localSize && a.id != b.id ? 1 : 0);
  }
  const size_t common = std::min(left.size(), right.size());
  double sum = apart + 2.0 * double(std::max(left.size(), right.size()) - common);
  for (size_t at = 0; at < common; ++at) {
    sum += doublings(left[at].size, right[at].size);
    sum += left[at].technique != right[at].technique ? 2 : 0;
    sum += left[at].technique == right[at].technique && left[at].parameters != right[at].parameters;
  }
  return sum;
}

// --- the plain ones ---

namespace {

class ListStrategy : public Strategy {
public:
  ListStrategy(std::string_view name, std::vector<size_t> order, const StrategyOptions &options)
      : ownName(name), order(std::move(order)), options(options) {}
  std::string_view name() const override { return ownName; }
  std::vector<size_t> next(std::span<const Observed> observed) override {
    std::vector<size_t> batch;
    const size_t left = leftOf(options, observed);
    for (size_t at : order)
      if (at != 0 && batch.size() < left && isUnknown(observed[at]))
        batch.push_back(at);
    return withAuthored(std::move(batch), observed);
  }
  size_t choice(std::span<const Observed> observed) const override {
    const size_t best = fastestOf(observed);
    return best == observed.size() ? order.front() : best;
  }

private:
  std::string_view ownName;
  std::vector<size_t> order;
  StrategyOptions options;
};

class ChosenStrategy : public Strategy {
public:
  ChosenStrategy(std::string_view name, size_t chosen) : ownName(name), chosen(chosen) {}
  std::string_view name() const override { return ownName; }
  std::vector<size_t> next(std::span<const Observed>) override { return {}; }
  /// What turned out to be no variant at all is not chosen.
  size_t choice(std::span<const Observed> observed) const override {
    return observed[chosen].state == Observed::State::Out ? 0 : chosen;
  }

private:
  std::string_view ownName;
  size_t chosen;
};

/// The neighbours of the best, until none of them is better; then from somewhere else.
class ClimbStrategy : public Strategy {
public:
  ClimbStrategy(std::span<const SearchCandidate> candidates, const StrategyOptions &options)
      : candidates(candidates), options(options), chance(options.seed) {}
  std::string_view name() const override { return "climb"; }
  std::vector<size_t> next(std::span<const Observed> observed) override;

private:
  std::vector<size_t> neighbours(std::span<const Observed> observed) const;

  std::span<const SearchCandidate> candidates;
  StrategyOptions options;
  Chance chance;
  size_t place = 0;
};

std::vector<size_t> ClimbStrategy::neighbours(std::span<const Observed> observed) const {
  constexpr double kNear = 2;
  std::vector<std::pair<double, size_t>> near;
  for (size_t at = 0; at < candidates.size(); ++at)
    if (isUnknown(observed[at]))
      if (double distance = distanceOf(candidates[place], candidates[at]); distance <= kNear)
        near.emplace_back(distance, at);
  std::sort(near.begin(), near.end());
  std::vector<size_t> list;
  list.reserve(near.size());
  for (const auto &[distance, at] : near)
    list.push_back(at);
  return list;
}

std::vector<size_t> ClimbStrategy::next(std::span<const Observed> observed) {
  constexpr size_t kBatch = 2;
  const size_t left = leftOf(options, observed);
  if (!isTimed(observed[0]) && observed[0].state != Observed::State::Out)
    return {0};
  if (left == 0)
    return {};
  // Up, as long as something near is better.
  for (size_t at = 0; at < candidates.size(); ++at)
    if (isTimed(observed[at]) &&
        (!isTimed(observed[place]) || observed[at].ns < observed[place].ns) &&
        distanceOf(candidates[place], candidates[at]) <= 2)
      place = at;
  std::vector<size_t> batch = neighbours(observed);
  if (batch.empty()) {
    std::vector<size_t> elsewhere;
    for (size_t at = 0; at < candidates.size(); ++at)
      if (isUnknown(observed[at]))
        elsewhere.push_back(at);
    if (elsewhere.empty())
      return {};
    place = elsewhere[chance.below(elsewhere.size())];
    return {place};
  }
  batch.resize(std::min({batch.size(), kBatch, left}));
  return batch;
}

size_t fixedChoice(std::span<const SearchCandidate> candidates) {
  const bool isFlat = candidates[0].localSize.y == 1 && candidates[0].localSize.z == 1;
  const Dim3 habit = isFlat ? Dim3{256, 1, 1} : Dim3{16, 16, 1};
  std::optional<size_t> best;
  double least = 0;
  for (size_t at = 0; at < candidates.size(); ++at) {
    const std::string &technique = candidates[at].technique;
    if (technique != "authored" && technique != "resize" && technique != "remap" &&
        technique != "pack" && technique != "respecialize")
      continue;
    const double distance = doublings(candidates[at].localSize, habit);
    if (!best || distance < least) {
      best = at;
      least = distance;
    }
  }
  return best.value_or(0);
}

constexpr std::array<std::string_view, 6> kNames = {"auto",  "exhaustive", "random",
                                                    "climb", "fixed",      "model"};

} // namespace

std::span<const std::string_view> strategyNames() { return kNames; }

Result<std::unique_ptr<Strategy>> makeStrategy(std::string_view name,
                                               std::span<const SearchCandidate> candidates,
                                               const StrategyOptions &options) {
  std::vector<size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (name == "auto")
    return makeAutoStrategy(candidates, options);
  if (name == "exhaustive")
    return std::unique_ptr<Strategy>(new ListStrategy(kNames[1], std::move(order), options));
  if (name == "random") {
    Chance chance(options.seed);
    for (size_t at = order.size(); at > 1; --at)
      std::swap(order[at - 1], order[chance.below(at)]);
    return std::unique_ptr<Strategy>(new ListStrategy(kNames[2], std::move(order), options));
  }
  if (name == "climb")
    return std::unique_ptr<Strategy>(new ClimbStrategy(candidates, options));
  if (name == "fixed")
    return std::unique_ptr<Strategy>(new ChosenStrategy(kNames[4], fixedChoice(candidates)));
  if (name == "model")
    return std::unique_ptr<Strategy>(new ChosenStrategy(kNames[5], expectedBest(candidates)));
  std::string all;
  for (std::string_view each : kNames)
    all += (all.empty() ? "" : ", ") + std::string(each);
  return failure(
      Diagnostic::error({}, "there is no search '" + std::string(name) + "'", ErrorKind::Usage)
          .withNote({}, "there are " + all));
}

} // namespace tailor
