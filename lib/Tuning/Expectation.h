//===- Tuning/Expectation.h - What the cost model expects of each variant ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_EXPECTATION_H
#define TAILOR_TUNING_EXPECTATION_H

#include "Cost/CostModel.h"
#include "Tuning/Search.h"

#include <memory>
#include <optional>
#include <vector>

namespace tailor {

/// Of one variant, at one problem size, on one device.
struct Expectation {
  std::optional<VariantFeatures> features; ///< nullopt: the kernel cannot be looked at
  CostEstimate estimate;                   ///< zeros then
  std::string whyNot;                      ///< then
};

/// Beside `selected`. `subgroupWidth`: 0 for the profile's. Variants are looked at one by one;
/// nothing that is wrong with one keeps the others from their figures.
std::vector<Expectation> expectationsOf(const DispatchSite &site,
                                        const std::vector<SelectedVariant> &selected,
                                        const DeviceProfile &profile, uint32_t subgroupWidth = 0);

/// A copy of a problem size whose large contents are left out: enough to choose and look at
/// variants, without a gigabyte of random numbers. `keepBytes`: contents up to so many stay.
ProblemSize withoutContents(const ProblemSize &size, uint64_t keepBytes = 65536);

/// A kernel at a problem size where no device is at hand: what would let a variant run is taken for
/// granted, large contents are left out.
class SiteWithoutDevice {
public:
  /// Fails where the workload does not fit the kernel. The arguments must outlive the result.
  static Result<std::unique_ptr<SiteWithoutDevice>> create(const Bundle &bundle,
                                                           const KernelInfo &kernel,
                                                           const Workload &workload,
                                                           const ProblemSize &size);
  DispatchSite site() const { return {bundle, kernel, reflection, size, instance, limits}; }
  Selection selection; ///< the variants that apply to the dispatch

private:
  SiteWithoutDevice(const Bundle &bundle, const KernelInfo &kernel, ProblemSize light)
      : bundle(bundle), kernel(kernel), size(std::move(light)) {}

  const Bundle &bundle;
  const KernelInfo &kernel;
  ProblemSize size;
  Reflection reflection;
  vulkan::KernelInstance instance;
  vulkan::DeviceLimits limits;
};

} // namespace tailor

#endif
