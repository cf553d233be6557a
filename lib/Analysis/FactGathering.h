//===- Analysis/FactGathering.h - The plain facts of a canonical form ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_FACTGATHERING_H
#define TAILOR_ANALYSIS_FACTGATHERING_H

#include "Analysis/Facts.h"
#include "Analysis/KernelAnalysis.h"

namespace tailor {

/// Barriers, atomics, subgroup operations, ids, accesses and workgroup memory of the kernel at the
/// authored size. kernelClass is left to the caller, who knows what was proven.
KernelFacts gatherFacts(const KernelAnalysis &kernel);

} // namespace tailor

#endif
