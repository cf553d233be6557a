//===- Tuning/Notes.h - What a run shows beyond its single results --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_NOTES_H
#define TAILOR_TUNING_NOTES_H

#include "Tuning/Tuner.h"

#include <string>
#include <vector>

namespace tailor {

/// A variant is as good as the best when it takes no more than so much longer.
inline constexpr double kAsGoodAsBest = 0.02;

/// One variant for all problem sizes of a kernel on a device.
struct SizeRule {
  std::string kernel, device;
  size_t sizes = 0;      ///< how many, at least 2
  std::string variantId; ///< "authored" too
  double worstLoss = 0;  ///< against the best at each size, at most kAsGoodAsBest
};
/// Where there is one: of several the one with the least worst loss, then the authored one, then
/// the first. A variant that was not timed at a size cannot be it.
std::vector<SizeRule> sizeRulesOf(const TuneReport &report);

/// Two devices that give other integers for one kernel at one size.
struct Disagreement {
  std::string kernel, size, resource, device, other;
};
std::vector<Disagreement> disagreementsOf(const TuneReport &report);

/// A pipeline that does not fit the registers of the device, by what its driver says.
struct Spill {
  std::string kernel, size, device;
  std::string variantId;       ///< the authored one or the winner
  PipelineStatistic statistic; ///< its name has "spill" in it, and it is above 0
};
std::vector<Spill> spillsOf(const TuneReport &report);

/// All of it in words, a line each.
std::vector<std::string> notesOf(const TuneReport &report);

} // namespace tailor

#endif
