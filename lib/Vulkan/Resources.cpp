//===- Vulkan/Resources.cpp - What a kernel is bound to -----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Vulkan/Resources.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tailor::vulkan {

namespace {

constexpr std::string_view kKindNames[] = {"storage_buffer", "uniform_buffer",
                                           "storage_image",  "sampled_image",
                                           "sampler",        "combined_image_sampler"};
constexpr std::string_view kDimNames[] = {"1d", "2d", "3d", "1d_array", "2d_array", "cube"};
constexpr std::string_view kFilterNames[] = {"nearest", "linear"};
constexpr std::string_view kAddressNames[] = {"clamp_to_edge", "repeat", "mirrored_repeat",
                                              "clamp_to_border"};

template <typename E, size_t N>
std::optional<E> parseName(const std::string_view (&names)[N], std::string_view name) {
  for (size_t i = 0; i != N; ++i)
    if (names[i] == name)
      return static_cast<E>(i);
  return std::nullopt;
}

} // namespace

std::string_view nameOf(ResourceKind kind) { return kKindNames[static_cast<size_t>(kind)]; }
std::string_view nameOf(ImageDim dim) { return kDimNames[static_cast<size_t>(dim)]; }
std::optional<ResourceKind> parseResourceKind(std::string_view name) {
  return parseName<ResourceKind>(kKindNames, name);
}
std::optional<ImageDim> parseImageDim(std::string_view name) {
  return parseName<ImageDim>(kDimNames, name);
}
std::optional<Filter> parseFilter(std::string_view name) {
  return parseName<Filter>(kFilterNames, name);
}
std::optional<AddressMode> parseAddressMode(std::string_view name) {
  return parseName<AddressMode>(kAddressNames, name);
}

bool isBuffer(ResourceKind kind) {
  return kind == ResourceKind::StorageBuffer || kind == ResourceKind::UniformBuffer;
}
bool isImage(ResourceKind kind) { return !isBuffer(kind) && kind != ResourceKind::Sampler; }

bool serves(ResourceKind given, ResourceKind wanted) {
  if (given == ResourceKind::CombinedImageSampler)
    return !isBuffer(wanted) && wanted != ResourceKind::StorageImage;
  return given == wanted;
}

uint64_t ResourceDesc::dataBytes() const {
  if (isBuffer(kind))
    return bytes;
  const ImageFormat *texel = isImage(kind) ? findImageFormat(format) : nullptr;
  return texel ? extent.product() * texel->texelBytes : 0;
}

std::string ResourceDesc::str() const {
  std::string place = "set " + std::to_string(set) + " binding " + std::to_string(binding);
  if (element != 0)
    place += " element " + std::to_string(element);
  return name.empty() ? place : "'" + name + "' (" + place + ")";
}

std::byte poisonByte(uint64_t offset) {
  uint64_t mixed = (offset + 1) * 0x9e3779b97f4a7c15U;
  return static_cast<std::byte>(0x31 + ((mixed >> 40) & 0x1f));
}

namespace {

void checkImage(const ResourceDesc &resource, Diagnostics &diags) {
  if (!findImageFormat(resource.format)) {
    Diagnostic &d =
        diags.error({}, resource.str() + " has the unknown image format '" + resource.format + "'");
    std::string known = "the formats are";
    for (const ImageFormat &format : imageFormats())
      known += " " + std::string(format.name);
    d.addNote({}, known);
  }
  const Dim3 &e = resource.extent;
  bool flat = resource.dim == ImageDim::D1 || resource.dim == ImageDim::D1Array;
  bool layered = resource.dim != ImageDim::D1 && resource.dim != ImageDim::D2;
  if (e.x == 0 || e.y == 0 || e.z == 0 || (flat && e.y != 1) || (!layered && e.z != 1) ||
      (resource.dim == ImageDim::Cube && (e.z != 6 || e.x != e.y)))
    diags.error({}, resource.str() + " has the extent " + e.str() + ", which no " +
                        std::string(nameOf(resource.dim)) + " image has");
}

void checkContents(const ResourceDesc &resource, Diagnostics &diags) {
  if (resource.kind == ResourceKind::Sampler) {
    if (resource.output)
      diags.error({}, resource.str() + " is a sampler and no output");
    return;
  }
  if (isImage(resource.kind))
    checkImage(resource, diags);
  else if (resource.bytes == 0)
    diags.error({}, resource.str() + " has no bytes");
  if (resource.fill == InitialFill::Bytes && resource.initial.size() != resource.dataBytes())
    diags.error({}, resource.str() + " holds " + std::to_string(resource.dataBytes()) +
                        " bytes, but its initial contents have " +
                        std::to_string(resource.initial.size()));
  bool writable =
      resource.kind == ResourceKind::StorageBuffer || resource.kind == ResourceKind::StorageImage;
  if (resource.output && !writable)
    diags.error({}, resource.str() + " is a " + std::string(nameOf(resource.kind)) +
                        ", which a kernel cannot write, and no output");
  if (resource.kind == ResourceKind::CombinedImageSampler ||
      resource.kind == ResourceKind::SampledImage)
    if (resource.sampler.unnormalized && resource.dim != ImageDim::D1 &&
        resource.dim != ImageDim::D2)
      diags.error({}, resource.str() + " uses texel coordinates on a " +
                          std::string(nameOf(resource.dim)) + " image");
}

} // namespace

void checkInstance(const KernelInstance &instance, Diagnostics &diags) {
  std::map<std::tuple<uint32_t, uint32_t>, std::map<uint32_t, const ResourceDesc *>> bindings;
  for (const ResourceDesc &resource : instance.resources) {
    checkContents(resource, diags);
    auto &elements = bindings[{resource.set, resource.binding}];
    if (!elements.emplace(resource.element, &resource).second)
      diags.error({}, resource.str() + " is given twice");
  }
  for (const auto &[place, elements] : bindings) {
    const ResourceDesc &first = *elements.begin()->second;
    for (const auto &[element, resource] : elements)
      if (resource->kind != first.kind)
        diags.error({}, resource->str() + " is a " + std::string(nameOf(resource->kind)) +
                            ", but another element of that binding is a " +
                            std::string(nameOf(first.kind)));
    if (elements.rbegin()->first + size_t{1} != elements.size())
      diags.error({}, first.str() + " belongs to an array that has gaps");
  }
}

} // namespace tailor::vulkan
