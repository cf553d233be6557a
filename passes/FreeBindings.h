//===- passes/FreeBindings.h - Bindings that no resource has ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_FREEBINDINGS_H
#define TAILOR_PASSES_FREEBINDINGS_H

#include "IR/Module.h"

#include <set>

namespace tailor {

/// The first binding of a descriptor set that no variable of the module is decorated with. An array
/// of resources takes one.
inline uint32_t firstFreeBinding(const Module &module, uint32_t set) {
  std::set<uint32_t> taken;
  for (const Instruction &inst : module.section(Section::Globals)) {
    if (inst.opcode() != spv::Op::OpVariable)
      continue;
    std::optional<uint32_t> binding = module.decoration(inst.result(), spv::Decoration::Binding);
    if (binding &&
        module.decoration(inst.result(), spv::Decoration::DescriptorSet).value_or(0) == set)
      taken.insert(*binding);
  }
  uint32_t free = 0;
  while (taken.contains(free))
    ++free;
  return free;
}

/// Adds `OpDecorate target decoration literal`.
inline void decorate(Module &module, Id target, spv::Decoration decoration,
                     std::optional<uint32_t> literal = std::nullopt) {
  Instruction inst(spv::Op::OpDecorate);
  inst.addId(target);
  inst.addLiteral(static_cast<uint32_t>(decoration));
  if (literal)
    inst.addLiteral(*literal);
  module.append(Section::Annotations, inst);
}

} // namespace tailor

#endif
