//===- differential/TechniqueIdLieTests.cpp - What no proof stands behind -===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counter-examples to the conditions of remap, guard and swizzle: refused; and made
// all the same, under a certificate that claims too much or under another rule, they
// give other bits, and the harness sees it.
//
//===----------------------------------------------------------------------===//
#include "TechniqueKernels.h"

#include "passes/RemapIds.h"
#include "passes/SwizzleLanes.h"

#include "gmock/gmock.h"

using namespace tailor;
using namespace tailor::differential;
using testing::HasSubstr;

namespace {

class TechniqueIdLies : public TechniqueTest {};

TEST_F(TechniqueIdLies, RefusesWhatInvocationsExchange) {
  const Dim3 authored{16, 4, 1};
  TechniqueReport report = run(meetingKernel(authored), idProblem({3, 2, 1}, authored),
                               {remapped(authored, {32, 1, 1}), remapped(authored, {8, 4, 1}),
                                guardedRemap(authored, {5, 3, 1}, GridSource::PushConstants)});
  EXPECT_EQ(report.variants, 0u);
  EXPECT_EQ(report.refusals.size(), 3u);
}

/// Certificates that claim everything.
Certificate everything(const std::string &text) {
  Result<Compiled> compiled = compile(text, InputKind::Glsl);
  EXPECT_TRUE(bool(compiled));
  Result<EntryPoint> entry = findComputeEntryPoint(compiled->module, "main");
  Result<Certificate> certificate = certify(compiled->module, *entry);
  EXPECT_TRUE(bool(certificate));
  for (Technique technique : kTechniques)
    certificate->verdict(technique) = {};
  return std::move(*certificate);
}

TEST_F(TechniqueIdLies, SeesARemapOfGroupsThatMeet) {
  const Dim3 authored{16, 4, 1}, size{8, 4, 1};
  const Certificate lie = everything(meetingKernel(authored));
  TechniqueVariant variant = remapped(authored, size);
  variant.lie = [&](PassManager &manager) {
    manager.add(std::make_unique<RemapIds>(RemapIds::Options{size, "", &lie}));
  };
  EXPECT_FALSE(
      run(meetingKernel(authored), idProblem({3, 2, 1}, authored), {variant}).wrong.empty());
}

TEST_F(TechniqueIdLies, SeesAPrivateStackThatTwoInvocationsShare) {
  // Both write their slot, then read it behind a barrier of the test's making.
  const std::string text = kIdHead + R"(
shared uint slot[32];
void main() {
  slot[I] = b[PLACE];
  barrier();
  a[PLACE] = slot[I];
}
)";
  const Dim3 authored{32, 1, 1}, size{64, 1, 1};
  const Certificate lie = everything(sized(text, authored));
  TechniqueVariant variant = remapped(authored, size);
  variant.lie = [&](PassManager &manager) {
    manager.add(std::make_unique<RemapIds>(RemapIds::Options{size, "", &lie}));
  };
  EXPECT_FALSE(run(sized(text, authored), idProblem({4, 1, 1}, authored), {variant}).wrong.empty());
}

TEST_F(TechniqueIdLies, SeesGridsThatAreRoundedUpWithoutAGuard) {
  const Dim3 authored{8, 4, 1};
  TechniqueVariant variant = guardedRemap(authored, {5, 3, 1}, GridSource::PushConstants);
  variant.guard.reset();
  EXPECT_GE(run(sized(kAllIds, authored), idProblem({3, 5, 1}, authored), {variant}).wrong.size(),
            devices().size());
}

TEST_F(TechniqueIdLies, SeesAGuardOnTheWrongAxis) {
  const Dim3 authored{8, 4, 1};
  TechniqueVariant variant = guardedRemap(authored, {5, 4, 1}, GridSource::PushConstants);
  variant.axes = {false, true, false};
  EXPECT_GE(run(sized(kAllIds, authored), idProblem({3, 5, 1}, authored), {variant}).wrong.size(),
            devices().size());
}

TEST_F(TechniqueIdLies, SeesCountsOfAGuardBehindARemap) {
  // The number of groups is computed by remap-ids already, from what the device dispatches: four
  // groups of 100 would be six of 64, where five were authored. No invocation writes too far.
  const std::string text = kIdHead + "void main() { a[Q.x] = C.x * 16u + G.x; }\n";
  const Dim3 authored{64, 1, 1}, size{100, 1, 1};
  TechniqueVariant right = guardedRemap(authored, size, GridSource::PushConstants);
  same(sized(text, authored), idProblem({5, 1, 1}, authored), {right});
  TechniqueVariant wrong = right;
  wrong.guardsLast = true;
  TechniqueReport report = run(sized(text, authored), idProblem({5, 1, 1}, authored), {wrong});
  EXPECT_THAT(report.refusals, testing::IsEmpty());
  EXPECT_EQ(report.wrong.size(), devices().size()) << report.text();
  EXPECT_THAT(report.wrong, testing::Each(HasSubstr("320 of 320 elements differ")));
}

TEST_F(TechniqueIdLies, SeesAnotherOrderOfASubgroup) {
  const std::string text = "#version 460\n#extension GL_KHR_shader_subgroup_vote : require\n" +
                           kIdHead.substr(kIdHead.find('\n') + 1) +
                           "void main() { a[PLACE] = subgroupAny(L.x == 0u) ? 1u : 0u; }\n";
  const Dim3 authored{16, 4, 1};
  const Certificate lie = everything(sized(text, authored));
  TechniqueVariant variant = reordered("swizzle-lanes<order=column>", authored);
  TechniqueReport refused = run(sized(text, authored), idProblem({2, 2, 1}, authored), {variant});
  EXPECT_THAT(refused.refusals, testing::ElementsAre(HasSubstr("inside a subgroup")));
  variant.lie = [&](PassManager &manager) {
    SwizzleLanes::Options options;
    options.swizzle.order = LaneOrder::Column;
    options.certificate = &lie;
    manager.add(std::make_unique<SwizzleLanes>(std::move(options)));
  };
  EXPECT_FALSE(run(sized(text, authored), idProblem({2, 2, 1}, authored), {variant}).wrong.empty());
}

} // namespace
