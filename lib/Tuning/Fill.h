//===- Tuning/Fill.h - Deterministic contents of resources ----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a workload's resources hold at first. The numbers depend on the seed and
// the position alone, so that every machine, compiler and run sees the same
// inputs. The rules are in docs/formats.md; changing one changes every stored
// result.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_FILL_H
#define TAILOR_TUNING_FILL_H

#include "Support/Result.h"
#include "Vulkan/Compare.h"
#include "Vulkan/Resources.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tailor {

/// Values at a byte offset of a buffer.
struct PlacedValue {
  uint64_t offset = 0; ///< bytes
  std::vector<std::byte> data;
};

struct Fill {
  enum class Kind : uint8_t {
    Poison,   ///< a pattern that shows missing writes: outputs by default
    Zero,     ///< everything else by default
    Sequence, ///< element i is i
    Random,   ///< element i from randomBits(seed, i)
    Values,   ///< zero but for `values`: structures
    File,     ///< raw bytes for a buffer, a PGM, PPM or PAM picture for an image
  };
  Kind kind = Kind::Zero;
  uint64_t seed = 0;
  std::optional<double> min, max; ///< Random; inclusive for integers
  std::vector<PlacedValue> values;
  std::string path; ///< as the workload has it
  Location location;
};

/// The splitmix64 output function of the stream `seed` at position `index`:
/// mix(seed + (index + 1)·0x9e3779b97f4a7c15).
uint64_t randomBits(uint64_t seed, uint64_t index);

/// The top 53 of randomBits as a double in [0, 1).
double randomUnit(uint64_t seed, uint64_t index);

/// How the elements of some contents are made: the type of their bits, and for
/// normalized images that a number in [0, 1] (or [-1, 1]) is scaled to it.
struct ElementFormat {
  vulkan::ElementType type = vulkan::ElementType::U32;
  bool normalized = false;
};
/// The components of an image format; nullopt where they are packed into words.
std::optional<ElementFormat> elementFormatOf(const vulkan::ImageFormat &format);

/// `count` elements, for Sequence and Random. Random without min and max covers
/// every value of an integer type and [0, 1) of the others.
std::vector<std::byte> makeElements(const Fill &fill, ElementFormat format, uint64_t count);

/// A number as one element: rounded to nearest; integers must be in range.
/// Returns false when the type cannot hold it.
bool appendElement(std::vector<std::byte> &out, vulkan::ElementType type, double value);
/// Exact for 64-bit integers: the value is -magnitude when negative.
bool appendInteger(std::vector<std::byte> &out, vulkan::ElementType type, bool negative,
                   uint64_t magnitude);

/// The bits of a double as f16, rounded to nearest even.
uint16_t halfFromDouble(double value);

} // namespace tailor

#endif
