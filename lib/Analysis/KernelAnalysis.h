//===- Analysis/KernelAnalysis.h - The analyses of one kernel, together ----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The canonical form of an entry point and what is computed from it, each once:
// control flow, dependence on ids, affine expressions, uniformity. The facts
// (SharedMemory.h, Barriers.h, AccessPatterns.h, Work.h) and the certificate
// stand on it.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_KERNELANALYSIS_H
#define TAILOR_ANALYSIS_KERNELANALYSIS_H

#include "Analysis/Affine.h"
#include "Analysis/CanonicalForm.h"
#include "Analysis/IdDependence.h"
#include "Analysis/Uniformity.h"
#include "IR/Cfg.h"
#include "IR/Constants.h"
#include "IR/WorkgroupSize.h"
#include "Support/Result.h"

#include <memory>

namespace tailor {

class KernelAnalysis {
public:
  /// Fails where the kernel cannot be looked at: no size, no body. `spec`: the host's
  /// specialization values.
  static Result<KernelAnalysis> create(const Module &module, const EntryPoint &entry,
                                       const SpecMap &spec = {});
  KernelAnalysis(KernelAnalysis &&) noexcept;
  ~KernelAnalysis();

  const WorkgroupSize &authored() const;
  const Dim3 &size() const { return authored().size; }
  std::string entryName() const { return form().entry().name(); }
  const CanonicalForm &form() const;
  const Module &module() const { return form().module(); } ///< of the form
  const ControlFlow &flow() const;
  const IdDependence &ids() const;
  const AffineAnalysis &affine() const;
  /// Computed when it is first asked for, as it is not needed by every question.
  const Uniformity &uniformity() const;
  /// Constants under the host's values, defaults elsewhere: lengths of arrays, for example.
  ConstantEvaluator &constants() const;
  /// The host's values.
  const SpecMap &spec() const;
  Location locationOf(const Instruction &inst) const { return form().locationOf(inst); }

private:
  KernelAnalysis();
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tailor

#endif
