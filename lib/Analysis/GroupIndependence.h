//===- Analysis/GroupIndependence.h - The proof that groups do not matter ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_GROUPINDEPENDENCE_H
#define TAILOR_ANALYSIS_GROUPINDEPENDENCE_H

#include "Analysis/KernelAnalysis.h"

namespace tailor {

/// The first instruction, in the order of the canonical form, that stops the proof of `resize`:
/// workgroup memory, barriers, subgroup operations, an opcode that is not understood, an effect,
/// address or branch that depends on how the grid is cut into groups, a descriptor index that must
/// be uniform and may not stay so, invocations that wait on each other. nullopt: the proof holds.
std::optional<Diagnostic> refuseGroupDependence(const KernelAnalysis &kernel);

} // namespace tailor

#endif
