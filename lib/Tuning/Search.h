//===- Tuning/Search.h - Which variants to try, and which one wins --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two decisions of a tuning run that need no device: which variants of a
// kernel apply to a dispatch, and which of their times is the best by more than
// the noise.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_SEARCH_H
#define TAILOR_TUNING_SEARCH_H

#include "Bundle/Manifest.h"
#include "Devices/Quirks.h"
#include "Support/Result.h"
#include "Tuning/Reflect.h"
#include "Tuning/Workload.h"
#include "Vulkan/Device.h"
#include "Vulkan/Runner.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tailor {

/// A variant that applies, ready for Runner::prepare.
struct SelectedVariant {
  size_t variant = 0; ///< index into KernelInfo::variants
  vulkan::Candidate candidate;
};
struct LeftOutVariant {
  size_t variant = 0;
  std::string why;
};
struct Selection {
  std::vector<SelectedVariant> selected; ///< the authored module first
  std::vector<LeftOutVariant> leftOut;   ///< in the order of the bundle
};

/// Everything that decides whether a variant applies.
struct DispatchSite {
  const Bundle &bundle;
  const KernelInfo &kernel;
  const Reflection &reflection; ///< of the authored module
  const ProblemSize &size;
  const vulkan::KernelInstance &instance; ///< of `size`
  const vulkan::DeviceLimits &limits;
  /// Of the device's driver (KnownDevice.h); none where no device is meant.
  std::span<const Quirk *const> quirks{};
};

/// What a leaf of a bound is worth under this workload; nullopt where the
/// workload does not say (a poisoned buffer, a binding that is not there).
std::optional<uint32_t> leafValue(const UniformExpr &leaf, const ProblemSize &size,
                                  const vulkan::KernelInstance &instance);

/// Splits the variants of a kernel: into those whose dispatch rule holds for
/// the workload (group counts that come out, a grid that reaches every bound)
/// and that fit the device and no fault of its driver forbids (QuirkRules.h), and the others with
/// their reasons. Fails when the
/// authored module itself does not apply.
Result<Selection> selectVariants(const DispatchSite &site);

/// The SPIR-V of a variant. Fails for a bundle without it.
Result<std::vector<uint32_t>> wordsOf(const Bundle &bundle, const KernelInfo &kernel,
                                      const VariantInfo &variant);

/// A hash over the ids and modules of a kernel's variants.
std::string variantSetHash(const Bundle &bundle, const KernelInfo &kernel);

/// One candidate's time, for the choice.
struct CandidateTime {
  std::string id;
  double medianNs = 0;
  double spread = 0; ///< of the samples, a fraction of the median
  double drift = 0;  ///< disagreement of its rounds and movement of the clock, the larger
  Evidence evidence = Evidence::Proven;
  bool verified = true; ///< its outputs agreed with the authored module's, here, in this run
};

struct Choice {
  size_t index = 0; ///< of the winner
  double noise = 0; ///< the fraction by which the authored time had to be above its own
  bool tie = false; ///< something was faster than the authored module, by less than that
};

/// No candidate wins by less than this fraction, however quiet its samples.
inline constexpr double kLeastGain = 0.01;

/// Of the candidates below the authored time by more than the noise of the two (a fraction of
/// theirs: the largest of twice a spread, a drift and kLeastGain) the fastest; of those within
/// kLeastGain of it the first in `times`, so that two runs do not give two winners over a
/// difference that is none. Without one, the authored. A declared variant that was not verified
/// does not count: nothing speaks for it but its author's word. `times` is not empty and holds
/// positive medians.
Choice chooseWinner(std::span<const CandidateTime> times, size_t authored);

} // namespace tailor

#endif
