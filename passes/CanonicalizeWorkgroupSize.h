//===- passes/CanonicalizeWorkgroupSize.h - Three spellings to one ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Leaves each entry point that has a workgroup size with one literal LocalSize,
// under the host's specialization values. A constant decorated BuiltIn
// WorkgroupSize overrides LocalSize and LocalSizeId for every entry point, so
// each of them gets its value; the constant then loses that decoration and stays
// a plain constant for its other uses. LocalSizeId becomes LocalSize, which every
// version of SPIR-V has.
//
// Every SpecId that the size depends on is frozen: all constants under it, two
// under one SpecId included, become plain ones of the host's value, and what is
// computed from them (array lengths, other sizes) is folded where the evaluator
// knows the value. Other SpecIds stay specializable, whatever value the host
// gives them. No constant is edited where it would mean something else to
// another use.
//
// Not handled: a size that cannot be computed (floating point, unknown
// operations) is refused. Constants that end without a use are left. Sizes of
// other models (task, mesh, kernel) are treated alike, but one without a size is
// refused for GLCompute alone.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_CANONICALIZEWORKGROUPSIZE_H
#define TAILOR_PASSES_CANONICALIZEWORKGROUPSIZE_H

#include "passes/PassArguments.h"

namespace tailor {

class CanonicalizeWorkgroupSize final : public Pass {
public:
  struct Options {
    /// On top of PassContext::spec, as text.
    std::vector<SpecAssignment> spec;
  };
  static constexpr OptionInfo kOptions[] = {
      {"spec", "ID:VALUE;...", "the host's specialization values, on top of `--spec`"},
  };

  explicit CanonicalizeWorkgroupSize(Options options) : options(std::move(options)) {}
  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments);
  static const PassInfo &passInfo();
  const PassInfo &info() const override { return passInfo(); }
  Result<Change> run(Module &module, PassContext &context) override;

private:
  Options options;
};

} // namespace tailor

#endif
