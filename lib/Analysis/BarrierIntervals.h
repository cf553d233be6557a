//===- Analysis/BarrierIntervals.h - What control barriers keep apart -----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Control barriers cut a body into segments. All invocations of a workgroup
// pass a barrier together, so two instructions can be executed by two of them
// at the same time only if both can be reached from one place, the entry or one
// barrier, without passing another.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_BARRIERINTERVALS_H
#define TAILOR_ANALYSIS_BARRIERINTERVALS_H

#include "Analysis/CanonicalForm.h"
#include "IR/Cfg.h"
#include "IR/Constants.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace tailor {

/// OpControlBarrier over all invocations of a workgroup, as far as `constants` knows its scope.
bool isWorkgroupBarrier(const Instruction &inst, ConstantEvaluator &constants);

class BarrierIntervals {
public:
  BarrierIntervals(const CanonicalForm &form, const ControlFlow &flow,
                   ConstantEvaluator &constants);

  unsigned numBarriers() const { return barriers; }
  /// The instruction can run again without a barrier in between.
  bool repeatsWithoutBarrier(const Instruction &inst) const;
  /// Numbers of the places, the entry and the barriers, from which the instruction can be reached
  /// without passing a barrier; ascending. Empty for what cannot be reached at all.
  llvm::ArrayRef<unsigned> placesBefore(const Instruction &inst) const;
  /// Two invocations of a workgroup can be at `a` and at `b` at the same time: they have a place in
  /// common.
  bool canMeet(const Instruction &a, const Instruction &b) const;

private:
  static constexpr unsigned kNone = UINT32_MAX;
  unsigned segmentOf(const Instruction &inst) const;
  void cut(const CanonicalForm &form, const ControlFlow &flow, ConstantEvaluator &constants);
  void spreadFrom(unsigned place, unsigned segment);
  void findCycles();

  std::vector<std::vector<unsigned>> next; ///< by segment, without passing a barrier
  std::vector<unsigned> firstOfBlock;      ///< by block index; kNone where unreachable
  llvm::DenseMap<const Instruction *, unsigned> segmentsOfCut; ///< of blocks with barriers
  std::vector<unsigned> starts;              ///< the segment behind each place; the entry's first
  std::vector<std::vector<unsigned>> places; ///< by segment
  std::vector<unsigned> mark;                ///< of spreadFrom: the last place, plus one
  std::vector<bool> repeats;                 ///< by segment: it is in a cycle of `next`
  unsigned barriers = 0;
};

} // namespace tailor

#endif
