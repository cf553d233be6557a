//===- unit/Bundle/VariantOrderTests.cpp - Which of many variants are kept ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/VariantPlan.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <set>

using namespace tailor;
using testing::AllOf;
using testing::Contains;
using testing::IsSupersetOf;
using testing::Not;

namespace {

/// A kernel on which the listed techniques are legal; all axes that the size has are used.
Certificate certificateOf(Dim3 size, const std::vector<Technique> &legal) {
  Certificate certificate;
  certificate.authored.size = size;
  for (unsigned axis = 0; axis < 3; ++axis)
    certificate.usesAxis[axis] = size[axis] > 1;
  for (Technique technique : kTechniques)
    if (std::find(legal.begin(), legal.end(), technique) == legal.end())
      certificate.verdict(technique).refusal = Diagnostic::error({}, "refused by the test");
  return certificate;
}

Certificate globalId() {
  return certificateOf({8, 8, 1}, {Technique::Resize, Technique::Coarsen, Technique::Swizzle});
}

/// The first so many variants of a technique.
std::vector<PlannedVariant> keptOf(const Certificate &certificate, PlanRequest request, size_t most,
                                   const std::string &technique) {
  request.maxVariants = most;
  std::vector<PlannedVariant> kept;
  for (const PlannedVariant &variant : planVariants(certificate, request).variants)
    if (techniqueOf(variant) == technique)
      kept.push_back(variant);
  return kept;
}

std::vector<std::string> idsOf(const std::vector<PlannedVariant> &variants) {
  std::vector<std::string> ids;
  for (const PlannedVariant &variant : variants)
    ids.push_back(idOf(variant));
  return ids;
}

/// The lanes of a subgroup of 32 along x.
uint32_t widthOf(const PlannedVariant &variant) { return std::min(32U, variant.size().x); }

template <typename Value>
std::set<Value> each(const std::vector<PlannedVariant> &variants,
                     const std::function<Value(const PlannedVariant &)> &value) {
  std::set<Value> values;
  for (const PlannedVariant &variant : variants)
    values.insert(value(variant));
  return values;
}

/// Bytes of a transpose: rows of so many lanes, columns of so many.
std::optional<double> transposed(const PlannedVariant &variant) {
  const double width = variant.steps.empty() ? 8 : widthOf(variant);
  const double height = 32 / width;
  return width * std::max(1.0, height / 8) + height * std::max(1.0, width / 8);
}

} // namespace

TEST(VariantOrder, SizesThatFetchTwiceAsMuchWait) {
  PlanRequest request;
  request.fetchedBytes = transposed;
  std::vector<PlannedVariant> kept = keptOf(globalId(), request, 24, "resize");
  ASSERT_GE(kept.size(), 7u);
  for (const PlannedVariant &variant : kept)
    EXPECT_LE(*transposed(variant), 24) << idOf(variant);
  EXPECT_THAT(idsOf(kept), Contains("resize-8x32x1"));
  // With room for all nothing is left out.
  EXPECT_THAT(idsOf(keptOf(globalId(), request, 0, "resize")), Contains("resize-128x1x1"));
}

TEST(VariantOrder, NoTwoSizesInARowAreAlike) {
  PlanRequest request;
  request.fetchedBytes = [](const PlannedVariant &) { return 8.0; };
  std::vector<PlannedVariant> kept = keptOf(globalId(), request, 24, "resize");
  ASSERT_GE(kept.size(), 7u);
  auto total = [](const PlannedVariant &variant) { return variant.size().product(); };
  EXPECT_THAT(each<uint64_t>(kept, total), IsSupersetOf({128U, 256U, 512U}));
  EXPECT_GE(each<uint32_t>(kept, widthOf).size(), 4u);
  for (size_t at = 1; at < kept.size(); ++at)
    EXPECT_FALSE(total(kept[at]) == total(kept[at - 1]) &&
                 widthOf(kept[at]) == widthOf(kept[at - 1]))
        << idOf(kept[at]);
}

TEST(VariantOrder, OfImagesManyWidthsAreTried) {
  Certificate certificate = globalId();
  AccessFact image;
  image.space = "image";
  certificate.facts.accesses.push_back(image);
  EXPECT_THAT(each<uint32_t>(keptOf(certificate, {}, 24, "resize"), widthOf),
              IsSupersetOf({2, 4, 8, 16, 32}));
  // And every order of lanes.
  EXPECT_THAT(
      idsOf(keptOf(certificate, {}, 24, "swizzle")),
      IsSupersetOf({"swizzle-8x8x1-tile4x4", "swizzle-8x8x1-morton", "swizzle-8x8x1-column"}));
  // Where nothing is known of buffers, rows are what they are made for.
  for (const PlannedVariant &variant : keptOf(globalId(), {}, 24, "resize"))
    EXPECT_GE(widthOf(variant), 8u) << idOf(variant);
}

