//===- languages/hlsl/ConsumerRepairs.cpp ----------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ConsumerRepairs.h"

#include "IR/Builder.h"
#include "IR/Types.h"

namespace tailor::languages {
namespace {

constexpr unsigned kDimOperand = 1, kSampledOperand = 5, kFormatOperand = 6;

bool isTexelBuffer(const Module &module, const Instruction &variable) {
  const std::optional<PointerType> pointer = pointerType(module, variable.typeId());
  const Instruction *image = pointer ? module.def(pointer->pointee) : nullptr;
  return image && image->opcode() == spv::Op::OpTypeImage &&
         image->literal(kDimOperand) == static_cast<uint32_t>(spv::Dim::Buffer) &&
         image->literal(kSampledOperand) == 1 && isIntType(module, image->id(0), 32);
}

class Replacer {
public:
  explicit Replacer(Module &module) : module(module), builder(module) {}

  void run() {
    std::vector<Instruction *> variables;
    for (Instruction &inst : module.section(Section::Globals))
      if (inst.opcode() == spv::Op::OpVariable && isTexelBuffer(module, inst))
        variables.push_back(&inst);
    if (variables.empty())
      return;
    declare();
    for (Instruction *variable : variables)
      replace(*variable);
  }

private:
  void declare();
  void replace(Instruction &variable);
  void replaceUse(Instruction &use, Id variable);

  Module &module;
  Builder builder;
  Id uint = Id::None, block = Id::None;
};

/// struct { uint words[]; }
void Replacer::declare() {
  uint = builder.intType(32, false);
  const Id array = module.freshId();
  block = module.freshId();
  Instruction words(spv::Op::OpTypeRuntimeArray, Id::None, array);
  module.append(Section::Globals, words.addId(uint));
  Instruction made(spv::Op::OpTypeStruct, Id::None, block);
  module.append(Section::Globals, made.addId(array));
  auto decorate = [&](Instruction inst) { module.append(Section::Annotations, inst); };
  decorate(Instruction(spv::Op::OpDecorate)
               .addId(array)
               .addLiteral(static_cast<uint32_t>(spv::Decoration::ArrayStride))
               .addLiteral(4));
  decorate(Instruction(spv::Op::OpDecorate)
               .addId(block)
               .addLiteral(static_cast<uint32_t>(spv::Decoration::BufferBlock)));
  decorate(Instruction(spv::Op::OpMemberDecorate)
               .addId(block)
               .addLiteral(0)
               .addLiteral(static_cast<uint32_t>(spv::Decoration::Offset))
               .addLiteral(0));
}

void Replacer::replace(Instruction &variable) {
  const Id id = variable.result();
  const UseMap uses(module);
  std::vector<Instruction *> loads;
  for (const UseMap::Use &use : uses.uses(id))
    if (use.user->opcode() == spv::Op::OpLoad)
      loads.push_back(use.user);
  for (Instruction *load : loads) {
    for (const UseMap::Use &use : uses.uses(load->result()))
      if (use.user->parent())
        replaceUse(*use.user, id);
    module.erase(*load);
  }
  Instruction buffer(spv::Op::OpVariable, builder.pointerType(spv::StorageClass::Uniform, block),
                     id);
  buffer.addLiteral(static_cast<uint32_t>(spv::StorageClass::Uniform));
  module.erase(Section::Globals, variable);
  module.append(Section::Globals, buffer);
}

/// A fetch gives (word, 0, 0, 1), a query the number of words.
void Replacer::replaceUse(Instruction &use, Id variable) {
  const Id zero = builder.uintConstant(0), one = builder.uintConstant(1);
  Instruction made(spv::Op::OpArrayLength, use.typeId(), use.result());
  if (use.opcode() == spv::Op::OpImageFetch) {
    const Id pointer = builder.insertBefore(use, spv::Op::OpAccessChain,
                                            builder.pointerType(spv::StorageClass::Uniform, uint),
                                            {variable, zero, use.id(1)});
    const Id word = builder.insertBefore(use, spv::Op::OpLoad, uint, {pointer});
    Instruction texel(spv::Op::OpCompositeConstruct, use.typeId(), use.result());
    texel.addId(word).addId(zero).addId(zero).addId(one);
    Instruction &after = *std::next(use.getIterator());
    module.erase(use);
    module.insertBefore(after, texel);
    return;
  }
  made.addId(variable).addLiteral(0);
  Instruction &after = *std::next(use.getIterator());
  module.erase(use);
  module.insertBefore(after, made);
}

} // namespace

void replaceTexelBuffers(Module &module) { Replacer(module).run(); }

Status setImageFormat(Module &module, const Instruction &variable, uint32_t format) {
  const std::optional<PointerType> pointer = pointerType(module, variable.typeId());
  Instruction *image = pointer ? module.def(pointer->pointee) : nullptr;
  if (!image || image->opcode() != spv::Op::OpTypeImage || image->literal(kSampledOperand) != 2)
    return success();
  const UseMap uses(module);
  for (const UseMap::Use &type : uses.uses(image->result()))
    if (type.user->opcode() == spv::Op::OpTypePointer)
      for (const UseMap::Use &use : uses.uses(type.user->result()))
        if (use.user->opcode() == spv::Op::OpVariable && use.user != &variable &&
            image->literal(kFormatOperand) != format)
          return failure({}, "two images share a type, which has one format");
  image->setLiteral(kFormatOperand, format);
  if (!module.hasCapability(spv::Capability::StorageImageExtendedFormats))
    module.append(Section::Capabilities, Instruction(spv::Op::OpCapability)
                                             .addLiteral(static_cast<uint32_t>(
                                                 spv::Capability::StorageImageExtendedFormats)));
  return success();
}

void countBytes(Module &module) {
  std::vector<Instruction *> lengths;
  module.forEachInstruction([&](Instruction &inst) {
    if (inst.opcode() == spv::Op::OpArrayLength)
      lengths.push_back(&inst);
  });
  Builder builder(module);
  for (Instruction *inst : lengths) {
    const Id words = builder.insertBefore(*inst, spv::Op::OpArrayLength, inst->typeId(),
                                          {inst->id(0)}, {inst->literal(1)});
    Instruction bytes(spv::Op::OpIMul, inst->typeId(), inst->result());
    bytes.addId(words).addId(builder.uintConstant(4));
    Instruction &after = *std::next(inst->getIterator());
    module.erase(*inst);
    module.insertBefore(after, bytes);
  }
}

} // namespace tailor::languages
