//===- Analysis/InstructionWork.cpp ----------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/InstructionWork.h"

#include "Analysis/ArithmeticCost.h"
#include "Analysis/Opcodes.h"
#include "IR/Types.h"

namespace tailor {

InstructionWork::InstructionWork(const KernelAnalysis &analysis)
    : kernel(analysis), module(analysis.module()) {
  auto reads = [&](Id pointer) {
    std::optional<PointerPath> path = tracePointer(module, pointer);
    if (path && path->space == MemorySpace::Private)
      readPrivate[raw(path->variable->result())] = path->variable;
  };
  for (const Block &block : kernel.form().function().blocks())
    for (const Instruction &inst : block.instructions()) {
      if (inst.opcode() == spv::Op::OpLoad)
        reads(inst.id(0));
      else if (inst.opcode() == spv::Op::OpCopyMemory)
        reads(inst.id(1));
      else if (inst.opcode() == spv::Op::OpFunctionCall)
        for (unsigned at = 1; at < inst.numOperands(); ++at)
          reads(inst.id(at));
    }
}

uint64_t InstructionWork::privateBytes() const {
  uint64_t bytes = 0;
  for (const auto &[id, variable] : readPrivate)
    if (std::optional<PointerType> type = pointerType(module, variable->typeId()))
      if (std::optional<TypeLayout> layout = layoutOf(module, type->pointee, kernel.constants()))
        bytes += layout->size.count;
  return bytes;
}

static std::optional<WorkSpace> workSpaceOf(MemorySpace space) {
  switch (space) {
  case MemorySpace::StorageBuffer:
    return WorkSpace::Buffer;
  case MemorySpace::PushConstant:
  case MemorySpace::UniformBuffer:
    return WorkSpace::Uniform;
  case MemorySpace::Workgroup:
    return WorkSpace::Workgroup;
  case MemorySpace::Private:
    return WorkSpace::Private;
  default: // built-in inputs, handles of images
    return std::nullopt;
  }
}

static void addBytes(WorkCounts<double> &work, WorkSpace space, std::optional<uint64_t> bytes,
                     bool reads, bool writes) {
  if (!bytes) {
    work.unsized += 1;
    return;
  }
  if (reads)
    work.bytesRead[static_cast<unsigned>(space)] += static_cast<double>(*bytes);
  if (writes)
    work.bytesWritten[static_cast<unsigned>(space)] += static_cast<double>(*bytes);
}

void InstructionWork::access(const std::optional<PointerPath> &path, Id type, bool writes,
                             WorkCounts<double> &work) const {
  WorkSpace space = WorkSpace::Buffer; // physical addresses, pointers through phi
  if (path) {
    std::optional<WorkSpace> known = workSpaceOf(path->space);
    bool isDead =
        path->space == MemorySpace::Private && !readPrivate.contains(raw(path->variable->result()));
    if (!known || isDead)
      return;
    space = *known;
  }
  work[writes ? WorkKind::Store : WorkKind::Load] += 1;
  std::optional<TypeLayout> layout = layoutOf(module, type, kernel.constants());
  addBytes(work, space, layout ? std::optional(layout->size.count) : std::nullopt, !writes, writes);
}

void InstructionWork::memory(const Instruction &inst, WorkCounts<double> &work) const {
  auto valueType = [&](Id value) {
    const Instruction *def = module.def(value);
    return def ? def->typeId() : Id::None;
  };
  switch (inst.opcode()) {
  case spv::Op::OpLoad:
    access(tracePointer(module, inst.id(0)), inst.typeId(), false, work);
    break;
  case spv::Op::OpStore:
    access(tracePointer(module, inst.id(0)), valueType(inst.id(1)), true, work);
    break;
  case spv::Op::OpCopyMemory: {
    std::optional<PointerType> to = pointerTypeOfValue(module, inst.id(0));
    Id type = to ? to->pointee : Id::None;
    access(tracePointer(module, inst.id(1)), type, false, work);
    access(tracePointer(module, inst.id(0)), type, true, work);
    break;
  }
  default: // access chains: addresses
    break;
  }
}

/// The format of an image, by any value that leads to it.
static std::optional<unsigned> texelBytesOf(const Module &module, Id image) {
  const Instruction *value = module.def(image);
  const Instruction *type = value ? module.def(value->typeId()) : nullptr;
  if (type && type->opcode() == spv::Op::OpTypePointer)
    type = module.def(type->id(1));
  if (type && type->opcode() == spv::Op::OpTypeSampledImage)
    type = module.def(type->id(0));
  if (!type || type->opcode() != spv::Op::OpTypeImage)
    return std::nullopt;
  return texelBytes(static_cast<spv::ImageFormat>(type->literal(6)));
}

void InstructionWork::atomic(const Instruction &inst, WorkCounts<double> &work) const {
  work[WorkKind::Atomic] += 1;
  bool reads = inst.opcode() != spv::Op::OpAtomicStore;
  bool writes = inst.opcode() != spv::Op::OpAtomicLoad;
  const Instruction *pointer = module.def(inst.id(0));
  if (pointer && pointer->opcode() == spv::Op::OpImageTexelPointer) {
    addBytes(work, WorkSpace::Image, texelBytesOf(module, pointer->id(0)), reads, writes);
    return;
  }
  std::optional<PointerPath> path = tracePointer(module, inst.id(0));
  std::optional<WorkSpace> space = path ? workSpaceOf(path->space) : std::nullopt;
  std::optional<PointerType> type = pointerTypeOfValue(module, inst.id(0));
  std::optional<TypeLayout> layout =
      type ? layoutOf(module, type->pointee, kernel.constants()) : std::nullopt;
  addBytes(work, space.value_or(WorkSpace::Buffer),
           layout ? std::optional(layout->size.count) : std::nullopt, reads, writes);
}

void InstructionWork::image(const Instruction &inst, WorkCounts<double> &work) const {
  if (inst.opcode() == spv::Op::OpImageTexelPointer)
    return; // the atomic that uses it is counted
  work[WorkKind::Image] += 1;
  std::optional<uint64_t> bytes;
  // A filtered sample reads as many texels as its sampler says.
  bool isSample = classOf(inst.opcode()) != OpcodeClass::ImageAccess;
  if (std::optional<unsigned> texel = texelBytesOf(module, inst.id(0)); texel && !isSample)
    bytes = *texel;
  bool writes = inst.opcode() == spv::Op::OpImageWrite;
  addBytes(work, WorkSpace::Image, bytes, !writes, writes);
}

WorkCounts<double> InstructionWork::of(const Instruction &inst) const {
  WorkCounts<double> work;
  switch (classOf(inst.opcode())) {
  case OpcodeClass::Pure:
  case OpcodeClass::Componentwise:
  case OpcodeClass::ExtInst: {
    ArithmeticCost cost = arithmeticCost(module, inst);
    work[WorkKind::Float] = cost.floats;
    work[WorkKind::Integer] = cost.integers;
    work[WorkKind::Special] = cost.specials;
    work[WorkKind::Conversion] = cost.conversions;
    break;
  }
  case OpcodeClass::Memory:
    memory(inst, work);
    break;
  case OpcodeClass::Atomic:
    atomic(inst, work);
    break;
  case OpcodeClass::ImageSample:
  case OpcodeClass::ImageAccess:
    image(inst, work);
    break;
  case OpcodeClass::Derivative:
    if (nameOf(inst.opcode()).rfind("OpImageSample", 0) == 0)
      image(inst, work);
    break;
  case OpcodeClass::ControlBarrier:
    work[WorkKind::ControlBarrier] = 1;
    break;
  case OpcodeClass::MemoryBarrier:
    work[WorkKind::MemoryBarrier] = 1;
    break;
  case OpcodeClass::Subgroup:
    work[WorkKind::Subgroup] = 1;
    break;
  default:
    break;
  }
  return work;
}

} // namespace tailor
