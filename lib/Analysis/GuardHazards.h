//===- Analysis/GuardHazards.h - What must not run past the authored grid ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_GUARDHAZARDS_H
#define TAILOR_ANALYSIS_GUARDHAZARDS_H

#include "Analysis/CanonicalForm.h"
#include "Analysis/IdDependence.h"
#include "IR/Cfg.h"

namespace tailor {

/// What invocations past the authored grid must not run.
class HazardFinder {
public:
  HazardFinder(const CanonicalForm &form, const ControlFlow &flow, const IdDependence &ids)
      : module(form.module()), flow(flow), ids(ids) {}

  /// Why the instruction is a hazard; null when it is none.
  const char *hazard(const Instruction &inst) const;

private:
  const char *memoryHazard(const Instruction &inst, Id pointer) const;
  const char *addressHazard(const Instruction &chain) const;
  bool staysInside(const PointerPath &path) const;
  bool alwaysExecuted(const Block &block) const;
  bool dividesSafely(const Instruction &inst) const;
  bool isNeverSmallest(Id value, unsigned component, unsigned depth) const;
  bool isUniformHere(const Instruction &inst, Id value) const {
    return isUniformIndex(value) && alwaysExecuted(*inst.parent());
  }
  bool isUniformIndex(Id index) const {
    return ids.summary(index).variation() == Variation::Dispatch;
  }

  const Module &module;
  const ControlFlow &flow;
  const IdDependence &ids;
  mutable llvm::DenseMap<unsigned, bool> executedByAll; ///< by block index
};

} // namespace tailor

#endif
