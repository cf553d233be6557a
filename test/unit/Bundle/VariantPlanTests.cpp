//===- unit/Bundle/VariantPlanTests.cpp - Ids, candidates, shares ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/VariantPlan.h"

#include "Bundle/VariantMaker.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <set>

using namespace tailor;
using testing::Contains;
using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::Not;

namespace {

/// A kernel on which the listed techniques are legal.
Certificate certificateOf(Dim3 size, const std::vector<Technique> &legal,
                          uint64_t sharedBytes = 0) {
  Certificate certificate;
  certificate.authored.size = size;
  certificate.facts.sharedBytes = sharedBytes;
  for (unsigned axis = 0; axis < 3; ++axis)
    certificate.usesAxis[axis] = size[axis] > 1;
  for (Technique technique : kTechniques)
    if (std::find(legal.begin(), legal.end(), technique) == legal.end())
      certificate.verdict(technique).refusal = Diagnostic::error({}, "refused by the test");
  return certificate;
}

Certificate tiled(Dim3 size = {16, 16, 1}, uint64_t sharedBytes = 2048) {
  return certificateOf(size, {Technique::Pack, Technique::Coarsen, Technique::Swizzle},
                       sharedBytes);
}

Certificate globalId(Dim3 size = {16, 16, 1}) {
  return certificateOf(
      size, {Technique::Resize, Technique::Remap, Technique::Coarsen, Technique::Swizzle});
}

std::vector<std::string> idsOf(const VariantPlan &plan) {
  std::vector<std::string> ids;
  for (const PlannedVariant &variant : plan.variants)
    ids.push_back(idOf(variant));
  return ids;
}

std::map<std::string, size_t> countsOf(const VariantPlan &plan) {
  std::map<std::string, size_t> counts;
  for (const PlannedVariant &variant : plan.variants)
    ++counts[techniqueOf(variant)];
  return counts;
}

PlanRequest listOf(std::vector<Dim3> sizes) {
  PlanRequest request;
  request.sizes = {SizeRequest::Policy::List, std::move(sizes)};
  return request;
}

PlanRequest only(std::vector<Technique> techniques) {
  PlanRequest request;
  request.named = true;
  request.techniques = std::move(techniques);
  return request;
}

} // namespace

TEST(VariantPlan, IdsNameTechniqueSizeAndParameters) {
  auto id = [](PlannedStep step) { return idOf(step); };
  EXPECT_EQ(id({Technique::Resize, {64, 1, 1}}), "resize-64x1x1");
  EXPECT_EQ(id({Technique::Resize, {96, 1, 1}, true}), "resize-96x1x1-guarded");
  EXPECT_EQ(id({Technique::Coarsen, {8, 8, 1}, false, {{"form", "cyclic"}}}), "coarsen-8x8x1");
  EXPECT_EQ(id({Technique::Coarsen, {8, 8, 1}, false, {{"form", "blocked"}}}),
            "coarsen-8x8x1-blocked");
  EXPECT_EQ(id({Technique::Swizzle, {16, 16, 1}, false, {{"order", "tile"}, {"tile", "8x8"}}}),
            "swizzle-16x16x1-tile8x8");
  EXPECT_EQ(id({Technique::Swizzle, {16, 16, 1}, false, {{"order", "morton"}}}),
            "swizzle-16x16x1-morton");
  EXPECT_EQ(id({Technique::Swizzle, {16, 16, 1}, false, {{"rows", "8"}}}),
            "swizzle-16x16x1-groups8");
  PlannedVariant both{{{Technique::Pack, {32, 8, 1}},
                       {Technique::Coarsen, {16, 8, 1}, false, {{"form", "cyclic"}}}}};
  EXPECT_EQ(idOf(both), "pack-32x8x1+coarsen-16x8x1");
  EXPECT_EQ(techniqueOf(both), "pack+coarsen");
}

TEST(VariantPlan, AKernelThatResizesNeedsNoRemapAndNoPack) {
  PlanRequest request;
  request.maxVariants = 0;
  Certificate certificate = globalId();
  certificate.verdict(Technique::Pack).refusal.reset();
  std::map<std::string, size_t> counts = countsOf(planVariants(certificate, request));
  EXPECT_EQ(counts["resize"], 55u + 41u); // each size, and a guarded one where it divides not
  EXPECT_FALSE(counts.contains("remap"));
  EXPECT_FALSE(counts.contains("pack"));
  EXPECT_GT(counts["coarsen"], 0u);
  EXPECT_GT(counts["resize+coarsen"], 0u);
  // Unless they were asked for by name.
  PlanRequest named = only({Technique::Resize, Technique::Remap, Technique::Pack});
  named.maxVariants = 0;
  counts = countsOf(planVariants(certificate, named));
  EXPECT_GT(counts["remap"], 0u);
  EXPECT_GT(counts["pack"], 0u);
  EXPECT_FALSE(counts.contains("coarsen"));
}

