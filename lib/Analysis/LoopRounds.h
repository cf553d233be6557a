//===- Analysis/LoopRounds.h - How often loops run, by running their counters ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For figures, not for proofs: where no polynomial says how often a loop runs,
// its counter and those of the loops around it are stepped for some invocations,
// with the values of the host assumed (HostValues). So a counter that is halved
// each time, or 256 lanes that walk over 324 elements, are counted as they are.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_LOOPROUNDS_H
#define TAILOR_ANALYSIS_LOOPROUNDS_H

#include "Analysis/LaneEvaluator.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace tailor {

/// Workgroups all over a grid, for averages: a kernel may order its groups as it likes.
std::vector<std::array<uint32_t, 3>> spreadGroups(const std::array<uint32_t, 3> &counts);

class LoopRounds {
public:
  /// `kernel` must outlive it. `host`: its values where they are known.
  explicit LoopRounds(const KernelAnalysis &kernel, HostValues host = {});
  ~LoopRounds();

  /// Rounds each time that the loop is come to, on average over invocations of a workgroup and over
  /// the rounds of the loops around it; of workgroups all over the grid where the host says how
  /// many there are, else of the second or of one in the middle, where they are more. nullopt: a
  /// counter hangs off the contents of memory, the loop has several ends, or there are more than
  /// kMost rounds to look at.
  static constexpr unsigned kMost = 8192;
  std::optional<double> average(const LoopInfo &loop);

private:
  std::optional<double> averageAt(const std::vector<const LoopInfo *> &nest,
                                  const std::array<uint32_t, 3> &group);

  const KernelAnalysis &kernel;
  HostValues host;
  std::unique_ptr<LaneModel> model; ///< once it is needed
};

} // namespace tailor

#endif
