//===- Tuning/MayWait.cpp - Whether workgroups may wait for each other ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IR/Reader.h"
#include "Tuning/SiteTuner.h"

namespace tailor {

namespace {

/// Memory that is read anew each time, or in which what others write is seen: SPIR-V 1.6, sections
/// 3.20 (decorations) and 3.26 (memory operands).
bool sharesMemory(const Instruction &inst) {
  unsigned decoration = 0;
  switch (inst.opcode()) {
  case spv::Op::OpDecorate:
    decoration = inst.literal(1);
    break;
  case spv::Op::OpMemberDecorate:
    decoration = inst.literal(2);
    break;
  case spv::Op::OpLoad: {
    const auto anew = static_cast<uint32_t>(spv::MemoryAccessMask::Volatile) |
                      static_cast<uint32_t>(spv::MemoryAccessMask::MakePointerVisible);
    return inst.numOperands() > 1 && (inst.literal(1) & anew) != 0;
  }
  default:
    return false;
  }
  return decoration == static_cast<uint32_t>(spv::Decoration::Volatile) ||
         decoration == static_cast<uint32_t>(spv::Decoration::Coherent);
}

} // namespace

bool mayWaitForOthers(std::span<const uint32_t> words) {
  Result<Module> module = readModule({words.begin(), words.end()}, "");
  if (!module)
    return true;
  bool may = false;
  const Module &read = *module;
  read.forEachInstruction(
      [&](const Instruction &inst) { may |= isAtomic(inst.opcode()) || sharesMemory(inst); });
  return may;
}

} // namespace tailor
