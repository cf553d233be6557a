//===- unit/Bundle/KnobVariantsTests.cpp - What an author declares --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/KernelBuilder.h"

#include "Bundle/BundleIO.h"
#include "Bundle/Validate.h"
#include "Frontend/Frontend.h"
#include "IR/Reader.h"
#include "IR/WorkgroupSize.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tailor;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

const char *const kSource = R"(#version 450
#ifndef TILE
#define TILE 16
#endif
#ifndef STEP
#define STEP 1
#endif
layout(local_size_x = TILE, local_size_y = TILE) in;
layout(constant_id = 3) const uint gain = 2;
layout(binding = 0) buffer B { uint b[]; };
shared uint tile[TILE][TILE];
void main() {
  uvec2 l = gl_LocalInvocationID.xy;
  tile[l.y][l.x] = b[gl_GlobalInvocationID.x];
  barrier();
  uint sum = 0;
  for (uint k = 0; k < TILE; k += STEP)
    sum += tile[k][l.x] * gain;
  b[gl_GlobalInvocationID.x] = sum;
})";

Module compile(const std::map<std::string, std::string> &values) {
  FrontendOptions options;
  options.kind = InputKind::Glsl;
  options.defines.assign(values.begin(), values.end());
  Diagnostics diagnostics;
  Result<FrontendResult> shader = loadShaderFromMemory(kSource, "a.comp", options, diagnostics);
  EXPECT_TRUE(shader);
  Result<Module> module = readModule(shader->words, "a.comp");
  EXPECT_TRUE(module);
  return std::move(*module);
}

std::vector<KnobBuild> builds(const std::vector<std::map<std::string, std::string>> &all) {
  std::vector<KnobBuild> list;
  for (const auto &values : all)
    list.push_back({values, compile(values)});
  return list;
}

struct Built {
  KernelInfo kernel;
  Bundle bundle;
  std::vector<std::string> warnings, ids;
};

Built build(const std::vector<KnobBuild> &knobs, size_t maxVariants,
            std::vector<Technique> techniques = {Technique::Respecialize}) {
  Built built;
  Module module = compile({});
  Result<EntryPoint> entry = findComputeEntryPoint(module, "");
  EXPECT_TRUE(entry);
  KernelBuildOptions options;
  options.plan.techniques = std::move(techniques);
  options.plan.maxVariants = maxVariants;
  options.knobs = knobs;
  options.authoredKnobs = {{"TILE", "16"}};
  options.spec = {{3, 5}};
  Diagnostics diagnostics;
  Result<KernelInfo> kernel = buildKernel(module, *entry, "a", options, built.bundle, diagnostics);
  EXPECT_TRUE(kernel);
  built.kernel = std::move(*kernel);
  built.bundle.kernels.push_back(built.kernel);
  for (const Diagnostic &diagnostic : diagnostics.all())
    built.warnings.push_back(diagnostic.text);
  for (const VariantInfo &variant : built.kernel.variants)
    built.ids.push_back(variant.id);
  return built;
}

} // namespace

TEST(KnobVariants, SayWhatTheyAre) {
  Built built = build(builds({{{"TILE", "8"}, {"STEP", "2"}}, {{"STEP", "4"}}}), 0);
  EXPECT_THAT(built.ids, ElementsAre("authored", "respecialize-8x8x1-STEP=2-TILE=8",
                                     "respecialize-16x16x1-STEP=4"));
  EXPECT_THAT(built.kernel.variants[0].why, HasSubstr("which is that with TILE=16"));
  const VariantInfo &small = built.kernel.variants[1], &same = built.kernel.variants[2];
  EXPECT_EQ(small.technique, "respecialize");
  EXPECT_EQ(small.evidence, Evidence::Declared);
  EXPECT_EQ(small.sharedBytes, 256u);
  EXPECT_EQ(small.dispatch, (Dispatch{DispatchRule::Exact, {16, 16, 1}, {8, 8, 1}, {}}));
  EXPECT_EQ(same.dispatch, (Dispatch{DispatchRule::Same, {1, 1, 1}, {1, 1, 1}, {}}));
  ASSERT_EQ(small.steps.size(), 1u);
  EXPECT_EQ(small.steps[0].parameters,
            (std::map<std::string, std::string>{{"STEP", "2"}, {"TILE", "8"}}));
  // The host's constants stay the host's.
  EXPECT_EQ(small.specConstants, (std::map<uint32_t, uint64_t>{{3, 5}}));
  // The size is a literal, and the author declares all the same that it varies.
  for (const Refusal &refusal : built.kernel.refused)
    EXPECT_NE(refusal.technique, "respecialize");
  EXPECT_TRUE(validateBundle(built.bundle, "a.tailor", ErrorKind::Internal));
  Result<std::string> bytes = writeBundle(built.bundle);
  ASSERT_TRUE(bytes);
  Result<Bundle> again = readBundle(*bytes, "a.tailor");
  ASSERT_TRUE(again) << again.diagnostic().text;
  EXPECT_EQ(*again, built.bundle);
}

TEST(KnobVariants, ShareWhatMaxVariantsAllows) {
  std::vector<KnobBuild> knobs =
      builds({{{"TILE", "2"}}, {{"TILE", "4"}}, {{"TILE", "8"}}, {{"TILE", "32"}}});
  Built alone = build(knobs, 3);
  EXPECT_THAT(alone.ids, ElementsAre("authored", "respecialize-2x2x1-TILE=2",
                                     "respecialize-4x4x1-TILE=4", "respecialize-8x8x1-TILE=8"));
  EXPECT_THAT(alone.warnings, ElementsAre("kernel 'a': 1 of 4 combinations of knobs are left out "
                                          "by --max-variants"));
  Built shared = build(knobs, 4, {kTechniques.begin(), kTechniques.end()});
  size_t declared = 0;
  for (const VariantInfo &variant : shared.kernel.variants)
    declared += variant.evidence == Evidence::Declared ? 1 : 0;
  EXPECT_EQ(declared, 2u);
  EXPECT_EQ(shared.kernel.variants.size(), 5u);
  EXPECT_EQ(build(knobs, 1, {kTechniques.begin(), kTechniques.end()}).kernel.variants.size(), 2u);
  EXPECT_EQ(build(knobs, 0).kernel.variants.size(), 5u);
}

TEST(KnobVariants, WhatNoDeviceTakesIsLeftOut) {
  Built built = build(builds({{{"TILE", "64"}}}), 0);
  EXPECT_THAT(built.ids, ElementsAre("authored"));
  EXPECT_THAT(
      built.warnings,
      ElementsAre("kernel 'a': TILE=64 is left out: a workgroup of 4096 invocations is more "
                  "than the 1024 that devices allow"));
  // Nothing was made, so what stands against it stays.
  EXPECT_THAT(built.kernel.refused,
              testing::Contains(testing::Field(&Refusal::technique, "respecialize")));
}
