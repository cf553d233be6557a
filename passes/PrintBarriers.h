//===- passes/PrintBarriers.h - Barriers and atomics of a kernel ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the control barriers of a kernel with scopes, semantics, loops and the
// uniformity of the control flow that leads to them, with its causes where not
// all invocations that meet there reach it alike (`divergent barrier`) or where
// groups packed into one would not; its memory barriers; its atomics with how
// the invocations share the address; the loop, if any, that waits for other
// invocations; and comparisons that look for the last workgroup to finish.
//
// Not handled: kernels that cannot be looked at (no size, no body) are refused.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_PRINTBARRIERS_H
#define TAILOR_PASSES_PRINTBARRIERS_H

#include "passes/PassArguments.h"

namespace tailor {

class PrintBarriers final : public Pass {
public:
  struct Options {
    std::string entry; ///< empty: PassContext::entryPoint, or the only compute entry point
  };
  static constexpr OptionInfo kOptions[] = {
      {"entry", "ENTRY", "the kernel; else `--entry`, else the only one"},
  };

  explicit PrintBarriers(Options options) : options(std::move(options)) {}
  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments);
  static const PassInfo &passInfo();
  const PassInfo &info() const override { return passInfo(); }
  Result<Change> run(Module &module, PassContext &context) override;

private:
  Options options;
};

} // namespace tailor

#endif
