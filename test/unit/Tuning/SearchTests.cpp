//===- SearchTests.cpp - What applies, and what wins -------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSupport.h"
#include "Tuning/Search.h"

#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tailor;
using namespace tailor::test;
using testing::HasSubstr;

namespace {

CandidateTime timeOf(const char *id, double ns, double spread = 0, double drift = 0) {
  return {id, ns, spread, drift};
}

vulkan::DeviceLimits roomyLimits() {
  vulkan::DeviceLimits limits;
  limits.maxLocalSize = {1024, 1024, 64};
  limits.maxInvocations = 256;
  limits.maxGroups = {65535, 65535, 65535};
  limits.maxSharedBytes = 32768;
  limits.maxPushConstantBytes = 128;
  return limits;
}

constexpr const char *kGuarded = R"(#version 450
layout(local_size_x = SX, local_size_y = SY) in;
layout(push_constant) uniform P { uint n; } p;
layout(binding = 0, std430) buffer Dst { uint dst[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < p.n)
    dst[i] = i;
}
)";

std::string workloadText(const std::string &grid, unsigned bound) {
  return "{ \"schema\": 1, " + grid +
         ", \"push_constants\": [{ \"offset\": 0, \"type\": \"u32\", "
         "\"value\": " +
         std::to_string(bound) +
         " }],\n\"bindings\": [{ \"binding\": 0, "
         "\"kind\": \"storage_buffer\", \"bytes\": 65536, \"output\": true }] }";
}

/// Selects the variants of kGuarded for a workload, and says which are in and why
/// the others are out.
struct Selected {
  std::vector<std::string> in;
  std::map<std::string, std::string> out;
  std::vector<Dim3> groups;
  std::vector<vulkan::Candidate> candidates;
  std::string failure;
};
Selected select(const Bundle &bundle, const std::string &text,
                const vulkan::DeviceLimits &limits = roomyLimits()) {
  Workload workload = workloadOf(text);
  const KernelInfo &kernel = bundle.kernels[0];
  Result<std::vector<uint32_t>> words = wordsOf(bundle, kernel, kernel.variants[0]);
  EXPECT_TRUE(words);
  Result<Reflection> reflection = reflect(*words, "main", "k");
  EXPECT_TRUE(reflection);
  Result<vulkan::KernelInstance> instance = instantiate(workload, workload.sizes[0]);
  EXPECT_TRUE(instance);
  Result<Selection> selection =
      selectVariants({bundle, kernel, *reflection, workload.sizes[0], *instance, limits});
  Selected result;
  if (!selection) {
    result.failure = textOf(selection.diagnostic());
    return result;
  }
  for (const SelectedVariant &chosen : selection->selected) {
    result.in.push_back(kernel.variants[chosen.variant].id);
    result.groups.push_back(chosen.candidate.groups);
    result.candidates.push_back(chosen.candidate);
  }
  for (const LeftOutVariant &left : selection->leftOut)
    result.out[kernel.variants[left.variant].id] = left.why;
  return result;
}

Bundle coverBundle() {
  DispatchBound bound;
  bound.bound = {UniformExpr::Op::PushConstant, {0, 0, 0, 0}, {}};
  return bundleOf({kGuarded, {{64, 1, 1}, {48, 1, 1}, {96, 1, 1}}, DispatchRule::Cover, {bound}});
}

} // namespace

TEST(ChooseWinner, TheFastestByMoreThanTheNoise) {
  std::vector<CandidateTime> times = {timeOf("authored", 100), timeOf("a", 90), timeOf("b", 80)};
  Choice choice = chooseWinner(times, 0);
  EXPECT_EQ(choice.index, 2U);
  EXPECT_FALSE(choice.tie);
  EXPECT_DOUBLE_EQ(choice.noise, 0.01);
}

TEST(ChooseWinner, OnePercentIsTheLeastGain) {
  EXPECT_EQ(chooseWinner(std::vector{timeOf("authored", 100), timeOf("a", 99.1)}, 0).index, 0U);
  EXPECT_TRUE(chooseWinner(std::vector{timeOf("authored", 100), timeOf("a", 99.1)}, 0).tie);
  EXPECT_EQ(chooseWinner(std::vector{timeOf("authored", 100), timeOf("a", 98.9)}, 0).index, 1U);
}

TEST(ChooseWinner, TwiceTheSpreadOfEitherIsNoise) {
  // 8 % faster, but one of the two varies by 5 %.
  EXPECT_EQ(chooseWinner(std::vector{timeOf("authored", 100, 0.05), timeOf("a", 92)}, 0).index, 0U);
  EXPECT_EQ(chooseWinner(std::vector{timeOf("authored", 100), timeOf("a", 92, 0.05)}, 0).index, 0U);
  EXPECT_EQ(chooseWinner(std::vector{timeOf("authored", 100, 0.03), timeOf("a", 92)}, 0).index, 1U);
}

