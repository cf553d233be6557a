//===- Analysis/Guards.h - Bounds checks that side effects stand under ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_GUARDS_H
#define TAILOR_ANALYSIS_GUARDS_H

#include "Analysis/Affine.h"
#include "Analysis/Dispatch.h"
#include "Analysis/IdDependence.h"

#include <array>

namespace tailor {

struct GuardResult {
  /// Per axis: bounds such that every instruction that must not run past them stands under one.
  std::array<std::vector<DispatchBound>, 3> bounds;
  /// Per axis: the instruction that stands under none; then `bounds` is empty.
  std::array<std::optional<Diagnostic>, 3> refusal;
};

/// Finds, for each axis, what an invocation past the authored grid must not do: side effects,
/// reads whose address it computes itself, divisions by what it computes, loops; and the
/// comparisons of GlobalId[axis], or of a sum that grows with it, with a dispatch-uniform value
/// that all of it is dominated by. Reads at addresses that are clamped to such a value need no
/// comparison.
GuardResult findGuards(const CanonicalForm &form, const ControlFlow &flow, const IdDependence &ids,
                       const AffineAnalysis &affine);

} // namespace tailor

#endif
