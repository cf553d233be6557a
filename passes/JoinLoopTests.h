//===- passes/JoinLoopTests.h - A loop's test in its header -----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop whose header does nothing but branch to the block that tests whether the
// loop goes on takes that block into its header, where values depend on how the
// loop ended: where its merge block has an OpPhi.
//
// SPIRV-Cross 1.3.239 writes such a loop as `for (...; test; ...)` and then forgets
// what the phis of the merge block take when the test ends the loop: the text reads
// a variable that nothing was written to. With the test in the header it writes
// `for (;;) { if (test) ... else { value = ...; break; } }`.
//
// Not handled: a test that is a selection of its own, or that stands further behind the header;
// SPIRV-Cross writes those as they are.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_JOINLOOPTESTS_H
#define TAILOR_PASSES_JOINLOOPTESTS_H

#include "passes/PassArguments.h"

#include <array>

namespace tailor {

/// What the pass does, for backends.
Change joinLoopTests(Module &module);

class JoinLoopTests final : public Pass {
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
