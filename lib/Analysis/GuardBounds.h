//===- Analysis/GuardBounds.h - Bounds in comparisons ---------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_GUARDBOUNDS_H
#define TAILOR_ANALYSIS_GUARDBOUNDS_H

#include "Analysis/Affine.h"
#include "Analysis/Dispatch.h"
#include "Analysis/GuardConditions.h"
#include "Analysis/IdDependence.h"

#include <array>

namespace tailor {

using AxisBounds = std::array<std::vector<DispatchBound>, 3>;

/// Reads `GlobalId[axis] < bound` out of comparisons, also where a sum is compared: `4*GlobalId.x +
/// 3 < n`, `GlobalId.y*width + GlobalId.x < n`, or its quotient: `GlobalId.x / width < height`.
class BoundReader {
public:
  BoundReader(const CanonicalForm &form, const IdDependence &ids, const AffineAnalysis &affine)
      : form(form), module(form.module()), ids(ids), affine(affine) {}

  /// What the comparison bounds on the axis, being true or false as the atom says.
  std::optional<DispatchBound> read(const Atom &atom, unsigned axis) const;
  /// The compared side as terms and offset; nullopt where it is not a sum of global ids times
  /// values of the host, or where the axis is not the one that the sum grows fastest with.
  std::optional<DispatchBound> sum(Id value, unsigned component, unsigned axis) const;
  /// Every bound that is known to hold, per axis.
  AxisBounds allOf(const KnownConditions &known) const;

private:
  struct Quotient {
    Id dividend;
    UniformExpr divisor;
    bool isSigned;
  };
  std::optional<Quotient> quotientOf(Id value, unsigned component) const;
  std::optional<UniformExpr> factorOf(const AffineExpr &factor) const;

  const CanonicalForm &form;
  const Module &module;
  const IdDependence &ids;
  const AffineAnalysis &affine;
};

} // namespace tailor

#endif
