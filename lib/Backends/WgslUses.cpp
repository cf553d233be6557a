//===- Backends/WgslUses.cpp - What naga writes and does not take ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// naga (wgpu 30) reads these and then finds its own text wrong, in words that say
// "function [0] 'main' is invalid" and no more.
//
//===----------------------------------------------------------------------===//
#include "Backends/WgslSteps.h"

#include "IR/Types.h"

#include <map>

namespace tailor::wgsl {
namespace {

/// A place in memory: the variable, and the way from it. An index that is no constant is any.
struct Place {
  Id variable = Id::None;
  std::vector<std::optional<uint32_t>> way;

  /// Whether one of the two may hold the other.
  bool meets(const Place &other) const {
    if (variable != other.variable)
      return false;
    for (size_t i = 0; i < std::min(way.size(), other.way.size()); ++i)
      if (way[i] && other.way[i] && way[i] != other.way[i])
        return false;
    return true;
  }
};

Place placeOf(const Module &module, Id pointer) {
  Place place;
  const Instruction *def = module.def(pointer);
  while (def && (def->opcode() == spv::Op::OpAccessChain ||
                 def->opcode() == spv::Op::OpInBoundsAccessChain)) {
    std::vector<std::optional<uint32_t>> way;
    for (unsigned i = 1; i < def->numOperands(); ++i) {
      const Instruction *index = module.def(def->id(i));
      const bool known = index && index->opcode() == spv::Op::OpConstant;
      way.push_back(known ? std::optional(index->literal(0)) : std::nullopt);
    }
    place.way.insert(place.way.begin(), way.begin(), way.end());
    def = module.def(def->id(0));
  }
  if (def)
    place.variable = def->result();
  return place;
}

bool isAggregate(const Module &module, Id type) {
  const Instruction *def = module.def(type);
  return def && (def->opcode() == spv::Op::OpTypeStruct || def->opcode() == spv::Op::OpTypeArray);
}

bool hasAtomicIn(const Module &module, const Place &whole) {
  for (const auto &function : module.functions())
    for (const Block &block : function->blocks())
      for (const Instruction &inst : block.instructions())
        if (isAtomic(inst.opcode()) && whole.meets(placeOf(module, inst.id(0))))
          return true;
  return false;
}

/// A structure or an array that is read or written in one.
Status checkWhole(const Module &module, const Instruction &inst, Id pointer) {
  std::optional<PointerType> type = pointerTypeOfValue(module, pointer);
  if (!type || !isAggregate(module, type->pointee))
    return success();
  const Place whole = placeOf(module, pointer);
  if (!hasAtomicIn(module, whole))
    return success();
  return failure(module.locationOf(inst), "wgsl cannot express " + nameOf(inst.opcode()) +
                                              " of a structure or an array as a whole, a part of "
                                              "which is atomic: '" +
                                              module.name(whole.variable) + "'");
}

Status checkAtomicPlace(const Module &module, const Instruction &inst) {
  const Instruction *chain = module.def(inst.id(0));
  if (!chain || (chain->opcode() != spv::Op::OpAccessChain &&
                 chain->opcode() != spv::Op::OpInBoundsAccessChain))
    return success();
  // All but the last index.
  std::optional<PointerType> pointer = pointerTypeOfValue(module, chain->id(0));
  Id type = pointer ? pointer->pointee : Id::None;
  for (unsigned i = 1; i < chain->numOperands(); ++i) {
    const Instruction *def = module.def(type);
    if (!def)
      return success();
    if (def->opcode() == spv::Op::OpTypeVector)
      return failure(module.locationOf(inst), "wgsl cannot express " + nameOf(inst.opcode()) +
                                                  " on a component of a vector");
    unsigned member = 0;
    if (def->opcode() == spv::Op::OpTypeStruct) {
      const Instruction *index = module.def(chain->id(i));
      member = index && index->opcode() == spv::Op::OpConstant ? index->literal(0) : UINT32_MAX;
    }
    if (member >= def->numOperands() || !def->isId(member))
      return success();
    type = def->id(member);
  }
  return success();
}

/// textureDimensions has no layers.
Status checkImageSize(const Module &module, const Instruction &inst) {
  const Instruction *image = module.def(inst.id(0));
  const Instruction *type = image ? module.def(image->typeId()) : nullptr;
  if (type && type->opcode() == spv::Op::OpTypeImage && type->literal(3) != 0)
    return failure(module.locationOf(inst), "wgsl cannot express " + nameOf(inst.opcode()) +
                                                " of an arrayed image, which has its layers "
                                                "among its sizes");
  return success();
}

/// Textures of integers are read, and not sampled.
Status checkSampling(const Module &module, const Instruction &inst) {
  const Instruction *scalar = module.def(scalarTypeOf(module, inst.typeId()));
  if (scalar && scalar->opcode() == spv::Op::OpTypeInt)
    return failure(module.locationOf(inst),
                   "wgsl cannot express " + nameOf(inst.opcode()) + " of a texture of integers");
  return success();
}

/// A block without a name of its own goes by that of its type.
std::string blockName(const Module &module, Id variable) {
  const std::optional<PointerType> pointer = pointerTypeOfValue(module, variable);
  for (const Instruction &inst : module.section(Section::Debug))
    if (inst.opcode() == spv::Op::OpName && inst.id(0) == variable && !inst.string(1).empty())
      return inst.string(1);
  return module.name(pointer ? pointer->pointee : variable);
}

} // namespace

Status checkUse(const Module &module, const Instruction &inst) {
  switch (inst.opcode()) {
  case spv::Op::OpSelect:
    if (isAggregate(module, inst.typeId()))
      return failure(module.locationOf(inst),
                     "wgsl cannot express OpSelect of structures or arrays");
    return success();
  case spv::Op::OpLoad:
  case spv::Op::OpStore:
    return checkWhole(module, inst, inst.id(0));
  case spv::Op::OpCopyMemory:
    for (unsigned operand : {0u, 1u})
      if (Status fine = checkWhole(module, inst, inst.id(operand)); !fine)
        return fine;
    return success();
  case spv::Op::OpImageSampleExplicitLod:
  case spv::Op::OpImageSampleProjExplicitLod:
    return checkSampling(module, inst);
  case spv::Op::OpImageQuerySize:
  case spv::Op::OpImageQuerySizeLod:
    return checkImageSize(module, inst);
  default:
    return isAtomic(inst.opcode()) ? checkAtomicPlace(module, inst) : success();
  }
}

Status refuseSharedBindings(const Module &module) {
  std::map<std::pair<uint32_t, uint32_t>, Id> taken;
  for (const Instruction &inst : module.section(Section::Globals)) {
    if (inst.opcode() != spv::Op::OpVariable)
      continue;
    auto binding = module.decoration(inst.result(), spv::Decoration::Binding);
    if (!binding)
      continue;
    const uint32_t set =
        module.decoration(inst.result(), spv::Decoration::DescriptorSet).value_or(0);
    auto [known, isNew] = taken.try_emplace({set, *binding}, inst.result());
    if (!isNew)
      return failure(module.locationOf(inst), "wgsl cannot express two resources in one place: '" +
                                                  blockName(module, known->second) + "' and '" +
                                                  blockName(module, inst.result()) +
                                                  "' share binding " + std::to_string(*binding) +
                                                  " of group " + std::to_string(set));
  }
  return success();
}

} // namespace tailor::wgsl
