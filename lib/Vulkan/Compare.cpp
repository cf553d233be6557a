//===- Vulkan/Compare.cpp - Compares outputs ----------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Vulkan/Compare.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

namespace tailor::vulkan {

namespace {

struct TypeRow {
  ElementType type;
  std::string_view name;
  uint32_t bytes;
};
constexpr TypeRow kTypes[] = {
    {ElementType::U8, "u8", 1},   {ElementType::I8, "i8", 1},   {ElementType::U16, "u16", 2},
    {ElementType::I16, "i16", 2}, {ElementType::U32, "u32", 4}, {ElementType::I32, "i32", 4},
    {ElementType::U64, "u64", 8}, {ElementType::I64, "i64", 8}, {ElementType::F16, "f16", 2},
    {ElementType::F32, "f32", 4}, {ElementType::F64, "f64", 8},
};
const TypeRow &rowOf(ElementType type) { return kTypes[static_cast<size_t>(type)]; }

/// The element's bits, zero-extended (little-endian storage, as on the device).
uint64_t bitsAt(const std::byte *data, uint32_t bytes) {
  uint64_t bits = 0;
  for (uint32_t i = 0; i != bytes; ++i)
    bits |= uint64_t{std::to_integer<uint8_t>(data[i])} << (8 * i);
  return bits;
}

int64_t signExtend(uint64_t bits, uint32_t bytes) {
  unsigned shift = 64 - 8 * bytes;
  return static_cast<int64_t>(bits << shift) >> shift;
}

bool isSigned(ElementType type) {
  return type == ElementType::I8 || type == ElementType::I16 || type == ElementType::I32 ||
         type == ElementType::I64;
}

double floatOf(uint64_t bits, ElementType type) {
  if (type == ElementType::F16)
    return halfToDouble(static_cast<uint16_t>(bits));
  if (type == ElementType::F32)
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  return std::bit_cast<double>(bits);
}

/// Places the floats of one type on a line so that neighbours differ by one;
/// both zeros fall on 0.
int64_t orderOf(uint64_t bits, uint32_t bytes) {
  uint64_t sign = uint64_t{1} << (8 * bytes - 1);
  auto magnitude = static_cast<int64_t>(bits & (sign - 1));
  return bits & sign ? -magnitude : magnitude;
}

/// The distance of two elements in every measure that a rule may ask for.
struct Distance {
  double absolute = 0; ///< infinity when a NaN met a number
  uint64_t ulps = 0;   ///< floats; UINT64_MAX when a NaN met a number
  bool sameNan = false;
};

Distance floatDistance(uint64_t a, uint64_t b, ElementType type) {
  double x = floatOf(a, type), y = floatOf(b, type);
  if (std::isnan(x) || std::isnan(y)) {
    if (std::isnan(x) && std::isnan(y))
      return {0, 0, true};
    return {std::numeric_limits<double>::infinity(), UINT64_MAX, false};
  }
  int64_t i = orderOf(a, bytesOf(type)), j = orderOf(b, bytesOf(type));
  uint64_t ulps = i > j ? static_cast<uint64_t>(i) - static_cast<uint64_t>(j)
                        : static_cast<uint64_t>(j) - static_cast<uint64_t>(i);
  return {x == y ? 0 : std::fabs(x - y), ulps, false};
}

Distance integerDistance(uint64_t a, uint64_t b, ElementType type) {
  uint32_t bytes = bytesOf(type);
  bool less = isSigned(type) ? signExtend(a, bytes) < signExtend(b, bytes) : a < b;
  uint64_t x = isSigned(type) ? static_cast<uint64_t>(signExtend(a, bytes)) : a;
  uint64_t y = isSigned(type) ? static_cast<uint64_t>(signExtend(b, bytes)) : b;
  return {static_cast<double>(less ? y - x : x - y), 0, false};
}

bool accepts(const CompareRule &rule, uint64_t expected, uint64_t actual,
             const Distance &distance) {
  if (expected == actual)
    return true;
  if (rule.mode == CompareMode::Exact)
    return false;
  if (distance.sameNan)
    return true;
  if (rule.mode == CompareMode::Ulp)
    return isFloat(rule.type) && distance.ulps <= rule.ulps;
  double reference =
      isFloat(rule.type)
          ? floatOf(expected, rule.type)
          : (isSigned(rule.type) ? static_cast<double>(signExtend(expected, bytesOf(rule.type)))
                                 : static_cast<double>(expected));
  // An infinite reference would accept everything through the relative term.
  if (std::isinf(reference) || std::isinf(distance.absolute) || std::isnan(distance.absolute))
    return distance.absolute == 0;
  return distance.absolute <= rule.absolute + rule.relative * std::fabs(reference);
}

std::string textOf(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

std::string textOf(uint64_t bits, ElementType type) {
  if (!isFloat(type))
    return isSigned(type) ? std::to_string(signExtend(bits, bytesOf(type))) : std::to_string(bits);
  char text[64];
  int digits = type == ElementType::F64 ? 17 : type == ElementType::F32 ? 9 : 5;
  std::snprintf(text, sizeof text, "%.*g", digits, floatOf(bits, type));
  return text;
}

} // namespace

std::string_view nameOf(ElementType type) { return rowOf(type).name; }
uint32_t bytesOf(ElementType type) { return rowOf(type).bytes; }
bool isFloat(ElementType type) { return type >= ElementType::F16; }

std::optional<ElementType> parseElementType(std::string_view name) {
  for (const TypeRow &row : kTypes)
    if (row.name == name)
      return row.type;
  return std::nullopt;
}

double halfToDouble(uint16_t bits) {
  int exponent = (bits >> 10) & 0x1f;
  int mantissa = bits & 0x3ff;
  double magnitude;
  if (exponent == 0x1f)
    magnitude = mantissa ? std::numeric_limits<double>::quiet_NaN()
                         : std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    magnitude = std::ldexp(mantissa, -24);
  else
    magnitude = std::ldexp(mantissa + 0x400, exponent - 25);
  return std::copysign(magnitude, bits & 0x8000 ? -1.0 : 1.0);
}

Result<Comparison> compare(std::span<const std::byte> expected, std::span<const std::byte> actual,
                           const CompareRule &rule) {
  if (expected.size() != actual.size())
    return failure({}, "outputs of " + std::to_string(expected.size()) + " and " +
                           std::to_string(actual.size()) + " bytes cannot be compared");
  uint32_t bytes = bytesOf(rule.type);
  if (expected.size() % bytes != 0)
    return failure({}, "an output of " + std::to_string(expected.size()) +
                           " bytes is no whole number of " + std::string(nameOf(rule.type)) +
                           " elements");
  Comparison result;
  result.elements = expected.size() / bytes;
  if (std::equal(expected.begin(), expected.end(), actual.begin()))
    return result;
  for (uint64_t i = 0; i != result.elements; ++i) {
    uint64_t a = bitsAt(expected.data() + i * bytes, bytes);
    uint64_t b = bitsAt(actual.data() + i * bytes, bytes);
    if (a == b)
      continue;
    Distance distance =
        isFloat(rule.type) ? floatDistance(a, b, rule.type) : integerDistance(a, b, rule.type);
    result.maxAbsoluteError = std::max(result.maxAbsoluteError, distance.absolute);
    result.maxUlps = std::max(result.maxUlps, distance.ulps);
    if (accepts(rule, a, b, distance))
      continue;
    if (result.mismatches++ == 0) {
      result.firstMismatch = i;
      result.expected = textOf(a, rule.type);
      result.actual = textOf(b, rule.type);
    }
  }
  return result;
}

std::string Comparison::str() const {
  if (equal()) {
    std::string text = "all " + std::to_string(elements) + " elements agree";
    if (maxAbsoluteError != 0)
      text += " (largest error " + textOf(maxAbsoluteError) + ")";
    return text;
  }
  return std::to_string(mismatches) + " of " + std::to_string(elements) +
         " elements differ, first at " + std::to_string(firstMismatch) + ": expected " + expected +
         ", got " + actual + " (largest error " + textOf(maxAbsoluteError) + ")";
}

} // namespace tailor::vulkan
