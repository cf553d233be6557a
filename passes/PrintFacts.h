//===- passes/PrintFacts.h - What a kernel does ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the facts of a kernel as stable text: its size, what it depends on, its
// barriers, atomics, subgroup operations, built-in ids and memory accesses.
//
// Not handled: kernels that cannot be looked at (no size, no body) are refused.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_PRINTFACTS_H
#define TAILOR_PASSES_PRINTFACTS_H

#include "passes/PassArguments.h"

namespace tailor {

class PrintFacts final : public Pass {
public:
  struct Options {
    std::string entry; ///< empty: PassContext::entryPoint, or the only compute entry point
  };
  static constexpr OptionInfo kOptions[] = {
      {"entry", "ENTRY", "the kernel; else `--entry`, else the only one"},
  };

  explicit PrintFacts(Options options) : options(std::move(options)) {}
  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments);
  static const PassInfo &passInfo();
  const PassInfo &info() const override { return passInfo(); }
  Result<Change> run(Module &module, PassContext &context) override;

private:
  Options options;
};

} // namespace tailor

#endif
