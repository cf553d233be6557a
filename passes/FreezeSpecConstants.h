//===- passes/FreezeSpecConstants.h - Specialization constants to plain ones ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces the specialization constants under the given SpecIds (or all of them)
// by plain constants: of the given values, else of the host's (`--spec`), else of
// their defaults. Every constant under a SpecId follows, two under one SpecId
// included. Composites and operations all of whose operands have become plain are
// folded, so that array lengths and loop bounds are literals for whoever reads
// the module next. Result ids stay.
//
// Not handled: an operation whose value the evaluator does not know
// (floating-point arithmetic, a division by zero) stays an operation over frozen
// operands, and a note says so. Conditions on frozen values are not folded in
// function bodies. Values that would give an array no positive length are
// refused.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_FREEZESPECCONSTANTS_H
#define TAILOR_PASSES_FREEZESPECCONSTANTS_H

#include "passes/PassArguments.h"

namespace tailor {

class FreezeSpecConstants final : public Pass {
public:
  struct Options {
    bool all = false;          ///< every specialization constant, those without a SpecId too
    std::vector<uint32_t> ids; ///< SpecIds; each must exist in the module
    std::vector<SpecAssignment>
        values; ///< on top of PassContext::spec; their SpecIds are frozen too
  };
  static constexpr OptionInfo kOptions[] = {
      {"all", "", "freezes every specialization constant"},
      {"ids", "ID;...", "the SpecIds to freeze"},
      {"values", "ID:VALUE;...", "values to freeze with, on top of `--spec`; names its SpecIds"},
  };

  explicit FreezeSpecConstants(Options options) : options(std::move(options)) {}
  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments);
  static const PassInfo &passInfo();
  const PassInfo &info() const override { return passInfo(); }
  Result<Change> run(Module &module, PassContext &context) override;

private:
  Options options;
};

} // namespace tailor

#endif
