//===- unit/Devices/OccupancyTests.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Devices/Occupancy.h"

#include "gtest/gtest.h"

using namespace tailor;

static const DeviceProfile &profileOf(std::string_view key) { return **findProfile(key); }

TEST(Occupancy, InvocationsFillTheUnit) {
  std::optional<Occupancy> h200 = occupancyOf(profileOf("nvidia-h200"), {256, 1, 1}, 0);
  ASSERT_TRUE(h200);
  EXPECT_EQ(h200->groups, 8U);
  EXPECT_EQ(h200->invocations, 2048U);
  EXPECT_EQ(h200->share, 1.0);
  EXPECT_EQ(h200->limit, OccupancyLimit::Invocations);
  EXPECT_EQ(h200->registersLeft, 32U);
}

TEST(Occupancy, SmallGroupsRunIntoTheNumberOfGroups) {
  std::optional<Occupancy> h200 = occupancyOf(profileOf("nvidia-h200"), {8, 4, 1}, 0);
  ASSERT_TRUE(h200);
  EXPECT_EQ(h200->groups, 32U);
  EXPECT_EQ(h200->share, 0.5);
  EXPECT_EQ(h200->limit, OccupancyLimit::Groups);
  EXPECT_EQ(h200->registersLeft, 64U);
}

TEST(Occupancy, APartialSubgroupTakesTheRoomOfAFullOne) {
  // 48 invocations take 64 lanes: 1536/64 = 24 groups, above the 16 that the unit holds.
  std::optional<Occupancy> ampere = occupancyOf(profileOf("nvidia-rtx3090"), {48, 1, 1}, 0);
  ASSERT_TRUE(ampere);
  EXPECT_EQ(ampere->groups, 16U);
  EXPECT_EQ(ampere->invocations, 768U);
  // 1000 take 1024: one group, where two would be 2000 of 1536 anyway.
  ampere = occupancyOf(profileOf("nvidia-rtx3090"), {1000, 1, 1}, 0);
  ASSERT_TRUE(ampere);
  EXPECT_EQ(ampere->groups, 1U);
  EXPECT_EQ(ampere->invocations, 1000U);
}

TEST(Occupancy, WorkgroupMemoryWithWhatEachGroupReserves) {
  // 48 KiB and 1 KiB reserved: 233472/50176 = 4.65.
  std::optional<Occupancy> h200 = occupancyOf(profileOf("nvidia-h200"), {64, 1, 1}, 49152);
  ASSERT_TRUE(h200);
  EXPECT_EQ(h200->groups, 4U);
  EXPECT_EQ(h200->limit, OccupancyLimit::SharedMemory);
  EXPECT_EQ(h200->share, 0.125);
  EXPECT_EQ(h200->registersLeft, 255U) << "no invocation can have more";
}

TEST(Occupancy, RegistersWhereTheyAreGiven) {
  std::optional<Occupancy> h200 = occupancyOf(profileOf("nvidia-h200"), {256, 1, 1}, 0, 64);
  ASSERT_TRUE(h200);
  EXPECT_EQ(h200->groups, 4U);
  EXPECT_EQ(h200->limit, OccupancyLimit::Registers);
}

TEST(Occupancy, NoneFits) {
  std::optional<Occupancy> h200 = occupancyOf(profileOf("nvidia-h200"), {4096, 1, 1}, 0);
  ASSERT_TRUE(h200);
  EXPECT_EQ(h200->groups, 0U);
  EXPECT_FALSE(h200->registersLeft);
}

TEST(Occupancy, NothingIsSaidWithoutTheFacts) {
  EXPECT_FALSE(occupancyOf(profileOf("vulkan-minimum"), {64, 1, 1}, 0));
  EXPECT_FALSE(occupancyOf(profileOf("llvmpipe"), {64, 1, 1}, 0));
}

TEST(Occupancy, IdleLanes) {
  EXPECT_EQ(idleLaneShare(64, 32), 0.0);
  EXPECT_EQ(idleLaneShare(8, 32), 0.75);
  EXPECT_EQ(idleLaneShare(48, 32), 0.25);
  EXPECT_EQ(idleLaneShare(0, 32), 0.0);
}
