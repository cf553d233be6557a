//===- Vulkan/Compare.h - Compares outputs ------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two outputs as bytes, read as elements of one type. NaN: in exact mode two
// elements are equal when their bits are; in the tolerant modes any NaN equals
// any NaN, and a NaN differs from every number.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_VULKAN_COMPARE_H
#define TAILOR_VULKAN_COMPARE_H

#include "Support/Result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tailor::vulkan {

enum class ElementType : uint8_t { U8, I8, U16, I16, U32, I32, U64, I64, F16, F32, F64 };
/// "u8", "i8", ..., "f64".
std::string_view nameOf(ElementType type);
std::optional<ElementType> parseElementType(std::string_view name);
uint32_t bytesOf(ElementType type);
bool isFloat(ElementType type);

enum class CompareMode : uint8_t { Exact, Ulp, Absolute };

/// How close two elements must be. Integers compare exactly under Ulp, and by
/// their difference under Absolute.
struct CompareRule {
  CompareMode mode = CompareMode::Exact;
  ElementType type = ElementType::U32;
  uint64_t ulps = 0;   ///< Ulp: representable values between them, at most
  double absolute = 0; ///< Absolute: |a - b| <= absolute + relative * |expected|
  double relative = 0;

  static CompareRule exact(ElementType type = ElementType::U8) {
    return {CompareMode::Exact, type, 0, 0, 0};
  }
  static CompareRule withinUlps(ElementType type, uint64_t ulps) {
    return {CompareMode::Ulp, type, ulps, 0, 0};
  }
  static CompareRule within(ElementType type, double absolute, double relative = 0) {
    return {CompareMode::Absolute, type, 0, absolute, relative};
  }
};

struct Comparison {
  uint64_t elements = 0;
  uint64_t mismatches = 0;
  uint64_t firstMismatch = 0;   ///< element index, when mismatches != 0
  std::string expected, actual; ///< the values there, as text
  double maxAbsoluteError = 0;  ///< over all elements; infinity when a NaN met a number
  uint64_t maxUlps = 0;         ///< floats only; UINT64_MAX when a NaN met a number
  bool equal() const { return mismatches == 0; }
  /// "3 of 1024 elements differ, first at 17: expected 1.5, got 2.25 (largest error 0.75)"
  std::string str() const;
};

/// Fails with ErrorKind::Refused when the lengths differ or are no whole number
/// of elements.
Result<Comparison> compare(std::span<const std::byte> expected, std::span<const std::byte> actual,
                           const CompareRule &rule);

/// An f16 as a double, exactly.
double halfToDouble(uint16_t bits);

} // namespace tailor::vulkan

#endif
