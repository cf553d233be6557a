//===- languages/msl/MslImages.cpp -----------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "msl/MslImages.h"

#include "Vulkan/Compare.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace tailor::languages {
namespace {

using vulkan::ComponentType;

uint32_t component(const std::byte *from, uint32_t bytes) {
  uint32_t value = 0;
  std::memcpy(&value, from, bytes);
  return value;
}

float largest(ComponentType type, uint32_t bytes) {
  return static_cast<float>((1u << (bytes * 8 - (type == ComponentType::Snorm ? 1 : 0))) - 1);
}

int32_t extended(uint32_t value, uint32_t bytes) {
  const uint32_t shift = 32 - bytes * 8;
  return static_cast<int32_t>(value << shift) >> shift;
}

/// Rounds to the nearest, to even between two.
uint16_t halfOf(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value), sign = bits >> 16 & 0x8000u,
                 magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u)
    return static_cast<uint16_t>(sign | 0x7e00u);
  if (magnitude >= 0x477ff000u) // rounds to more than 65504
    return static_cast<uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x38800000u) // no normal half: units of 2^-24
    return static_cast<uint16_t>(
        sign | static_cast<uint32_t>(std::nearbyint(std::ldexp(std::fabs(value), 24))));
  const uint32_t odd = magnitude >> 13 & 1;
  return static_cast<uint16_t>(sign | ((magnitude - 0x38000000u + 0xfffu + odd) >> 13));
}

uint32_t decoded(ComponentType type, uint32_t bytes, uint32_t raw) {
  switch (type) {
  case ComponentType::Unorm:
    return std::bit_cast<uint32_t>(static_cast<float>(raw) / largest(type, bytes));
  case ComponentType::Snorm:
    return std::bit_cast<uint32_t>(
        std::max(-1.0f, static_cast<float>(extended(raw, bytes)) / largest(type, bytes)));
  case ComponentType::Uint:
    return raw;
  case ComponentType::Sint:
    return static_cast<uint32_t>(extended(raw, bytes));
  case ComponentType::Float:
    return bytes == 4 ? raw
                      : std::bit_cast<uint32_t>(
                            static_cast<float>(vulkan::halfToDouble(static_cast<uint16_t>(raw))));
  }
  return 0;
}

uint32_t encoded(ComponentType type, uint32_t bytes, uint32_t bits) {
  const float value = std::bit_cast<float>(bits);
  switch (type) {
  case ComponentType::Unorm:
  case ComponentType::Snorm: {
    const float low = type == ComponentType::Snorm ? -1.0f : 0.0f;
    const float inside = value > low ? std::min(value, 1.0f) : low; // a NaN is the lowest
    return static_cast<uint32_t>(
        static_cast<int32_t>(std::nearbyint(inside * largest(type, bytes))));
  }
  case ComponentType::Uint:
  case ComponentType::Sint:
    return bits;
  case ComponentType::Float:
    return bytes == 4 ? bits : halfOf(value);
  }
  return 0;
}

} // namespace

Result<std::unique_ptr<HostImage>> HostImage::create(const vulkan::ResourceDesc &desc,
                                                     std::vector<std::byte> contents) {
  const vulkan::ImageFormat *format = vulkan::findImageFormat(desc.format);
  if (!format || format->componentBytes == 0 || format->componentBytes > 4)
    return failure({}, "the shim has no images of format '" + desc.format + "'");
  auto made = std::make_unique<HostImage>();
  made->format = format;
  made->texels = std::move(contents);
  made->image = {made.get(), desc.extent.x, desc.extent.y, desc.extent.z, &load, &store};
  return made;
}

std::byte *HostImage::at(unsigned x, unsigned y, unsigned z) {
  const size_t row = static_cast<size_t>(z) * image.height + y;
  return texels.data() + (row * image.width + x) * format->texelBytes;
}

void HostImage::load(const MslImage *image, unsigned x, unsigned y, unsigned z, unsigned *bits) {
  auto *self = static_cast<HostImage *>(image->self);
  const vulkan::ImageFormat &format = *self->format;
  const std::byte *from = self->at(x, y, z);
  const bool isInteger = format.type == ComponentType::Uint || format.type == ComponentType::Sint;
  for (uint32_t i = 0; i < 4; ++i)
    bits[i] = i < format.components
                  ? decoded(format.type, format.componentBytes,
                            component(from + i * format.componentBytes, format.componentBytes))
              : i < 3     ? 0
              : isInteger ? 1
                          : std::bit_cast<uint32_t>(1.0f);
}

void HostImage::store(const MslImage *image, unsigned x, unsigned y, unsigned z,
                      const unsigned *bits) {
  auto *self = static_cast<HostImage *>(image->self);
  const vulkan::ImageFormat &format = *self->format;
  std::byte *to = self->at(x, y, z);
  for (uint32_t i = 0; i < format.components; ++i) {
    const uint32_t raw = encoded(format.type, format.componentBytes, bits[i]);
    std::memcpy(to + i * format.componentBytes, &raw, format.componentBytes);
  }
}

std::vector<std::byte> contentsOf(const vulkan::ResourceDesc &desc) {
  if (desc.fill == vulkan::InitialFill::Bytes)
    return desc.initial;
  std::vector<std::byte> result(desc.dataBytes());
  if (desc.fill == vulkan::InitialFill::Poison)
    for (uint64_t i = 0; i < result.size(); ++i)
      result[i] = vulkan::poisonByte(i);
  return result;
}

} // namespace tailor::languages
