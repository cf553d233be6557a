//===- unit/Devices/QuirksTests.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Devices/Quirks.h"

#include "gmock/gmock.h"

#include <bit>
#include <set>

using namespace tailor;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

static std::vector<std::string_view> keysOf(const DeviceIdentity &identity) {
  std::vector<std::string_view> keys;
  for (const Quirk *quirk : quirksOf(identity))
    keys.push_back(quirk->key);
  return keys;
}

/// Of Mesa and most others.
static constexpr uint32_t version(uint32_t major, uint32_t minor, uint32_t patch) {
  return apiVersion(major, minor, patch);
}

TEST(Quirks, EachSaysWhatWhereAndWhoReportedIt) {
  EXPECT_GE(quirks().size(), 15U);
  std::set<std::string_view> keys;
  for (const Quirk &quirk : quirks()) {
    EXPECT_TRUE(keys.insert(quirk.key).second) << quirk.key;
    EXPECT_TRUE(quirk.link.starts_with("https://") || quirk.link == "docs/devices.md") << quirk.key;
    EXPECT_FALSE(quirk.what.empty()) << quirk.key;
    EXPECT_NE(quirk.what.back(), '.') << quirk.key;
    EXPECT_NE(quirk.effects, 0U) << quirk.key;
    EXPECT_EQ(namesOf(quirk.effects).size(), size_t(std::popcount(quirk.effects)))
        << quirk.key << ": an effect has no name";
    EXPECT_TRUE(quirk.vendorId || quirk.driverId) << quirk.key << " is everybody's";
    EXPECT_TRUE(quirk.architecture.empty() || findArchitecture(quirk.architecture)) << quirk.key;
    const bool isCap = quirk.effects & (kCapBufferBytes | kCapInvocations);
    EXPECT_EQ(isCap, quirk.value != 0) << quirk.key;
    if (quirk.since && quirk.before) {
      EXPECT_LT(*quirk.since, *quirk.before) << quirk.key;
    }
  }
}

TEST(Quirks, VersionsAreDecodedAsEachDriverEncodesThem) {
  EXPECT_THAT(decodeDriverVersion(0x10de, kDriverNvidia, (550u << 22) | (54u << 14) | (15u << 6)),
              ElementsAre(550, 54, 15, 0));
  EXPECT_THAT(decodeDriverVersion(0x8086, kDriverIntelWindows, (101u << 14) | 2115),
              ElementsAre(101, 2115, 0, 0));
  EXPECT_THAT(decodeDriverVersion(0x106b, kDriverMoltenVk, 10205), ElementsAre(1, 2, 5, 0));
  EXPECT_THAT(decodeDriverVersion(0x8086, kDriverAnv, version(23, 1, 3)), ElementsAre(23, 1, 3, 0));
  EXPECT_THAT(decodeDriverVersion(0x10de, kDriverNvk, version(24, 3, 0)), ElementsAre(24, 3, 0, 0));
}

TEST(Quirks, HoldFromTheFirstVersionToTheOneThatMendsThem) {
  DeviceIdentity dg2{.vendorId = 0x8086, .deviceId = 0x56a0, .driverId = kDriverAnv};
  auto with = [&](uint32_t driverVersion) {
    dg2.driverVersion = driverVersion;
    return keysOf(dg2);
  };
  EXPECT_THAT(with(version(21, 1, 9)), Not(Contains("anv-query-copies-xe-hpg")));
  EXPECT_THAT(with(version(21, 2, 0)), Contains("anv-query-copies-xe-hpg"));
  EXPECT_THAT(with(version(23, 1, 2)), Contains("anv-query-copies-xe-hpg"));
  EXPECT_THAT(with(version(23, 1, 3)), Not(Contains("anv-query-copies-xe-hpg")));
  EXPECT_THAT(with(0), Contains("anv-query-copies-xe-hpg")) << "a version that is not known";
}

TEST(Quirks, MoltenVkCountsInDecimal) {
  DeviceIdentity m1{.vendorId = 0x106b, .driverId = kDriverMoltenVk, .name = "Apple M1"};
  m1.driverVersion = 10205;
  EXPECT_THAT(keysOf(m1), Contains("moltenvk-timestamp-period"));
  EXPECT_THAT(keysOf(m1), Not(Contains("moltenvk-timestamps-of-submissions")));
  m1.driverVersion = 10206;
  EXPECT_THAT(keysOf(m1), Not(Contains("moltenvk-timestamp-period")));
  EXPECT_THAT(keysOf(m1), Contains("moltenvk-timestamp-order"));
  m1.driverVersion = 10210;
  EXPECT_THAT(keysOf(m1), Not(Contains("moltenvk-timestamp-order")));
  EXPECT_THAT(keysOf(m1), Contains("moltenvk-zero-timestamps"));
  EXPECT_TRUE(effectsOf(quirksOf(m1)) & kNoDeviceTimestamps);
  EXPECT_TRUE(effectsOf(quirksOf(m1)) & kCheckWrites);
  EXPECT_FALSE(effectsOf(quirksOf(m1)) & kSubgroupSizeUnreliable) << "that is AMD's under MoltenVK";
  m1.vendorId = 0x1002;
  EXPECT_TRUE(effectsOf(quirksOf(m1)) & kSubgroupSizeUnreliable);
}

