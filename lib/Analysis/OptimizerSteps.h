//===- Analysis/OptimizerSteps.h - Optimizer passes that can be undone ----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs SPIRV-Tools' public optimizer passes over a module with one entry point,
// a step at a time. What a step gives is taken only when it is valid and still
// has the workgroup size of the module before; else the step is undone, and a
// sentence says why. An optimizer is never required for correctness.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_OPTIMIZERSTEPS_H
#define TAILOR_ANALYSIS_OPTIMIZERSTEPS_H

#include "IR/Constants.h"
#include "IR/Module.h"
#include "IR/WorkgroupSize.h"
#include "Support/Result.h"

#include <functional>
#include <string>
#include <vector>

namespace spvtools {
class Optimizer;
}

namespace tailor {

class OptimizerSteps {
public:
  /// `words`: a module in this machine's byte order; `file`: for messages. Fails where the
  /// module cannot be read or has not exactly one entry point.
  static Result<OptimizerSteps> create(std::vector<uint32_t> words, const std::string &file);

  using AddPasses = std::function<void(spvtools::Optimizer &)>;
  /// Runs the passes as one step called `name`; whether its result was taken. The size is compared
  /// under the defaults of the specialization constants that it hangs off, and under two sets of
  /// other values: a size that was folded is another size.
  bool run(const std::string &name, const AddPasses &addPasses);
  /// Back to an earlier state of words().
  void goBack(std::vector<uint32_t> earlier);

  const std::vector<uint32_t> &words() const { return current; }
  const Module &module() const { return form; }
  Module takeModule() { return std::move(form); }
  /// The steps that were undone, each with the reason: `inlining: the result is not valid`.
  const std::vector<std::string> &undone() const { return reasons; }
  void noteUndone(std::string what) { reasons.push_back(std::move(what)); }

private:
  OptimizerSteps() = default;
  /// The entry point and its size under each of `probes`.
  struct Sizes {
    std::string entryPoint;
    std::vector<Result<WorkgroupSize>> bySpec;
  };
  Sizes sizesNow() const;
  std::string objection(const Sizes &before) const;

  std::vector<uint32_t> current;
  Module form;
  std::vector<std::string> reasons;
  std::vector<SpecMap> probes; ///< specialization values under which sizes are compared
};

} // namespace tailor

#endif
