//===- Analysis/IntegerTransfer.h - What instructions make of sets ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function gives a set that holds every result of the operation on members of
// the operands' sets, as SPIR-V and Vulkan define it. Where they leave the result
// undefined it may be any number.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_INTEGERTRANSFER_H
#define TAILOR_ANALYSIS_INTEGERTRANSFER_H

#include "Analysis/IntegerSet.h"
#include "IR/Instruction.h"

namespace tailor {

/// OpIEqual to OpSLessThanEqual, and OpLogicalEqual and OpLogicalNotEqual.
bool isIntegerComparison(spv::Op op);
/// The comparison of b with a that says the same as `op` of a with b.
spv::Op mirrored(spv::Op comparison);
/// Members of `left` for which `left op right` can be `truth`.
IntegerSet constrainLeft(spv::Op comparison, const IntegerSet &left, const IntegerSet &right,
                         bool truth);

/// One component of a result of `width` bits. Operands whose set is not tracked may be anything.
/// All of the type for operations that are not understood.
IntegerSet transfer(spv::Op op, llvm::ArrayRef<IntegerSet> operands, unsigned width);
/// The same for an instruction of GLSL.std.450.
IntegerSet transferExtended(uint32_t instruction, llvm::ArrayRef<IntegerSet> operands,
                            unsigned width);

} // namespace tailor

#endif
