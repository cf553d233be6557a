//===- Tuning/Workload.cpp - Problem sizes and their contents -------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Workload.h"

#include "Support/Files.h"
#include "Support/Hash.h"
#include "Tuning/Picture.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace tailor {

using vulkan::ResourceDesc;

Dim3 ProblemSize::groupsFor(const Dim3 &authoredSize) const {
  if (groups)
    return *groups;
  Dim3 result;
  for (unsigned axis = 0; axis < 3; ++axis) {
    uint32_t size = std::max(authoredSize[axis], 1U);
    uint32_t extent = grid ? (*grid)[axis] : 1;
    result[axis] = extent / size + (extent % size != 0 ? 1 : 0);
  }
  return result;
}

std::vector<std::byte> ProblemSize::pushConstantBlock() const {
  std::vector<std::byte> block;
  for (const PushConstantValue &value : pushConstants) {
    size_t end = value.offset + value.data.size();
    block.resize(std::max(block.size(), end));
    std::copy(value.data.begin(), value.data.end(), block.begin() + value.offset);
  }
  // Vulkan wants whole words.
  block.resize((block.size() + 3) / 4 * 4);
  return block;
}

const WorkloadBinding *ProblemSize::find(uint32_t set, uint32_t binding) const {
  for (const WorkloadBinding &candidate : bindings)
    if (candidate.desc.set == set && candidate.desc.binding == binding)
      return &candidate;
  return nullptr;
}

namespace {

std::string hexOf(std::span<const std::byte> bytes) {
  std::string text;
  for (std::byte b : bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    text += kDigits[std::to_integer<unsigned>(b) >> 4];
    text += kDigits[std::to_integer<unsigned>(b) & 15];
  }
  return text;
}

/// Everything about a fill that changes the contents, as text.
std::string textOf(const Fill &fill) {
  std::string text = std::to_string(static_cast<int>(fill.kind));
  text += ' ' + std::to_string(fill.seed);
  for (const std::optional<double> &bound : {fill.min, fill.max})
    text += ' ' + (bound ? std::to_string(std::bit_cast<uint64_t>(*bound)) : std::string("-"));
  for (const PlacedValue &value : fill.values)
    text += ' ' + std::to_string(value.offset) + ':' + hexOf(value.data);
  return text + ' ' + fill.path;
}

} // namespace

std::string fillPath(const Workload &workload, const Fill &fill) {
  std::filesystem::path given(fill.path);
  if (given.is_absolute())
    return fill.path;
  return (std::filesystem::path(workload.file).parent_path() / given).string();
}

namespace {

Result<std::vector<std::byte>> fileContents(const Workload &workload,
                                            const WorkloadBinding &binding, ResourceDesc &desc) {
  const Location &where = binding.fill.location;
  std::string path = fillPath(workload, binding.fill);
  Result<std::string> bytes = readFile(path);
  if (!bytes) {
    Failure failed = bytes.takeFailure();
    failed.diagnostic.addNote(where, "the workload names it here");
    return failed;
  }
  if (vulkan::isBuffer(desc.kind)) {
    if (bytes->size() != desc.bytes)
      return failure(where, "the file '" + path + "' has " + std::to_string(bytes->size()) +
                                " bytes, " + desc.str() + " takes " + std::to_string(desc.bytes));
    const auto *first = reinterpret_cast<const std::byte *>(bytes->data());
    return std::vector<std::byte>(first, first + bytes->size());
  }
  Result<Picture> picture = parsePicture(*bytes, path);
  if (!picture)
    return picture.takeFailure();
  Dim3 extent{picture->width, picture->height, 1};
  if (desc.extent.x == 0)
    desc.extent = extent;
  if (desc.extent != extent)
    return failure(where, "the picture '" + path + "' has " + extent.str() + " pixels, " +
                              desc.str() + " takes " + desc.extent.str());
  const vulkan::ImageFormat *format = vulkan::findImageFormat(desc.format);
  if (!format)
    return failure(where, "unknown image format '" + desc.format + "'");
  return texelsOf(*picture, *format, where);
}

/// The elements that a Sequence or Random fill makes; the tail of a buffer that
/// is no whole element stays zero.
Result<std::vector<std::byte>> elementContents(const WorkloadBinding &binding,
                                               const ResourceDesc &desc) {
  ElementFormat element{binding.element, false};
  if (vulkan::isImage(desc.kind)) {
    const vulkan::ImageFormat *format = vulkan::findImageFormat(desc.format);
    std::optional<ElementFormat> components;
    if (format)
      components = elementFormatOf(*format);
    if (!components)
      return failure(binding.fill.location, "the packed format '" + desc.format +
                                                "' can only be filled with zero or poison");
    element = *components;
  }
  uint64_t total = desc.dataBytes();
  std::vector<std::byte> bytes =
      makeElements(binding.fill, element, total / vulkan::bytesOf(element.type));
  bytes.resize(total);
  return bytes;
}

Result<std::vector<std::byte>> contentsOf(const Workload &workload, const WorkloadBinding &binding,
                                          ResourceDesc &desc) {
  if (binding.fill.kind == Fill::Kind::File)
    return fileContents(workload, binding, desc);
  if (binding.fill.kind != Fill::Kind::Values)
    return elementContents(binding, desc);
  std::vector<std::byte> bytes(desc.bytes);
  for (const PlacedValue &value : binding.fill.values)
    std::copy(value.data.begin(), value.data.end(),
              bytes.begin() + static_cast<std::ptrdiff_t>(value.offset));
  return bytes;
}

} // namespace

