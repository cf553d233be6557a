//===- TestSupport.cpp - Shaders and bundles in memory -----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSupport.h"

#include "Frontend/Frontend.h"
#include "Support/Files.h"
#include "Support/Hash.h"

#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

namespace tailor::test {

std::string textOf(const Diagnostics &diags) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, diags);
  return os.str();
}

std::string troubleOf(const Diagnostics &diags) {
  std::string text;
  for (const Diagnostic &diagnostic : diags.all())
    if (diagnostic.severity != Severity::Note)
      text += textOf(diagnostic);
  return text;
}

std::string textOf(const Diagnostic &diagnostic) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, diagnostic);
  return os.str();
}

std::vector<uint32_t> compileGlsl(const std::string &source, const Defines &defines) {
  FrontendOptions options;
  options.defines = defines;
  options.kind = InputKind::Glsl;
  Diagnostics diags;
  Result<FrontendResult> compiled = loadShaderFromMemory(source, "test.comp", options, diags);
  if (!compiled) {
    ADD_FAILURE() << textOf(compiled.diagnostic()) << textOf(diags);
    return {};
  }
  return compiled->words;
}

Workload workloadOf(const std::string &text) {
  Diagnostics diags;
  std::optional<Workload> workload = parseWorkload(text, "w.json", diags);
  EXPECT_TRUE(workload) << textOf(diags);
  return workload.value_or(Workload{});
}

std::string workloadErrors(const std::string &text) {
  Diagnostics diags;
  EXPECT_FALSE(parseWorkload(text, "w.json", diags));
  return textOf(diags);
}

Bundle bundleOf(const KernelSource &kernel) {
  Bundle bundle;
  bundle.tool = "test";
  KernelInfo info;
  info.name = "k";
  info.entryPoint = "main";
  info.authoredSize = kernel.sizes[0];
  info.spelling = "LocalSize";
  for (const Dim3 &size : kernel.sizes) {
    std::vector<uint32_t> words = compileGlsl(
        kernel.source, {{"SX", std::to_string(size.x)}, {"SY", std::to_string(size.y)}});
    VariantInfo variant;
    bool authored = size == kernel.sizes[0];
    variant.id = authored ? "authored" : "resize-" + size.str();
    variant.technique = authored ? "authored" : "resize";
    variant.localSize = size;
    variant.why = "made by the test";
    if (!authored)
      variant.dispatch = {kernel.rule, kernel.sizes[0], size, kernel.bounds};
    variant.code["spirv"] = bundle.addBlob(bytesOfWords(words));
    if (authored)
      info.sourceHash = sha256Hex(std::span<const uint32_t>(words));
    info.variants.push_back(std::move(variant));
  }
  bundle.kernels.push_back(std::move(info));
  return bundle;
}

void addGuarded(Bundle &bundle, const std::string &source, const Dim3 &size,
                const GuardInfo &guard) {
  KernelInfo &kernel = bundle.kernels[0];
  std::vector<uint32_t> words =
      compileGlsl(source, {{"SX", std::to_string(size.x)}, {"SY", std::to_string(size.y)}});
  VariantInfo variant;
  variant.id = "resize-" + size.str() + "-guarded";
  variant.technique = "resize";
  variant.localSize = size;
  variant.dispatch = {DispatchRule::Guarded, kernel.authoredSize, size, {}};
  variant.guard = guard;
  variant.code["spirv"] = bundle.addBlob(bytesOfWords(words));
  kernel.variants.push_back(std::move(variant));
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "tailor-test-XXXXXX").string();
  if (const char *made = mkdtemp(pattern.data()))
    path = made;
  else
    ADD_FAILURE() << "no temporary folder";
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path.empty())
    std::filesystem::remove_all(path, ignored);
}

} // namespace tailor::test
