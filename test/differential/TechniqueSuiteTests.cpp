//===- differential/TechniqueSuiteTests.cpp - Whole kernels, bit for bit --===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// remap-ids, guard-grid, swizzle-lanes and swizzle-groups on the kernels of
// bench/kernels with the first size of their workloads, and on generated ones:
//
//   TAILOR_DIFFERENTIAL_COUNT  how many of those, times 6 (300)
//   TAILOR_DIFFERENTIAL_FIRST  the first seed (1)
//
//===----------------------------------------------------------------------===//
#include "BenchKernels.h"
#include "KernelGenerator.h"
#include "TechniqueKernels.h"

#include "passes/SwizzleLanes.h"

#include "gmock/gmock.h"

#include <iostream>

using namespace tailor;
using namespace tailor::differential;

namespace {

class TechniqueIdSuite : public testing::TestWithParam<std::string> {};

std::vector<TechniqueVariant> variantsFor(const Certificate &certificate) {
  std::vector<TechniqueVariant> variants;
  const Dim3 authored = certificate.authored.size;
  if (certificate.verdict(Technique::Swizzle).legal()) {
    if (authored.product() != authored.x) {
      variants.push_back(reordered("swizzle-lanes<order=column>", authored));
      if (checkSwizzle({LaneOrder::Morton, {}}, authored))
        variants.push_back(reordered("swizzle-lanes<order=morton>", authored));
      if (checkSwizzle({LaneOrder::Tile, {4, 4, 1}}, authored))
        variants.push_back(reordered("swizzle-lanes<order=tile,tile=4x4>", authored));
    }
    variants.push_back(reordered("swizzle-groups<rows=3>", authored));
  }
  const TechniqueVerdict &remap = certificate.verdict(Technique::Remap);
  for (const Dim3 &size : {Dim3{32, 1, 1}, Dim3{4, 8, 1}, Dim3{24, 5, 1}}) {
    if (!allowsSize(Technique::Remap, remap, authored, size))
      continue;
    bool divides = true;
    for (unsigned axis = 0; axis < 3; ++axis)
      divides &= authored[axis] % size[axis] == 0;
    variants.push_back(divides ? remapped(authored, size)
                               : guardedRemap(authored, size, GridSource::PushConstants));
    if (certificate.resizeLegal() && !divides)
      variants.push_back(guardedResize(authored, size, GridSource::SpecConstants));
  }
  return variants;
}

TEST_P(TechniqueIdSuite, GivesTheSameBits) {
  if (noDevices())
    GTEST_SKIP() << "no Vulkan device";
  Result<BenchCase> bench = loadBenchCase(GetParam());
  ASSERT_TRUE(bool(bench)) << bench.diagnostic().text;
  const ProblemSize &size = bench->small();
  Result<Certificate> certificate = bench->certificate();
  ASSERT_TRUE(bool(certificate)) << certificate.diagnostic().text;
  const std::vector<TechniqueVariant> variants = variantsFor(*certificate);
  TechniqueReport report =
      compareTechniques(bench->compiled, variants, bench->spec, bench->workload, size);
  leaveOutLacking(report);
  EXPECT_EQ(report.text(), "");
  EXPECT_THAT(report.refusals, testing::IsEmpty());
  std::cout << bench->stem << ": " << report.variants << " variants, " << report.ranExact
            << " runs, " << report.leftOut << " not admitted\n";
}

INSTANTIATE_TEST_SUITE_P(All, TechniqueIdSuite, testing::ValuesIn(benchKernels()), testName);

//===----------------------------------------------------------------------===//
// Generated kernels
//===----------------------------------------------------------------------===//

/// Only those that resize takes: others may race.
std::vector<TechniqueVariant> variantsOfGenerated(const GeneratedKernel &kernel, uint64_t seed) {
  std::vector<TechniqueVariant> variants;
  const Dim3 authored = kernel.authored;
  for (const Dim3 &size : kernel.sizes.list) {
    const GridSource source = seed % 2 ? GridSource::PushConstants : GridSource::SpecConstants;
    const bool isResize = variants.size() % 2 != 0;
    variants.push_back(isResize ? guardedResize(authored, size, source)
                                : guardedRemap(authored, size, source));
    if (variants.back().axes == std::array<bool, 3>{}) {
      variants.back().guard.reset();
      variants.back().dispatch.rule = DispatchRule::Exact;
    }
  }
  variants.push_back(reordered("swizzle-lanes<order=column>", authored));
  variants.push_back(reordered("swizzle-groups<rows=2>", authored));
  return variants;
}

TEST(TechniqueIdGenerated, KeepsItsResults) {
  if (noDevices())
    GTEST_SKIP() << "no Vulkan device";
  const uint64_t count = numberFrom("TAILOR_DIFFERENTIAL_COUNT", 300) / 6;
  const uint64_t first = numberFrom("TAILOR_DIFFERENTIAL_FIRST", 1);
  uint32_t maxInvocations = 0;
  commonMaxSize(maxInvocations);
  size_t proven = 0, runs = 0, refused = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    GeneratedKernel kernel = generateKernel(seed, maxInvocations);
    Result<Compiled> compiled = compile(kernel.glsl, InputKind::Glsl);
    ASSERT_TRUE(bool(compiled)) << "seed " << seed << ": " << compiled.diagnostic().text;
    if (kernel.spec.empty()) {
      Status reshaped = reshape(*compiled, static_cast<Shape>(seed % 3));
      EXPECT_TRUE(bool(reshaped)) << "seed " << seed;
    }
    Result<EntryPoint> entry = findComputeEntryPoint(compiled->module, compiled->entryPoint);
    Result<Certificate> certificate = certify(compiled->module, *entry, kernel.spec);
    ASSERT_TRUE(bool(certificate)) << certificate.diagnostic().text;
    if (!certificate->resizeLegal())
      continue;
    ++proven;
    TechniqueReport report =
        compareTechniques(*compiled, variantsOfGenerated(kernel, seed), kernel.spec,
                          kernel.workload, kernel.workload.sizes.front());
    EXPECT_EQ(report.text(), "") << "seed " << seed << ", groups " << kernel.groups.str() << "\n"
                                 << kernel.glsl;
    runs += report.ranExact + report.ranCover;
    refused += report.refusals.size();
    for (const std::string &refusal : report.refusals)
      std::cout << "  seed " << seed << ": " << refusal << "\n";
  }
  std::cout << count << " kernels: " << proven << " proven, " << runs << " runs of variants, "
            << refused << " refused\n";
  if (count >= 40) {
    EXPECT_GE(proven, count / 2);
    EXPECT_GE(runs, proven * 4);
  }
}

} // namespace
