//===- Bundle/LaneFetch.h - What a variant's lanes fetch together ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before a variant is made: how much memory a subgroup of 32 asks for when its
// lanes stand as the variant puts them. Only the size, the order of the lanes and
// what coarsened invocations share count, so that a thousand variants are a few
// dozen arrangements, each evaluated once.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BUNDLE_LANEFETCH_H
#define TAILOR_BUNDLE_LANEFETCH_H

#include "Analysis/Traffic.h"
#include "Bundle/VariantPlan.h"

#include <map>
#include <optional>
#include <vector>

namespace tailor {

class LaneFetch {
public:
  /// Evaluating lanes takes time: kernels with more accesses go without, and so do arrangements
  /// past the first so many.
  static constexpr size_t kMaxAccesses = 96, kMaxArrangements = 128;
  static constexpr uint32_t kLanes = 32;

  /// `kernel` must outlive it.
  explicit LaneFetch(const KernelAnalysis &kernel);

  /// Bytes of the sectors of buffers that a subgroup asks for, for each authored invocation, each
  /// access as often as its loops run. What is the same for all copies of a coarsened invocation
  /// counts once for them. Values of the host are taken as 4,096, and lanes at addresses that come
  /// from data as in a sector each. nullopt: the kernel has no such access or too many, or
  /// respecialize makes another kernel of it. Images do not count: where texels lie is the
  /// device's.
  std::optional<double> bytes(const PlannedVariant &variant);

private:
  struct Access {
    MemoryAccess access;
    double runs = 0;
    std::array<bool, 3> sameAlong{}; ///< the address is the same for neighbours on the axis
  };
  using Coordinates = std::vector<std::array<uint32_t, 3>>;

  const std::vector<double> *sectorsOf(const Coordinates &lanes);
  std::vector<Lane> lanesAt(const Coordinates &lanes, bool inside) const;

  const KernelAnalysis &kernel;
  LaneModel model;
  HostValues host;
  std::vector<Access> accesses;
  /// For each lane of an arrangement the sectors of each access.
  std::map<Coordinates, std::vector<double>> known;
};

} // namespace tailor

#endif
