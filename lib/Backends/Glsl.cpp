//===- Backends/Glsl.cpp - GLSL for OpenGL, for ES and for Vulkan ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/Forwarding.h"
#include "Backends/GlslNames.h"
#include "Backends/GlslResources.h"
#include "Backends/GlslRules.h"
#include "Support/SpirvTools.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace tailor {
namespace {

using Compiler = spirv_cross::CompilerGLSL;

/// What SPIRV-Cross asks for and the OpenGL and OpenGL ES registries have.
constexpr std::array<std::string_view, 7> kOpenGlExtensions{
    "GL_ARB_enhanced_layouts",     "GL_ARB_gpu_shader_int64",
    "GL_ARB_texture_query_levels", "GL_EXT_shader_image_load_formatted",
    "GL_EXT_texture_buffer",       "GL_EXT_texture_shadow_lod",
    "GL_OES_shader_image_atomic"};

Compiler::Options optionsFor(const Compiler &compiler, const GlslProfile &profile) {
  Compiler::Options options = compiler.get_common_options();
  options.version = profile.version;
  options.es = profile.es;
  options.vulkan_semantics = profile.vulkan;
  options.emit_push_constant_as_uniform_buffer = profile.isOpenGl();
  return options;
}

enum class PushConstantForm : uint8_t { UniformBlock, StorageBlock };

/// The module with its push constants as a storage buffer. Two pointer types of one pointee may
/// come of it, which SPIRV-Cross does not mind.
std::vector<uint32_t> pushConstantsInStorage(std::span<const uint32_t> words) {
  std::vector<uint32_t> result(words.begin(), words.end());
  for (size_t at = kSpirvHeaderWords; at < result.size(); at += result[at] >> 16) {
    const auto op = static_cast<SpvOp>(result[at] & 0xffff);
    const size_t storage = op == SpvOpTypePointer ? at + 2 : op == SpvOpVariable ? at + 3 : 0;
    if (storage != 0 && result[storage] == uint32_t{SpvStorageClassPushConstant})
      result[storage] = SpvStorageClassStorageBuffer;
  }
  return result;
}

/// 0: the kernel has none.
uint32_t pushConstantVariable(const GlslScan &scan) {
  for (const GlslScan::Inst &inst : scan.instructions())
    if (inst.op == SpvOpVariable && inst.operand(2) == uint32_t{SpvStorageClassPushConstant})
      return inst.operand(1);
  return 0;
}

bool hasVolatileAccess(const GlslScan::Inst &inst) {
  const uint32_t operands = inst.op == SpvOpLoad    ? inst.operand(3)
                            : inst.op == SpvOpStore ? inst.operand(2)
                                                    : 0;
  return (operands & SpvMemoryAccessVolatileMask) != 0;
}

bool isStorageImage(const GlslScan &scan, const GlslScan::Resource &resource) {
  const GlslScan::Inst &type = scan.def(resource.type);
  return type.op == SpvOpTypeImage && type.operand(6) == 2;
}

bool isStorageBuffer(const GlslScan &scan, const GlslScan::Resource &resource) {
  return resource.storage == SpvStorageClassStorageBuffer ||
         scan.hasDecoration(resource.type, SpvDecorationBufferBlock);
}

/// SPIRV-Cross 1.3.239 writes `coherent` where a whole block has it, and drops it from single
/// members; GLSL has no word for the accesses of the Vulkan memory model. Whole resources take it
/// here, which only asks for more.
void widenCoherence(Compiler &compiler, const ModuleFacts &facts, const GlslScan &scan) {
  const bool isCoherent = facts.hasCapability(SpvCapabilityVulkanMemoryModel);
  for (const GlslScan::Resource &resource : scan.resources())
    if (isStorageImage(scan, resource) || isStorageBuffer(scan, resource))
      if (isCoherent || scan.hasMemberDecoration(resource.type, SpvDecorationCoherent))
        compiler.set_decoration(resource.id, spv::DecorationCoherent);
}

/// SPIRV-Cross 1.3.239 never writes `volatile`. A block takes it here in its declaration, where
/// ` buffer NAME` ends a line; an access that is volatile makes all blocks so.
Status addVolatile(std::string &text, const Compiler &compiler, const TextNames &names,
                   const GlslProfile &profile, const ModuleFacts &facts, const GlslScan &scan) {
  const bool isAll =
      std::any_of(scan.instructions().begin(), scan.instructions().end(), hasVolatileAccess);
  for (const GlslScan::Resource &resource : scan.resources()) {
    const bool isVolatile = isAll || scan.hasDecoration(resource.id, SpvDecorationVolatile) ||
                            scan.hasMemberDecoration(resource.type, SpvDecorationVolatile);
    if (isVolatile && isStorageImage(scan, resource))
      return profile.cannot(facts.at(resource.word),
                            "volatile images (" + scan.name(resource) + ")");
    if (!isVolatile || !isStorageBuffer(scan, resource))
      continue;
    const std::string declared =
        " buffer " + names.of(compiler.get_remapped_declared_block_name(resource.id)) + "\n";
    const size_t at = text.find(declared);
    if (at == std::string::npos || text.find(declared, at + 1) != std::string::npos)
      return profile.cannot(facts.at(resource.word),
                            "volatile memory (" + scan.name(resource) + ")");
    text.insert(at, " volatile");
  }
  return success();
}

/// Whether the matrices of storage blocks lie as the layouts in the text say.
Status checkWrittenLayouts(const std::string &text, const Compiler &compiler,
                           const TextNames &names, const GlslProfile &profile,
                           const ModuleFacts &facts, const GlslScan &scan) {
  for (const GlslScan::Resource &resource : scan.resources()) {
    if (!isStorageBuffer(scan, resource))
      continue;
    const size_t at = text.find(
        " buffer " + names.of(compiler.get_remapped_declared_block_name(resource.id)) + "\n");
    if (at == std::string::npos)
      continue; // not declared
    const std::string_view line =
        std::string_view(text).substr(0, at).substr(text.rfind('\n', at) + 1);
    const bool isStd140 = line.find("std140") != std::string_view::npos;
    if (Status fine = checkWrittenLayout(profile, facts, scan, resource, isStd140); !fine)
      return fine;
  }
  return success();
}

/// GLSL ES 3.10, 4.9 "Memory Access Qualifiers": an image of most formats is readonly or writeonly.
/// SPIRV-Cross writes both qualifiers from what the kernel does with the image.
Status checkEsAccess(const Compiler &compiler, const GlslProfile &profile, const ModuleFacts &facts,
                     const GlslScan &scan) {
  for (const GlslScan::Resource &resource : scan.resources()) {
    const auto format = static_cast<SpvImageFormat>(scan.def(resource.type).operand(7));
    if (!isStorageImage(scan, resource) || isEsReadWriteFormat(format) ||
        compiler.has_decoration(resource.id, spv::DecorationNonWritable) ||
        compiler.has_decoration(resource.id, spv::DecorationNonReadable))
      continue;
    return profile.cannot(facts.at(resource.word),
                          "an image of the format " + std::string(glslFormatName(format)) +
                              " that is both read and written (" + scan.name(resource) + ")");
  }
  return success();
}

/// SPIRV-Cross 1.3.239 takes AMD's extension for halves first, which a module that comes of the
/// text would then ask of the device.
void preferKhronosHalf(std::string &text) {
  constexpr std::string_view kVendor = "#if defined(GL_AMD_gpu_shader_half_float)\n"
                                       "#extension GL_AMD_gpu_shader_half_float : require\n"
                                       "#elif ";
  if (size_t at = text.find(kVendor); at != std::string::npos)
    text.replace(at, kVendor.size(), "#if ");
}

bool isWordChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Whether `name` stands in front of a variable that it is the type of.
bool isUsedAsType(std::string_view text, std::string_view name) {
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    const bool isWord = (at == 0 || !isWordChar(text[at - 1])) && end + 1 < text.size();
    if (isWord && text[end] == ' ' && isWordChar(text[end + 1]))
      return true;
  }
  return false;
}

