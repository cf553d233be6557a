//===- unit/Analysis/FactsKernel.h - Kernels for tests of facts ------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TEST_UNIT_ANALYSIS_FACTSKERNEL_H
#define TAILOR_TEST_UNIT_ANALYSIS_FACTSKERNEL_H

#include "Analysis/KernelAnalysis.h"
#include "Frontend/Frontend.h"
#include "IR/Reader.h"

#include "gtest/gtest.h"

#include <memory>
#include <string>

namespace tailor {

/// A kernel and its analyses.
class FactsKernel {
public:
  /// GLSL without its #version line, as `k.comp`.
  explicit FactsKernel(const std::string &glsl, const std::string &environment = "vulkan1.1") {
    FrontendOptions options;
    options.kind = InputKind::Glsl;
    options.targetEnv = environment;
    Diagnostics diagnostics;
    take(loadShaderFromMemory("#version 450\n" + glsl, "k.comp", options, diagnostics));
  }
  /// bench/kernels/NAME.
  static FactsKernel bench(const std::string &name) {
    FactsKernel kernel;
    Diagnostics diagnostics;
    kernel.take(loadShader(std::string(TAILOR_SOURCE_DIR) + "/bench/kernels/" + name,
                           FrontendOptions(), diagnostics));
    return kernel;
  }

  /// Null after a failure, which has failed the test.
  const KernelAnalysis &operator*() const { return *analysis; }
  const KernelAnalysis *operator->() const { return analysis.get(); }
  /// `12` for line 12 of the kernel.
  unsigned lineOf(const Instruction &inst) const { return analysis->locationOf(inst).line; }

private:
  FactsKernel() = default;
  void take(Result<FrontendResult> shader) {
    if (!shader) {
      ADD_FAILURE() << shader.diagnostic().location.str() << ": " << shader.diagnostic().text;
      return;
    }
    Result<Module> read = readModule(shader->words, "k.comp");
    if (!read) {
      ADD_FAILURE() << read.diagnostic().text;
      return;
    }
    module = std::make_unique<Module>(std::move(*read));
    Result<EntryPoint> entry = findComputeEntryPoint(*module, "");
    Result<KernelAnalysis> made = entry ? KernelAnalysis::create(*module, *entry)
                                        : Result<KernelAnalysis>(entry.takeFailure());
    if (!made)
      ADD_FAILURE() << made.diagnostic().text;
    else
      analysis = std::make_unique<KernelAnalysis>(std::move(*made));
  }

  std::unique_ptr<Module> module;
  std::unique_ptr<KernelAnalysis> analysis;
};

} // namespace tailor

#endif
