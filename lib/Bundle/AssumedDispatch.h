//===- Bundle/AssumedDispatch.h - What is dispatched when nobody says it ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When a bundle is built there is no workload. To compare variants all the same,
// a dispatch is assumed, and of the host's values what must go with it: bounds
// that the kernel checks its ids against are those of the grid. Nothing that is
// proven rests on any of it.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BUNDLE_ASSUMEDDISPATCH_H
#define TAILOR_BUNDLE_ASSUMEDDISPATCH_H

#include "Analysis/Certificate.h"
#include "Analysis/KernelAnalysis.h"

#include <optional>
#include <utility>
#include <vector>

namespace tailor {

/// What the user said of it.
struct DispatchRequest {
  std::optional<Dim3> groups; ///< of the authored module
  /// Otherwise so many invocations, about: 4096x4096 on two axes.
  uint64_t invocations = uint64_t{1} << 24;
};

class AssumedDispatch {
public:
  /// Without group counts, each axis along which groups do different things gets as many
  /// invocations as the others, as a power of two of authored groups, so that sizes and packed
  /// groups come out even; the other axes get one group.
  AssumedDispatch(const KernelAnalysis &kernel, const Certificate &certificate,
                  const DispatchRequest &request);

  const Dim3 &groups() const { return counts; } ///< of the authored module
  /// Invocations along an axis.
  uint64_t grid(unsigned axis) const { return uint64_t{counts[axis]} * authored[axis]; }
  /// Of a leaf that goes with the grid: a bound of an id, an image's size, an array's length.
  /// nullopt for all others, unless `takeAsGrid` was called: then every integer of the host that
  /// may be one is the longest axis of the grid.
  std::optional<uint32_t> value(const UniformExpr &leaf) const;
  void takeAsGrid() { everything = true; }

private:
  void take(const DispatchBound &bound);
  void reach(const UniformExpr &expr, uint64_t wanted);
  std::optional<uint32_t> known(const UniformExpr &leaf) const;

  Dim3 authored, counts;
  std::vector<std::pair<UniformExpr, uint32_t>> values;
  bool everything = false;
};

} // namespace tailor

#endif
