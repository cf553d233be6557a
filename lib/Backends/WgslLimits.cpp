//===- Backends/WgslLimits.cpp -===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/WgslSteps.h"

#include "IR/Types.h"

namespace tailor::wgsl {
namespace {

/// A kind of resource with what WebGPU guarantees of it (section 3.6.2, "Limits").
struct ResourceLimit {
  std::string_view what, limit;
  unsigned count;
};
enum Kind : unsigned { StorageBuffers, UniformBuffers, StorageTextures, SampledTextures, Samplers };
constexpr ResourceLimit kLimits[] = {
    {"storage buffers", "maxStorageBuffersPerShaderStage", 8},
    {"uniform buffers", "maxUniformBuffersPerShaderStage", 12},
    {"storage textures", "maxStorageTexturesPerShaderStage", 4},
    {"sampled textures", "maxSampledTexturesPerShaderStage", 16},
    {"samplers", "maxSamplersPerShaderStage", 16},
};
constexpr uint32_t kBindGroups = 4, kBindings = 1000;
constexpr std::string_view kLimitSource = "WebGPU specification, section 3.6.2, \"Limits\": ";

std::optional<Kind> kindOf(const Module &module, const Instruction &variable) {
  std::optional<PointerType> pointer = pointerType(module, variable.typeId());
  const Instruction *type = pointer ? module.def(pointer->pointee) : nullptr;
  if (!type)
    return std::nullopt;
  switch (pointer->storageClass) {
  case spv::StorageClass::StorageBuffer:
    return StorageBuffers;
  case spv::StorageClass::Uniform:
    return module.hasDecoration(pointer->pointee, spv::Decoration::BufferBlock) ? StorageBuffers
                                                                                : UniformBuffers;
  case spv::StorageClass::UniformConstant:
    if (type->opcode() == spv::Op::OpTypeSampler)
      return Samplers;
    if (type->opcode() == spv::Op::OpTypeImage)
      return type->literal(5) == 2 ? StorageTextures : SampledTextures;
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

Failure over(Location where, const std::string &has, std::string_view limit, uint64_t count) {
  Diagnostic diagnostic =
      Diagnostic::error(where, has + ", wgsl guarantees " + std::to_string(count));
  diagnostic.addNote(std::move(where),
                     "the limit is from: " + std::string(kLimitSource) + std::string(limit));
  return failure(std::move(diagnostic));
}

} // namespace

Status refuseOverLimits(const Module &module, const LanguageLimits &limits) {
  unsigned counts[std::size(kLimits)] = {};
  uint64_t sharedBytes = 0;
  ConstantEvaluator constants(module);
  for (const Instruction &inst : module.section(Section::Globals)) {
    if (inst.opcode() != spv::Op::OpVariable)
      continue;
    const Location where = module.locationOf(inst);
    std::optional<PointerType> pointer = pointerType(module, inst.typeId());
    if (pointer && pointer->storageClass == spv::StorageClass::Workgroup)
      // WebGPU adds up the variables, each rounded up to 16 bytes.
      if (std::optional<TypeLayout> layout = layoutOf(module, pointer->pointee, constants))
        sharedBytes += (layout->size.count + 15) / 16 * 16;
    std::optional<Kind> kind = kindOf(module, inst);
    if (!kind)
      continue;
    const ResourceLimit &limit = kLimits[*kind];
    if (++counts[*kind] > limit.count)
      return over(where,
                  "the kernel has " + std::to_string(counts[*kind]) + " or more " +
                      std::string(limit.what),
                  limit.limit, limit.count);
    const uint32_t set =
        module.decoration(inst.result(), spv::Decoration::DescriptorSet).value_or(0);
    const uint32_t binding = module.decoration(inst.result(), spv::Decoration::Binding).value_or(0);
    const std::string name = "'" + module.name(inst.result()) + "' is in ";
    if (set >= kBindGroups)
      return over(where, name + "set " + std::to_string(set) + ", of sets from 0", "maxBindGroups",
                  kBindGroups);
    if (binding >= kBindings)
      return over(where, name + "binding " + std::to_string(binding) + ", of bindings from 0",
                  "maxBindingsPerBindGroup", kBindings);
  }
  if (sharedBytes > limits.maxSharedBytes)
    return failure(
        Diagnostic::error(
            Location::inFile(module.source.file),
            "workgroup memory has " + std::to_string(sharedBytes) +
                " bytes as wgsl lays it out, wgsl " +
                (limits.strength == LimitStrength::Guaranteed ? "guarantees " : "is given ") +
                std::to_string(limits.maxSharedBytes))
            .withNote({}, "the limit is from: " + std::string(limits.source)));
  return success();
}

} // namespace tailor::wgsl
