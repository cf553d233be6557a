//===- Backends/GlslResources.cpp ------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/GlslResources.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace tailor {
namespace {

constexpr BindingKind kKinds[] = {BindingKind::UniformBuffer, BindingKind::StorageBuffer,
                                  BindingKind::Texture, BindingKind::Image};

std::string_view pluralOf(BindingKind kind) {
  switch (kind) {
  case BindingKind::UniformBuffer:
    return "uniform buffers";
  case BindingKind::StorageBuffer:
    return "storage buffers";
  case BindingKind::Texture:
    return "textures";
  case BindingKind::Image:
    return "storage images";
  case BindingKind::Sampler:
    return "samplers";
  }
  return "resources";
}

bool isBuffer(BindingKind kind) {
  return kind == BindingKind::UniformBuffer || kind == BindingKind::StorageBuffer;
}

} // namespace

uint32_t GlslResources::countOf(uint32_t id) const {
  const spirv_cross::SPIRType &type = compiler.get_type_from_variable(id);
  uint64_t count = 1;
  for (size_t i = 0; i < type.array.size(); ++i)
    count *= type.array_size_literal[i] ? type.array[i] : 0;
  return count > UINT32_MAX ? 0 : static_cast<uint32_t>(count);
}

void GlslResources::joinSamplers() {
  const uint32_t none = compiler.build_dummy_sampler_for_combined_images();
  compiler.build_combined_image_samplers();
  for (const spirv_cross::CombinedImageSampler &pair : compiler.get_combined_image_samplers()) {
    auto decoration = [&](uint32_t id, spv::Decoration which) {
      return compiler.get_decoration(id, which);
    };
    GlslResource joined{BindingKind::Texture, pair.combined_id,
                        decoration(pair.image_id, spv::DecorationDescriptorSet),
                        decoration(pair.image_id, spv::DecorationBinding),
                        countOf(pair.combined_id)};
    std::string name = compiler.get_name(pair.image_id);
    if (pair.sampler_id != none) {
      joined.sampler.emplace(decoration(pair.sampler_id, spv::DecorationDescriptorSet),
                             decoration(pair.sampler_id, spv::DecorationBinding));
      name += "_" + compiler.get_name(pair.sampler_id);
    }
    compiler.set_name(pair.combined_id, name);
    list.push_back(joined);
  }
}

void GlslResources::gather() {
  const spirv_cross::ShaderResources resources = compiler.get_shader_resources();
  for (const BoundResource &each : boundResources(compiler, resources)) {
    const auto &type = compiler.get_type_from_variable(each.id);
    const bool isSeparate =
        each.kind == BindingKind::Sampler ||
        (each.kind == BindingKind::Texture && type.basetype == spirv_cross::SPIRType::Image &&
         type.image.dim != spv::DimBuffer);
    if (each.id != pushConstants && (profile.vulkan || !isSeparate))
      list.push_back({each.kind, each.id, each.set, each.binding, countOf(each.id)});
  }
  if (profile.isOpenGl() &&
      (!resources.separate_images.empty() || !resources.separate_samplers.empty()))
    joinSamplers();
  std::sort(list.begin(), list.end(), [](const GlslResource &a, const GlslResource &b) {
    return std::tie(a.set, a.binding, a.id) < std::tie(b.set, b.binding, b.id);
  });
  if (pushConstants == 0)
    return;
  const bool isStorage =
      compiler.get_storage_class(pushConstants) == spv::StorageClassStorageBuffer;
  GlslResource values{isStorage ? BindingKind::StorageBuffer : BindingKind::UniformBuffer,
                      pushConstants, 0, 0, 1};
  values.isPushConstants = true;
  list.push_back(values);
  if (isStorage)
    compiler.set_decoration(pushConstants, spv::DecorationNonWritable);
  if (profile.isOpenGl())
    compiler.set_name(compiler.get_type_from_variable(pushConstants).self, "PushConstants");
}

bool GlslResources::keepsBindings(const std::vector<GlslResource *> &of, uint32_t limit) const {
  for (size_t i = 0; i < of.size(); ++i) {
    const GlslResource &a = *of[i];
    if (a.isPushConstants)
      continue;
    if (uint64_t{a.binding} + a.count > limit)
      return false;
    for (size_t j = 0; j < i; ++j) {
      const GlslResource &b = *of[j];
      const bool isOneBuffer = isBuffer(a.kind) && a.set == b.set && a.binding == b.binding;
      if (!isOneBuffer && a.binding < b.binding + b.count && b.binding < a.binding + a.count)
        return false;
    }
  }
  return true;
}

