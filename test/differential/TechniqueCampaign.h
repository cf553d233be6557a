//===- differential/TechniqueCampaign.h - All techniques on one kernel -----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plans proven variants of every technique, and of some compositions, for a
// kernel, makes them as `build` does, and compares each with the authored kernel
// on every device. The kernel is analysed once for all of them.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_DIFFERENTIAL_TECHNIQUECAMPAIGN_H
#define TAILOR_DIFFERENTIAL_TECHNIQUECAMPAIGN_H

#include "Harness.h"
#include "KernelGenerator.h"
#include "TechniqueGenerator.h"

#include "Analysis/LegalityRelaxation.h"
#include "Bundle/VariantPlan.h"

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tailor::differential {

/// Variants that the certificate allows for a dispatch of `groups`, no more than `most`.
std::vector<PlannedVariant> planForKernel(const Certificate &certificate, const Dim3 &groups,
                                          Random &random, size_t most);

struct CampaignOptions {
  size_t mostVariants = 16;
  LegalityRelaxation relaxed{};                        ///< planted faults
  std::function<bool(const PlannedVariant &)> takes{}; ///< of the plan; unset: all
  bool runs = true;                                    ///< on devices
  bool mayLack = false;    ///< a kernel that no device can run is no fault
  bool interprets = false; ///< runs variants in the interpreter too; faults are anyway
};

struct CampaignReport : Report {
  std::map<std::string, size_t> made;     ///< variants by technique: `pack+coarsen`
  std::map<std::string, size_t> rejected; ///< refusals when it came to making them, by text
  std::array<bool, kNumTechniques> legal{};
  std::map<std::string, std::string> interpreted; ///< ids of variants that have the authored result
                                                  ///< there, with their techniques
  std::vector<std::string> interpretedWrong; ///< variants with another result in the interpreter
  std::string uninterpreted;                 ///< why the authored kernel has none there
  size_t lacking = 0;                        ///< devices that do not have what the kernel needs
  /// Where something is wrong: the modules of `authored` and of the variants, by id.
  std::map<std::string, std::vector<uint32_t>> modules;
  size_t comparisons() const { return ranExact + ranCover; }
};

/// The kernel in the shape that its seed says, planned with that seed.
CampaignReport checkTechniques(const TechniqueKernel &kernel, uint64_t seed,
                               const CampaignOptions &options = {});

/// What the interpreter makes of the kernel when the last invocations go first, where that is not
/// what it makes of it otherwise, or why it makes nothing of it; empty for a kernel without races.
std::string raceOf(const TechniqueKernel &kernel);

/// Leaves out statements for as long as `fails` holds of the kernel; what is left is printed by
/// whoever asked.
TechniqueKernel reduceKernel(uint64_t seed, Hazard hazard,
                             const std::function<bool(const TechniqueKernel &)> &fails);

/// Seconds spent so far, by what they were spent on.
struct CampaignTimes {
  double compile = 0, certify = 0, make = 0, validate = 0, run = 0;
};
const CampaignTimes &campaignTimes();

} // namespace tailor::differential

#endif