TEST(VariantPlan, RemapTakesThePlaceOfResize) {
  Certificate certificate =
      certificateOf({64, 1, 1}, {Technique::Remap, Technique::Pack, Technique::Coarsen});
  std::map<std::string, size_t> counts = countsOf(planVariants(certificate, {}));
  EXPECT_FALSE(counts.contains("resize"));
  EXPECT_FALSE(counts.contains("pack"));
  EXPECT_GT(counts["remap"], 0u);
  certificate.verdict(Technique::Remap).dividesOnly = true;
  for (const PlannedVariant &variant : planVariants(certificate, {}).variants) {
    if (variant.steps.front().technique == Technique::Remap) {
      EXPECT_EQ(64 % variant.size().x, 0u) << idOf(variant);
    }
  }
}

TEST(VariantPlan, PackKeepsToAxesInvocationsAndMemory) {
  std::vector<std::string> ids = idsOf(planVariants(tiled(), only({Technique::Pack})));
  EXPECT_THAT(ids, testing::UnorderedElementsAre("pack-32x16x1", "pack-16x32x1", "pack-64x16x1",
                                                 "pack-16x64x1", "pack-32x32x1"));
  Certificate onX = tiled();
  onX.verdict(Technique::Pack).axisRefusal[1] = Diagnostic::error({}, "not along y");
  EXPECT_THAT(idsOf(planVariants(onX, only({Technique::Pack}))),
              testing::UnorderedElementsAre("pack-32x16x1", "pack-64x16x1"));
  // 12 KiB: two groups are 24, four would be 48.
  EXPECT_THAT(idsOf(planVariants(tiled({16, 16, 1}, 12288), only({Technique::Pack}))),
              testing::UnorderedElementsAre("pack-32x16x1", "pack-16x32x1"));
  // A device that has more takes more.
  PlanRequest large = only({Technique::Pack});
  DeviceProfile profile;
  profile.maxSharedBytes = 65536;
  large.profiles = {&profile};
  EXPECT_EQ(planVariants(tiled({16, 16, 1}, 12288), large).variants.size(), 5u);
}

TEST(VariantPlan, AllPacksOfAWorkgroupOfOneAreThoseThatADeviceAllows) {
  Certificate certificate = tiled({1, 1, 1}, 4);
  certificate.usesAxis = {true, true, true};
  PlanRequest request;
  request.techniques = {Technique::Pack};
  request.sizes.policy = SizeRequest::Policy::All;
  request.maxVariants = 0;
  VariantPlan plan = planVariants(certificate, request);
  EXPECT_GT(plan.variants.size(), 10000u);
  for (const PlannedVariant &variant : plan.variants)
    ASSERT_LE(variant.size().product(), kMaxCandidateInvocations) << idOf(variant);
}

TEST(VariantPlan, CoarsenKeepsASubgroupAndNamesCyclicFirst) {
  std::vector<std::string> ids = idsOf(planVariants(tiled({64, 1, 1}), only({Technique::Coarsen})));
  EXPECT_THAT(ids, ElementsAre("coarsen-32x1x1", "coarsen-32x1x1-blocked"));
  ids = idsOf(planVariants(tiled({256, 1, 1}), only({Technique::Coarsen})));
  EXPECT_THAT(ids, ElementsAre("coarsen-64x1x1", "coarsen-128x1x1", "coarsen-32x1x1",
                               "coarsen-64x1x1-blocked", "coarsen-128x1x1-blocked",
                               "coarsen-32x1x1-blocked"));
}

