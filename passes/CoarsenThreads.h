//===- passes/CoarsenThreads.h - Several authored invocations in one -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives a kernel a workgroup that is smaller by whole factors: each physical
// invocation runs c authored ones of the same workgroup, c = S/P on each axis. The
// groups, and what is in workgroup memory, stay as they were authored.
//
// Where control flow is the same for the whole workgroup, the work of the c
// invocations is done side by side: each instruction stands c times in a row, so
// that their loads overlap, control barriers and branches stand once, and values
// that live across a barrier are kept for each. What has the same operands for
// several of them is computed once. A stretch where they may go different ways is
// repeated as a whole, one authored invocation after the other. Such a stretch
// holds no barrier, or the pass refuses. Where it reads memory it stands twice: for
// when the c invocations go the same way, side by side as above, and for when they
// do not. A bounds check at the head of a kernel is such a stretch, and so is a loop
// that they leave at different times: they go round together for as long as all do.
//
// `form` says which authored invocations meet in one physical invocation p along an
// axis: `cyclic`, p, p + P, p + 2P, ..., which leaves neighbours in neighbouring
// lanes, or `blocked`, c·p, c·p + 1, ....
//
// The body is the canonical form (docs/architecture.md): calls inlined, local
// variables in SSA form. Returns from inside of loops and switches are merged into
// one, where they would stand in the way.
//
// Not handled, and refused with its location: what the certificate refuses
// (subgroup operations, invocations that wait for each other, barriers in control
// flow that is not proven uniform or in a stretch that is repeated), sizes that do
// not divide the authored one, and bodies that would grow past 64,000 instructions.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_COARSENTHREADS_H
#define TAILOR_PASSES_COARSENTHREADS_H

#include "Analysis/Certificate.h"
#include "passes/PassArguments.h"

namespace tailor {

enum class CoarsenForm : uint8_t { Cyclic, Blocked };
std::string_view nameOf(CoarsenForm form);
std::optional<CoarsenForm> parseCoarsenForm(std::string_view name);

class CoarsenThreads final : public Pass {
public:
  struct Options {
    Dim3 size; ///< the new size: a divisor of the authored one on each axis
    CoarsenForm form = CoarsenForm::Cyclic;
    std::string entry; ///< empty: PassContext::entryPoint, or the only compute entry point
    /// The proof, if it is there already: of this entry point at this module's size. Null:
    /// certify() is asked. Must outlive the run.
    const Certificate *certificate = nullptr;
  };
  static constexpr OptionInfo kOptions[] = {
      {"entry", "ENTRY", "the kernel; else `--entry`, else the only one"},
      {"form", "cyclic|blocked", "which authored invocations meet (cyclic)"},
      {"size", "AxBxC", "the new size (needed)"},
  };

  explicit CoarsenThreads(Options options) : options(std::move(options)) {}
  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments);
  static const PassInfo &passInfo();
  const PassInfo &info() const override { return passInfo(); }
  Result<Change> run(Module &module, PassContext &context) override;

private:
  Options options;
};

} // namespace tailor

#endif
