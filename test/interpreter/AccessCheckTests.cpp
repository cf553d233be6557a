//===- interpreter/AccessCheckTests.cpp - Nothing predicted that is not so ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses, active lanes, sectors, lines and bank conflicts that the analyses
// predict for the kernels of bench/kernels, at six sizes each, and for generated
// ones, against runs of them; and workgroup memory that is said to be private.
//   TAILOR_ACCESS_COUNT  generated kernels (500, and half of it with barriers)
//   TAILOR_ACCESS_FIRST  the first seed (1)
//
//===----------------------------------------------------------------------===//
#include "AccessCheck.h"
#include "differential/BenchKernels.h"

#include "../differential/KernelGenerator.h"
#include "Analysis/Certificate.h"
#include "Analysis/SharedMemory.h"
#include "SharedKernelGenerator.h"
#include "interpreter/TestSupport.h"

#include "gmock/gmock.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

using namespace tailor;
using namespace tailor::interp;
using differential::Compiled;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

std::unique_ptr<KernelAnalysis> analyze(const Compiled &compiled, const SpecMap &spec) {
  Result<EntryPoint> entry = findComputeEntryPoint(compiled.module, compiled.entryPoint);
  if (!entry)
    return nullptr;
  Result<KernelAnalysis> kernel = KernelAnalysis::create(compiled.module, *entry, spec);
  return kernel ? std::make_unique<KernelAnalysis>(std::move(*kernel)) : nullptr;
}

/// The last workgroup of that size that is in the grid with all of its invocations; nullopt where
/// not even the first is.
std::optional<std::array<uint32_t, 3>> lastWholeGroup(const Dim3 &grid, const Dim3 &size) {
  std::array<uint32_t, 3> group{};
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (grid[axis] < size[axis])
      return std::nullopt;
    group[axis] = grid[axis] / size[axis] - 1;
  }
  return group;
}

std::array<uint32_t, 3> halfOf(std::array<uint32_t, 3> group) {
  for (uint32_t &each : group)
    each /= 2;
  return group;
}

Dim3 gridOf(const Dim3 &groups, const Dim3 &size) {
  return {groups.x * size.x, groups.y * size.y, groups.z * size.z};
}

/// Resizable: the authored size and five others, each at two workgroups. Others: the authored size
/// at three workgroups, and with six widths of subgroups.
std::vector<AccessPlan> plansFor(const KernelAnalysis &kernel, const Certificate &certificate,
                                 const Dim3 &grid) {
  static constexpr Dim3 kSizes[] = {{64, 1, 1},  {16, 16, 1}, {8, 4, 1}, {32, 8, 1}, {4, 32, 1},
                                    {128, 1, 1}, {1, 64, 1},  {2, 2, 1}, {8, 8, 1},  {256, 1, 1},
                                    {48, 1, 1},  {32, 1, 1},  {16, 1, 1}};
  static constexpr uint32_t kWidths[] = {32, 16, 8, 64, 4, 128};
  bool readsGlobalIdAlone = certificate.facts.ids == std::vector<std::string>{"GlobalInvocationId"};
  std::vector<AccessPlan> plans;
  auto addSize = [&](const Dim3 &size, uint32_t width) {
    std::optional<std::array<uint32_t, 3>> last = lastWholeGroup(grid, size);
    bool isResized = readsGlobalIdAlone && size != kernel.size();
    if (!last)
      return false;
    for (const auto &group : std::set{std::array<uint32_t, 3>{}, halfOf(*last), *last})
      plans.push_back({size, group, width, isResized});
    return true;
  };
  if (!certificate.resizeLegal()) {
    for (uint32_t width : kWidths)
      addSize(kernel.size(), width);
    return plans;
  }
  unsigned sizes = addSize(kernel.size(), 32);
  for (const Dim3 &size : kSizes)
    if (sizes < 6 && size != kernel.size())
      sizes += addSize(size, kWidths[sizes]);
  EXPECT_EQ(sizes, 6u) << "the problem is too small for six sizes";
  return plans;
}

