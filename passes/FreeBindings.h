//===- passes/FreeBindings.h - Bindings that no resource has ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_FREEBINDINGS_H
#define TAILOR_PASSES_FREEBINDINGS_H

#include "IR/Module.h"

#include <algorithm>
#include <optional>

namespace tailor {

/// The binding of a descriptor set behind the last that a variable of the module is decorated with:
/// gaps may be those of other kernels with the same layout. An array of resources takes one.
inline uint32_t nextBinding(const Module &module, uint32_t set) {
  uint32_t next = 0;
  for (const Instruction &inst : module.section(Section::Globals)) {
    if (inst.opcode() != spv::Op::OpVariable)
      continue;
    std::optional<uint32_t> binding = module.decoration(inst.result(), spv::Decoration::Binding);
    if (binding &&
        module.decoration(inst.result(), spv::Decoration::DescriptorSet).value_or(0) == set)
      next = std::max(next, *binding + 1);
  }
  return next;
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
