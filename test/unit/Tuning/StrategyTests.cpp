//===- unit/Tuning/StrategyTests.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Strategy.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace tailor {

using testing::HasSubstr;

namespace {

/// Sizes of a kernel on two axes: `resize` to each, and two `coarsen`s.
std::vector<SearchCandidate> landscape(const std::function<double(const Dim3 &)> &expected) {
  std::vector<SearchCandidate> list;
  list.push_back({"authored", "authored", {8, 8, 1}, expected({8, 8, 1}), 0});
  for (uint32_t x = 1; x <= 64; x *= 2)
    for (uint32_t y = 1; y <= 64; y *= 2)
      if (x * y >= 16 && x * y <= 1024 && (x != 8 || y != 8)) {
        const Dim3 size{x, y, 1};
        list.push_back({"resize-" + size.str(), "resize", size, expected(size), 0});
      }
  for (uint32_t y : {4U, 2U}) {
    const Dim3 size{8, y, 1};
    list.push_back({"coarsen-" + size.str(), "coarsen", size, expected(size), 0});
  }
  return list;
}

using Truth = std::function<Observed(const SearchCandidate &)>;

struct Outcome {
  size_t choice = 0, measured = 0, batches = 0;
  std::vector<size_t> order;
};

/// Runs a strategy to its end, checking what it promises.
Outcome play(std::string_view name, const std::vector<SearchCandidate> &list, const Truth &truth,
             const StrategyOptions &options = {}) {
  Outcome outcome;
  Result<std::unique_ptr<Strategy>> strategy = makeStrategy(name, list, options);
  EXPECT_TRUE(strategy);
  EXPECT_EQ((*strategy)->name(), name);
  std::vector<Observed> observed(list.size());
  while (outcome.batches <= list.size() + 1) {
    std::vector<size_t> batch = (*strategy)->next(observed);
    if (batch.empty())
      break;
    ++outcome.batches;
    EXPECT_EQ(std::set<size_t>(batch.begin(), batch.end()).size(), batch.size());
    for (size_t at : batch) {
      EXPECT_LT(at, list.size());
      EXPECT_EQ(observed[at].state, Observed::State::Unknown) << name << " measures twice";
      observed[at] = truth(list[at]);
      outcome.measured += at != 0;
      outcome.order.push_back(at);
    }
  }
  EXPECT_LE(outcome.batches, list.size() + 1) << name << " does not end";
  EXPECT_TRUE(options.maxMeasured == 0 || outcome.measured <= options.maxMeasured) << name;
  outcome.choice = (*strategy)->choice(observed);
  return outcome;
}

Observed timed(double ns) { return {Observed::State::Timed, ns, 0.001}; }

/// Best at 32x4, worse with each doubling.
double hill(const Dim3 &size) {
  return 100 *
         (1 + 0.3 * std::abs(std::log2(size.x / 32.0)) + 0.2 * std::abs(std::log2(size.y / 4.0)));
}

bool measures(std::string_view name) { return name != "fixed" && name != "model"; }

} // namespace

TEST(Strategy, AllEndAndKeepTheirPromises) {
  const auto list = landscape(hill);
  const Truth truth = [](const SearchCandidate &each) { return timed(hill(each.localSize)); };
  for (std::string_view name : strategyNames())
    for (size_t most : {size_t{0}, size_t{1}, size_t{4}, size_t{12}, size_t{1000}}) {
      StrategyOptions options;
      options.maxMeasured = most;
      const Outcome outcome = play(name, list, truth, options);
      EXPECT_EQ(outcome.measured > 0, measures(name)) << name;
    }
}

TEST(Strategy, TheSameSeedGivesTheSameSteps) {
  const auto list = landscape([](const Dim3 &) { return 0.0; });
  const Truth truth = [](const SearchCandidate &each) { return timed(hill(each.localSize)); };
  for (std::string_view name : strategyNames()) {
    StrategyOptions options;
    options.seed = 42;
    EXPECT_EQ(play(name, list, truth, options).order, play(name, list, truth, options).order);
  }
  StrategyOptions one, two;
  one.seed = 1;
  two.seed = 2;
  EXPECT_NE(play("random", list, truth, one).order, play("random", list, truth, two).order);
}

TEST(Strategy, ExhaustiveFindsTheBest) {
  const auto list = landscape([](const Dim3 &) { return 0.0; });
  const Outcome outcome = play("exhaustive", list, [](const SearchCandidate &each) {
    return timed(each.id == "coarsen-8x2x1" ? 1 : 50);
  });
  EXPECT_EQ(outcome.measured, list.size() - 1);
  EXPECT_EQ(list[outcome.choice].id, "coarsen-8x2x1");
}

TEST(Strategy, AutoIsRightAtOnceWhereTheModelIs) {
  const auto list = landscape(hill);
  StrategyOptions options;
  options.maxMeasured = 3;
  const Outcome outcome = play(
      "auto", list, [](const SearchCandidate &each) { return timed(hill(each.localSize)); },
      options);
  EXPECT_EQ(list[outcome.choice].id, "resize-32x4x1");
}

// The model likes wide groups; narrow ones are better.
TEST(Strategy, AutoFindsItsWayWhereTheModelIsWrong) {
  const auto list = landscape([](const Dim3 &size) { return 100 / std::pow(size.x, 0.2); });
  const Truth truth = [](const SearchCandidate &each) {
    return timed(100 * (1 + 0.3 * std::abs(std::log2(each.localSize.x / 4.0)) +
                        0.2 * std::abs(std::log2(each.localSize.y / 16.0))));
  };
  StrategyOptions options;
  options.maxMeasured = 20; // of 33
  EXPECT_EQ(list[play("auto", list, truth, options).choice].id, "resize-4x16x1");
}