TEST(ChooseWinner, AMovingClockIsNoise) {
  EXPECT_EQ(chooseWinner(std::vector{timeOf("authored", 100), timeOf("a", 75, 0, 0.4)}, 0).index,
            0U);
  EXPECT_EQ(chooseWinner(std::vector{timeOf("authored", 100, 0, 0.4), timeOf("a", 75)}, 0).index,
            0U);
  // However much the rounds disagree, what is a thousand times faster wins.
  EXPECT_EQ(chooseWinner(std::vector{timeOf("authored", 1000, 0, 1.5), timeOf("a", 1)}, 0).index,
            1U);
}

TEST(ChooseWinner, ANoisyLeaderDoesNotHideAQuietWinner) {
  std::vector<CandidateTime> times = {timeOf("authored", 100), timeOf("noisy", 50, 0.6),
                                      timeOf("quiet", 60)};
  Choice choice = chooseWinner(times, 0);
  EXPECT_EQ(choice.index, 2U);
  EXPECT_FALSE(choice.tie);
  EXPECT_DOUBLE_EQ(choice.noise, 0.01);
}

TEST(ChooseWinner, ADeclaredVariantMustBeVerified) {
  CandidateTime declared = timeOf("declared", 50);
  declared.evidence = Evidence::Declared;
  std::vector<CandidateTime> times = {timeOf("authored", 100), declared, timeOf("slower", 80)};
  EXPECT_EQ(chooseWinner(times, 0).index, 1U);
  times[1].verified = false;
  EXPECT_EQ(chooseWinner(times, 0).index, 2U);
  // It takes no other one's place either, and makes no tie.
  times[2].medianNs = 50.4;
  EXPECT_EQ(chooseWinner(times, 0).index, 2U);
  times.pop_back();
  times[1].medianNs = 99.5;
  EXPECT_EQ(chooseWinner(times, 0).index, 0U);
  EXPECT_FALSE(chooseWinner(times, 0).tie);
}

TEST(ChooseWinner, EqualTimes) {
  EXPECT_EQ(chooseWinner(std::vector{timeOf("authored", 100), timeOf("a", 100)}, 0).index, 0U);
  EXPECT_FALSE(chooseWinner(std::vector{timeOf("authored", 100), timeOf("a", 100)}, 0).tie);
  // The first in the order of the bundle, also when another is faster by what is no difference.
  EXPECT_EQ(
      chooseWinner(std::vector{timeOf("authored", 100), timeOf("b", 50), timeOf("a", 50)}, 0).index,
      1U);
  EXPECT_EQ(
      chooseWinner(std::vector{timeOf("authored", 100), timeOf("b", 50.4), timeOf("a", 50)}, 0)
          .index,
      1U);
  EXPECT_EQ(
      chooseWinner(std::vector{timeOf("authored", 100), timeOf("b", 50.6), timeOf("a", 50)}, 0)
          .index,
      2U);
}

TEST(ChooseWinner, AloneTheAuthoredWins) {
  Choice choice = chooseWinner(std::vector{timeOf("authored", 100, 0.5)}, 0);
  EXPECT_EQ(choice.index, 0U);
  EXPECT_FALSE(choice.tie);
}

TEST(SelectVariants, ExactNeedsAnEvenDivision) {
  Bundle bundle = bundleOf({kGuarded, {{64, 1, 1}, {32, 1, 1}, {96, 1, 1}}});
  Selected s = select(bundle, workloadText("\"groups\": [3]", 192));
  EXPECT_EQ(s.in, (std::vector<std::string>{"authored", "resize-32x1x1", "resize-96x1x1"}));
  EXPECT_EQ(s.groups, (std::vector<Dim3>{{3, 1, 1}, {6, 1, 1}, {2, 1, 1}}));
  s = select(bundle, workloadText("\"groups\": [4]", 256));
  EXPECT_EQ(s.in, (std::vector<std::string>{"authored", "resize-32x1x1"}));
  EXPECT_NE(s.out["resize-96x1x1"], "");
}

