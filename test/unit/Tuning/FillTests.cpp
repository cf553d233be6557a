//===- FillTests.cpp - Deterministic contents --------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Fill.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace tailor;
using vulkan::ElementType;

namespace {

template <typename T> std::vector<T> elementsOf(const std::vector<std::byte> &bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

Fill randomFill(uint64_t seed) {
  Fill fill;
  fill.kind = Fill::Kind::Random;
  fill.seed = seed;
  return fill;
}

Fill randomFill(uint64_t seed, double min, double max) {
  Fill fill = randomFill(seed);
  fill.min = min;
  fill.max = max;
  return fill;
}

} // namespace

// The published first outputs of splitmix64 for seed 1234567: the stream must
// never change, since stored results depend on it.
TEST(Fill, RandomStreamIsSplitMix64) {
  const uint64_t expected[] = {6457827717110365317U, 3203168211198807973U, 9817491932198370423U,
                               4593380528125082431U, 16408922859458223821U};
  for (uint64_t i = 0; i < 5; ++i)
    EXPECT_EQ(randomBits(1234567, i), expected[i]) << "position " << i;
}

TEST(Fill, RandomFloatsStayInTheirRange) {
  std::vector<float> values =
      elementsOf<float>(makeElements(randomFill(7, -2, 3), {ElementType::F32, false}, 10000));
  float low = 0, high = 0;
  for (float v : values) {
    ASSERT_GE(v, -2.0F);
    ASSERT_LE(v, 3.0F);
    low = std::min(low, v);
    high = std::max(high, v);
  }
  EXPECT_LT(low, -1.99F);
  EXPECT_GT(high, 2.99F);
}

TEST(Fill, RandomIntegersReachBothEnds) {
  std::vector<int32_t> values =
      elementsOf<int32_t>(makeElements(randomFill(7, -2, 2), {ElementType::I32, false}, 1000));
  std::vector<unsigned> seen(5);
  for (int32_t v : values) {
    ASSERT_GE(v, -2);
    ASSERT_LE(v, 2);
    ++seen[static_cast<size_t>(v + 2)];
  }
  for (unsigned count : seen)
    EXPECT_GT(count, 150U);
}

TEST(Fill, SequenceWrapsInSmallTypes) {
  Fill fill;
  fill.kind = Fill::Kind::Sequence;
  std::vector<uint8_t> bytes =
      elementsOf<uint8_t>(makeElements(fill, {ElementType::U8, false}, 258));
  EXPECT_EQ(bytes[255], 255);
  EXPECT_EQ(bytes[257], 1);
  std::vector<float> floats = elementsOf<float>(makeElements(fill, {ElementType::F32, false}, 4));
  EXPECT_EQ(floats, (std::vector<float>{0, 1, 2, 3}));
}

TEST(Fill, NormalizedComponentsAreScaled) {
  std::vector<uint8_t> values =
      elementsOf<uint8_t>(makeElements(randomFill(1, 1, 1), {ElementType::U8, true}, 3));
  EXPECT_EQ(values, (std::vector<uint8_t>{255, 255, 255}));
}

TEST(Fill, AFillIsTheSameEveryTime) {
  EXPECT_EQ(makeElements(randomFill(3), {ElementType::U32, false}, 100),
            makeElements(randomFill(3), {ElementType::U32, false}, 100));
  EXPECT_NE(makeElements(randomFill(3), {ElementType::U32, false}, 100),
            makeElements(randomFill(4), {ElementType::U32, false}, 100));
}

TEST(Fill, EveryHalfSurvivesTheWayThroughDouble) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto half = static_cast<uint16_t>(bits);
    double value = vulkan::halfToDouble(half);
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(vulkan::halfToDouble(halfFromDouble(value))));
    else
      ASSERT_EQ(halfFromDouble(value), half) << "bits " << bits;
  }
}

TEST(Fill, HalvesRoundToEven) {
  EXPECT_EQ(halfFromDouble(1.0 + 1.0 / 2048), 0x3c00) << "a tie goes to the even neighbour";
  EXPECT_EQ(halfFromDouble(1.0 + 3.0 / 2048), 0x3c02);
  EXPECT_EQ(halfFromDouble(65519.9), 0x7bff);
  EXPECT_EQ(halfFromDouble(65520.0), 0x7c00) << "infinity";
  EXPECT_EQ(halfFromDouble(0x1.0p-25), 0x0000) << "halfway to the smallest denormal";
  EXPECT_EQ(halfFromDouble(0x1.8p-25), 0x0001);
}

TEST(Fill, ValuesMustFitTheirType) {
  std::vector<std::byte> out;
  EXPECT_TRUE(appendInteger(out, ElementType::U8, false, 255));
  EXPECT_FALSE(appendInteger(out, ElementType::U8, false, 256));
  EXPECT_FALSE(appendInteger(out, ElementType::U32, true, 1));
  EXPECT_TRUE(appendInteger(out, ElementType::I8, true, 128));
  EXPECT_FALSE(appendInteger(out, ElementType::I8, true, 129));
  EXPECT_TRUE(appendInteger(out, ElementType::U64, false, UINT64_MAX));
  EXPECT_FALSE(appendElement(out, ElementType::I32, 0.5));
  EXPECT_EQ(out.size(), 10U);
}
