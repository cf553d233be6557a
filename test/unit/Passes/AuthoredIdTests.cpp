//===- Passes/AuthoredIdTests.cpp - Orders are permutations ---------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/SwizzleGroups.h"
#include "passes/SwizzleLanes.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <set>

using namespace tailor;

namespace {

/// Every authored invocation is run by exactly one lane.
void expectPermutation(const LaneSwizzle &swizzle, const Dim3 &authored) {
  ASSERT_TRUE(bool(checkSwizzle(swizzle, authored))) << authored.str();
  std::set<Dim3> seen;
  for (uint32_t index = 0; index < authored.product(); ++index) {
    Dim3 local = swizzledLane(swizzle, authored, index);
    for (unsigned axis = 0; axis < 3; ++axis)
      ASSERT_LT(local[axis], authored[axis])
          << nameOf(swizzle.order) << " " << authored.str() << " lane " << index;
    ASSERT_TRUE(seen.insert(local).second)
        << nameOf(swizzle.order) << " " << authored.str() << " lane " << index;
  }
}

} // namespace

TEST(SwizzleLanes, EveryOrderIsAPermutation) {
  for (uint32_t x : {1u, 2u, 3u, 4u, 6u, 8u, 16u, 64u})
    for (uint32_t y : {1u, 2u, 3u, 4u, 6u, 8u, 16u, 64u})
      for (uint32_t z : {1u, 2u, 3u}) {
        Dim3 authored{x, y, z};
        expectPermutation({LaneOrder::Row, {}}, authored);
        expectPermutation({LaneOrder::Column, {}}, authored);
        if (checkSwizzle({LaneOrder::Morton, {}}, authored))
          expectPermutation({LaneOrder::Morton, {}}, authored);
        for (uint32_t tx = 1; tx <= x; ++tx)
          for (uint32_t ty = 1; ty <= y; ++ty)
            if (x % tx == 0 && y % ty == 0 && x * y <= 256)
              expectPermutation({LaneOrder::Tile, {tx, ty, 1}}, authored);
      }
}

TEST(SwizzleLanes, OrdersAreWhatTheyAreCalled) {
  const Dim3 authored{4, 2, 2};
  using Local = Dim3;
  EXPECT_EQ(swizzledLane({LaneOrder::Row, {}}, authored, 5), (Local{1, 1, 0}));
  EXPECT_EQ(swizzledLane({LaneOrder::Row, {}}, authored, 13), (Local{1, 1, 1}));
  EXPECT_EQ(swizzledLane({LaneOrder::Column, {}}, authored, 5), (Local{2, 1, 0}));
  EXPECT_EQ(swizzledLane({LaneOrder::Morton, {}}, authored, 5), (Local{3, 0, 0}));
  EXPECT_EQ(swizzledLane({LaneOrder::Tile, {2, 2, 1}}, authored, 5), (Local{3, 0, 0}));
  EXPECT_EQ(swizzledLane({LaneOrder::Tile, {2, 1, 1}}, authored, 5), (Local{1, 1, 0}));
  EXPECT_EQ(swizzledLane({LaneOrder::Morton, {}}, {2, 8, 1}, 13), (Local{1, 6, 0}));
}

TEST(SwizzleLanes, OrdersThatDoNotFitAreRefused) {
  EXPECT_FALSE(bool(checkSwizzle({LaneOrder::Morton, {}}, {12, 8, 1})));
  EXPECT_TRUE(bool(checkSwizzle({LaneOrder::Morton, {}}, {16, 8, 3})));
  EXPECT_FALSE(bool(checkSwizzle({LaneOrder::Tile, {3, 2, 1}}, {8, 8, 1})));
  EXPECT_FALSE(bool(checkSwizzle({LaneOrder::Tile, {16, 1, 1}}, {8, 8, 1})));
}

TEST(SwizzleGroups, BandsAreAPermutationOfEveryGrid) {
  for (uint32_t gx = 1; gx <= 13; ++gx)
    for (uint32_t gy = 1; gy <= 13; ++gy)
      for (uint32_t rows = 1; rows <= 15; ++rows) {
        std::set<Dim3> seen;
        for (uint32_t y = 0; y < gy; ++y)
          for (uint32_t x = 0; x < gx; ++x) {
            Dim3 moved = swizzledGroup({x, y, 7}, {gx, gy, 9}, rows);
            ASSERT_LT(moved.x, gx);
            ASSERT_LT(moved.y, gy);
            ASSERT_EQ(moved.z, 7u);
            ASSERT_EQ(moved.y / rows, y / rows) << "another band";
            ASSERT_TRUE(seen.insert(moved).second)
                << gx << "x" << gy << " rows " << rows << " at " << x << "," << y;
          }
      }
}

TEST(SwizzleGroups, GroupsInABandRunColumnByColumn) {
  const Dim3 groups{3, 5, 1};
  // The last band has one row.
  const Dim3 expected[] = {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}, {0, 3, 0}, {1, 0, 0},
                           {1, 1, 0}, {1, 2, 0}, {1, 3, 0}, {2, 0, 0}, {2, 1, 0},
                           {2, 2, 0}, {2, 3, 0}, {0, 4, 0}, {1, 4, 0}, {2, 4, 0}};
  for (uint32_t at = 0; at < 15; ++at)
    EXPECT_EQ(swizzledGroup({at % 3, at / 3, 0}, groups, 4), expected[at]) << at;
}

TEST(SwizzleGroups, NothingWrapsInTheLargestGrids) {
  for (uint32_t rows : {2u, 3u, 8u, 1000u, kMaxBandRows})
    for (uint32_t gx :
         {UINT32_MAX / rows - 1, UINT32_MAX / rows, UINT32_MAX / rows + 1, UINT32_MAX})
      for (uint32_t gy : {1u, rows - 1, rows, rows + 1, 65535u, UINT32_MAX})
        for (uint32_t x : {0u, 1u, gx / 2, gx - 1})
          for (uint32_t y : {0u, gy / 2, gy - 1}) {
            Dim3 moved = swizzledGroup({x, y, 0}, {gx, gy, 1}, rows);
            if (gx > UINT32_MAX / rows) {
              EXPECT_EQ(moved, (Dim3{x, y, 0})) << "the authored order";
              continue;
            }
            const uint64_t band = y / rows * uint64_t{rows};
            const uint64_t height = std::min<uint64_t>(gy - band, rows);
            const uint64_t number = (y - band) * gx + x;
            EXPECT_EQ(moved.x, number / height);
            EXPECT_EQ(moved.y, band + number % height);
          }
}
