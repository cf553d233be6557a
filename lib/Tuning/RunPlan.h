//===- Tuning/RunPlan.h - All that a tuning run is about ------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Known before any driver is: kernels, workloads and problem sizes, and what the
// database holds of them. The work itself can be begun at any site of it.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_RUNPLAN_H
#define TAILOR_TUNING_RUNPLAN_H

#include "Tuning/Reflect.h"
#include "Tuning/TuneSink.h"
#include "Tuning/Tuner.h"

#include <deque>
#include <span>
#include <vector>

namespace tailor {

/// A kernel of a bundle.
struct KernelSite {
  const Bundle *bundle = nullptr;
  const KernelInfo *kernel = nullptr;
  Reflection reflection;
};

/// One kernel at one problem size of a workload that is for it.
struct TunePlace {
  const KernelSite *site = nullptr;
  const Workload *workload = nullptr;
  const ProblemSize *size = nullptr;
};

struct RunPlan {
  /// What `workloads` ask for of `bundles`, both of which must outlive it. Fails where a workload
  /// is for no kernel or does not fit one: all faults but the first go to `diags`.
  static Result<RunPlan> make(const std::vector<Bundle> &bundles,
                              std::span<const Workload> workloads, const TuneOptions &options,
                              Diagnostics &diags);

  std::span<const Workload> workloads;
  const TuneOptions &options;
  std::deque<KernelSite> kernels; ///< places point into it
  /// By workload, kernel and size. A site is a place on a device; devices vary first.
  std::vector<TunePlace> places{};
  std::vector<KnownBad> knownBad{};
  std::vector<StoredWinner> stored{}; ///< outcomes that are kept where they still stand

  const TunePlace &placeOf(size_t site, size_t devices) const { return places[site / devices]; }

  /// All that is done with drivers, from a site on.
  Status work(const TuneResume &resume, TuneSink &sink) const;
  /// The same in processes of their own.
  Status workIsolated(TuneSink &sink) const;
};

} // namespace tailor

#endif
