//===- Analysis/Certificate.h - What is proven of a kernel ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The proof behind the technique `resize` (docs/legality.md): that a kernel's
// behaviour depends on the global id alone, and on which axes its side effects
// are under a bounds check. What is not proven is refused, with the instruction
// that stopped the proof.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_CERTIFICATE_H
#define TAILOR_ANALYSIS_CERTIFICATE_H

#include "Analysis/Dispatch.h"
#include "Analysis/Facts.h"
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

  /// Why `resize` is refused; empty when it is legal.
  std::optional<Diagnostic> resizeRefusal;
  bool resizeLegal() const { return !resizeRefusal; }
  IdRewrite rewrite;

  /// Per axis: the bounds under which all side effects stand, and all accesses that an invocation
  /// past the bound could not make safely. Empty: the axis is not guarded, and `coverRefusal` says
  /// by what.
  std::array<std::vector<DispatchBound>, 3> bounds;
  std::array<std::optional<Diagnostic>, 3> coverRefusal;

  /// Axes on which the body's behaviour can differ between invocations at all: an axis that no
  /// id of which is read is not worth resizing along.
  std::array<bool, 3> usesAxis{};
};

/// Proves what can be proven of `entry` under the host's specialization values `spec`. Fails only
/// where the kernel cannot be looked at (no size, no function body); everything else is a refusal
/// in the certificate.
Result<Certificate> certify(const Module &module, const EntryPoint &entry,
                            const SpecMap &spec = {});

/// The dispatch rule of `resize` to `size`: Exact where size divides the authored size on each axis
/// (it then divides every grid) or where some needed axis is not guarded; Cover where every axis on
/// which size does not divide the authored size is guarded and `allowCover` holds. Fails with the
/// certificate's refusal.
Result<Dispatch> resizeDispatch(const Certificate &certificate, const Dim3 &size,
                                bool allowCover = true);

} // namespace tailor

#endif