void GlslResources::placeKind(BindingKind kind) {
  std::vector<GlslResource *> of;
  for (GlslResource &resource : list)
    if (resource.kind == kind)
      of.push_back(&resource);
  const uint32_t limit = profile.bindingLimit(kind);
  const bool hasPushConstants = !of.empty() && of.back()->isPushConstants;
  auto end = [&](const GlslResource *resource) { return resource->place + resource->count; };
  uint32_t next = 0;
  if (keepsBindings(of, limit)) {
    for (GlslResource *resource : of)
      if (!resource->isPushConstants) {
        resource->place = resource->binding;
        next = std::max(next, end(resource));
      }
    if (!hasPushConstants || next < limit) {
      if (hasPushConstants)
        of.back()->place = next;
      return;
    }
  }
  next = 0;
  for (size_t i = 0; i < of.size(); ++i) {
    const GlslResource *before = i == 0 ? nullptr : of[i - 1];
    const bool isOneBuffer = before && isBuffer(kind) && !of[i]->isPushConstants &&
                             before->set == of[i]->set && before->binding == of[i]->binding;
    of[i]->place = isOneBuffer ? before->place : next;
    next = std::max(next, end(of[i]));
  }
}

Status GlslResources::checkCounts() const {
  std::map<BindingKind, uint64_t> counts;
  for (const GlslResource &resource : list) {
    if (resource.count == 0)
      return profile.cannot(facts.location(),
                            "an array of resources whose length is no literal ('" +
                                nameOf(resource) + "')");
    counts[resource.kind] += resource.count;
  }
  auto over = [&](uint64_t has, std::string_view what, uint32_t guaranteed) {
    Diagnostic diagnostic = Diagnostic::error(
        facts.location(), "the kernel has " + std::to_string(has) + " " + std::string(what) + ", " +
                              profile.target + " guarantees " + std::to_string(guaranteed));
    diagnostic.addNote(facts.location(),
                       "the limit is from: " + std::string(profile.limits.source));
    return failure(std::move(diagnostic));
  };
  for (BindingKind kind : kKinds)
    if (counts[kind] > profile.countLimit(kind))
      return over(counts[kind], pluralOf(kind), profile.countLimit(kind));
  const uint64_t outputs = counts[BindingKind::StorageBuffer] + counts[BindingKind::Image];
  if (outputs > profile.limits.outputs)
    return over(outputs, "storage buffers and storage images", profile.limits.outputs);
  return success();
}

Status GlslResources::checkBlockSizes() const {
  for (const GlslResource &resource : list) {
    if (resource.kind != BindingKind::UniformBuffer)
      continue;
    const auto &variable = compiler.get_type_from_variable(resource.id);
    const size_t bytes = compiler.get_declared_struct_size(compiler.get_type(variable.self));
    if (bytes > profile.limits.uniformBlockBytes)
      return failure(facts.location(), "the uniform buffer '" + nameOf(resource) + "' has " +
                                           std::to_string(bytes) + " bytes, " + profile.target +
                                           " guarantees " +
                                           std::to_string(profile.limits.uniformBlockBytes));
  }
  return success();
}

Status GlslResources::place() {
  gather();
  if (profile.vulkan) {
    for (GlslResource &resource : list)
      resource.place = resource.binding;
    return success();
  }
  if (Status fits = checkCounts(); !fits)
    return fits;
  if (Status fits = checkBlockSizes(); !fits)
    return fits;
  for (BindingKind kind : kKinds)
    placeKind(kind);
  for (const GlslResource &resource : list)
    compiler.set_decoration(resource.id, spv::DecorationBinding, resource.place);
  return success();
}

std::vector<uint32_t> GlslResources::joined() const {
  std::vector<uint32_t> ids;
  for (const spirv_cross::CombinedImageSampler &pair : compiler.get_combined_image_samplers())
    ids.push_back(pair.combined_id);
  return ids;
}

std::string GlslResources::nameOf(const GlslResource &resource) const {
  const std::string block =
      isBuffer(resource.kind) ? compiler.get_remapped_declared_block_name(resource.id) : "";
  return names.of(block.empty() ? compiler.get_name(resource.id) : block);
}

