//===- Backends/WgslUniformLayout.cpp - What uniform buffers ask for -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// WGSL specification, "Address Space Layout Constraints": in uniform buffers
// arrays and structures stand at multiples of 16 bytes, elements are multiples of
// 16 apart, and behind a structure the next multiple of 16 is the first place for
// a member. Buffers of scalar or std430 layout may be otherwise.
//
//===----------------------------------------------------------------------===//
#include "Backends/WgslSteps.h"

#include "IR/Constants.h"
#include "IR/Types.h"

namespace tailor::wgsl {
namespace {

constexpr uint32_t kStep = 16;

/// The first thing that is against the constraints, in words.
class UniformRules {
public:
  explicit UniformRules(const Module &module) : module(module), constants(module) {}

  std::optional<std::string> fault(Id type) {
    const Instruction &inst = *module.def(type);
    switch (inst.opcode()) {
    case spv::Op::OpTypeArray:
      if (auto stride = module.decoration(type, spv::Decoration::ArrayStride);
          stride && *stride % kStep != 0)
        return "elements of an array that are " + std::to_string(*stride) + " bytes apart";
      return fault(inst.id(0));
    case spv::Op::OpTypeStruct:
      return faultOfMembers(inst);
    default:
      return std::nullopt;
    }
  }

private:
  std::optional<std::string> faultOfMembers(const Instruction &structure) {
    uint64_t free = 0; // behind the structure before
    for (uint32_t i = 0; i < structure.numOperands(); ++i) {
      const uint64_t offset =
          module.memberDecoration(structure.result(), i, spv::Decoration::Offset).value_or(0);
      const spv::Op op = module.def(structure.id(i))->opcode();
      const bool isStruct = op == spv::Op::OpTypeStruct;
      if ((isStruct || op == spv::Op::OpTypeArray) && offset % kStep != 0)
        return "an array or a structure at byte " + std::to_string(offset);
      if (offset < free)
        return "a member at byte " + std::to_string(offset) +
               ", right behind a structure that ends there";
      free = 0;
      if (isStruct)
        if (std::optional<TypeLayout> layout = layoutOf(module, structure.id(i), constants))
          free = offset + (layout->size.count + kStep - 1) / kStep * kStep;
      if (auto found = fault(structure.id(i)))
        return found;
    }
    return std::nullopt;
  }

  const Module &module;
  ConstantEvaluator constants;
};

} // namespace

Status checkUniformLayout(const Module &module) {
  UniformRules rules(module);
  for (const Instruction &inst : module.section(Section::Globals)) {
    std::optional<PointerType> pointer =
        inst.opcode() == spv::Op::OpVariable ? pointerType(module, inst.typeId()) : std::nullopt;
    if (!pointer || pointer->storageClass != spv::StorageClass::Uniform ||
        !module.hasDecoration(pointer->pointee, spv::Decoration::Block))
      continue;
    if (auto found = rules.fault(pointer->pointee))
      return failure(module.locationOf(inst), "wgsl cannot express a uniform buffer with " +
                                                  *found + ": '" + module.name(pointer->pointee) +
                                                  "' would have to be a storage buffer");
  }
  return success();
}

} // namespace tailor::wgsl
