//===- languages/HlslFeatureTests.cpp - One thing of GLSL at a time --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small kernels (hlsl/Features.def), each at its lowest shader model by glslang, FXC
// and DXC, and at every higher model by DXC (5.1 by FXC).
//
//===----------------------------------------------------------------------===//
#include "../unit/Backends/NamedKernel.h"
#include "../unit/Backends/Shaders.h"
#include "hlsl/Features.h"
#include "hlsl/HlslConsumers.h"

#include "gmock/gmock.h"

#include <algorithm>

namespace tailor::languages {
namespace {

/// What a consumer cannot do with a text that is right. Any other failure is ours.
struct ConsumerFault {
  std::string_view feature, consumer, reason;
};
constexpr std::string_view kCrash = "crashes";
constexpr ConsumerFault kFaults[] = {
    {"Frexp", "glslang", kCrash},
    {"Parts", "glslang", "glslang 12 gives Ldexp a float exponent"},
    {"SignedAtomics", "glslang", "glslang 12 makes an unsigned InterlockedMin of every one"},
    {"BufferStructs", "glslang", "glslang 12 makes a matrix of integers of asuint(float2x2)"},
    {"RowMajor", "glslang", "glslang 12 makes a matrix of integers of asuint(float2x3)"},
    {"Longs", "glslang", "glslang's HLSL has no 64-bit integers"},
    {"LongVectors", "glslang", "glslang's HLSL has no 64-bit integers"},
    {"Halves", "glslang", "glslang's HLSL has no loads as templates"},
    {"HalfBuffers", "glslang", "glslang's HLSL has no loads as templates"},
    {"LongBuffers", "glslang", "glslang's HLSL has no loads as templates"},
    {"DoubleBuffers", "glslang", "glslang's HLSL has no loads as templates"},
    {"Doubles", "fxc", "vkd3d-compiler 1.2 does not know instructions on doubles"},
};

/// What HLSL, or SPIRV-Cross, cannot express; each with a word of the message.
constexpr std::pair<std::string_view, std::string_view> kRefused[] = {
    {"DoubleFunctions", "this function of doubles"},
    {"DoubleProducts", "this function of doubles"},
    {"InverseHyperbolic", "inverse hyperbolic"},
    {"PushArrays", "cannot be expressed with either HLSL packing layout or packoffset"},
    {"PushMatrices", "the matrix 'p1' in a constant buffer, where it has a stride of 8 bytes"},
    {"SubgroupBallotExtract", "this operation on a ballot"},
    {"SubgroupBallotFind", "this operation on a ballot"},
    {"SubgroupInverseBallot", "this operation on a ballot"},
};

std::string_view refusalOf(std::string_view feature) {
  for (const auto &[name, word] : kRefused)
    if (name == feature)
      return word;
  return "";
}

std::string_view faultOf(std::string_view feature, std::string_view consumer) {
  for (const ConsumerFault &fault : kFaults)
    if (fault.feature == feature && fault.consumer == consumer)
      return fault.reason;
  return "";
}

/// A fault that is not there any more is to be taken off the list.
void expectRan(const std::string &wrong, const Feature &feature, std::string_view consumer,
               const std::string &text) {
  const std::string_view fault = faultOf(feature.name, consumer);
  if (fault.empty())
    EXPECT_EQ(wrong, "") << feature.name << " by " << consumer << "\n" << text;
  else
    EXPECT_NE(wrong, "") << feature.name << " by " << consumer << " has no fault: " << fault;
}

LanguageCase made(const Feature &feature, uint32_t model = 0) {
  EmitOptions options;
  options.hlslShaderModel = model;
  Result<LanguageCase> result = caseOf(feature, options);
  if (result)
    return std::move(*result);
  ADD_FAILURE() << feature.name << ": " << textOf(result.diagnostic());
  return {};
}

TEST(HlslFeatures, RunThroughGlslang) {
  for (const Feature &feature : features()) {
    const LanguageCase each = made(feature);
    EXPECT_THAT(each.refusal, testing::HasSubstr(std::string(refusalOf(feature.name))));
    EXPECT_EQ(each.refusal.empty(), refusalOf(feature.name).empty())
        << feature.name << ": " << each.refusal;
    if (!each.text.empty() && faultOf(feature.name, "glslang") != kCrash)
      expectRan(runByGlslang(each), feature, "glslang", each.text);
  }
}

TEST(HlslFeatures, CompileAtEveryModelAndRun) {
  if (const std::string what = missingCompilers(); !what.empty()) {
    missing(what);
    return;
  }
  std::vector<HlslJob> jobs;
  std::vector<std::pair<const Feature *, LanguageCase>> of;
  for (const Feature &feature : features())
    for (uint32_t model : {0u, 51u, 60u, 62u, 66u}) {
      const LanguageCase each = made(feature, model);
      if (each.text.empty()) {
        EXPECT_THAT(each.refusal, testing::HasSubstr(model == 0 || !refusalOf(feature.name).empty()
                                                         ? std::string(refusalOf(feature.name))
                                                         : "below shader model"))
            << feature.name;
        continue;
      }
      jobs.push_back(jobForDxc(each));
      of.emplace_back(&feature, each);
      if (!isForFxc(each.interface))
        continue;
      jobs.push_back(jobForFxc(each));
      of.emplace_back(&feature, each);
    }
  Result<std::vector<HlslOutcome>> outcomes = compileAll(jobs);
  ASSERT_TRUE(bool(outcomes)) << textOf(outcomes.diagnostic());
  for (size_t at = 0; at < jobs.size(); ++at) {
    const auto &[feature, each] = of[at];
    const HlslOutcome &outcome = (*outcomes)[at];
    EXPECT_TRUE(outcome.compiled) << feature->name << " by " << jobs[at].compiler << " as "
                                  << jobs[at].profile << "\n"
                                  << outcome.messages << "\n"
                                  << each.text;
    // FXC and DXC say so where a value loses bits, and go on.
    EXPECT_THAT(outcome.messages, testing::Not(testing::HasSubstr("conversion from larger type")))
        << feature->name;
    if (outcome.compiled && jobs[at].profile == "cs_5_0")
      expectRan(runDxbc(each, outcome.code), *feature, "fxc", each.text);
  }
}

/// Each kind of thing may be called as words of HLSL are, and as SPIRV-Cross calls its own.
TEST(HlslNames, MayBeAnythings) {
  if (const std::string what = missingCompilers(); !what.empty()) {
    missing(what);
    return;
  }
  std::vector<HlslJob> jobs;
  for (const std::vector<std::string> &names : test::hardNameParts(12)) {
    const std::vector<uint32_t> words = test::compile(test::namedKernel(names), "names.spvasm");
    Result<Emitted> made = emit("hlsl", {words, "main", {8, 1, 1}, "names", {}});
    ASSERT_TRUE(bool(made)) << textOf(made.diagnostic());
    ASSERT_EQ(made->interface.version, "cs_5_0");
    jobs.push_back({"fxc", "cs_5_0", made->code, {}});
    jobs.push_back({"dxc", "cs_6_0", made->code, {}});
  }
  Result<std::vector<HlslOutcome>> outcomes = compileAll(jobs);
  ASSERT_TRUE(bool(outcomes)) << textOf(outcomes.diagnostic());
  for (size_t at = 0; at < jobs.size(); ++at)
    EXPECT_TRUE((*outcomes)[at].compiled) << jobs[at].compiler << "\n"
                                          << (*outcomes)[at].messages << "\n"
                                          << jobs[at].text;
}

} // namespace
} // namespace tailor::languages
