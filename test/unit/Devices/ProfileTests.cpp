//===- unit/Devices/ProfileTests.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Devices/Profile.h"

#include "Devices/Occupancy.h"

#include "gmock/gmock.h"

#include <algorithm>
#include <bit>
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

TEST(Profiles, SpecificationsComeFirstAndThenDevicesByVendor) {
  std::span<const DeviceProfile> profiles = deviceProfiles();
  EXPECT_GE(std::count_if(profiles.begin(), profiles.end(),
                          [](const DeviceProfile &profile) { return !profile.isMinimum; }),
            40);
  for (size_t at = 1; at < profiles.size(); ++at) {
    EXPECT_FALSE(profiles[at].isMinimum && !profiles[at - 1].isMinimum) << profiles[at].key;
    EXPECT_LE(profiles[at - 1].vendor, profiles[at].vendor) << profiles[at].key;
  }
}

TEST(Profiles, SubgroupsArePowersOfTwo) {
  for (const DeviceProfile &profile : deviceProfiles()) {
    EXPECT_EQ(profile.subgroupMin.has_value(), profile.subgroupMax.has_value()) << profile.key;
    EXPECT_TRUE(std::has_single_bit(profile.subgroupMin.value_or(1))) << profile.key;
    EXPECT_TRUE(std::has_single_bit(profile.subgroupMax.value_or(1))) << profile.key;
    EXPECT_LE(profile.subgroupMax.value_or(1), 128U) << "what Vulkan allows: " << profile.key;
  }
}

TEST(Profiles, DevicesHaveWhatVulkanPromises) {
  const DeviceProfile &least = **findProfile("vulkan-minimum");
  for (const DeviceProfile &profile : deviceProfiles()) {
    EXPECT_GE(profile.maxInvocations.value_or(UINT32_MAX), *least.maxInvocations) << profile.key;
    EXPECT_GE(profile.maxSharedBytes.value_or(UINT64_MAX), *least.maxSharedBytes) << profile.key;
    EXPECT_GE(profile.maxGroups.value_or(UINT32_MAX), *least.maxGroups) << profile.key;
    for (unsigned axis = 0; profile.maxSize && axis < 3; ++axis)
      EXPECT_GE((*profile.maxSize)[axis], (*least.maxSize)[axis]) << profile.key;
  }
}

TEST(Profiles, FiguresAreOfTheirUnits) {
  for (const DeviceProfile &profile : deviceProfiles()) {
    EXPECT_GE(profile.clockMhz.value_or(1000), 300U) << profile.key;
    EXPECT_LE(profile.clockMhz.value_or(1000), 4000U) << profile.key;
    EXPECT_GE(profile.memoryGBs.value_or(100), 10) << profile.key;
    EXPECT_LE(profile.memoryGBs.value_or(100), 20000) << profile.key;
    EXPECT_EQ(profile.l2Bytes.value_or(0) % 1024, 0U) << profile.key;
    EXPECT_LE(profile.unit.fp32Lanes.value_or(0), 256U) << profile.key;
    EXPECT_LE(profile.unit.units.value_or(0), 512U) << profile.key;
  }
}

TEST(Profiles, OccupancyIsKnownWhereAUnitIs) {
  size_t known = 0;
  for (const DeviceProfile &profile : deviceProfiles()) {
    std::optional<Occupancy> occupancy = occupancyOf(profile, {64, 1, 1}, 1024);
    EXPECT_EQ(occupancy.has_value(), profile.unit.invocations && profile.subgroupMax)
        << profile.key;
    if (!occupancy)
      continue;
    ++known;
    EXPECT_GE(occupancy->groups, 1U) << profile.key;
    EXPECT_GT(occupancy->share, 0) << profile.key;
    EXPECT_LE(occupancy->share, 1) << profile.key;
  }
  EXPECT_GE(known, 40U);
}

TEST(Profiles, AnEntryComesBeforeItsArchitecture) {
  const DeviceProfile &vega = **findProfile("amd-vega64");
  EXPECT_EQ(vega.architecture, "GCN 5, gfx9");
  EXPECT_EQ(vega.architectureKey, "gcn5");
  EXPECT_EQ(vega.unit.units, 64U) << "its own";
  EXPECT_EQ(vega.unit.invocations, 2560U) << "its architecture's";
  EXPECT_EQ((*findProfile("adreno-650"))->unit.registers, 32768U);
  EXPECT_EQ((*findProfile("adreno-740"))->unit.registers, 49152U);
  EXPECT_FALSE((*findProfile("intel-arc-140v"))->memoryGBs);
}

TEST(Profiles, ArchitecturesHaveKeysOfTheirOwn) {
  std::set<std::string_view> keys;
  for (const DeviceProfile &architecture : architectures()) {
    EXPECT_TRUE(keys.insert(architecture.key).second) << architecture.key;
    EXPECT_EQ(findArchitecture(architecture.key), &architecture);
    EXPECT_FALSE(architecture.source.empty()) << architecture.key;
    EXPECT_FALSE(architecture.vendor.empty()) << architecture.key;
    EXPECT_FALSE(architecture.unit.units) << "how many is a device's: " << architecture.key;
  }
  EXPECT_EQ(findArchitecture("none"), nullptr);
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
