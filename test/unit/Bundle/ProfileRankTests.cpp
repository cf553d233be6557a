//===- unit/Bundle/ProfileRankTests.cpp - What profiles choose ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Analysis/KernelSupport.h"
#include "Bundle/KernelBuilder.h"
#include "Bundle/ProfileRank.h"

#include "gmock/gmock.h"

#include <set>

namespace tailor {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

namespace {

AssumedDispatch dispatchOf(const std::string &source, const DispatchRequest &request = {}) {
  AnalysedKernel kernel = analyse(source);
  return AssumedDispatch(*kernel, certify(*kernel), request);
}

UniformExpr pushed(uint32_t offset) {
  return {UniformExpr::Op::PushConstant, {offset, 0, 0, 0}, {}};
}

const std::string kBuffers = R"(
layout(push_constant) uniform P { uint width, height, pitch; } p;
layout(binding = 0) buffer A { float a[]; };
layout(binding = 1) buffer B { float b[]; };
)";

std::vector<size_t> indices(const std::vector<ChosenVariant> &chosen) {
  std::vector<size_t> list;
  for (const ChosenVariant &each : chosen)
    list.push_back(each.variant);
  return list;
}

struct Built {
  KernelInfo kernel;
  std::string warnings;
  std::vector<std::string> ids() const {
    std::vector<std::string> list;
    for (const VariantInfo &variant : kernel.variants)
      list.push_back(variant.id);
    return list;
  }
};

Built build(const std::string &source, size_t most, const std::vector<const char *> &profiles = {},
            const DispatchRequest &dispatch = {}) {
  std::unique_ptr<Module> module = moduleOf("#version 450\n" + source);
  Built built;
  if (!module)
    return built;
  KernelBuildOptions options;
  options.plan.maxVariants = most;
  options.dispatch = dispatch;
  for (const char *profile : profiles)
    options.plan.profiles.push_back(*findProfile(profile));
  Bundle bundle;
  Diagnostics diagnostics;
  Result<KernelInfo> kernel =
      buildKernel(*module, module->entryPoints().front(), "k", options, bundle, diagnostics);
  EXPECT_TRUE(kernel);
  if (kernel)
    built.kernel = std::move(*kernel);
  for (const Diagnostic &each : diagnostics.all())
    built.warnings += each.text + "\n";
  return built;
}

const std::string kTranspose = "layout(local_size_x = 16, local_size_y = 16) in;" + kBuffers + R"(
void main() {
  uvec2 at = gl_GlobalInvocationID.xy;
  if (at.x < p.width && at.y < p.height)
    b[at.x * p.height + at.y] = a[at.y * p.width + at.x];
})";

} // namespace

TEST(AssumedDispatch, TheAxesInUseShareTheInvocations) {
  const std::string body = " void main() { ";
  EXPECT_EQ(dispatchOf("layout(local_size_x = 64) in;" + kBuffers + body +
                       "b[gl_GlobalInvocationID.x] = 1; }")
                .groups(),
            Dim3(262144, 1, 1));
  EXPECT_EQ(dispatchOf(kTranspose).groups(), Dim3(256, 256, 1));
  EXPECT_EQ(dispatchOf("layout(local_size_x = 32) in;" + kBuffers + body +
                       "b[gl_LocalInvocationID.x] = 1; }")
                .groups(),
            Dim3(1, 1, 1));
  // A power of two of groups of any size, one at least.
  const std::string odd =
      "layout(local_size_x = 48) in;" + kBuffers + body + "b[gl_GlobalInvocationID.x] = 1; }";
  EXPECT_EQ(dispatchOf(odd, {{}, 10000}).groups(), Dim3(128, 1, 1));
  EXPECT_EQ(dispatchOf(odd, {{}, 1}).groups(), Dim3(1, 1, 1));
  EXPECT_EQ(dispatchOf(odd, {Dim3{7, 3, 1}, 1}).groups(), Dim3(7, 3, 1));
}

