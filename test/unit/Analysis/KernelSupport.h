//===- unit/Analysis/KernelSupport.h - Kernels from text, analysed ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What cannot be compiled, read or analysed has failed the test when it comes
// back empty.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TEST_KERNELSUPPORT_H
#define TAILOR_TEST_KERNELSUPPORT_H

#include "Analysis/Certificate.h"
#include "Analysis/KernelAnalysis.h"
#include "Frontend/Frontend.h"
#include "IR/Reader.h"

#include "gtest/gtest.h"

#include <memory>

namespace tailor {

inline std::unique_ptr<Module> moduleOf(Result<FrontendResult> shader) {
  if (!shader) {
    ADD_FAILURE() << shader.diagnostic().location.str() << ": " << shader.diagnostic().text;
    return nullptr;
  }
  Result<Module> module = readModule(shader->words, "k.comp");
  if (!module) {
    ADD_FAILURE() << module.diagnostic().text;
    return nullptr;
  }
  return std::make_unique<Module>(std::move(*module));
}

/// Of whole GLSL, or of SPIR-V text, as `k.comp`.
inline std::unique_ptr<Module> moduleOf(const std::string &text, InputKind kind = InputKind::Glsl,
                                        const std::string &environment = "vulkan1.1") {
  Diagnostics diagnostics;
  FrontendOptions options;
  options.kind = kind;
  options.targetEnv = environment;
  return moduleOf(loadShaderFromMemory(text, "k.comp", options, diagnostics));
}

struct AnalysedKernel {
  std::unique_ptr<Module> module;
  std::unique_ptr<KernelAnalysis> analysis;
  explicit operator bool() const { return analysis != nullptr; }
  const KernelAnalysis &operator*() const { return *analysis; }
  const KernelAnalysis *operator->() const { return analysis.get(); }
  /// `12` for line 12 of the kernel.
  unsigned lineOf(const Instruction &inst) const { return analysis->locationOf(inst).line; }
};

inline AnalysedKernel analyse(std::unique_ptr<Module> module, const SpecMap &spec = {}) {
  if (!module)
    return {};
  Result<EntryPoint> entry = findComputeEntryPoint(*module, "");
  Result<KernelAnalysis> analysis = entry ? KernelAnalysis::create(*module, *entry, spec)
                                          : Result<KernelAnalysis>(entry.takeFailure());
  if (!analysis) {
    ADD_FAILURE() << analysis.diagnostic().text;
    return {};
  }
  return {std::move(module), std::make_unique<KernelAnalysis>(std::move(*analysis))};
}

/// GLSL without its #version line, or SPIR-V text.
inline AnalysedKernel analyse(const std::string &source, const SpecMap &spec = {},
                              InputKind kind = InputKind::Glsl,
                              const std::string &environment = "vulkan1.1") {
  std::string text = kind == InputKind::Glsl ? "#version 450\n" + source : source;
  return analyse(moduleOf(text, kind, environment), spec);
}

/// bench/kernels/NAME.
inline AnalysedKernel analyseBench(const std::string &name) {
  Diagnostics diagnostics;
  return analyse(moduleOf(loadShader(std::string(TAILOR_SOURCE_DIR) + "/bench/kernels/" + name,
                                     FrontendOptions(), diagnostics)));
}

inline Certificate certificateOf(std::unique_ptr<Module> module, const SpecMap &spec = {}) {
  AnalysedKernel kernel = analyse(std::move(module), spec);
  return kernel ? certify(*kernel) : Certificate();
}

} // namespace tailor

#endif
