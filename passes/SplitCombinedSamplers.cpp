//===- passes/SplitCombinedSamplers.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/SplitCombinedSamplers.h"

#include "IR/Builder.h"
#include "IR/Types.h"
#include "passes/FreeBindings.h"
#include "passes/ModuleEdits.h"

namespace tailor {

Result<std::unique_ptr<Pass>> SplitCombinedSamplers::create(PassArguments &) {
  return std::unique_ptr<Pass>(std::make_unique<SplitCombinedSamplers>());
}

namespace {

/// The image type of a pointer to a combined image and sampler.
Id imageTypeOf(const Module &module, const Instruction &variable) {
  std::optional<PointerType> pointer = pointerType(module, variable.typeId());
  const Instruction *type = pointer ? module.def(pointer->pointee) : nullptr;
  return type && type->opcode() == spv::Op::OpTypeSampledImage ? type->id(0) : Id::None;
}

bool isArrayOfCombined(const Module &module, const Instruction &variable) {
  std::optional<PointerType> pointer = pointerType(module, variable.typeId());
  const Instruction *type = pointer ? module.def(pointer->pointee) : nullptr;
  bool isArray = false;
  while (type && (type->opcode() == spv::Op::OpTypeArray ||
                  type->opcode() == spv::Op::OpTypeRuntimeArray)) {
    isArray = true;
    type = module.def(type->id(0));
  }
  return isArray && type && type->opcode() == spv::Op::OpTypeSampledImage;
}

/// What is done with one combined variable.
struct Uses {
  std::vector<Instruction *> loads, samples, images;
};

bool isNameOrDecoration(spv::Op op) {
  return op == spv::Op::OpName || op == spv::Op::OpDecorate || op == spv::Op::OpEntryPoint;
}

Failure unsplittable(const Module &module, const Instruction &user, Id variable) {
  return failure(module.locationOf(user),
                 "'" + module.name(variable) + "' joins an image with its sampler, and " +
                     nameOf(user.opcode()) + " uses it in a way that cannot be split");
}

Result<Uses> usesOf(const Module &module, const UseMap &map, Id variable) {
  Uses uses;
  for (const UseMap::Use &use : map.uses(variable)) {
    if (isNameOrDecoration(use.user->opcode()))
      continue;
    if (use.user->opcode() != spv::Op::OpLoad)
      return unsplittable(module, *use.user, variable);
    uses.loads.push_back(use.user);
    for (const UseMap::Use &inner : map.uses(use.user->result())) {
      const std::string name = nameOf(inner.user->opcode());
      if (isNameOrDecoration(inner.user->opcode()))
        continue;
      if (inner.user->opcode() == spv::Op::OpImage)
        uses.images.push_back(inner.user);
      else if (inner.operand == 0 && llvm::StringRef(name).starts_with("OpImage"))
        uses.samples.push_back(inner.user);
      else
        return unsplittable(module, *inner.user, variable);
    }
  }
  return uses;
}

/// The operand replaced everywhere; the instruction that made it goes.
void replaceUses(Module &module, const UseMap &map, Id old, Id with) {
  for (const UseMap::Use &use : map.uses(old))
    if (use.operand != UseMap::kTypeOperand && !isNameOrDecoration(use.user->opcode()))
      use.user->setId(use.operand, with);
  llvm::DenseSet<uint32_t> gone{raw(old)};
  removeNamesAndDecorations(module, gone);
}

class Splitter {
public:
  explicit Splitter(Module &module) : module(module), builder(module), map(module) {}

