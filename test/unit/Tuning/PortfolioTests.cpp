//===- PortfolioTests.cpp - Few variants for many devices ----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Outcomes.h"
#include "TestSupport.h"
#include "Tuning/Portfolio.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace tailor;
using namespace tailor::test;

namespace {

PortfolioTable tableOf(const std::vector<std::vector<double>> &ns) {
  PortfolioTable table;
  table.ns = ns;
  for (size_t v = 0; v < ns[0].size(); ++v)
    table.variants.push_back("v" + std::to_string(v));
  table.places.resize(ns.size());
  return table;
}

/// Uncovered places and the sum of logarithms of a set's losses, by the definition.
std::pair<size_t, double> costOf(const PortfolioTable &table, unsigned set) {
  size_t uncovered = 0;
  double sum = 0;
  for (const std::vector<double> &row : table.ns) {
    double best = INFINITY, ours = INFINITY;
    for (size_t v = 0; v < row.size(); ++v) {
      if (row[v] <= 0)
        continue;
      best = std::min(best, row[v]);
      if (set >> v & 1)
        ours = std::min(ours, row[v]);
    }
    if (std::isinf(ours)) {
      ++uncovered;
      continue;
    }
    if (ours / best > 1.01)
      sum += std::log(ours / best);
  }
  return {uncovered, sum};
}

PortfolioTable randomTable(std::mt19937 &random, size_t places, size_t variants) {
  std::vector<std::vector<double>> ns(places, std::vector<double>(variants));
  for (auto &row : ns) {
    for (double &each : row)
      each = random() % 5 == 0 ? 0 : 1 + static_cast<double>(random() % 1000) / 100;
    if (std::all_of(row.begin(), row.end(), [](double each) { return each == 0; }))
      row[0] = 1;
  }
  return tableOf(ns);
}

} // namespace

TEST(Portfolio, TakesWhatIsBestForAll) {
  // v0 is never bad, v1 and v2 are each the best at one place.
  PortfolioTable table = tableOf({{2, 1, 9}, {2, 9, 1}});
  Portfolio one = choosePortfolio(table, {.variants = 1});
  EXPECT_EQ(one.best.chosen, std::vector<size_t>{0});
  EXPECT_DOUBLE_EQ(one.best.meanLoss, 2);
  EXPECT_DOUBLE_EQ(one.best.worstLoss, 2);
  EXPECT_TRUE(one.best.exact);
  Portfolio two = choosePortfolio(table, {.variants = 2});
  EXPECT_EQ(two.best.chosen, (std::vector<size_t>{1, 2}));
  EXPECT_EQ(two.best.use, (std::vector<size_t>{1, 2}));
  EXPECT_DOUBLE_EQ(two.best.meanLoss, 1);
  // A third one gains nothing: the smallest of equal sets.
  Portfolio three = choosePortfolio(table, {.variants = 3});
  EXPECT_EQ(three.best.chosen, two.best.chosen);
  EXPECT_EQ(three.sizes.size(), 2U);
  // Good enough is enough.
  EXPECT_EQ(choosePortfolio(table, {.variants = 3, .worstLoss = 2}).best.chosen.size(), 1U);
  EXPECT_EQ(choosePortfolio(table, {.variants = 3, .worstLoss = 1.9}).best.chosen.size(), 2U);
}

TEST(Portfolio, ADifferenceWithinTheNoiseIsNone) {
  // v1 is faster than the authored module everywhere, by nothing that counts.
  Portfolio one = choosePortfolio(tableOf({{100, 99.5}, {200, 199}}), {.variants = 2});
  EXPECT_EQ(one.best.chosen, std::vector<size_t>{0});
  EXPECT_EQ(one.best.cost, 0);
  EXPECT_NEAR(one.best.meanLoss, 1.005, 1e-4);
  Portfolio two = choosePortfolio(tableOf({{100, 98}, {200, 201}}), {.variants = 2});
  EXPECT_EQ(two.best.chosen, std::vector<size_t>{1});
}

TEST(Portfolio, CoversEveryPlaceFirst) {
  // v1 is the best where it runs, v0 runs everywhere.
  PortfolioTable table = tableOf({{100, 1}, {100, 1}, {5, 0}});
  Portfolio one = choosePortfolio(table, {.variants = 1});
  EXPECT_EQ(one.best.chosen, std::vector<size_t>{0});
  EXPECT_EQ(one.best.uncovered, 0U);
  Portfolio nowhere = choosePortfolio(tableOf({{1, 0}, {0, 1}}), {.variants = 1});
  EXPECT_EQ(nowhere.best.uncovered, 1U);
  EXPECT_EQ(nowhere.best.loss[1], 0);
  EXPECT_EQ(nowhere.best.use[1], SIZE_MAX);
}

