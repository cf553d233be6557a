//===- Analysis/IdDependenceMemory.cpp - Ids and values from memory -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What IdDependence knows of loads and stores: built-in inputs, memory that
// nobody writes, memory that others write, and memory of the invocation's own.
//
//===----------------------------------------------------------------------===//
#include "Analysis/IdDependence.h"

#include "IR/Types.h"

#include "spirv/unified1/GLSL.std.450.h"

#include <algorithm>

namespace tailor {

AbstractScalar IdDependence::builtInComponent(const Instruction &load, spv::BuiltIn builtIn,
                                              unsigned axis) {
  AbstractScalar value = AbstractScalar::globalId(axis);
  switch (builtIn) {
  case spv::BuiltIn::GlobalInvocationId:
    return value;
  case spv::BuiltIn::LocalInvocationId: // GlobalId - S·WorkgroupId; 0 where S is 1
    if (size[axis] == 1)
      return AbstractScalar::constant(0);
    value.w[axis] = uint32_t{0} - size[axis];
    break;
  case spv::BuiltIn::WorkgroupId: // GlobalId where S is 1
    if (size[axis] == 1)
      return value;
    value.g[axis] = 0;
    value.w[axis] = 1;
    break;
  default:
    return AbstractScalar::group(&load);
  }
  value.cause = &load;
  return value;
}

AbstractValue IdDependence::loadBuiltIn(const Instruction &load, spv::BuiltIn builtIn,
                                        llvm::ArrayRef<Id> indices) {
  if (builtIn == spv::BuiltIn::LocalInvocationIndex) {
    AbstractScalar index = AbstractScalar::constant(0);
    uint32_t stride = 1;
    for (unsigned axis = 0; axis < 3; ++axis) {
      index =
          add(index, scale(builtInComponent(load, spv::BuiltIn::LocalInvocationId, axis), stride));
      stride *= size[axis];
    }
    return {index};
  }
  AbstractValue vector;
  for (unsigned axis = 0; axis < 3; ++axis)
    vector.push_back(builtInComponent(load, builtIn, axis));
  if (indices.empty())
    return components(load.typeId()) == 3 ? vector : spread(opaque(vector), load.typeId());
  if (AbstractValue index = current(indices[0]); index[0].isConstant() && index[0].c < 3)
    return {vector[index[0].c]};
  vector.append(current(indices[0]));
  return {opaque(vector)};
}

/// Two variables may stand for one descriptor.
bool IdDependence::isWrittenByAnotherName(const Instruction &variable) const {
  auto set = module.decoration(variable.result(), spv::Decoration::DescriptorSet);
  auto binding = module.decoration(variable.result(), spv::Decoration::Binding);
  for (const Instruction &other : module.section(Section::Globals))
    if (other.opcode() == spv::Op::OpVariable && writtenVariables.contains(other) &&
        module.decoration(other.result(), spv::Decoration::DescriptorSet) == set &&
        module.decoration(other.result(), spv::Decoration::Binding) == binding)
      return true;
  return false;
}

/// Whether a member of the type, or of what is inside it, is Volatile or Coherent: GLSL's
/// qualifiers on a block stand at its members.
static bool hasSharedMember(const Module &module, Id typeId, unsigned depth) {
  const Instruction *type = module.def(typeId);
  if (!type || depth > 16)
    return type != nullptr;
  switch (type->opcode()) {
  case spv::Op::OpTypeArray:
  case spv::Op::OpTypeRuntimeArray:
    return hasSharedMember(module, type->id(0), depth + 1);
  case spv::Op::OpTypeStruct:
    for (unsigned member = 0; member < type->numOperands(); ++member)
      if (module.hasMemberDecoration(typeId, member, spv::Decoration::Volatile) ||
          module.hasMemberDecoration(typeId, member, spv::Decoration::Coherent) ||
          hasSharedMember(module, type->id(member), depth + 1))
        return true;
    return false;
  default:
    return false;
  }
}

bool isDeclaredShared(const Module &module, const Instruction &variable) {
  std::optional<PointerType> type = pointerType(module, variable.typeId());
  return module.hasDecoration(variable.result(), spv::Decoration::Coherent) ||
         module.hasDecoration(variable.result(), spv::Decoration::Volatile) ||
         (type && hasSharedMember(module, type->pointee, 0));
}

bool IdDependence::isConstantMemory(const Instruction &variable, MemorySpace space) const {
  switch (space) {
  case MemorySpace::PushConstant:
  case MemorySpace::UniformBuffer:
    return true;
  case MemorySpace::StorageBuffer:
    return !writtenVariables.contains(variable) && !isWrittenByAnotherName(variable) &&
           !module.hasDecoration(variable.result(), spv::Decoration::Aliased) &&
           !isDeclaredShared(module, variable);
  default:
    return false;
  }
}

bool IdDependence::mayBeWritten(const Instruction &variable) const {
  return writtenVariables.contains(variable) || isWrittenByAnotherName(variable) ||
         module.hasDecoration(variable.result(), spv::Decoration::Aliased);
}

bool IdDependence::readsSharedState(const Instruction &inst) const {
  if (isAtomic(inst.opcode()))
    return true;
  std::optional<PointerPath> path;
  if (inst.opcode() == spv::Op::OpLoad)
    path = tracePointer(module, inst.id(0));
  else if (inst.opcode() == spv::Op::OpCopyMemory)
    path = tracePointer(module, inst.id(1));
  else if (inst.opcode() == spv::Op::OpImageRead)
    path = traceResource(module, inst.id(0));
  else
    return false;
  if (!path)
    return true;
  if (path->space == MemorySpace::Private || path->space == MemorySpace::Input ||
      path->space == MemorySpace::PushConstant || path->space == MemorySpace::UniformBuffer)
    return false;
  bool isImageHandle = inst.opcode() == spv::Op::OpLoad && path->space == MemorySpace::Resource;
  if (isImageHandle)
    return false;
  constexpr uint32_t kShared = 0x1 | 0x10 | 0x20; // Volatile, MakePointerVisible, NonPrivatePointer
  if ((memoryOperands(inst) & kShared) != 0)
    return true;
  if (isDeclaredShared(module, *path->variable))
    return true;
  // A kernel with atomics or memory barriers may pass plain data under their cover.
  return communicates && mayBeWritten(*path->variable);
}

/// What private memory holds before any store: its initializer (a constant, or another variable's
/// address), or nothing that is the same anywhere.
AbstractScalar IdDependence::firstContent(const Instruction &variable) const {
  return variable.numOperands() > 1 ? opaque(current(variable.id(1)))
                                    : AbstractScalar::varying(Variation::Global);
}

AbstractValue IdDependence::computeLoad(const Instruction &inst) {
  std::optional<PointerPath> path = tracePointer(module, inst.id(0));
  if (!path)
    return spread(AbstractScalar::group(&inst), inst.typeId());
  if (path->space == MemorySpace::Input) {
    std::optional<spv::BuiltIn> builtIn = builtInOf(module, *path->variable);
    return builtIn ? loadBuiltIn(inst, *builtIn, path->indices)
                   : spread(AbstractScalar::group(&inst), inst.typeId());
  }
  llvm::SmallVector<AbstractScalar, 8> inputs;
  for (Id index : path->indices)
    inputs.append(current(index));
  if (path->space == MemorySpace::Private)
    inputs.push_back(
        privateContent.try_emplace(raw(path->variable->result()), firstContent(*path->variable))
            .first->second);
  AbstractScalar result = opaque(inputs);
  if (!result.reached)
    return spread(result, inst.typeId());
  bool isHandle = path->space == MemorySpace::Resource; // the image, not what is in it
  bool same = path->space == MemorySpace::Private || isHandle ||
              isConstantMemory(*path->variable, path->space);
  if (!same)
    result.rest = std::max(result.rest, Variation::Global);
  if (path->space == MemorySpace::Workgroup || path->space == MemorySpace::Other)
    result = AbstractScalar::group(&inst);
  if (readsSharedState(inst)) { // it may change from one read to the next
    result.fromAtomic = true;
    result.rest = std::max(result.rest, Variation::Global);
  }
  return spread(result, inst.typeId());
}

void IdDependence::storeTo(Id pointer, const AbstractScalar &stored) {
  std::optional<PointerPath> path = tracePointer(module, pointer);
  if (!path || path->space != MemorySpace::Private || !stored.reached)
    return; // stores to memory that others see are checked, not summarised
  llvm::SmallVector<AbstractScalar, 8> inputs = {stored};
  for (Id index : path->indices)
    inputs.append(current(index));
  AbstractScalar now = opaque(inputs);
  if (!now.reached)
    return;
  now.rest = std::max(now.rest, Variation::Global); // which store was last is not tracked
  auto [at, isNew] =
      privateContent.try_emplace(raw(path->variable->result()), firstContent(*path->variable));
  AbstractScalar joined = meet(at->second, now);
  if (isNew || joined != at->second) {
    at->second = joined;
    changed = true;
  }
}

void IdDependence::applyStores(const Instruction &inst) {
  switch (inst.opcode()) {
  case spv::Op::OpStore:
    storeTo(inst.id(0), opaque(current(inst.id(1))));
    break;
  case spv::Op::OpCopyMemory: {
    std::optional<PointerPath> from = tracePointer(module, inst.id(1));
    AbstractScalar content = AbstractScalar::varying(Variation::Global);
    bool known = from && from->space != MemorySpace::Workgroup &&
                 from->space != MemorySpace::Input && from->space != MemorySpace::Other;
    if (!known)
      content = AbstractScalar::group(&inst);
    else if (from->space == MemorySpace::Private)
      if (auto at = privateContent.find(raw(from->variable->result())); at != privateContent.end())
        content = opaque({content, at->second});
    if (known) {
      llvm::SmallVector<AbstractScalar, 8> inputs = {content};
      for (Id index : from->indices)
        inputs.append(current(index));
      content = opaque(inputs);
      content.fromAtomic |= content.reached && readsSharedState(inst);
    }
    storeTo(inst.id(0), content);
    break;
  }
  case spv::Op::OpVariable:
    if (inst.numOperands() > 1)
      storeTo(inst.result(), firstContent(inst));
    break;
  case spv::Op::OpExtInst:
    if (module.extInstSet(inst.id(0)) == "GLSL.std.450" &&
        (inst.literal(1) == GLSLstd450Modf || inst.literal(1) == GLSLstd450Frexp))
      storeTo(inst.id(3), opaque(current(inst.id(2))));
    break;
  default:
    break;
  }
}

} // namespace tailor
