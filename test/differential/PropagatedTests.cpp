//===- differential/PropagatedTests.cpp - What ranges decide, bit for bit --===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// propagate-ranges behind each technique, on the kernels of bench/kernels, on
// generated ones and on kernels full of integers that wrap: every variant gives the
// bits of the authored kernel.
//
//   TAILOR_DIFFERENTIAL_COUNT  how many generated kernels, times 6 (300)
//   TAILOR_DIFFERENTIAL_FIRST  the first seed (1)
//
//===----------------------------------------------------------------------===//
#include "../unit/Analysis/RangeKernels.h"
#include "BenchKernels.h"
#include "KernelGenerator.h"
#include "TechniqueKernels.h"

#include "passes/PropagateRanges.h"
#include "passes/WorkgroupCopies.h"

#include "gmock/gmock.h"

#include <iostream>

using namespace tailor;
using namespace tailor::differential;

namespace {

TechniqueVariant propagated(TechniqueVariant variant) {
  variant.pipeline += (variant.pipeline.empty() ? "" : ",") + std::string("propagate-ranges");
  return variant;
}

TechniqueVariant coarsened(const Dim3 &size, const char *form) {
  return propagated(reordered("coarsen-threads<size=" + size.str() + ",form=" + form + ">", size));
}

TechniqueVariant packed(const Compiled &compiled, const EntryPoint &entry, const Dim3 &authored,
                        const Dim3 &size, const SpecMap &spec) {
  TechniqueVariant variant{
      "pack-groups<size=" + size.str() + ">", size, {DispatchRule::Exact, authored, size, {}}};
  auto groups = static_cast<uint32_t>(size.product() / authored.product());
  variant.sharedBytes = bytesOfWorkgroupCopies(compiled.module, entry, groups, spec).value_or(0);
  return propagated(std::move(variant));
}

/// Guarded where it has to be.
TechniqueVariant remappedAnyway(const Dim3 &authored, const Dim3 &size) {
  TechniqueVariant variant = guardedRemap(authored, size, GridSource::PushConstants);
  return variant.axes == std::array<bool, 3>{} ? remapped(authored, size) : variant;
}

/// Whether the pass does anything to the kernel as it was authored.
bool changes(const Compiled &compiled) {
  Module module = compiled.module.clone();
  Result<Change> change = propagateRanges(module);
  EXPECT_TRUE(bool(change)) << change.diagnostic().text;
  return change && *change == Change::Changed;
}

//===----------------------------------------------------------------------===//
// The suite
//===----------------------------------------------------------------------===//

class PropagatedSuite : public testing::TestWithParam<std::string> {};

std::vector<TechniqueVariant> variantsOf(const BenchCase &bench, const Certificate &certificate) {
  const Dim3 authored = certificate.authored.size;
  std::vector<TechniqueVariant> variants = {propagated(reordered("", authored))};
  if (certificate.verdict(Technique::Coarsen).legal())
    for (unsigned axis = 0; axis < 3; ++axis)
      for (uint32_t factor : {2u, 4u}) {
        Dim3 size = authored;
        size[axis] /= factor;
        if (authored[axis] % factor == 0)
          variants.push_back(coarsened(size, factor == 4 ? "blocked" : "cyclic"));
      }
  if (certificate.verdict(Technique::Pack).legal())
    for (unsigned axis = 0; axis < 2; ++axis) {
      Dim3 size = authored;
      size[axis] *= 2;
      Result<EntryPoint> entry =
          findComputeEntryPoint(bench.compiled.module, bench.compiled.entryPoint);
      if (allowsSize(Technique::Pack, certificate.verdict(Technique::Pack), authored, size))
        variants.push_back(packed(bench.compiled, *entry, authored, size, bench.spec));
    }
  if (certificate.verdict(Technique::Swizzle).legal() && authored.product() != authored.x)
    variants.push_back(propagated(reordered("swizzle-lanes<order=column>", authored)));
  for (const Dim3 &size : {Dim3{32, 1, 1}, Dim3{4, 8, 1}, Dim3{24, 5, 1}})
    if (allowsSize(Technique::Remap, certificate.verdict(Technique::Remap), authored, size))
      variants.push_back(propagated(remappedAnyway(authored, size)));
  return variants;
}

TEST_P(PropagatedSuite, GivesTheSameBits) {
  if (noDevices())
    GTEST_SKIP() << "no Vulkan device";
  Result<BenchCase> bench = loadBenchCase(GetParam());
  ASSERT_TRUE(bool(bench)) << bench.diagnostic().text;
  Result<Certificate> certificate = bench->certificate();
  ASSERT_TRUE(bool(certificate)) << certificate.diagnostic().text;
  TechniqueReport report = compareTechniques(bench->compiled, variantsOf(*bench, *certificate),
                                             bench->spec, bench->workload, bench->small());
  leaveOutLacking(report);
  EXPECT_EQ(report.text(), "");
  EXPECT_THAT(report.refusals, testing::IsEmpty());
  std::cout << bench->stem << ": " << report.variants << " variants, " << report.ranExact
            << " runs\n";
}

INSTANTIATE_TEST_SUITE_P(All, PropagatedSuite, testing::ValuesIn(benchKernels()), testName);

//===----------------------------------------------------------------------===//
// Generated kernels
//===----------------------------------------------------------------------===//

/// Integers that wrap, in loops and under conditions; each invocation by itself.
TEST(Propagated, IntegersKeepTheirValues) {
  if (noDevices())
    GTEST_SKIP() << "no Vulkan device";
  const uint64_t count = numberFrom("TAILOR_DIFFERENTIAL_COUNT", 300) / 6;
  const uint64_t first = numberFrom("TAILOR_DIFFERENTIAL_FIRST", 1);
  const Dim3 authored{24, 3, 1}, groups{2, 2, 3};
  Workload workload;
  workload.file = "test";
  workload.sizes.push_back(exchangeProblem(groups, 72));
  size_t changed = 0, runs = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    std::mt19937_64 random(seed);
    const std::string text =
        "#version 460\n" + rangeKernel(random, {.narrow = seed % 4 == 0, .defined = true});
    Result<Compiled> compiled = compile(text, InputKind::Glsl);
    ASSERT_TRUE(bool(compiled)) << compiled.diagnostic().text << "\n" << text;
    EXPECT_TRUE(bool(reshape(*compiled, static_cast<Shape>(seed % 3))));
    changed += changes(*compiled);
    Result<EntryPoint> entry = findComputeEntryPoint(compiled->module, compiled->entryPoint);
    ASSERT_TRUE(bool(entry));
    TechniqueReport report = compareTechniques(
        *compiled,
        {propagated(reordered("", authored)), coarsened({12, 3, 1}, "cyclic"),
         coarsened({8, 1, 1}, "blocked"), packed(*compiled, *entry, authored, {48, 6, 1}, {}),
         propagated(reordered("swizzle-lanes<order=column>", authored))},
        {}, workload, workload.sizes.front());
    leaveOutLacking(report);
    EXPECT_EQ(report.text(), "") << "seed " << seed << "\n" << text;
    EXPECT_THAT(report.refusals, testing::IsEmpty()) << "seed " << seed;
    runs += report.ranExact;
  }
  std::cout << count << " kernels: " << changed << " changed, " << runs << " runs of variants\n";
  EXPECT_GE(changed, count / 2);
  EXPECT_GE(runs, count * 4);
}

