//===- unit/Vulkan/CompareTest.cpp - Tests of Vulkan/Compare --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Vulkan/Compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

using namespace tailor;
using namespace tailor::vulkan;

namespace {

template <typename T>
Comparison compared(const std::vector<T> &expected, const std::vector<T> &actual,
                    const CompareRule &rule) {
  auto result = compare(std::as_bytes(std::span(expected)), std::as_bytes(std::span(actual)), rule);
  EXPECT_TRUE(bool(result)) << (result ? "" : result.diagnostic().text);
  return result ? *result : Comparison{};
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(Compare, ExactNamesTheFirstMismatchAndCountsAll) {
  Comparison c =
      compared<float>({1, 2, 3, 4}, {1, 2.25F, 3, 0}, CompareRule::exact(ElementType::F32));
  EXPECT_EQ(c.mismatches, 2U);
  EXPECT_EQ(c.firstMismatch, 1U);
  EXPECT_EQ(c.str(), "2 of 4 elements differ, first at 1: expected 2, got 2.25 (largest error 4)");
}

TEST(Compare, ExactTellsZerosApartAndTakesEqualNanBits) {
  EXPECT_EQ(compared<float>({0.0F}, {-0.0F}, CompareRule::exact(ElementType::F32)).mismatches, 1U);
  EXPECT_TRUE(compared<float>({kNan}, {kNan}, CompareRule::exact(ElementType::F32)).equal());
  EXPECT_FALSE(
      compared<uint32_t>({0x7fc00000}, {0x7fc00001}, CompareRule::exact(ElementType::F32)).equal());
}

TEST(Compare, UlpCountsRepresentableValues) {
  float next = std::nextafter(1.0F, 2.0F), nextButOne = std::nextafter(next, 2.0F);
  CompareRule one = CompareRule::withinUlps(ElementType::F32, 1);
  EXPECT_TRUE(compared<float>({1.0F}, {next}, one).equal());
  Comparison c = compared<float>({1.0F}, {nextButOne}, one);
  EXPECT_FALSE(c.equal());
  EXPECT_EQ(c.maxUlps, 2U);
}

TEST(Compare, UlpCrossesZero) {
  float small = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(
      compared<float>({-small}, {small}, CompareRule::withinUlps(ElementType::F32, 2)).maxUlps, 2U);
  EXPECT_TRUE(
      compared<float>({0.0F}, {-0.0F}, CompareRule::withinUlps(ElementType::F32, 0)).equal());
}

TEST(Compare, UlpOfHalvesAndDoubles) {
  EXPECT_TRUE(
      compared<uint16_t>({0x3c00}, {0x3c01}, CompareRule::withinUlps(ElementType::F16, 1)).equal());
  EXPECT_FALSE(
      compared<uint16_t>({0x3c00}, {0x3c02}, CompareRule::withinUlps(ElementType::F16, 1)).equal());
  double next = std::nextafter(1.0, 2.0);
  EXPECT_TRUE(
      compared<double>({1.0}, {next}, CompareRule::withinUlps(ElementType::F64, 1)).equal());
  // The whole line of doubles does not overflow the count.
  double huge = std::numeric_limits<double>::max();
  EXPECT_GT(compared<double>({-huge}, {huge}, CompareRule::withinUlps(ElementType::F64, 1)).maxUlps,
            uint64_t{1} << 63);
}

TEST(Compare, TolerantModesKeepNanApartFromNumbers) {
  std::vector<CompareRule> rules = {CompareRule::withinUlps(ElementType::F32, UINT64_MAX - 1),
                                    CompareRule::within(ElementType::F32, 1e30, 1)};
  for (const CompareRule &rule : rules) {
    EXPECT_FALSE(compared<float>({1.0F}, {kNan}, rule).equal());
    EXPECT_FALSE(compared<float>({kNan}, {1.0F}, rule).equal());
    EXPECT_TRUE(compared<float>({kNan}, {-kNan}, rule).equal());
  }
}

TEST(Compare, AbsoluteAndRelativeAdd) {
  CompareRule rule = CompareRule::within(ElementType::F32, 0.5, 0.1);
  EXPECT_TRUE(compared<float>({10}, {11.5F}, rule).equal());
  Comparison c = compared<float>({10}, {11.75F}, rule);
  EXPECT_FALSE(c.equal());
  EXPECT_DOUBLE_EQ(c.maxAbsoluteError, 1.75);
}

TEST(Compare, InfinityIsNoToleranceForNumbers) {
  CompareRule rule = CompareRule::within(ElementType::F32, 1, 1);
  EXPECT_FALSE(compared<float>({kInf}, {1.0F}, rule).equal());
  EXPECT_FALSE(compared<float>({kInf}, {-kInf}, rule).equal());
  EXPECT_TRUE(compared<float>({kInf}, {kInf}, rule).equal());
}

TEST(Compare, IntegersUseTheirSign) {
  CompareRule one = CompareRule::within(ElementType::I8, 1);
  EXPECT_TRUE(compared<int8_t>({-1}, {0}, one).equal());
  one.type = ElementType::U8;
  EXPECT_FALSE(compared<uint8_t>({0xff}, {0}, one).equal());
  EXPECT_TRUE(compared<uint8_t>({254}, {255}, one).equal());
  EXPECT_FALSE(compared<int32_t>({1}, {2}, CompareRule::withinUlps(ElementType::I32, 5)).equal());
}

TEST(Compare, RefusesUnequalLengthsAndBrokenElements) {
  std::vector<uint8_t> three(3), four(4);
  auto lengths = compare(std::as_bytes(std::span(three)), std::as_bytes(std::span(four)), {});
  ASSERT_FALSE(bool(lengths));
  EXPECT_EQ(lengths.diagnostic().text, "outputs of 3 and 4 bytes cannot be compared");
  auto whole = compare(std::as_bytes(std::span(three)), std::as_bytes(std::span(three)), {});
  ASSERT_FALSE(bool(whole));
  EXPECT_EQ(whole.diagnostic().text, "an output of 3 bytes is no whole number of u32 elements");
}

TEST(Compare, HalvesConvertExactly) {
  EXPECT_EQ(halfToDouble(0x3c00), 1.0);
  EXPECT_EQ(halfToDouble(0xc000), -2.0);
  EXPECT_EQ(halfToDouble(0x0001), std::ldexp(1.0, -24));
  EXPECT_EQ(halfToDouble(0x7bff), 65504.0);
  EXPECT_TRUE(std::isinf(halfToDouble(0x7c00)));
  EXPECT_TRUE(std::isnan(halfToDouble(0x7e00)));
}

TEST(Compare, ElementTypesHaveNames) {
  for (std::string_view name :
       {"u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f16", "f32", "f64"}) {
    auto type = parseElementType(name);
    ASSERT_TRUE(type.has_value()) << name;
    EXPECT_EQ(nameOf(*type), name);
    EXPECT_EQ(bytesOf(*type) * 8, static_cast<uint32_t>(std::stoul(std::string(name.substr(1)))));
  }
  EXPECT_FALSE(parseElementType("f8").has_value());
}

} // namespace
