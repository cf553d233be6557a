//===- passes/GridValues.h - Three numbers that a host hands to a kernel ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_GRIDVALUES_H
#define TAILOR_PASSES_GRIDVALUES_H

#include "Support/Result.h"
#include "passes/IdEmitter.h"

#include <array>

namespace tailor {

/// Where the host puts the logical grid.
enum class GridSource : uint8_t {
  PushConstants, ///< three 32-bit unsigned integers x, y, z behind the kernel's own block
  SpecConstants, ///< three specialization constants; a pipeline for each grid
};

/// Push constants that every Vulkan device has (maxPushConstantsSize, Vulkan 1.3, table "Required
/// Limits").
inline constexpr uint32_t kPushConstantFloor = 128;
inline constexpr uint32_t kGridBytes = 12;

/// Three values x, y, z of a module that the host sets.
class GridValues {
public:
  /// Adds them for what `entry` reaches. Push constants: members of a copy of the kernel's block,
  /// at the next multiple of 4 behind its end, or a block of their own at offset 0 where it has
  /// none. Where they would end past kPushConstantFloor, or the block's end is the host's to say
  /// (an array of a specialized length), they are specialization constants instead: `source` says
  /// what they are. Fails, located, where the block is used otherwise than by loads and access
  /// chains, or in a function that another entry point reaches too.
  static Result<GridValues> add(Module &module, const EntryPoint &entry, GridSource source);

  GridSource source() const { return kind; }
  uint32_t offset() const { return byteOffset; }                         ///< PushConstants
  const std::array<uint32_t, 3> &specIds() const { return specialized; } ///< SpecConstants

  Id read(IdEmitter &emit, unsigned axis) const;

private:
  GridSource kind = GridSource::PushConstants;
  uint32_t byteOffset = 0;
  std::array<uint32_t, 3> specialized{};
  Id variable = Id::None;   ///< the block, and where in it the values stand
  uint32_t firstMember = 0; ///< y and z are the next ones
  std::array<Id, 3> constants{};
};

} // namespace tailor

#endif
