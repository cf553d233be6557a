//===- Analysis/Legality.h - Which techniques a kernel allows --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each technique a verdict: legal, with the sizes it may give, or refused,
// with the instruction that stopped the proof. docs/legality.md has the proofs.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_LEGALITY_H
#define TAILOR_ANALYSIS_LEGALITY_H

#include "Analysis/LegalityRelaxation.h"
#include "Support/Diagnostics.h"
#include "Support/Dim3.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tailor {

class KernelAnalysis;

enum class Technique : uint8_t { Resize, Remap, Pack, Coarsen, Swizzle, Respecialize };
inline constexpr unsigned kNumTechniques = 6;
inline constexpr std::array<Technique, kNumTechniques> kTechniques = {
    Technique::Resize,  Technique::Remap,   Technique::Pack,
    Technique::Coarsen, Technique::Swizzle, Technique::Respecialize};
std::string_view nameOf(Technique technique); ///< as on the command line: "resize"
std::optional<Technique> parseTechnique(std::string_view name);

struct TechniqueVerdict {
  /// Why the technique is refused, whatever the size; empty when it is legal.
  std::optional<Diagnostic> refusal;
  /// Pack: why groups may not be put together along an axis.
  std::array<std::optional<Diagnostic>, 3> axisRefusal;
  /// Remap: each size must divide the authored size on every axis. (Workgroup memory is used as
  /// private memory: two invocations that share an authored local id must not share a group.)
  bool dividesOnly = false;
  /// Respecialize: workgroup variables whose length the size does not change.
  std::vector<std::string> fixedVariables;
  /// Remap: the kernel reads the number of groups, which a rule that rounds up does not keep.
  bool readsGroupCount = false;

  bool legal() const { return !refusal; }
};

/// Verdicts by technique. `resizeRefusal`: what the proof of resize came to
/// (Analysis/GroupIndependence.h). `relaxed`: for tests.
std::array<TechniqueVerdict, kNumTechniques>
judgeTechniques(const KernelAnalysis &kernel, const std::optional<Diagnostic> &resizeRefusal,
                const LegalityRelaxation &relaxed = {});

/// Whether the technique can give the size: any for resize and remap; multiples of the authored
/// size on the axes that pack allows; divisors of it for coarsen; any of as many invocations for
/// swizzle; any for respecialize. The authored size itself is no variant, but for swizzle.
bool allowsSize(Technique technique, const TechniqueVerdict &verdict, const Dim3 &authored,
                const Dim3 &size);

/// The verdict in words: `refused`, `legal, any size`, `legal, multiples of 8x8x1 along x and z`,
/// `legal, divisors of 16x16x1`.
std::string sizesText(Technique technique, const TechniqueVerdict &verdict, const Dim3 &authored);

} // namespace tailor

#endif
