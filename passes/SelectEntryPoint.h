//===- passes/SelectEntryPoint.h - One kernel of a module ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Drops every entry point but one, with its execution modes, and the functions
// that the one kept cannot reach through calls, with their names and decorations.
//
// Not handled: types, constants and module-scope variables that end without a use
// stay, and so do capabilities. Debug information that describes a dropped
// function goes where nothing else refers to it; where something does, the module
// is refused with the advice to strip debug information first.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_SELECTENTRYPOINT_H
#define TAILOR_PASSES_SELECTENTRYPOINT_H

#include "passes/PassArguments.h"

namespace tailor {

class SelectEntryPoint final : public Pass {
public:
  struct Options {
    std::string name; ///< empty: PassContext::entryPoint, or the only compute entry point
  };
  static constexpr OptionInfo kOptions[] = {
      {"name", "ENTRY", "the compute entry point to keep; else `--entry`, else the only one"},
  };

  explicit SelectEntryPoint(Options options) : options(std::move(options)) {}
  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments);
  static const PassInfo &passInfo();
  const PassInfo &info() const override { return passInfo(); }
  Result<Change> run(Module &module, PassContext &context) override;

private:
  Options options;
};

} // namespace tailor

#endif
