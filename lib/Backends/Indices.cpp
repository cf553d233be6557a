//===- Backends/Indices.cpp ------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/Indices.h"

#include "IR/Builder.h"

namespace tailor {
namespace {

/// Where the indices of an instruction begin and end; empty where it has none.
std::pair<unsigned, unsigned> indicesOf(const Instruction &inst) {
  switch (inst.opcode()) {
  case spv::Op::OpAccessChain:
  case spv::Op::OpInBoundsAccessChain:
    return {1, inst.numOperands()};
  case spv::Op::OpVectorExtractDynamic:
    return {1, 2};
  case spv::Op::OpVectorInsertDynamic:
    return {2, 3};
  default:
    return {0, 0};
  }
}

/// The type of an index that is no constant and has another width than 32; null for all others.
const Instruction *otherType(const Module &module, Id index) {
  const Instruction *value = module.def(index);
  if (!value || value->opcode() == spv::Op::OpConstant)
    return nullptr;
  const Instruction *type = module.def(value->typeId());
  return type && type->opcode() == spv::Op::OpTypeInt && type->literal(0) != 32 ? type : nullptr;
}

} // namespace

bool mayHaveOtherIndices(const ModuleFacts &facts) {
  return facts.hasCapability(SpvCapabilityInt64) || facts.hasCapability(SpvCapabilityInt16) ||
         facts.hasCapability(SpvCapabilityInt8);
}

Change convertIndices(Module &module) {
  Builder builder(module);
  Change change = Change::Unchanged;
  for (const auto &function : module.functions())
    for (Block &block : function->blocks())
      for (Instruction &inst : block.instructions()) {
        const auto [first, last] = indicesOf(inst);
        for (unsigned at = first; at < last; ++at)
          if (const Instruction *type = otherType(module, inst.id(at))) {
            const bool isSigned = type->literal(1) != 0;
            inst.setId(
                at, builder.insertBefore(inst, isSigned ? spv::Op::OpSConvert : spv::Op::OpUConvert,
                                         builder.intType(32, isSigned), {inst.id(at)}));
            change = Change::Changed;
          }
      }
  return change;
}

} // namespace tailor
