//===- Cost/CostModel.h - What a variant is expected to take ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From what a module does at a dispatch (Cost/Features.h) and what is known of a
// device to a time: what each part of the device would need alone, put together.
// It is made for ranking variants of one kernel; docs/tuning.md has the figures
// behind it, and what it gets wrong.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_COST_COSTMODEL_H
#define TAILOR_COST_COSTMODEL_H

#include "Cost/Features.h"
#include "Devices/Profile.h"

#include <string>
#include <vector>

namespace tailor {

/// What one part of the device would need, were it the only one.
struct CostPart {
  std::string name; ///< memory, cache, texels, shared, instructions, waiting, groups
  double ns = 0;
  std::string why; ///< `8 sectors a subgroup where 4 would do`
};

struct CostEstimate {
  double expectedNs = 0;
  double boundNs = 0;          ///< nothing that moves the same data can be faster; 0: not known
  std::vector<CostPart> parts; ///< the largest first
  double occupancy = 0;        ///< resident invocations over those that a unit could hold
  double waves = 0;            ///< groups over those that the device holds at once
  double tail = 1;             ///< what the last wave, and units without work, make of the time

  /// `412 us: 61 % memory (...), ...`
  std::string str() const;
};

/// What a profile does not say is taken as a middling GPU has it.
CostEstimate estimate(const VariantFeatures &features, const DeviceProfile &profile);

/// Bytes that must come from or go to the device's memory over its peak; 0 where the profile does
/// not say it. What its second-level cache may keep from the last dispatch is left out.
double boundOf(const VariantFeatures &features, const DeviceProfile &profile);

} // namespace tailor

#endif
