//===- differential/BenchKernelTests.cpp - The kernels of bench/kernels ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every kernel with its workload's small size: all sizes up to the device's
// limit at the workload's own grid, and informative ones at grids with a group
// more (past every bound) and a group less (short of it) on an axis.
//
//===----------------------------------------------------------------------===//
#include "BenchKernels.h"
#include "Harness.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <iostream>

using namespace tailor;
using namespace tailor::differential;

namespace {

/// A dispatch of a kernel is long above this.
constexpr std::chrono::milliseconds kLong(200);

class BenchKernel : public testing::TestWithParam<std::string> {};

void expectSame(const Report &report, const std::string &what) {
  EXPECT_TRUE(report.wrong.empty() && report.broken.empty()) << what << "\n" << report.text();
}

/// The sizes that `policy` gives, cut to what every device can run.
SizeRequest sizesWithin(const Certificate &certificate) {
  uint32_t maxInvocations = 0;
  Dim3 max = commonMaxSize(maxInvocations);
  SizeRequest all;
  all.policy = SizeRequest::Policy::All;
  SizeRequest request;
  request.policy = SizeRequest::Policy::List;
  for (const Dim3 &size : candidateSizes(certificate, all, 0).sizes)
    if (size.product() <= maxInvocations && size[0] <= max[0] && size[1] <= max[1] &&
        size[2] <= max[2])
      request.list.push_back(size);
  return request;
}

TEST_P(BenchKernel, GivesTheSameAtEverySize) {
  if (noDevices())
    GTEST_SKIP() << "no Vulkan device";
  Result<BenchCase> bench = loadBenchCase(GetParam());
  ASSERT_TRUE(bool(bench)) << bench.diagnostic().text;
  const ProblemSize &small = bench->small();
  Result<Certificate> certificate = bench->certificate();
  ASSERT_TRUE(bool(certificate)) << certificate.diagnostic().text;

  // A dispatch that takes long is not run a hundred times: one size of nine of them, spread over
  // all.
  SizeRequest sizes = sizesWithin(*certificate);
  SizeRequest one = sizes;
  one.list.resize(std::min<size_t>(one.list.size(), 1));
  auto start = std::chrono::steady_clock::now();
  expectSame(checkKernel(bench->compiled, one, bench->spec, bench->workload, small), "one size");
  if (std::chrono::steady_clock::now() - start > kLong * 2 * (devices().size() + 1)) {
    SizeRequest few = one;
    for (size_t at = 4; at < sizes.list.size(); at += 9)
      few.list.push_back(sizes.list[at]);
    sizes = few;
  }
  Report all = checkKernel(bench->compiled, sizes, bench->spec, bench->workload, small);
  expectSame(all, "the workload's own grid");
  EXPECT_EQ(all.proven, certificate->resizeLegal());
  std::cout << bench->stem << ": " << all.variants << " variants, runs: " << all.ranExact
            << " exact, " << all.ranCover << " cover, " << all.leftOut << " not admitted "
            << all.refusal << "\n";
  if (!all.proven)
    return;
  EXPECT_GT(all.ranExact, 0u);

  SizeRequest odd;
  odd.policy = SizeRequest::Policy::List;
  odd.list = {{48, 1, 1}, {5, 3, 1}, {7, 1, 1}, {96, 2, 1}, {1, 1, 1}, {16, 2, 1}, {3, 1, 5}};
  const Dim3 authored = certificate->authored.size;
  for (int step : {1, -1}) {
    ProblemSize other = small;
    Dim3 groups = small.groupsFor(authored);
    bool moved = false;
    for (unsigned axis = 0; axis < 3; ++axis) {
      // A group more is defined only where the kernel checks the bound.
      bool may =
          step > 0 ? !certificate->bounds[axis].empty() && authored[axis] > 1 : groups[axis] > 1;
      groups[axis] += may ? static_cast<uint32_t>(step) : 0;
      moved |= may;
    }
    if (!moved)
      continue;
    other.grid.reset();
    other.groups = groups;
    Report report = checkKernel(bench->compiled, odd, bench->spec, bench->workload, other);
    expectSame(report, "groups " + groups.str());
    if (step < 0 && all.ranCover != 0) {
      EXPECT_GT(report.leftOut, 0u) << "the grid stops short of the bounds";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, BenchKernel, testing::ValuesIn(benchKernels()), testName);

} // namespace