TEST(AssumedDispatch, BoundsAreThoseOfTheGrid) {
  const AssumedDispatch dispatch = dispatchOf(kTranspose, {Dim3{10, 20, 1}, 0});
  EXPECT_EQ(dispatch.value(pushed(0)), 160U);
  EXPECT_EQ(dispatch.value(pushed(4)), 320U);
  EXPECT_EQ(dispatch.value(pushed(8)), std::nullopt); // no bound: nothing is known of it
  AssumedDispatch grid = dispatch;
  grid.takeAsGrid();
  EXPECT_EQ(grid.value(pushed(8)), 320U);
  EXPECT_EQ(grid.value(pushed(0)), 160U);
  EXPECT_EQ(dispatch.value({UniformExpr::Op::ImageSize, {0, 0, 1, 0}, {}}), 320U);
  EXPECT_EQ(dispatch.value({UniformExpr::Op::ArrayLength, {0, 0, 0, 4}, {}}), 160U * 320U);
}

TEST(AssumedDispatch, SumsAndShiftsOfABoundReachTheGrid) {
  const std::string head = "layout(local_size_x = 32) in;" + kBuffers;
  const AssumedDispatch quarter =
      dispatchOf(head + "void main() { uint i = gl_GlobalInvocationID.x; if (i < p.width / 4) "
                        "b[i] = 1; }",
                 {Dim3{8, 1, 1}, 0});
  EXPECT_EQ(quarter.value(pushed(0)), 1024U);
  const AssumedDispatch flat = dispatchOf(
      "layout(local_size_x = 8, local_size_y = 8) in;" + kBuffers +
          "void main() { uint i = gl_GlobalInvocationID.y * p.pitch + gl_GlobalInvocationID.x;\n"
          "if (i < p.width) b[i] = 1; }",
      {Dim3{8, 4, 1}, 0});
  EXPECT_EQ(flat.value(pushed(8)), 64U);
  EXPECT_EQ(flat.value(pushed(0)), 64U * 32U);
}

TEST(ChooseInTurns, TakesTheFastestAndEveryFourthOfAnotherTechnique) {
  const std::vector<RankedVariant> list = {{"resize", {50}}, {"resize", {10}},  {"resize", {20}},
                                           {"resize", {30}}, {"coarsen", {90}}, {"pack", {80}},
                                           {"resize", {40}}, {"swizzle", {}}};
  std::vector<RankedVariant> variants = list;
  variants.back().expectedNs = {std::nullopt};
  EXPECT_EQ(indices(chooseInTurns(variants, 1, 4)), (std::vector<size_t>{1, 2, 3, 5}));
  EXPECT_EQ(indices(chooseInTurns(variants, 1, 6)), (std::vector<size_t>{1, 2, 3, 5, 6, 0}));
  EXPECT_EQ(indices(chooseInTurns(variants, 1, 100)),
            (std::vector<size_t>{1, 2, 3, 5, 6, 0, 5 - 1, 7}));
  // The last place of a few, where all others are alike.
  EXPECT_EQ(indices(chooseInTurns(variants, 1, 2)), (std::vector<size_t>{1, 5}));
  EXPECT_EQ(indices(chooseInTurns(variants, 1, 1)), (std::vector<size_t>{1}));
}

TEST(ChooseInTurns, ProfilesTakeTurns) {
  const std::vector<RankedVariant> variants = {
      {"resize", {1, 9}}, {"coarsen", {2, 8}}, {"resize", {3, 1}}, {"pack", {std::nullopt, 2}}};
  EXPECT_THAT(chooseInTurns(variants, 2, 3),
              ElementsAre(ChosenVariant{0, 0}, ChosenVariant{2, 1}, ChosenVariant{1, 0}));
  EXPECT_THAT(chooseInTurns(variants, 2, 4), ElementsAre(ChosenVariant{0, 0}, ChosenVariant{2, 1},
                                                         ChosenVariant{1, 0}, ChosenVariant{3, 1}));
}

TEST(ChooseInTurns, OfEqualsTheFirstAndWhatIsNotKnownLast) {
  const std::vector<RankedVariant> variants = {
      {"resize", {std::nullopt}}, {"resize", {5}}, {"resize", {5}}, {"pack", {std::nullopt}}};
  EXPECT_EQ(indices(chooseInTurns(variants, 1, 3)), (std::vector<size_t>{1, 2, 0}));
}

