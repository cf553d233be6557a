//===- Analysis/InstructionRules.h - What no technique can work around -----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_INSTRUCTIONRULES_H
#define TAILOR_ANALYSIS_INSTRUCTIONRULES_H

#include "Analysis/CanonicalForm.h"
#include "IR/Constants.h"

#include <optional>

namespace tailor {

/// An error at the instruction's place in the authored module.
Diagnostic refusalAt(const CanonicalForm &form, const Instruction &inst, std::string text);

/// Execution modes that may depend on how invocations are put together.
std::optional<Diagnostic> refuseExecutionModes(const CanonicalForm &form);

/// A value decorated Uniform, as the same in a workgroup, which in another one it may not be: one
/// for which `staysUniform` does not hold.
std::optional<Diagnostic> refuseUniformDecorations(const CanonicalForm &form,
                                                   llvm::function_ref<bool(Id)> staysUniform);

/// Subgroup and quad operations, derivatives, calls that stayed, extended instructions and opcodes
/// that no analysis here understands.
std::optional<Diagnostic> refuseOpcode(const CanonicalForm &form, const Instruction &inst);

/// Which invocations an ordering of memory reaches.
enum class OrderingReach : uint8_t {
  None,      ///< the instruction orders nothing, or for its own invocation alone
  Subgroup,  ///< inside a subgroup
  Workgroup, ///< inside a workgroup
  Device,    ///< wider
  Unknown,   ///< the scope is not a known constant
};
/// Of a memory barrier, an atomic, or a memory access with MakeAvailable or MakeVisible.
OrderingReach orderingReach(const Instruction &inst, ConstantEvaluator &constants);
/// `a memory barrier`, `an atomic`, `a memory access`.
const char *orderingName(const Instruction &inst);

/// Built-in inputs whose values depend on how invocations are put into subgroups, or that are not
/// known here: any but the ids of invocations and workgroups.
bool isForeignBuiltIn(spv::BuiltIn builtIn);

} // namespace tailor

#endif
