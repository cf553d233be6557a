//===- Bundle/KnobVariants.h - Variants that their author declares ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BUNDLE_KNOBVARIANTS_H
#define TAILOR_BUNDLE_KNOBVARIANTS_H

#include "Bundle/VariantMaker.h"
#include "Bundle/VariantPlan.h"

#include <map>
#include <string>

namespace tailor {

/// A kernel's source compiled with other values of its knobs (Frontend/Knobs.h): a module that
/// wants of its host what the authored one wants.
struct KnobBuild {
  std::map<std::string, std::string> values; ///< macro -> value
  Module module;
};

/// A variant with the step that names it.
struct KnobVariant {
  PlannedVariant planned;
  MadeVariant made;
};

/// The entry point `entry` of that module alone, with one literal LocalSize under the host's values
/// `spec`. The logical grid stays: where the size is not `authored`, the rule is `exact` with that
/// size over its own, else `same`. The evidence is `declared`. Fails where the module has no such
/// entry point, or no size.
Result<KnobVariant> makeKnobVariant(const KnobBuild &build, const std::string &entry,
                                    const SpecMap &spec, const Dim3 &authored,
                                    Diagnostics &diagnostics);

/// `TILE=16, UNROLL=4`
std::string textOf(const std::map<std::string, std::string> &values);

} // namespace tailor

#endif
