//===- IR/Instruction.h - One SPIR-V instruction with typed operands ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_IR_INSTRUCTION_H
#define TAILOR_IR_INSTRUCTION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/ilist.h"
#include "llvm/ADT/ilist_node.h"

#include "spirv/unified1/spirv.hpp11"

#include <cassert>
#include <cstdint>
#include <memory>
#include <string>

namespace tailor {

class Block;

/// A result id. Never a literal: the two are different types.
enum class Id : uint32_t { None = 0 };
inline uint32_t raw(Id id) { return static_cast<uint32_t>(id); }
inline bool isValid(Id id) { return id != Id::None; }

/// What an operand's words are. Types and results are not among the operands.
enum class OperandKind : uint8_t {
  Id,      ///< one word, an id (memory semantics and scopes included)
  Literal, ///< numbers, enumerants, masks, extended opcodes: numWords words
  String,  ///< UTF-8, zero-terminated, in numWords words
};

struct Operand {
  OperandKind kind;
  uint16_t firstWord; ///< into Instruction::operandWords()
  uint16_t numWords;
};

/// An OpLine or OpNoLine in front of an instruction.
struct LineMark {
  Id file = Id::None; ///< None: OpNoLine
  uint32_t line = 0, column = 0;
};

/// One instruction: opcode, type, result, and operands that know whether they
/// are ids, literals or strings (SPIR-V 1.6, section 2.2.1).
class Instruction : public llvm::ilist_node<Instruction> {
public:
  Instruction(spv::Op op, Id type = Id::None, Id result = Id::None)
      : op(op), type(type), resultId(result) {}
  Instruction(const Instruction &other);
  Instruction &operator=(const Instruction &) = delete;

  spv::Op opcode() const { return op; }
  Id typeId() const { return type; }
  Id result() const { return resultId; }
  void setTypeId(Id id) { type = id; }

  unsigned numOperands() const { return operands.size(); }
  const Operand &operand(unsigned index) const { return operands[index]; }
  bool isId(unsigned index) const { return operands[index].kind == OperandKind::Id; }
  /// The id at operand `index`, which must be one.
  Id id(unsigned index) const {
    assert(isId(index) && "operand is not an id");
    return static_cast<Id>(words[operands[index].firstWord]);
  }
  /// The first word of the literal at operand `index`, which must be one.
  uint32_t literal(unsigned index) const {
    assert(operands[index].kind == OperandKind::Literal && "operand is not a literal");
    return words[operands[index].firstWord];
  }
  /// The literal at operand `index` as one or two words, low word first, zero-extended.
  uint64_t literal64(unsigned index) const;
  std::string string(unsigned index) const;
  llvm::ArrayRef<uint32_t> operandWords() const { return words; }

  Instruction &addId(Id id);
  Instruction &addLiteral(uint32_t word);
  Instruction &addLiteralWords(llvm::ArrayRef<uint32_t> literalWords);
  Instruction &addString(llvm::StringRef text);
  Instruction &addWords(OperandKind kind, llvm::ArrayRef<uint32_t> operandWords);
  void setId(unsigned index, Id id);
  void setLiteral(unsigned index, uint32_t word);
  /// Drops operands from `count` on.
  void truncate(unsigned count);
  /// Removes `count` operands from `first` on.
  void removeOperands(unsigned first, unsigned count);

  /// Words in the binary form, the first included, OpLine marks not.
  unsigned numWords() const {
    return 1 + isValid(type) + isValid(resultId) + static_cast<unsigned>(words.size());
  }

  /// The block that the instruction stands in; null outside functions and for function headers.
  Block *parent() const { return block; }

  /// Where the instruction stood in the input: word offset, header included; UINT32_MAX for
  /// one that we made.
  uint32_t wordOffset = UINT32_MAX;
  /// Index into Module's table of source lines; 0: none.
  uint32_t lineIndex = 0;

  llvm::ArrayRef<LineMark> lineMarks() const {
    return marks ? llvm::ArrayRef<LineMark>(*marks) : llvm::ArrayRef<LineMark>();
  }
  void addLineMark(LineMark mark);
  void clearLineMarks() { marks.reset(); }

private:
  friend class Module;
  friend class ModuleBuilder;
  spv::Op op;
  Id type, resultId;
  llvm::SmallVector<uint32_t, 3> words;
  llvm::SmallVector<Operand, 3> operands;
  std::unique_ptr<llvm::SmallVector<LineMark, 1>> marks;
  Block *block = nullptr;
};

using InstructionList = llvm::iplist<Instruction>;

/// `OpIAdd`; `Op#1234` for a number without a name.
std::string nameOf(spv::Op op);

bool isTerminator(spv::Op op); ///< ends a block (SPIR-V 1.6, section 2.2.5)
bool isMerge(spv::Op op);      ///< OpSelectionMerge, OpLoopMerge
bool isConstant(spv::Op op);   ///< OpConstant*, OpSpecConstant*, OpConstantNull
bool isSpecConstant(spv::Op op);
bool isAtomic(spv::Op op); ///< OpAtomic*
bool isType(spv::Op op);   ///< OpType*

} // namespace tailor

#endif
