//===- Backends/Hlsl.cpp - HLSL, shader model 5.0 and up -------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/Forwarding.h"
#include "Backends/HlslModel.h"
#include "Backends/HlslModule.h"
#include "Backends/HlslNames.h"
#include "Backends/TextNames.h"

#include <algorithm>

namespace tailor {
namespace {

// Spaces that no kernel's own sets reach (Vulkan devices take 4 to 32 of them).
constexpr uint32_t kPushConstantSpace = 30;
constexpr uint32_t kWorkgroupCountSpace = 31;
constexpr uint32_t kWorkgroupCountBytes = 12;

/// Buffers that the host fills and that have no binding of their own: each in a space that is
/// theirs, or, where there are no spaces, behind the kernel's own constant buffers.
std::vector<PlacedValues> placeHostBuffers(spirv_cross::CompilerHLSL &compiler,
                                           const spirv_cross::ShaderResources &resources,
                                           spirv_cross::VariableID counts,
                                           const std::vector<BoundResource> &bound,
                                           bool hasSpaces) {
  uint32_t next = 0;
  for (const BoundResource &resource : bound)
    if (resource.kind == BindingKind::UniformBuffer)
      next = std::max(next, resource.binding + elementsOf(compiler, resource));
  std::vector<PlacedValues> placed;
  auto place = [&](spirv_cross::VariableID id, uint32_t space, std::string what, uint32_t bytes) {
    const uint32_t number = hasSpaces ? 0 : next++;
    compiler.set_decoration(id, spv::DecorationDescriptorSet, hasSpaces ? space : 0);
    compiler.set_decoration(id, spv::DecorationBinding, number);
    PlacedValues values{std::move(what), "uniform_buffer", "", bytes, {{"b", number}}};
    if (hasSpaces)
      values.place.push_back({"space", space});
    placed.push_back(std::move(values));
  };
  for (const spirv_cross::Resource &block : resources.push_constant_buffers)
    place(block.id, kPushConstantSpace, "push_constants",
          static_cast<uint32_t>(
              compiler.get_declared_struct_size(compiler.get_type(block.base_type_id))));
  if (counts)
    place(counts, kWorkgroupCountSpace, "workgroup_counts", kWorkgroupCountBytes);
  return placed;
}

Result<Emitted> compileHlsl(spirv_cross::CompilerHLSL &compiler, const EmitRequest &request,
                            const ModuleFacts &facts) {
  if (Status same = compareSize("hlsl", request, selectEntryPoint(compiler, request.entryPoint));
      !same)
    return same.takeFailure();
  // What the kernel does not use takes no register.
  auto used = compiler.get_active_interface_variables();
  spirv_cross::ShaderResources resources = compiler.get_shader_resources(used);
  const spirv_cross::VariableID counts = compiler.remap_num_workgroups_builtin();
  if (counts)
    used.insert(counts);
  compiler.set_enabled_interface_variables(std::move(used));
  const std::vector<BoundResource> bound = boundResources(compiler, resources);
  Result<HlslModel> chosen = chooseModel(request.options.hlslShaderModel, facts, compiler, bound,
                                         resources.push_constant_buffers);
  if (!chosen)
    return chosen.takeFailure();

  spirv_cross::CompilerHLSL::Options options;
  options.shader_model = chosen->model;
  options.enable_16bit_types = chosen->nativeTypes;
  // Images that are only read are textures, of which every format can be loaded.
  options.nonwritable_uav_texture_as_srv = true;
  compiler.set_hlsl_options(options);

  LanguageInterface interface;
  interface.entryPoint = "main";
  interface.version =
      "cs_" + std::to_string(chosen->model / 10) + "_" + std::to_string(chosen->model % 10);
  interface.features = chosen->features;
  interface.values = placeHostBuffers(compiler, resources, counts, bound, chosen->model >= 51);
  TextNames names(compiler, facts, isTakenInHlsl, TextNames::Functions::EndWithUnderscore);
  std::string text = respelled(names.compile(), hlslTypeOf);
  if (Status whole = refuseUnknownOps("hlsl", facts, text); !whole)
    return whole.takeFailure();
  if (Status same = compareSize("hlsl", request, sizeInHlsl(text)); !same)
    return same.takeFailure();
  if (Status filled = fillInterface(compiler, facts, bound, text, interface); !filled)
    return filled.takeFailure();
  return Emitted{std::move(text), std::move(interface)};
}

} // namespace

Result<Emitted> emitHlsl(const EmitRequest &request, const ModuleFacts &facts) {
  return guarded("hlsl", facts, [&]() -> Result<Emitted> {
    Holding<spirv_cross::CompilerHLSL> compiler(request.spirv);
    return compileHlsl(compiler, request, facts);
  });
}

} // namespace tailor
