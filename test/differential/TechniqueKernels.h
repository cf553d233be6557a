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

#include "gtest/gtest.h"

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
  bool guardsLast = false;           ///< behind the pipeline instead: a lie too
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

/// Kernels of a size that `sized` puts in. Each invocation writes at PLACE, its number in the grid
/// of the dispatch, which the kernel takes from the ids themselves; `a` has no room for others.
extern const std::string kIdHead;
/// All ids, in several ways of reading them.
extern const std::string kAllIds;
std::string sized(const std::string &text, const Dim3 &size);
/// All ids, and values that cross the workgroup of `size`.
std::string meetingKernel(const Dim3 &size);
/// A problem whose buffers end with the grid, and push constants of so many bytes.
ProblemSize idProblem(const Dim3 &groups, const Dim3 &authored, uint32_t pushConstantBytes = 0);

/// Runs GLSL kernels./// The same for kernels with three push constants, 5, 3 and 0: `invocations`
/// elements a group, and an output that starts as zeros.
ProblemSize exchangeProblem(const Dim3 &groups, uint32_t invocations);

class TechniqueTest : public testing::Test {
protected:
  void SetUp() override;
  static TechniqueReport run(const std::string &text, const ProblemSize &size,
                             const std::vector<TechniqueVariant> &variants);
  /// All of them run, on all devices, and give the same bits.
  static void same(const std::string &text, const ProblemSize &size,
                   const std::vector<TechniqueVariant> &variants);
};

} // namespace tailor::differential

#endif
