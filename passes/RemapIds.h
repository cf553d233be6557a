//===- passes/RemapIds.h - Another workgroup size, ids as authored ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives a kernel another literal LocalSize P and lets each invocation read the ids
// that the authored size S gave it. GlobalInvocationId stays; the others are, on
// each axis,
//
//     LocalInvocationId = GlobalId mod S      WorkgroupId = GlobalId div S
//     NumWorkgroups     = D·P / S             (D: the groups that are dispatched)
//
// and LocalInvocationIndex follows from the first. Where one size divides the other
// they come from the ids of the device without a division of the global id: with
// S = k·P, WorkgroupId is that of the device divided by k, the same for a whole
// workgroup. An axis with S = 1 has the global id as its group; one with S = P
// keeps its ids. Powers of two become shifts and masks. What nothing reads is not
// computed, and what is stands once, at the head of its function.
//
// Legal where invocations of a workgroup exchange nothing (docs/legality.md): the
// certificate proves that, or this pass refuses with the instruction that stopped
// the proof. Which group counts the host must then dispatch is not in the module: see
// dispatchOf in lib/Analysis/Certificate.h. Under the rule `exact` D·P is the grid, so
// that NumWorkgroups comes out even; under `cover` the kernel does not read it; for
// `guarded` run `guard-grid` in front, which computes it from the grid. No rule takes a
// grid of more than 2^32 invocations on an axis: the global id must not have wrapped.
//
// The authored size is always accepted and changes nothing.
//
// Not handled, and refused with its location: a built-in variable used in any other
// way than by loads, ids in a structure, a function that reads ids and is shared
// with another entry point. Whether a device can run the size is for `verify-limits`.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_REMAPIDS_H
#define TAILOR_PASSES_REMAPIDS_H

#include "Analysis/Certificate.h"
#include "passes/PassArguments.h"

namespace tailor {

class RemapIds final : public Pass {
public:
  struct Options {
    Dim3 size;         ///< the new size
    std::string entry; ///< empty: PassContext::entryPoint, or the only compute entry point
    /// The proof, if it is there already (many variants of one kernel): of this entry point at this
    /// module's size, guarded or not. Null: certify() is asked. Must outlive the run.
    const Certificate *certificate = nullptr;
  };
  static constexpr OptionInfo kOptions[] = {
      {"entry", "ENTRY", "the kernel; else `--entry`, else the only one"},
      {"size", "AxBxC", "the new size (needed)"},
  };

  explicit RemapIds(Options options) : options(std::move(options)) {}
  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments);
  static const PassInfo &passInfo();
  const PassInfo &info() const override { return passInfo(); }
  Result<Change> run(Module &module, PassContext &context) override;

private:
  Options options;
};

} // namespace tailor

#endif
