//===- Analysis/BoundedIndex.h - Indices held inside of bounds ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_BOUNDEDINDEX_H
#define TAILOR_ANALYSIS_BOUNDEDINDEX_H

#include "Analysis/Affine.h"

namespace tailor {

/// The expression with what min, max and clamp of GLSL.std.450 hold in place of their results: what
/// an invocation computes that meets no bound. Of min and max that is the operand that hangs off
/// ids or loops. nullopt: there is nothing to replace, or the result is no polynomial.
std::optional<AffineExpr> withoutBounds(const AffineAnalysis &affine, const Module &module,
                                        const AffineExpr &expr);

} // namespace tailor

#endif