class AccessBench : public testing::TestWithParam<std::string> {};

TEST_P(AccessBench, PredictsWhatRuns) {
  Result<differential::BenchCase> bench = differential::loadBenchCase(GetParam());
  ASSERT_TRUE(bool(bench)) << bench.diagnostic().text;
  const ProblemSize &size = bench->small();
  std::unique_ptr<KernelAnalysis> kernel = analyze(bench->compiled, bench->spec);
  ASSERT_TRUE(kernel);
  Result<Inputs> inputs = inputsOf(bench->workload, size, kernel->size());
  ASSERT_TRUE(bool(inputs)) << inputs.diagnostic().text;
  Dim3 grid = gridOf(size.groupsFor(kernel->size()), kernel->size());
  AccessCounts counts;
  for (const AccessPlan &plan : plansFor(*kernel, certify(*kernel), grid))
    EXPECT_THAT(checkAccesses(*kernel, plan, *inputs, counts), IsEmpty())
        << plan.size.str() << ", subgroups of " << plan.subgroup;
  std::cout << GetParam() << ": " << counts.str() << "\n";
  bool hasMemory = false;
  for (const MemoryAccess &access : findAccesses(*kernel))
    hasMemory |= !access.isImage();
  EXPECT_EQ(counts.exact != 0, hasMemory);
}

INSTANTIATE_TEST_SUITE_P(Kernels, AccessBench, testing::ValuesIn(benchKernels()), testName);

TEST(AccessGenerated, PredictsWhatRuns) {
  const uint64_t count = numberFrom("TAILOR_ACCESS_COUNT", 500);
  const uint64_t first = numberFrom("TAILOR_ACCESS_FIRST", 1);
  AccessCounts counts;
  uint64_t undefined = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    differential::GeneratedKernel generated = differential::generateKernel(seed, 256);
    Result<Compiled> compiled = differential::compile(generated.glsl, InputKind::Glsl);
    ASSERT_TRUE(bool(compiled)) << compiled.diagnostic().text;
    if (generated.spec.empty()) {
      EXPECT_TRUE(bool(reshape(*compiled, static_cast<differential::Shape>(seed % 3))));
    }
    std::unique_ptr<KernelAnalysis> kernel = analyze(*compiled, generated.spec);
    ASSERT_TRUE(kernel) << "seed " << seed;
    Result<Inputs> inputs =
        inputsOf(generated.workload, generated.workload.sizes.front(), kernel->size());
    ASSERT_TRUE(bool(inputs)) << "seed " << seed;
    // The authored workgroups in their middle, and some lanes as a remapped variant has them.
    Dim3 grid = gridOf(generated.groups, kernel->size());
    std::vector<AccessPlan> plans = {
        {kernel->size(), halfOf(*lastWholeGroup(grid, kernel->size())), 32, false}};
    Dim3 other{std::min(grid.x, 16u), std::min(grid.y, 4u), 1};
    plans.push_back({other, *lastWholeGroup(grid, other), 16, false});
    for (const AccessPlan &plan : plans) {
      std::vector<std::string> wrong = checkAccesses(*kernel, plan, *inputs, counts);
      // An id that is spelled wrong makes a kernel that leaves its buffers.
      if (wrong.size() == 1 && wrong[0].find("the run failed") == 0)
        ++undefined;
      else
        EXPECT_THAT(wrong, IsEmpty()) << "seed " << seed << "\n" << generated.glsl;
    }
  }
  std::cout << "generated: " << counts.str() << ", undefined " << undefined << "\n";
  EXPECT_LE(undefined, count / 2);
  EXPECT_NE(counts.exact, 0u);
  EXPECT_NE(counts.bounded, 0u);
  EXPECT_NE(counts.polynomials, 0u);
}

