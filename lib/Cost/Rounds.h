//===- Cost/Rounds.h - Loads that wait for one another (internal) ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_COST_ROUNDS_H
#define TAILOR_COST_ROUNDS_H

#include "Analysis/KernelAnalysis.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tailor {

/// For one block, run once: loads side by side are one round, a load whose address or condition
/// needs another's result in the same block is one more.
struct BlockRounds {
  unsigned device = 0; ///< buffers and images
  unsigned shared = 0; ///< workgroup memory
  double chain = 0;    ///< arithmetic that waits for arithmetic, in steps
};

/// `loads`: those that count, with the memory that they are from. `steps`: of an instruction, 0 for
/// one that costs nothing.
BlockRounds roundsOf(const Block &block,
                     const llvm::DenseMap<const Instruction *, MemorySpace> &loads,
                     llvm::function_ref<double(const Instruction &)> steps);

} // namespace tailor

#endif
