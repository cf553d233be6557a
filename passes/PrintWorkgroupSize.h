//===- passes/PrintWorkgroupSize.h - The size of each kernel ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints, for each compute entry point, the workgroup size under the host's
// specialization values, the spelling that counts, and whether it depends on
// specialization constants.
//
// Not handled: a size that cannot be computed is refused.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_PRINTWORKGROUPSIZE_H
#define TAILOR_PASSES_PRINTWORKGROUPSIZE_H

#include "passes/PassArguments.h"

#include <array>

namespace tailor {

class PrintWorkgroupSize final : public Pass {
public:
  struct Options {};
  static constexpr std::array<OptionInfo, 0> kOptions{};

  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments);
  static const PassInfo &passInfo();
  const PassInfo &info() const override { return passInfo(); }
  Result<Change> run(Module &module, PassContext &context) override;
};

} // namespace tailor

#endif
