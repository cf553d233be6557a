//===- Backends/Hlsl.cpp - HLSL, shader model 5.0 and up -------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/CrossSupport.h"

#include "spirv_cross/spirv_hlsl.hpp"

#include <algorithm>

namespace tailor {
namespace {

// Spaces that no kernel's own sets reach (Vulkan devices take 4 to 32 of them).
constexpr uint32_t kPushConstantSpace = 30;
constexpr uint32_t kWorkgroupCountSpace = 31;

/// What SPIRV-Cross 1.3.239 would write as something that is not HLSL.
Status refuseUnwritable(const ModuleFacts &facts, uint32_t shaderModel) {
  struct Unwritable {
    SpvOp op;
    std::string_view why;
  };
  constexpr Unwritable ops[] = {
      {SpvOpUMulExtended, "umulExtended (OpUMulExtended)"},
      {SpvOpSMulExtended, "imulExtended (OpSMulExtended)"},
      {SpvOpIAddCarry, "uaddCarry (OpIAddCarry)"},
      {SpvOpISubBorrow, "usubBorrow (OpISubBorrow)"},
  };
  for (const Unwritable &each : ops)
    if (Status possible = refuseOp("hlsl", facts, each.op, each.why); !possible)
      return possible;

  struct Type {
    SpvCapability capability;
    std::string_view name;
    uint32_t since; ///< shader model; UINT32_MAX: never
  };
  constexpr Type types[] = {
      {SpvCapabilityInt8, "8-bit integers", UINT32_MAX},
      {SpvCapabilityStorageBuffer8BitAccess, "8-bit buffers", UINT32_MAX},
      {SpvCapabilityUniformAndStorageBuffer8BitAccess, "8-bit buffers", UINT32_MAX},
      {SpvCapabilityFloat16, "16-bit floats", 62},
      {SpvCapabilityInt16, "16-bit integers", 62},
      {SpvCapabilityStorageBuffer16BitAccess, "16-bit buffers", 62},
      {SpvCapabilityUniformAndStorageBuffer16BitAccess, "16-bit buffers", 62},
      {SpvCapabilityInt64, "64-bit integers", 60},
  };
  for (const Type &type : types) {
    if (!facts.hasCapability(type.capability) || shaderModel >= type.since)
      continue;
    std::string text = "hlsl cannot express " + std::string(type.name);
    if (type.since != UINT32_MAX)
      text += " below shader model " + std::to_string(type.since / 10) + "." +
              std::to_string(type.since % 10);
    return failure(facts.location(), std::move(text));
  }
  return success();
}

/// Types that need templated loads and stores, which go with native 16-bit types.
bool hasNativeTypes(const ModuleFacts &facts) {
  for (SpvCapability capability :
       {SpvCapabilityFloat16, SpvCapabilityInt16, SpvCapabilityStorageBuffer16BitAccess,
        SpvCapabilityUniformAndStorageBuffer16BitAccess, SpvCapabilityFloat64, SpvCapabilityInt64})
    if (facts.hasCapability(capability))
      return true;
  return false;
}

/// Buffers that the host fills and that have no binding of their own: each in a
/// space that is theirs, or, where there are no spaces, behind the kernel's own
/// constant buffers.
void placeHostBuffers(spirv_cross::CompilerHLSL &compiler,
                      const spirv_cross::ShaderResources &resources,
                      const std::vector<BoundResource> &bound, bool hasSpaces) {
  uint32_t next = 0;
  for (const BoundResource &resource : bound)
    if (resource.kind == BindingKind::UniformBuffer)
      next = std::max(next, resource.binding + 1);
  auto place = [&](spirv_cross::VariableID id, uint32_t space) {
    compiler.set_decoration(id, spv::DecorationDescriptorSet, hasSpaces ? space : 0);
    compiler.set_decoration(id, spv::DecorationBinding, hasSpaces ? 0 : next++);
  };
  for (const spirv_cross::Resource &block : resources.push_constant_buffers)
    place(block.id, kPushConstantSpace);
  if (spirv_cross::VariableID counts = compiler.remap_num_workgroups_builtin())
    place(counts, kWorkgroupCountSpace);
}

} // namespace

Result<Emitted> emitHlsl(const EmitRequest &request, const ModuleFacts &facts) {
  const uint32_t shaderModel = request.options.hlslShaderModel;
  if (Status writable = refuseUnwritable(facts, shaderModel); !writable)
    return writable.takeFailure();
  return guarded("hlsl", facts, [&]() -> Result<Emitted> {
    spirv_cross::CompilerHLSL compiler(request.spirv.data(), request.spirv.size());
    if (Status same = compareSize("hlsl", request, selectEntryPoint(compiler, request.entryPoint));
        !same)
      return same.takeFailure();

    spirv_cross::CompilerHLSL::Options options;
    options.shader_model = shaderModel;
    // Only where they are needed: they ask the host's compiler for a flag of its own.
    options.enable_16bit_types = shaderModel >= 62 && hasNativeTypes(facts);
    compiler.set_hlsl_options(options);

    spirv_cross::ShaderResources resources = compiler.get_shader_resources();
    const std::vector<BoundResource> bound = boundResources(compiler, resources);
    const bool hasSpaces = shaderModel >= 51;
    if (!hasSpaces)
      if (Status separate = refuseSharedBindings("hlsl 5.0", facts, bound); !separate)
        return separate.takeFailure();
    placeHostBuffers(compiler, resources, bound, hasSpaces);

    LanguageInterface interface;
    std::string text = compiler.compile();
    if (Status same = compareSize("hlsl", request, sizeInHlsl(text)); !same)
      return same.takeFailure();
    return Emitted{std::move(text), std::move(interface)};
  });
}

} // namespace tailor
