//===- unit/Devices/FitTests.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Devices/Fit.h"

#include "gmock/gmock.h"

using namespace tailor;
using testing::ElementsAre;
using testing::IsEmpty;

static std::vector<std::string> textsOf(std::string_view key, const Dim3 &size,
                                        std::optional<uint64_t> sharedBytes) {
  Result<const DeviceProfile *> profile = findProfile(key);
  std::vector<std::string> texts;
  for (const LimitBreach &breach : breachesOf(**profile, size, sharedBytes))
    texts.push_back(breach.text);
  return texts;
}

TEST(Fit, TheLimitItselfIsAllowed) {
  EXPECT_THAT(textsOf("vulkan-minimum", {128, 1, 1}, 16384), IsEmpty());
  EXPECT_THAT(textsOf("webgpu-default", {4, 1, 64}, 0), IsEmpty());
}

TEST(Fit, NamesTheQuantityTheNumberAndTheLimit) {
  EXPECT_THAT(textsOf("webgpu-default", {8, 8, 8}, 0),
              ElementsAre("workgroup has 512 invocations, webgpu-default allows 256"));
  EXPECT_THAT(textsOf("webgpu-default", {1, 1, 128}, 16388),
              ElementsAre("workgroup is 128 long along z, webgpu-default allows 64",
                          "workgroup has 16388 bytes of memory, webgpu-default allows 16384"));
}

TEST(Fit, ABreachHoldsItsNumbers) {
  Result<const DeviceProfile *> profile = findProfile("vulkan-minimum");
  std::vector<LimitBreach> breaches = breachesOf(**profile, {256, 1, 1}, std::nullopt);
  ASSERT_EQ(breaches.size(), 2U);
  EXPECT_EQ(breaches[0].limit, "invocations");
  EXPECT_EQ(breaches[1].limit, "size.x");
  EXPECT_EQ(breaches[1].wanted, 256U);
  EXPECT_EQ(breaches[1].allowed, 128U);
}

TEST(Fit, AProductPast32BitsIsNotWrapped) {
  EXPECT_THAT(textsOf("nvidia-h200", {65536, 65536, 1}, 0),
              ElementsAre("workgroup has 4294967296 invocations, nvidia-h200 allows 1024",
                          "workgroup is 65536 long along x, nvidia-h200 allows 1024",
                          "workgroup is 65536 long along y, nvidia-h200 allows 1024"));
}

TEST(Fit, WhatIsNotKnownIsNotChecked) {
  DeviceProfile empty{.key = "empty", .name = "nothing is known", .source = "none"};
  EXPECT_THAT(breachesOf(empty, {65535, 65535, 65535}, 1 << 30), IsEmpty());
  EXPECT_THAT(textsOf("metal", {1, 1, 1024}, 0), IsEmpty());
}
