//===- Backends/Glsl.cpp - GLSL for OpenGL, and for Vulkan -----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/CrossSupport.h"

#include "spirv_cross/spirv_glsl.hpp"

#include <algorithm>

namespace tailor {
namespace {

/// OpenGL samples through one object: each pair of image and sampler that the
/// kernel uses becomes one, at the binding of its image.
Status joinSamplers(spirv_cross::CompilerGLSL &compiler, const ModuleFacts &facts) {
  compiler.build_combined_image_samplers();
  const auto &pairs = compiler.get_combined_image_samplers();
  for (size_t i = 0; i < pairs.size(); ++i) {
    for (size_t j = 0; j < i; ++j)
      if (pairs[i].image_id == pairs[j].image_id)
        return failure(facts.location(),
                       "glsl cannot express this kernel: '" + compiler.get_name(pairs[i].image_id) +
                           "' is read through two samplers, and OpenGL joins an image to one");
    compiler.set_decoration(pairs[i].combined_id, spv::DecorationBinding,
                            compiler.get_decoration(pairs[i].image_id, spv::DecorationBinding));
    compiler.set_name(pairs[i].combined_id, compiler.get_name(pairs[i].image_id) + "_" +
                                                compiler.get_name(pairs[i].sampler_id));
  }
  return success();
}

/// Push constants become a uniform block with a name and a binding of their own.
void placePushConstants(spirv_cross::CompilerGLSL &compiler,
                        const spirv_cross::ShaderResources &resources,
                        const std::vector<BoundResource> &bound) {
  uint32_t binding = 0;
  for (const BoundResource &resource : bound)
    if (resource.kind == BindingKind::UniformBuffer)
      binding = std::max(binding, resource.binding + 1);
  for (const spirv_cross::Resource &block : resources.push_constant_buffers) {
    compiler.set_decoration(block.id, spv::DecorationBinding, binding);
    compiler.set_name(block.base_type_id, "PushConstants");
  }
}

} // namespace

Result<Emitted> emitGlsl(const EmitRequest &request, const ModuleFacts &facts) {
  return guarded("glsl", facts, [&]() -> Result<Emitted> {
    spirv_cross::CompilerGLSL compiler(request.spirv.data(), request.spirv.size());
    if (Status same = compareSize("glsl", request, selectEntryPoint(compiler, request.entryPoint));
        !same)
      return same.takeFailure();

    spirv_cross::CompilerGLSL::Options options = compiler.get_common_options();
    options.version = request.options.glslVersion;
    options.es = false;
    options.vulkan_semantics = request.options.vulkanGlsl;
    options.emit_push_constant_as_uniform_buffer = !request.options.vulkanGlsl;
    compiler.set_common_options(options);

    if (!request.options.vulkanGlsl) {
      spirv_cross::ShaderResources resources = compiler.get_shader_resources();
      std::vector<BoundResource> bound = boundResources(compiler, resources);
      if (Status separate = refuseSharedBindings("glsl", facts, bound); !separate)
        return separate.takeFailure();
      placePushConstants(compiler, resources, bound);
      if (!resources.separate_images.empty() || !resources.separate_samplers.empty())
        if (Status joined = joinSamplers(compiler, facts); !joined)
          return joined.takeFailure();
    }

    LanguageInterface interface;
    std::string text = compiler.compile();
    if (Status same = compareSize("glsl", request, sizeInGlsl(text)); !same)
      return same.takeFailure();
    return Emitted{std::move(text), std::move(interface)};
  });
}

} // namespace tailor