TEST(AccessShared, PredictsWhatRuns) {
  const uint64_t count = numberFrom("TAILOR_ACCESS_COUNT", 500) / 2;
  const uint64_t first = numberFrom("TAILOR_ACCESS_FIRST", 1);
  AccessCounts counts;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    SharedKernel generated = generateSharedKernel(seed);
    Result<Compiled> compiled = differential::compile(generated.glsl, InputKind::Glsl);
    ASSERT_TRUE(bool(compiled)) << compiled.diagnostic().text << "\n" << generated.glsl;
    EXPECT_TRUE(bool(reshape(*compiled, static_cast<differential::Shape>(seed % 3))));
    std::unique_ptr<KernelAnalysis> kernel = analyze(*compiled, {});
    ASSERT_TRUE(kernel) << "seed " << seed;
    Dim3 grid = gridOf(generated.groups, kernel->size());
    AccessPlan plan{kernel->size(), *lastWholeGroup(grid, kernel->size()), 16u << seed % 3, false};
    EXPECT_THAT(checkAccesses(*kernel, plan, generated.inputs, counts), IsEmpty())
        << "seed " << seed << "\n"
        << generated.glsl;
  }
  std::cout << "with barriers: " << counts.str() << "\n";
  EXPECT_NE(counts.banks, 0u);
  EXPECT_NE(counts.otherRounds, 0u);
}

// --- workgroup memory that is said to be private ---

/// A kernel whose invocations write and read one array at sums of ids, counters and data.
std::string privacyKernel(uint64_t seed) {
  differential::Random random(seed);
  static const std::vector<std::string> kShapes = {"32, 1", "64, 1", "8, 8", "16, 2", "4, 16"};
  std::string shape = random.pick(kShapes);
  size_t comma = shape.find(',');
  const std::vector<uint32_t> kFactors = {0, 1, 1, 2, 3, 4, 8, 12, 16, 32, 64, 96, 128};
  auto factor = [&] { return std::to_string(random.pick(kFactors)) + "u"; };
  const std::string x = factor(), y = factor();
  auto term = [&]() -> std::string {
    switch (random.below(5)) {
    case 0:
      return "j * " + factor();
    case 1:
      return "(v & " + std::to_string((1u << random.below(4)) - 1) + "u) * " + factor();
    case 2:
      return "(v % 5u) * " + factor();
    case 3:
      return std::to_string(random.below(9)) + "u";
    default:
      return "min(v, " + std::to_string(random.below(6)) + "u)";
    }
  };
  auto sum = [&] {
    if (random.chance(25))
      return "index * " + factor() + " + " + term();
    std::string text = "l.x * " + (random.chance(85) ? x : factor()) + " + l.y * " +
                       (random.chance(85) ? y : factor());
    for (uint32_t terms = random.below(3); terms > 0; --terms)
      text += " + " + term();
    return text;
  };
  const bool isTable = random.chance(30); // 64 by 64
  auto index = [&] {
    static const std::vector<std::string> kCuts = {" & 63u", " & 31u", " % 48u", " ^ 1u", " / 2u"};
    if (isTable)
      return "[(" + (random.chance(50) ? term() : sum()) + ") & 63u][(" + sum() + ") & 63u]";
    std::string cut = random.chance(20) ? random.pick(kCuts) : "";
    return "[(" + sum() + ")" + cut + "]";
  };
  return "#version 450\nlayout(local_size_x = " + shape.substr(0, comma) +
         ", local_size_y =" + shape.substr(comma + 1) + R"() in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
shared uint t)" +
         std::string(isTable ? "[64][64]" : "[65536]") + R"(;
void main() {
  uvec2 l = gl_LocalInvocationID.xy;
  uint index = gl_LocalInvocationIndex, v = b[index], sum = 0u;
  for (uint j = 0u; j < )" +
         std::to_string(1 + random.below(6)) + "u; ++j) {\n    t" + index() +
         " = j;\n    sum += t" + index() + ";\n  }\n  a[index] = sum;\n}\n";
}