TEST(BuildForProfiles, TheModelChoosesWhereNotAllHaveRoom) {
  const Built chosen = build(kTranspose, 4, {"nvidia-h200"});
  ASSERT_EQ(chosen.kernel.variants.size(), 5U);
  EXPECT_EQ(chosen.kernel.variants[0].id, "authored");
  EXPECT_EQ(chosen.kernel.variants[0].chosenFor, "");
  std::set<std::string> techniques;
  for (size_t at = 1; at < 5; ++at) {
    EXPECT_EQ(chosen.kernel.variants[at].chosenFor, "nvidia-h200");
    techniques.insert(chosen.kernel.variants[at].technique);
  }
  EXPECT_GE(techniques.size(), 2U);
  EXPECT_EQ(chosen.kernel.assumedGroups, Dim3(256, 256, 1));
  EXPECT_THAT(chosen.warnings, testing::HasSubstr("are left out by --max-variants"));
  EXPECT_EQ(build(kTranspose, 4, {"nvidia-h200"}).kernel, chosen.kernel);
  // Warps of 32 lanes in a row write 32 sectors of a column each: no such variant is kept.
  EXPECT_THAT(chosen.ids(), Not(Contains("resize-128x1x1")));
}

TEST(BuildForProfiles, WithoutADeviceOrWithRoomTheOrderStays) {
  const Built plain = build(kTranspose, 4), minimum = build(kTranspose, 4, {"d3d12"});
  EXPECT_EQ(plain.ids(), minimum.ids());
  EXPECT_EQ(minimum.kernel.assumedGroups, std::nullopt);
  const Built all = build(kTranspose, 0, {"nvidia-h200"});
  EXPECT_GT(all.kernel.variants.size(), 30U);
  EXPECT_EQ(all.kernel.assumedGroups, std::nullopt);
  for (const VariantInfo &variant : all.kernel.variants)
    EXPECT_EQ(variant.chosenFor, "");
}

TEST(BuildForProfiles, EveryProfileChoosesAndAVariantFitsTheOneThatTookIt) {
  const Built built = build(kTranspose, 6, {"nvidia-h200", "webgpu-default", "mali-g710"});
  std::multiset<std::string> takers;
  for (size_t at = 1; at < built.kernel.variants.size(); ++at) {
    const VariantInfo &variant = built.kernel.variants[at];
    takers.insert(variant.chosenFor);
    if (variant.chosenFor == "mali-g710") {
      EXPECT_LE(variant.localSize.product(), *(*findProfile("mali-g710"))->maxInvocations);
    }
  }
  EXPECT_EQ(takers, (std::multiset<std::string>{"nvidia-h200", "nvidia-h200", "nvidia-h200",
                                                "mali-g710", "mali-g710", "mali-g710"}));
}

TEST(BuildForProfiles, TheDispatchCounts) {
  // In a grid of one group of 16x16 most other sizes do not even apply.
  const Built one = build(kTranspose, 4, {"nvidia-h200"}, {Dim3{1, 1, 1}, 0});
  EXPECT_EQ(one.kernel.assumedGroups, Dim3(1, 1, 1));
  EXPECT_NE(one.ids(), build(kTranspose, 4, {"nvidia-h200"}).ids());
}

// Copies that neighbours share or leave apart are the same where no lane tells them apart.
TEST(MaxVariants, EqualModulesTakeOnePlace) {
  const std::string source = "layout(local_size_x = 16, local_size_y = 16) in;\n"
                             "layout(binding = 0) buffer B { uint count[]; };\n"
                             "void main() { atomicAdd(count[gl_WorkGroupID.x], 1u); }\n";
  for (size_t most : {2, 4, 6, 8, 12, 20}) {
    for (const std::vector<const char *> &profiles :
         {std::vector<const char *>{}, std::vector<const char *>{"nvidia-h200"}}) {
      const Built built = build(source, most, profiles);
      EXPECT_EQ(built.kernel.variants.size(), most + 1);
    }
  }
  // Where there are not so many that differ, all are there, and none is said to be missing.
  const size_t all = build(source, 0).kernel.variants.size();
  const Built whole = build(source, all - 1);
  EXPECT_EQ(whole.kernel.variants.size(), all);
  const Built fewer = build(source, all - 2);
  EXPECT_EQ(fewer.kernel.variants.size(), all - 1);
  EXPECT_THAT(fewer.warnings, testing::HasSubstr("left out"));
}

} // namespace tailor
