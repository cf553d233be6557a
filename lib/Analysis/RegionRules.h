//===- Analysis/RegionRules.h - What may stand where invocations part ------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `coarsen` repeats the stretches in which invocations may part
// (Analysis/DivergentRegions.h) as a whole. The certificate asks here what the pass
// (passes/CoarsenThreads.h) asks again of the function that it repeats.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_REGIONRULES_H
#define TAILOR_ANALYSIS_REGIONRULES_H

#include "Analysis/DivergentRegions.h"
#include "Analysis/KernelAnalysis.h"

#include <optional>

namespace tailor {

/// Whether all invocations of a workgroup that come to the end of the block together leave it by
/// the same edge.
bool leavesTogether(const KernelAnalysis &kernel, const Block &block);

/// The form with one return, for where one inside of a loop or switch stands in the way of a region
/// (returnsFromInside). Marked like the form: CanonicalForm::authoredLocation. Fails where
/// SPIRV-Tools does not make it.
Result<Module> withOneReturn(const CanonicalForm &form);

/// A control barrier in a region, located by `locations`: the kernel's form, or that which its
/// module was made from.
std::optional<Diagnostic> refuseBarriers(const KernelAnalysis &kernel,
                                         const std::vector<DivergentRegion> &regions,
                                         const CanonicalForm &locations);

/// Why the kernel cannot be cut into what invocations go through together and regions without
/// barriers. Not looked at are returns from inside of loops and switches in a kernel without
/// barriers.
std::optional<Diagnostic> refuseRegions(const KernelAnalysis &kernel);

} // namespace tailor

#endif
