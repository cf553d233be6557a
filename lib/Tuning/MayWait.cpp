//===- Tuning/MayWait.cpp - Whether workgroups may wait for each other ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/InstructionRules.h"
#include "Analysis/Opcodes.h"
#include "IR/Reader.h"
#include "Tuning/SiteTuner.h"

namespace tailor {

namespace {

/// Memory that is read anew each time: SPIR-V 1.6, sections 3.14 (image operands), 3.20
/// (decorations) and 3.26 (memory operands).
bool isReadAnew(const Instruction &inst) {
  const auto isShared = [&](unsigned decoration) {
    return decoration == static_cast<uint32_t>(spv::Decoration::Volatile) ||
           decoration == static_cast<uint32_t>(spv::Decoration::Coherent);
  };
  const auto has = [&](unsigned operand, auto bit) {
    return inst.numOperands() > operand && !inst.isId(operand) &&
           (inst.literal(operand) & static_cast<uint32_t>(bit)) != 0;
  };
  switch (inst.opcode()) {
  case spv::Op::OpDecorate:
    return isShared(inst.literal(1));
  case spv::Op::OpMemberDecorate:
    return isShared(inst.literal(2));
  case spv::Op::OpLoad:
    return has(1, spv::MemoryAccessMask::Volatile);
  case spv::Op::OpCopyMemory:
    return has(2, spv::MemoryAccessMask::Volatile) || has(3, spv::MemoryAccessMask::Volatile);
  case spv::Op::OpImageRead:
  case spv::Op::OpImageSparseRead:
    return has(2, spv::ImageOperandsMask::VolatileTexel);
  default:
    return false;
  }
}

/// Whether an ordering is of memory that workgroups share: SPIR-V 1.6, section 3.25.
bool isOfSharedMemory(Id semantics, ConstantEvaluator &constants) {
  using enum spv::MemorySemanticsMask;
  const std::optional<uint64_t> value = constants.evaluateInt(semantics);
  return !value ||
         (*value &
          (static_cast<uint64_t>(UniformMemory) | static_cast<uint64_t>(CrossWorkgroupMemory) |
           static_cast<uint64_t>(AtomicCounterMemory) | static_cast<uint64_t>(ImageMemory))) != 0;
}

/// Whether what other workgroups write may be seen behind it.
bool ordersAcrossGroups(const Instruction &inst, ConstantEvaluator &constants) {
  switch (classOf(inst.opcode())) {
  case OpcodeClass::ControlBarrier:
    return isOfSharedMemory(inst.id(2), constants);
  case OpcodeClass::MemoryBarrier:
    return isOfSharedMemory(inst.id(1), constants);
  default: {
    const OrderingReach reach = orderingReach(inst, constants);
    return reach == OrderingReach::Device || reach == OrderingReach::Unknown;
  }
  }
}

} // namespace

bool mayWaitForOthers(std::span<const uint32_t> words) {
  Result<Module> module = readModule({words.begin(), words.end()}, "");
  if (!module)
    return true;
  bool may = false;
  const Module &read = *module;
  ConstantEvaluator constants(read, {}, /*useDefaults=*/false);
  read.forEachInstruction([&](const Instruction &inst) {
    may |= isAtomic(inst.opcode()) || isReadAnew(inst) || ordersAcrossGroups(inst, constants);
  });
  return may;
}

} // namespace tailor
