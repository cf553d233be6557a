//===- Analysis/AdviceTraffic.h - Other sizes and orders of the lanes, evaluated ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_ADVICETRAFFIC_H
#define TAILOR_ANALYSIS_ADVICETRAFFIC_H

#include "Analysis/AdviceImpl.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tailor {

/// What a subgroup fetches for all accesses, for each of its invocations.
struct FetchCost {
  double bytes = 0; ///< in sectors
  double lines = 0;
};

class TrafficAdviser {
public:
  /// By how much less another arrangement must fetch to be worth a word.
  static constexpr double kGain = 0.75, kLineGain = 0.6;
  /// Evaluating lanes costs time: kernels with more accesses, and workgroups with more lanes, go
  /// without.
  static constexpr size_t kMaxAccesses = 64;
  static constexpr uint64_t kMaxLanes = 256;

  TrafficAdviser(const Findings &findings, AdviceList &list)
      : findings(findings), kernel(findings.kernel), authored(kernel.size()), list(list),
        model(kernel) {
    for (size_t at = 0; at < findings.accesses.size(); ++at)
      if (findings.accesses[at].access.space == MemorySpace::StorageBuffer)
        buffers.push_back(at);
  }

  void run();

private:
  struct Arrangement {
    Dim3 size;
    std::string name; ///< `64x1x1 (resize)`
    FetchCost cost;
    std::vector<Lane> lanes;
  };
  std::optional<FetchCost>
  costOf(llvm::function_ref<std::optional<Traffic>(const MemoryAccess &)> traffic,
         uint64_t invocations) const;
  std::optional<FetchCost> costOf(const Dim3 &size, const HostValues &host) const;
  bool holdsForOtherValues(const Dim3 &size) const;
  std::vector<Dim3> otherSizes() const;
  std::optional<Technique> resizing() const;
  std::optional<Arrangement> betterSize(const FetchCost &than);
  std::optional<Arrangement> betterOrder(const FetchCost &than);
  std::string remedyInCode(const AccessFinding &finding) const;
  void strided(const AccessGroup &worst, const FetchCost &cost, double share);
  std::string remedyText(const Arrangement &better, const AccessFinding &finding,
                         const FetchCost &cost);
  bool isCompleted(const AccessFinding &finding) const;
  std::optional<uint64_t> footprint(const Dim3 &size, const HostValues &host) const;
  std::optional<double> footprintShare(const Dim3 &size, const HostValues &host) const;
  void axisOfOne(); ///< AdviceFootprint.cpp

  const Findings &findings;
  const KernelAnalysis &kernel;
  const Dim3 &authored;
  AdviceList &list;
  LaneModel model;
  std::vector<size_t> buffers; ///< accesses of storage buffers
  size_t tried = 0;            ///< sizes and orders that were evaluated
};

/// A host whose values all differ: with one value for all, steps along different axes can fall
/// together.
HostValues differingHost();

} // namespace tailor

#endif
