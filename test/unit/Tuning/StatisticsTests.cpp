//===- StatisticsTests.cpp - What a few times say ---------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Statistics.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace tailor;

TEST(Statistics, WhatBothHaveInCommonGoesOutOfAPair) {
  // A clock that halves meanwhile hides a gain of 2 % from every other reading.
  const std::vector<double> theirs{100, 110, 130, 150, 180, 200};
  std::vector<double> mine;
  for (double time : theirs)
    mine.push_back(0.98 * time);
  Gain gain = gainOf(theirs, mine);
  EXPECT_NEAR(gain.middle, 0.02, 1e-12);
  EXPECT_NEAR(gain.low, 0.02, 1e-12);
  EXPECT_NEAR(gain.high, 0.02, 1e-12);
}

TEST(Statistics, TooFewPairsSayNothing) {
  for (const std::vector<double> &mine :
       {std::vector<double>{}, std::vector<double>{50}, std::vector<double>{50, 0}}) {
    Gain gain = gainOf(std::vector<double>{100, 100}, mine);
    EXPECT_EQ(gain.low, -1);
    EXPECT_EQ(gain.high, 1);
  }
}

TEST(Statistics, EqualTimesSeldomLookLikeAGain) {
  // Six pairs of equals with 1 % of noise: in about 1 of 40 the interval lies above zero, and a
  // bootstrap of so few is a little narrow.
  std::mt19937 random(1);
  std::normal_distribution<double> noise(1, 0.01);
  unsigned gains = 0, runs = 1000;
  for (unsigned run = 0; run != runs; ++run) {
    std::vector<double> theirs, mine;
    for (unsigned i = 0; i != 6; ++i) {
      theirs.push_back(100 * noise(random));
      mine.push_back(100 * noise(random));
    }
    gains += gainOf(theirs, mine).low > 0 ? 1 : 0;
  }
  EXPECT_LT(gains, runs / 10);
  EXPECT_GT(gains, 0U);
}

TEST(Statistics, AGainOfThreeTimesTheNoiseIsSeen) {
  std::mt19937 random(2);
  std::normal_distribution<double> noise(1, 0.01);
  unsigned seen = 0, runs = 200;
  for (unsigned run = 0; run != runs; ++run) {
    std::vector<double> theirs, mine;
    for (unsigned i = 0; i != 6; ++i) {
      theirs.push_back(100 * noise(random));
      mine.push_back(97 * noise(random));
    }
    seen += gainOf(theirs, mine).low > 0 ? 1 : 0;
  }
  EXPECT_GT(seen, runs * 9 / 10);
}
