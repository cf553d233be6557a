//===- unit/Vulkan/BufferTest.cpp - Tests of buffers, constants and guard bands ===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestDevices.h"

#include "Vulkan/Compare.h"

#include "shaders/arraysWords.h"
#include "shaders/doublesWords.h"
#include "shaders/evensWords.h"
#include "shaders/inplaceWords.h"
#include "shaders/lengthWords.h"
#include "shaders/nothingWords.h"
#include "shaders/saxpyWords.h"
#include "shaders/unguardedWords.h"

#include <numeric>

using namespace tailor;
using namespace tailor::vulkan;
using namespace tailor::vulkan::test;

namespace {

class Buffers : public OnDevice {
protected:
  /// saxpy over n elements: factor 2, x = 0, 1, ..., y = 100, 101, ...
  KernelInstance saxpyInstance(uint32_t n) {
    std::vector<float> x(n), y(n);
    std::iota(x.begin(), x.end(), 0.0F);
    std::iota(y.begin(), y.end(), 100.0F);
    ResourceDesc scale = bufferAt(3, std::vector<float>{2, 0, 0, 0});
    scale.kind = ResourceKind::UniformBuffer;
    scale.set = 1;
    ResourceDesc inOut = bufferAt(1, y);
    inOut.output = true;
    inOut.name = "y";
    return {{bufferAt(0, x), inOut, scale}, bytesOfValue(n)};
  }
  Candidate saxpy(uint32_t n, uint32_t size) {
    Candidate candidate =
        candidateOf("saxpy", saxpyWords, {(n + size - 1) / size, 1, 1}, {size, 1, 1});
    candidate.specConstants = {{0, size, 4}};
    candidate.requiredPushConstantBytes = 4;
    return candidate;
  }
};
TAILOR_ON_EVERY_DEVICE(Buffers);

TEST_P(Buffers, UniformsPushAndSpecializationConstantsArrive) {
  constexpr uint32_t n = 1000;
  auto runner = runnerOf(saxpyInstance(n));
  for (uint32_t size : {1U, 16U, 128U}) {
    RunResult result = ranOnce(*runner, saxpy(n, size));
    ASSERT_EQ(result.outputs.size(), 1U);
    EXPECT_EQ(result.outputs[0].resource, 1U);
    EXPECT_TRUE(result.violations.empty());
    auto y = valuesOf<float>(result.outputs[0].bytes);
    for (uint32_t i = 0; i != n; ++i)
      ASSERT_EQ(y[i], 2.0F * static_cast<float>(i) + 100.0F + static_cast<float>(i)) << i;
  }
  Candidate biased = saxpy(n, 16);
  biased.specConstants.push_back({7, 0x42280000 /* 42.0 */, 4});
  biased.specConstants.push_back({8, 1, 4});
  EXPECT_EQ(valuesOf<float>(ranOnce(*runner, biased).outputs[0].bytes)[3],
            -(6.0F + 103.0F + 42.0F));
}

TEST_P(Buffers, ACandidateMayBringItsOwnPushConstants) {
  auto runner = runnerOf(saxpyInstance(64));
  Candidate half = saxpy(64, 16);
  half.pushConstants = bytesOfValue<uint32_t>(32);
  auto y = valuesOf<float>(ranOnce(*runner, half).outputs[0].bytes);
  EXPECT_EQ(y[31], 3 * 31 + 100);
  EXPECT_EQ(y[32], 132); // beyond the bound: untouched
}

TEST_P(Buffers, APipelineMayAskForASubgroupSize) {
  if (!info().features.subgroupSizeControl)
    GTEST_SKIP() << "the device takes no required subgroup size";
  constexpr uint32_t n = 64;
  auto runner = runnerOf(saxpyInstance(n));
  const DeviceLimits &limits = info().limits;
  EXPECT_GE(limits.maxWorkgroupSubgroups, 1U);
  for (uint32_t size = limits.minSubgroupSize; size <= limits.maxSubgroupSize; size *= 2) {
    Candidate candidate = saxpy(n, 64);
    candidate.requiredSubgroupSize = size; // the validation layer looks at the chain
    EXPECT_EQ(valuesOf<float>(ranOnce(*runner, candidate).outputs[0].bytes)[5], 10.0F + 105.0F);
  }
}

TEST_P(Buffers, InputsAreRestoredBeforeEachRun) {
  ResourceDesc data = bufferAt(0, std::vector<uint32_t>(64, 5));
  data.output = true;
  auto runner = runnerOf({{data}, {}});
  auto pipeline = runner->prepare(candidateOf("in place", inplaceWords, {4, 1, 1}, {16, 1, 1}));
  ASSERT_TRUE(bool(pipeline));
  for (int run = 0; run != 3; ++run) {
    auto result = runner->runOnce(*pipeline);
    ASSERT_TRUE(bool(result));
    EXPECT_THAT(valuesOf<uint32_t>(result->outputs[0].bytes), ::testing::Each(11U)) << run;
  }
}

TEST_P(Buffers, PoisonShowsAMissingWrite) {
  auto runner = runnerOf({{outputAt(0, 128)}, {}});
  RunResult all = ranOnce(*runner, candidateOf("all", unguardedWords, {2, 1, 1}, {16, 1, 1}));
  RunResult some = ranOnce(*runner, candidateOf("evens", evensWords, {1, 1, 1}, {16, 1, 1}));
  auto values = valuesOf<uint32_t>(some.outputs[0].bytes);
  EXPECT_EQ(values[4], 2U);
  // The complete run before it left 5 there; poison has taken its place.
  uint32_t poison = 0;
  for (unsigned i = 0; i != 4; ++i)
    poison |= std::to_integer<uint32_t>(poisonByte(20 + i)) << (8 * i);
  EXPECT_EQ(values[5], poison);
  auto comparison =
      compare(all.outputs[0].bytes, some.outputs[0].bytes, CompareRule::exact(ElementType::U32));
  ASSERT_TRUE(bool(comparison));
  EXPECT_EQ(comparison->mismatches, 31U); // all but element 0
}

TEST_P(Buffers, ZeroFillIsZero) {
  ResourceDesc out = outputAt(0, 128);
  out.fill = InitialFill::Zero;
  auto runner = runnerOf({{out}, {}});
  auto values = valuesOf<uint32_t>(
      ranOnce(*runner, candidateOf("evens", evensWords, {1, 1, 1}, {16, 1, 1})).outputs[0].bytes);
  EXPECT_EQ(values[5], 0U);
}

TEST_P(Buffers, GuardBandsShowAnOverrun) {
  // 100 elements, but 7 groups of 16 write 112.
  ResourceDesc out = outputAt(0, 400);
  out.name = "out";
  auto runner = runnerOf({{out}, {}});
  for (int run = 0; run != 2; ++run) { // the bands are armed again
    RunResult over =
        ranOnce(*runner, candidateOf("rounded up", unguardedWords, {7, 1, 1}, {16, 1, 1}));
    ASSERT_EQ(over.violations.size(), 1U);
    EXPECT_EQ(over.violations[0].offset, 400);
    EXPECT_EQ(over.violations[0].resource, 0U);
    EXPECT_EQ(over.violations[0].count, 48U);
    EXPECT_EQ(over.violations[0].text,
              "'out' (set 0 binding 0) was written 0 bytes past its end (48 bytes changed)");
  }
  RunResult within = ranOnce(*runner, candidateOf("six", unguardedWords, {6, 1, 1}, {16, 1, 1}));
  EXPECT_TRUE(within.violations.empty());
}

TEST_P(Buffers, ABufferLengthIsTheRequestedOne) {
  auto runner = runnerOf({{outputAt(0, 52)}, {}});
  auto values = valuesOf<uint32_t>(
      ranOnce(*runner, candidateOf("length", lengthWords, {13, 1, 1}, {1, 1, 1})).outputs[0].bytes);
  EXPECT_THAT(values, ::testing::Each(13U));
}

TEST_P(Buffers, ArraysOfDescriptors) {
  std::vector<ResourceDesc> resources;
  for (uint32_t element = 0; element != 3; ++element) {
    ResourceDesc desc = bufferAt(0, std::vector<uint32_t>(16, element + 1));
    desc.element = element;
    resources.push_back(desc);
  }
  resources.push_back(outputAt(1, 64));
  auto runner = runnerOf({resources, {}});
  RunResult result = ranOnce(*runner, candidateOf("arrays", arraysWords, {1, 1, 1}, {16, 1, 1}));
  EXPECT_THAT(valuesOf<uint32_t>(result.outputs[0].bytes), ::testing::Each(321U));
}

TEST_P(Buffers, AKernelMayHaveNoResources) {
  auto runner = runnerOf({});
  RunResult result = ranOnce(*runner, candidateOf("nothing", nothingWords, {3, 2, 1}, {8, 8, 1}));
  EXPECT_TRUE(result.outputs.empty());
}

TEST_P(Buffers, LargeBuffersPassInChunks) {
  // More than two chunks of staging memory, and no whole number of them.
  std::vector<uint32_t> values(9'000'016);
  std::iota(values.begin(), values.end(), 0U);
  ResourceDesc data = bufferAt(0, values);
  data.output = true;
  auto runner = runnerOf({{data}, {}});
  RunResult result =
      ranOnce(*runner, candidateOf("in place", inplaceWords, {562'501 / 9, 1, 1}, {16, 1, 1}));
  auto out = valuesOf<uint32_t>(result.outputs[0].bytes);
  ASSERT_EQ(out.size(), values.size());
  uint32_t reached = 562'501 / 9 * 16;
  for (uint32_t i = 0; i != out.size(); ++i)
    ASSERT_EQ(out[i], i < reached ? i * 2 + 1 : i);
}

TEST_P(Buffers, DoublesRunWhereTheDeviceHasThem) {
  ResourceDesc data = bufferAt(0, std::vector<double>(16, 2.0));
  data.output = true;
  auto runner = runnerOf({{data}, {}});
  Candidate candidate = candidateOf("doubles", doublesWords, {1, 1, 1}, {16, 1, 1});
  if (info().features.float64) {
    EXPECT_THAT(valuesOf<double>(ranOnce(*runner, candidate).outputs[0].bytes),
                ::testing::Each(3.0));
    return;
  }
  auto refused = runner->prepare(candidate);
  ASSERT_FALSE(bool(refused));
  EXPECT_EQ(refused.diagnostic().text,
            "candidate 'doubles' cannot run on '" + info().name +
                "': the module needs Float64, which the device does not have");
}

TEST_P(Buffers, AReleasedPipelineDoesNotRun) {
  auto runner = runnerOf({});
  auto pipeline = runner->prepare(candidateOf("nothing", nothingWords, {1, 1, 1}, {8, 8, 1}));
  ASSERT_TRUE(bool(pipeline));
  runner->release(*pipeline);
  auto result = runner->runOnce(*pipeline);
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(result.diagnostic().kind, ErrorKind::Internal);
}

} // namespace
