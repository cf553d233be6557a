//===- passes/PrintAffine.h - Integer values as sums of symbols ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the affine analysis of a kernel: its loops with their trip counts, each
// integer value as a polynomial over ids, loop iterations and values of the host
// with the range of that polynomial, and the address of each memory access in
// bytes.
//
// Not handled: kernels that cannot be looked at (no size, no body) are refused.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_PRINTAFFINE_H
#define TAILOR_PASSES_PRINTAFFINE_H

#include "passes/PassArguments.h"

namespace tailor {

class PrintAffine final : public Pass {
public:
  struct Options {
    std::string entry; ///< empty: PassContext::entryPoint, or the only compute entry point
  };
  static constexpr OptionInfo kOptions[] = {
      {"entry", "ENTRY", "the kernel; else `--entry`, else the only one"},
  };

  explicit PrintAffine(Options options) : options(std::move(options)) {}
  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments);
  static const PassInfo &passInfo();
  const PassInfo &info() const override { return passInfo(); }
  Result<Change> run(Module &module, PassContext &context) override;

private:
  Options options;
};

} // namespace tailor

#endif