TEST(VariantPlan, SaysWhyALegalTechniqueMakesNothing) {
  auto reasonOf = [](const Certificate &certificate, PlanRequest request) {
    VariantPlan plan = planVariants(certificate, request);
    return plan.idle.size() == 1 ? plan.idle[0].second : std::to_string(plan.idle.size());
  };
  EXPECT_EQ(reasonOf(tiled({32, 1, 1}), only({Technique::Coarsen})),
            "of a workgroup of 32x1x1, half would be fewer than 32 invocations, and leave lanes of "
            "a subgroup empty; --sizes all, or a list, makes them all the same");
  PlanRequest all = only({Technique::Coarsen});
  all.sizes.policy = SizeRequest::Policy::All;
  EXPECT_EQ(reasonOf(tiled({32, 1, 1}), all), "0"); // it does
  EXPECT_THAT(reasonOf(tiled({81, 1, 1}), only({Technique::Coarsen})),
              testing::StartsWith("no axis of a workgroup of 81x1x1 can be divided by 2"));
  EXPECT_THAT(reasonOf(tiled({1024, 1, 1}), only({Technique::Pack})),
              testing::HasSubstr("are more than 1024 invocations and 32 KiB"));
  EXPECT_EQ(reasonOf(tiled({64, 1, 1}), only({Technique::Swizzle})),
            "a workgroup of 64x1x1 has one axis: its lanes are in the one order there is");
  // Where it is part of something, or others are made and it was not named, nothing is said.
  EXPECT_EQ(reasonOf(tiled({32, 1, 1}), only({Technique::Pack, Technique::Coarsen})), "0");
  EXPECT_EQ(reasonOf(tiled({64, 1, 1}), {}), "0");
  PlanRequest listed = listOf({{16, 1, 1}});
  listed.named = true;
  EXPECT_EQ(reasonOf(tiled({32, 1, 1}), listed), "0"); // the size is named in VariantPlan::unmade
}

TEST(VariantPlan, SwizzleNeedsTwoAxes) {
  EXPECT_TRUE(planVariants(tiled({64, 1, 1}), only({Technique::Swizzle})).variants.empty());
  EXPECT_THAT(idsOf(planVariants(tiled(), only({Technique::Swizzle}))),
              ElementsAre("swizzle-16x16x1-tile4x4", "swizzle-16x16x1-tile8x8",
                          "swizzle-16x16x1-morton", "swizzle-16x16x1-column",
                          "swizzle-16x16x1-groups8"));
  EXPECT_THAT(idsOf(planVariants(tiled({12, 8, 1}), only({Technique::Swizzle}))),
              Not(Contains("swizzle-12x8x1-morton")));
}

TEST(VariantPlan, SizesAreWhatAVariantEndsWith) {
  PlanRequest request = listOf({{32, 16, 1}, {8, 8, 1}, {16, 8, 1}, {5, 1, 1}});
  VariantPlan plan = planVariants(tiled(), request);
  EXPECT_THAT(idsOf(plan), IsSupersetOf({"pack-32x16x1", "coarsen-8x8x1", "coarsen-16x8x1",
                                         "coarsen-8x8x1-blocked", "pack-16x32x1+coarsen-16x8x1"}));
  for (const PlannedVariant &variant : plan.variants)
    EXPECT_THAT(request.sizes.list, Contains(variant.size())) << idOf(variant);
  EXPECT_THAT(plan.unmade, ElementsAre(Dim3{5, 1, 1}));
  // The authored size is nothing to be made, and no fault either.
  EXPECT_TRUE(planVariants(tiled(), listOf({{16, 16, 1}})).unmade.empty());
}

TEST(VariantPlan, GuardedWhereNothingElseHoldsForEveryDispatch) {
  Certificate certificate = globalId({64, 1, 1});
  certificate.bounds[0].push_back(
      {0, {UniformExpr::Op::PushConstant, {0, 0, 0, 0}, {}}, false, false, {}});
  PlanRequest request = listOf({{32, 1, 1}, {96, 1, 1}});
  request.techniques = {Technique::Resize};
  EXPECT_THAT(idsOf(planVariants(certificate, request)),
              ElementsAre("resize-32x1x1", "resize-96x1x1"));
  request.allowCover = false;
  EXPECT_THAT(idsOf(planVariants(certificate, request)),
              ElementsAre("resize-32x1x1", "resize-96x1x1", "resize-96x1x1-guarded"));
  request.guards = GuardPolicy::None;
  EXPECT_THAT(idsOf(planVariants(certificate, request)),
              ElementsAre("resize-32x1x1", "resize-96x1x1"));
  request.guards = GuardPolicy::All;
  request.allowCover = true;
  EXPECT_THAT(idsOf(planVariants(certificate, request)), Contains("resize-96x1x1-guarded"));
}

