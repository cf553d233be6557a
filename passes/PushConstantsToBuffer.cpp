//===- passes/PushConstantsToBuffer.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/PushConstantsToBuffer.h"

#include "IR/Builder.h"
#include "IR/Types.h"
#include "passes/FreeBindings.h"

namespace tailor {

Result<std::unique_ptr<Pass>> PushConstantsToBuffer::create(PassArguments &) {
  return std::unique_ptr<Pass>(std::make_unique<PushConstantsToBuffer>());
}

namespace {

constexpr uint32_t kUniformAlignment = 16;

/// Whether arrays and inner structures stand where uniform buffers must have them.
bool hasUniformLayout(const Module &module, Id type, ConstantEvaluator &constants) {
  const Instruction *def = module.def(type);
  if (!def)
    return false;
  switch (def->opcode()) {
  case spv::Op::OpTypeRuntimeArray:
    return false;
  case spv::Op::OpTypeArray:
    return module.decoration(type, spv::Decoration::ArrayStride).value_or(1) % kUniformAlignment ==
               0 &&
           hasUniformLayout(module, def->id(0), constants);
  case spv::Op::OpTypeStruct:
    for (unsigned member = 0; member < def->numOperands(); ++member) {
      const Id memberType = def->id(member);
      const Instruction *memberDef = module.def(memberType);
      const bool isNested = memberDef && (memberDef->opcode() == spv::Op::OpTypeStruct ||
                                          memberDef->opcode() == spv::Op::OpTypeArray);
      const uint32_t offset =
          module.memberDecoration(type, member, spv::Decoration::Offset).value_or(1);
      if (isNested && offset % kUniformAlignment != 0)
        return false;
      if (!hasUniformLayout(module, memberType, constants))
        return false;
      // What follows an inner structure keeps its distance.
      if (memberDef && memberDef->opcode() == spv::Op::OpTypeStruct &&
          member + 1 < def->numOperands()) {
        std::optional<TypeLayout> layout = layoutOf(module, memberType, constants);
        const uint32_t next =
            module.memberDecoration(type, member + 1, spv::Decoration::Offset).value_or(0);
        if (!layout || next < offset + (layout->size.count + kUniformAlignment - 1) /
                                           kUniformAlignment * kUniformAlignment)
          return false;
      }
    }
    return true;
  default:
    return true;
  }
}

/// Every value that points into push constants gets a pointer type of the new storage class.
void retype(Module &module, Builder &builder, spv::StorageClass to) {
  std::vector<Instruction *> pointers;
  module.forEachInstruction([&](Instruction &inst) {
    if (!isValid(inst.typeId()) || inst.opcode() == spv::Op::OpFunction)
      return;
    std::optional<PointerType> pointer = pointerType(module, inst.typeId());
    if (pointer && pointer->storageClass == spv::StorageClass::PushConstant)
      pointers.push_back(&inst);
  });
  for (Instruction *inst : pointers) {
    const Id pointee = pointerType(module, inst->typeId())->pointee;
    const Id type = builder.pointerType(to, pointee);
    if (inst->opcode() != spv::Op::OpVariable) {
      inst->setTypeId(type);
      continue;
    }
    // Behind its type, which may be new and stand at the end.
    Instruction made(spv::Op::OpVariable, type, inst->result());
    made.addLiteral(static_cast<uint32_t>(to));
    module.erase(Section::Globals, *inst);
    module.append(Section::Globals, made);
  }
}

/// Pointers to push constants that point nowhere any more.
void dropPointerTypes(Module &module) {
  const UseMap uses(module);
  std::vector<Instruction *> unused;
  for (Instruction &inst : module.section(Section::Globals))
    if (inst.opcode() == spv::Op::OpTypePointer &&
        static_cast<spv::StorageClass>(inst.literal(0)) == spv::StorageClass::PushConstant &&
        uses.uses(inst.result()).empty())
      unused.push_back(&inst);
  for (Instruction *inst : unused)
    module.erase(*inst);
}

} // namespace

Result<std::optional<PushConstantBuffer>> pushConstantsToBuffer(Module &module) {
  const Instruction *variable = nullptr;
  for (const Instruction &inst : module.section(Section::Globals)) {
    if (inst.opcode() != spv::Op::OpVariable ||
        static_cast<spv::StorageClass>(inst.literal(0)) != spv::StorageClass::PushConstant)
      continue;
    if (variable)
      return failure(module.locationOf(inst),
                     "the module has two blocks of push constants, of which an entry point may use "
                     "one");
    variable = &inst;
  }
  if (!variable)
    return std::optional<PushConstantBuffer>();

  const Id block = pointerType(module, variable->typeId())->pointee;
  ConstantEvaluator constants(module, {});
  std::optional<TypeLayout> layout = layoutOf(module, block, constants);
  if (!layout)
    return failure(module.locationOf(*variable),
                   "the size of the push constants is not known, so they cannot go to a buffer");
  PushConstantBuffer place;
  place.variable = variable->result();
  place.isUniform = hasUniformLayout(module, block, constants);
  place.binding = nextBinding(module, place.set);
  const uint64_t alignment = std::max<uint64_t>(layout->alignment.count, 4);
  place.bytes = static_cast<uint32_t>((layout->size.count + alignment - 1) / alignment * alignment);

  Builder builder(module);
  retype(module, builder,
         place.isUniform ? spv::StorageClass::Uniform : spv::StorageClass::StorageBuffer);
  dropPointerTypes(module);
  decorate(module, place.variable, spv::Decoration::DescriptorSet, place.set);
  decorate(module, place.variable, spv::Decoration::Binding, place.binding);
  if (!place.isUniform) {
    decorate(module, place.variable, spv::Decoration::NonWritable);
    constexpr llvm::StringLiteral extension = "SPV_KHR_storage_buffer_storage_class";
    if (module.version() < 0x00010300 && !module.hasExtension(extension)) {
      Instruction declare(spv::Op::OpExtension);
      declare.addString(extension);
      module.append(Section::Extensions, declare);
    }
  }
  return std::optional(place);
}

Result<Change> PushConstantsToBuffer::run(Module &module, PassContext &) {
  Result<std::optional<PushConstantBuffer>> place = pushConstantsToBuffer(module);
  if (!place)
    return place.takeFailure();
  return *place ? Change::Changed : Change::Unchanged;
}

} // namespace tailor
