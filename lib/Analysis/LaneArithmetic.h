//===- Analysis/LaneArithmetic.h - Operations beyond those of constants ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What IR/Folding.h leaves out because a constant must not guess: floating-point
// operations, in IEEE arithmetic, bit fields, and GLSL.std.450.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_LANEARITHMETIC_H
#define TAILOR_ANALYSIS_LANEARITHMETIC_H

#include "IR/Constants.h"

namespace tailor {

/// One scalar result of a componentwise operation; `type` is a value of the result's scalar type.
/// nullopt where SPIR-V leaves the result undefined, for 16-bit floats, and for what is not
/// understood.
std::optional<ConstantValue> foldLane(spv::Op op, llvm::ArrayRef<ConstantValue> operands,
                                      const ConstantValue &type);
/// The same for an instruction of GLSL.std.450: minimum, maximum, clamp, absolute value, sign,
/// rounding, bit searches.
std::optional<ConstantValue> foldLaneExtended(uint32_t instruction,
                                              llvm::ArrayRef<ConstantValue> operands,
                                              const ConstantValue &type);

} // namespace tailor

#endif
