//===- unit/Vulkan/DeviceTest.cpp - Tests of Vulkan/Device --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestDevices.h"

#include "Vulkan/Handles.h"

#include <algorithm>
#include <set>

using namespace tailor;
using namespace tailor::vulkan;
using namespace tailor::vulkan::test;

namespace {

TEST(Devices, OneIsThereAtLeast) {
  if (instance()) {
    EXPECT_FALSE((*instance())->devices().empty());
    EXPECT_TRUE((*instance())->validating() || !inCi());
    return;
  }
  if (inCi())
    FAIL() << instance().diagnostic().text;
  GTEST_SKIP() << instance().diagnostic().text;
}

TEST(Devices, NoDriverIsSaidWithVkDriverFiles) {
  const char *before = std::getenv("VK_DRIVER_FILES");
  std::string kept = before ? before : "";
  ::setenv("VK_DRIVER_FILES", "/nonexistent/driver.json", 1);
  auto made = Instance::create(false);
  if (before)
    ::setenv("VK_DRIVER_FILES", kept.c_str(), 1);
  else
    ::unsetenv("VK_DRIVER_FILES");
  ASSERT_FALSE(bool(made));
  const Diagnostic &d = made.diagnostic();
  EXPECT_EQ(d.kind, ErrorKind::Environment);
  EXPECT_EQ(d.text, "no Vulkan device was found: no driver could be loaded");
  ASSERT_EQ(d.notes.size(), 1U);
  EXPECT_THAT(d.notes[0].text,
              ::testing::HasSubstr("VK_DRIVER_FILES is '/nonexistent/driver.json'"));
}

TEST(Devices, OrderAndNamesAreTheSameEveryTime) {
  if (!instance())
    GTEST_SKIP() << instance().diagnostic().text;
  auto again = Instance::create(false);
  ASSERT_TRUE(bool(again));
  std::vector<std::string> first, second;
  for (const DeviceInfo &info : (*instance())->devices())
    first.push_back(info.name + info.key());
  for (const DeviceInfo &info : (*again)->devices())
    second.push_back(info.name + info.key());
  EXPECT_EQ(first, second);
}

TEST(Devices, EqualNamesGetANumber) {
  std::vector<DeviceInfo> devices = allDevices();
  std::set<std::string> names;
  for (const DeviceInfo &info : devices)
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
  // The same driver twice is two devices of one name.
  const char *before = std::getenv("VK_DRIVER_FILES");
  if (!before || devices.empty())
    GTEST_SKIP() << "VK_DRIVER_FILES names no driver to list twice";
  std::string kept = before, first = kept.substr(0, kept.find(':'));
  std::string copy = ::testing::TempDir() + "/tailor-same-driver.json";
  std::string command = "sed 's#\"\\./#\"" + first.substr(0, first.rfind('/')) + "/#' '" + first +
                        "' > '" + copy + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  ::setenv("VK_DRIVER_FILES", (first + ":" + copy).c_str(), 1);
  auto twice = Instance::create(false);
  ::setenv("VK_DRIVER_FILES", kept.c_str(), 1);
  ASSERT_TRUE(bool(twice)) << twice.diagnostic().text;
  ASSERT_EQ((*twice)->devices().size(), 2U);
  EXPECT_EQ((*twice)->devices()[1].name, (*twice)->devices()[0].name + " (2)");
}

TEST(Devices, AreFoundByPartOfTheName) {
  for (const DeviceInfo &info : allDevices()) {
    auto whole = (*instance())->find(info.name);
    ASSERT_TRUE(bool(whole));
    EXPECT_EQ(whole->key(), info.key());
  }
  if (!instance())
    GTEST_SKIP() << instance().diagnostic().text;
  auto none = (*instance())->find("no such device");
  ASSERT_FALSE(bool(none));
  EXPECT_EQ(none.diagnostic().text, "no device is named 'no such device'");
  EXPECT_EQ(none.diagnostic().notes.size(), allDevices().size());
  EXPECT_EQ(none.diagnostic().kind, ErrorKind::Environment);
}

class DeviceFacts : public OnDevice {};
TAILOR_ON_EVERY_DEVICE(DeviceFacts);

TEST_P(DeviceFacts, AreWithinWhatVulkanPromises) {
  const DeviceLimits &limits = info().limits;
  EXPECT_GE(limits.maxInvocations, 128U);
  EXPECT_GE(limits.maxLocalSize.x, 128U);
  EXPECT_GE(limits.maxGroups.x, 65535U);
  EXPECT_GE(limits.maxSharedBytes, 16384U);
  EXPECT_GE(limits.maxPushConstantBytes, 128U);
  EXPECT_GE(limits.subgroupSize, 1U);
  EXPECT_LE(limits.minSubgroupSize, limits.maxSubgroupSize);
  EXPECT_GT(limits.timestampPeriodNs, 0);
  EXPECT_GT(limits.deviceLocalBytes, 0U);
  EXPECT_NE(info().driverId, 0U);
  EXPECT_FALSE(info().driverName.empty());
  EXPECT_THAT(info().apiVersionText(), ::testing::MatchesRegex("1\\.[1-9]\\.[0-9]+"));
}

TEST_P(DeviceFacts, KeyNamesEveryPartOfTheIdentity) {
  DeviceInfo base = info();
  auto differs = [&](auto change) {
    DeviceInfo other = base;
    change(other);
    return other.key() != base.key();
  };
  EXPECT_TRUE(differs([](DeviceInfo &d) { ++d.vendorId; }));
  EXPECT_TRUE(differs([](DeviceInfo &d) { ++d.deviceId; }));
  EXPECT_TRUE(differs([](DeviceInfo &d) { ++d.driverId; }));
  EXPECT_TRUE(differs([](DeviceInfo &d) { ++d.driverVersion; }));
  EXPECT_TRUE(differs([](DeviceInfo &d) { d.driverInfo += "x"; }));
  EXPECT_TRUE(differs([](DeviceInfo &d) { d.deviceName += "x"; }));
  EXPECT_TRUE(differs([](DeviceInfo &d) { ++d.limits.maxInvocations; }));
  EXPECT_TRUE(differs([](DeviceInfo &d) { ++d.limits.maxGroups.x; }));
  EXPECT_TRUE(differs([](DeviceInfo &d) { ++d.limits.maxSharedBytes; }));
  // The suffix that tells equal devices apart is no part of what they are.
  EXPECT_FALSE(differs([](DeviceInfo &d) { d.name += " (2)"; }));
}

TEST_P(DeviceFacts, TheValidationLayerIsHeard) {
  if (!(*instance())->validating())
    GTEST_SKIP() << "the validation layer is not installed";
  VkDescriptorPoolCreateInfo nothing{};
  nothing.sType =
      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO; // for no set at all: against the rules
  VkDescriptorPool pool = VK_NULL_HANDLE;
  if (vkCreateDescriptorPool(device->impl().device, &nothing, nullptr, &pool) == VK_SUCCESS)
    vkDestroyDescriptorPool(device->impl().device, pool, nullptr);
  EXPECT_THAT((*instance())->validationMessages(),
              ::testing::Contains(::testing::HasSubstr("maxSets")));
  (*instance())->clearValidationMessages();
}

TEST_P(DeviceFacts, FeatureNamesAreThoseThatAreSet) {
  std::vector<std::string_view> names = info().features.names();
  auto has = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  EXPECT_EQ(has("float64"), info().features.float64);
  EXPECT_EQ(has("int8"), info().features.int8);
  EXPECT_EQ(has("subgroup-arithmetic"), info().features.subgroupArithmetic);
  EXPECT_TRUE(has("subgroup-basic")); // Vulkan 1.1 promises it
}

} // namespace
