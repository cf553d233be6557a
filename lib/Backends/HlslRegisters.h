//===- Backends/HlslRegisters.h - Where an HLSL text puts its resources ----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inside lib/Backends alone. Registers are read back out of the text, so that the
// interface says what the text does.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_HLSLREGISTERS_H
#define TAILOR_BACKENDS_HLSLREGISTERS_H

#include "Backends/CrossSupport.h"

#include "spirv_cross/spirv_hlsl.hpp"

namespace tailor {

/// One declaration with a register.
struct HlslRegister {
  char letter = 0; ///< b, t, u or s
  uint32_t number = 0, space = 0;
  bool hasSpace = false;
  std::string name;   ///< of the variable, or of the cbuffer
  uint32_t count = 1; ///< elements of an array; 0: unbounded
  bool writes = false;
};

/// Every `... NAME : register(u0, space1)` that starts a line.
std::vector<HlslRegister> registersInHlsl(std::string_view text);

/// The letters that a resource of the module takes: one, or t and s for a combined sampler.
std::string registerLetters(const spirv_cross::CompilerHLSL &compiler,
                            const BoundResource &resource);

/// Elements of an array of resources; 1 for a single one, 0 for an unbounded array.
uint32_t elementsOf(const spirv_cross::CompilerHLSL &compiler, const BoundResource &resource);

/// Fills `resources`, and `place` and `name` of `values`, from the text. A resource that the text
/// does not declare is one that the kernel does not use. ErrorKind::Internal for a register that
/// nothing of the module explains. `places` of the values: the register that we asked for.
Status fillInterface(const spirv_cross::CompilerHLSL &compiler, const ModuleFacts &facts,
                     const std::vector<BoundResource> &bound, std::string_view text,
                     LanguageInterface &interface);

} // namespace tailor

#endif
