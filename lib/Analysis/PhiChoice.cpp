//===- Analysis/PhiChoice.cpp ----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/PhiChoice.h"

namespace tailor {

std::optional<PhiChoice> choiceOf(const Module &module, const ControlFlow &flow,
                                  const Instruction &phi) {
  const Block &join = *phi.parent();
  Block *header = flow.immediateDominator(join);
  const Instruction *branch = header ? header->terminator() : nullptr;
  if (!branch || branch->opcode() != spv::Op::OpBranchConditional ||
      branch->id(1) == branch->id(2) || flow.inCycle(join) || flow.inCycle(*header))
    return std::nullopt;
  std::array<const Block *, 2> target{};
  for (unsigned side = 0; side < 2; ++side) {
    const Instruction *label = module.def(branch->id(1 + side));
    target[side] = label ? label->parent() : nullptr;
    if (!target[side])
      return std::nullopt;
  }
  std::array<Id, 2> value{};
  for (unsigned at = 0; at + 1 < phi.numOperands(); at += 2) {
    const Instruction *label = module.def(phi.id(at + 1));
    const Block *from = label ? label->parent() : nullptr;
    if (!from || !flow.isReachable(*from))
      continue;
    auto comesBy = [&](const Block *side) {
      return from == header ? side == &join : flow.edgeDominates(*header, *side, *from);
    };
    unsigned side = comesBy(target[0]) ? 0 : 1;
    if (!comesBy(target[side]) || isValid(value[side]))
      return std::nullopt;
    value[side] = phi.id(at);
  }
  if (!isValid(value[0]) || !isValid(value[1]))
    return std::nullopt;
  return PhiChoice{branch->id(0), value[0], value[1]};
}

} // namespace tailor
