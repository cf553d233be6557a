//===- Bundle/VariantOrder.h - Which variants of a kind come first (internal) ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No claim about time: what a subgroup fetches, how many invocations a workgroup
// has and how many each lane runs, against what devices of all vendors like. Of
// variants that are alike in these the first is promising and the others wait, as
// one measurement says much about all of them. docs/techniques.md has the reasons.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BUNDLE_VARIANTORDER_H
#define TAILOR_BUNDLE_VARIANTORDER_H

#include "Bundle/VariantPlan.h"

namespace tailor {

class VariantOrder {
public:
  VariantOrder(const Certificate &certificate, const PlanRequest &request);

  /// How far a variant is from what is hoped for, in doublings; smaller is better.
  double distance(const PlannedVariant &variant) const;
  /// Puts the nearest first, with no two alike next to each other where that can be had. Returns
  /// how many of them, at the front, are worth a share before others, one at least. The rest
  /// fetches more than twice as much as the best; is another order of lanes that fetches the same,
  /// or much more; coarsens in blocks that fetch no less; packs along an axis that has one group;
  /// or orders the groups of another variant. Where the user listed the sizes all stay as they are.
  size_t sort(std::vector<PlannedVariant> &variants) const;
  /// Of all that the kernel reads and writes; not of images.
  bool knowsLayout() const { return !readsImages; }

private:
  std::optional<double> fetched(const PlannedVariant &variant) const;
  bool hasPurpose(const PlannedVariant &variant) const;
  bool mayPay(const PlannedVariant &variant, double bytes, double best) const;

  const PlanRequest &request;
  Dim3 authored;
  bool readsImages = false; ///< or writes them: where texels lie is the device's
};

} // namespace tailor

#endif
