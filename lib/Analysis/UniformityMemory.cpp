//===- Analysis/UniformityMemory.cpp ---------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/UniformityMemory.h"

#include "Analysis/Opcodes.h"

namespace tailor {

namespace {

std::optional<uint64_t> bindingOf(const Module &module, const Instruction &variable) {
  auto set = module.decoration(variable.result(), spv::Decoration::DescriptorSet);
  auto binding = module.decoration(variable.result(), spv::Decoration::Binding);
  if (!set || !binding)
    return std::nullopt;
  return uint64_t{*set} << 32 | *binding;
}

bool isImageRead(spv::Op op) {
  return op == spv::Op::OpImageRead || op == spv::Op::OpImageFetch ||
         classOf(op) == OpcodeClass::ImageSample;
}

/// Where what the instruction reads lies: the pointer it loads through, or the image.
std::optional<PointerPath> pathOf(const Module &module, const Instruction &inst) {
  if (inst.opcode() == spv::Op::OpLoad)
    return tracePointer(module, inst.id(0));
  if (inst.opcode() == spv::Op::OpCopyMemory)
    return tracePointer(module, inst.id(1));
  return traceResource(module, inst.id(0));
}

/// The image's type says that it may be written: operand 5 of OpTypeImage is 2, or the 0 of
/// OpenCL.
bool isStorageImage(const Module &module, Id image) {
  const Instruction *value = module.def(image);
  const Instruction *type = value ? module.def(value->typeId()) : nullptr;
  if (type && type->opcode() == spv::Op::OpTypeSampledImage)
    return false;
  return !type || type->opcode() != spv::Op::OpTypeImage || type->literal(5) != 1;
}

/// Volatile, MakePointerVisible and NonPrivatePointer of memory operands, or MakeTexelVisible,
/// NonPrivateTexel and VolatileTexel of image operands.
bool isMarkedShared(const Instruction &inst) {
  uint32_t marks = isImageRead(inst.opcode()) ? 0x200 | 0x400 | 0x800 : 0x1 | 0x10 | 0x20;
  bool isCopy = inst.opcode() == spv::Op::OpCopyMemory; // may have two masks; alignments look like
                                                        // masks, which errs on the safe side
  for (unsigned at = 1; at < inst.numOperands(); ++at)
    if (inst.operand(at).kind == OperandKind::Literal) {
      if ((inst.literal(at) & marks) != 0)
        return true;
      if (!isCopy)
        return false;
    }
  return false;
}

} // namespace

MemoryRules::MemoryRules(const CanonicalForm &form, const IdDependence &idDependence)
    : module(form.module()), ids(idDependence) {
  for (const auto &function : module.functions())
    for (const Block &block : function->blocks())
      for (const Instruction &inst : block.instructions())
        scan(inst);
  for (const Instruction &variable : module.section(Section::Globals))
    if (variable.opcode() == spv::Op::OpVariable && ids.written().contains(variable))
      if (auto binding = bindingOf(module, variable))
        writtenBindings.insert(*binding);
}

/// Whether the constant has a bit of `mask`, or no known value.
bool MemoryRules::isUnknownOr(Id constant, uint64_t mask) const {
  std::optional<uint64_t> value = ids.constants().evaluateInt(constant);
  return !value || (*value & mask) != 0;
}

void MemoryRules::scan(const Instruction &inst) {
  constexpr uint64_t kOrders = 0x2 | 0x4 | 0x8 | 0x10; // Acquire, Release, both, sequential
  spv::Op op = inst.opcode();
  calls |= op == spv::Op::OpFunctionCall;
  fences |= op == spv::Op::OpMemoryBarrier;
  if (op == spv::Op::OpControlBarrier) {
    // Operand 1 is the memory's scope: 2 to 4 stay inside a workgroup.
    std::optional<uint64_t> scope = ids.constants().evaluateInt(inst.id(1));
    bool isWide = !scope || *scope < 2 || *scope > 4;
    fences |= isWide && isUnknownOr(inst.id(2), kOrders);
  }
  if ((op == spv::Op::OpLoad || op == spv::Op::OpCopyMemory || isImageRead(op)) &&
      observesOthers(inst))
    fences = true;
  if (!isAtomic(op))
    return;
  // Operands: pointer, scope, semantics (of a compare-exchange two).
  bool hasSemantics = inst.numOperands() > 2 && inst.isId(2);
  fences |= !hasSemantics || isUnknownOr(inst.id(2), kOrders);
  const Instruction *pointer = module.def(inst.id(0));
  bool isTexel = pointer && pointer->opcode() == spv::Op::OpImageTexelPointer;
  std::optional<PointerPath> path = tracePointer(module, isTexel ? pointer->id(0) : inst.id(0));
  if (!path) {
    atomicAnywhere = true;
    return;
  }
  atomicVariables.insert(raw(path->variable->result()));
  if (auto binding = bindingOf(module, *path->variable))
    atomicBindings.insert(*binding);
}

/// Asked once for each variable, as it looks at all others.
bool MemoryRules::isConstantBuffer(const Instruction &variable) const {
  auto [known, isNew] = constantBuffers.try_emplace(raw(variable.result()), false);
  if (isNew)
    known->second = ids.isConstantMemory(variable, MemorySpace::StorageBuffer);
  return known->second;
}

MemoryRule MemoryRules::ruleOf(const Instruction &inst,
                               const std::optional<PointerPath> &path) const {
  if (!path)
    return MemoryRule::Any;
  const Instruction &variable = *path->variable;
  std::optional<uint64_t> binding = bindingOf(module, variable);
  bool isAliased = module.hasDecoration(variable.result(), spv::Decoration::Aliased);
  bool isImage = isImageRead(inst.opcode());
  switch (path->space) {
  case MemorySpace::PushConstant:
  case MemorySpace::UniformBuffer:
    return MemoryRule::Constant;
  case MemorySpace::Private:
    return calls ? MemoryRule::Any : MemoryRule::Own;
  case MemorySpace::Resource: {
    if (!isImage || !isStorageImage(module, inst.id(0)))
      return MemoryRule::Constant; // the handle, or an image that no shader can write
    bool isWritten = ids.written().contains(variable) || isAliased ||
                     (binding && writtenBindings.contains(*binding)) ||
                     isDeclaredShared(module, variable);
    if (!isWritten)
      return MemoryRule::Constant;
    break;
  }
  case MemorySpace::StorageBuffer:
    if (isConstantBuffer(variable))
      return MemoryRule::Constant;
    break;
  case MemorySpace::Workgroup:
    break;
  default:
    return MemoryRule::Any;
  }
  // A plain read of workgroup memory is ordered with every atomic write of it as with any other
  // write, by barriers, or it would race with it.
  bool isAtomicMemory =
      path->space != MemorySpace::Workgroup &&
      (atomicAnywhere || atomicVariables.contains(raw(variable.result())) ||
       (binding && atomicBindings.contains(*binding)) || (isAliased && !atomicVariables.empty()));
  return isAtomicMemory || calls || observesOthers(inst) ? MemoryRule::Any : MemoryRule::Group;
}

MemoryRule MemoryRules::rule(const Instruction &inst) const {
  return ruleOf(inst, pathOf(module, inst));
}

bool MemoryRules::observesOthers(const Instruction &inst) const {
  if (isAtomic(inst.opcode()))
    return true;
  std::optional<PointerPath> path = pathOf(module, inst);
  if (!path)
    return isMarkedShared(inst);
  bool mayBeShared = path->space == MemorySpace::StorageBuffer ||
                     path->space == MemorySpace::Workgroup || path->space == MemorySpace::Other ||
                     (path->space == MemorySpace::Resource && isImageRead(inst.opcode()) &&
                      isStorageImage(module, inst.id(0)));
  return mayBeShared && (isMarkedShared(inst) || isDeclaredShared(module, *path->variable));
}

} // namespace tailor
