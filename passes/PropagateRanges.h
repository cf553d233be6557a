//===- passes/PropagateRanges.h - What the ranges of values decide ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes what each integer of a kernel can be: from the workgroup's size, which
// bounds local ids, from constants, masks, shifts and divisions, from the branches
// on the way, and round loops. Whatever can have one value only becomes that
// constant, a comparison above all; a minimum, a maximum, a clamp, a selection, a
// remainder, a mask or a sum that changes nothing becomes its operand. Code that
// nobody can reach then goes, and what only that code used.
//
// Techniques leave much of this behind. A tree reduction at 256 invocations,
//
//     for (uint stride = 128; stride > 0; stride >>= 1)
//       if (lane < stride) ...
//
// coarsened to 128, has a second copy under `lane + 128 < stride`. As the stride is
// never more than 128 that copy never runs, but few drivers see it.
//
// Sums that could wrap may be anything, and so may specialization constants, memory,
// parameters, and values decorated RelaxedPrecision. Local variables are put into
// SSA form first; where nothing is decided, the module stays as it was.
//
// Not handled: vectors are looked at component by component, but only scalars become
// constants; relations between values (`i < n` after `i < n - 1`); ranges across
// calls. In a module of several entry points nothing is dropped and local variables
// stay: only the comparisons are decided.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_PROPAGATERANGES_H
#define TAILOR_PASSES_PROPAGATERANGES_H

#include "passes/PassArguments.h"

#include <array>

namespace tailor {

/// What the pass does, for techniques that clean up after themselves. Fails with
/// ErrorKind::Internal where that made an invalid module; `module` then is as it was.
Result<Change> propagateRanges(Module &module);

class PropagateRanges final : public Pass {
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
