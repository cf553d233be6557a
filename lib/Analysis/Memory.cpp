//===- Analysis/Memory.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/Memory.h"

#include "IR/Types.h"

#include "spirv/unified1/GLSL.std.450.h"

namespace tailor {

MemorySpace spaceOf(const Module &module, const Instruction &variable) {
  std::optional<PointerType> type = pointerType(module, variable.typeId());
  if (!type)
    return MemorySpace::Other;
  switch (type->storageClass) {
  case spv::StorageClass::Input:
    return MemorySpace::Input;
  case spv::StorageClass::PushConstant:
    return MemorySpace::PushConstant;
  case spv::StorageClass::StorageBuffer:
    return MemorySpace::StorageBuffer;
  case spv::StorageClass::UniformConstant:
    return MemorySpace::Resource;
  case spv::StorageClass::Workgroup:
    return MemorySpace::Workgroup;
  case spv::StorageClass::Private:
  case spv::StorageClass::Function:
    return MemorySpace::Private;
  case spv::StorageClass::Uniform: {
    Id block = type->pointee;
    const Instruction *inst = module.def(block);
    while (inst && (inst->opcode() == spv::Op::OpTypeArray ||
                    inst->opcode() == spv::Op::OpTypeRuntimeArray)) {
      block = inst->id(0);
      inst = module.def(block);
    }
    return module.hasDecoration(block, spv::Decoration::BufferBlock) ? MemorySpace::StorageBuffer
                                                                     : MemorySpace::UniformBuffer;
  }
  default:
    return MemorySpace::Other;
  }
}

std::string nameOfVariable(const Module &module, const Instruction &variable) {
  std::string name = module.name(variable.result());
  if (name.front() == '%')
    if (std::optional<PointerType> type = pointerType(module, variable.typeId()))
      if (std::string block = module.name(type->pointee); block.front() != '%')
        return block;
  return name;
}

std::optional<PointerPath> tracePointer(const Module &module, Id pointer) {
  llvm::SmallVector<const Instruction *, 4> chains;
  const Instruction *inst = module.def(pointer);
  while (inst) {
    switch (inst->opcode()) {
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
      chains.push_back(inst);
      inst = module.def(inst->id(0));
      continue;
    case spv::Op::OpCopyObject:
      inst = module.def(inst->id(0));
      continue;
    case spv::Op::OpVariable: {
      PointerPath path{inst, spaceOf(module, *inst), {}, {}};
      for (const Instruction *chain : llvm::reverse(chains)) {
        path.chains.push_back(chain);
        for (unsigned at = 1; at < chain->numOperands(); ++at)
          path.indices.push_back(chain->id(at));
      }
      return path;
    }
    default:
      return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<PointerPath> traceResource(const Module &module, Id value) {
  const Instruction *inst = module.def(value);
  while (inst) {
    switch (inst->opcode()) {
    case spv::Op::OpSampledImage:
    case spv::Op::OpImage:
    case spv::Op::OpCopyObject:
      inst = module.def(inst->id(0));
      continue;
    case spv::Op::OpLoad:
      return tracePointer(module, inst->id(0));
    default:
      return std::nullopt;
    }
  }
  return std::nullopt;
}

uint32_t memoryOperands(const Instruction &inst) {
  const spv::Op op = inst.opcode();
  if (op != spv::Op::OpLoad && op != spv::Op::OpStore && op != spv::Op::OpCopyMemory)
    return 0;
  constexpr uint32_t kAligned = 0x2;
  uint32_t all = 0;
  for (unsigned at = op == spv::Op::OpLoad ? 1 : 2; at < inst.numOperands(); ++at) {
    if (inst.isId(at))
      continue; // the scope of MakeAvailable or MakeVisible
    all |= inst.literal(at);
    if (inst.literal(at) & kAligned)
      ++at;
  }
  return all;
}

// A table of formats, as a switch.
std::optional<unsigned> texelBytes(spv::ImageFormat format) {
  using enum spv::ImageFormat;
  switch (format) {
  case Rgba32f:
  case Rgba32i:
  case Rgba32ui:
    return 16;
  case Rgba16f:
  case Rg32f:
  case Rgba16:
  case Rgba16Snorm:
  case Rgba16i:
  case Rg32i:
  case Rgba16ui:
  case Rg32ui:
  case R64ui:
  case R64i:
    return 8;
  case R32f:
  case Rgba8:
  case Rgba8Snorm:
  case Rg16f:
  case R11fG11fB10f:
  case Rgb10A2:
  case Rg16:
  case Rg16Snorm:
  case Rgba8i:
  case R32i:
  case Rg16i:
  case Rgba8ui:
  case R32ui:
  case Rgb10a2ui:
  case Rg16ui:
    return 4;
  case R16f:
  case Rg8:
  case R16:
  case Rg8Snorm:
  case R16Snorm:
  case Rg8i:
  case R16i:
  case Rg8ui:
  case R16ui:
    return 2;
  case R8:
  case R8Snorm:
  case R8i:
  case R8ui:
    return 1;
  default:
    return std::nullopt;
  }
}

void WrittenVariables::note(const Module &module, const Block &block) {
  auto writeThrough = [&](const std::optional<PointerPath> &path) {
    if (path)
      written.insert(raw(path->variable->result()));
    else
      everything = true;
  };
  for (const Instruction &inst : block.instructions()) {
    spv::Op op = inst.opcode();
    if (op == spv::Op::OpStore || op == spv::Op::OpCopyMemory || op == spv::Op::OpCopyMemorySized ||
        op == spv::Op::OpAtomicStore || op == spv::Op::OpAtomicFlagClear)
      writeThrough(tracePointer(module, inst.id(0)));
    else if (op == spv::Op::OpImageWrite)
      writeThrough(traceResource(module, inst.id(0)));
    else if (op == spv::Op::OpImageTexelPointer)
      writeThrough(tracePointer(module, inst.id(0)));
    else if (isAtomic(op) && op != spv::Op::OpAtomicLoad) {
      const Instruction *pointer = module.def(inst.id(0));
      if (!pointer || pointer->opcode() != spv::Op::OpImageTexelPointer)
        writeThrough(tracePointer(module, inst.id(0)));
    } else if (op == spv::Op::OpExtInst && module.extInstSet(inst.id(0)) == "GLSL.std.450" &&
               (inst.literal(1) == GLSLstd450Modf || inst.literal(1) == GLSLstd450Frexp))
      writeThrough(tracePointer(module, inst.id(3)));
    else if (op == spv::Op::OpFunctionCall)
      for (unsigned at = 1; at < inst.numOperands(); ++at)
        if (pointerTypeOfValue(module, inst.id(at)))
          writeThrough(tracePointer(module, inst.id(at)));
  }
}

WrittenVariables::WrittenVariables(const Module &module) {
  for (const auto &function : module.functions())
    for (const Block &block : function->blocks())
      note(module, block);
}

WrittenVariables::WrittenVariables(const Module &module, llvm::ArrayRef<Block *> blocks) {
  for (const Block *block : blocks)
    note(module, *block);
}

} // namespace tailor
