//===- test/unit/Backends/LimitTests.cpp - Limits that the user gives ------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/Backend.h"

#include <gmock/gmock.h>

using namespace tailor;
using testing::HasSubstr;

namespace {

TEST(Limits, APromiseIsRaisedByTheUser) {
  const Backend &glsl = *findBackend("glsl");
  EmitOptions options;
  Status tooLarge = checkLimits(glsl, {1, 1, 128}, 0, {}, options);
  ASSERT_FALSE(tooLarge);
  EXPECT_THAT(tooLarge.diagnostic().text, HasSubstr("glsl guarantees 64"));
  ASSERT_TRUE(raiseLimit(options, "glsl.size=1024x1024x128"));
  EXPECT_TRUE(checkLimits(glsl, {1, 1, 128}, 0, {}, options));
  // The other limits stay.
  EXPECT_FALSE(checkLimits(glsl, {64, 64, 1}, 0, {}, options));
  ASSERT_TRUE(raiseLimit(options, "glsl.invocations=4096"));
  EXPECT_TRUE(checkLimits(glsl, {64, 64, 1}, 0, {}, options));
  EXPECT_TRUE(checkLimits(glsl, {1, 1, 128}, 0, {}, options));
  ASSERT_TRUE(raiseLimit(options, "glsl.shared-bytes=100"));
  Status memory = checkLimits(glsl, {1, 1, 1}, 101, {}, options);
  ASSERT_FALSE(memory);
  EXPECT_THAT(memory.diagnostic().text, HasSubstr("glsl allows 100"));
}

TEST(Limits, GlslForVulkanHasThoseOfTheDevice) {
  EmitOptions options;
  options.vulkanGlsl = true;
  EXPECT_TRUE(checkLimits(*findBackend("glsl"), {1, 1, 128}, 1 << 20, {}, options));
  Status raised = raiseLimit(options, "glsl.invocations=4096");
  ASSERT_FALSE(raised);
  EXPECT_THAT(raised.diagnostic().text, HasSubstr("the limits of glsl are the device's"));
}

TEST(Limits, WhatIsNoLimitIsAUsageError) {
  for (const char *text : {"",
                           "glsl",
                           "glsl.size",
                           "glsl=4",
                           "=.",
                           "glsl.size=4",
                           "glsl.size=4x4",
                           "glsl.size=4x4x0",
                           "glsl.size=4x4x4x4",
                           "glsl.size=x4x4",
                           "glsl.invocations=",
                           "glsl.invocations=0",
                           "glsl.invocations=4294967296",
                           "glsl.invocations=12a",
                           "glsl.invocations=-1",
                           "glsl.shared-bytes=1.5",
                           "glsl.threads=4",
                           "ptx.invocations=4",
                           "hlsl.invocations=2048",
                           "spirv.invocations=2048",
                           "glsl.invocations=99999999999999999999"}) {
    EmitOptions options;
    Status raised = raiseLimit(options, text);
    ASSERT_FALSE(raised) << text;
    EXPECT_EQ(raised.diagnostic().kind, ErrorKind::Usage) << text;
    EXPECT_THAT(raised.diagnostic().text, HasSubstr("--limit: "));
    EXPECT_TRUE(options.limits.empty());
  }
}

} // namespace
