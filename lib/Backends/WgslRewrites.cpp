//===- Backends/WgslRewrites.cpp - The same in words that naga reads -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Single instructions and declarations of SPIR-V of which naga (wgpu 30) says
// that it does not know them, fails inside, or writes what it refuses itself.
//
//===----------------------------------------------------------------------===//
#include "Backends/WgslSteps.h"

#include "IR/Types.h"
#include "passes/ModuleEdits.h"

#include "spirv/unified1/GLSL.std.450.h"
#include "llvm/ADT/DenseMap.h"

namespace tailor::wgsl {
namespace {

/// Decorations that say of which names and types in HLSL something came, and the extensions that
/// they need. To code they mean nothing.
void dropNotesOfHlsl(Module &module) {
  std::vector<Instruction *> gone;
  for (Instruction &inst : module.section(Section::Extensions)) {
    const std::string name = inst.string(0);
    if (name == "SPV_GOOGLE_hlsl_functionality1" || name == "SPV_GOOGLE_decorate_string" ||
        name == "SPV_GOOGLE_user_type")
      gone.push_back(&inst);
  }
  for (Instruction &inst : module.section(Section::Annotations)) {
    unsigned at = 1;
    switch (inst.opcode()) {
    case spv::Op::OpMemberDecorateString:
      at = 2;
      break;
    case spv::Op::OpDecorateString:
    case spv::Op::OpDecorateId:
      break;
    default:
      continue;
    }
    switch (static_cast<spv::Decoration>(inst.literal(at))) {
    case spv::Decoration::UserSemantic:
    case spv::Decoration::UserTypeGOOGLE:
    case spv::Decoration::CounterBuffer:
      gone.push_back(&inst);
      break;
    default:
      break;
    }
  }
  for (Instruction *inst : gone)
    module.erase(*inst);
}

/// Workgroup memory of WGSL starts as zero anyway, and takes no initial value.
void dropInitialZeros(Module &module) {
  for (Instruction &inst : module.section(Section::Globals)) {
    if (inst.opcode() != spv::Op::OpVariable || inst.numOperands() != 2 ||
        static_cast<spv::StorageClass>(inst.literal(0)) != spv::StorageClass::Workgroup)
      continue;
    const Instruction *value = module.def(inst.id(1));
    if (value && value->opcode() == spv::Op::OpConstantNull)
      inst.truncate(1);
  }
}

/// OpUndef is any value; naga writes one that is in scope twice. It becomes zero.
void defineUndefined(Module &module, Builder &builder) {
  std::vector<Instruction *> undefined;
  module.forEachInstruction([&](Instruction &inst) {
    const Instruction *type = module.def(inst.typeId());
    if (inst.opcode() == spv::Op::OpUndef && type && type->opcode() != spv::Op::OpTypePointer)
      undefined.push_back(&inst);
  });
  llvm::DenseMap<uint32_t, Id> zeros;
  llvm::DenseSet<uint32_t> gone;
  std::vector<Instruction *> local;
  for (Instruction *inst : undefined) {
    if (!inst->parent()) {
      replaceGlobal(module, *inst,
                    Instruction(spv::Op::OpConstantNull, inst->typeId(), inst->result()));
      continue;
    }
    zeros[raw(inst->result())] = builder.nullConstant(inst->typeId());
    gone.insert(raw(inst->result()));
    local.push_back(inst);
  }
  if (gone.empty())
    return;
  removeNamesAndDecorations(module, gone);
  module.forEachInstruction([&](Instruction &inst) {
    for (unsigned i = 0; i < inst.numOperands(); ++i)
      if (inst.isId(i))
        if (auto zero = zeros.find(raw(inst.id(i))); zero != zeros.end())
          inst.setId(i, zero->second);
  });
  for (Instruction *inst : local)
    module.erase(*inst->parent(), *inst);
}

/// Whether the operation takes its numbers as signed ones; nothing where the sign is all the same.
std::optional<bool> takesSigned(spv::Op op) {
  switch (op) {
  case spv::Op::OpGroupNonUniformSMin:
  case spv::Op::OpGroupNonUniformSMax:
    return true;
  case spv::Op::OpGroupNonUniformUMin:
  case spv::Op::OpGroupNonUniformUMax:
    return false;
  default:
    return std::nullopt;
  }
}

/// WGSL's subgroupMin and subgroupMax go by the type's sign, SPIR-V's by the instruction's.
void castForSubgroups(Module &module, Builder &builder) {
  for (auto &function : module.functions())
    for (Block &block : function->blocks())
      for (auto at = block.instructions().begin(); at != block.instructions().end();) {
        Instruction &inst = *at++;
        const std::optional<bool> isSigned = takesSigned(inst.opcode());
        const Id own = inst.typeId();
        const Instruction *scalar = isSigned ? module.def(scalarTypeOf(module, own)) : nullptr;
        if (!scalar || scalar->opcode() != spv::Op::OpTypeInt ||
            (scalar->literal(1) != 0) == *isSigned)
          continue;
        Id other = builder.intType(scalar->literal(0), *isSigned);
        if (const unsigned count = componentCount(module, own); count > 1)
          other = builder.vectorType(other, count);
        const Id value = builder.insertBefore(inst, spv::Op::OpBitcast, other, {inst.id(2)});
        Instruction made = withIds(inst, module.freshId(), [](Id id) { return id; });
        made.setTypeId(other);
        made.setId(2, value);
        const Id done = made.result();
        module.insertBefore(inst, made).lineIndex = inst.lineIndex;
        Instruction back(spv::Op::OpBitcast, own, inst.result());
        back.addId(done);
        back.lineIndex = inst.lineIndex;
        module.erase(block, inst);
        module.insert(block, at, back);
      }
}

/// Exponents are signed in WGSL, in SPIR-V of either sign.
void castExponents(Module &module, Builder &builder) {
  for (auto &function : module.functions())
    for (Block &block : function->blocks())
      for (Instruction &inst : block.instructions()) {
        if (inst.opcode() != spv::Op::OpExtInst || inst.literal(1) != GLSLstd450Ldexp ||
            module.extInstSet(inst.id(0)) != "GLSL.std.450")
          continue;
        const Id type = module.def(inst.id(3))->typeId();
        const Instruction *scalar = module.def(scalarTypeOf(module, type));
        if (!scalar || scalar->opcode() != spv::Op::OpTypeInt || scalar->literal(1) != 0)
          continue;
        Id own = builder.intType(scalar->literal(0), true);
        if (const unsigned count = componentCount(module, type); count > 1)
          own = builder.vectorType(own, count);
        inst.setId(3, builder.insertBefore(inst, spv::Op::OpBitcast, own, {inst.id(3)}));
      }
}

/// naga takes coordinates of an arrayed image apart and fails inside where the module does not
/// happen to declare the type of two of them.
void declareCoordinates(Module &module, Builder &builder) {
  for (const Instruction &inst : module.section(Section::Globals))
    if (inst.opcode() == spv::Op::OpTypeImage && inst.literal(3) != 0) {
      builder.vectorType(builder.intType(32, true), 2);
      builder.vectorType(builder.intType(32, false), 2);
      return;
    }
}

} // namespace

void rewriteForNaga(Module &module, Builder &builder) {
  dropNotesOfHlsl(module);
  dropInitialZeros(module);
  defineUndefined(module, builder);
  castForSubgroups(module, builder);
  castExponents(module, builder);
  declareCoordinates(module, builder);
}

} // namespace tailor::wgsl
