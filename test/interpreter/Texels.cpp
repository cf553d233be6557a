//===- interpreter/Texels.cpp -----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Texels.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tailor::interp {

namespace {

using vulkan::ComponentType;

/// Where a component's bits are: a bit offset and a width.
struct Field {
  unsigned offset, width;
};
Field fieldOf(const vulkan::ImageFormat &format, unsigned component) {
  if (format.componentBytes != 0)
    return {component * format.componentBytes * 8, format.componentBytes * 8};
  if (format.components == 3) // r11f_g11f_b10f
    return {component * 11, component == 2 ? 10U : 11U};
  return {component * 10, component == 3 ? 2U : 10U}; // rgb10_a2
}

uint64_t readBits(const std::byte *bytes, Field field, uint32_t texelBytes) {
  uint64_t word = 0;
  const unsigned first = field.width % 8 == 0 && field.offset % 8 == 0 ? field.offset / 8 : 0;
  std::memcpy(&word, bytes + first, std::min<uint32_t>(8, texelBytes - first));
  return truncateTo(field.width, word >> (field.offset - first * 8));
}
void writeBits(std::byte *bytes, Field field, uint64_t bits) {
  for (unsigned bit = 0; bit < field.width; ++bit) {
    const unsigned at = field.offset + bit;
    const auto mask = static_cast<std::byte>(1U << (at % 8));
    bytes[at / 8] = (bits >> bit & 1) != 0 ? bytes[at / 8] | mask : bytes[at / 8] & ~mask;
  }
}

/// Unsigned floats of 10 and 11 bits are halves without a sign and with fewer fraction bits.
double readComponent(ComponentType type, unsigned width, uint64_t bits) {
  const double top = std::ldexp(1.0, static_cast<int>(width)) - 1;
  const double signedTop = std::ldexp(1.0, static_cast<int>(width) - 1) - 1;
  switch (type) {
  case ComponentType::Unorm:
    return static_cast<double>(bits) / top;
  case ComponentType::Snorm:
    return std::max(static_cast<double>(signExtend(width, bits)) / signedTop, -1.0);
  case ComponentType::Float:
    return width < 16 ? vulkan::halfToDouble(static_cast<uint16_t>(bits << (15 - width)))
                      : readFloat(width, bits);
  case ComponentType::Uint:
  case ComponentType::Sint:
    break;
  }
  return static_cast<double>(bits);
}
uint64_t writeComponent(ComponentType type, unsigned width, double value) {
  const double top = std::ldexp(1.0, static_cast<int>(width)) - 1;
  const double signedTop = std::ldexp(1.0, static_cast<int>(width) - 1) - 1;
  if (std::isnan(value) && type != ComponentType::Float)
    value = 0;
  switch (type) {
  case ComponentType::Unorm:
    return static_cast<uint64_t>(std::nearbyint(std::clamp(value, 0.0, 1.0) * top));
  case ComponentType::Snorm:
    return truncateTo(width, static_cast<uint64_t>(static_cast<int64_t>(
                                 std::nearbyint(std::clamp(value, -1.0, 1.0) * signedTop))));
  case ComponentType::Float:
    return width < 16 ? static_cast<uint64_t>(halfFromDouble(std::max(value, 0.0))) >> (15 - width)
                      : writeFloat(width, value);
  case ComponentType::Uint:
  case ComponentType::Sint:
    break;
  }
  return 0;
}

bool isInteger(ComponentType type) {
  return type == ComponentType::Uint || type == ComponentType::Sint;
}

} // namespace

std::array<uint64_t, 4> decodeTexel(const vulkan::ImageFormat &format, const std::byte *bytes,
                                    const Shape &scalar) {
  const bool floats = scalar.scalar == Shape::Scalar::Float;
  std::array<uint64_t, 4> words = {0, 0, 0, floats ? writeFloat(scalar.width, 1) : 1};
  for (unsigned component = 0; component < format.components; ++component) {
    const Field field = fieldOf(format, component);
    const uint64_t bits = readBits(bytes, field, format.texelBytes);
    if (!isInteger(format.type))
      words[component] = writeFloat(scalar.width, readComponent(format.type, field.width, bits));
    else
      words[component] =
          truncateTo(scalar.width, format.type == ComponentType::Sint
                                       ? static_cast<uint64_t>(signExtend(field.width, bits))
                                       : bits);
  }
  return words;
}

void encodeTexel(const vulkan::ImageFormat &format, std::byte *bytes,
                 const std::array<uint64_t, 4> &words, const Shape &scalar) {
  for (unsigned component = 0; component < format.components; ++component) {
    const Field field = fieldOf(format, component);
    const uint64_t bits =
        isInteger(format.type)
            ? words[component]
            : writeComponent(format.type, field.width, readFloat(scalar.width, words[component]));
    writeBits(bytes, field, bits);
  }
}

} // namespace tailor::interp
