//===- passes/PrintWork.h - How much an invocation does ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the operations of one invocation that takes every branch: arithmetic by
// component, memory instructions, bytes by space, barriers; each a number, or a
// sum over the names that the trip counts of the kernel are made of. Then, with a
// value assumed for each name, floating-point operations per byte of global
// memory and the share of operations that the invocations of a subgroup or
// workgroup may not reach alike; and the most live values at one point.
//
// Not handled: conditions are taken as met, so the figures are upper bounds;
// texels that a sampler reads are not sized.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_PRINTWORK_H
#define TAILOR_PASSES_PRINTWORK_H

#include "passes/PassArguments.h"

namespace tailor {

class PrintWork final : public Pass {
public:
  struct Options {
    std::string entry; ///< empty: PassContext::entryPoint, or the only compute entry point
  };
  static constexpr OptionInfo kOptions[] = {
      {"entry", "ENTRY", "the kernel; else `--entry`, else the only one"},
  };

  explicit PrintWork(Options options) : options(std::move(options)) {}
  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments);
  static const PassInfo &passInfo();
  const PassInfo &info() const override { return passInfo(); }
  Result<Change> run(Module &module, PassContext &context) override;

private:
  Options options;
};

} // namespace tailor

#endif