TEST(AccessPrivacy, NobodyTouchesWhatIsSaidToBeAnothers) {
  const uint64_t count = numberFrom("TAILOR_ACCESS_COUNT", 500) * 2;
  const uint64_t first = numberFrom("TAILOR_ACCESS_FIRST", 1);
  uint64_t proven = 0, unproven = 0, shared = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const std::string glsl = privacyKernel(seed);
    Result<Compiled> compiled = differential::compile(glsl, InputKind::Glsl);
    ASSERT_TRUE(bool(compiled)) << compiled.diagnostic().text << "\n" << glsl;
    std::unique_ptr<KernelAnalysis> kernel = analyze(*compiled, {});
    ASSERT_TRUE(kernel);
    Inputs inputs;
    Resource data;
    data.data.resize(4096);
    differential::Random random(~seed);
    for (std::byte &byte : data.data)
      byte = static_cast<std::byte>(random.below(256));
    inputs.resources[{0, 1, 0}] = data;
    Result<std::set<const Instruction *>> touched = sharedAmongInvocations(*kernel, inputs);
    ASSERT_TRUE(bool(touched)) << textOf(touched.diagnostic()) << "\n" << glsl;
    for (const SharedVariable &variable : analyzeSharedMemory(*kernel).variables) {
      bool isShared = touched->contains(variable.variable);
      proven += variable.usedAsPrivate;
      shared += isShared;
      unproven += !isShared && !variable.usedAsPrivate;
      EXPECT_FALSE(isShared && variable.usedAsPrivate) << "seed " << seed << "\n" << glsl;
    }
  }
  std::cout << "private: proven " << proven << ", not proven " << unproven << ", shared " << shared
            << "\n";
  EXPECT_GE(proven, count / 40);
  EXPECT_GE(shared, count / 4);
}

// --- the check itself ---

TEST(AccessChecker, SeesWrongInputs) {
  // The run has other push constants than the prediction: everything must differ that hangs off
  // them.
  Compiled compiled = *differential::compile(R"(#version 450
layout(local_size_x = 32) in;
layout(push_constant) uniform P { uint n; uint k; } p;
layout(set = 0, binding = 0) buffer A { uint a[]; };
void main() {
  if (gl_GlobalInvocationID.x < p.n)
    a[gl_GlobalInvocationID.x * p.k] = 1u;
})",
                                             InputKind::Glsl);
  std::unique_ptr<KernelAnalysis> kernel = analyze(compiled, {});
  ASSERT_TRUE(kernel);
  Inputs inputs;
  inputs.pushConstants.resize(8);
  inputs.pushConstants[0] = std::byte{20};
  inputs.pushConstants[4] = std::byte{8};
  AccessCounts counts;
  AccessPlan plan{{32, 1, 1}, {}, 32, false};
  EXPECT_THAT(checkAccesses(*kernel, plan, inputs, counts), IsEmpty());
  EXPECT_EQ(counts.exact, 3u);
  EXPECT_EQ(counts.activities, 96u);
  EXPECT_EQ(counts.addresses, 32u + 20 + 20);
  EXPECT_EQ(counts.opaque, 0u);
  Inputs other = inputs;
  other.pushConstants[0] = std::byte{21};
  std::vector<std::string> wrong =
      checkAccesses(*kernel, plan, inputs, counts, hostValuesOf(other));
  EXPECT_THAT(wrong, testing::Contains(HasSubstr("lane 20 is said to run it")));
  EXPECT_THAT(wrong, testing::Contains(HasSubstr("active lanes are 20, and said to be 21")));
  other = inputs;
  other.pushConstants[4] = std::byte{16};
  wrong = checkAccesses(*kernel, plan, inputs, counts, hostValuesOf(other));
  EXPECT_THAT(wrong, testing::Contains(HasSubstr("lane 1 is at 32, and said to be at 64")));
  EXPECT_THAT(wrong, testing::Contains(HasSubstr("lines are 5, and said to be 10")));
  EXPECT_THAT(wrong, testing::Contains(HasSubstr("4*gid.x*p.k is 64")));
}

} // namespace
