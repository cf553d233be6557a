//===- Analysis/InstructionWork.h - The work of one instruction ------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_INSTRUCTIONWORK_H
#define TAILOR_ANALYSIS_INSTRUCTIONWORK_H

#include "Analysis/Work.h"

namespace tailor {

class InstructionWork {
public:
  explicit InstructionWork(const KernelAnalysis &kernel);
  /// Once, whatever loops are around it. Stores to private variables that nothing reads cost
  /// nothing: SSA construction leaves them behind.
  WorkCounts<double> of(const Instruction &inst) const;
  /// Of the private variables that are read.
  uint64_t privateBytes() const;

private:
  void memory(const Instruction &inst, WorkCounts<double> &work) const;
  void access(const std::optional<PointerPath> &path, Id type, bool writes,
              WorkCounts<double> &work) const;
  void atomic(const Instruction &inst, WorkCounts<double> &work) const;
  void image(const Instruction &inst, WorkCounts<double> &work) const;

  const KernelAnalysis &kernel;
  const Module &module;
  llvm::DenseMap<uint32_t, const Instruction *> readPrivate; ///< by variable id
};

} // namespace tailor

#endif