TEST(Strategy, AutoStopsAtTheBound) {
  auto list = landscape(hill);
  for (SearchCandidate &each : list)
    each.boundNs = 100;
  const Outcome outcome =
      play("auto", list, [](const SearchCandidate &each) { return timed(hill(each.localSize)); });
  EXPECT_EQ(list[outcome.choice].id, "resize-32x4x1");
  EXPECT_EQ(outcome.measured, 3U); // the first batch has the one that nothing can beat
}

TEST(Strategy, AutoStopsOnAPlateau) {
  const auto list = landscape([](const Dim3 &) { return 100.0; });
  unsigned count = 0;
  const Outcome outcome = play("auto", list, [&](const SearchCandidate &) {
    return timed(100 + 0.1 * (count++ % 3)); // noise
  });
  EXPECT_LT(outcome.measured, 12U);
}

TEST(Strategy, ClimbGoesUphill) {
  const auto list = landscape([](const Dim3 &) { return 0.0; });
  StrategyOptions options;
  options.maxMeasured = 20;
  const Outcome outcome = play(
      "climb", list, [](const SearchCandidate &each) { return timed(hill(each.localSize)); },
      options);
  EXPECT_EQ(list[outcome.choice].id, "resize-32x4x1");
}

TEST(Strategy, NothingThatIsOutIsChosen) {
  const auto list = landscape(hill);
  for (std::string_view name : strategyNames()) {
    const Outcome all = play(
        name, list, [](const SearchCandidate &) { return Observed{Observed::State::Out, 0, 0}; });
    const bool mayGuess = !measures(name) || name == "auto" || name == "random";
    EXPECT_TRUE(mayGuess || all.choice == 0) << name;
    const Outcome some = play(name, list, [](const SearchCandidate &each) {
      return each.technique == "resize" ? Observed{Observed::State::Out, 0, 0} : timed(5);
    });
    EXPECT_TRUE(!measures(name) || list[some.choice].technique != "resize") << name;
  }
}

TEST(Strategy, OneCandidateIsEnough) {
  const std::vector<SearchCandidate> list = {{"authored", "authored", {8, 8, 1}, 0, 0}};
  for (std::string_view name : strategyNames())
    EXPECT_EQ(play(name, list, [](const SearchCandidate &) { return timed(3); }).choice, 0U);
}

TEST(Strategy, FixedIsTheHabit) {
  auto nameOfChoice = [](const std::vector<SearchCandidate> &list) {
    return list[play("fixed", list, [](const SearchCandidate &) { return timed(3); }).choice].id;
  };
  EXPECT_EQ(nameOfChoice(landscape(hill)), "resize-16x16x1");
  EXPECT_EQ(nameOfChoice({{"authored", "authored", {64, 1, 1}, 0, 0},
                          {"coarsen-256x1x1", "coarsen", {256, 1, 1}, 0, 0},
                          {"resize-128x1x1", "resize", {128, 1, 1}, 0, 0}}),
            "resize-128x1x1");
}

TEST(Strategy, DistancesAreSteps) {
  auto of = [](const char *id, const char *technique, Dim3 size) {
    return SearchCandidate{id, technique, size, 0, 0};
  };
  const auto wide = of("resize-64x4x1", "resize", {64, 4, 1});
  EXPECT_EQ(distanceOf(wide, wide), 0);
  EXPECT_EQ(distanceOf(wide, of("resize-32x4x1", "resize", {32, 4, 1})), 1);
  EXPECT_EQ(distanceOf(wide, of("resize-4x64x1", "resize", {4, 64, 1})), 8);
  const auto pair = of("resize-64x4x1+coarsen-64x2x1", "resize+coarsen", {64, 2, 1});
  EXPECT_EQ(distanceOf(wide, pair), 2);
  EXPECT_EQ(distanceOf(pair, of("resize-64x4x1+coarsen-64x1x1", "resize+coarsen", {64, 1, 1})), 1);
  EXPECT_EQ(distanceOf(of("swizzle-8x8x1-morton", "swizzle", {8, 8, 1}),
                       of("swizzle-8x8x1-column", "swizzle", {8, 8, 1})),
            1);
  const auto authored = of("authored", "authored", {64, 8, 1});
  EXPECT_EQ(distanceOf(authored, wide), 1);
  EXPECT_EQ(distanceOf(wide, authored), 1);
}

TEST(Strategy, AnUnknownNameIsRefused) {
  const std::vector<SearchCandidate> list(1);
  Result<std::unique_ptr<Strategy>> strategy = makeStrategy("magic", list);
  ASSERT_FALSE(strategy);
  EXPECT_EQ(strategy.diagnostic().kind, ErrorKind::Usage);
  EXPECT_THAT(strategy.diagnostic().notes.at(0).text, HasSubstr("auto, exhaustive"));
}

TEST(Distance, ARequiredSubgroupSizeIsAStep) {
  SearchCandidate driver{"resize-64x1x1", "resize", {64, 1, 1}}, asked = driver, larger = driver;
  asked.subgroupSize = 16;
  larger.subgroupSize = 64;
  EXPECT_DOUBLE_EQ(distanceOf(driver, driver), 0);
  EXPECT_DOUBLE_EQ(distanceOf(driver, asked), 1);
  EXPECT_DOUBLE_EQ(distanceOf(asked, larger), 2);
  SearchCandidate authored{"authored", "authored", {64, 1, 1}}, authoredAsked = authored;
  authoredAsked.subgroupSize = 16;
  EXPECT_DOUBLE_EQ(distanceOf(authored, authoredAsked), 1);
}

} // namespace tailor
