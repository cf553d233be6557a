//===- LookupTests.cpp - Tiers and staleness -----------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Outcomes.h"
#include "TestSupport.h"
#include "Tuning/Lookup.h"

#include <gtest/gtest.h>

using namespace tailor;
using namespace tailor::test;

namespace {

constexpr const char *kTool = "spirv-tailor test";

/// Devices 1 to 9 of a vendor are of one architecture, 10 to 19 of the next.
DeviceFamily recognizeByTens(const DeviceParts &device) {
  return {"V" + std::to_string(device.vendorId), "A" + std::to_string(device.deviceId / 10)};
}

StoredWinner outcomeOn(const KeyParts &device, const std::string &date = "2024-01-01") {
  StoredWinner w = winnerOf("small");
  w.key.deviceKey = deviceKeyOf(device);
  w.deviceName = device.name;
  w.date = date;
  return w;
}

WinnerKey keyOn(const KeyParts &device) { return outcomeOn(device).key; }

} // namespace

TEST(Lookup, GoesThroughItsTiers) {
  KeyParts here{.vendor = 1, .device = 5, .driverVersion = 9, .driverInfo = "", .name = "five"};
  KeyParts old = here, sibling = here, cousin = here, stranger = here;
  old.driverVersion = 8;
  sibling.device = 6;
  sibling.name = "six";
  cousin.device = 15;
  cousin.name = "fifteen";
  stranger.vendor = 2;
  std::vector<StoredWinner> all = {outcomeOn(stranger), outcomeOn(cousin), outcomeOn(sibling),
                                   outcomeOn(old), outcomeOn(here)};
  const LookupTier tiers[] = {LookupTier::Model, LookupTier::Vendor, LookupTier::Architecture,
                              LookupTier::OtherDriver, LookupTier::Exact};
  const char *words[] = {
      ("not measured on this device, its architecture or its vendor's devices: only the model can "
       "tell"),
      "measured on fifteen, another device of V1",
      "measured on six, another device of the architecture V1 A0",
      "measured on this device with another driver: the driver has changed from version 8 to 9",
      "measured on this device with this driver"};
  for (size_t i = 0; i < 5; ++i) {
    std::span<const StoredWinner> known(all.data(), i + 1);
    LookupAnswer answer = lookUp(known, keyOn(here), kTool, recognizeByTens);
    EXPECT_EQ(answer.tier, tiers[i]) << nameOf(answer.tier);
    EXPECT_EQ(answer.why, words[i]);
    EXPECT_EQ(answer.outcome.has_value(), i > 0);
    if (answer.outcome) {
      EXPECT_EQ(*answer.outcome, all[i]);
    }
    EXPECT_EQ(answer.isCurrent(), i == 4);
  }
  EXPECT_EQ(nameOf(LookupTier::OtherDriver), "other_driver");
  EXPECT_EQ(nameOf(LookupTier::Model), "model");
}

TEST(Lookup, ThroughTheDatabase) {
  TemporaryFolder folder;
  std::unique_ptr<Database> db = openOrFail(folder.file("w.db"));
  ASSERT_TRUE(db);
  KeyParts here, old;
  old.driverInfo = "535.1";
  ASSERT_TRUE(db->store(outcomeOn(old)));
  StoredWinner other = outcomeOn(here);
  other.key.sizeHash = "large";
  ASSERT_TRUE(db->store(other));
  Result<LookupAnswer> answer = lookUp(*db, keyOn(here), kTool);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->tier, LookupTier::OtherDriver);
  EXPECT_EQ(answer->why, "measured on this device with another driver: the driver has changed "
                         "from '535.1' to '550.54'");
  WinnerKey unknown = keyOn(here);
  unknown.variantHash = "others";
  answer = lookUp(*db, unknown, kTool);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->tier, LookupTier::Model);
}

