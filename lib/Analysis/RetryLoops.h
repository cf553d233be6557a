//===- Analysis/RetryLoops.h - Compare-and-swap until it holds -------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_RETRYLOOPS_H
#define TAILOR_ANALYSIS_RETRYLOOPS_H

#include "Analysis/KernelAnalysis.h"

namespace tailor {

/// Whether the branch at the end of `block` is the exit of a retry loop,
///
///   do { old = atomic read of m; new = f(old); } while (atomicCompSwap(m, old, new) != old);
///
/// which decides by memory that others write and yet waits for nobody: a round fails only where
/// another invocation changed m between the two, and so got its own work done. Under any schedule
/// some invocation gets on; alone, an invocation gets on at once. It is one only if the loop is
/// left on success, and what is compared with is what an atomic on the very same place gave in this
/// round, or the last compare-and-swap in the round before: a lock compares with a value of its own
/// choice, and is none. And a round writes nothing that others see but by that swap: else it could
/// make its own swap fail until somebody keeps it from writing, and that is waiting.
bool isRetryExit(const KernelAnalysis &kernel, const Block &block);

} // namespace tailor

#endif
