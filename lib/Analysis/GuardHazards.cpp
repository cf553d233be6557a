//===- Analysis/GuardHazards.cpp ------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/GuardHazards.h"

#include "Analysis/Opcodes.h"
#include "IR/Types.h"

#include "spirv/unified1/GLSL.std.450.h"

#include "llvm/ADT/DenseSet.h"

#include <algorithm>

namespace tailor {

/// Every invocation runs the block alike: all branches that decide about it, directly or not, are
/// the same for the whole dispatch.
bool HazardFinder::alwaysExecuted(const Block &block) const {
  auto [known, isNew] = executedByAll.try_emplace(block.index(), true);
  if (!isNew)
    return known->second;
  std::vector<const Block *> work = {&block};
  llvm::DenseSet<const Block *> seen = {&block};
  while (!work.empty()) {
    const Block *now = work.back();
    work.pop_back();
    for (const Block *branch : flow.controllers(*now)) {
      if (ids.summary(branch->terminator()->id(0)).variation() != Variation::Dispatch)
        return executedByAll[block.index()] = false;
      if (seen.insert(branch).second)
        work.push_back(branch);
    }
  }
  return true;
}

/// All indices are constants inside their arrays and vectors.
bool HazardFinder::staysInside(const PointerPath &path) const {
  std::optional<PointerType> pointer = pointerType(module, path.variable->typeId());
  const Instruction *type = pointer ? module.def(pointer->pointee) : nullptr;
  for (Id indexId : path.indices) {
    std::optional<uint64_t> index = ids.constants().evaluateInt(indexId);
    if (!type || !index)
      return false;
    std::optional<uint64_t> count;
    bool isStruct = type->opcode() == spv::Op::OpTypeStruct;
    if (isStruct)
      count = type->numOperands();
    else if (type->opcode() == spv::Op::OpTypeVector || type->opcode() == spv::Op::OpTypeMatrix)
      count = type->literal(1);
    else if (type->opcode() == spv::Op::OpTypeArray)
      count = ids.constants().evaluateInt(type->id(1));
    if (!count || *index >= *count)
      return false;
    type = module.def(type->id(isStruct ? static_cast<unsigned>(*index) : 0));
  }
  return true;
}

const char *HazardFinder::memoryHazard(const Instruction &inst, Id pointer) const {
  std::optional<PointerPath> path = tracePointer(module, pointer);
  if (!path)
    return "memory is accessed through an unknown pointer";
  bool isBuffer =
      path->space == MemorySpace::UniformBuffer || path->space == MemorySpace::StorageBuffer;
  if (!isBuffer && staysInside(*path))
    return nullptr;
  bool uniform = std::all_of(path->indices.begin(), path->indices.end(),
                             [&](Id index) { return isUniformIndex(index); });
  // An authored invocation makes the very same access. Of memory that the kernel writes not even
  // that is safe: a kernel of one invocation may write what it read, a second one would race.
  bool isWritten = path->space == MemorySpace::StorageBuffer &&
                   !ids.isConstantMemory(*path->variable, path->space);
  if (uniform && !isWritten && alwaysExecuted(*inst.parent()))
    return nullptr;
  if (uniform && isWritten)
    return "memory that the kernel writes is read";
  return "memory is read at an address of the invocation's own";
}

/// An access chain that leaves its array is undefined in itself (SPIR-V 1.6, OpAccessChain).
const char *HazardFinder::addressHazard(const Instruction &chain) const {
  std::optional<PointerPath> path = tracePointer(module, chain.result());
  if (!path)
    return "memory is addressed through an unknown pointer";
  bool uniform = std::all_of(path->indices.begin(), path->indices.end(),
                             [&](Id index) { return isUniformIndex(index); });
  if (staysInside(*path) || (uniform && alwaysExecuted(*chain.parent())))
    return nullptr;
  return "memory is addressed by a value of the invocation's own";
}

/// Never the smallest of all integers: ids (`cover` keeps them below 2^31) and other numbers, and
/// what is no further from 0 than those.
bool HazardFinder::isNeverSmallest(Id value, unsigned component, unsigned depth) const {
  constexpr unsigned kMaxDepth = 16;
  const Instruction *inst = module.def(value);
  AbstractValue known = ids.value(value);
  if (!inst || depth > kMaxDepth || component >= known.size())
    return false;
  const AbstractScalar &scalar = known[component];
  if (scalar.isGlobalId(0) || scalar.isGlobalId(1) || scalar.isGlobalId(2))
    return true;
  if (scalar.isConstant())
    return scalar.c != uint32_t{1} << 31;
  auto goOn = [&](Id id, unsigned at) { return isNeverSmallest(id, at, depth + 1); };
  switch (inst->opcode()) {
  case spv::Op::OpSDiv: // no further from 0 than the dividend; by 0 or -1 it is judged itself
  case spv::Op::OpSRem:
  case spv::Op::OpCopyObject:
  case spv::Op::OpBitcast: {
    const Instruction *from = module.def(inst->id(0));
    bool sameShape = from && componentCount(module, from->typeId()) == known.size() &&
                     isIntType(module, scalarTypeOf(module, from->typeId()), 32);
    return sameShape && goOn(inst->id(0), component);
  }
  case spv::Op::OpSMod: // nearer to 0 than the divisor
    return true;
  case spv::Op::OpCompositeExtract:
    return inst->numOperands() == 2 &&
           componentCount(module, module.def(inst->id(0))->typeId()) > 1 &&
           goOn(inst->id(0), inst->literal(1));
  case spv::Op::OpCompositeConstruct:
    return inst->numOperands() == known.size() && goOn(inst->id(component), 0);
  default:
    return false;
  }
}

/// No division by zero, and no overflow: the smallest integer over -1.
bool HazardFinder::dividesSafely(const Instruction &inst) const {
  bool isSigned = inst.opcode() != spv::Op::OpUDiv && inst.opcode() != spv::Op::OpUMod;
  AbstractValue divisor = ids.value(inst.id(1));
  bool known = std::all_of(divisor.begin(), divisor.end(), [&](const AbstractScalar &component) {
    return component.isConstant() && component.c != 0 && !(isSigned && component.c == UINT32_MAX);
  });
  if (known)
    return true;
  if (!isUniformHere(inst, inst.id(1)))
    return false;
  if (!isSigned || isUniformHere(inst, inst.id(0)))
    return true;
  unsigned count = componentCount(module, inst.typeId());
  for (unsigned component = 0; component < count; ++component)
    if (!isNeverSmallest(inst.id(0), component, 0))
      return false;
  return true;
}

const char *HazardFinder::hazard(const Instruction &inst) const {
  if (flow.inCycle(*inst.parent()) && isTerminator(inst.opcode()))
    return "a loop runs";
  switch (classOf(inst.opcode())) {
  case OpcodeClass::Atomic:
    return "an atomic runs";
  case OpcodeClass::MemoryBarrier:
    return nullptr;
  case OpcodeClass::ImageAccess:
    return inst.opcode() == spv::Op::OpImageWrite          ? "an image is written"
           : inst.opcode() == spv::Op::OpImageTexelPointer ? "a texel is addressed"
                                                           : "an image is read";
  case OpcodeClass::Memory: {
    if (inst.opcode() == spv::Op::OpLoad)
      return memoryHazard(inst, inst.id(0));
    if (inst.opcode() != spv::Op::OpStore && inst.opcode() != spv::Op::OpCopyMemory)
      return addressHazard(inst);
    std::optional<PointerPath> path = tracePointer(module, inst.id(0));
    if (!path || path->space != MemorySpace::Private)
      return "memory is written";
    if (const char *reason = memoryHazard(inst, inst.id(0)))
      return reason;
    return inst.opcode() == spv::Op::OpCopyMemory ? memoryHazard(inst, inst.id(1)) : nullptr;
  }
  case OpcodeClass::ExtInst:
    return module.extInstSet(inst.id(0)) == "GLSL.std.450" &&
                   (inst.literal(1) == GLSLstd450Modf || inst.literal(1) == GLSLstd450Frexp)
               ? memoryHazard(inst, inst.id(3))
               : nullptr;
  default:
    break;
  }
  bool divides = inst.opcode() == spv::Op::OpUDiv || inst.opcode() == spv::Op::OpSDiv ||
                 inst.opcode() == spv::Op::OpUMod || inst.opcode() == spv::Op::OpSRem ||
                 inst.opcode() == spv::Op::OpSMod;
  bool mustNotWrap = module.hasDecoration(inst.result(), spv::Decoration::NoSignedWrap) ||
                     module.hasDecoration(inst.result(), spv::Decoration::NoUnsignedWrap);
  for (unsigned at = 0; mustNotWrap && at < inst.numOperands(); ++at)
    if (inst.isId(at) && !isUniformHere(inst, inst.id(at)))
      return "a sum that must not wrap is computed";
  if (divides && !dividesSafely(inst))
    return "an integer is divided by a value of the invocation's own";
  bool extracts = inst.opcode() == spv::Op::OpVectorExtractDynamic;
  if ((extracts || inst.opcode() == spv::Op::OpVectorInsertDynamic) &&
      !isUniformHere(inst, inst.id(extracts ? 1 : 2)))
    return "a component is chosen by a value of the invocation's own";
  if (inst.opcode() == spv::Op::OpUnreachable)
    return "control reaches OpUnreachable";
  return nullptr;
}

} // namespace tailor
