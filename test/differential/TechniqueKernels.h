//===- differential/TechniqueKernels.h - Kernels at techniques' hands ------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_DIFFERENTIAL_TECHNIQUEKERNELS_H
#define TAILOR_DIFFERENTIAL_TECHNIQUEKERNELS_H

#include "Harness.h"

#include "passes/GuardGrid.h"
#include "passes/PassManager.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tailor::differential {

/// A variant as a test wants it.
struct TechniqueVariant {
  std::string pipeline; ///< of the canonical module with one entry point; guarded before it
  Dim3 size;            ///< that the pipeline ends with
  Dispatch dispatch{};
  std::optional<GridSource> guard{}; ///< guard-grid runs in front of the pipeline,
  std::array<bool, 3> axes{};        ///< on these axes
  uint64_t sharedBytes = 0;
  std::function<void(PassManager &)> lie{}; ///< passes instead of `pipeline`, which names them
};

/// Makes each variant, every step validated, and compares it with the authored kernel. A variant
/// that is refused is no fault: its reason is in `refusals`, by pipeline.
struct TechniqueReport : Report {
  std::vector<std::string> refusals; ///< `pipeline: reason`
};
TechniqueReport compareTechniques(const Compiled &compiled,
                                  const std::vector<TechniqueVariant> &variants,
                                  const SpecMap &spec, const Workload &workload,
                                  const ProblemSize &size);

/// The same under the rule that the technique has there: remap at `size`, by `exact` where it is
/// open to that dispatch anyway, and guarded on each axis that needs it.
TechniqueVariant remapped(const Dim3 &authored, const Dim3 &size);
TechniqueVariant guardedRemap(const Dim3 &authored, const Dim3 &size, GridSource source);
TechniqueVariant guardedResize(const Dim3 &authored, const Dim3 &size, GridSource source);
/// A variant that runs the authored groups.
TechniqueVariant reordered(std::string pipeline, const Dim3 &size);

/// What is broken because a device cannot run the kernel in the first place is no fault, unless no
/// device can.
void leaveOutLacking(Report &report);

} // namespace tailor::differential

#endif
