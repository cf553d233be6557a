//===- IR/Reader.h - SPIR-V words in ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_IR_READER_H
#define TAILOR_IR_READER_H

#include "IR/Module.h"
#include "Support/Result.h"

#include <span>

namespace tailor {

/// Parses a binary of either byte order. Refuses what SPIRV-Tools' parser refuses (unknown opcodes
/// by number) and a module whose instructions are out of the order of SPIR-V 1.6
/// section 2.4. It does not validate. A source language (OpSource) that
/// SPIRV-Tools does not know is no reason to refuse.
Result<Module> readModule(std::span<const uint32_t> words, ModuleSource source);
inline Result<Module> readModule(std::span<const uint32_t> words, std::string file) {
  return readModule(words, ModuleSource{std::move(file), {}});
}

} // namespace tailor

#endif
