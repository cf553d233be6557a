//===- Backends/HlslModule.cpp ---------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/HlslModule.h"

#include "IR/Builder.h"
#include "passes/LegalizeExtendedArithmetic.h"

namespace tailor {
namespace {

bool hasUndefined(const ModuleFacts &facts) {
  bool found = false;
  facts.forEachInstruction(
      [&](SpvOp op, std::span<const uint32_t>, uint32_t) { found |= op == SpvOpUndef; });
  return found;
}

bool hasExtendedArithmetic(const ModuleFacts &facts) {
  return facts.firstUse(SpvOpUMulExtended) || facts.firstUse(SpvOpSMulExtended) ||
         facts.firstUse(SpvOpIAddCarry) || facts.firstUse(SpvOpISubBorrow);
}

/// Whether a type has a null: no images, samplers, or arrays without a length.
bool hasNull(const Module &module, Id type) {
  const Instruction *definition = module.def(type);
  if (!definition)
    return false;
  switch (definition->opcode()) {
  case spv::Op::OpTypeBool:
  case spv::Op::OpTypeInt:
  case spv::Op::OpTypeFloat:
  case spv::Op::OpTypeVector:
  case spv::Op::OpTypeMatrix:
    return true;
  case spv::Op::OpTypeArray:
    return hasNull(module, definition->id(0));
  case spv::Op::OpTypeStruct:
    for (unsigned member = 0; member < definition->numOperands(); ++member)
      if (!hasNull(module, definition->id(member)))
        return false;
    return true;
  default:
    return false;
  }
}

Change defineUndefined(Module &module) {
  std::vector<Instruction *> undefined;
  module.forEachInstruction([&](Instruction &inst) {
    if (inst.opcode() == spv::Op::OpUndef && hasNull(module, inst.typeId()))
      undefined.push_back(&inst);
  });
  // Constants stand in front of the functions, behind their type: at the place of a global one,
  // and at the end of the globals for one in a function.
  for (Instruction *inst : undefined) {
    Instruction null(spv::Op::OpConstantNull, inst->typeId(), inst->result());
    if (inst->parent()) {
      module.erase(*inst);
      module.append(Section::Globals, null);
      continue;
    }
    Instruction *after = inst;
    InstructionList &globals = module.section(Section::Globals);
    auto next = std::next(inst->getIterator());
    after = next == globals.end() ? nullptr : &*next;
    module.erase(*inst);
    module.insertGlobal(after, null);
  }
  return undefined.empty() ? Change::Unchanged : Change::Changed;
}

} // namespace

bool mayNeedLegalizingForHlsl(const ModuleFacts &facts) {
  return hasExtendedArithmetic(facts) || hasUndefined(facts);
}

Result<Change> legalizeForHlsl(Module &module) {
  Result<Change> extended = legalizeExtendedArithmetic(module);
  if (!extended)
    return extended;
  return defineUndefined(module) == Change::Changed ? Result<Change>(Change::Changed) : extended;
}

} // namespace tailor
