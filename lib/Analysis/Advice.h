//===- Analysis/Advice.h - What to do about what was found -----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Advice in plain words. What it says another size, another order of the lanes
// or a padded row would change has been computed for that size, order or row; it
// is about what a subgroup fetches, and no promise of time. docs/analysis.md has
// each kind.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_ADVICE_H
#define TAILOR_ANALYSIS_ADVICE_H

#include "Analysis/Findings.h"

namespace tailor {

/// In the order in which it is listed: what is wrong, what is slow, what to know.
enum class AdviceKind : uint8_t {
  DefaultSize,      ///< the size is the default of specialization constants, and says little
  DivergentBarrier, ///< a barrier that not all invocations may reach
  Waiting,          ///< invocations wait on each other
  IdleLanes,        ///< a workgroup leaves lanes of its subgroups empty
  UnusedAxis,       ///< invocations along an axis do the same work over and over
  Strided,          ///< lanes fetch more than they use
  BankConflict,     ///< lanes queue up at a bank of workgroup memory
  Contention,       ///< atomics meet at one address
  MemoryBound,      ///< too little is computed on what is fetched
  LiveValues,       ///< more values at once than registers allow for
  FewTechniques,    ///< what stands against changing the size
  Guard,            ///< the size must divide the grid, for want of a check
  AxisOfOne,        ///< neighbours along an axis are never in one workgroup
};
inline constexpr unsigned kNumAdviceKinds = 13;
std::string_view nameOf(AdviceKind kind); ///< divergent-barrier, strided, ...

struct Advice {
  AdviceKind kind = AdviceKind::Strided;
  std::string text;  ///< a sentence or two, lower case, no full stop at the end
  Location location; ///< may be unknown
};

std::vector<Advice> advise(const Findings &findings);

} // namespace tailor

#endif
