//===- differential/PlantedFaultTests.cpp - Would a missing condition show? -===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The proofs are asked with one of their conditions left out. Generated kernels of
// the kind that the condition is about must then show a variant that is wrong, on
// a device or in the interpreter; with the condition there must be none.
//
// Conditions that nothing here can show, so that they rest on the specification
// and on review:
//   Scopes, ExchangeOrdering   the processors that these devices run on, and the
//                              interpreter, order memory more than was asked for
//   UniformDecorations         no driver here makes use of the decoration
//   WorkgroupPointers          the pass refuses such pointers again, as it could
//                              not give them copies
//   WorkgroupMemory alone      a kernel that exchanges values through it has a
//                              barrier too; both are left out together below
//
//===----------------------------------------------------------------------===//
#include "BenchKernels.h"
#include "TechniqueCampaign.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <iostream>

using namespace tailor;
using namespace tailor::differential;

namespace {

using Condition = LegalityCondition;

/// Where the fault is looked for: a device would wait for ever, or says nothing.
enum class Where : uint8_t { Devices, Interpreter, Both };

struct Planted {
  const char *name;
  LegalityRelaxation without;
  Hazard hazard;
  Technique technique;
  Where where;
};

class PlantedFault : public testing::TestWithParam<Planted> {
protected:
  static CampaignReport check(uint64_t seed, const LegalityRelaxation &relaxed) {
    const Planted &planted = GetParam();
    CampaignOptions options;
    options.relaxed = relaxed;
    options.mostVariants = 64;
    options.takes = [technique = planted.technique](const PlannedVariant &variant) {
      return variant.steps.size() == 1 && variant.steps.front().technique == technique &&
             !variant.guarded();
    };
    options.runs = planted.where != Where::Interpreter;
    options.interprets = planted.where != Where::Devices;
    return checkTechniques(generateTechniqueKernel(seed, planted.hazard), seed, options);
  }
  static std::vector<std::string> faultsOf(const CampaignReport &report) {
    std::vector<std::string> all = report.wrong;
    all.insert(all.end(), report.deviceFaults.begin(), report.deviceFaults.end());
    all.insert(all.end(), report.interpretedWrong.begin(), report.interpretedWrong.end());
    return all;
  }
};

TEST_P(PlantedFault, IsFound) {
  const Planted &planted = GetParam();
  if (planted.where != Where::Interpreter && noDevices())
    GTEST_SKIP() << "no Vulkan device";
  constexpr uint64_t kSeeds = 40;
  std::string trouble;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const CampaignReport report = check(seed, planted.without);
    if (!report.broken.empty())
      trouble = report.text();
    if (!report.uninterpreted.empty())
      trouble = report.uninterpreted;
    for (const auto &[reason, times] : report.rejected)
      trouble += reason + "\n";
    const std::vector<std::string> faults = faultsOf(report);
    if (faults.empty())
      continue;
    std::cout << planted.name << ": seed " << seed << ": " << faults.front() << "\n";
    return;
  }
  FAIL() << "none of " << kSeeds << " kernels shows that " << planted.name << " is left out\n"
         << trouble << generateTechniqueKernel(kSeeds, planted.hazard).glsl;
}

TEST_P(PlantedFault, IsNotThereWithTheCondition) {
  const Planted &planted = GetParam();
  if (planted.where != Where::Interpreter && noDevices())
    GTEST_SKIP() << "no Vulkan device";
  for (uint64_t seed = 1; seed <= 10; ++seed)
    EXPECT_THAT(faultsOf(check(seed, {})), testing::IsEmpty())
        << planted.name << ", seed " << seed << "\n"
        << generateTechniqueKernel(seed, planted.hazard).glsl;
}

const Planted kPlanted[] = {
    {"GroupIndependence",
     {Condition::GroupIndependence},
     Hazard::LocalIds,
     Technique::Resize,
     Where::Both},
    {"Guards", {Condition::Guards}, Hazard::Unguarded, Technique::Resize, Where::Both},
    {"SubgroupOpcodes",
     {Condition::Opcodes},
     Hazard::SubgroupSum,
     Technique::Swizzle,
     Where::Devices},
    {"SubgroupInputs",
     {Condition::SubgroupInputs},
     Hazard::SubgroupLane,
     Technique::Swizzle,
     Where::Devices},
    {"Waiting", {Condition::Waiting}, Hazard::Waiting, Technique::Swizzle, Where::Interpreter},
    {"ExchangeBarrier",
     {Condition::ExchangeBarrier},
     Hazard::BufferMeeting,
     Technique::Remap,
     Where::Both},
    {"WorkgroupMemoryAndBarrier",
     {Condition::WorkgroupMemory, Condition::ExchangeBarrier, Condition::ExchangeOrdering},
     Hazard::SharedMeeting,
     Technique::Remap,
     Where::Both},
    {"DividesOnly",
     {Condition::DividesOnly},
     Hazard::SharedPrivate,
     Technique::Remap,
     Where::Devices},
    {"GroupCount", {Condition::GroupCount}, Hazard::GroupCount, Technique::Remap, Where::Both},
    {"Descriptors",
     {Condition::Descriptors},
     Hazard::DescriptorIndex,
     Technique::Pack,
     Where::Devices},
    {"PackControl",
     {Condition::PackControl},
     Hazard::GroupBarriers,
     Technique::Pack,
     Where::Interpreter},
    {"Lockstep", {Condition::Lockstep}, Hazard::VolatileLanes, Technique::Swizzle, Where::Devices},
    {"MeetingsAndRegions",
     {Condition::Meetings, Condition::Regions},
     Hazard::OpaqueBarriers,
     Technique::Coarsen,
     Where::Both},
};

INSTANTIATE_TEST_SUITE_P(All, PlantedFault, testing::ValuesIn(kPlanted),
                         [](const auto &each) { return std::string(each.param.name); });

/// Without the one condition the other still stops what it would have stopped.
TEST(PlantedFaultTwice, RegionsStopThemToo) {
  unsigned madeWithoutBoth = 0;
  for (Hazard hazard : {Hazard::OpaqueBarriers, Hazard::HiddenBarriers})
    for (uint64_t seed = 1; seed <= 10; ++seed) {
      CampaignOptions options;
      options.runs = false;
      options.takes = [](const PlannedVariant &variant) {
        return variant.steps.front().technique == Technique::Coarsen;
      };
      const TechniqueKernel kernel = generateTechniqueKernel(seed, hazard);
      const CampaignReport proven = checkTechniques(kernel, seed, options);
      options.relaxed = {Condition::Meetings};
      // Now and then the proof goes through.
      EXPECT_EQ(checkTechniques(kernel, seed, options).made, proven.made) << seed;
      options.relaxed = {Condition::Meetings, Condition::Regions};
      const CampaignReport without = checkTechniques(kernel, seed, options);
      // A few are refused for something else as well.
      EXPECT_EQ(without.made.empty(), !without.legal[static_cast<size_t>(Technique::Coarsen)])
          << seed;
      madeWithoutBoth += !without.made.empty();
    }
  EXPECT_GE(madeWithoutBoth, 18U) << "of 20";
}

} // namespace
