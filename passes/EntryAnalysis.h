//===- passes/EntryAnalysis.h - The analyses of the kernel a pass is about -===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_ENTRYANALYSIS_H
#define TAILOR_PASSES_ENTRYANALYSIS_H

#include "Analysis/KernelAnalysis.h"
#include "passes/Pass.h"

namespace tailor {

/// Of the entry point `option`; where that is empty of the context's, or of the only one there is.
inline Result<KernelAnalysis> analyzeEntry(Module &module, const std::string &option,
                                           const PassContext &context) {
  Result<EntryPoint> entry =
      findComputeEntryPoint(module, option.empty() ? context.entryPoint : option);
  if (!entry)
    return entry.takeFailure();
  return KernelAnalysis::create(module, *entry, context.spec);
}

} // namespace tailor

#endif
