//===- passes/Respecialize.h - Other values for the constants of the size ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives a kernel whose workgroup size is made of specialization constants another
// size by giving those constants other values. Array lengths, loop bounds and ids
// that are computed from them follow by themselves, as they would if the host had
// set the values. With `size`, the SpecIds are found from the axes: each axis that
// is a specialization constant takes its new value; one SpecId on two axes must
// get one value; every constant under a SpecId follows, two under one SpecId
// included. An axis that is a literal, or is computed from other constants, can
// only keep what then comes out. With `values`, SpecIds are named, those beside
// the size too. Whatever got a value is frozen, and the size becomes one literal
// LocalSize as by `canonicalize-workgroup-size`. Other SpecIds stay the host's.
//
// It runs on the module as its author wrote it, where the size still hangs off its
// constants, and `--spec` is the authored values. That the kernel computes the
// same at another size is the author's declaration and no proof of ours. It is
// refused where workgroup memory or control barriers exist and nothing in the
// body follows the size, since lengths and loops then hold literals that fit one
// size; `insist` makes it anyway. The authored size is always accepted.
//
// Refused too, and no matter what is insisted on, where constants under one SpecId of
// the size have other defaults each and `--spec` gives no value: they are different
// numbers with the author, and would be one.
//
// Not handled: other entry points get the values too, where they share the
// constants. Whether a device has the workgroup memory is for `verify-limits`.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_RESPECIALIZE_H
#define TAILOR_PASSES_RESPECIALIZE_H

#include "Analysis/Legality.h"
#include "passes/PassArguments.h"

namespace tailor {

class Respecialize final : public Pass {
public:
  struct Options {
    std::optional<Dim3> size;           ///< the new size; empty: what `values` give
    std::vector<SpecAssignment> values; ///< on top of PassContext::spec; frozen too
    bool insist = false;                ///< goes on where the verdict is a refusal
    std::string entry; ///< empty: PassContext::entryPoint, or the only compute entry point
    /// The verdict on respecialize, if it is there already: of this entry point under
    /// PassContext::spec. Null: the kernel is analysed. Must outlive the run.
    const TechniqueVerdict *verdict = nullptr;
  };
  static constexpr OptionInfo kOptions[] = {
      {"entry", "ENTRY", "the kernel; else `--entry`, else the only one"},
      {"insist", "", "also where nothing in the body follows the size"},
      {"size", "AxBxC", "the new size"},
      {"values", "ID:VALUE;...", "values of SpecIds, on top of `--spec` and of what `size` gives"},
  };

  explicit Respecialize(Options options) : options(std::move(options)) {}
  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments);
  static const PassInfo &passInfo();
  const PassInfo &info() const override { return passInfo(); }
  Result<Change> run(Module &module, PassContext &context) override;

private:
  Options options;
};

/// The values of the size's SpecIds that make `entry` a kernel of `size`, on top of `spec`. Fails,
/// located at the constant, where there are none: one SpecId for two axes that differ, an axis that
/// is a literal or computed.
Result<SpecMap> specValuesForSize(const Module &module, const EntryPoint &entry, const Dim3 &size,
                                  const SpecMap &spec);

} // namespace tailor

#endif