TEST(Lookup, KnowsDevicesByTheirNumbersAndNames) {
  KeyParts h200, h100{.device = 0x2330, .name = "NVIDIA H100 80GB HBM3"},
      t4{.device = 0x1eb8, .name = "Tesla T4"};
  std::vector<StoredWinner> known = {outcomeOn(t4)};
  LookupAnswer answer = lookUp(known, keyOn(h200), kTool);
  EXPECT_EQ(answer.tier, LookupTier::Vendor);
  EXPECT_EQ(answer.why, "measured on Tesla T4, another device of NVIDIA");
  known.push_back(outcomeOn(h100));
  answer = lookUp(known, keyOn(h200), kTool);
  EXPECT_EQ(answer.tier, LookupTier::Architecture);
  EXPECT_EQ(answer.why.substr(0, 50), "measured on NVIDIA H100 80GB HBM3, another device ");
  h200.vendor = h100.vendor = 0x12345; // nobody's number
  h200.name = h100.name = "a new one";
  h200.driver = h100.driver = 0;
  known = {outcomeOn(h100)};
  EXPECT_EQ(lookUp(known, keyOn(h200), kTool).tier, LookupTier::Model);
  // What the tuner stored of a device counts where its numbers say nothing.
  known[0].vendor = "Own";
  known[0].architecture = "One";
  auto recognize = [&](const DeviceParts &device) {
    return device.deviceId == h100.device ? DeviceFamily() : DeviceFamily{"Own", "One"};
  };
  EXPECT_EQ(lookUp(known, keyOn(h200), kTool, recognize).tier, LookupTier::Architecture);
}

TEST(Lookup, AWinnerBeyondTheLimitsIsNoAdvice) {
  KeyParts here{.device = 0x1eb8, .name = "Tesla T4", .maxInvocations = 32}, other;
  std::vector<StoredWinner> known = {outcomeOn(other)}; // its winner has 64 invocations
  EXPECT_EQ(lookUp(known, keyOn(here), kTool).tier, LookupTier::Model);
  known[0].winnerSize = {32, 1, 1};
  EXPECT_EQ(lookUp(known, keyOn(here), kTool).tier, LookupTier::Vendor);
}

TEST(Lookup, TheLatestOfATierCountsAndOtherToolsAreNamed) {
  KeyParts here, first, second;
  first.driverInfo = "1";
  second.driverInfo = "2";
  std::vector<StoredWinner> known = {outcomeOn(first, "2024-01-02"), outcomeOn(second)};
  LookupAnswer answer = lookUp(known, keyOn(here), kTool);
  ASSERT_TRUE(answer.outcome);
  EXPECT_EQ(answer.outcome->key.deviceKey, deviceKeyOf(first));
  known = {outcomeOn(here)};
  answer = lookUp(known, keyOn(here), "spirv-tailor next");
  EXPECT_EQ(answer.tier, LookupTier::Exact);
  EXPECT_TRUE(answer.toolChanged);
  EXPECT_FALSE(answer.isCurrent());
  EXPECT_EQ(answer.why, "measured on this device with this driver; it was measured by "
                        "spirv-tailor test, this is spirv-tailor next");
}

TEST(Standing, FollowsTheDevicesAtHand) {
  KeyParts now, old;
  old.driverInfo = "535.1";
  std::vector<StoredWinner> outcomes = {outcomeOn(old)};
  CurrentDrivers nothing({}, outcomes);
  EXPECT_FALSE(nothing.standingOf(outcomes[0], kTool).isStale());
  std::vector<std::string> here = {deviceKeyOf(now)};
  Standing standing = CurrentDrivers(here, outcomes).standingOf(outcomes[0], kTool);
  EXPECT_TRUE(standing.driverChanged);
  EXPECT_FALSE(standing.toolChanged);
  EXPECT_EQ(standing.why, "the driver has changed from '535.1' to '550.54'");
  // The outcome of a driver that is still there stands beside another one's.
  here.push_back(deviceKeyOf(old));
  EXPECT_FALSE(CurrentDrivers(here, outcomes).standingOf(outcomes[0], kTool).isStale());
  // A driver of another maker is said to be one.
  KeyParts foreign = now;
  foreign.driver = 99;
  here = {deviceKeyOf(foreign)};
  EXPECT_EQ(CurrentDrivers(here, outcomes).standingOf(outcomes[0], kTool).why,
            "another driver runs the device: then '535.1', now '550.54'");
  KeyParts limits = old;
  limits.maxInvocations = 512;
  here = {deviceKeyOf(limits)};
  EXPECT_EQ(CurrentDrivers(here, outcomes).standingOf(outcomes[0], kTool).why,
            "the driver has the same version and other limits");
}

