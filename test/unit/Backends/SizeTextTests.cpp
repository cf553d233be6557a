//===- test/unit/Backends/SizeTextTests.cpp ----------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/Emitters.h"

#include <gtest/gtest.h>

using namespace tailor;

namespace {

TEST(SizeText, Glsl) {
  EXPECT_EQ(sizeInGlsl("#version 450\nlayout(local_size_x = 8, local_size_y = 4, local_size_z = "
                       "2) in;\n"),
            (Dim3{8, 4, 2}));
  EXPECT_EQ(sizeInGlsl("layout(local_size_x=64) in;"), (Dim3{64, 1, 1}));
  EXPECT_EQ(sizeInGlsl("layout(local_size_y = 3, local_size_x = 2) in;"), (Dim3{2, 3, 1}));
  EXPECT_EQ(sizeInGlsl("layout(local_size_x = N) in;"), std::nullopt);
  EXPECT_EQ(sizeInGlsl("layout(local_size_x_id = 0) in;"), std::nullopt);
  EXPECT_EQ(sizeInGlsl("layout(local_size_w = 1) in;"), std::nullopt);
  EXPECT_EQ(sizeInGlsl("layout(local_size_x = 4"), std::nullopt);
  EXPECT_EQ(sizeInGlsl("layout(local_size_"), std::nullopt);
  EXPECT_EQ(sizeInGlsl("layout(local_size_x = 4294967296) in;"), std::nullopt);
  EXPECT_EQ(sizeInGlsl("// layout(local_size_x = 4) in;"), std::nullopt);
  EXPECT_EQ(sizeInGlsl("layout(local_size_x = 4) in;\nlayout(local_size_x = 8) in;"), std::nullopt);
  EXPECT_EQ(sizeInGlsl(""), std::nullopt);
}

TEST(SizeText, Hlsl) {
  EXPECT_EQ(sizeInHlsl("x\n[numthreads(8, 4, 2)]\nvoid main()"), (Dim3{8, 4, 2}));
  EXPECT_EQ(sizeInHlsl("[numthreads(8,4,2)]"), (Dim3{8, 4, 2}));
  EXPECT_EQ(sizeInHlsl("[numthreads(8, 4)]"), std::nullopt);
  EXPECT_EQ(sizeInHlsl("[numthreads(8, 4, N)]"), std::nullopt);
  EXPECT_EQ(sizeInHlsl("[numthreads(8, 4, 2"), std::nullopt);
  EXPECT_EQ(sizeInHlsl("//[numthreads(8, 4, 2)]"), std::nullopt);
  EXPECT_EQ(sizeInHlsl("[numthreads(1, 1, 1)]\n[numthreads(2, 1, 1)]"), std::nullopt);
}

TEST(SizeText, Msl) {
  EXPECT_EQ(invocationsInMsl("\n[[max_total_threads_per_threadgroup(256)]]\nkernel void f()"),
            256u);
  EXPECT_EQ(invocationsInMsl("kernel void f()"), std::nullopt);
  EXPECT_EQ(invocationsInMsl("[[max_total_threads_per_threadgroup(256)]"), std::nullopt);
}

TEST(SizeText, IsFoundByWhatChangesWithIt) {
  auto glsl = [](const char *size) {
    return "int a[8];\nlayout(local_size_x = " + std::string(size) + ") in;\nint b[8];\n";
  };
  const Dim3 a{8, 1, 1}, b{16, 4, 1}, c{128, 8, 2};
  const std::string textOfA = glsl("8, local_size_y = 1, local_size_z = 1"),
                    textOfB = glsl("16, local_size_y = 4, local_size_z = 1");
  std::optional<TextRange> found = findSize("glsl", textOfA, a, textOfB, b);
  ASSERT_TRUE(found);
  std::string textOfC = textOfA;
  textOfC.replace(found->at, found->count, statementOf("glsl", c));
  EXPECT_EQ(textOfC, glsl("128, local_size_y = 8, local_size_z = 2"));
  EXPECT_EQ(findSize("glsl", textOfB, b, textOfA, a)->at, found->at);
}

TEST(SizeText, IsNotFoundWhereMoreChanges) {
  EXPECT_EQ(
      findSize("hlsl", "[numthreads(8, 1, 1)] 8", {8, 1, 1}, "[numthreads(4, 1, 1)] 4", {4, 1, 1}),
      std::nullopt);
  EXPECT_EQ(
      findSize("hlsl", "[numthreads(8, 1, 1)]", {8, 1, 1}, "[numthreads(4, 2, 1)]", {4, 1, 1}),
      std::nullopt);
  EXPECT_EQ(
      findSize("hlsl", "[numthreads(8, 1, 1)]", {8, 1, 1}, "[numthreads(8, 1, 1)]", {8, 1, 1}),
      std::nullopt);
  EXPECT_EQ(findSize("hlsl", "", {8, 1, 1}, "[numthreads(4, 1, 1)]", {4, 1, 1}), std::nullopt);
  EXPECT_EQ(findSize("hlsl", "8, 1, 1", {8, 1, 1}, "", {4, 1, 1}), std::nullopt);
  EXPECT_EQ(findSize("spirv", "x", {8, 1, 1}, "y", {4, 1, 1}), std::nullopt);
  // Equal counts of invocations make equal texts, in which no place is seen.
  EXPECT_EQ(findSize("msl", "(64)", {8, 8, 1}, "(64)", {64, 1, 1}), std::nullopt);
  // Two places would do.
  EXPECT_EQ(findSize("msl", "11", {1, 1, 1}, "111", {11, 1, 1}), std::nullopt);
}

TEST(SizeText, CompareSaysBoth) {
  EmitRequest request;
  request.localSize = {8, 8, 1};
  EXPECT_TRUE(compareSize("glsl", request, Dim3{8, 8, 1}));
  Status none = compareSize("glsl", request, std::nullopt);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.diagnostic().kind, ErrorKind::Internal);
  EXPECT_EQ(none.diagnostic().text,
            "the glsl text has the workgroup size (none) where 8x8x1 was asked for");
}

} // namespace
