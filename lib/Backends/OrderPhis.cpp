//===- Backends/OrderPhis.cpp ----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/OrderPhis.h"

#include "IR/Builder.h"

#include <algorithm>

namespace tailor {
namespace {

std::vector<Instruction *> phisOf(Block &block) {
  std::vector<Instruction *> phis;
  for (Instruction &inst : block.instructions()) {
    if (inst.opcode() != spv::Op::OpPhi)
      break;
    phis.push_back(&inst);
  }
  return phis;
}

/// Whether `phi` takes the value of `other` on some edge.
bool takes(const Instruction &phi, const Instruction &other) {
  for (unsigned index = 0; index < phi.numOperands(); index += 2)
    if (phi.id(index) == other.result())
      return true;
  return false;
}

/// Gives `phi` copies of `value`, made ahead of the branches.
void copyInto(Module &module, Function &function, Instruction &phi, Id value) {
  Builder builder(module);
  for (unsigned index = 0; index < phi.numOperands(); index += 2) {
    Block *from = function.block(phi.id(index + 1));
    if (!from || phi.id(index) != value)
      continue;
    auto end = from->terminator()->getIterator();
    if (from->merge())
      --end;
    phi.setId(index, builder.insertBefore(*end, spv::Op::OpCopyObject, phi.typeId(), {value}));
  }
}

/// In the order in which none takes a value that is written ahead of it.
Change orderPhis(Module &module, Function &function, Block &block) {
  std::vector<Instruction *> left = phisOf(block), ordered;
  const std::vector<Instruction *> before = left;
  Change change = Change::Unchanged;
  while (!left.empty()) {
    // One whose value no other wants is written first; where there is none, one gets copies.
    auto isFree = [&](const Instruction *phi) {
      return std::none_of(left.begin(), left.end(), [&](const Instruction *other) {
        return other != phi && takes(*other, *phi);
      });
    };
    auto next = std::find_if(left.begin(), left.end(), isFree);
    if (next == left.end()) {
      for (Instruction *other : left)
        if (other != left.front() && takes(*other, *left.front()))
          copyInto(module, function, *other, left.front()->result());
      change = Change::Changed;
      next = left.begin();
    }
    ordered.push_back(*next);
    left.erase(next);
  }
  if (ordered == before)
    return change;
  std::vector<Instruction> moved;
  for (Instruction *phi : ordered) {
    moved.push_back(*phi);
    module.erase(*phi);
  }
  const auto first = block.instructions().begin();
  for (const Instruction &phi : moved)
    module.insert(block, first, phi);
  return Change::Changed;
}

} // namespace

Change orderPhis(Module &module) {
  Change change = Change::Unchanged;
  for (const auto &function : module.functions())
    for (Block &block : function->blocks())
      if (orderPhis(module, *function, block) == Change::Changed)
        change = Change::Changed;
  return change;
}

} // namespace tailor
