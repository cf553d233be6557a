//===- IR/Builder.h - New types, constants and instructions ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_IR_BUILDER_H
#define TAILOR_IR_BUILDER_H

#include "IR/Module.h"

#include <map>
#include <vector>

namespace tailor {

/// Makes types and constants without duplicates. An existing definition is reused where it is
/// equal, undecorated and not specializable; none is ever edited: constants are shared
/// between unrelated uses.
///
/// A new definition goes to the end of Section::Globals, so it may be used in functions and in
/// later globals.
class Builder {
public:
  explicit Builder(Module &module);

  Id voidType() { return unique(Instruction(spv::Op::OpTypeVoid)); }
  Id boolType() { return unique(Instruction(spv::Op::OpTypeBool)); }
  Id intType(uint32_t width, bool isSigned);
  Id vectorType(Id component, uint32_t count);
  Id pointerType(spv::StorageClass storageClass, Id pointee);
  Id functionType(Id result, llvm::ArrayRef<Id> parameters);

  Id boolConstant(bool value);
  Id uintConstant(uint32_t value);        ///< 32 bits, unsigned
  Id intConstant(Id type, uint64_t bits); ///< of an integer type of up to 64 bits; cut to its width
  Id compositeConstant(Id type, llvm::ArrayRef<Id> elements);
  Id nullConstant(Id type) { return unique(Instruction(spv::Op::OpConstantNull, type)); }

  /// A result id for an instruction with a type, inserted before `before`; returns the id.
  Id insertBefore(Instruction &before, spv::Op op, Id type, llvm::ArrayRef<Id> operands,
                  llvm::ArrayRef<uint32_t> literals = {});

  Module &module() { return target; }

private:
  using Key = std::vector<uint32_t>;
  static Key keyOf(const Instruction &inst);
  Id unique(const Instruction &inst);

  Module &target;
  std::map<Key, Id> existing;
};

} // namespace tailor

#endif
