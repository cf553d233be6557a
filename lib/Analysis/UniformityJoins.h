//===- Analysis/UniformityJoins.h - Where parted ways meet -----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of LLVM's uniformity analysis that says which blocks two disjoint ways
// from a divergent branch lead to. LLVM 19's own stops too early: in
//
//   if (divergent) { if (a) x = 1; else x = 2; if (b) x += 3; else x += 4; }
//   else           { for (...) x += 5; }
//
// it does not come as far as the join at the end, and calls x uniform there
// (its floor moves only when the label that is pushed differs from the one
// pushed before). So here is another, of the same results.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_UNIFORMITYJOINS_H
#define TAILOR_ANALYSIS_UNIFORMITYJOINS_H

#include "Analysis/UniformityContext.h"

#include "llvm/ADT/GenericCycleImpl.h"
#include "llvm/ADT/GenericUniformityImpl.h"

namespace llvm {

using NodeJoins = GenericSyncDependenceAnalysis<tailor::NodeContext>;
template <>
const NodeJoins::DivergenceDescriptor &NodeJoins::getJoinBlocks(const tailor::NodeBlock *branch);

} // namespace llvm

#endif
