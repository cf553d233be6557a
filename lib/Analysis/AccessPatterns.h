//===- Analysis/AccessPatterns.h - Every access, and how lanes share it ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loads, stores, atomics and image accesses of a kernel, each with the bytes
// from one invocation to the next on every axis. What a subgroup of a given size
// fetches for them is in Analysis/Traffic.h.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_ACCESSPATTERNS_H
#define TAILOR_ANALYSIS_ACCESSPATTERNS_H

#include "Analysis/Facts.h"
#include "Analysis/KernelAnalysis.h"
#include "Analysis/PointerLayout.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tailor {

enum class AccessOp : uint8_t { Load, Store, Atomic };
std::string_view nameOf(AccessOp op); ///< load, store, atomic

/// How invocations that are neighbours on the fastest axis (the first of more than one invocation)
/// lie to one another.
enum class AccessPattern : uint8_t {
  Unknown, ///< floating-point coordinates
  Uniform, ///< all invocations of the workgroup at one address, at any one time
  Unit,    ///< one behind the other
  Strided, ///< apart by another number of bytes, maybe one that only the host knows
  Gather,  ///< by no rule: the address depends on data, or is no polynomial of the ids
};
std::string_view nameOf(AccessPattern pattern); ///< uniform, unit, strided, gather; "" for Unknown

/// From an invocation to its neighbour on one axis. On an axis of one invocation that is the next
/// workgroup's.
struct AccessStride {
  std::optional<int64_t> bytes; ///< where it is one number
  std::string text;             ///< `4`, `4*params.columns`; empty: it is not the same everywhere
};

struct MemoryAccess {
  const Instruction *inst = nullptr;     ///< in the canonical form
  const Instruction *variable = nullptr; ///< null: a pointer that no variable is known for
  std::string name;                      ///< of the variable, its block, or the id
  std::optional<uint32_t> set, binding;
  MemorySpace space = MemorySpace::Other;
  AccessOp op = AccessOp::Load;
  uint64_t bytes = 0; ///< per invocation; 0 where not known (an image without a format)
  AccessPattern pattern = AccessPattern::Unknown;
  Location location;

  // Memory with addresses.
  std::optional<PointerLayout> layout;
  std::optional<AffineAddress> address;
  std::array<AccessStride, 3> strides; ///< by axis
  /// The index is held inside of bounds by min, max or clamp: pattern and strides are those of
  /// invocations that meet no bound. Never Uniform then.
  bool insideBounds = false;

  // Images.
  Id coordinate = Id::None; ///< in texels, where it is an integer
  /// By axis: from a texel to the neighbour's, `(1, 0)`; empty: not the same everywhere.
  std::array<std::string, 3> texelStrides;
  bool isImage() const { return space == MemorySpace::Resource; }
};

/// In the order of the module: buffers, images, uniform memory and push constants, workgroup
/// memory. OpCopyMemory is a load and a store. Private memory is left out.
std::vector<MemoryAccess> findAccesses(const KernelAnalysis &analysis);

/// The same for the manifest.
AccessFact factOf(const MemoryAccess &access);

/// `buffer`, `image`, `uniform`, `workgroup`; nullptr for memory whose accesses are not counted.
const char *spaceName(MemorySpace space);

/// The first axis of more than one invocation; x where there is none.
unsigned fastestAxis(const Dim3 &size);

} // namespace tailor

#endif
