//===- Analysis/Work.h - How much an invocation does -----------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations of one invocation that takes every branch, each block counted as
// often as its loops run it: an upper bound, where every trip count is known.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_WORK_H
#define TAILOR_ANALYSIS_WORK_H

#include "Analysis/KernelAnalysis.h"
#include "Analysis/TripCounts.h"

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace tailor {

/// What is counted. Arithmetic is counted by component.
enum class WorkKind : uint8_t {
  Float,   ///< additions, products, comparisons, min, max, rounding; a fused multiply-add is two,
           ///< a dot product of n components 2n-1; sign changes and absolute values are free
  Integer, ///< arithmetic, bits, comparisons, selections, logic; not the addresses that access
           ///< chains imply
  Special, ///< division, roots, powers, exponentials, logarithms, trigonometry; integer division
           ///< by what is no constant
  Conversion, ///< between types and widths, packing; not bit casts
  Load,       ///< instructions that read buffers, uniform data, workgroup and private memory
  Store,
  Atomic,
  Image, ///< reads, writes, fetches, samples
  ControlBarrier,
  MemoryBarrier,
  Subgroup, ///< subgroup and quad operations
};
inline constexpr unsigned kNumWorkKinds = 11;
std::string_view nameOf(WorkKind kind); ///< `floating-point operations`, `loads`, ...

enum class WorkSpace : uint8_t { Buffer, Image, Uniform, Workgroup, Private };
inline constexpr unsigned kNumWorkSpaces = 5;
std::string_view nameOf(WorkSpace space); ///< buffer, image, uniform, workgroup, private

/// Figures of kind T: double for one instruction, TripSum for a kernel.
template <typename T> struct WorkCounts {
  std::array<T, kNumWorkKinds> operations{};
  std::array<T, kNumWorkSpaces> bytesRead{}, bytesWritten{};
  T unsized{}; ///< accesses whose bytes are not known: images without a format

  T &operator[](WorkKind kind) { return operations[static_cast<unsigned>(kind)]; }
  const T &operator[](WorkKind kind) const { return operations[static_cast<unsigned>(kind)]; }
  const T &read(WorkSpace space) const { return bytesRead[static_cast<unsigned>(space)]; }
  const T &written(WorkSpace space) const { return bytesWritten[static_cast<unsigned>(space)]; }
};

/// Live values at the point of a kernel where they are most.
struct LivePressure {
  unsigned components = 0; ///< of 32 bits; a boolean, a 16-bit number and an address are one each
  const Instruction *at = nullptr; ///< null in a kernel without values
};

struct WorkFacts {
  WorkCounts<TripSum> counts;
  /// The names in the counts, with what they are taken as in the figures below.
  std::vector<TripName> names;
  /// Floating-point operations (special functions as one each) per byte read from or written to
  /// buffers and images; nullopt where no such byte is known.
  std::optional<double> intensity;
  /// Of all operations but barriers, those in blocks that the invocations of a subgroup or a
  /// workgroup may not reach alike, from 0 to 1.
  double divergentInSubgroup = 0, divergentInWorkgroup = 0;
  /// nullopt: the kernel is too large to say (over 64 million live values, summed over blocks).
  std::optional<LivePressure> pressure;
  /// Arrays and structures that stay in memory of the invocation's own.
  uint64_t privateBytes = 0;
};

WorkFacts measureWork(const KernelAnalysis &kernel);

/// The largest sum of live values over all points of the kernel, by liveness of each value.
std::optional<LivePressure> measurePressure(const KernelAnalysis &kernel);

} // namespace tailor

#endif
