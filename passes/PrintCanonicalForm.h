//===- passes/PrintCanonicalForm.h - The form that analyses read ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the canonical form of a kernel as SPIR-V text that can be assembled
// again: one entry point, its calls inlined, its local variables in SSA form. A
// comment behind each instruction of the body says where it came from in the
// input, and comments in front list the optimizer steps that were undone, with
// the reasons. Ids are the numbers that the other printing passes name.
//
// Not handled: source text, lines and non-semantic instructions are left out.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_PRINTCANONICALFORM_H
#define TAILOR_PASSES_PRINTCANONICALFORM_H

#include "passes/PassArguments.h"

namespace tailor {

class PrintCanonicalForm final : public Pass {
public:
  struct Options {
    std::string entry; ///< empty: PassContext::entryPoint, or the only compute entry point
  };
  static constexpr OptionInfo kOptions[] = {
      {"entry", "ENTRY", "the kernel; else `--entry`, else the only one"},
  };

  explicit PrintCanonicalForm(Options options) : options(std::move(options)) {}
  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments);
  static const PassInfo &passInfo();
  const PassInfo &info() const override { return passInfo(); }
  Result<Change> run(Module &module, PassContext &context) override;

private:
  Options options;
};

} // namespace tailor

#endif