TEST(SelectVariants, CoverNeedsAGridThatReachesTheBound) {
  Bundle bundle = coverBundle();
  Selected whole = select(bundle, workloadText("\"groups\": [16]", 1000));
  EXPECT_EQ(whole.in, (std::vector<std::string>{"authored", "resize-48x1x1", "resize-96x1x1"}));
  EXPECT_EQ(whole.groups[1], (Dim3{22, 1, 1}));

  // 15 groups of 64 are 960 invocations: the host leaves 40 elements alone, and
  // a variant that covers up to the bound would write some of them.
  Selected partial = select(bundle, workloadText("\"groups\": [15]", 1000));
  EXPECT_EQ(partial.in, (std::vector<std::string>{"authored"}));
  EXPECT_THAT(partial.out["resize-48x1x1"], HasSubstr("960"));
  EXPECT_THAT(partial.out["resize-48x1x1"], HasSubstr("1000"));
}

TEST(SelectVariants, LimitsOfTheDevice) {
  Bundle bundle = bundleOf({kGuarded, {{64, 1, 1}, {512, 1, 1}, {1, 1, 1}}});
  Selected s = select(bundle, workloadText("\"groups\": [2048]", 100));
  EXPECT_EQ(s.in, (std::vector<std::string>{"authored"}));
  EXPECT_THAT(s.out["resize-512x1x1"],
              HasSubstr("workgroup has 512 invocations, the device allows 256"));
  EXPECT_THAT(s.out["resize-1x1x1"], HasSubstr("65535"));
}

TEST(SelectVariants, TheAuthoredKernelMustFit) {
  Bundle bundle = bundleOf({kGuarded, {{512, 1, 1}, {64, 1, 1}}});
  Selected s = select(bundle, workloadText("\"groups\": [2]", 100));
  EXPECT_THAT(s.failure, HasSubstr("w.json:1:1: error: the authored kernel 'k' cannot run with "
                                   "this workload"));
  EXPECT_THAT(s.failure, HasSubstr("512 invocations"));
}

TEST(SelectVariants, TheSizeUnderTheWorkloadsConstantsIsTheBundles) {
  std::string source = kGuarded;
  source.replace(source.find("local_size_x = SX"), 17, "local_size_x = SX, local_size_x_id = 4");
  Bundle bundle = bundleOf({source, {{64, 1, 1}}});
  std::string text = workloadText("\"groups\": [2]", 100);
  std::string constant = "\"spec_constants\": [{ \"id\": 4, \"type\": \"u32\", \"value\": ";
  EXPECT_EQ(select(bundle, text.insert(2, constant + "64 }], ")).failure, "");
  std::string other = workloadText("\"groups\": [2]", 100);
  EXPECT_THAT(select(bundle, other.insert(2, constant + "128 }], ")).failure,
              HasSubstr("gives kernel 'k' the size 128x1x1, the bundle was built for 64x1x1"));
}

TEST(LeafValue, ComesFromTheWorkload) {
  Workload w = workloadOf(R"({ "schema": 1, "groups": [1],
    "push_constants": [{ "offset": 4, "type": "u32", "value": 11 }],
    "spec_constants": [{ "id": 2, "type": "u32", "value": 12 }],
    "bindings": [
    { "binding": 0, "kind": "uniform_buffer", "bytes": 16, "fill": { "kind": "values", "values": [
      { "offset": 8, "type": "u32", "value": 13 }] } },
    { "binding": 1, "kind": "storage_image", "format": "rgba8", "extent": [14, 15], "output": true },
    { "binding": 2, "kind": "storage_buffer", "bytes": 1000, "output": true },
    { "binding": 3, "kind": "storage_buffer", "bytes": 8, "fill": "zero" }] })");
  Result<vulkan::KernelInstance> instance = instantiate(w, w.sizes[0]);
  ASSERT_TRUE(instance);
  using Op = UniformExpr::Op;
  auto value = [&](Op op, std::array<uint32_t, 4> params) {
    return leafValue({op, params, {}}, w.sizes[0], *instance);
  };
  EXPECT_EQ(value(Op::Constant, {10, 0, 0, 0}), 10U);
  EXPECT_EQ(value(Op::PushConstant, {4, 0, 0, 0}), 11U);
  EXPECT_EQ(value(Op::PushConstant, {8, 0, 0, 0}), std::nullopt) << "past the block";
  EXPECT_EQ(value(Op::SpecConstant, {2, 99, 0, 0}), 12U);
  EXPECT_EQ(value(Op::SpecConstant, {3, 99, 0, 0}), 99U) << "the module's default";
  EXPECT_EQ(value(Op::BufferValue, {0, 0, 8, 0}), 13U);
  EXPECT_EQ(value(Op::BufferValue, {0, 0, 16, 0}), std::nullopt) << "past the buffer";
  EXPECT_EQ(value(Op::BufferValue, {0, 2, 0, 0}), std::nullopt) << "poison is no value";
  EXPECT_EQ(value(Op::BufferValue, {0, 3, 4, 0}), 0U);
  EXPECT_EQ(value(Op::ImageSize, {0, 1, 1, 0}), 15U);
  EXPECT_EQ(value(Op::ImageSize, {0, 2, 0, 0}), std::nullopt) << "a buffer is no image";
  EXPECT_EQ(value(Op::ArrayLength, {0, 2, 16, 12}), 82U);
  EXPECT_EQ(value(Op::ArrayLength, {7, 7, 0, 4}), std::nullopt);
}

