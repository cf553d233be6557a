//===- IR/Function.cpp - Blocks, functions and their edges ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IR/Module.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace tailor {

const Instruction *Block::merge() const {
  if (body.size() < 2)
    return nullptr;
  const Instruction &before = *std::prev(body.end(), 2);
  return isMerge(before.opcode()) ? &before : nullptr;
}

void Block::printAsOperand(llvm::raw_ostream &os, bool) const { os << "%" << raw(id()); }

Block *Function::block(Id label) {
  for (Block &each : blockList)
    if (each.id() == label)
      return &each;
  return nullptr;
}

void Function::rebuildCfg() {
  llvm::DenseMap<uint32_t, Block *> byLabel;
  unsigned number = 0;
  for (Block &each : blockList) {
    byLabel[raw(each.id())] = &each;
    each.number = number++;
    each.function = this;
    each.succs.clear();
    each.preds.clear();
  }
  for (Block &each : blockList) {
    const Instruction *last = each.terminator();
    if (!last || !isTerminator(last->opcode()))
      continue;
    for (unsigned index = 0; index < last->numOperands(); ++index) {
      if (!last->isId(index))
        continue;
      auto target = byLabel.find(raw(last->id(index)));
      if (target == byLabel.end() || llvm::is_contained(each.succs, target->second))
        continue;
      each.succs.push_back(target->second);
      target->second->preds.push_back(&each);
    }
  }
}

} // namespace tailor
