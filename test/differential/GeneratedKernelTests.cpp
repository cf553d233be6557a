//===- differential/GeneratedKernelTests.cpp - Kernels nobody thought of --===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each generated kernel is refused, or every variant gives the authored outputs.
//   TAILOR_DIFFERENTIAL_COUNT  how many (300)
//   TAILOR_DIFFERENTIAL_FIRST  the first seed (1)
//   TAILOR_DIFFERENTIAL_PRINT  also prints the kernels, for a look
//
//===----------------------------------------------------------------------===//
#include "BenchKernels.h"
#include "Harness.h"
#include "KernelGenerator.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <iostream>
#include <map>

using namespace tailor;
using namespace tailor::differential;

TEST(GeneratedKernel, IsRefusedOrKeepsItsResults) {
  if (noDevices())
    GTEST_SKIP() << "no Vulkan device";
  const uint64_t count = numberFrom("TAILOR_DIFFERENTIAL_COUNT", 300);
  const uint64_t first = numberFrom("TAILOR_DIFFERENTIAL_FIRST", 1);
  const bool print = std::getenv("TAILOR_DIFFERENTIAL_PRINT") != nullptr;
  uint32_t maxInvocations = 0;
  commonMaxSize(maxInvocations);
  size_t proven = 0, exact = 0, cover = 0, leftOut = 0;
  std::map<std::string, size_t> refusals;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    GeneratedKernel kernel = generateKernel(seed, maxInvocations);
    if (print)
      std::cout << "// seed " << seed << ", groups " << kernel.groups.str() << "\n" << kernel.glsl;
    Result<Compiled> compiled = compile(kernel.glsl, InputKind::Glsl);
    if (!compiled) {
      ADD_FAILURE() << "seed " << seed << ": " << compiled.diagnostic().text << "\n" << kernel.glsl;
      continue;
    }
    // Others' compilers write other shapes; a size from constants is left to the optimizer of
    // nobody.
    if (kernel.spec.empty()) {
      Status reshaped = reshape(*compiled, static_cast<Shape>(seed % 3));
      EXPECT_TRUE(bool(reshaped)) << "seed " << seed;
    }
    Report report = checkKernel(*compiled, kernel.sizes, kernel.spec, kernel.workload,
                                kernel.workload.sizes.front());
    EXPECT_TRUE(report.wrong.empty() && report.broken.empty())
        << "seed " << seed << ", groups " << kernel.groups.str() << "\n"
        << report.text() << kernel.glsl;
    proven += report.proven;
    exact += report.ranExact;
    cover += report.ranCover;
    leftOut += report.leftOut;
    if (!report.proven)
      ++refusals[report.refusal];
  }
  std::cout << count << " kernels: " << proven << " proven; runs of variants: " << exact
            << " exact, " << cover << " cover; " << leftOut << " not admitted\n";
  for (const auto &[reason, times] : refusals)
    std::cout << "  refused " << times << " times: " << reason << "\n";
  // A generator whose kernels are all refused tests nothing.
  if (count >= 100) {
    EXPECT_GE(proven, count / 2);
    EXPECT_LE(proven, count * 95 / 100);
    EXPECT_GE(exact, count);
    EXPECT_GE(cover, count * devices().size() / 2); // runs are counted on every device
  }
}
