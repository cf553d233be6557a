//===- Analysis/UniformityCause.h - Why something differs ------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_UNIFORMITYCAUSE_H
#define TAILOR_ANALYSIS_UNIFORMITYCAUSE_H

#include "Analysis/Uniformity.h"
#include "Analysis/UniformityRun.h"

namespace tailor {

/// The shortest way from a node that differs in the run's set down to an id, memory or an
/// operation that makes it differ; what only passes it on is left out. At most 8 steps. Empty where
/// the node does not differ.
std::vector<CauseStep> causeOfNode(const Module &module, const ValueGraph &graph,
                                   const UniformityRun &run, const Dim3 &size,
                                   const ValueNode &node);

} // namespace tailor

#endif
