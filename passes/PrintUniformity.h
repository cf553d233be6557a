//===- passes/PrintUniformity.h - Over which invocations values are equal --===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the uniformity analysis of a kernel's canonical form: for each block the
// largest scope (invocation, subgroup, workgroup, dispatch) over which its
// control flow is the same, and for each value that over which it is the same,
// by component where they differ. `pack y z` behind a scope: also over
// workgroups whose ids differ in the y axis alone, or in the z axis alone.
//
// Not handled: kernels that cannot be looked at (no size, no body) are refused.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_PRINTUNIFORMITY_H
#define TAILOR_PASSES_PRINTUNIFORMITY_H

#include "passes/PassArguments.h"

namespace tailor {

class PrintUniformity final : public Pass {
public:
  struct Options {
    std::string entry; ///< empty: PassContext::entryPoint, or the only compute entry point
    bool causes = false;
  };
  static constexpr OptionInfo kOptions[] = {
      {"causes", "", "below each block that a workgroup does not reach alike, why"},
      {"entry", "ENTRY", "the kernel; else `--entry`, else the only one"},
  };

  explicit PrintUniformity(Options options) : options(std::move(options)) {}
  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments);
  static const PassInfo &passInfo();
  const PassInfo &info() const override { return passInfo(); }
  Result<Change> run(Module &module, PassContext &context) override;

private:
  Options options;
};

} // namespace tailor

#endif