TEST(VariantOrder, OrdersOfLanesThatFetchTheSameWait) {
  PlanRequest request;
  auto column = [](const PlannedVariant &variant) {
    auto at =
        variant.steps.empty() ? std::string() : idOf(variant).substr(idOf(variant).rfind('-') + 1);
    return at == "column";
  };
  request.fetchedBytes = [&](const PlannedVariant &variant) { return column(variant) ? 7.0 : 8.0; };
  std::vector<std::string> ids = idsOf(keptOf(globalId(), request, 24, "swizzle"));
  EXPECT_THAT(ids, AllOf(Contains("swizzle-8x8x1-column"), Contains("swizzle-8x8x1-groups8"),
                         Not(Contains("swizzle-8x8x1-morton"))));
  request.fetchedBytes = [&](const PlannedVariant &variant) {
    return column(variant) ? 15.0 : 8.0; // not twice as much, but it has nothing else to offer
  };
  EXPECT_THAT(idsOf(keptOf(globalId(), request, 24, "swizzle")),
              testing::ElementsAre("swizzle-8x8x1-groups8"));
}

TEST(VariantOrder, CoarsenedShapesAreOfManyKinds) {
  PlanRequest request;
  request.fetchedBytes = [](const PlannedVariant &) { return 8.0; };
  std::vector<PlannedVariant> kept = keptOf(globalId(), request, 24, "resize+coarsen");
  ASSERT_GE(kept.size(), 6u);
  auto axes = [](const PlannedVariant &variant) {
    const Dim3 &before = variant.steps[0].size, &after = variant.size();
    return std::pair(before.x > after.x, before.y > after.y);
  };
  auto factor = [](const PlannedVariant &variant) {
    return variant.steps[0].size.product() / variant.size().product();
  };
  EXPECT_THAT((each<std::pair<bool, bool>>(kept, axes)),
              IsSupersetOf({std::pair(true, false), std::pair(false, true)}));
  EXPECT_THAT(each<uint64_t>(kept, factor), testing::ElementsAre(2, 4, 8));
  EXPECT_GE(each<uint32_t>(kept, widthOf).size(), 3u);
  for (const PlannedVariant &variant : kept)
    EXPECT_GE(variant.size().product(), 32u) << idOf(variant);
}

TEST(VariantOrder, BlockedWaitsUnlessItFetchesLess) {
  Certificate certificate = certificateOf({256, 1, 1}, {Technique::Pack, Technique::Coarsen});
  auto isBlocked = [](const PlannedVariant &variant) {
    return idOf(variant).find("blocked") != std::string::npos;
  };
  for (double bytes : {8.0, 4.0}) {
    PlanRequest request;
    request.fetchedBytes = [&](const PlannedVariant &variant) {
      return isBlocked(variant) ? bytes : 8.0;
    };
    std::vector<PlannedVariant> kept = keptOf(certificate, request, 6, "coarsen");
    EXPECT_EQ(std::any_of(kept.begin(), kept.end(), isBlocked), bytes < 8);
  }
}

TEST(VariantOrder, PackAlongAnAxisOfOneGroupWaits) {
  Certificate certificate = certificateOf({8, 8, 1}, {Technique::Pack});
  PlanRequest request;
  request.hasGroups = {true, false, true};
  const std::vector<PlannedVariant> all = planVariants(certificate, request).variants;
  const size_t alongX = 3; // by 2, 4 and 8
  ASSERT_GT(all.size(), alongX);
  for (size_t at = 0; at < all.size(); ++at)
    EXPECT_EQ(all[at].size().y == 8, at < alongX) << idOf(all[at]);
}

TEST(VariantOrder, ListedSizesKeepTheirOrder) {
  PlanRequest request;
  request.fetchedBytes = transposed;
  request.guards = GuardPolicy::None;
  request.sizes = {SizeRequest::Policy::List, {{128, 1, 1}, {8, 32, 1}, {1, 64, 1}}};
  EXPECT_THAT(idsOf(keptOf(globalId(), request, 0, "resize")),
              testing::ElementsAre("resize-128x1x1", "resize-8x32x1", "resize-1x64x1"));
}
