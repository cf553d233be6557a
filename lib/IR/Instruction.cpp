//===- IR/Instruction.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IR/Instruction.h"

#include "spirv-tools/libspirv.h"

#include <cstring>

namespace tailor {

// The copy is in no list: a node's links are not to be copied.
// NOLINTNEXTLINE(bugprone-copy-constructor-init)
Instruction::Instruction(const Instruction &other)
    : llvm::ilist_node<Instruction>(), wordOffset(other.wordOffset), lineIndex(other.lineIndex),
      op(other.op), type(other.type), resultId(other.resultId), words(other.words),
      operands(other.operands) {
  if (other.marks)
    marks = std::make_unique<llvm::SmallVector<LineMark, 1>>(*other.marks);
}

uint64_t Instruction::literal64(unsigned index) const {
  const Operand &operand = operands[index];
  uint64_t value = literal(index);
  if (operand.numWords > 1)
    value |= uint64_t{words[operand.firstWord + 1]} << 32;
  return value;
}

std::string Instruction::string(unsigned index) const {
  const Operand &operand = operands[index];
  std::string text;
  for (unsigned at = 0; at < operand.numWords; ++at)
    for (unsigned shift = 0; shift < 32; shift += 8) {
      char c = static_cast<char>(words[operand.firstWord + at] >> shift);
      if (c == '\0')
        return text;
      text.push_back(c);
    }
  return text;
}

Instruction &Instruction::addWords(OperandKind kind, llvm::ArrayRef<uint32_t> operandWords) {
  operands.push_back(
      {kind, static_cast<uint16_t>(words.size()), static_cast<uint16_t>(operandWords.size())});
  words.append(operandWords.begin(), operandWords.end());
  return *this;
}

Instruction &Instruction::addId(Id id) { return addWords(OperandKind::Id, {raw(id)}); }
Instruction &Instruction::addLiteral(uint32_t word) {
  return addWords(OperandKind::Literal, {word});
}
Instruction &Instruction::addLiteralWords(llvm::ArrayRef<uint32_t> literalWords) {
  return addWords(OperandKind::Literal, literalWords);
}

Instruction &Instruction::addString(llvm::StringRef text) {
  llvm::SmallVector<uint32_t, 16> packed(text.size() / 4 + 1, 0);
  for (size_t at = 0; at < text.size(); ++at)
    packed[at / 4] |= uint32_t{static_cast<uint8_t>(text[at])} << (at % 4 * 8);
  return addWords(OperandKind::String, packed);
}

void Instruction::setId(unsigned index, Id id) {
  assert(isId(index) && "operand is not an id");
  words[operands[index].firstWord] = raw(id);
}

void Instruction::setLiteral(unsigned index, uint32_t word) {
  assert(operands[index].kind == OperandKind::Literal && operands[index].numWords == 1);
  words[operands[index].firstWord] = word;
}

void Instruction::truncate(unsigned count) {
  if (count < operands.size())
    removeOperands(count, operands.size() - count);
}

void Instruction::removeOperands(unsigned first, unsigned count) {
  llvm::SmallVector<uint32_t, 3> oldWords = std::move(words);
  llvm::SmallVector<Operand, 3> oldOperands = std::move(operands);
  words.clear();
  operands.clear();
  for (unsigned index = 0; index < oldOperands.size(); ++index) {
    if (index >= first && index < first + count)
      continue;
    const Operand &kept = oldOperands[index];
    addWords(kept.kind, llvm::ArrayRef(oldWords).slice(kept.firstWord, kept.numWords));
  }
}

void Instruction::addLineMark(LineMark mark) {
  if (!marks)
    marks = std::make_unique<llvm::SmallVector<LineMark, 1>>();
  marks->push_back(mark);
}

std::string nameOf(spv::Op op) {
  const char *name = spvOpcodeString(static_cast<uint32_t>(op));
  if (std::strcmp(name, "unknown") == 0)
    return "Op#" + std::to_string(static_cast<uint32_t>(op));
  return std::string("Op") + name;
}

bool isTerminator(spv::Op op) {
  switch (op) {
  case spv::Op::OpBranch:
  case spv::Op::OpBranchConditional:
  case spv::Op::OpSwitch:
  case spv::Op::OpReturn:
  case spv::Op::OpReturnValue:
  case spv::Op::OpKill:
  case spv::Op::OpUnreachable:
  case spv::Op::OpTerminateInvocation:
  case spv::Op::OpIgnoreIntersectionKHR:
  case spv::Op::OpTerminateRayKHR:
  case spv::Op::OpEmitMeshTasksEXT:
    return true;
  default:
    return false;
  }
}

bool isMerge(spv::Op op) { return op == spv::Op::OpSelectionMerge || op == spv::Op::OpLoopMerge; }

bool isSpecConstant(spv::Op op) {
  switch (op) {
  case spv::Op::OpSpecConstantTrue:
  case spv::Op::OpSpecConstantFalse:
  case spv::Op::OpSpecConstant:
  case spv::Op::OpSpecConstantComposite:
  case spv::Op::OpSpecConstantOp:
    return true;
  default:
    return false;
  }
}

bool isConstant(spv::Op op) {
  switch (op) {
  case spv::Op::OpConstantTrue:
  case spv::Op::OpConstantFalse:
  case spv::Op::OpConstant:
  case spv::Op::OpConstantComposite:
  case spv::Op::OpConstantSampler:
  case spv::Op::OpConstantNull:
    return true;
  default:
    return isSpecConstant(op);
  }
}

bool isAtomic(spv::Op op) {
  uint32_t number = static_cast<uint32_t>(op);
  if (number >= static_cast<uint32_t>(spv::Op::OpAtomicLoad) &&
      number <= static_cast<uint32_t>(spv::Op::OpAtomicXor))
    return true;
  switch (op) {
  case spv::Op::OpAtomicFlagTestAndSet:
  case spv::Op::OpAtomicFlagClear:
  case spv::Op::OpAtomicFMinEXT:
  case spv::Op::OpAtomicFMaxEXT:
  case spv::Op::OpAtomicFAddEXT:
    return true;
  default:
    return false;
  }
}

bool isType(spv::Op op) {
  if (op >= spv::Op::OpTypeVoid && op <= spv::Op::OpTypeForwardPointer)
    return true;
  // The types that extensions and OpenCL brought have numbers all over; the name tells.
  return op > spv::Op::OpImageSparseRead && nameOf(op).rfind("OpType", 0) == 0;
}

} // namespace tailor
