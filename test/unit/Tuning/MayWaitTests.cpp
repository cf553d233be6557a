//===- MayWaitTests.cpp - Kernels of which a part is not to be run alone --===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSupport.h"
#include "Tuning/SiteTuner.h"

#include <gtest/gtest.h>

using namespace tailor;
using namespace tailor::test;

namespace {

bool mayWait(const std::string &head, const std::string &body, const std::string &buffer = "") {
  const std::vector<uint32_t> words = compileGlsl(
      "#version 450\n" + head + "\nlayout(local_size_x = 64) in;\nlayout(binding = 0, std430) " +
      buffer + " buffer Data { uint data[]; };\n" +
      "layout(binding = 1, r32ui) uniform uimage2D image;\nshared uint tile[64];\nvoid main() {\n" +
      body + "\n}\n");
  EXPECT_FALSE(words.empty()) << body;
  return mayWaitForOthers(words);
}

/// The first workgroup goes on when the second has written.
constexpr const char *kSpin =
    "if (gl_WorkGroupID.x == 1u) { data[0] = 1u; memoryBarrierBuffer(); }\n"
    "if (gl_WorkGroupID.x == 0u)\n"
    "  while (data[0] == 0u) memoryBarrierBuffer();\n";

} // namespace

TEST(MayWait, KernelsWithoutOrderBetweenGroupsDoNot) {
  EXPECT_FALSE(mayWait("", "data[gl_GlobalInvocationID.x] += 3u;"));
  EXPECT_FALSE(mayWait("", "tile[gl_LocalInvocationIndex] = 1u; barrier();\n"
                           "data[gl_GlobalInvocationID.x] = tile[0];"));
  EXPECT_FALSE(mayWait("", "tile[gl_LocalInvocationIndex] = 1u; memoryBarrierShared(); barrier();\n"
                           "data[gl_GlobalInvocationID.x] = tile[0];"));
}

TEST(MayWait, BarriersOfMemoryOrderPlainAccesses) {
  EXPECT_TRUE(mayWait("", kSpin));
  EXPECT_TRUE(mayWait("", "imageStore(image, ivec2(0), uvec4(1u)); memoryBarrierImage();\n"
                          "while (imageLoad(image, ivec2(1)).x == 0u) memoryBarrierImage();"));
  EXPECT_TRUE(mayWait("", "memoryBarrier(); data[1] = data[0];"));
}

TEST(MayWait, AtomicsVolatileAndCoherentMemory) {
  EXPECT_TRUE(mayWait("", "atomicAdd(data[0], 1u);"));
  EXPECT_TRUE(mayWait("", "data[1] = data[0];", "volatile"));
  EXPECT_TRUE(mayWait("", "data[1] = data[0];", "coherent"));
}

TEST(MayWait, AccessesThatMakeVisible) {
  const std::string head = "#pragma use_vulkan_memory_model\n"
                           "#extension GL_KHR_memory_scope_semantics : require";
  EXPECT_TRUE(mayWait(head, "data[1] = data[0];", "devicecoherent"));
  EXPECT_TRUE(mayWait(head, "memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, "
                            "gl_SemanticsAcquireRelease); data[1] = data[0];"));
}

TEST(MayWait, WhatCannotBeRead) { EXPECT_TRUE(mayWaitForOthers(std::vector<uint32_t>{1, 2, 3})); }
