//===- languages/msl/MslRun.cpp --------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "msl/MslRun.h"

#include "msl/MslImages.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>

namespace tailor::languages {
namespace {

constexpr size_t kBuffers = 31, kTextures = 128, kSamplers = 16;
constexpr size_t kGuard = 4096; ///< bytes on both sides of a buffer
constexpr std::byte kGuardByte{0xc7};

/// A buffer between guards.
class HostBuffer {
public:
  explicit HostBuffer(const std::vector<std::byte> &contents)
      : memory(contents.size() + 2 * kGuard, kGuardByte), size(contents.size()) {
    std::copy(contents.begin(), contents.end(), memory.begin() + kGuard);
  }
  void *data() { return memory.data() + kGuard; }
  uint32_t bytes() const { return static_cast<uint32_t>(size); }
  std::vector<std::byte> contents() const {
    return {memory.begin() + kGuard, memory.begin() + static_cast<long>(kGuard + size)};
  }
  bool intact() const {
    const auto isGuard = [](std::byte b) { return b == kGuardByte; };
    return std::all_of(memory.begin(), memory.begin() + kGuard, isGuard) &&
           std::all_of(memory.end() - kGuard, memory.end(), isGuard);
  }

private:
  std::vector<std::byte> memory;
  size_t size;
};

MslSampler samplerOf(const vulkan::SamplerDesc &desc) {
  const auto address = [&]() -> unsigned {
    switch (desc.address) {
    case vulkan::AddressMode::ClampToEdge:
      return 0;
    case vulkan::AddressMode::Repeat:
      return 1;
    case vulkan::AddressMode::MirroredRepeat:
      return 2;
    case vulkan::AddressMode::ClampToBorder:
      return 3;
    }
    return 0;
  };
  return {desc.filter == vulkan::Filter::Linear ? 1u : 0u, address(), desc.unnormalized ? 1u : 0u};
}

/// Everything that a dispatch is bound to.
class Bindings {
public:
  std::string bind(const LanguageCase &made) {
    const std::vector<vulkan::ResourceDesc> &all = made.problem->instance.resources;
    for (const PlacedResource &placed : made.interface.resources) {
      size_t found = 0;
      for (size_t i = 0; i < all.size(); ++i)
        if (all[i].set == placed.set && all[i].binding == placed.binding) {
          ++found;
          if (std::string fault = bindOne(placed, all[i], i); !fault.empty())
            return fault;
        }
      if (found == 0)
        return "the instance has nothing for '" + placed.name + "'";
    }
    for (const PlacedValues &values : made.interface.values)
      if (std::string fault = bindValues(made, values); !fault.empty())
        return fault;
    return "";
  }

  MslInvocation invocation() const {
    MslInvocation result{};
    result.buffers = bufferTable.data();
    result.textures = textureTable.data();
    result.samplers = samplerTable.data();
    return result;
  }

  /// What a resource holds now; what it held before where the text does not name it.
  std::vector<std::byte> contents(const vulkan::ResourceDesc &desc, size_t index) const {
    if (const auto buffer = buffers.find(index); buffer != buffers.end())
      return buffer->second->contents();
    if (const auto image = images.find(index); image != images.end())
      return image->second->bytes();
    return contentsOf(desc);
  }
  std::string violation(const std::vector<vulkan::ResourceDesc> &all) const {
    for (const auto &[index, buffer] : buffers)
      if (!buffer->intact())
        return all[index].str() + " was written outside";
    return "";
  }

private:
  /// Each place's only number, the element added.
  std::string bindOne(const PlacedResource &placed, const vulkan::ResourceDesc &desc,
                      size_t resource) {
    if (placed.place.size() != 1)
      return "'" + placed.name + "' has not one index";
    const std::string &word = placed.place[0].word;
    const size_t index = placed.place[0].number + desc.element;
    if (word == "buffer" && index < kBuffers && vulkan::isBuffer(desc.kind)) {
      auto buffer = std::make_unique<HostBuffer>(contentsOf(desc));
      bufferTable[index] = buffer->data();
      lengths[index] = buffer->bytes();
      buffers[resource] = std::move(buffer);
    } else if (word == "texture" && index < kTextures && vulkan::isImage(desc.kind)) {
      Result<std::unique_ptr<HostImage>> image = HostImage::create(desc, contentsOf(desc));
      if (!image)
        return image.diagnostic().text;
      textureTable[index] = (*image)->view();
      images[resource] = std::move(*image);
    } else if (word == "sampler" && index < kSamplers) {
      samplers.push_back(std::make_unique<MslSampler>(samplerOf(desc.sampler)));
      samplerTable[index] = samplers.back().get();
    } else {
      return desc.str() + " does not go to a " + word + " index";
    }
    return "";
  }

  std::string bindValues(const LanguageCase &made, const PlacedValues &values) {
    const size_t index = values.place.empty() ? kBuffers : values.place[0].number;
    if (index >= kBuffers || values.place[0].word != "buffer")
      return values.what + " have no buffer index";
    if (values.what == "push_constants") {
      std::vector<std::byte> block = made.pushConstants;
      if (block.size() < values.bytes)
        return "the case has " + std::to_string(block.size()) + " bytes of push constants, the " +
               "text takes " + std::to_string(values.bytes);
      constants = std::make_unique<HostBuffer>(block);
      bufferTable[index] = constants->data();
    } else if (values.what == "buffer_lengths") {
      bufferTable[index] = lengths.data();
    } else {
      return "the text asks for " + values.what;
    }
    return "";
  }

  std::array<void *, kBuffers> bufferTable{};
  std::array<const MslImage *, kTextures> textureTable{};
  std::array<const MslSampler *, kSamplers> samplerTable{};
  std::array<uint32_t, kBuffers> lengths{};
  std::map<size_t, std::unique_ptr<HostBuffer>> buffers; ///< by index of the resource
  std::map<size_t, std::unique_ptr<HostImage>> images;
  std::vector<std::unique_ptr<MslSampler>> samplers;
  std::unique_ptr<HostBuffer> constants;
};

} // namespace

std::string runCase(const LanguageCase &made, const MslKernel &kernel,
                    std::vector<std::vector<std::byte>> &outputs) {
  Bindings bindings;
  if (std::string fault = bindings.bind(made); !fault.empty())
    return fault;
  if (std::string fault =
          dispatch(kernel, bindings.invocation(), made.groups, made.variant.localSize);
      !fault.empty())
    return fault;
  const std::vector<vulkan::ResourceDesc> &all = made.problem->instance.resources;
  for (const vulkan::OutputData &output : made.problem->expected.outputs)
    outputs.push_back(bindings.contents(all[output.resource], output.resource));
  return bindings.violation(all);
}

} // namespace tailor::languages
