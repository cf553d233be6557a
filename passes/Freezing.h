//===- passes/Freezing.h - Specialization constants to plain ones ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_FREEZING_H
#define TAILOR_PASSES_FREEZING_H

#include "passes/Pass.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tailor {

/// Replaces every specialization constant for which `selected` holds by a plain one of its value
/// under `values` (its default elsewhere), takes its SpecId off, and then folds the composites and
/// operations all of whose operands have become plain. Result ids stay. An operation whose value
/// the evaluator does not know stays an operation over plain operands, with a note. Fails when an
/// array length would not be positive.
Result<Change> freezeConstants(Module &module,
                               llvm::function_ref<bool(const Instruction &)> selected,
                               const SpecMap &values, PassContext &context);

} // namespace tailor

#endif
