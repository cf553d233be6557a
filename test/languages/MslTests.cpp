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
  // llvmpipe multiplies by a reciprocal where clang divides.
  CaseCheck agrees("clang",
                   {{"mandelbrot", 0.01,
                     "counts of rounds at the edge of the set, each round doubling an error"}});
  for (size_t i = 0; i < written.size(); ++i) {
    std::vector<std::vector<std::byte>> outputs;
    running = sources[i].name.c_str();
    alarm(kSecondsOfAKernel);
    const std::string fault = runCase(*written[i], (*kernels)[i], outputs);
    alarm(0);
    EXPECT_EQ(fault, "") << written[i]->name();
    if (fault.empty()) {
      EXPECT_EQ(agrees(*written[i], outputs), "") << written[i]->name();
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
