//===- Bundle/VariantFamilies.h - Candidates of each technique (internal) ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BUNDLE_VARIANTFAMILIES_H
#define TAILOR_BUNDLE_VARIANTFAMILIES_H

#include "Bundle/VariantPlan.h"

namespace tailor {

/// Variants of one kind, the most promising first. Kinds share out what --max-variants allows.
struct VariantFamily {
  std::vector<PlannedVariant> variants;
  unsigned atATurn = 1; ///< so many of them before the next kind gives
  size_t promising = 0; ///< so many, at the front, before the rest of any kind
};

/// Single techniques, then guarded variants, then compositions.
std::vector<VariantFamily> variantFamilies(const Certificate &certificate,
                                           const PlanRequest &request);

/// Why a technique that is legal for the kernel makes no variant of its own there, where sizes are
/// not listed: `a workgroup of 32 invocations ...`.
std::string whyNoVariant(const Certificate &certificate, const PlanRequest &request,
                         Technique technique);

} // namespace tailor

#endif