/// The name of a block is no type: a whole block cannot be copied, as SPIRV-Cross does.
Status checkBlockCopies(const GlslProfile &profile, const ModuleFacts &facts,
                        const GlslResources &resources, const std::string &text) {
  for (const std::string &name : resources.blockNames())
    if (isUsedAsType(text, name))
      return profile.cannot(facts.location(), "a copy of the whole block '" + name + "'");
  return success();
}

Status checkExtensions(const GlslProfile &profile, const ModuleFacts &facts,
                       const LanguageInterface &interface) {
  if (profile.vulkan)
    return success();
  for (const std::string &name : interface.features)
    if (std::find(kOpenGlExtensions.begin(), kOpenGlExtensions.end(), name) ==
        kOpenGlExtensions.end())
      return profile.cannot(facts.location(),
                            "this kernel without " + name + ", which is no extension of it");
  return success();
}

/// Drivers lay workgroup memory out as they lay buffers out, with vectors of three as wide as those
/// of four: what is guaranteed must hold there too.
Status checkSharedMemory(const GlslProfile &profile, const EmitRequest &request,
                         const ModuleFacts &facts) {
  if (profile.vulkan)
    return success();
  const uint64_t bytes = facts.sharedBytes(SharedLayout::WideVec3).value_or(0);
  return checkLimits(*findBackend(profile.target), request.localSize, bytes, facts.location(),
                     request.options);
}

