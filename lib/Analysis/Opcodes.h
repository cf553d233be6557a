//===- Analysis/Opcodes.h - What the analyses understand of each opcode ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_OPCODES_H
#define TAILOR_ANALYSIS_OPCODES_H

#include "IR/Instruction.h"

namespace tailor {

/// A list of what is understood, not of what is feared: an opcode that is not on it is refused.
enum class OpcodeClass : uint8_t {
  Structure,     ///< labels, merges, branches, variables, phis: handled by form
  Pure,          ///< the result is a function of the operands
  Componentwise, ///< Pure, and component i of the result a function of the operands' components i
  Memory,        ///< OpLoad, OpStore, OpCopyMemory, access chains
  ImageSample,   ///< explicit level of detail: defined for every coordinate
  ImageAccess,   ///< fetch, read, write, texel pointer
  ImageQuery,    ///< sizes, levels, samples
  ArrayLength,
  Atomic,
  MemoryBarrier,
  ExtInst,
  // What stops the techniques, by name:
  ControlBarrier,
  Subgroup,   ///< subgroup and quad operations
  Derivative, ///< derivatives and implicit level of detail
  Call,
  Unknown,
};
OpcodeClass classOf(spv::Op op);

} // namespace tailor

#endif
