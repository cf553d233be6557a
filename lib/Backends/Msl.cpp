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
#include "Backends/Forwarding.h"
#include "Backends/MslNames.h"
#include "Backends/MslRules.h"
#include "Backends/TextNames.h"

#include "spirv_cross/spirv_msl.hpp"

#include <algorithm>
#include <charconv>

namespace tailor {
namespace {

constexpr uint32_t kBufferLengthsIndex = 30; ///< Metal has the buffer indices 0 to 30
constexpr uint32_t kBufferIndices = 31;
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
Status numberResources(spirv_cross::CompilerMSL &compiler, const ModuleFacts &facts,
                       const spirv_cross::ShaderResources &resources,
                       const std::vector<BoundResource> &bound, uint32_t textureIndices) {
  Numbering next;
  for (size_t i = 0; i < bound.size(); ++i) {
    const BoundResource &resource = bound[i];
    if (i != 0 && bound[i - 1].set == resource.set && bound[i - 1].binding == resource.binding)
      return failure(facts.location(), "msl cannot express this kernel: '" + bound[i - 1].name +
                                           "' and '" + resource.name +
                                           "' are views of one binding");
    const uint32_t count = indicesOf(compiler, resource.id);
    if (count == 0 || count > textureIndices)
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
  if (next.buffers > usable || next.textures > textureIndices || next.samplers > kSamplerIndices)
    return failure(facts.location(), "the kernel has " + std::to_string(next.buffers) +
                                         " buffers, " + std::to_string(next.textures) +
                                         " textures and " + std::to_string(next.samplers) +
                                         " samplers, msl allows " + std::to_string(usable) + ", " +
                                         std::to_string(textureIndices) + " and " +
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

/// An argument of the kernel that the host binds, as the text declares it.
struct Argument {
  std::string name, declaration;
  std::string word; ///< buffer, texture, sampler
  uint32_t index = 0;
};

/// The arguments with an index of the one kernel of the text.
std::vector<Argument> argumentsOf(const std::string &text) {
  std::vector<Argument> result;
  const size_t line = text.find("\nkernel void ");
  const std::string signature = text.substr(line + 1, text.find('\n', line + 1) - line - 1);
  size_t begin = signature.find('(') + 1;
  for (size_t open = signature.find(" [[", begin); open != std::string::npos;
       open = signature.find(" [[", begin)) {
    Argument argument;
    argument.declaration = signature.substr(begin, open - begin);
    argument.name = argument.declaration.substr(argument.declaration.rfind(' ') + 1);
    const size_t close = signature.find("]]", open);
    const std::string attribute = signature.substr(open + 3, close - open - 3);
    const size_t bracket = attribute.find('(');
    if (bracket != std::string::npos) {
      argument.word = attribute.substr(0, bracket);
      std::from_chars(attribute.data() + bracket + 1, attribute.data() + attribute.size(),
                      argument.index);
      result.push_back(argument);
    }
    begin = std::min(signature.size(), close + std::string_view("]], ").size());
  }
  return result;
}

const Argument *argumentAt(const std::vector<Argument> &arguments, std::string_view word,
                           uint32_t index) {
  for (const Argument &each : arguments)
    if (each.word == word && each.index == index)
      return &each;
  return nullptr;
}

std::string kindOf(const BoundResource &resource, const spirv_cross::SPIRType &type) {
  if ((resource.kind == BindingKind::Texture || resource.kind == BindingKind::Image) &&
      type.image.dim == spv::DimBuffer)
    return "texel_buffer";
  switch (resource.kind) {
  case BindingKind::UniformBuffer:
    return "uniform_buffer";
  case BindingKind::StorageBuffer:
    return "storage_buffer";
  case BindingKind::Texture:
    return "texture";
  case BindingKind::Image:
    return "image";
  case BindingKind::Sampler:
    return "sampler";
  }
  return "";
}

/// The resources as the text has them: one that it has no argument for is left out.
std::vector<PlacedResource> placedResources(const spirv_cross::CompilerMSL &compiler,
                                            const std::vector<BoundResource> &bound,
                                            const std::vector<Argument> &arguments) {
  std::vector<PlacedResource> result;
  for (const BoundResource &resource : bound) {
    const spirv_cross::SPIRType &type = compiler.get_type_from_variable(resource.id);
    auto add = [&](std::string kind, const char *word, uint32_t index) {
      const Argument *argument = argumentAt(arguments, word, index);
      if (!argument)
        return;
      PlacedResource placed;
      placed.kind = std::move(kind);
      placed.name = argument->name;
      placed.set = resource.set;
      placed.binding = resource.binding;
      placed.count = indicesOf(compiler, resource.id);
      const std::string &text = argument->declaration;
      placed.writes = placed.kind == "storage_buffer"
                          ? text.find("const device") == std::string::npos
                          : text.find("write>") != std::string::npos;
      placed.place = {{word, index}};
      result.push_back(std::move(placed));
    };
    const uint32_t index = compiler.get_automatic_msl_resource_binding(resource.id);
    const bool isBuffer =
        resource.kind == BindingKind::UniformBuffer || resource.kind == BindingKind::StorageBuffer;
    const char *word = resource.kind == BindingKind::Sampler ? "sampler"
                       : isBuffer                            ? "buffer"
                                                             : "texture";
    add(kindOf(resource, type), word, index);
    if (type.basetype == spirv_cross::SPIRType::SampledImage)
      add("sampler", "sampler", compiler.get_automatic_msl_resource_binding_secondary(resource.id));
  }
  std::sort(result.begin(), result.end(), [](const PlacedResource &a, const PlacedResource &b) {
    return std::tie(a.set, a.binding, a.kind) < std::tie(b.set, b.binding, b.kind);
  });
  return result;
}

std::vector<PlacedValues> placedValues(const spirv_cross::CompilerMSL &compiler,
                                       const spirv_cross::ShaderResources &resources,
                                       const std::vector<Argument> &arguments) {
  std::vector<PlacedValues> result;
  if (const Argument *lengths = argumentAt(arguments, "buffer", kBufferLengthsIndex);
      lengths && compiler.needs_buffer_size_buffer())
    result.push_back({"buffer_lengths", "buffer", lengths->name, 0, {{"buffer", lengths->index}}});
  for (const spirv_cross::Resource &block : resources.push_constant_buffers) {
    const Argument *argument =
        argumentAt(arguments, "buffer", compiler.get_automatic_msl_resource_binding(block.id));
    if (!argument)
      continue;
    const size_t bytes = compiler.get_declared_struct_size(compiler.get_type(block.base_type_id));
    result.push_back({"push_constants",
                      "buffer",
                      argument->name,
                      static_cast<uint32_t>(bytes),
                      {{"buffer", argument->index}}});
  }
  return result;
}

Result<Emitted> emitOnce(const EmitRequest &request, const ModuleFacts &facts) {
  Result<std::set<std::string>> features = checkMslRules(request, facts);
  if (!features)
    return features.takeFailure();
  return guarded("msl", facts, [&]() -> Result<Emitted> {
    Holding<spirv_cross::CompilerMSL> compiler(request.spirv);
    // The text will not say the size: what the cross-compiler read is compared.
    if (Status same = compareSize("msl", request, selectEntryPoint(compiler, request.entryPoint));
        !same)
      return same.takeFailure();

    const bool isMac = request.options.mslPlatform == MslPlatform::MacOs;
    spirv_cross::CompilerMSL::Options options;
    options.platform =
        isMac ? spirv_cross::CompilerMSL::Options::macOS : spirv_cross::CompilerMSL::Options::iOS;
    options.msl_version = request.options.mslVersion;
    options.buffer_size_buffer_index = kBufferLengthsIndex;
    options.texture_buffer_native = request.options.mslVersion >= 20100;
    options.ios_use_simdgroup_functions = true;
    compiler.set_msl_options(options);
    const spirv_cross::ShaderResources resources = compiler.get_shader_resources();
    const std::vector<BoundResource> bound = boundResources(compiler, resources);
    if (Status numbered = numberResources(compiler, facts, resources, bound,
                                          mslTextures(request.options.mslPlatform));
        !numbered)
      return numbered.takeFailure();

    // `main` becomes main0.
    std::string entryPoint = request.entryPoint;
    if (entryPoint != "main" && isTakenInMsl(entryPoint)) {
      entryPoint += '_';
      compiler.rename_entry_point(request.entryPoint, entryPoint, spv::ExecutionModelGLCompute);
    }
    TextNames names(compiler, facts, isTakenInMsl, TextNames::Functions::EndWithUnderscore);
    std::string text = withTextureFences(names.compile());
    if (Status whole = refuseUnknownOps("msl", facts, text); !whole)
      return whole.takeFailure();
    LanguageInterface interface;
    interface.entryPoint =
        compiler.get_cleansed_entry_point_name(entryPoint, spv::ExecutionModelGLCompute);
    interface.version =
        "metal" + mslVersionName(request.options.mslVersion) + (isMac ? " macos" : " ios");
    const std::vector<Argument> arguments = argumentsOf(text);
    interface.resources = placedResources(compiler, bound, arguments);
    interface.values = placedValues(compiler, resources, arguments);
    interface.features.assign(features->begin(), features->end());
    if (Status limited = addThreadLimit(text, request); !limited)
      return limited.takeFailure();
    return Emitted{std::move(text), std::move(interface)};
  });
}

} // namespace

Result<Emitted> emitMsl(const EmitRequest &request, const ModuleFacts &facts) {
  const std::span<const uint32_t> versions = mslVersions();
  const uint32_t asked = request.options.mslVersion;
  if (std::find(versions.begin(), versions.end(), asked) == versions.end())
    return failure(facts.location(),
                   "the Metal version is 2.0 to 2.4, 3.0 or 3.1 (20000 to 30100), not " +
                       std::to_string(asked),
                   ErrorKind::Usage);
  Result<Emitted> made = emitOnce(request, facts);
  if (made || made.diagnostic().kind != ErrorKind::Refused)
    return made;
  // Whether it was the version: the first that does is named.
  for (uint32_t version : versions) {
    if (version <= asked)
      continue;
    EmitRequest newer = request;
    newer.options.mslVersion = version;
    if (!emitOnce(newer, facts))
      continue;
    Diagnostic diagnostic = made.diagnostic();
    diagnostic.text += " (Metal " + mslVersionName(version) + " would do)";
    return failure(std::move(diagnostic));
  }
  return made;
}

} // namespace tailor
