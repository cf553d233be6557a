//===- Bundle/ProfileRank.h - What profiles make of variants ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where more variants are legal than a bundle may have, and devices are named,
// the cost model says which to keep. docs/tuning.md has how well that goes.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BUNDLE_PROFILERANK_H
#define TAILOR_BUNDLE_PROFILERANK_H

#include "Bundle/AssumedDispatch.h"
#include "Devices/Profile.h"
#include "IR/Module.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tailor {

struct MadeVariant;

class ProfileRank {
public:
  struct Kernel {
    const Module &base;    ///< the authored module, with one literal LocalSize
    std::string entry;     ///< its name
    Dim3 size;             ///< authored
    const SpecMap &values; ///< the host's
  };
  /// What specifications promise is no device: such profiles are passed over.
  ProfileRank(Kernel kernel, AssumedDispatch dispatch,
              std::span<const DeviceProfile *const> profiles);

  /// Those that are left; none: there is nothing to rank by.
  const std::vector<const DeviceProfile *> &profiles() const { return devices; }
  const Dim3 &groups() const { return dispatch.groups(); }
  /// Nanoseconds, for each profile. nullopt: the variant does not fit it, does not apply to the
  /// dispatch, or cannot be looked at.
  std::vector<std::optional<double>> expect(const MadeVariant &variant) const;

private:
  Kernel kernel;
  AssumedDispatch dispatch;
  std::vector<const DeviceProfile *> devices;
};

/// A variant in the choice.
struct RankedVariant {
  std::string technique;
  std::vector<std::optional<double>> expectedNs; ///< by profile
};
struct ChosenVariant {
  size_t variant = 0; ///< index into what was ranked
  size_t profile = 0; ///< in whose turn it was taken
  friend bool operator==(const ChosenVariant &, const ChosenVariant &) = default;
};

/// `most` of the variants, the profiles taking turns. Each takes what it expects to be the fastest;
/// every fourth time, of the techniques that nothing was taken of yet. So does the last turn of all
/// where only one technique was taken. What is not expected anything of comes last; of equals the
/// first.
std::vector<ChosenVariant> chooseInTurns(std::span<const RankedVariant> variants, size_t profiles,
                                         size_t most);

/// So many variants are made and looked at to keep `most` of them: in the order in which they would
/// be kept without a profile, whose first ones differ in what the facts say counts.
constexpr size_t rankedFor(size_t most) { return most < 6 ? 24 : 4 * most; }

} // namespace tailor

#endif
