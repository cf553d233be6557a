//===- differential/MadeVariants.cpp ---------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MadeVariants.h"

#include "TechniqueKernels.h"

namespace tailor::differential {

Report compareMade(const Compiled &compiled, const std::vector<MadeBy> &variants,
                   const SpecMap &spec, const Workload &workload, const ProblemSize &size) {
  std::vector<TechniqueVariant> wanted;
  for (const MadeBy &each : variants) {
    TechniqueVariant variant = {each.pipeline, each.size, each.dispatch};
    variant.sharedBytes = each.sharedBytes;
    wanted.push_back(std::move(variant));
  }
  TechniqueReport report = compareTechniques(compiled, wanted, spec, workload, size);
  report.refusal = report.refusals.empty() ? "" : report.refusals.back();
  return report;
}

} // namespace tailor::differential
