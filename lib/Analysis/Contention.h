//===- Analysis/Contention.h - Who meets at an atomic ----------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_CONTENTION_H
#define TAILOR_ANALYSIS_CONTENTION_H

#include "Analysis/Barriers.h"

namespace tailor {

/// Fills in variable, name, space, contention, contentionScope and distinctInWorkgroup of an atomic
/// whose instruction is known.
void judgeContention(const KernelAnalysis &kernel, AtomicFact &fact);

/// Comparisons of what atomics on buffers and images returned (also where it went through
/// workgroup memory or a subgroup) with a value made of NumWorkgroups, or, for equality alone, of
/// other values that the host supplies: `<` with such a value is how a kernel appends to a list.
std::vector<LastGroupCounter> findLastGroupCounters(const KernelAnalysis &kernel);

} // namespace tailor

#endif