TEST(Quirks, IntelForWindowsByTheLastTwoPartsOfItsVersion) {
  DeviceIdentity uhd{.vendorId = 0x8086, .deviceId = 0x3e92, .driverId = kDriverIntelWindows};
  uhd.driverVersion = (101u << 14) | 2110;
  EXPECT_THAT(keysOf(uhd), Contains("intel-windows-old"));
  uhd.driverVersion = (101u << 14) | 2111;
  EXPECT_THAT(keysOf(uhd), Not(Contains("intel-windows-old")));
  EXPECT_THAT(keysOf(uhd), Contains("intel-windows-partial-subgroups"));
  EXPECT_THAT(keysOf(uhd), Contains("intel-gen9-subgroups"));
  uhd.deviceId = 0x56a0;
  EXPECT_THAT(keysOf(uhd), Not(Contains("intel-gen9-subgroups")));
}

TEST(Quirks, OldDriversByTheVersionOfVulkan) {
  DeviceIdentity t860{
      .vendorId = 0x13b5, .deviceId = 0x8602000, .driverId = kDriverArm, .name = "Mali-T860"};
  t860.apiVersion = apiVersion(1, 0, 66);
  EXPECT_THAT(keysOf(t860), Contains("mali-specialized-size"));
  EXPECT_THAT(keysOf(t860), Contains("mali-storage16"));
  t860.apiVersion = apiVersion(1, 0, 82);
  EXPECT_THAT(keysOf(t860), Contains("mali-specialized-size"));
  EXPECT_THAT(keysOf(t860), Not(Contains("mali-storage16")));
  t860.apiVersion = apiVersion(1, 1, 97);
  EXPECT_THAT(keysOf(t860), Not(Contains("mali-specialized-size")));
}

TEST(Quirks, ADevicesNameCanBeACondition) {
  DeviceIdentity adreno{.vendorId = 0x5143,
                        .deviceId = 0x44050001,
                        .driverId = kDriverQualcomm,
                        .apiVersion = apiVersion(1, 3, 284),
                        .name = "Adreno (TM) 830"};
  EXPECT_THAT(keysOf(adreno), Contains("adreno830-compiler"));
  EXPECT_THAT(keysOf(adreno), Contains("adreno8-near-square"));
  adreno.deviceId = 0x43051401;
  adreno.name = "Adreno (TM) 750";
  EXPECT_THAT(keysOf(adreno), ElementsAre("adreno-power-state"));
  adreno.driverId = kDriverTurnip;
  EXPECT_THAT(keysOf(adreno), IsEmpty()) << "another driver for the same device";
}

TEST(Quirks, CapsAreTheSmallest) {
  DeviceIdentity h200{.vendorId = 0x10de, .deviceId = 0x2335, .driverId = kDriverNvidia};
  std::vector<const Quirk *> found = quirksOf(h200);
  EXPECT_EQ(capOf(found, kCapBufferBytes), 0x7ffffffcU);
  EXPECT_EQ(capOf(found, kCapInvocations), std::nullopt);
  DeviceIdentity intel{.vendorId = 0x8086, .driverId = kDriverMoltenVk, .driverVersion = 10010};
  EXPECT_EQ(capOf(quirksOf(intel), kCapInvocations), 256U);
  intel.driverVersion = 10211;
  EXPECT_EQ(capOf(quirksOf(intel), kCapInvocations), std::nullopt);
}

TEST(Quirks, OfTheSoftwareDevices) {
  DeviceIdentity lavapipe{.vendorId = 0x10005,
                          .driverId = kDriverLlvmpipe,
                          .driverVersion = 1,
                          .name = "llvmpipe (LLVM 15.0.6, 256 bits)"};
  EXPECT_THAT(keysOf(lavapipe), ElementsAre("lavapipe-divergent-loops", "lavapipe-version"));
  EXPECT_THAT(namesOf(effectsOf(quirksOf(lavapipe))),
              ElementsAre("divergent_loops_wrong", "version_is_constant"));
  DeviceIdentity swiftshader{.vendorId = 0x1ae0,
                             .deviceId = 0xc0de,
                             .driverId = kDriverSwiftShader,
                             .driverVersion = version(5, 0, 0)};
  EXPECT_THAT(keysOf(swiftshader), ElementsAre("swiftshader-divergent-loops"));
}

TEST(Quirks, AnUnknownDeviceHasNone) {
  EXPECT_THAT(keysOf({}), IsEmpty());
  EXPECT_THAT(keysOf({.vendorId = 0xdead, .deviceId = 1, .driverId = 999, .name = "Mystery 1"}),
              IsEmpty());
}