TEST(VariantPlan, RespecializeAsksForTheMemoryOfEachSize) {
  Certificate certificate = certificateOf({64, 1, 1}, {Technique::Respecialize}, 256);
  EXPECT_TRUE(planVariants(certificate, {}).variants.empty());
  PlanRequest request;
  request.respecializedBytes = [](const Dim3 &size) -> std::optional<uint64_t> {
    if (size.x == 128)
      return std::nullopt; // its constants cannot give that
    return uint64_t{64} * size.x;
  };
  std::vector<std::string> ids = idsOf(planVariants(certificate, request));
  EXPECT_THAT(ids, Contains("respecialize-512x1x1"));
  EXPECT_THAT(ids, Not(Contains("respecialize-1024x1x1"))); // 64 KiB
  EXPECT_THAT(ids, Not(Contains("respecialize-128x1x1")));
}

TEST(VariantPlan, EveryTechniqueGetsItsShare) {
  PlanRequest request;
  request.maxVariants = 0;
  const VariantPlan all = planVariants(globalId(), request);
  std::map<std::string, size_t> wanted = countsOf(all);
  for (size_t most : {1, 5, 9, 20, 40, 64, 100, 1000}) {
    request.maxVariants = most;
    VariantPlan plan = planVariants(globalId(), request);
    std::map<std::string, size_t> counts = countsOf(plan);
    EXPECT_EQ(plan.variants.size(), std::min(most, all.variants.size()));
    EXPECT_EQ(plan.reserve.size(), all.variants.size() - plan.variants.size());
    if (most >= 20) {
      for (const auto &[technique, count] : wanted)
        EXPECT_GE(counts[technique], std::min<size_t>(count, most / 14))
            << technique << " of " << most;
    }
  }
  request.maxVariants = 1;
  EXPECT_THAT(idsOf(planVariants(globalId(), request)),
              ElementsAre(idOf(all.variants.front()))); // the most promising of the first
}

TEST(VariantPlan, IsTheSameEachTimeAndHasNoIdTwice) {
  for (const Certificate &certificate : {globalId(), tiled(), globalId({64, 1, 1})})
    for (SizeRequest::Policy policy : {SizeRequest::Policy::Auto, SizeRequest::Policy::All}) {
      PlanRequest request;
      request.sizes.policy = policy;
      VariantPlan plan = planVariants(certificate, request);
      EXPECT_EQ(plan.variants, planVariants(certificate, request).variants);
      std::vector<std::string> ids = idsOf(plan);
      EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
    }
}

TEST(ComposedRules, SameIsNeutral) {
  Dispatch same{DispatchRule::Same, {}, {}, {}};
  Dispatch exact{DispatchRule::Exact, {64, 1, 1}, {128, 1, 1}, {}};
  EXPECT_EQ(composed(same, exact), exact);
  EXPECT_EQ(composed(exact, same), exact);
  Dispatch cover = exact;
  cover.rule = DispatchRule::Cover;
  cover.bounds.push_back({0, UniformExpr::constant(100), false, false, {}});
  EXPECT_EQ(composed(cover, same), cover);
  EXPECT_EQ(composed(cover, exact), std::nullopt); // what is rounded up is not what comes next
  EXPECT_EQ(composed(exact, cover), std::nullopt);
}

TEST(ComposedRules, TheWholeComesOutEvenOnlyWhereEachStepDoes) {
  Dispatch half{DispatchRule::Exact, {64, 1, 1}, {128, 1, 1}, {}};
  Dispatch quarter{DispatchRule::Exact, {128, 1, 1}, {512, 1, 1}, {}};
  Dispatch twice{DispatchRule::Exact, {128, 1, 1}, {64, 1, 1}, {}};
  std::optional<Dispatch> whole = composed(half, quarter);
  ASSERT_TRUE(whole);
  for (uint32_t groups = 0; groups < 64; ++groups) {
    const Dim3 most{UINT32_MAX, UINT32_MAX, UINT32_MAX};
    Result<Dim3> first = variantGroups(half, half.mul, {groups, 1, 1}, most);
    Result<Dim3> second = first ? variantGroups(quarter, quarter.mul, *first, most) : first;
    Result<Dim3> both = variantGroups(*whole, half.mul, {groups, 1, 1}, most);
    ASSERT_EQ(static_cast<bool>(second), static_cast<bool>(both)) << groups;
    if (both) {
      EXPECT_EQ(*both, *second);
    }
  }
  // Half of an odd number of groups, doubled again, would look whole.
  EXPECT_EQ(composed(half, twice), std::nullopt);
  EXPECT_TRUE(composed(twice, half));
}
