//===- unit/Devices/ProfileTests.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Devices/Profile.h"

#include "gmock/gmock.h"

#include <set>

using namespace tailor;

TEST(Profiles, KeysAreUniqueAndTypable) {
  std::set<std::string_view> keys;
  for (const DeviceProfile &profile : deviceProfiles()) {
    EXPECT_TRUE(keys.insert(profile.key).second) << profile.key;
    EXPECT_EQ(profile.key.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"),
              std::string_view::npos)
        << profile.key;
    EXPECT_NE(profile.key, "list") << "the command line's word for all of them";
  }
}

TEST(Profiles, EveryEntryNamesItselfAndItsSource) {
  for (const DeviceProfile &profile : deviceProfiles()) {
    EXPECT_FALSE(profile.name.empty()) << profile.key;
    EXPECT_FALSE(profile.source.empty()) << profile.key;
    EXPECT_NE(profile.isMinimum, !profile.vendor.empty())
        << profile.key << ": a specification has no vendor, a device has one";
  }
}

TEST(Profiles, WhatIsNotKnownIsLeftOutAndNotZero) {
  for (const DeviceProfile &profile : deviceProfiles()) {
    auto isGiven = [](const auto &value) { return !value || *value != 0; };
    EXPECT_TRUE(isGiven(profile.subgroupMin) && isGiven(profile.subgroupMax)) << profile.key;
    EXPECT_TRUE(isGiven(profile.maxInvocations) && isGiven(profile.maxSharedBytes)) << profile.key;
    EXPECT_TRUE(isGiven(profile.maxGroups)) << profile.key;
    if (profile.maxSize) {
      EXPECT_THAT(*profile.maxSize, testing::Each(testing::Gt(0U))) << profile.key;
    }
    const UnitFacts &unit = profile.unit;
    EXPECT_TRUE(isGiven(unit.units) && isGiven(unit.invocations) && isGiven(unit.groups))
        << profile.key;
    EXPECT_TRUE(isGiven(unit.sharedBytes) && isGiven(unit.registers)) << profile.key;
  }
}

TEST(Profiles, FiguresOfAProfileAgreeWithEachOther) {
  for (const DeviceProfile &profile : deviceProfiles()) {
    if (profile.subgroupMin && profile.subgroupMax) {
      EXPECT_LE(*profile.subgroupMin, *profile.subgroupMax) << profile.key;
    }
    if (profile.maxSize && profile.maxInvocations) {
      for (uint32_t extent : *profile.maxSize)
        EXPECT_LE(extent, *profile.maxInvocations) << profile.key;
    }
    const UnitFacts &unit = profile.unit;
    if (unit.invocations && profile.maxInvocations) {
      EXPECT_GE(*unit.invocations, *profile.maxInvocations) << profile.key;
    }
    if (unit.sharedBytes && profile.maxSharedBytes) {
      EXPECT_GE(*unit.sharedBytes, *profile.maxSharedBytes) << profile.key;
    }
    if (unit.invocations && profile.subgroupMax) {
      EXPECT_EQ(*unit.invocations % *profile.subgroupMax, 0U) << profile.key;
    }
  }
}

TEST(Profiles, AreFoundByKey) {
  Result<const DeviceProfile *> found = findProfile("nvidia-h200");
  ASSERT_TRUE(found);
  EXPECT_EQ((*found)->unit.units, 132U);
  EXPECT_EQ((*found)->unit.sharedBytes, 228U * 1024);
  EXPECT_EQ((*found)->subgroupWidth(), 32U);
  found = findProfile("webgpu-default");
  ASSERT_TRUE(found);
  EXPECT_EQ((*found)->maxInvocations, 256U);
  EXPECT_FALSE((*found)->subgroupWidth()) << "no width is promised";
}

TEST(Profiles, AnUnknownKeyNamesTheNearest) {
  Result<const DeviceProfile *> unknown = findProfile("nvidia-h20");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.diagnostic().kind, ErrorKind::Usage);
  EXPECT_EQ(unknown.diagnostic().text, "there is no device profile 'nvidia-h20'");
  ASSERT_EQ(unknown.diagnostic().notes.size(), 2U);
  EXPECT_EQ(unknown.diagnostic().notes[0].text, "did you mean 'nvidia-h200'?");
  EXPECT_EQ(unknown.diagnostic().notes[1].text, "`--profile list` lists them");
  unknown = findProfile("");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.diagnostic().notes.size(), 1U);
}