TEST(Portfolio, IsTheBestOfAllSetsWhereItSaysSo) {
  std::mt19937 random(3);
  for (int turn = 0; turn < 60; ++turn) {
    PortfolioTable table = randomTable(random, 1 + random() % 8, 2 + random() % 9);
    for (size_t k = 1; k <= 4; ++k) {
      Portfolio answer = choosePortfolio(table, {.variants = k});
      ASSERT_TRUE(answer.best.exact);
      ASSERT_LE(answer.best.chosen.size(), k);
      std::pair<size_t, double> best(SIZE_MAX, 0);
      for (unsigned set = 1; set < 1U << table.variants.size(); ++set)
        if (static_cast<size_t>(__builtin_popcount(set)) <= k) {
          auto cost = costOf(table, set);
          if (cost.first < best.first || (cost.first == best.first && cost.second < best.second))
            best = cost;
        }
      EXPECT_EQ(answer.best.uncovered, best.first);
      EXPECT_NEAR(answer.best.cost, best.second, 1e-7);
      unsigned chosen = 0;
      for (size_t v : answer.best.chosen)
        chosen |= 1U << v;
      EXPECT_NEAR(costOf(table, chosen).second, answer.best.cost, 1e-7);
    }
  }
}

TEST(Portfolio, BeyondItsEffortItSaysThatItIsNotExactAndIsStillGood) {
  std::mt19937 random(5);
  PortfolioTable table = randomTable(random, 60, 120);
  Portfolio quick = choosePortfolio(table, {.variants = 8, .effort = 50});
  EXPECT_FALSE(quick.best.exact);
  EXPECT_EQ(quick.best.chosen.size(), 8U);
  EXPECT_EQ(quick.best.uncovered, 0U);
  for (size_t i = 1; i < quick.sizes.size(); ++i)
    EXPECT_LT(quick.sizes[i].cost, quick.sizes[i - 1].cost);
  Portfolio again = choosePortfolio(table, {.variants = 8, .effort = 50});
  EXPECT_EQ(again.best.chosen, quick.best.chosen);
  // No exchange of one variant gains, and eight of the best single variants are no match.
  for (size_t i = 0; i < 8; ++i)
    for (size_t v = 0; v < 120; ++v) {
      double sum = 0;
      for (const std::vector<double> &row : table.ns) {
        double best = INFINITY, ours = INFINITY;
        for (size_t w = 0; w < row.size(); ++w) {
          bool in = w == v || (w != quick.best.chosen[i] &&
                               std::count(quick.best.chosen.begin(), quick.best.chosen.end(), w));
          if (row[w] > 0)
            best = std::min(best, row[w]);
          if (row[w] > 0 && in)
            ours = std::min(ours, row[w]);
        }
        sum += ours / best > 1.01 ? std::log(ours / best) : 0;
      }
      EXPECT_GE(sum, quick.best.cost - 1e-6);
    }
}

TEST(Portfolio, TablesTakeTheLatestOfEachPlace) {
  StoredWinner old = winnerOf("small"), now = old, other = old, wrong = old;
  old.key.deviceKey = deviceKeyOf({.driverVersion = 1});
  now.key.deviceKey = deviceKeyOf({.driverVersion = 2});
  now.date = "2024-03-01T12:00:00Z";
  now.candidates[1].medianNs = 500;
  now.candidates[2] = {"late", {8, 1, 1}, CandidateState::Dropped, "slow", 7, 0, 1, true};
  other.key.deviceKey = deviceKeyOf({.driver = 99});
  other.deviceName = "a second driver";
  wrong.kernel = "another";
  for (StoredCandidate &candidate : wrong.candidates)
    candidate.verified = false;
  std::vector<StoredWinner> outcomes = {old, now, other, wrong};
  std::vector<PortfolioTable> tables = portfolioTables(outcomes);
  ASSERT_EQ(tables.size(), 1U) << "a kernel without a time is left out";
  const PortfolioTable &table = tables[0];
  EXPECT_EQ(table.kernel, "blur");
  EXPECT_EQ(table.variants, (std::vector<std::string>{"authored", "resize-64x1x1", "late"}));
  ASSERT_EQ(table.places.size(), 2U);
  EXPECT_EQ(table.places[0].deviceName, "a second driver");
  EXPECT_EQ(table.ns[0], (std::vector<double>{2001, 1000.5, 0}));
  EXPECT_EQ(table.ns[1], (std::vector<double>{2001, 500, 7}));
}
