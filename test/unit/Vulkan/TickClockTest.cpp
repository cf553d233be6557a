//===- unit/Vulkan/TickClockTest.cpp - Tests of Vulkan/TickClock --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Vulkan/TickClock.h"

#include <gtest/gtest.h>

#include <array>

using namespace tailor::vulkan;

namespace {

TEST(TickClock, ScalesTicksByThePeriod) {
  TickClock clock(2.5, 64);
  EXPECT_DOUBLE_EQ(clock.spanNs(100, 140).value(), 100.0);
}

TEST(TickClock, RejectsZeroAndNegativeSpans) {
  TickClock wide(1, 64), narrow(1, 36);
  EXPECT_FALSE(wide.spanNs(7, 7).has_value());
  EXPECT_FALSE(wide.spanNs(8, 7).has_value());
  EXPECT_FALSE(narrow.spanNs(8, 7).has_value());
}

TEST(TickClock, AllowsForAWrap) {
  TickClock clock(1, 36);
  uint64_t last = (uint64_t{1} << 36) - 1;
  EXPECT_DOUBLE_EQ(clock.spanNs(last - 9, 10).value(), 20.0);
}

TEST(TickClock, IgnoresBitsThatAreNotValid) {
  TickClock clock(1, 32);
  uint64_t noise = uint64_t{0xabcd} << 32;
  EXPECT_DOUBLE_EQ(clock.spanNs(100, 150 | noise).value(), 50.0);
  EXPECT_FALSE(clock.spanNs(100, 100 | noise).has_value());
}

TEST(TickClock, LearnsTheStep) {
  TickClock clock(1, 64);
  EXPECT_EQ(clock.stepNs(), 0);
  (void)clock.spanNs(0, 320);
  (void)clock.spanNs(320, 320 + 416);
  EXPECT_DOUBLE_EQ(clock.stepNs(), 32.0);
  (void)clock.spanNs(9, 9); // no span teaches nothing
  EXPECT_DOUBLE_EQ(clock.stepNs(), 32.0);
}

TEST(Statistics, MedianTakesTheMiddle) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median(std::array{3.0, 1.0, 2.0}), 2);
  EXPECT_EQ(median(std::array{4.0, 1.0, 2.0, 3.0}), 2.5);
}

TEST(Statistics, SpreadIgnoresAnOutlier) {
  EXPECT_EQ(relativeSpread(std::array{5.0}), 0);
  EXPECT_EQ(relativeSpread(std::array{10.0, 10.0, 10.0, 10.0, 900.0}), 0);
  EXPECT_DOUBLE_EQ(relativeSpread(std::array{9.0, 10.0, 11.0}), 0.1);
}

} // namespace
