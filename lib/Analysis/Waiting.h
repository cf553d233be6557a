//===- Analysis/Waiting.h - Loops that wait for other invocations ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_WAITING_H
#define TAILOR_ANALYSIS_WAITING_H

#include "Analysis/KernelAnalysis.h"

#include <optional>

namespace tailor {

/// A loop whose end depends on memory that another invocation may write while it runs: a look-back
/// scan, a lock, a polled flag. Another schedule of the invocations could keep it from ending.
struct WaitingLoop {
  const Instruction *branch; ///< decides whether the loop goes on
  const Instruction *read;   ///< inside the loop, of that memory
};

/// The first such loop in the order of the function. Memory that others write meanwhile is: what
/// atomics touch, Volatile and Coherent memory, plain buffers that the kernel writes where it has
/// atomics or memory barriers (IdDependence::readsSharedState), and workgroup memory that is
/// read again without a control barrier between the reads, and written where no control barrier
/// keeps the writes apart from them. A flag that goes round through workgroup memory with a barrier
/// in every iteration is therefore none, unless it stems from such memory itself.
///
/// Followed are values, phis by the branches that decide about them, and what is stored under such
/// values or branches, by variable. What only decides about work inside an iteration, and not
/// about how many there are, does not wait. Nor does a retry loop (Analysis/RetryLoops.h).
/// Nor does anything by workgroup memory of which each invocation touches bytes of its own alone.
std::optional<WaitingLoop> findWaiting(const KernelAnalysis &kernel);
/// The same as the reason why no technique may run the kernel's invocations in another order.
std::optional<Diagnostic> refuseWaiting(const KernelAnalysis &kernel);

} // namespace tailor

#endif