/// One way to write the text: push constants in a uniform block or in a storage block.
Result<Emitted> writeText(const GlslProfile &profile, const EmitRequest &request,
                          const ModuleFacts &facts, const GlslScan &scan,
                          PushConstantForm pushConstants) {
  if (Status fine = checkMatrixLayout(
          profile, facts, scan, !profile.vulkan && pushConstants == PushConstantForm::UniformBlock);
      !fine)
    return fine.takeFailure();
  return guarded(profile.target, facts, [&]() -> Result<Emitted> {
    std::vector<uint32_t> changed;
    if (pushConstants == PushConstantForm::StorageBlock)
      changed = pushConstantsInStorage(request.spirv);
    Holding<Compiler> compiler(changed.empty() ? request.spirv : changed);
    if (Status same =
            compareSize(profile.target, request, selectEntryPoint(compiler, request.entryPoint));
        !same)
      return same.takeFailure();
    compiler.set_common_options(optionsFor(compiler, profile));
    widenCoherence(compiler, facts, scan);
    TextNames names(compiler, facts, isTakenInGlsl, TextNames::Functions::AsTheyAre);
    GlslResources resources(compiler, profile, facts, pushConstantVariable(scan), names);
    if (Status placed = resources.place(); !placed)
      return placed.takeFailure();

    Emitted made;
    made.code = names.compile(resources.joined());
    preferKhronosHalf(made.code);
    if (Status fine = checkWrittenLayouts(made.code, compiler, names, profile, facts, scan); !fine)
      return fine.takeFailure();
    if (Status fine = addVolatile(made.code, compiler, names, profile, facts, scan); !fine)
      return fine.takeFailure();
    made.interface = resources.interface(made.code);
    if (Status whole = refuseUnknownOps(profile.language, facts, made.code); !whole)
      return whole.takeFailure();
    if (Status fine = checkBlockCopies(profile, facts, resources, made.code); !fine)
      return fine.takeFailure();
    if (Status known = checkExtensions(profile, facts, made.interface); !known)
      return known.takeFailure();
    if (profile.es)
      if (Status fine = checkEsAccess(compiler, profile, facts, scan); !fine)
        return fine.takeFailure();
    if (Status same = compareSize(profile.target, request, sizeInGlsl(made.code)); !same)
      return same.takeFailure();
    return made;
  });
}

Result<Emitted> emitProfile(const GlslProfile &profile, const EmitRequest &request,
                            const ModuleFacts &facts) {
  if (Status fits = checkSharedMemory(profile, request, facts); !fits)
    return fits.takeFailure();
  const GlslScan scan(facts);
  if (Status fine = checkGlslDeclarations(profile, facts, scan); !fine)
    return fine.takeFailure();
  if (Status fine = checkGlslInstructions(profile, facts, scan); !fine)
    return fine.takeFailure();
  Result<Emitted> made = writeText(profile, request, facts, scan, PushConstantForm::UniformBlock);
  if (made || profile.vulkan || pushConstantVariable(scan) == 0)
    return made;
  // std140, the layout of uniform blocks, has no arrays of floats without gaps; std430 has.
  Result<Emitted> other = writeText(profile, request, facts, scan, PushConstantForm::StorageBlock);
  return other ? std::move(other) : std::move(made);
}

} // namespace

Result<Emitted> emitGlsl(const EmitRequest &request, const ModuleFacts &facts) {
  Result<GlslProfile> profile = glslProfile(request, false);
  if (!profile)
    return profile.takeFailure();
  return emitProfile(*profile, request, facts);
}

Result<Emitted> emitEssl(const EmitRequest &request, const ModuleFacts &facts) {
  Result<GlslProfile> profile = glslProfile(request, true);
  if (!profile)
    return profile.takeFailure();
  return emitProfile(*profile, request, facts);
}

} // namespace tailor
