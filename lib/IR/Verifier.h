//===- IR/Verifier.h - Whether a module holds together ---------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_IR_VERIFIER_H
#define TAILOR_IR_VERIFIER_H

#include "IR/Module.h"

#include <optional>
#include <string>

namespace tailor {

/// What is wrong with the structure that every analysis takes for granted; empty when nothing is:
/// ids are defined once and dominate their uses, blocks end in one terminator, branches lead to
/// blocks of their function, a phi has a value for each predecessor and for no other block (SPIR-V
/// 1.6, sections 2.4, 2.16.1 and OpPhi). In time close to linear, also for functions of many
/// thousands of blocks. No substitute for validateSpirv where that can be paid: types,
/// capabilities, decorations and structured control flow are not looked at.
std::optional<std::string> structuralFault(Module &module);

} // namespace tailor

#endif
