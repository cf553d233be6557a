//===- differential/MadeVariants.h - Variants that passes make -------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_DIFFERENTIAL_MADEVARIANTS_H
#define TAILOR_DIFFERENTIAL_MADEVARIANTS_H

#include "Harness.h"

#include <string>
#include <vector>

namespace tailor::differential {

/// A variant: the pipeline that makes it of a module with one entry point and one literal size,
/// and what the host must know.
struct MadeBy {
  std::string pipeline;
  Dim3 size;
  Dispatch dispatch; ///< Same where it is left as it is
  uint64_t sharedBytes = 0;
};

/// Makes the variants, each step validated, and compares them with the authored kernel on every
/// device. A pipeline that is refused is left out, and named in `refusal`, the last one staying.
Report compareMade(const Compiled &compiled, const std::vector<MadeBy> &variants,
                   const SpecMap &spec, const Workload &workload, const ProblemSize &size);

} // namespace tailor::differential

#endif
