//===- SubgroupSizesTests.cpp - Variants with a required subgroup size ----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSupport.h"

#include "Tuning/SubgroupSizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tailor;
using namespace tailor::test;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

vulkan::DeviceInfo deviceWith(uint32_t least, uint32_t most, uint32_t perWorkgroup = 32) {
  vulkan::DeviceInfo device;
  device.features.subgroupSizeControl = true;
  device.limits.minSubgroupSize = least;
  device.limits.maxSubgroupSize = most;
  device.limits.maxWorkgroupSubgroups = perWorkgroup;
  return device;
}

std::string kernelOf(const std::string &head, const std::string &body) {
  return "#version 450\n" + head +
         "layout(local_size_x = SX, local_size_y = SY) in;\n"
         "layout(binding = 0, std430) buffer Data { uint data[]; };\n"
         "shared uint tile[64];\n"
         "void main() {\n" +
         body + "\n}\n";
}

bool uses(const std::string &head, const std::string &body) {
  return usesSubgroups(compileGlsl(kernelOf(head, body), {{"SX", "64"}, {"SY", "1"}}));
}

Bundle plainBundle(const std::vector<Dim3> &sizes) {
  return bundleOf({kernelOf("", "data[gl_GlobalInvocationID.x] += 1u;"), sizes});
}

std::vector<SubgroupChoice> choicesOf(const Bundle &bundle, const vulkan::DeviceInfo &device) {
  return subgroupChoices(bundle, bundle.kernels[0], device);
}

} // namespace

TEST(SubgroupSizes, EachPowerOfTwoOfTheDeviceIsTried) {
  EXPECT_THAT(choicesOf(plainBundle({{64, 1, 1}, {32, 2, 1}}), deviceWith(8, 32)),
              ElementsAre(SubgroupChoice{0, 8}, SubgroupChoice{0, 16}, SubgroupChoice{0, 32},
                          SubgroupChoice{1, 8}, SubgroupChoice{1, 16}, SubgroupChoice{1, 32}));
}

TEST(SubgroupSizes, NoneWhereThereIsNoChoice) {
  const Bundle bundle = plainBundle({{64, 1, 1}});
  EXPECT_THAT(choicesOf(bundle, deviceWith(32, 32)), IsEmpty());
  EXPECT_THAT(subgroupChoices(bundle, bundle.kernels[0], deviceWith(32, 32), true),
              ElementsAre(SubgroupChoice{0, 32}));
  vulkan::DeviceInfo device = deviceWith(32, 64);
  device.features.subgroupSizeControl = false;
  EXPECT_THAT(choicesOf(bundle, device), IsEmpty());
  EXPECT_THAT(choicesOf(bundle, deviceWith(0, 64)), IsEmpty());
}

TEST(SubgroupSizes, AWorkgroupHasNoMoreSubgroupsThanTheDeviceAllows) {
  EXPECT_THAT(choicesOf(plainBundle({{128, 1, 1}, {256, 1, 1}}), deviceWith(8, 16, 16)),
              ElementsAre(SubgroupChoice{0, 8}, SubgroupChoice{0, 16}, SubgroupChoice{1, 16}));
}

TEST(SubgroupSizes, SubgroupsThatStayHalfEmptyAreNotTried) {
  EXPECT_THAT(choicesOf(plainBundle({{17, 1, 1}, {4, 1, 1}}), deviceWith(16, 64)),
              ElementsAre(SubgroupChoice{0, 16}, SubgroupChoice{0, 32}, SubgroupChoice{1, 16}));
}

TEST(SubgroupSizes, AModuleThatUsesSubgroupsKeepsTheDriversChoice) {
  const std::string add = "#extension GL_KHR_shader_subgroup_arithmetic : require\n";
  const Bundle bundle = bundleOf(
      {kernelOf(add, "data[0] = subgroupAdd(data[gl_GlobalInvocationID.x]);"), {{64, 1, 1}}});
  EXPECT_THAT(choicesOf(bundle, deviceWith(8, 32)), IsEmpty());
}

TEST(SubgroupSizes, WhatModulesUseOfThem) {
  const std::string basic = "#extension GL_KHR_shader_subgroup_basic : require\n";
  EXPECT_FALSE(uses("", "data[gl_GlobalInvocationID.x] = 1u;"));
  EXPECT_FALSE(uses("", "tile[gl_LocalInvocationIndex] = 1u; barrier(); memoryBarrierShared();\n"
                        "atomicAdd(data[0], tile[63u - gl_LocalInvocationIndex]);"));
  EXPECT_TRUE(uses(basic, "data[0] = gl_SubgroupSize;"));
  EXPECT_TRUE(uses(basic, "data[0] = gl_SubgroupInvocationID;"));
  EXPECT_TRUE(uses(basic, "if (subgroupElect()) data[0] = 1u;"));
  EXPECT_TRUE(uses(basic, "tile[0] = 1u; subgroupBarrier(); data[0] = tile[0];"));
  EXPECT_TRUE(uses("#extension GL_EXT_shader_realtime_clock : require\n",
                   "data[0] = clockRealtime2x32EXT().x;"));
  EXPECT_TRUE(usesSubgroups(std::vector<uint32_t>{1, 2, 3}));
}

TEST(SubgroupSizes, ABarrierOfASubgroupNeedsNoCapability) {
  std::vector<uint32_t> words =
      compileGlsl(kernelOf("", "tile[gl_LocalInvocationIndex] = 1u; barrier(); data[0] = tile[0];"),
                  {{"SX", "64"}, {"SY", "1"}});
  ASSERT_FALSE(usesSubgroups(words));
  // The scopes of the only OpControlBarrier (224) are the constant 2, Workgroup; 3 is Subgroup.
  uint32_t scope = 0;
  for (size_t at = 5; at < words.size(); at += words[at] >> 16)
    if ((words[at] & 0xffff) == 224)
      scope = words[at + 1];
  ASSERT_NE(scope, 0U);
  for (size_t at = 5; at < words.size(); at += words[at] >> 16)
    if ((words[at] & 0xffff) == 43 && words[at + 2] == scope) // OpConstant
      words[at + 3] = 3;
  EXPECT_TRUE(usesSubgroups(words));
}
