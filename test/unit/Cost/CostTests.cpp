//===- unit/Cost/CostTests.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Analysis/KernelSupport.h"
#include "Cost/CostModel.h"

#include "gmock/gmock.h"

#include <cmath>
#include <cstring>

namespace tailor {

using testing::HasSubstr;

namespace {

std::string kernel(const std::string &size, const std::string &body) {
  return "#version 450\nlayout(" + size +
         ") in;\n"
         "layout(push_constant) uniform P { uint width, height; } p;\n"
         "layout(std430, binding = 0) buffer A { float a[]; };\n"
         "layout(std430, binding = 1) buffer B { float b[]; };\n"
         "layout(std430, binding = 2) buffer I { uint index[]; };\n"
         "shared float tile[2048];\n"
         "void main() { uint x = gl_GlobalInvocationID.x, y = gl_GlobalInvocationID.y;\n"
         "uint lane = gl_LocalInvocationIndex;\n" +
         body + "}\n";
}

VariantFeatures look(const std::string &source, Dim3 groups, uint32_t width = 1024,
                     uint32_t height = 1024) {
  std::unique_ptr<Module> module = moduleOf(source);
  DispatchShape shape;
  shape.groups = groups;
  shape.pushConstants.resize(8);
  std::memcpy(shape.pushConstants.data(), &width, 4);
  std::memcpy(shape.pushConstants.data() + 4, &height, 4);
  if (!module)
    return {};
  Result<VariantFeatures> features = featuresOf(*module, module->entryPoints().front(), shape, 32);
  if (!features) {
    ADD_FAILURE() << features.diagnostic().text;
    return {};
  }
  return *features;
}

const DeviceProfile &h200() { return **findProfile("nvidia-h200"); }

} // namespace

TEST(Features, CountSectorsOfRealAddresses) {
  const VariantFeatures copy =
      look(kernel("local_size_x = 64", "if (x < p.width) b[x] = a[x] * 2.0;"), {16, 1, 1});
  EXPECT_EQ(copy.subgroups, 2);
  EXPECT_EQ(copy.deviceAccesses, 2);
  EXPECT_EQ(copy.sectorsAsked, 8);
  EXPECT_EQ(copy.lines, 2);
  EXPECT_EQ(copy.sectorsMissed, 8);
  EXPECT_EQ(copy.rounds, 1);
  EXPECT_EQ(copy.certainBytes, 2 * 4096);
  EXPECT_TRUE(copy.exact);
  EXPECT_EQ(copy.barriers, 0);

  const VariantFeatures transposed = look(
      kernel("local_size_x = 32, local_size_y = 1", "b[x * p.height + y] = a[y * p.width + x];"),
      {32, 1024, 1});
  EXPECT_EQ(transposed.sectorsAsked, 4 + 32);
  EXPECT_EQ(transposed.partialStores, 32);
  const VariantFeatures square = look(
      kernel("local_size_x = 4, local_size_y = 8", "b[x * p.height + y] = a[y * p.width + x];"),
      {256, 128, 1});
  EXPECT_EQ(square.sectorsAsked, 8 + 4);
  EXPECT_EQ(square.partialStores, 0);
}

TEST(Features, LoopsRunAsOftenAsTheHostSays) {
  const std::string sum =
      kernel("local_size_x = 32",
             "float s = 0; for (uint i = 0; i < p.height; ++i) s += a[i * p.width + x]; b[x] = s;");
  EXPECT_EQ(look(sum, {32, 1, 1}, 1024, 100).deviceAccesses, 101);
  EXPECT_EQ(look(sum, {32, 1, 1}, 1024, 7).deviceAccesses, 8);
  // Rows of a lane of its own: eight rounds share a sector.
  const VariantFeatures rows =
      look(kernel("local_size_x = 32",
                  "float s = 0; for (uint i = 0; i < 64; ++i) s += a[x * 64 + i]; b[x] = s;"),
           {32, 1, 1});
  EXPECT_EQ(rows.sectorsAsked, 64 * 32 + 4);
  EXPECT_NEAR(rows.sectorsMissed, 64 * 32 / 8.0 + 4, 32);
}

TEST(Features, WhatIsNotRunDoesNotCount) {
  const VariantFeatures none =
      look(kernel("local_size_x = 64", "if (x >= p.width) b[x] = a[x];"), {8, 1, 1});
  EXPECT_EQ(none.deviceAccesses, 0);
  const VariantFeatures half = look(
      kernel("local_size_x = 64", "tile[lane] = 1.0; barrier(); if (lane < 32) b[x] = tile[lane];"),
      {8, 1, 1});
  EXPECT_EQ(half.deviceAccesses, 0.5); // one of two subgroups
  EXPECT_EQ(half.barriers, 1);
}

TEST(Features, SharedMemoryHasBanks) {
  auto answers = [](const std::string &index) {
    return look(kernel("local_size_x = 32", "tile[" + index + "] = float(x); barrier(); b[x] = 0;"),
                {8, 1, 1})
        .sharedAnswers;
  };
  EXPECT_EQ(answers("lane"), 1);
  EXPECT_EQ(answers("lane * 2"), 2);
  EXPECT_EQ(answers("lane * 32"), 32);
  EXPECT_EQ(answers("lane * 33"), 1);
}

TEST(Features, DataSaysWhere) {
  const VariantFeatures gather =
      look(kernel("local_size_x = 32", "b[x] = a[index[x]];"), {8, 1, 1});
  EXPECT_FALSE(gather.exact);
  EXPECT_EQ(gather.rounds, 2); // the index first
  EXPECT_EQ(gather.sectorsAsked, 4 + 4 + 32);
}

TEST(Features, OddShapesAreNoFault) {
  const std::string copy = kernel("local_size_x = 1", "b[x] = a[x];");
  EXPECT_EQ(look(copy, {1, 1, 1}).fill, 1.0 / 32);
  (void)look(copy, {0, 0, 0});
  (void)look(copy, {UINT32_MAX, UINT32_MAX, UINT32_MAX});
  (void)look(kernel("local_size_x = 1024", "while (a[x] > 0) a[x] -= b[x];"), {1, 1, 1}, 0, 0);
  std::unique_ptr<Module> module = moduleOf(copy);
  ASSERT_TRUE(module);
  EXPECT_FALSE(featuresOf(*module, module->entryPoints().front(), {{1, 1, 1}, {}, {}, {}}, 0));
}

TEST(CostModel, TimesAreSane) {
  auto copy = [](uint32_t size, uint32_t elements) {
    return estimate(look(kernel("local_size_x = " + std::to_string(size),
                                "if (x < p.width) b[x] = a[x] * 2.0;"),
                         {elements / size, 1, 1}, elements),
                    h200());
  };
  const CostEstimate large = copy(256, 1 << 28);
  EXPECT_NEAR(large.boundNs, (2.0 * 4 * (1 << 28) - 50e6) / 4800, 5e3);
  EXPECT_GE(large.expectedNs, large.boundNs);
  EXPECT_LT(large.expectedNs, 3 * large.boundNs);
  EXPECT_GT(copy(16, 1 << 28).expectedNs, 2 * large.expectedNs);
  EXPECT_LT(copy(256, 1 << 20).expectedNs, large.expectedNs / 50);
  EXPECT_EQ(copy(256, 1 << 20).boundNs, 0); // the cache may have it all
  EXPECT_THAT(large.str(), HasSubstr("us expected: "));
  EXPECT_THAT(large.str(), HasSubstr("memory"));
  // One group keeps one unit busy.
  const CostEstimate one = copy(1024, 1024);
  EXPECT_EQ(one.tail, 132);
}

TEST(CostModel, NothingKnownIsStillANumber) {
  const DeviceProfile nothing{.key = "x", .name = "X", .source = ""};
  const VariantFeatures copy = look(kernel("local_size_x = 64", "b[x] = a[x];"), {1 << 16, 1, 1});
  const CostEstimate any = estimate(copy, nothing);
  EXPECT_TRUE(std::isfinite(any.expectedNs));
  EXPECT_GT(any.expectedNs, 0);
  EXPECT_EQ(any.boundNs, 0);
  for (const DeviceProfile &profile : deviceProfiles())
    EXPECT_TRUE(std::isfinite(estimate(copy, profile).expectedNs)) << profile.key;
  EXPECT_TRUE(std::isfinite(estimate(VariantFeatures{}, nothing).expectedNs));
}

} // namespace tailor
