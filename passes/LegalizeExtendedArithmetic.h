//===- passes/LegalizeExtendedArithmetic.h - Wide products in plain words ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpUMulExtended, OpSMulExtended, OpIAddCarry and OpISubBorrow give two results at
// once, for which HLSL and WGSL have no words. Each becomes ordinary arithmetic of
// the same width: the upper half of a product from four products of half as many
// bits each, a carry from a comparison of the sum with one of its parts. What took
// one of the two results apart takes that result itself.
//
// Scalars and vectors of 8, 16, 32 and 64 bits.
//
// Not handled: a product is not recognised as one of a wider type, where the target
// has such a type. RelaxedPrecision is dropped: the result has all its bits.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_LEGALIZEEXTENDEDARITHMETIC_H
#define TAILOR_PASSES_LEGALIZEEXTENDEDARITHMETIC_H

#include "passes/PassArguments.h"

#include <array>

namespace tailor {

/// What the pass does, for backends. Refuses, with the instruction, one whose result is not two
/// integers (or vectors of them) of one type.
Result<Change> legalizeExtendedArithmetic(Module &module);

class LegalizeExtendedArithmetic final : public Pass {
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
