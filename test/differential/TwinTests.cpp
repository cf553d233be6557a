//===- differential/TwinTests.cpp - bench/twins, bit for bit ---------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is measured against a variant must be the same kernel: every twin, and
// the variant it was written for, gives the authored bits for the first problem
// size of the kernel's workload.
//
//===----------------------------------------------------------------------===//
#include "BenchKernels.h"
#include "Harness.h"

#include "bench/Twins.h"

#include "gtest/gtest.h"

#include <set>

using namespace tailor;
using namespace tailor::differential;

namespace {

std::vector<std::string> twinNames() {
  std::vector<std::string> names;
  for (const bench::TwinFile &file : bench::twinFiles())
    names.push_back(file.name());
  return names;
}

class Twins : public testing::TestWithParam<std::string> {};

TEST_P(Twins, GiveTheAuthoredBits) {
  if (noDevices())
    GTEST_SKIP() << "no Vulkan device";
  Result<bench::Twin> twin = failure({}, "no such file");
  for (const bench::TwinFile &file : bench::twinFiles())
    if (file.name() == GetParam())
      twin = bench::loadTwin(file);
  ASSERT_TRUE(bool(twin)) << twin.diagnostic().text;
  Report report;
  compareVariants(twin->bundle, twin->kernel, twin->workload,
                  twin->admitted(twin->workload.sizes.front()), report);
  EXPECT_EQ(report.text(), "");
  // Not every device has as many invocations as a packed workgroup.
  size_t able = 0;
  for (const auto &device : devices())
    able +=
        twin->kernel.variants.back().localSize.product() <= device->info().limits.maxInvocations;
  EXPECT_EQ(report.ranExact, 2 * able);
  if (able == 0)
    GTEST_SKIP() << "no device has so many invocations in a workgroup";
}

std::string twinTestName(const testing::TestParamInfo<std::string> &info) {
  std::string name = info.param;
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Twins, testing::ValuesIn(twinNames()), twinTestName);

TEST(TwinSet, HasEightKernels) {
  std::set<std::string> kernels;
  for (const bench::TwinFile &file : bench::twinFiles())
    kernels.insert(file.kernel);
  EXPECT_EQ(kernels.size(), 8u);
}

TEST(TwinSet, RefusesAnotherVariant) {
  bench::TwinFile file = bench::twinFiles().front();
  for (const char *id : {"coarsen-1000x1x1", "coarsen", "coarsen-0x1", "stretch-64x1x1", ""}) {
    file.variant = id;
    EXPECT_FALSE(bool(bench::loadTwin(file))) << id;
  }
}

TEST(TwinSet, RefusesATwinOfAnotherSize) {
  bench::TwinFile file = bench::twinFiles().front();
  file.path = TAILOR_SOURCE_DIR "/bench/kernels/" + file.kernel + ".comp";
  Result<bench::Twin> twin = bench::loadTwin(file);
  ASSERT_FALSE(bool(twin));
  EXPECT_NE(twin.diagnostic().text.find("the twin has the size"), std::string::npos)
      << twin.diagnostic().text;
}

} // namespace
