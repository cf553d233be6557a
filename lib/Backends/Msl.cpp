//===- Backends/Msl.cpp - Metal, 2.0 and up --------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SPIRV-Cross 1.3.239 does not write max_total_threads_per_threadgroup, without
// which Metal may compile a kernel for fewer invocations than its workgroup has,
// and then runs nothing. The attribute is put ahead of the kernel here.
//
//===----------------------------------------------------------------------===//
#include "Backends/CrossSupport.h"

#include "spirv_cross/spirv_msl.hpp"

namespace tailor {
namespace {

constexpr uint32_t kBufferLengthsIndex = 30; ///< Metal has the buffer indices 0 to 30
constexpr uint32_t kBufferIndices = 31;
constexpr uint32_t kTextureIndices = 31; ///< on every device; newer ones have 128
constexpr uint32_t kSamplerIndices = 16;

struct Numbering {
  uint32_t buffers = 0, textures = 0, samplers = 0;
};

void bind(spirv_cross::CompilerMSL &compiler, uint32_t set, uint32_t binding, uint32_t count,
          const Numbering &at) {
  spirv_cross::MSLResourceBinding place;
  place.stage = spv::ExecutionModelGLCompute;
  place.desc_set = set;
  place.binding = binding;
  place.count = count;
  place.msl_buffer = at.buffers;
  place.msl_texture = at.textures;
  place.msl_sampler = at.samplers;
  compiler.add_msl_resource_binding(place);
}

/// How many indices a resource takes: the length of an array of resources, 0 for
/// a length that is not a literal.
uint32_t indicesOf(const spirv_cross::CompilerMSL &compiler, uint32_t id) {
  const spirv_cross::SPIRType &type = compiler.get_type_from_variable(id);
  uint64_t count = 1;
  for (size_t i = 0; i < type.array.size(); ++i)
    count *= type.array_size_literal[i] ? type.array[i] : 0;
  return count > UINT32_MAX ? 0 : static_cast<uint32_t>(count);
}

/// Numbers every resource (Backend.h says how).
Status numberResources(spirv_cross::CompilerMSL &compiler, const ModuleFacts &facts) {
  spirv_cross::ShaderResources resources = compiler.get_shader_resources();
  const std::vector<BoundResource> bound = boundResources(compiler, resources);
  Numbering next;
  for (size_t i = 0; i < bound.size(); ++i) {
    const BoundResource &resource = bound[i];
    if (i != 0 && bound[i - 1].set == resource.set && bound[i - 1].binding == resource.binding)
      return failure(facts.location(), "msl cannot express this kernel: '" + bound[i - 1].name +
                                           "' and '" + resource.name +
                                           "' are views of one binding");
    const uint32_t count = indicesOf(compiler, resource.id);
    if (count == 0 || count > kTextureIndices)
      return failure(facts.location(), "msl cannot express this kernel: the array '" +
                                           resource.name + "' takes more indices than Metal has");
    bind(compiler, resource.set, resource.binding, count, next);
    switch (resource.kind) {
    case BindingKind::UniformBuffer:
    case BindingKind::StorageBuffer:
      next.buffers += count;
      break;
    case BindingKind::Texture:
      next.textures += count;
      if (compiler.get_type_from_variable(resource.id).basetype ==
          spirv_cross::SPIRType::SampledImage)
        next.samplers += count;
      break;
    case BindingKind::Image:
      next.textures += count;
      break;
    case BindingKind::Sampler:
      next.samplers += count;
      break;
    }
  }
  if (!resources.push_constant_buffers.empty()) {
    bind(compiler, spirv_cross::kPushConstDescSet, spirv_cross::kPushConstBinding, 1, next);
    ++next.buffers;
  }
  const uint32_t usable = facts.firstUse(SpvOpArrayLength) ? kBufferLengthsIndex : kBufferIndices;
  if (next.buffers > usable || next.textures > kTextureIndices || next.samplers > kSamplerIndices)
    return failure(facts.location(), "the kernel has " + std::to_string(next.buffers) +
                                         " buffers, " + std::to_string(next.textures) +
                                         " textures and " + std::to_string(next.samplers) +
                                         " samplers, msl allows " + std::to_string(usable) + ", " +
                                         std::to_string(kTextureIndices) + " and " +
                                         std::to_string(kSamplerIndices));
  return success();
}

/// Puts the attribute ahead of the one line that starts with `kernel void`.
Status addThreadLimit(std::string &text, const EmitRequest &request) {
  constexpr std::string_view start = "\nkernel void ";
  size_t at = text.find(start);
  if (at == std::string::npos || text.find(start, at + 1) != std::string::npos)
    return failure(Location::inFile(request.fileName),
                   "the msl text does not have exactly one kernel", ErrorKind::Internal);
  text.insert(at + 1, "[[max_total_threads_per_threadgroup(" +
                          std::to_string(request.localSize.product()) + ")]]\n");
  if (invocationsInMsl(text) != request.localSize.product())
    return compareSize("msl", request, std::nullopt);
  return success();
}

} // namespace

Result<Emitted> emitMsl(const EmitRequest &request, const ModuleFacts &facts) {
  return guarded("msl", facts, [&]() -> Result<Emitted> {
    spirv_cross::CompilerMSL compiler(request.spirv.data(), request.spirv.size());
    // The text will not say the size: what the cross-compiler read is compared.
    if (Status same = compareSize("msl", request, selectEntryPoint(compiler, request.entryPoint));
        !same)
      return same.takeFailure();

    spirv_cross::CompilerMSL::Options options;
    options.msl_version = request.options.mslVersion;
    options.buffer_size_buffer_index = kBufferLengthsIndex;
    compiler.set_msl_options(options);
    if (Status numbered = numberResources(compiler, facts); !numbered)
      return numbered.takeFailure();

    LanguageInterface interface;
    std::string text = compiler.compile();
    if (Status limited = addThreadLimit(text, request); !limited)
      return limited.takeFailure();
    return Emitted{std::move(text), std::move(interface)};
  });
}

} // namespace tailor
