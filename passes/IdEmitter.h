//===- passes/IdEmitter.h - Values at the head of a function ---------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_IDEMITTER_H
#define TAILOR_PASSES_IDEMITTER_H

#include "IR/Builder.h"
#include "IR/Module.h"

#include <map>
#include <optional>
#include <vector>

namespace tailor {

/// Makes 32-bit unsigned values at the head of one function. Values that are known are folded,
/// equal ones made once; products, quotients and remainders by powers of two become shifts and
/// masks. Arithmetic wraps.
class IdEmitter {
public:
  /// `entry`: whose interface gets the built-in variables that are read.
  IdEmitter(Builder &builder, const EntryPoint &entry, Function &function)
      : builder(builder), module(builder.module()), entry(entry), function(function) {}

  /// A component of a built-in of the module as it is dispatched; axis 0 of LocalInvocationIndex.
  Id physical(spv::BuiltIn builtIn, unsigned axis);
  Id constant(uint32_t value) { return builder.uintConstant(value); }
  std::optional<uint32_t> valueOf(Id id) const;

  Id add(Id a, Id b);
  Id sub(Id a, Id b);
  Id mul(Id a, Id b);
  Id udiv(Id a, Id b); ///< `b` is not 0
  Id umod(Id a, Id b); ///< `b` is not 0
  Id umin(Id a, Id b);
  Id bitAnd(Id a, Id b);
  Id bitOr(Id a, Id b);
  Id shl(Id a, unsigned bits);
  Id lshr(Id a, unsigned bits);
  /// Any other instruction; `type` none: an unsigned 32-bit result.
  Id emit(spv::Op op, llvm::ArrayRef<Id> operands, llvm::ArrayRef<uint32_t> literals = {},
          Id type = Id::None);

  /// Puts what was made at the head of the function, behind its variables. Call once, last.
  void finish();

  Builder &globals() { return builder; }

private:
  Id uintType() { return builder.intType(32, false); }
  std::optional<unsigned> shiftOf(Id id) const;

  Builder &builder;
  Module &module;
  EntryPoint entry;
  Function &function;
  std::vector<Instruction> made;
  std::map<std::vector<uint32_t>, Id> known; ///< by opcode, type and operands
};

} // namespace tailor

#endif
