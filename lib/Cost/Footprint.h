//===- Cost/Footprint.h - Bytes that a whole dispatch touches (internal) ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_COST_FOOTPRINT_H
#define TAILOR_COST_FOOTPRINT_H

#include "Analysis/Traffic.h"
#include "Support/Dim3.h"

#include <map>

namespace tailor {

class Footprint {
public:
  Footprint(const LaneModel &model, const HostValues &host, const Dim3 &groups);

  /// `runs`: of one invocation; `perRound`: bytes from one round of its innermost loop to the next,
  /// 0 where there is none; `share`: of the invocations that run it.
  void add(const MemoryAccess &access, double runs, double perRound, double share);

  /// At least so many distinct bytes, read and written ones apart: of each variable those of the
  /// access that touches most, without its loops.
  double certainBytes() const;
  /// What is expected: accesses of one variable together, up to all that lies between its first
  /// byte and its last.
  double expectedBytes() const;

private:
  struct Touched {
    double most = 0, sum = 0;
    double first = 0, end = 0; ///< bytes of the variable
    bool hasSpan = false;
  };
  std::optional<uint64_t> addressAt(const MemoryAccess &access, size_t probe);

  const LaneModel &model;
  Dim3 groups;
  LaneGroup probes; ///< one invocation, its neighbours on each axis, the first and the last
  std::map<std::pair<const Instruction *, bool>, Touched> touched; ///< by variable, written or read
};

} // namespace tailor

#endif
