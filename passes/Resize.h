//===- passes/Resize.h - Another workgroup size, the same invocations ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives a kernel another literal LocalSize where its behaviour depends on the
// global id alone; the certificate (lib/Analysis) proves that, or this pass refuses
// with the instruction that stopped the proof. Where the body spells the global id
// as WorkgroupId·S + LocalInvocationId, with S the authored size, those ids are
// read so that the sum stays the global id, per axis:
//
//     S = 1:      WorkgroupId is the global id, LocalInvocationId is 0
//     otherwise:  WorkgroupId is 0, LocalInvocationId is the global id
//
// and LocalInvocationIndex is computed from these. Loads of a whole vector and of
// components through access chains (constant or dynamic index) are rewritten, of
// signed and unsigned types; GlobalInvocationId is declared where the module lacks
// it; the entry point's interface follows. Everything else keeps its bytes.
//
// The authored size is always accepted and changes nothing. Which group counts the
// host must then dispatch is not in the module: see resizeDispatch in
// lib/Analysis/Certificate.h.
//
// Not handled, and refused with its location: a built-in variable used in any
// other way than by loads (passed to a function, copied by OpCopyMemory), ids in
// a structure, a function that needs other ids and is shared with another entry
// point, and execution modes that tie invocations of a group together (derivative
// groups, subgroups per workgroup). Whether a device can run the size is for
// `verify-limits`.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_RESIZE_H
#define TAILOR_PASSES_RESIZE_H

#include "Analysis/Certificate.h"
#include "passes/PassArguments.h"

namespace tailor {

class Resize final : public Pass {
public:
  struct Options {
    Dim3 size;         ///< the new size
    std::string entry; ///< empty: PassContext::entryPoint, or the only compute entry point
    /// The proof, if it is there already (many variants of one kernel): of this entry point at this
    /// module's size. Null: certify() is asked. Must outlive the run.
    const Certificate *certificate = nullptr;
  };
  static constexpr OptionInfo kOptions[] = {
      {"entry", "ENTRY", "the kernel; else `--entry`, else the only one"},
      {"size", "AxBxC", "the new size (needed)"},
  };

  explicit Resize(Options options) : options(std::move(options)) {}
  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments);
  static const PassInfo &passInfo();
  const PassInfo &info() const override { return passInfo(); }
  Result<Change> run(Module &module, PassContext &context) override;

private:
  Options options;
};

} // namespace tailor

#endif
