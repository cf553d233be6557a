//===- Support/Dim3.h - Three extents: sizes, groups, grids ---------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_SUPPORT_DIM3_H
#define TAILOR_SUPPORT_DIM3_H

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tailor {

/// Extents on the x, y and z axes. What is counted (invocations, workgroups) is
/// said by the name of the variable: localSize, groups, grid.
struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;

  uint32_t operator[](unsigned axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
  uint32_t &operator[](unsigned axis) { return axis == 0 ? x : axis == 1 ? y : z; }
  /// x·y·z, which cannot overflow 64 bits for any size a device allows; saturates otherwise.
  uint64_t product() const {
    uint64_t xy = uint64_t{x} * y;
    return z != 0 && xy > UINT64_MAX / z ? UINT64_MAX : xy * z;
  }
  std::array<uint32_t, 3> array() const { return {x, y, z}; }
  std::string str() const {
    return std::to_string(x) + "x" + std::to_string(y) + "x" + std::to_string(z);
  }
  friend auto operator<=>(const Dim3 &, const Dim3 &) = default;
};

/// Reads `64`, `8x8` or `8x8x1` (missing axes are 1); nothing else, and no zero.
std::optional<Dim3> parseDim3(std::string_view text);

inline constexpr char kAxisName[3] = {'x', 'y', 'z'};

} // namespace tailor

#endif
