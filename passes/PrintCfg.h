//===- passes/PrintCfg.h - Blocks, edges, dominators, cycles ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints every function's blocks in the order of the module: successors, merge
// and continue targets, immediate dominator, depth of the cycle nest, and blocks
// that cannot be reached.
//
// Not handled: instructions inside blocks are not shown; use a disassembler.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_PRINTCFG_H
#define TAILOR_PASSES_PRINTCFG_H

#include "passes/PassArguments.h"

#include <array>

namespace tailor {

class PrintCfg final : public Pass {
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