std::vector<std::string> GlslResources::blockNames() const {
  std::vector<std::string> blocks;
  for (const GlslResource &resource : list) {
    if (!isBuffer(resource.kind))
      continue;
    blocks.push_back(nameOf(resource));
    const uint32_t structure = compiler.get_type_from_variable(resource.id).self;
    if (compiler.get_name(structure).empty())
      blocks.push_back("_" + std::to_string(structure));
  }
  return blocks;
}

std::string GlslResources::kindOf(const GlslResource &resource) const {
  const spirv_cross::SPIRType &type = compiler.get_type_from_variable(resource.id);
  switch (resource.kind) {
  case BindingKind::UniformBuffer:
    return "uniform_buffer";
  case BindingKind::StorageBuffer:
    return "storage_buffer";
  case BindingKind::Sampler:
    return "sampler";
  case BindingKind::Image:
    return type.image.dim == spv::DimBuffer ? "texel_buffer" : "image";
  case BindingKind::Texture:
    break;
  }
  if (type.image.dim == spv::DimBuffer)
    return "texel_buffer";
  const bool isJoined = resource.sampler.has_value();
  const bool isCombined =
      type.basetype == spirv_cross::SPIRType::SampledImage &&
      compiler.get_decoration(resource.id, spv::DecorationDescriptorSet) == resource.set;
  // An image that is only fetched from is joined with no sampler of the module's.
  const auto &pairs = compiler.get_combined_image_samplers();
  const bool isPair = std::any_of(pairs.begin(), pairs.end(), [&](const auto &pair) {
    return uint32_t{pair.combined_id} == resource.id;
  });
  return isJoined || (isCombined && !isPair) ? "combined" : "texture";
}

PlacedResource GlslResources::describe(const GlslResource &resource) const {
  PlacedResource placed;
  placed.kind = kindOf(resource);
  placed.name = nameOf(resource);
  placed.set = resource.set;
  placed.binding = resource.binding;
  placed.count = resource.count;
  if (resource.kind == BindingKind::StorageBuffer)
    placed.writes = !compiler.get_buffer_block_flags(resource.id).get(spv::DecorationNonWritable);
  if (resource.kind == BindingKind::Image)
    placed.writes = !compiler.has_decoration(resource.id, spv::DecorationNonWritable);
  if (profile.vulkan)
    placed.place.push_back({"set", resource.set});
  placed.place.push_back({"binding", resource.place});
  placed.sampler = resource.sampler;
  return placed;
}

PlacedValues GlslResources::describePushConstants(const GlslResource &resource) const {
  const auto &variable = compiler.get_type_from_variable(resource.id);
  PlacedValues values;
  values.what = "push_constants";
  values.kind = profile.vulkan ? "push_constants" : kindOf(resource);
  values.name = nameOf(resource);
  values.bytes =
      static_cast<uint32_t>(compiler.get_declared_struct_size(compiler.get_type(variable.self)));
  if (profile.isOpenGl()) {
    // A uniform block ends at a multiple of 16 bytes, which an implementation may read to.
    values.bytes = (values.bytes + 15) / 16 * 16;
    values.place.push_back({"binding", resource.place});
  }
  return values;
}

LanguageInterface GlslResources::interface(const std::string &text) const {
  LanguageInterface made;
  made.entryPoint = "main";
  made.version = profile.versionText();
  for (const GlslResource &resource : list) {
    if (resource.isPushConstants)
      made.values.push_back(describePushConstants(resource));
    else
      made.resources.push_back(describe(resource));
  }
  std::sort(made.resources.begin(), made.resources.end(),
            [](const PlacedResource &a, const PlacedResource &b) {
              return std::tie(a.set, a.binding, a.kind, a) < std::tie(b.set, b.binding, b.kind, b);
            });
  made.features = requiredExtensions(text);
  return made;
}

std::vector<std::string> requiredExtensions(const std::string &text) {
  std::vector<std::string> found;
  std::vector<std::string> pending; ///< of the conditions that are open: the first in each
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    constexpr std::string_view kExtension = "#extension ";
    if (line.starts_with("#if")) {
      pending.emplace_back();
    } else if (line.starts_with("#endif") && !pending.empty()) {
      pending.pop_back();
    } else if (line.starts_with("#error") && !pending.empty() && !pending.back().empty()) {
      found.push_back(pending.back());
    } else if (line.starts_with(kExtension)) {
      line.remove_prefix(kExtension.size());
      const std::string name(line.substr(0, line.find(' ')));
      if (pending.empty())
        found.push_back(name);
      else if (pending.back().empty())
        pending.back() = name;
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

} // namespace tailor
