//===- KnownDeviceTests.cpp - What is known of a device at hand --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/KnownDevice.h"

#include <gtest/gtest.h>

using namespace tailor;

namespace {

vulkan::DeviceInfo deviceOf(const std::string &name, uint32_t vendor, uint32_t driver) {
  vulkan::DeviceInfo info;
  info.name = name + " (2)"; // as the second of its name
  info.deviceName = name;
  info.vendorId = vendor;
  info.driverId = driver;
  info.limits.maxLocalSize = {1024, 1024, 64};
  info.limits.maxInvocations = 1024;
  info.limits.maxGroups = {2147483647, 65535, 65535};
  info.limits.maxSharedBytes = 49152;
  info.limits.subgroupSize = info.limits.minSubgroupSize = info.limits.maxSubgroupSize = 32;
  return info;
}

} // namespace

TEST(KnownDevice, IsRecognizedByWhatItsDriverSays) {
  const vulkan::DeviceInfo h200 = deviceOf("NVIDIA H200", 0x10de, kDriverNvidia);
  ASSERT_TRUE(recognize(h200).profile);
  EXPECT_EQ(recognize(h200).profile->key, "nvidia-h200");
  const DeviceProfile profile = profileOf(h200);
  EXPECT_EQ(profile.maxGroups, 65535U); // the smallest of the axes
  EXPECT_EQ(profile.maxSharedBytes, 49152U);
  EXPECT_TRUE(profile.memoryGBs); // of which no driver tells
}

TEST(KnownDevice, OfAStrangerTheLimitsAreKnown) {
  const DeviceProfile profile = profileOf(deviceOf("Quux 9000", 0x9999, 0));
  EXPECT_EQ(profile.key, "generic");
  EXPECT_EQ(profile.maxInvocations, 1024U);
  EXPECT_EQ(profile.subgroupWidth(), 32U);
  EXPECT_FALSE(profile.memoryGBs);
}
