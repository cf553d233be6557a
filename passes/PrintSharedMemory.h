//===- passes/PrintSharedMemory.h - Workgroup memory and its lengths ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints each variable of workgroup memory that a kernel uses: its type, its
// bytes and the expression that they come from, the SpecIds in it, and whether it
// is proven that every invocation keeps to bytes of its own. Then the total, at
// the authored size and, with `size`, where the size's SpecIds have other values.
//
// Bytes are counted as Vulkan counts them: std430 with booleans of 4 bytes,
// variables in declaration order, blocks with an explicit layout all at 0.
//
// Not handled: lengths that are no constants of the module are unknown, and so
// is the total then.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_PRINTSHAREDMEMORY_H
#define TAILOR_PASSES_PRINTSHAREDMEMORY_H

#include "passes/PassArguments.h"

#include "Support/Dim3.h"

namespace tailor {

class PrintSharedMemory final : public Pass {
public:
  struct Options {
    std::string entry;        ///< empty: PassContext::entryPoint, or the only compute entry point
    std::optional<Dim3> size; ///< another size to count for
  };
  static constexpr OptionInfo kOptions[] = {
      {"entry", "ENTRY", "the kernel; else `--entry`, else the only one"},
      {"size", "AxBxC", "another size to count the total for"},
  };

  explicit PrintSharedMemory(Options options) : options(std::move(options)) {}
  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments);
  static const PassInfo &passInfo();
  const PassInfo &info() const override { return passInfo(); }
  Result<Change> run(Module &module, PassContext &context) override;

private:
  Options options;
};

} // namespace tailor

#endif
