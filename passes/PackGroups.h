//===- passes/PackGroups.h - Several authored groups in one ----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs k = size / authored size groups, per axis, in one workgroup. The invocation
// with the local id l of the larger group is, on each axis, invocation l mod S of
// group number l div S of the k, so that the lanes of a group stay together:
//
//     LocalInvocationId    l mod S         LocalInvocationIndex   from these
//     WorkgroupId          W·k + l div S   NumWorkgroups          D·k
//     GlobalInvocationId   as it is
//
// Each group has its own copy of the workgroup memory (passes/WorkgroupCopies.h);
// a barrier of one is a barrier of all. The certificate (lib/Analysis) proves that
// all groups reach each barrier alike, along the axes that are packed, or this
// pass refuses with the instruction that stopped the proof. The host dispatches
// D = G / k groups, which must come out even: see dispatchOf in
// lib/Analysis/Certificate.h.
//
// The authored size is always accepted and changes nothing.
//
// Not handled, and refused with its location: ids and workgroup memory that are
// shared with another entry point, ids that are read in any other way than by
// loads, a block of workgroup memory with an explicit layout whose size hangs off
// a specialization constant, or that is copied as a whole. Workgroup memory grows
// k times: whether a device can run that is for `verify-limits`.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_PACKGROUPS_H
#define TAILOR_PASSES_PACKGROUPS_H

#include "Analysis/Certificate.h"
#include "passes/PassArguments.h"

namespace tailor {

class PackGroups final : public Pass {
public:
  struct Options {
    Dim3 size;         ///< the new size: a multiple of the authored one on each axis
    std::string entry; ///< empty: PassContext::entryPoint, or the only compute entry point
    /// The proof, if it is there already (many variants of one kernel): of this entry point at this
    /// module's size. Null: certify() is asked. Must outlive the run.
    const Certificate *certificate = nullptr;
  };
  static constexpr OptionInfo kOptions[] = {
      {"entry", "ENTRY", "the kernel; else `--entry`, else the only one"},
      {"size", "AxBxC", "the new size, a multiple of the authored one on each axis (needed)"},
  };

  explicit PackGroups(Options options) : options(std::move(options)) {}
  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments);
  static const PassInfo &passInfo();
  const PassInfo &info() const override { return passInfo(); }
  Result<Change> run(Module &module, PassContext &context) override;

private:
  Options options;
};

/// How many groups a workgroup of `size` holds; `size` is a multiple of `authored` on each axis.
uint64_t packedGroups(const Dim3 &authored, const Dim3 &size);

} // namespace tailor

#endif
