//===- Analysis/Descriptors.cpp --------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/Descriptors.h"

#include "Analysis/KernelAnalysis.h"
#include "Analysis/Opcodes.h"
#include "IR/Types.h"

namespace tailor {

DescriptorIndices descriptorIndices(const Module &module, const Instruction &access,
                                    const PointerPath &path) {
  DescriptorIndices result;
  std::optional<PointerType> type = pointerType(module, path.variable->typeId());
  const Instruction *pointee = type ? module.def(type->pointee) : nullptr;
  unsigned dimensions = 0;
  while (pointee && (pointee->opcode() == spv::Op::OpTypeArray ||
                     pointee->opcode() == spv::Op::OpTypeRuntimeArray)) {
    ++dimensions;
    pointee = module.def(pointee->id(0));
  }
  bool isDescriptor = path.space == MemorySpace::UniformBuffer ||
                      path.space == MemorySpace::StorageBuffer ||
                      path.space == MemorySpace::Resource;
  if (dimensions == 0 || !isDescriptor)
    return result;
  if (path.indices.size() < dimensions) {
    result.wholeArray = true;
    return result;
  }
  bool nonUniform = module.hasDecoration(access.result(), spv::Decoration::NonUniform);
  for (const Instruction *chain : path.chains)
    nonUniform |= module.hasDecoration(chain->result(), spv::Decoration::NonUniform);
  if (!nonUniform)
    result.mustBeUniform.append(path.indices.begin(), path.indices.begin() + dimensions);
  return result;
}

bool isUniformInDispatch(const KernelAnalysis &kernel, Id value, const Block &use) {
  return kernel.ids().summary(value).variation() == Variation::Dispatch ||
         kernel.uniformity().at(value, use) == UniformityScope::Dispatch;
}

llvm::SmallVector<std::optional<PointerPath>, 2> accessedPaths(const Module &module,
                                                               const Instruction &access) {
  llvm::SmallVector<std::optional<PointerPath>, 2> paths;
  spv::Op op = access.opcode();
  switch (classOf(op)) {
  case OpcodeClass::Memory:
    if (op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain)
      break;
    paths.push_back(tracePointer(module, access.id(0)));
    if (op == spv::Op::OpCopyMemory)
      paths.push_back(tracePointer(module, access.id(1)));
    break;
  case OpcodeClass::ImageAccess:
    paths.push_back(op == spv::Op::OpImageTexelPointer ? tracePointer(module, access.id(0))
                                                       : traceResource(module, access.id(0)));
    break;
  case OpcodeClass::ImageSample:
  case OpcodeClass::ImageQuery:
    paths.push_back(traceResource(module, access.id(0)));
    break;
  case OpcodeClass::ArrayLength:
    paths.push_back(tracePointer(module, access.id(0)));
    break;
  case OpcodeClass::Atomic: {
    const Instruction *pointer = module.def(access.id(0));
    bool isTexel = pointer && pointer->opcode() == spv::Op::OpImageTexelPointer;
    paths.push_back(tracePointer(module, isTexel ? pointer->id(0) : access.id(0)));
    break;
  }
  default:
    break;
  }
  return paths;
}

} // namespace tailor
