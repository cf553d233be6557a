//===- Backends/CrossSupport.cpp -------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/CrossSupport.h"

#include <algorithm>
#include <cctype>
#include <tuple>

namespace tailor {
namespace {

std::string_view nameOf(BindingKind kind) {
  switch (kind) {
  case BindingKind::UniformBuffer:
    return "uniform buffer";
  case BindingKind::StorageBuffer:
    return "storage buffer";
  case BindingKind::Texture:
    return "texture";
  case BindingKind::Image:
    return "image";
  case BindingKind::Sampler:
    return "sampler";
  }
  return "resource";
}

std::string placeOf(const BoundResource &resource) {
  return "'" + resource.name + "' (set " + std::to_string(resource.set) + ", binding " +
         std::to_string(resource.binding) + ")";
}

} // namespace

std::vector<BoundResource> boundResources(const spirv_cross::Compiler &compiler,
                                          const spirv_cross::ShaderResources &resources) {
  std::vector<BoundResource> list;
  auto add = [&](const spirv_cross::SmallVector<spirv_cross::Resource> &from, BindingKind kind) {
    for (const spirv_cross::Resource &resource : from)
      list.push_back({kind, resource.id,
                      compiler.get_decoration(resource.id, spv::DecorationDescriptorSet),
                      compiler.get_decoration(resource.id, spv::DecorationBinding), resource.name});
  };
  add(resources.uniform_buffers, BindingKind::UniformBuffer);
  add(resources.storage_buffers, BindingKind::StorageBuffer);
  add(resources.sampled_images, BindingKind::Texture);
  add(resources.separate_images, BindingKind::Texture);
  add(resources.storage_images, BindingKind::Image);
  add(resources.separate_samplers, BindingKind::Sampler);
  std::sort(list.begin(), list.end(), [](const BoundResource &a, const BoundResource &b) {
    return std::tie(a.set, a.binding, a.id) < std::tie(b.set, b.binding, b.id);
  });
  return list;
}

std::optional<Dim3> selectEntryPoint(spirv_cross::Compiler &compiler,
                                     const std::string &entryPoint) {
  compiler.set_entry_point(entryPoint, spv::ExecutionModelGLCompute);
  const auto &size =
      compiler.get_entry_point(entryPoint, spv::ExecutionModelGLCompute).workgroup_size;
  if (size.constant != 0 || size.id_x != 0 || size.id_y != 0 || size.id_z != 0)
    return std::nullopt;
  return Dim3{size.x, size.y, size.z};
}

Status refuseSharedBindings(std::string_view language, const ModuleFacts &facts,
                            const std::vector<BoundResource> &resources) {
  for (size_t i = 0; i < resources.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const BoundResource &a = resources[j], &b = resources[i];
      if (a.kind == b.kind && a.binding == b.binding && a.set != b.set)
        return failure(facts.location(), std::string(language) + " has no descriptor sets, and " +
                                             placeOf(a) + " and " + placeOf(b) +
                                             " would share one " + std::string(nameOf(a.kind)) +
                                             " binding");
    }
  return success();
}

Status refuseUnknownOps(std::string_view language, const ModuleFacts &facts,
                        std::string_view text) {
  constexpr std::string_view kMark = "// unimplemented ";
  const size_t at = text.find(kMark);
  if (at == std::string_view::npos)
    return success();
  const std::string_view op = text.substr(at + kMark.size());
  return failure(facts.location(), std::string(language) +
                                       " cannot express this kernel: SPIRV-Cross does not know " +
                                       std::string(op.substr(0, op.find('\n'))));
}

Failure crossFailure(std::string_view language, const ModuleFacts &facts, std::string_view what) {
  std::string text(what);
  while (!text.empty() && (text.back() == '.' || text.back() == ' ' || text.back() == '\n'))
    text.pop_back();
  // A sentence starts small; an abbreviation stays as it is.
  if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])) != 0)
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return failure(facts.location(), std::string(language) + " cannot express this kernel: " + text);
}

} // namespace tailor
