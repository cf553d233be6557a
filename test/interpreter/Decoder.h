//===- interpreter/Decoder.h - Makes a Program from a module ----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_INTERPRETER_DECODER_H
#define TAILOR_INTERPRETER_DECODER_H

#include "interpreter/Program.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>

namespace tailor::interp {

/// Where an instruction is, for messages.
using Locate = std::function<Location(const Instruction &)>;

class Decoder {
public:
  Decoder(Program &program, Locate locate)
      : program(program), module(program.module), locate(std::move(locate)) {}
  Status decode(const EntryPoint &entry);

private:
  // Decoder.cpp: functions, blocks and edges.
  Status collect(const Function &function, unsigned depth);
  Status emit(const Function &function, const CycleNest &nest, uint32_t firstCycle);
  Status emitBlock(const Block &block);
  Status terminator(const Block &block, const Instruction &inst);
  Result<uint32_t> edge(const Block &from, Id to);
  Code &add(Code::Kind kind, const Instruction &inst);
  void addOperand(Code &code, Id id);

  // DecodeInstructions.cpp
  Status instruction(const Instruction &inst);
  bool memoryInstruction(const Instruction &inst);
  bool imageInstruction(const Instruction &inst);
  bool copyingInstruction(const Instruction &inst);
  bool pureInstruction(const Instruction &inst);
  bool subgroupInstruction(const Instruction &inst);
  bool extInst(const Instruction &inst);
  void storedHalf(const Instruction &inst, WholeFn whole);
  void variable(const Instruction &inst);
  Code &withOperands(Code::Kind kind, const Instruction &inst, unsigned first, unsigned count);
  Code &accessing(Code &code);
  void addImageOperands(Code &code, unsigned mask);

  // ConstantPool.cpp: what stands outside of functions.
  uint32_t ref(Id id); ///< sets `fault` where nothing defines the id
  uint32_t constant(const Instruction &inst);
  bool flatten(const ConstantValue &value, std::vector<uint64_t> &words) const;
  uint32_t pointerTo(uint32_t object, uint32_t layout);
  uint32_t variableRef(const Instruction &inst);
  uint32_t resourceObjects(const Instruction &inst, Id pointee);
  void addInitial(const Instruction &inst, uint32_t layout, std::byte *bytes);

  const Shape &shapeOfId(Id id);
  uint32_t wordsOfId(Id id) { return shapeOfId(id).words; }
  Failure fail(const Instruction &inst, std::string text) const {
    return failure(locate(inst), std::move(text));
  }

  Program &program;
  const Module &module;
  Locate locate;
  std::vector<uint32_t> refs;                     ///< by id
  std::vector<const Function *> functions;        ///< callees first
  llvm::DenseMap<uint32_t, unsigned> state;       ///< of collect, by function id: 1 open, 2 done
  llvm::DenseMap<uint32_t, const Block *> blocks; ///< by label
  llvm::DenseMap<const Block *, uint32_t> starts;
  llvm::DenseMap<uint32_t, uint32_t> entries; ///< code of a function, by id
  const CycleNest *nest = nullptr;
  uint32_t firstCycle = 0;
  const Block *block = nullptr;
  uint32_t chain = 0;
  std::optional<std::pair<Id, std::string>> fault; ///< an operand that cannot be had
};

} // namespace tailor::interp

#endif
