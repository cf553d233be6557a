//===- passes/PrintCertificate.h - What is proven of a kernel ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the certificate: whether `resize` is legal, and otherwise the instruction
// that stopped the proof; whether authored ids must be rewritten; per axis the
// bounds that guard all side effects, or what stands outside them.
//
// Not handled: kernels that cannot be looked at (no size, no body) are refused.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_PRINTCERTIFICATE_H
#define TAILOR_PASSES_PRINTCERTIFICATE_H

#include "passes/PassArguments.h"

namespace tailor {

class PrintCertificate final : public Pass {
public:
  struct Options {
    std::string entry; ///< empty: PassContext::entryPoint, or the only compute entry point
  };
  static constexpr OptionInfo kOptions[] = {
      {"entry", "ENTRY", "the kernel; else `--entry`, else the only one"},
  };

  explicit PrintCertificate(Options options) : options(std::move(options)) {}
  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments);
  static const PassInfo &passInfo();
  const PassInfo &info() const override { return passInfo(); }
  Result<Change> run(Module &module, PassContext &context) override;

private:
  Options options;
};

} // namespace tailor

#endif
