//===- Bundle/VariantPlan.h - Which variants a kernel gets ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a certificate and a request to a list of variants, each a short list of
// steps: one technique, or a composition whose later steps keep the groups. What
// is planned is what the certificate allows; a step after the first is proven
// when the variant is made, by certifying the module that the steps before it
// left (Bundle/VariantMaker.h).
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BUNDLE_VARIANTPLAN_H
#define TAILOR_BUNDLE_VARIANTPLAN_H

#include "Analysis/Certificate.h"
#include "Bundle/CandidateSizes.h"
#include "Bundle/Manifest.h"
#include "Devices/Profile.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tailor {

/// One technique with what it needs to be told.
struct PlannedStep {
  Technique technique = Technique::Resize;
  Dim3 size;            ///< that the step ends with
  bool guarded = false; ///< resize, remap: given the logical grid, for the rule `guarded`
  /// As in StepInfo::parameters. Coarsen: form. Swizzle: order (and tile), or rows.
  std::map<std::string, std::string> parameters{};
  friend bool operator==(const PlannedStep &, const PlannedStep &) = default;
};

struct PlannedVariant {
  std::vector<PlannedStep> steps; ///< at least one
  const Dim3 &size() const { return steps.back().size; }
  bool guarded() const { return steps.front().guarded; }
  friend bool operator==(const PlannedVariant &, const PlannedVariant &) = default;
};

/// `coarsen-64x1x1-blocked`: technique, size and parameters, and nothing else, so that it means the
/// same in every bundle.
std::string idOf(const PlannedStep &step);
/// The ids of its steps, joined by `+`.
std::string idOf(const PlannedVariant &variant);
/// `pack+coarsen`
std::string techniqueOf(const PlannedVariant &variant);

/// Which sizes also get a variant that is given the logical grid.
enum class GuardPolicy : uint8_t {
  Auto, ///< those that would otherwise apply only where they divide the grid
  All,  ///< all that do not divide the authored size
  None,
};
std::optional<GuardPolicy> parseGuardPolicy(std::string_view name);

struct PlanRequest {
  std::vector<Technique> techniques{kTechniques.begin(), kTechniques.end()};
  /// The user chose them by name: then also what another technique makes better, such as `remap` of
  /// a kernel that `resize` takes, and `respecialize` where nothing in the body follows the size.
  bool named = false;
  SizeRequest sizes; ///< of what a variant ends with, whatever the technique
  bool allowCover = true;
  GuardPolicy guards = GuardPolicy::Auto;
  size_t maxVariants = 64; ///< 0: no limit
  /// A variant fits one of them at least. None: 1024 invocations and 32 KiB of workgroup memory.
  /// Sizes that were listed are made whether they fit or not.
  std::vector<const DeviceProfile *> profiles;
  /// Workgroup memory in bytes when the size's specialization constants give this size; nothing
  /// where they cannot. Unset: respecialize is not planned.
  std::function<std::optional<uint64_t>(const Dim3 &)> respecializedBytes;
  /// Axes along which groups do different things. Along another one a grid has one group, or more
  /// of them that are alike.
  std::array<bool, 3> hasGroups{true, true, true};
  /// Bytes that a subgroup fetches for each authored invocation when its lanes stand as the variant
  /// (without steps: the author) puts them; nothing where that is not known (Bundle/LaneFetch.h).
  /// Unset: variants are ordered by their shapes alone.
  std::function<std::optional<double>(const PlannedVariant &)> fetchedBytes;
};

struct VariantPlan {
  /// By technique, compositions last; the most promising of each first. Ids are unique.
  std::vector<PlannedVariant> variants;
  /// Left out by maxVariants, in the order in which they would have come.
  std::vector<PlannedVariant> reserve;
  /// Where a variant stands among all of them, by its id: the order of `variants`.
  std::map<std::string, size_t> places;
  std::vector<Dim3> unmade; ///< listed sizes that no technique gives
  /// Techniques that are legal, but have nothing to give for this kernel, and why: those that were
  /// named, or all where nothing is planned. Not where sizes are listed.
  std::vector<std::pair<Technique, std::string>> idle;
};

/// The variants for a kernel of that certificate, all of maxVariants where there are so many. With
/// more, each kind gives its
/// most promising in turn, so that none goes without, and those of many sizes give more at a time;
/// what the facts speak against comes after all of these. Depends on nothing but its arguments.
VariantPlan planVariants(const Certificate &certificate, const PlanRequest &request);

} // namespace tailor

#endif