std::string ProblemSize::hash() const {
  std::string text = "workload 2\n";
  if (groups)
    text += "groups " + groups->str() + "\n";
  if (grid)
    text += "grid " + grid->str() + "\n";
  for (const WorkloadBinding &binding : bindings) {
    const ResourceDesc &desc = binding.desc;
    text += "binding";
    for (uint64_t value :
         {uint64_t{desc.set}, uint64_t{desc.binding}, uint64_t{desc.element},
          static_cast<uint64_t>(desc.kind), desc.bytes, static_cast<uint64_t>(desc.dim),
          static_cast<uint64_t>(desc.sampler.filter), static_cast<uint64_t>(desc.sampler.address),
          uint64_t{desc.sampler.unnormalized}, static_cast<uint64_t>(binding.element),
          uint64_t{desc.output}})
      text += ' ' + std::to_string(value);
    text += ' ' + desc.format + ' ' + desc.extent.str() + ' ' + textOf(binding.fill);
    if (desc.output) { // what is right under one rule may be wrong under another
      char rule[96];
      std::snprintf(rule, sizeof rule, " compare %u %llu %a %a",
                    static_cast<unsigned>(binding.compare.mode),
                    static_cast<unsigned long long>(binding.compare.ulps), binding.compare.absolute,
                    binding.compare.relative);
      text += rule;
    }
    text += "\n";
  }
  text += "push " + hexOf(pushConstantBlock()) + "\n";
  for (const auto &[id, value] : specConstants)
    text += "spec " + std::to_string(id) + ' ' + std::to_string(value.bits) + "\n";
  return sha256Hex(std::string_view(text));
}

Result<vulkan::KernelInstance> instantiate(const Workload &workload, const ProblemSize &size) {
  vulkan::KernelInstance instance;
  for (const WorkloadBinding &binding : size.bindings) {
    ResourceDesc &desc = instance.resources.emplace_back(binding.desc);
    switch (binding.fill.kind) {
    case Fill::Kind::Poison:
      desc.fill = vulkan::InitialFill::Poison;
      break;
    case Fill::Kind::Zero:
      desc.fill = vulkan::InitialFill::Zero;
      break;
    default: {
      Result<std::vector<std::byte>> contents = contentsOf(workload, binding, desc);
      if (!contents)
        return contents.takeFailure();
      desc.fill = vulkan::InitialFill::Bytes;
      desc.initial = std::move(*contents);
    }
    }
  }
  instance.pushConstants = size.pushConstantBlock();

  Diagnostics diags;
  vulkan::checkInstance(instance, diags);
  for (const Diagnostic &diagnostic : diags.all()) {
    if (diagnostic.severity != Severity::Error)
      continue;
    Diagnostic located = diagnostic;
    if (!located.location.known())
      located.location = size.location;
    return failure(std::move(located));
  }
  return instance;
}

} // namespace tailor
