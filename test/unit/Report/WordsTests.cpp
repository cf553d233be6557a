//===- WordsTests.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Report/Parts.h"
#include "Report/Words.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace report = tailor::report;

TEST(ReportWords, Figures) {
  EXPECT_EQ(report::figure(0), "0.0000");
  EXPECT_EQ(report::figure(0.01234), "0.0123");
  EXPECT_EQ(report::figure(1.234), "1.23");
  EXPECT_EQ(report::figure(12.34), "12.3");
  EXPECT_EQ(report::figure(999.7), "1,000");
  EXPECT_EQ(report::figure(1234567), "1,234,567");
  EXPECT_EQ(report::figure(1e300), "1.00e+300");
  EXPECT_EQ(report::figure(std::numeric_limits<double>::quiet_NaN()), "?");
  EXPECT_EQ(report::shortFigure(1), "1");
  EXPECT_EQ(report::shortFigure(0.05), "0.05");
  EXPECT_EQ(report::timeTick(1e6), "1 ms");
  EXPECT_EQ(report::time(1500), "1.50 µs");
  EXPECT_EQ(report::time(0), "-");
  EXPECT_EQ(report::count(1, "variant"), "1 variant");
  EXPECT_EQ(report::count(0, "variant"), "0 variants");
  EXPECT_EQ(report::size({16, 8, 1}), "16×8");
  EXPECT_EQ(report::size({16, 8, 2}), "16×8×2");
}

TEST(ReportWords, TechniqueIsTheIdWithoutSizes) {
  auto techniqueOf = [](const char *id, uint32_t subgroup = 0) {
    tailor::StoredCandidate candidate;
    candidate.variantId = id;
    candidate.subgroupSize = subgroup;
    return report::techniqueOf(candidate);
  };
  EXPECT_EQ(techniqueOf("authored"), "authored");
  EXPECT_EQ(techniqueOf("resize-64x1x1"), "resize");
  EXPECT_EQ(techniqueOf("coarsen-16x4x1+swizzle-16x4x1-tile4x4"), "coarsen + swizzle tile4x4");
  EXPECT_EQ(techniqueOf("resize-64x1x1", 32), "resize, subgroups of 32");
  EXPECT_EQ(techniqueOf(""), "");
}

TEST(ReportWords, RankCorrelation) {
  auto of = [](std::vector<double> a, std::vector<double> b) {
    return report::rankCorrelation(a, b);
  };
  EXPECT_DOUBLE_EQ(of({1, 2, 3, 4}, {10, 200, 201, 1e9}), 1);
  EXPECT_DOUBLE_EQ(of({1, 2, 3, 4}, {4, 3, 2, 1}), -1);
  EXPECT_DOUBLE_EQ(of({1, 2, 3}, {5, 5, 5}), 0);
  EXPECT_DOUBLE_EQ(of({}, {}), 0);
  // By hand: ranks 1, 2.5, 2.5, 4 and 1, 3, 2, 4; 4.5 over the root of 4.5 times 5.
  EXPECT_NEAR(of({1, 2, 2, 3}, {1, 3, 2, 4}), 4.5 / std::sqrt(4.5 * 5), 1e-12);
}

TEST(ReportWords, HeatStyles) {
  EXPECT_EQ(report::heatStyle(0.3), "h0");
  EXPECT_EQ(report::heatStyle(0.5), "h0");
  EXPECT_EQ(report::heatStyle(0.51), "h1");
  EXPECT_EQ(report::heatStyle(1), "h5");
  EXPECT_EQ(report::heatStyle(1.019), "h5");
  EXPECT_EQ(report::heatStyle(1.03), "h6");
  EXPECT_EQ(report::heatStyle(2.1), "h10");
  EXPECT_EQ(report::heatStyle(0), "");
}
