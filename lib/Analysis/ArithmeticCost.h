//===- Analysis/ArithmeticCost.h - What an arithmetic opcode costs ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_ARITHMETICCOST_H
#define TAILOR_ANALYSIS_ARITHMETICCOST_H

#include "IR/Module.h"

namespace tailor {

/// Operations of one instruction, by WorkKind (Work.h).
struct ArithmeticCost {
  double floats = 0, integers = 0, specials = 0, conversions = 0;
};

/// Of arithmetic, comparison, logic, conversion, and the instructions of GLSL.std.450; nothing for
/// every other. Composite functions are counted as the specification writes them: mix as three
/// operations, length as a dot product and a root, cross as nine.
ArithmeticCost arithmeticCost(const Module &module, const Instruction &inst);

} // namespace tailor

#endif
