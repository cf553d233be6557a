//===- languages/MslTests.cpp - The suite as Metal -------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No Apple compiler is here: clang reads each text with a metal_stdlib of ours, as
// C++ for OpenCL for its address spaces, and as C++ to be run on the processor.
//
//===----------------------------------------------------------------------===//
#include "LanguageCases.h"
#include "msl/MslLibrary.h"
#include "msl/MslRun.h"

#include <gtest/gtest.h>

#include <signal.h>
#include <unistd.h>

#include <cstring>

namespace tailor::languages {
namespace {

/// One for the program: reading the shim takes a moment.
MslCompiler *compiler() {
  static const std::unique_ptr<MslCompiler> shared = [] {
    Result<std::unique_ptr<MslCompiler>> made = MslCompiler::create();
    if (!made && made.diagnostic().kind != ErrorKind::Environment)
      ADD_FAILURE() << made.diagnostic().text;
    return made ? std::move(*made) : nullptr;
  }();
  return shared.get();
}

/// A text whose loop does not end would keep the program for ever: it ends it, and is named.
constexpr unsigned kSecondsOfAKernel = 60;
const char *running = "";
void outOfTime(int) {
  constexpr char text[] = "a kernel did not end in a minute: ";
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0 ||
      write(STDERR_FILENO, running, std::strlen(running)) < 0)
    _exit(2);
  _exit(1);
}

/// llvmpipe multiplies by a reciprocal where clang divides, and mandelbrot makes a whole color of
/// the last bit at the edge of its set. Its authored text may differ from the authored module in
/// one byte of a hundred, and its variants not at all from that text.
constexpr const char *kEdges = "mandelbrot";

class EdgeRule {
public:
  /// The case, to be compared with the outputs of the authored text, which comes first.
  LanguageCase caseOf(const LanguageCase &made,
                      const std::vector<std::vector<std::byte>> &outputs) {
    LanguageCase result = made;
    if (made.problem->kernel != kEdges)
      return result;
    if (!problem) {
      EXPECT_EQ(made.variant.id, "authored");
      auto own = std::make_shared<KernelProblem>(*made.problem);
      for (size_t at = 0; at < outputs.size(); ++at) {
        Result<vulkan::Comparison> compared =
            vulkan::compare(own->expected.outputs[at].bytes, outputs[at], own->rules[at]);
        EXPECT_TRUE(compared && compared->mismatches * 100 <= compared->elements)
            << (compared ? compared->str() : compared.diagnostic().text);
        own->expected.outputs[at].bytes = outputs[at];
        own->rules[at] = vulkan::CompareRule::exact();
      }
      problem = own;
    }
    result.problem = problem;
    return result;
  }

private:
  std::shared_ptr<const KernelProblem> problem;
};

class MslSuite : public testing::TestWithParam<std::string> {};

void runAll(const std::string &kernel, const EmitOptions &options, uint32_t maxInvocations) {
  Result<std::vector<LanguageCase>> cases = casesOf(kernel, "msl", options, maxInvocations);
  ASSERT_TRUE(cases) << cases.diagnostic().text;
  std::vector<MslSource> sources;
  std::vector<const LanguageCase *> written;
  for (const LanguageCase &each : *cases) {
    if (!each.refusal.empty()) {
      enterRefusal(each, "clang");
      continue;
    }
    MslSource source{each.name(), each.text, each.interface.entryPoint, {}};
    for (const auto &[id, bits] : each.variant.specConstants)
      source.functionConstants[id] = bits;
    sources.push_back(std::move(source));
    written.push_back(&each);
  }
  EXPECT_EQ(compiler()->checkAddressSpaces(sources), "");
  Result<std::vector<MslKernel>> kernels = compiler()->compile(sources);
  ASSERT_TRUE(kernels) << kernels.diagnostic().text;
  signal(SIGALRM, outOfTime);
  EdgeRule edges;
  for (size_t i = 0; i < written.size(); ++i) {
    std::vector<std::vector<std::byte>> outputs;
    running = sources[i].name.c_str();
    alarm(kSecondsOfAKernel);
    const std::string fault = runCase(*written[i], (*kernels)[i], outputs);
    alarm(0);
    EXPECT_EQ(fault, "") << written[i]->name();
    if (fault.empty()) {
      EXPECT_EQ(check(edges.caseOf(*written[i], outputs), outputs, "clang"), "")
          << written[i]->name();
    }
  }
}

TEST_P(MslSuite, RunsOnTheProcessor) {
  if (!compiler()) {
    missing("clang++-19");
    return;
  }
  runAll(GetParam(), {}, 256);
}

std::string nameOf(const testing::TestParamInfo<std::string> &info) {
  return info.param.substr(0, info.param.find('.'));
}
INSTANTIATE_TEST_SUITE_P(Kernels, MslSuite, testing::ValuesIn(suiteKernels()), nameOf);

/// The oldest language, and iOS.
TEST(Msl, OtherVersionsAndPlatforms) {
  if (!compiler()) {
    missing("clang++-19");
    return;
  }
  for (const char *kernel : {"blur_image.comp", "reduction.comp"})
    for (MslPlatform platform : {MslPlatform::MacOs, MslPlatform::Ios})
      for (uint32_t version : {20000u, 30100u}) {
        EmitOptions options;
        options.mslVersion = version;
        options.mslPlatform = platform;
        runAll(kernel, options, 64);
      }
}

} // namespace
} // namespace tailor::languages
