//===- passes/AuthoredIds.h - Ids that a variant computes ------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A technique that runs authored invocations elsewhere than where they were
// authored keeps the body and computes the ids that it reads. What they are
// computed from is the technique's: an IdModel. Where they are read, how they are
// typed, and that nothing unread is computed, is here.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_AUTHOREDIDS_H
#define TAILOR_PASSES_AUTHOREDIDS_H

#include "IR/Builder.h"
#include "IR/Module.h"
#include "Support/Dim3.h"
#include "Support/Result.h"

#include <map>
#include <memory>
#include <optional>
#include <tuple>
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

/// What a technique says about ids.
class IdModel {
public:
  virtual ~IdModel();
  /// Whether reads of the built-in are replaced; the others stay as they are.
  virtual bool replaces(spv::BuiltIn builtIn) const = 0;
  /// The component that the authored body shall read; axis 0 of LocalInvocationIndex.
  virtual Id component(IdEmitter &emit, spv::BuiltIn builtIn, unsigned axis) const = 0;
};

/// The built-ins that say where an invocation is: LocalInvocationId, LocalInvocationIndex,
/// WorkgroupId, NumWorkgroups, GlobalInvocationId.
bool isPlacement(spv::BuiltIn builtIn);

/// An id model of a technique whose variant runs authored invocation (group, local): all five
/// built-ins follow from where it says the invocation is.
class PlacementModel : public IdModel {
public:
  explicit PlacementModel(const Dim3 &authored) : authored(authored) {}
  bool replaces(spv::BuiltIn builtIn) const override { return isPlacement(builtIn); }
  Id component(IdEmitter &emit, spv::BuiltIn builtIn, unsigned axis) const override;

protected:
  virtual Id local(IdEmitter &emit, unsigned axis) const = 0;
  virtual Id group(IdEmitter &emit, unsigned axis) const = 0;
  virtual Id groupCount(IdEmitter &emit, unsigned axis) const = 0;
  /// group·S + local, unless the technique has it at hand.
  virtual Id global(IdEmitter &emit, unsigned axis) const;

  Dim3 authored;
};

/// Replaces the reads that `model` replaces in what `entry` reaches, at the head of each function
/// that reads. The module is unchanged after a failure (IdReads.h says what fails).
Status replaceIds(Module &module, const EntryPoint &entry, const IdModel &model);

} // namespace tailor

#endif
