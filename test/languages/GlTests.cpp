//===- languages/GlTests.cpp - The suite in GLSL and GLSL ES ---------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpenGL's GLSL and GLSL ES in contexts of Mesa's llvmpipe without a window; a
// text of GLSL for Vulkan goes through our own front end back to SPIR-V and runs
// on the Vulkan device that the expected outputs are from.
//
//===----------------------------------------------------------------------===//
#include "gl/GlRunner.h"

#include "../differential/Harness.h"

#include "Frontend/Frontend.h"

#include "gmock/gmock.h"

#include <algorithm>
#include <cstdlib>
#include <functional>

namespace tailor::languages {
namespace {

/// Opened once; null where the API is not here.
EglContext *contextOf(GlApi api) {
  static const auto open = [](GlApi which, int major, int minor) {
    Result<std::unique_ptr<EglContext>> made = EglContext::create(which, major, minor);
    return made ? std::move(*made) : nullptr;
  };
  static const std::unique_ptr<EglContext> desktop = open(GlApi::Desktop, 4, 5);
  static const std::unique_ptr<EglContext> es = open(GlApi::Es, 3, 2);
  return api == GlApi::Es ? es.get() : desktop.get();
}

using Outputs = Result<std::vector<std::vector<std::byte>>>;
using RunFunction = std::function<Outputs(const LanguageCase &)>;

/// Every case of a kernel runs and agrees, or we refused it.
void runCases(const std::string &file, const std::string &target, const EmitOptions &options,
              uint32_t maxInvocations, const std::string &consumer, const RunFunction &run) {
  Result<std::vector<LanguageCase>> cases = casesOf(file, target, options, maxInvocations);
  ASSERT_TRUE(cases) << cases.diagnostic().text;
  ASSERT_FALSE(cases->empty());
  CaseCheck agrees(consumer,
                   {{"raytracer", 1e-3, "which sphere a ray that grazes two of them hits"}});
  for (const LanguageCase &each : *cases) {
    SCOPED_TRACE(each.name());
    if (!each.refusal.empty()) {
      enterRefusal(each, consumer);
      continue;
    }
    ASSERT_FALSE(each.text.empty());
    const Outputs outputs = run(each);
    if (!outputs) {
      ADD_FAILURE() << outputs.diagnostic().text << "\n" << each.text;
      continue;
    }
    EXPECT_EQ(agrees(each, *outputs), "");
  }
}

/// A second version of a language has little that the first has not: a few kernels show it, all
/// with TAILOR_LANGUAGE_VERSIONS=all in the environment.
bool isSample(const std::string &file) {
  constexpr std::string_view kSample[] = {"blur_image",   "compaction", "depth_pyramid",
                                          "nbody_shared", "reduction",  "voxel_mip"};
  const char *all = std::getenv("TAILOR_LANGUAGE_VERSIONS");
  return (all && std::string_view(all) == "all") ||
         std::find(std::begin(kSample), std::end(kSample), file.substr(0, file.find('.'))) !=
             std::end(kSample);
}

class GlSuite : public testing::TestWithParam<std::string> {
protected:
  void onGl(GlApi api, const std::string &target, const EmitOptions &options,
            uint32_t maxInvocations, const std::string &consumer) {
    EglContext *context = contextOf(api);
    if (!context) {
      missing("a context of EGL's surfaceless platform");
      return;
    }
    runCases(GetParam(), target, options, maxInvocations, consumer,
             [&](const LanguageCase &made) { return runCase(*context, made); });
  }
};

/// The suite in the versions that are run on a sample.
class GlVersions : public GlSuite {};

TEST_P(GlVersions, Glsl430) {
  EmitOptions options;
  options.glslVersion = 430;
  onGl(GlApi::Desktop, "glsl", options, 256, "OpenGL 4.30");
}

TEST_P(GlSuite, Glsl450) {
  EmitOptions options;
  options.glslVersion = 450;
  onGl(GlApi::Desktop, "glsl", options, 256, "OpenGL 4.50");
}

TEST_P(GlSuite, Essl310) {
  EmitOptions options;
  options.esslVersion = 310;
  onGl(GlApi::Es, "essl", options, 128, "OpenGL ES 3.10");
}

TEST_P(GlVersions, Essl320) {
  EmitOptions options;
  options.esslVersion = 320;
  onGl(GlApi::Es, "essl", options, 128, "OpenGL ES 3.20");
}

/// The text through our front end, on the device that the expected outputs are from.
Outputs runOnVulkan(const LanguageCase &made) {
  Diagnostics diagnostics;
  Result<FrontendResult> compiled =
      loadShaderFromMemory(made.text, "text.comp", FrontendOptions(), diagnostics);
  if (!compiled)
    return compiled.takeFailure();
  for (const auto &device : differential::devices()) {
    if (device->info().name != made.problem->device)
      continue;
    auto runner = vulkan::Runner::create(device, made.problem->instance);
    if (!runner)
      return runner.takeFailure();
    vulkan::Candidate candidate;
    candidate.name = made.name();
    candidate.words = compiled->words;
    candidate.groups = made.groups;
    candidate.localSize = made.variant.localSize;
    candidate.pushConstants = made.pushConstants;
    Result<vulkan::PipelineId> pipeline = (*runner)->prepare(candidate);
    if (!pipeline)
      return pipeline.takeFailure();
    Result<vulkan::RunResult> ran = (*runner)->runOnce(*pipeline);
    if (!ran)
      return ran.takeFailure();
    std::vector<std::vector<std::byte>> outputs;
    for (vulkan::OutputData &output : ran->outputs)
      outputs.push_back(std::move(output.bytes));
    return outputs;
  }
  return failure({}, "the device " + made.problem->device + " is gone");
}

TEST_P(GlVersions, VulkanGlsl) {
  EmitOptions options;
  options.vulkanGlsl = true;
  runCases(GetParam(), "glsl", options, 256, "Vulkan GLSL", runOnVulkan);
}

std::vector<std::string> sampleKernels() {
  std::vector<std::string> files = suiteKernels();
  std::erase_if(files, [](const std::string &file) { return !isSample(file); });
  return files;
}

std::string stemOf(const testing::TestParamInfo<std::string> &each) {
  return each.param.substr(0, each.param.find('.'));
}

INSTANTIATE_TEST_SUITE_P(Suite, GlSuite, testing::ValuesIn(suiteKernels()), stemOf);
INSTANTIATE_TEST_SUITE_P(Sample, GlVersions, testing::ValuesIn(sampleKernels()), stemOf);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GlVersions);

} // namespace
} // namespace tailor::languages
