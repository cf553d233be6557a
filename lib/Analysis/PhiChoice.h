//===- Analysis/PhiChoice.h - Phis that are a choice by one branch ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_PHICHOICE_H
#define TAILOR_ANALYSIS_PHICHOICE_H

#include "IR/Cfg.h"

#include <optional>

namespace tailor {

/// `condition ? whenTrue : whenFalse`, by one branch whose two sides meet at the phi.
struct PhiChoice {
  Id condition, whenTrue, whenFalse;
};
/// nullopt where the phi or the branch stands in a cycle (it could be another round's condition),
/// and where one side reaches the phi in more than one way.
std::optional<PhiChoice> choiceOf(const Module &module, const ControlFlow &flow,
                                  const Instruction &phi);

} // namespace tailor

#endif
