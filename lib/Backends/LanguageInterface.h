//===- Backends/LanguageInterface.h - What a text asks of its host --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Languages number resources in their own ways. This says, for one text, where
// the host puts what the module names by (set, binding), in which form push
// constants arrive, and what the device must be able to do.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_LANGUAGEINTERFACE_H
#define TAILOR_BACKENDS_LANGUAGEINTERFACE_H

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tailor {

/// One number of a resource's place, by the language's own word:
///   glsl, essl  binding; with Vulkan GLSL set and binding
///   hlsl        b, t, u or s (the register's number by its letter), and space
///               from shader model 5.1 on
///   msl         buffer, texture or sampler (the index of the argument)
///   wgsl        group and binding
struct PlaceNumber {
  std::string word;
  uint32_t number = 0;
  friend auto operator<=>(const PlaceNumber &, const PlaceNumber &) = default;
};

/// A resource of the module in a text. A combined image and sampler that a language keeps apart
/// has two entries of one (set, binding), kinds `texture` and `sampler`; a separate image that a
/// language joins with its sampler has one of kind `combined`, whose sampler is `sampler`.
struct PlacedResource {
  /// storage_buffer, uniform_buffer, texture (sampled), texel_buffer, image (storage), sampler,
  /// combined (texture with its sampler)
  std::string kind;
  std::string name;              ///< of the variable, block or argument as the text spells it
  uint32_t set = 0, binding = 0; ///< in the module
  uint32_t count = 1;  ///< of an array of resources: elements; 0: as many as the host gives
  bool writes = false; ///< the text declares it writable
  std::vector<PlaceNumber> place;
  /// kind combined, joined by us: (set, binding) of the sampler in the module.
  std::optional<std::pair<uint32_t, uint32_t>> sampler{};
  friend auto operator<=>(const PlacedResource &, const PlacedResource &) = default;
};

/// Values that the host gives and that are no resource of the module.
struct PlacedValues {
  /// push_constants (the block of the module, appended bytes included), workgroup_counts (three
  /// unsigned 32-bit integers: the counts of the dispatch), buffer_lengths (an unsigned 32-bit
  /// integer for each buffer: its length in bytes, by the buffer's index)
  std::string what;
  /// push_constants, uniform_buffer (std140, or a constant buffer), storage_buffer, buffer (a
  /// Metal constant address space argument)
  std::string kind;
  std::string name;
  uint32_t bytes = 0; ///< of the block; 0: as many as there are
  std::vector<PlaceNumber> place;
  friend auto operator<=>(const PlacedValues &, const PlacedValues &) = default;
};

struct LanguageInterface {
  std::string entryPoint; ///< the function's name in the text
  /// What the text is written in, as the language's compilers are told it: `430`, `310 es`,
  /// `cs_5_0`, `metal2.1 macos`, empty for wgsl.
  std::string version;
  std::vector<PlacedResource> resources; ///< sorted by (set, binding, kind)
  std::vector<PlacedValues> values;      ///< sorted by `what`
  /// What the device or the compiler must offer beyond the version: WebGPU features (`shader-f16`,
  /// `subgroups`), GL extensions (`GL_KHR_shader_subgroup_basic`), DXC flags
  /// (`-enable-16bit-types`).
  std::vector<std::string> features; ///< sorted
  friend auto operator<=>(const LanguageInterface &, const LanguageInterface &) = default;
};

} // namespace tailor

#endif
