//===- Support/Dim3Tests.cpp ---------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support/Dim3.h"

#include "gtest/gtest.h"

#include <random>

using namespace tailor;

TEST(Dim3, ParsesSizes) {
  EXPECT_EQ(parseDim3("64"), (Dim3{64, 1, 1}));
  EXPECT_EQ(parseDim3("8x16"), (Dim3{8, 16, 1}));
  EXPECT_EQ(parseDim3("8x4x2"), (Dim3{8, 4, 2}));
  EXPECT_EQ(parseDim3("4294967295"), (Dim3{UINT32_MAX, 1, 1}));
}

TEST(Dim3, RefusesEverythingElse) {
  for (const char *text : {"", "0", "8x0", "x8", "8x", "8x8x", "8x8x8x8", "8 x8", " 8", "8 ", "-8",
                           "+8", "8X8", "0x10x", "8,8", "4294967296", "99999999999999999999", "a"})
    EXPECT_EQ(parseDim3(text), std::nullopt) << "'" << text << "'";
  EXPECT_EQ(parseDim3(std::string_view("8\0", 2)), std::nullopt);
}

TEST(Dim3, TextGoesBothWays) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    Dim3 size{uint32_t(1 + random() % 2000), uint32_t(1 + random() % 2000),
              uint32_t(1 + random() % 64)};
    EXPECT_EQ(parseDim3(size.str()), size);
  }
}

TEST(Dim3, ProductSaturates) {
  EXPECT_EQ((Dim3{8, 8, 4}).product(), 256u);
  EXPECT_EQ((Dim3{8, 0, 4}).product(), 0u);
  EXPECT_EQ((Dim3{UINT32_MAX, UINT32_MAX, 0}).product(), 0u);
  EXPECT_EQ((Dim3{UINT32_MAX, UINT32_MAX, UINT32_MAX}).product(), UINT64_MAX);
  EXPECT_EQ((Dim3{1u << 31, 1u << 31, 3}).product(), 3ull << 62);
  EXPECT_EQ((Dim3{1u << 31, 1u << 31, 4}).product(), UINT64_MAX);
}

TEST(Dim3, AxesByIndex) {
  Dim3 size{2, 3, 5};
  size[1] = 7;
  EXPECT_EQ(size[0], 2u);
  EXPECT_EQ(size.y, 7u);
  EXPECT_EQ(size.array(), (std::array<uint32_t, 3>{2, 7, 5}));
}
