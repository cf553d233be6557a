//===- test/unit/Frontend/HlslTests.cpp --------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/Frontend.h"
#include "Support/SpirvTools.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tailor;
using testing::HasSubstr;

namespace {

constexpr uint32_t kOpExecutionMode = 16, kLocalSize = 17;

Result<FrontendResult> load(const std::string &source, const FrontendOptions &options = {}) {
  Diagnostics diagnostics;
  return loadShaderFromMemory(source, "k.hlsl", options, diagnostics);
}

std::vector<uint32_t> localSizeOf(const std::vector<uint32_t> &words) {
  for (size_t at = kSpirvHeaderWords; at < words.size(); at += words[at] >> 16)
    if ((words[at] & 0xffff) == kOpExecutionMode && words[at + 2] == kLocalSize)
      return {words[at + 3], words[at + 4], words[at + 5]};
  return {};
}

const std::string kKernel = R"(RWStructuredBuffer<float> a;
cbuffer C { uint n; };
groupshared float t[64];
[numthreads(16, 4, 1)]
void main(uint3 id : SV_DispatchThreadID, uint gi : SV_GroupIndex) {
  t[gi] = float(id.x);
  GroupMemoryBarrierWithGroupSync();
  if (id.x < n)
    a[id.x] = t[63 - gi];
}
)";

TEST(Hlsl, NumthreadsBecomeTheLocalSize) {
  Result<FrontendResult> result = load(kKernel);
  ASSERT_TRUE(result) << result.diagnostic().text;
  EXPECT_EQ(result->kind, InputKind::Hlsl);
  EXPECT_THAT(localSizeOf(result->words), testing::ElementsAre(16, 4, 1));
  Status valid = validateSpirv(result->words, "k");
  EXPECT_TRUE(valid) << valid.diagnostic().text;
}

TEST(Hlsl, StaysAtVulkan11WhereLaterTargetsWouldBeInvalid) {
  for (const char *env : {"vulkan1.1", "vulkan1.2", "vulkan1.3"}) {
    FrontendOptions options;
    options.targetEnv = env;
    Result<FrontendResult> result = load(kKernel, options);
    ASSERT_TRUE(result) << env;
    EXPECT_EQ(result->words[1], 0x00010300u) << env;
    EXPECT_TRUE(validateSpirv(result->words, "k")) << env;
  }
}

TEST(Hlsl, AnyFunctionCanBeTheEntryPoint) {
  std::string source = kKernel;
  source.replace(source.find("main"), 4, "blur");
  FrontendOptions options;
  options.entryPoint = "blur";
  EXPECT_TRUE(load(source, options));

  Result<FrontendResult> missing = load(source);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.diagnostic().kind, ErrorKind::Refused);
  ASSERT_FALSE(missing.diagnostic().notes.empty());
  EXPECT_EQ(missing.diagnostic().notes.back().text, "the entry point is taken to be 'main'");
}

TEST(Hlsl, ErrorsHaveLineAndColumn) {
  Result<FrontendResult> result = load(
      "RWStructuredBuffer<float> a;\n[numthreads(8, 1, 1)]\nvoid main() {\n  a[0] = foo;\n}\n");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.diagnostic().location.line, 4u);
  EXPECT_NE(result.diagnostic().location.column, 0u);
  EXPECT_EQ(result.diagnostic().text, "'foo' : unknown variable");
}

TEST(Hlsl, DefinesReachNumthreads) {
  std::string source = kKernel;
  source.replace(source.find("16"), 2, "W");
  FrontendOptions options;
  options.defines = {{"W", "16"}};
  Result<FrontendResult> result = load(source, options);
  ASSERT_TRUE(result) << result.diagnostic().text;
  EXPECT_THAT(localSizeOf(result->words), testing::ElementsAre(16, 4, 1));
}

TEST(Hlsl, TexturesPassedToFunctionsAreLegalized) {
  Result<FrontendResult> result = load(R"(Texture2D<float4> t : register(t0);
RWTexture2D<float4> o : register(u1);
float4 fetch(Texture2D<float4> image, uint2 at) { return image.Load(int3(at, 0)); }
[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID) { o[id.xy] = fetch(t, id.xy); }
)");
  ASSERT_TRUE(result) << result.diagnostic().text;
  Status valid = validateSpirv(result->words, "k");
  EXPECT_TRUE(valid) << valid.diagnostic().text;
}

std::vector<uint32_t> bindingsOf(const std::vector<uint32_t> &words) {
  std::vector<uint32_t> bindings;
  for (size_t at = kSpirvHeaderWords; at < words.size(); at += words[at] >> 16)
    if ((words[at] & 0xffff) == 71 && words[at + 2] == 33)
      bindings.push_back(words[at + 3]);
  return bindings;
}

const std::string kRegisters = R"(RWStructuredBuffer<float> a : register(U);
StructuredBuffer<float> b : register(T);
cbuffer C : register(B) { uint n; };
Texture2D<float> image : register(T2);
SamplerState s : register(S);
[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  a[id.x] = b[n] + image.SampleLevel(s, float2(0, 0), 0);
}
)";

TEST(Hlsl, RegistersOfDifferentNumbersAreTheBindings) {
  FrontendOptions options;
  options.defines = {{"U", "u5"}, {"T", "t2"}, {"B", "b0"}, {"T2", "t3"}, {"S", "s4"}};
  Diagnostics diagnostics;
  Result<FrontendResult> result = loadShaderFromMemory(kRegisters, "k.hlsl", options, diagnostics);
  ASSERT_TRUE(result) << result.diagnostic().text;
  EXPECT_THAT(bindingsOf(result->words), testing::UnorderedElementsAre(5, 2, 0, 3, 4));
  EXPECT_TRUE(diagnostics.all().empty());
}

TEST(Hlsl, RegistersOfOneNumberAreShiftedApart) {
  FrontendOptions options;
  options.defines = {{"U", "u0"}, {"T", "t0"}, {"B", "b0"}, {"T2", "t1"}, {"S", "s0"}};
  Diagnostics diagnostics;
  Result<FrontendResult> result = loadShaderFromMemory(kRegisters, "k.hlsl", options, diagnostics);
  ASSERT_TRUE(result) << result.diagnostic().text;
  EXPECT_THAT(bindingsOf(result->words), testing::UnorderedElementsAre(64, 32, 0, 33, 96));
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].severity, Severity::Warning);
  EXPECT_THAT(diagnostics.all()[0].text, HasSubstr("plus 0 for b, 32 for t, 64 for u, 96 for s"));
  EXPECT_TRUE(validateSpirv(result->words, "k"));
}

TEST(Hlsl, TwoResourcesInOneRegisterAreRefused) {
  FrontendOptions options;
  options.defines = {{"U", "u0"}, {"T", "t1"}, {"B", "b0"}, {"T2", "t1"}, {"S", "s0"}};
  Diagnostics diagnostics;
  Result<FrontendResult> result = loadShaderFromMemory(kRegisters, "k.hlsl", options, diagnostics);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.diagnostic().text, HasSubstr("have one set and binding"));
}

} // namespace
