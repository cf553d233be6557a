//===- Tuning/Fill.cpp -----------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Fill.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace tailor {

using vulkan::ElementType;

uint64_t randomBits(uint64_t seed, uint64_t index) {
  uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

double randomUnit(uint64_t seed, uint64_t index) {
  return static_cast<double>(randomBits(seed, index) >> 11) * 0x1.0p-53;
}

uint16_t halfFromDouble(double value) {
  uint64_t bits = std::bit_cast<uint64_t>(value);
  auto sign = static_cast<uint16_t>((bits >> 48) & 0x8000U);
  if (std::isnan(value))
    return sign | 0x7e00U;
  double magnitude = std::fabs(value);
  if (magnitude >= 65520.0) // halfway between the largest half and the next power of two
    return sign | 0x7c00U;
  if (magnitude < 0x1.0p-14) // a denormal counts steps of 2^-24; 1024 of them is the first normal
    return sign | static_cast<uint16_t>(std::nearbyint(magnitude * 0x1.0p24));
  int exponent = 0;
  double fraction = std::frexp(magnitude, &exponent);             // in [0.5, 1)
  double steps = std::nearbyint((fraction * 2.0 - 1.0) * 1024.0); // 1024 carries into the exponent
  return sign | static_cast<uint16_t>(((exponent + 14) << 10) + static_cast<int>(steps));
}

namespace {

bool isSigned(ElementType type) {
  return type == ElementType::I8 || type == ElementType::I16 || type == ElementType::I32 ||
         type == ElementType::I64;
}

template <typename T> void appendAs(std::vector<std::byte> &out, T value) {
  const auto *bytes = reinterpret_cast<const std::byte *>(&value);
  out.insert(out.end(), bytes, bytes + sizeof(T));
}

void appendBits(std::vector<std::byte> &out, ElementType type, uint64_t bits) {
  switch (vulkan::bytesOf(type)) {
  case 1:
    return appendAs(out, static_cast<uint8_t>(bits));
  case 2:
    return appendAs(out, static_cast<uint16_t>(bits));
  case 4:
    return appendAs(out, static_cast<uint32_t>(bits));
  default:
    return appendAs(out, bits);
  }
}

void appendFloat(std::vector<std::byte> &out, ElementType type, double value) {
  if (type == ElementType::F16)
    appendAs(out, halfFromDouble(value));
  else if (type == ElementType::F32)
    appendAs(out, static_cast<float>(value));
  else
    appendAs(out, value);
}

/// The largest value of an integer type.
uint64_t largest(ElementType type) {
  unsigned bits = vulkan::bytesOf(type) * 8 - (isSigned(type) ? 1 : 0);
  return bits == 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1;
}

/// A normalized component from a number: 1 is the largest value.
uint64_t scaled(ElementType type, double value) {
  double low = isSigned(type) ? -1.0 : 0.0;
  double steps = std::nearbyint(std::clamp(value, low, 1.0) * static_cast<double>(largest(type)));
  return static_cast<uint64_t>(static_cast<int64_t>(steps));
}

/// A random integer in [min, max], by the remainder of 64 random bits.
uint64_t randomInteger(const Fill &fill, ElementType type, uint64_t index) {
  uint64_t bits = randomBits(fill.seed, index);
  if (!fill.min && !fill.max)
    return bits;
  double lowest = isSigned(type) ? -static_cast<double>(largest(type)) - 1.0 : 0.0;
  double low = std::ceil(fill.min.value_or(lowest));
  double high = std::floor(fill.max.value_or(static_cast<double>(largest(type))));
  double width = high - low;
  if (!(width >= 1.0))
    return static_cast<uint64_t>(static_cast<int64_t>(low));
  if (width >= 0x1.0p63)
    return bits;
  uint64_t offset = bits % (static_cast<uint64_t>(width) + 1);
  if (low < 0)
    return static_cast<uint64_t>(static_cast<int64_t>(low)) + offset;
  return static_cast<uint64_t>(low) + offset;
}

} // namespace

std::optional<ElementFormat> elementFormatOf(const vulkan::ImageFormat &format) {
  using vulkan::ComponentType;
  bool integer = format.type == ComponentType::Uint || format.type == ComponentType::Sint;
  bool isSignedType = format.type == ComponentType::Sint || format.type == ComponentType::Snorm;
  switch (format.componentBytes) {
  case 1:
    return ElementFormat{isSignedType ? ElementType::I8 : ElementType::U8, !integer};
  case 2:
    if (format.type == ComponentType::Float)
      return ElementFormat{ElementType::F16, false};
    return ElementFormat{isSignedType ? ElementType::I16 : ElementType::U16, !integer};
  case 4:
    if (format.type == ComponentType::Float)
      return ElementFormat{ElementType::F32, false};
    return ElementFormat{isSignedType ? ElementType::I32 : ElementType::U32, !integer};
  case 8:
    return ElementFormat{isSignedType ? ElementType::I64 : ElementType::U64, !integer};
  default:
    return std::nullopt;
  }
}

std::vector<std::byte> makeElements(const Fill &fill, ElementFormat format, uint64_t count) {
  std::vector<std::byte> out;
  out.reserve(count * vulkan::bytesOf(format.type));
  bool random = fill.kind == Fill::Kind::Random;
  double low = fill.min.value_or(0.0), high = fill.max.value_or(1.0);
  for (uint64_t i = 0; i < count; ++i) {
    if (vulkan::isFloat(format.type)) {
      double value =
          random ? low + (high - low) * randomUnit(fill.seed, i) : static_cast<double>(i);
      appendFloat(out, format.type, value);
    } else if (random && format.normalized && (fill.min || fill.max)) {
      double value = low + (high - low) * randomUnit(fill.seed, i);
      appendBits(out, format.type, scaled(format.type, value));
    } else {
      appendBits(out, format.type, random ? randomInteger(fill, format.type, i) : i);
    }
  }
  return out;
}

bool appendElement(std::vector<std::byte> &out, ElementType type, double value) {
  if (vulkan::isFloat(type)) {
    appendFloat(out, type, value);
    return true;
  }
  if (value != std::floor(value) || std::fabs(value) > 0x1.0p53)
    return false;
  return appendInteger(out, type, value < 0, static_cast<uint64_t>(std::fabs(value)));
}

bool appendInteger(std::vector<std::byte> &out, ElementType type, bool negative,
                   uint64_t magnitude) {
  if (vulkan::isFloat(type)) {
    double value = static_cast<double>(magnitude);
    appendFloat(out, type, negative ? -value : value);
    return true;
  }
  if (negative && magnitude != 0 && (!isSigned(type) || magnitude > largest(type) + 1))
    return false;
  if (!negative && magnitude > largest(type))
    return false;
  appendBits(out, type, negative ? ~magnitude + 1 : magnitude);
  return true;
}

} // namespace tailor