TEST(Standing, OfDevicesElsewhereFollowsTheLatestOutcome) {
  KeyParts now, old, other;
  old.driverInfo = "535.1";
  other.driver = 99; // a second driver of the same device, in its only version
  std::vector<StoredWinner> outcomes = {outcomeOn(old), outcomeOn(now, "2024-02-01"),
                                        outcomeOn(other)};
  CurrentDrivers drivers({}, outcomes);
  EXPECT_TRUE(drivers.standingOf(outcomes[0], kTool).driverChanged);
  EXPECT_FALSE(drivers.standingOf(outcomes[1], kTool).isStale());
  EXPECT_FALSE(drivers.standingOf(outcomes[2], kTool).isStale());
  Standing tool = drivers.standingOf(outcomes[1], "spirv-tailor next");
  EXPECT_TRUE(tool.toolChanged);
  EXPECT_EQ(tool.why, "it was measured by spirv-tailor test, this is spirv-tailor next");
  KnownBad bad;
  bad.deviceKey = deviceKeyOf(old);
  bad.tool = kTool;
  EXPECT_TRUE(drivers.standingOf(bad, kTool).driverChanged);
}

namespace {

StoredWinner outcomeAt(const Dim3 &groups, const std::string &module = "m") {
  StoredWinner w = winnerOf(groups.str());
  w.key.moduleHash = module;
  w.key.sizeHash = groups.str();
  w.groups = groups;
  return w;
}

std::string nearestTo(const Dim3 &groups, std::vector<StoredWinner> outcomes) {
  keepNearestSizes(outcomes, groups);
  std::string text;
  for (const StoredWinner &each : outcomes)
    text += (text.empty() ? "" : " ") + each.key.moduleHash + ":" + each.sizeName;
  return text;
}

} // namespace

TEST(NearestSize, GoesByTheRatioOfTheNumbersOfGroups) {
  const std::vector<StoredWinner> sizes = {outcomeAt({16, 1, 1}), outcomeAt({1024, 1, 1})};
  EXPECT_EQ(nearestTo({16, 1, 1}, sizes), "m:16x1x1");
  EXPECT_EQ(nearestTo({1, 1, 1}, sizes), "m:16x1x1");
  EXPECT_EQ(nearestTo({127, 1, 1}, sizes), "m:16x1x1");
  EXPECT_EQ(nearestTo({129, 1, 1}, sizes), "m:1024x1x1");
  EXPECT_EQ(nearestTo({65535, 65535, 65535}, sizes), "m:1024x1x1");
}

TEST(NearestSize, AsFarFromBothIsTheLargerInWhateverOrder) {
  EXPECT_EQ(nearestTo({128, 1, 1}, {outcomeAt({16, 1, 1}), outcomeAt({1024, 1, 1})}), "m:1024x1x1");
  EXPECT_EQ(nearestTo({128, 1, 1}, {outcomeAt({1024, 1, 1}), outcomeAt({16, 1, 1})}), "m:1024x1x1");
}

TEST(NearestSize, OfEquallyManyGroupsTheShapeDecides) {
  const std::vector<StoredWinner> sizes = {outcomeAt({4096, 1, 1}), outcomeAt({64, 64, 1}),
                                           outcomeAt({16, 16, 16})};
  EXPECT_EQ(nearestTo({32, 128, 1}, sizes), "m:64x64x1");
  EXPECT_EQ(nearestTo({2048, 2, 1}, sizes), "m:4096x1x1");
  EXPECT_EQ(nearestTo({16, 16, 8}, sizes), "m:16x16x16");
}

TEST(NearestSize, EachKernelAndDeviceHasItsOwn) {
  StoredWinner elsewhere = outcomeAt({8, 1, 1}, "a");
  elsewhere.key.deviceKey = deviceKeyOf({.device = 1});
  EXPECT_EQ(
      nearestTo({9, 1, 1}, {outcomeAt({64, 1, 1}, "b"), outcomeAt({4, 1, 1}, "a"),
                            outcomeAt({8, 1, 1}, "b"), elsewhere, outcomeAt({16, 1, 1}, "a")}),
      "b:8x1x1 a:8x1x1 a:16x1x1");
  EXPECT_EQ(nearestTo({9, 1, 1}, {}), "");
}
