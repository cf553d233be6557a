//===- passes/StripDebug.h - Without names, lines and sources ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Removes OpName, OpMemberName, OpSource and its continuations, OpModuleProcessed,
// OpLine, OpNoLine, the instructions of NonSemantic.Shader.DebugInfo and
// OpenCL.DebugInfo with their imports, and every OpString that nobody uses then.
//
// Kept, because programs read them: other non-semantic sets (reflection, printf)
// with their strings, and decorations that carry names (UserSemantic). The
// extension SPV_KHR_non_semantic_info stays declared.
//
// Not handled: debug information in sets that nobody has heard of stays, and so do
// types and constants that only debug information used. Backends name things
// after OpName: what is written after this pass has made-up names.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_STRIPDEBUG_H
#define TAILOR_PASSES_STRIPDEBUG_H

#include "passes/PassArguments.h"

#include <array>

namespace tailor {

class StripDebug final : public Pass {
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