/// Guards and id arithmetic of every kind, of groups that are made smaller and larger.
TEST(Propagated, GuardsKeepWhatTheyGuard) {
  if (noDevices())
    GTEST_SKIP() << "no Vulkan device";
  const uint64_t count = numberFrom("TAILOR_DIFFERENTIAL_COUNT", 300) / 6;
  const uint64_t first = numberFrom("TAILOR_DIFFERENTIAL_FIRST", 1);
  uint32_t maxInvocations = 0;
  commonMaxSize(maxInvocations);
  size_t runs = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    GeneratedKernel kernel = generateKernel(seed, maxInvocations);
    Result<Compiled> compiled = compile(kernel.glsl, InputKind::Glsl);
    ASSERT_TRUE(bool(compiled)) << "seed " << seed << ": " << compiled.diagnostic().text;
    Result<EntryPoint> entry = findComputeEntryPoint(compiled->module, compiled->entryPoint);
    Result<Certificate> certificate = certify(compiled->module, *entry, kernel.spec);
    ASSERT_TRUE(bool(certificate)) << certificate.diagnostic().text;
    if (!certificate->resizeLegal()) // others may race
      continue;
    std::vector<TechniqueVariant> variants = {propagated(reordered("", kernel.authored))};
    for (const Dim3 &size : kernel.sizes.list)
      variants.push_back(propagated(remappedAnyway(kernel.authored, size)));
    TechniqueReport report = compareTechniques(*compiled, variants, kernel.spec, kernel.workload,
                                               kernel.workload.sizes.front());
    EXPECT_EQ(report.text(), "") << "seed " << seed << "\n" << kernel.glsl;
    runs += report.ranExact + report.ranCover;
  }
  std::cout << count << " kernels, " << runs << " runs of variants\n";
}

