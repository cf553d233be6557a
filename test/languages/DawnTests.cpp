//===- languages/DawnTests.cpp - WGSL in Dawn ------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every text of the suite is compiled and run by Dawn, the WebGPU of Chromium, on
// SwiftShader through Vulkan and on llvmpipe through OpenGL ES.
//
//===----------------------------------------------------------------------===//
#include "LanguageCases.h"
#include "wgsl/Dawn.h"

#include "Backends/Emitters.h"
#include "Naga/Naga.h"

#include "gmock/gmock.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace tailor::languages {
namespace {

/// Reasons that are WebGPU's own; anything else that is refused fails the test.
bool isLimit(const std::string &reason) {
  return reason.find("wgsl guarantees ") != std::string::npos;
}

/// Both devices round divisions and roots otherwise than Vulkan's llvmpipe, which the expected
/// outputs are from (GL compiles them to other instructions), and these make a whole color of the
/// last bit at an edge. There the authored text may differ from the authored module in one element
/// of a hundred, and its variants not at all from that text.
const std::vector<RoundingAllowance> kEdges = {
    {"mandelbrot", 0.01, "counts of rounds at the edge of the set, each round doubling an error"},
    {"raytracer", 0.01, "which sphere a ray that grazes two of them hits"}};

/// Compatibility mode has fewer formats of storage textures than WebGPU guarantees.
bool isCompatibilityLimit(DawnBackend backend, const std::string &error) {
  return backend == DawnBackend::OpenGles &&
         error.find("does not support storage texture access") != std::string::npos;
}

class DawnSuite : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    if (!naga::isAvailable()) {
      missing("naga (" + std::string(naga::whyUnavailable()) + ")");
      return;
    }
    Result<std::vector<LanguageCase>> made = casesOf(GetParam(), "wgsl");
    ASSERT_TRUE(bool(made)) << made.diagnostic().text;
    for (LanguageCase &each : *made) {
      if (each.refusal.empty()) {
        cases.push_back(std::move(each));
        continue;
      }
      EXPECT_TRUE(isLimit(each.refusal)) << each.name() << " was refused: " << each.refusal;
      for (DawnBackend backend : {DawnBackend::Vulkan, DawnBackend::OpenGles})
        enterRefusal(each, std::string(nameOf(backend)));
    }
  }

  void runOn(DawnBackend backend) {
    if (const std::string what = missingForDawn(backend); !what.empty()) {
      missing(what);
      return;
    }
    CaseCheck agrees(std::string(nameOf(backend)), kEdges);
    std::vector<DawnJob> jobs;
    for (const LanguageCase &made : cases)
      jobs.push_back(jobOf(made));
    Result<std::vector<DawnOutcome>> outcomes = runInDawn(jobs, backend);
    ASSERT_TRUE(bool(outcomes)) << outcomes.diagnostic().text;
    for (size_t at = 0; at < cases.size(); ++at) {
      const DawnOutcome &outcome = (*outcomes)[at];
      LanguageCase made = cases[at];
      if (isCompatibilityLimit(backend, outcome.error)) {
        made.refusal = "compatibility mode: " + outcome.error.substr(0, outcome.error.find('\n'));
        enterRefusal(made, std::string(nameOf(backend)));
        continue;
      }
      EXPECT_EQ(outcome.error, "") << made.name() << "\n" << made.text;
      if (outcome.error.empty()) {
        EXPECT_EQ(agrees(made, outcome.outputs), "")
            << made.name() << " on " << outcome.device << "\n"
            << made.text;
      }
    }
  }

  std::vector<LanguageCase> cases;
};

TEST_P(DawnSuite, RunsAndAgrees) {
  for (const LanguageCase &made : cases)
    EXPECT_EQ(sizeInWgsl(made.text), made.variant.localSize) << made.name();
  for (DawnBackend backend : {DawnBackend::Vulkan, DawnBackend::OpenGles})
    runOn(backend);
}

std::string nameOfTest(const testing::TestParamInfo<std::string> &info) {
  std::string name = info.param.substr(0, info.param.find('.'));
  for (char &each : name)
    each = std::isalnum(static_cast<unsigned char>(each)) ? each : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, DawnSuite, testing::ValuesIn(suiteKernels()), nameOfTest);

/// One job that ends the process takes no other with it: a text that is no WGSL, one that Dawn
/// refuses, and one that runs.
TEST(DawnRunner, KeepsCasesApart) {
  if (const std::string what = missingForDawn(DawnBackend::Vulkan); !what.empty()) {
    missing(what);
    return;
  }
  DawnJob good;
  good.text = "@group(0) @binding(0) var<storage, read_write> b: array<u32>;\n"
              "@compute @workgroup_size(4) fn go(@builtin(global_invocation_id) id: vec3<u32>) {\n"
              "  b[id.x] = id.x * 3u;\n}\n";
  good.interface.entryPoint = "go";
  good.interface.resources = {
      {"storage_buffer", "b", 0, 0, 1, true, {{"group", 0}, {"binding", 0}}}};
  vulkan::ResourceDesc buffer;
  buffer.bytes = 16;
  buffer.fill = vulkan::InitialFill::Poison;
  good.resources = {buffer};
  good.outputs = {0};
  DawnJob bad = good;
  bad.text = "this is no shader";
  DawnJob diverges = good;
  diverges.text = "@group(0) @binding(0) var<storage, read_write> b: array<u32>;\n"
                  "@compute @workgroup_size(4) fn go() { if b[0] == 1u { workgroupBarrier(); } }";
  Result<std::vector<DawnOutcome>> outcomes =
      runInDawn({bad, good, diverges, good}, DawnBackend::Vulkan);
  ASSERT_TRUE(bool(outcomes)) << outcomes.diagnostic().text;
  EXPECT_NE((*outcomes)[0].error, "");
  EXPECT_THAT((*outcomes)[2].error, testing::HasSubstr("uniform control flow"));
  for (size_t at : {size_t{1}, size_t{3}}) {
    const DawnOutcome &outcome = (*outcomes)[at];
    ASSERT_EQ(outcome.error, "");
    ASSERT_EQ(outcome.outputs.size(), 1u);
    uint32_t values[4] = {};
    ASSERT_EQ(outcome.outputs[0].size(), sizeof values);
    std::memcpy(values, outcome.outputs[0].data(), sizeof values);
    EXPECT_THAT(values, testing::ElementsAre(0, 3, 6, 9));
  }
}

} // namespace
} // namespace tailor::languages
