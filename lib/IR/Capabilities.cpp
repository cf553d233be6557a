//===- IR/Capabilities.cpp -------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IR/Capabilities.h"

#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace tailor {
namespace {

class Narrow {
public:
  explicit Narrow(const Module &module) : module(module) {}

  /// A number of 16 bits is somewhere in the type.
  bool isIn(Id type) {
    if (auto known = answers.find(raw(type)); known != answers.end())
      return known->second;
    answers[raw(type)] = false; // types may go round through pointers
    const bool answer = find(type);
    answers[raw(type)] = answer;
    return answer;
  }

private:
  bool find(Id type) {
    const Instruction *def = module.def(type);
    if (!def)
      return false;
    switch (def->opcode()) {
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
      return def->literal(0) == 16;
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix:
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray:
      return isIn(def->id(0));
    case spv::Op::OpTypeStruct:
      for (unsigned member = 0; member < def->numOperands(); ++member)
        if (isIn(def->id(member)))
          return true;
      return false;
    default:
      return false;
    }
  }

  const Module &module;
  llvm::DenseMap<uint32_t, bool> answers;
};

/// What 16-bit numbers are stored in.
struct Stored {
  bool inputOutput = false, pushConstant = false, uniform = false, buffer = false;
};

Stored storedIn(const Module &module) {
  Stored stored;
  Narrow narrow(module);
  for (const Instruction &inst : module.section(Section::Globals)) {
    if (inst.opcode() != spv::Op::OpTypePointer || !narrow.isIn(inst.id(1)))
      continue;
    switch (static_cast<spv::StorageClass>(inst.literal(0))) {
    case spv::StorageClass::Input:
    case spv::StorageClass::Output:
      stored.inputOutput = true;
      break;
    case spv::StorageClass::PushConstant:
      stored.pushConstant = true;
      break;
    case spv::StorageClass::Uniform:
      stored.uniform = true;
      break;
    case spv::StorageClass::StorageBuffer:
    case spv::StorageClass::PhysicalStorageBuffer:
      stored.buffer = true;
      break;
    default: // memory of the shader's own needs no capability of storage
      break;
    }
  }
  return stored;
}

bool isNeeded(spv::Capability capability, const Stored &stored) {
  switch (capability) {
  case spv::Capability::StorageInputOutput16:
    return stored.inputOutput;
  case spv::Capability::StoragePushConstant16:
    return stored.pushConstant;
  case spv::Capability::UniformAndStorageBuffer16BitAccess:
    return stored.uniform;
  case spv::Capability::StorageBuffer16BitAccess:
    return stored.uniform || stored.buffer; // a BufferBlock is Uniform
  default:
    return true;
  }
}

} // namespace

bool dropUnusedStorage16(Module &module) {
  const Stored stored = storedIn(module);
  std::vector<Instruction *> gone;
  for (Instruction &inst : module.section(Section::Capabilities))
    if (inst.opcode() == spv::Op::OpCapability &&
        !isNeeded(static_cast<spv::Capability>(inst.literal(0)), stored))
      gone.push_back(&inst);
  // The one that buffers are under may have been implied by the other.
  if (stored.buffer && !module.hasCapability(spv::Capability::StorageBuffer16BitAccess))
    std::erase_if(gone, [](const Instruction *inst) {
      return static_cast<spv::Capability>(inst->literal(0)) ==
             spv::Capability::UniformAndStorageBuffer16BitAccess;
    });
  for (Instruction *inst : gone)
    module.erase(*inst);
  return !gone.empty();
}

} // namespace tailor
