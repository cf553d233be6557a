//===- unit/Analysis/KernelSupport.h - Kernels from GLSL, analysed ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TEST_KERNELSUPPORT_H
#define TAILOR_TEST_KERNELSUPPORT_H

#include "Analysis/KernelAnalysis.h"
#include "Frontend/Frontend.h"
#include "IR/Reader.h"

#include "gtest/gtest.h"

#include <memory>

namespace tailor {

struct AnalysedKernel {
  std::unique_ptr<Module> module;
  std::unique_ptr<KernelAnalysis> analysis;
  explicit operator bool() const { return analysis != nullptr; }
  const KernelAnalysis &operator*() const { return *analysis; }
  const KernelAnalysis *operator->() const { return analysis.get(); }
};

/// GLSL without its #version line, or SPIR-V text. Empty after a failure, which the test reports.
inline AnalysedKernel analyse(const std::string &source, const SpecMap &spec = {},
                              InputKind kind = InputKind::Glsl,
                              const std::string &environment = "vulkan1.1") {
  Diagnostics diagnostics;
  FrontendOptions options;
  options.kind = kind;
  options.targetEnv = environment;
  std::string text = kind == InputKind::Glsl ? "#version 450\n" + source : source;
  Result<FrontendResult> shader = loadShaderFromMemory(text, "k.comp", options, diagnostics);
  if (!shader) {
    ADD_FAILURE() << shader.diagnostic().location.str() << ": " << shader.diagnostic().text;
    return {};
  }
  Result<Module> module = readModule(shader->words, "k.comp");
  if (!module) {
    ADD_FAILURE() << module.diagnostic().text;
    return {};
  }
  AnalysedKernel kernel;
  kernel.module = std::make_unique<Module>(std::move(*module));
  Result<EntryPoint> entry = findComputeEntryPoint(*kernel.module, "");
  Result<KernelAnalysis> analysis = KernelAnalysis::create(*kernel.module, *entry, spec);
  if (!analysis) {
    ADD_FAILURE() << analysis.diagnostic().text;
    return {};
  }
  kernel.analysis = std::make_unique<KernelAnalysis>(std::move(*analysis));
  return kernel;
}

} // namespace tailor

#endif