/// Values that cross the workgroup, and loops that halve and double, coarsened by each factor.
TEST(Propagated, MeetingsAndScansKeepTheirValues) {
  if (noDevices())
    GTEST_SKIP() << "no Vulkan device";
  const std::string scan = kIdHead + R"(
shared uint t[SIZE];
void main() {
  t[I] = b[PLACE] & 255u;
  barrier();
  for (uint offset = 1u; offset < SIZE; offset <<= 1) {
    uint before = 0u;
    if (I >= offset) before = t[I - offset];
    barrier();
    t[I] += before;
    barrier();
  }
  uint sum = t[I];
  for (uint i = I + SIZE - 8u; i < SIZE + 5u; i += SIZE) sum += i * t[i % SIZE];
  barrier();
  for (int s = int(SIZE) / 2; s > 0; s /= 2) {
    if (int(I) < s) t[I] ^= t[I + uint(s)] * 3u;
    barrier();
  }
  if (I == 0u) t[1] = t[0];
  barrier();
  a[PLACE] = sum * 7u + t[1];
}
)";
  for (const Dim3 &authored : {Dim3{64, 1, 1}, Dim3{96, 1, 1}, Dim3{16, 4, 1}, Dim3{4, 4, 4}}) {
    std::string text = sized(scan, authored);
    for (size_t at = 0; (at = text.find("SIZE", at)) != std::string::npos;)
      text.replace(at, 4, std::to_string(authored.product()) + "u");
    Workload workload;
    workload.file = "test";
    workload.sizes.push_back(idProblem({4, 2, 1}, authored));
    for (const std::string &source : {text, meetingKernel(authored)}) {
      Result<Compiled> compiled = compile(source, InputKind::Glsl);
      ASSERT_TRUE(bool(compiled)) << compiled.diagnostic().text << "\n" << source;
      std::vector<TechniqueVariant> variants = {propagated(reordered("", authored))};
      for (unsigned axis = 0; axis < 3; ++axis)
        for (uint32_t factor : {2u, 3u, 4u, 8u, 16u})
          if (authored[axis] % factor == 0 && authored[axis] >= factor) {
            Dim3 size = authored;
            size[axis] /= factor;
            variants.push_back(coarsened(size, factor % 4 == 0 ? "blocked" : "cyclic"));
          }
      TechniqueReport report =
          compareTechniques(*compiled, variants, {}, workload, workload.sizes.front());
      EXPECT_EQ(report.text(), "") << source;
      EXPECT_THAT(report.refusals, testing::IsEmpty());
      EXPECT_EQ(report.ranExact, variants.size() * devices().size());
    }
  }
}

} // namespace
