//===- IR/Builder.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IR/Builder.h"

#include "llvm/Support/MathExtras.h"

namespace tailor {

Builder::Builder(Module &module) : target(module) {
  for (const Instruction &inst : module.section(Section::Globals)) {
    bool reusable =
        (isType(inst.opcode()) || isConstant(inst.opcode())) && !isSpecConstant(inst.opcode());
    if (!reusable)
      continue;
    bool decorated = false;
    module.forEachDecoration(inst.result(), [&](const Instruction &) { decorated = true; });
    if (!decorated)
      existing.try_emplace(keyOf(inst), inst.result());
  }
}

Builder::Key Builder::keyOf(const Instruction &inst) {
  Key key = {static_cast<uint32_t>(inst.opcode()), raw(inst.typeId())};
  key.insert(key.end(), inst.operandWords().begin(), inst.operandWords().end());
  return key;
}

Id Builder::unique(const Instruction &inst) {
  auto [at, isNew] = existing.try_emplace(keyOf(inst), Id::None);
  if (!isNew && target.def(at->second)) // somebody may have erased it since
    return at->second;
  Instruction made(inst.opcode(), inst.typeId(), target.freshId());
  for (unsigned index = 0; index < inst.numOperands(); ++index) {
    const Operand &operand = inst.operand(index);
    made.addWords(operand.kind, inst.operandWords().slice(operand.firstWord, operand.numWords));
  }
  return at->second = target.append(Section::Globals, made).result();
}

Id Builder::intType(uint32_t width, bool isSigned) {
  Instruction inst(spv::Op::OpTypeInt);
  inst.addLiteral(width).addLiteral(isSigned);
  return unique(inst);
}

Id Builder::vectorType(Id component, uint32_t count) {
  Instruction inst(spv::Op::OpTypeVector);
  inst.addId(component).addLiteral(count);
  return unique(inst);
}

Id Builder::pointerType(spv::StorageClass storageClass, Id pointee) {
  Instruction inst(spv::Op::OpTypePointer);
  inst.addLiteral(static_cast<uint32_t>(storageClass)).addId(pointee);
  return unique(inst);
}

Id Builder::functionType(Id result, llvm::ArrayRef<Id> parameters) {
  Instruction inst(spv::Op::OpTypeFunction);
  inst.addId(result);
  for (Id parameter : parameters)
    inst.addId(parameter);
  return unique(inst);
}

Id Builder::boolConstant(bool value) {
  return unique(
      Instruction(value ? spv::Op::OpConstantTrue : spv::Op::OpConstantFalse, boolType()));
}

Id Builder::uintConstant(uint32_t value) { return intConstant(intType(32, false), value); }

Id Builder::intConstant(Id type, uint64_t bits) {
  const Instruction *definition = target.def(type);
  assert(definition && definition->opcode() == spv::Op::OpTypeInt && "no integer type");
  uint32_t width = definition->literal(0);
  Instruction inst(spv::Op::OpConstant, type);
  if (width > 32) {
    inst.addLiteralWords({static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)});
    return unique(inst);
  }
  // Narrow literals are sign- or zero-extended to a word (SPIR-V 1.6, section 2.2.1).
  if (width < 32 && definition->literal(1) != 0)
    bits = static_cast<uint64_t>(llvm::SignExtend64(bits, width));
  else if (width < 32)
    bits &= (uint64_t{1} << width) - 1;
  inst.addLiteral(static_cast<uint32_t>(bits));
  return unique(inst);
}

Id Builder::compositeConstant(Id type, llvm::ArrayRef<Id> elements) {
  Instruction inst(spv::Op::OpConstantComposite, type);
  for (Id element : elements)
    inst.addId(element);
  return unique(inst);
}

Id Builder::insertBefore(Instruction &before, spv::Op op, Id type, llvm::ArrayRef<Id> operands,
                         llvm::ArrayRef<uint32_t> literals) {
  Instruction inst(op, type, target.freshId());
  for (Id operand : operands)
    inst.addId(operand);
  for (uint32_t literal : literals)
    inst.addLiteral(literal);
  inst.lineIndex = before.lineIndex;
  return target.insertBefore(before, inst).result();
}

} // namespace tailor
