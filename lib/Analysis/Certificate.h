//===- Analysis/Certificate.h - What is proven of a kernel ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each technique the proof that it is legal, or the instruction that stopped
// the proof (Analysis/Legality.h, docs/legality.md), and on which axes the side
// effects of a kernel are under a bounds check.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_CERTIFICATE_H
#define TAILOR_ANALYSIS_CERTIFICATE_H

#include "Analysis/Dispatch.h"
#include "Analysis/Facts.h"
#include "Analysis/Legality.h"
#include "IR/Module.h"
#include "IR/WorkgroupSize.h"
#include "Support/Result.h"

#include <array>
#include <optional>

namespace tailor {

/// The axes on which a kernel reads ids other than the global id in the form WorkgroupId·S +
/// LocalInvocationId. A resized module must then read them so that the sum stays the global id.
struct IdRewrite {
  bool needed = false; ///< some of LocalInvocationId, LocalInvocationIndex, WorkgroupId is read
};

struct Certificate {
  std::string entryPoint;
  WorkgroupSize authored;
  KernelFacts facts;

  std::array<TechniqueVerdict, kNumTechniques> verdicts; ///< by technique
  const TechniqueVerdict &verdict(Technique technique) const {
    return verdicts[static_cast<size_t>(technique)];
  }
  TechniqueVerdict &verdict(Technique technique) {
    return verdicts[static_cast<size_t>(technique)];
  }
  /// Why `resize` is refused; empty when it is legal.
  const std::optional<Diagnostic> &resizeRefusal() const {
    return verdict(Technique::Resize).refusal;
  }
  bool resizeLegal() const { return !resizeRefusal(); }
  IdRewrite rewrite;

  /// Per axis: the bounds under which all side effects stand, and all accesses that an invocation
  /// past the bound could not make safely. Empty: the axis is not guarded, and `coverRefusal` says
  /// by what.
  std::array<std::vector<DispatchBound>, 3> bounds;
  std::array<std::optional<Diagnostic>, 3> coverRefusal;

  /// Axes on which the body's behaviour can differ between invocations at all: an axis that no
  /// id of which is read is not worth resizing along.
  std::array<bool, 3> usesAxis{};

  /// What certify() was told to leave out.
  LegalityRelaxation relaxed;
};

/// Proves what can be proven of `entry` under the host's specialization values `spec`. Fails only
/// where the kernel cannot be looked at (no size, no function body); everything else is a refusal
/// in the certificate.
Result<Certificate> certify(const Module &module, const EntryPoint &entry,
                            const SpecMap &spec = {});
/// The same for a kernel that was analysed already.
/// `relaxed`: conditions that are left out of the proofs, for tests.
Certificate certify(const KernelAnalysis &kernel, const LegalityRelaxation &relaxed = {});

/// The dispatch rule of a technique's variant of `size`.
/// Resize and remap: Exact where size divides the authored size on each axis (it then divides every
/// grid) or where some needed axis is not guarded; Cover where every axis on which size does not
/// divide the authored size is guarded and `allowCover` holds (and, for remap, the kernel does not
/// read the number of groups). Guarded is open to both for every size, once the variant is given
/// the grid. Pack and respecialize: Exact. Coarsen and swizzle: Same. Fails with the certificate's
/// refusal, or where the technique does not give that size.
Result<Dispatch> dispatchOf(const Certificate &certificate, Technique technique, const Dim3 &size,
                            bool allowCover = true);
inline Result<Dispatch> resizeDispatch(const Certificate &certificate, const Dim3 &size,
                                       bool allowCover = true) {
  return dispatchOf(certificate, Technique::Resize, size, allowCover);
}

} // namespace tailor

#endif