  Result<SplitSampler> split(Instruction &variable) {
    const Id image = imageTypeOf(module, variable);
    Result<Uses> uses = usesOf(module, map, variable.result());
    if (!uses)
      return uses.takeFailure();
    SplitSampler made;
    made.set = module.decoration(variable.result(), spv::Decoration::DescriptorSet).value_or(0);
    made.imageBinding = module.decoration(variable.result(), spv::Decoration::Binding).value_or(0);
    made.image = variable.result();
    const Id sampledType = pointerType(module, variable.typeId())->pointee;
    if (!uses->samples.empty())
      addSampler(made);
    Instruction imageVariable(spv::Op::OpVariable,
                              builder.pointerType(spv::StorageClass::UniformConstant, image),
                              variable.result());
    imageVariable.addLiteral(static_cast<uint32_t>(spv::StorageClass::UniformConstant));
    module.erase(Section::Globals, variable);
    module.append(Section::Globals, imageVariable);
    rewrite(*uses, made, image, sampledType);
    return made;
  }

private:
  void addSampler(SplitSampler &made) {
    if (!isValid(samplerType)) {
      for (const Instruction &inst : module.section(Section::Globals))
        if (inst.opcode() == spv::Op::OpTypeSampler)
          samplerType = inst.result();
      if (!isValid(samplerType)) {
        samplerType = module.freshId();
        module.append(Section::Globals, Instruction(spv::Op::OpTypeSampler, Id::None, samplerType));
      }
    }
    made.samplerBinding = nextBinding(module, made.set);
    made.sampler = module.freshId();
    Instruction variable(spv::Op::OpVariable,
                         builder.pointerType(spv::StorageClass::UniformConstant, samplerType),
                         made.sampler);
    variable.addLiteral(static_cast<uint32_t>(spv::StorageClass::UniformConstant));
    module.append(Section::Globals, variable);
    decorate(module, made.sampler, spv::Decoration::DescriptorSet, made.set);
    decorate(module, made.sampler, spv::Decoration::Binding, made.samplerBinding);
    Instruction name(spv::Op::OpName);
    name.addId(made.sampler);
    name.addString(module.name(made.image) + "_sampler");
    module.append(Section::Debug, name);
    // From SPIR-V 1.4 on the entry point lists every variable.
    if (module.version() >= 0x00010400)
      for (const EntryPoint &entry : module.entryPoints())
        for (unsigned i = 0; i < entry.numInterfaceIds(); ++i)
          if (entry.interfaceId(i) == made.image) {
            entry.inst->addId(made.sampler);
            break;
          }
  }

  void rewrite(Uses &uses, const SplitSampler &made, Id image, Id sampledType) {
    // OpImage of a load is the load.
    for (Instruction *inst : uses.images) {
      replaceUses(module, map, inst->result(), inst->id(0));
      module.erase(*inst);
    }
    for (Instruction *load : uses.loads)
      load->setTypeId(image);
    // SPIR-V joins image and sampler in the block of the use.
    for (Instruction *use : uses.samples) {
      const Id sampler = builder.insertBefore(*use, spv::Op::OpLoad, samplerType, {made.sampler});
      use->setId(0, builder.insertBefore(*use, spv::Op::OpSampledImage, sampledType,
                                         {use->id(0), sampler}));
    }
  }

  Module &module;
  Builder builder;
  UseMap map;
  Id samplerType = Id::None;
};

} // namespace

Result<std::vector<SplitSampler>> splitCombinedSamplers(Module &module) {
  std::vector<Instruction *> combined;
  for (Instruction &inst : module.section(Section::Globals)) {
    if (inst.opcode() != spv::Op::OpVariable)
      continue;
    if (isArrayOfCombined(module, inst))
      return failure(module.locationOf(inst), "'" + module.name(inst.result()) +
                                                  "' is an array of images joined with their "
                                                  "samplers, which cannot be split");
    if (isValid(imageTypeOf(module, inst)))
      combined.push_back(&inst);
  }
  Splitter splitter(module);
  std::vector<SplitSampler> list;
  for (Instruction *variable : combined) {
    Result<SplitSampler> made = splitter.split(*variable);
    if (!made)
      return made.takeFailure();
    list.push_back(*made);
  }
  return list;
}

Result<Change> SplitCombinedSamplers::run(Module &module, PassContext &) {
  Result<std::vector<SplitSampler>> made = splitCombinedSamplers(module);
  if (!made)
    return made.takeFailure();
  return made->empty() ? Change::Unchanged : Change::Changed;
}

} // namespace tailor