TEST(LeafValue, AnImageSizeHasTheComponentsOfItsQuery) {
  struct Case {
    vulkan::ImageDim dim;
    Dim3 extent;
    std::array<std::optional<uint32_t>, 4> query;
  };
  using vulkan::ImageDim;
  constexpr auto kNone = std::nullopt;
  const Case cases[] = {
      {ImageDim::D1, {8, 1, 1}, {8, kNone, kNone, kNone}},
      {ImageDim::D1Array, {8, 1, 100}, {8, 100, kNone, kNone}},
      {ImageDim::D2, {8, 9, 1}, {8, 9, kNone, kNone}},
      {ImageDim::D2Array, {8, 9, 100}, {8, 9, 100, kNone}},
      {ImageDim::Cube, {8, 8, 6}, {8, 8, kNone, kNone}},
      {ImageDim::D3, {8, 9, 10}, {8, 9, 10, kNone}},
  };
  for (const Case &each : cases) {
    vulkan::KernelInstance instance;
    vulkan::ResourceDesc &image = instance.resources.emplace_back();
    image.kind = vulkan::ResourceKind::StorageImage;
    image.dim = each.dim;
    image.extent = each.extent;
    for (uint32_t component = 0; component < 4; ++component)
      EXPECT_EQ(leafValue({UniformExpr::Op::ImageSize, {0, 0, component, 0}, {}}, {}, instance),
                each.query[component])
          << nameOf(each.dim) << " component " << component;
  }
}

TEST(VariantSetHash, DependsOnEveryModule) {
  Bundle a = bundleOf({kGuarded, {{64, 1, 1}, {32, 1, 1}}});
  Bundle b = bundleOf({kGuarded, {{64, 1, 1}, {16, 1, 1}}});
  EXPECT_EQ(variantSetHash(a, a.kernels[0]), variantSetHash(a, a.kernels[0]));
  EXPECT_NE(variantSetHash(a, a.kernels[0]), variantSetHash(b, b.kernels[0]));
}

TEST(SelectVariants, AGuardedVariantGetsTheLogicalGrid) {
  Bundle bundle = bundleOf({kGuarded, {{64, 1, 1}}});
  addGuarded(bundle, kGuarded, {96, 1, 1}, {"push_constant", 16, 12});
  addGuarded(bundle, kGuarded, {48, 1, 1}, {"spec_constant", 0, 0, {7, 8, 9}});
  Selected s = select(bundle, workloadText("\"groups\": [5, 2, 1]", 300));
  ASSERT_EQ(s.in, (std::vector<std::string>{"authored", "resize-96x1x1-guarded",
                                            "resize-48x1x1-guarded"}))
      << s.failure;
  EXPECT_EQ(s.groups[1], (Dim3{4, 2, 1}));
  EXPECT_EQ(s.groups[2], (Dim3{7, 2, 1}));
  EXPECT_FALSE(s.candidates[0].pushConstants);
  ASSERT_TRUE(s.candidates[1].pushConstants);
  std::vector<uint32_t> block(s.candidates[1].pushConstants->size() / 4);
  std::memcpy(block.data(), s.candidates[1].pushConstants->data(), 4 * block.size());
  EXPECT_EQ(block, (std::vector<uint32_t>{300, 0, 0, 0, 320, 2, 1}));
  const std::vector<vulkan::SpecValue> &values = s.candidates[2].specConstants;
  ASSERT_EQ(values.size(), 3U);
  for (unsigned axis = 0; axis < 3; ++axis) {
    EXPECT_EQ(values[axis].specId, 7 + axis);
    EXPECT_EQ(values[axis].bits, (Dim3{320, 2, 1})[axis]);
  }
  EXPECT_FALSE(s.candidates[2].pushConstants);
}

TEST(SelectVariants, AGuardedVariantNeedsRoomForItsPushConstants) {
  Bundle bundle = bundleOf({kGuarded, {{64, 1, 1}}});
  addGuarded(bundle, kGuarded, {96, 1, 1}, {"push_constant", 120, 12});
  Selected s = select(bundle, workloadText("\"groups\": [5]", 300));
  EXPECT_EQ(s.out["resize-96x1x1-guarded"], "push constants take 132 bytes, the device allows 128");
}
