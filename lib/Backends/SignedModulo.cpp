//===- Backends/SignedModulo.cpp -------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/SignedModulo.h"

#include "IR/Builder.h"
#include "IR/Reader.h"
#include "IR/Types.h"

#include "spirv/unified1/spirv.h"

namespace tailor {
namespace {

/// Whether an OpSMod stands for something that the source language leaves open.
bool hasMeaning(std::span<const uint32_t> words) {
  bool open = false, found = false;
  for (size_t at = 5; at < words.size() && words[at] >> 16 != 0; at += words[at] >> 16) {
    const uint32_t op = words[at] & 0xffff;
    if (op == SpvOpSource)
      open = words[at + 1] == SpvSourceLanguageGLSL || words[at + 1] == SpvSourceLanguageESSL ||
             words[at + 1] == SpvSourceLanguageHLSL;
    found = found || op == SpvOpSMod;
  }
  return found && !open;
}

/// A modulo is a remainder that takes the divisor's sign: r = a rem b, and r + b where r is not 0
/// and has another sign than b.
void rewrite(Module &module, Builder &builder, Block &block, Instruction &inst) {
  const Id type = inst.typeId(), a = inst.id(0), b = inst.id(1);
  const unsigned count = componentCount(module, type);
  const Id truth = count > 1 ? builder.vectorType(builder.boolType(), count) : builder.boolType();
  const Id zero = builder.nullConstant(type);
  auto put = [&](spv::Op op, Id of, llvm::ArrayRef<Id> operands) {
    return builder.insertBefore(inst, op, of, operands);
  };
  const Id rest = put(spv::Op::OpSRem, type, {a, b});
  const Id mixed = put(spv::Op::OpBitwiseXor, type, {rest, b});
  const Id otherSign = put(spv::Op::OpSLessThan, truth, {mixed, zero});
  const Id moved = put(spv::Op::OpIAdd, type, {rest, b});
  const Id signedRest = put(spv::Op::OpSelect, type, {otherSign, moved, rest});
  const Id some = put(spv::Op::OpINotEqual, truth, {rest, zero});
  Instruction made(spv::Op::OpSelect, type, inst.result());
  made.addId(some).addId(signedRest).addId(rest);
  made.lineIndex = inst.lineIndex;
  auto next = std::next(inst.getIterator());
  module.erase(block, inst);
  module.insert(block, next, made);
}

} // namespace

Result<std::optional<std::vector<uint32_t>>> withoutSignedModulo(std::span<const uint32_t> words,
                                                                 const std::string &fileName) {
  if (!hasMeaning(words))
    return std::optional<std::vector<uint32_t>>();
  Result<Module> module = readModule(words, fileName);
  if (!module)
    return module.takeFailure();
  Builder builder(*module);
  for (auto &function : module->functions())
    for (Block &block : function->blocks())
      for (auto at = block.instructions().begin(); at != block.instructions().end();) {
        Instruction &inst = *at++;
        if (inst.opcode() == spv::Op::OpSMod)
          rewrite(*module, builder, block, inst);
      }
  return std::optional(module->words());
}

} // namespace tailor
