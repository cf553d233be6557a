//===- tools/spirv-tailor/AnalyzeCommand.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "InputArguments.h"

#include "Bundle/KernelBuilder.h"
#include "IR/WorkgroupSize.h"
#include "passes/PrintCertificate.h"
#include "passes/PrintFacts.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include "CLI/CLI.hpp"

#include <memory>

namespace tailor {

namespace {

struct AnalyzeArguments {
  std::string input, format = "text";
  InputArguments shader;
};

Status printText(Module &module, const std::string &entry, const SpecMap &spec,
                 Diagnostics &diagnostics) {
  PassContext context{diagnostics, llvm::outs(), spec, entry};
  PrintFacts facts({entry});
  if (Result<Change> printed = facts.run(module, context); !printed)
    return printed.takeFailure();
  PrintCertificate certificate({entry});
  if (Result<Change> printed = certificate.run(module, context); !printed)
    return printed.takeFailure();
  return success();
}

/// As `build` describes it: the hash is of the module without what our own compilation adds.
Status addKernel(const Module &module, bool compiled, const std::string &name,
                 const std::string &entryName, const SpecMap &spec, Bundle &bundle) {
  Result<EntryPoint> entry = findComputeEntryPoint(module, entryName);
  if (!entry)
    return entry.takeFailure();
  Result<Certificate> certificate = certify(module, *entry, spec);
  if (!certificate)
    return certificate.takeFailure();
  Module bare = module.clone();
  if (compiled)
    dropSourceLines(bare);
  Result<KernelInfo> kernel = describeKernel(bare, *entry, name, *certificate);
  if (!kernel)
    return kernel.takeFailure();
  bundle.kernels.push_back(std::move(*kernel));
  return success();
}

void analyze(const AnalyzeArguments &arguments, Diagnostics &diagnostics) {
  Result<LoadedShader> shader = loadInput(arguments.input, arguments.shader, diagnostics);
  if (!shader) {
    diagnostics.emit(shader.takeFailure().diagnostic);
    return;
  }
  Bundle bundle;
  bundle.tool = "spirv-tailor " TAILOR_VERSION;
  for (const std::string &entry : shader->entryPoints) {
    std::string name = stemOf(arguments.input);
    if (shader->entryPoints.size() > 1)
      name += "." + entry;
    Status done =
        arguments.format == "json"
            ? addKernel(shader->module, isCompiled(shader->kind), name, entry, shader->spec, bundle)
            : printText(shader->module, entry, shader->spec, diagnostics);
    if (!done)
      diagnostics.emit(done.takeFailure().diagnostic);
  }
  if (arguments.format == "json" && !diagnostics.hasErrors()) {
    llvm::json::OStream json(llvm::outs(), 2);
    writeManifestJson(json, bundle);
    llvm::outs() << "\n";
  }
}

} // namespace

void addAnalyzeCommand(CLI::App &app, Invocation &invocation) {
  auto arguments = std::make_shared<AnalyzeArguments>();
  CLI::App *command = app.add_subcommand(
      "analyze", "Says what a kernel does, which sizes are proven legal, and why others are not");
  command->add_option("INPUT", arguments->input, "Shader: GLSL, HLSL, SPIR-V binary or text")
      ->required();
  command
      ->add_option("--format", arguments->format, "text or json (stdout; messages are on stderr)")
      ->check(CLI::IsMember({"text", "json"}));
  arguments->shader.addTo(*command);
  command->footer("Example: spirv-tailor analyze blur.comp -D RADIUS=4");
  command->callback([&invocation, arguments] {
    invocation.run = [arguments](Diagnostics &diagnostics) { analyze(*arguments, diagnostics); };
  });
}

} // namespace tailor
