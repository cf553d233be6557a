//===- IR/Folding.h - Operations on known values ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an instruction makes of values that are known: of constants
// (IR/Constants.h) and of the values of one invocation (Analysis/LaneEvaluator.h).
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_IR_FOLDING_H
#define TAILOR_IR_FOLDING_H

#include "IR/Constants.h"

namespace tailor {

ConstantValue boolValue(bool value);
/// A value of a scalar type from its bits, cut to its width; nullopt for other types.
std::optional<ConstantValue> scalarValue(const Module &module, Id type, uint64_t bits);

/// One scalar result of an integer or boolean operation on scalars; a value of the result's scalar
/// type says its width. nullopt for what SPIR-V leaves undefined, for floating-point operations,
/// and for what is no such operation.
std::optional<ConstantValue> foldScalar(spv::Op op, llvm::ArrayRef<ConstantValue> operands,
                                        const ConstantValue &type);

/// The part that the literals of `inst` from operand `first` on lead to.
std::optional<ConstantValue> extractPart(ConstantValue value, const Instruction &inst,
                                         unsigned first);
/// `composite` with that part replaced.
std::optional<ConstantValue> insertPart(const ConstantValue &object, ConstantValue composite,
                                        const Instruction &inst, unsigned first);
/// The components of two vectors that the literals name; nullopt where one is undefined.
std::optional<ConstantValue> shuffleParts(const ConstantValue &a, const ConstantValue &b,
                                          const Instruction &inst, unsigned first);

} // namespace tailor

#endif
