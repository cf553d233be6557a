//===- passes/VerifyLimits.h - A workgroup against a device's limits ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares the size of each compute entry point (or of one), under the host's
// specialization values, and the workgroup memory that it reaches with the limits
// given. Every excess is reported with its figures; for memory, the largest
// variables are named. Without any limit given, those that every Vulkan device
// allows are used: 128 invocations, 128x128x64, 16384 bytes (Vulkan 1.3, "Required
// Limits").
//
// Memory is counted as Vulkan counts it: each variable at the layout of std430
// with booleans of 4 bytes, variables of the entry point's call tree alone.
//
// Not handled: what a driver adds of its own, the padding between variables, and
// pipeline limits that no module shows. A variable whose size is not known is
// refused when a memory limit is checked.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_VERIFYLIMITS_H
#define TAILOR_PASSES_VERIFYLIMITS_H

#include "passes/PassArguments.h"

namespace tailor {

class VerifyLimits final : public Pass {
public:
  struct Options {
    std::optional<uint64_t> maxInvocations; ///< of a workgroup; none: not checked
    std::optional<Dim3> maxSize;            ///< invocations per axis
    std::optional<uint64_t> maxSharedBytes; ///< workgroup memory of an entry point
    std::string entry;                      ///< empty: PassContext::entryPoint, or all
  };
  static constexpr OptionInfo kOptions[] = {
      {"entry", "ENTRY", "the kernel to check; else `--entry`, else all"},
      {"max-invocations", "N", "invocations of a workgroup"},
      {"max-shared-bytes", "N", "bytes of workgroup memory"},
      {"max-size", "AxBxC", "invocations on each axis"},
  };

  explicit VerifyLimits(Options options) : options(std::move(options)) {}
  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments);
  static const PassInfo &passInfo();
  const PassInfo &info() const override { return passInfo(); }
  Result<Change> run(Module &module, PassContext &context) override;

private:
  Options options;
};

} // namespace tailor

#endif
