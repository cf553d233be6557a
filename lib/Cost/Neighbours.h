//===- Cost/Neighbours.h - What is in a unit's cache already (internal) ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_COST_NEIGHBOURS_H
#define TAILOR_COST_NEIGHBOURS_H

#include "Analysis/KernelAnalysis.h"
#include "Cost/SampledLanes.h"

#include <vector>

namespace tailor {

/// Loads of one variable at one place of the loops: what one brings is there for the others.
struct Neighbours {
  const Instruction *variable = nullptr;
  const LoopInfo *loop = nullptr;
  std::vector<SectorSet> bySubgroup; ///< of the samples, in the first round
  SectorSet inSecondRound;           ///< of the first sample
  bool hasSecond = false;
  double runs = 0, rounds = 1; ///< of one subgroup; rounds of the innermost loop each time
  double perRound = 0;         ///< bytes that the addresses move by
};

/// Sectors of one subgroup that the cache of its unit does not have.
struct CacheMisses {
  double first = 0; ///< that nothing brought before
  double again = 0; ///< that an earlier loop over the same has brought: there, if there is room
};

/// `subgroups`: of a group, which share the cache.
CacheMisses missesOf(const std::vector<Neighbours> &neighbours, double subgroups);

} // namespace tailor

#endif
