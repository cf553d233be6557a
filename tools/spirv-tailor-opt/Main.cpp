//===- tools/spirv-tailor-opt/Main.cpp - One pass or pipeline on one module ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Arguments.h"

#include "IR/Reader.h"
#include "Support/Files.h"
#include "Support/SpirvTools.h"
#include "passes/PassPlugin.h"
#include "passes/Pipelines.h"

#include "llvm/Support/raw_ostream.h"

#include "spirv-tools/libspirv.hpp"

using namespace tailor;

namespace {

/// `llvm::outs` as the printer of passes, or `llvm::errs` when the module goes to standard output.
llvm::raw_ostream &printStream(const OptArguments &arguments) {
  return arguments.output == "-" ? llvm::errs() : llvm::outs();
}

Result<std::string> textOf(std::span<const uint32_t> words, spv_target_env env) {
  spvtools::SpirvTools tools(env);
  std::string text, messages;
  tools.SetMessageConsumer([&](spv_message_level_t, const char *, const spv_position_t &,
                               const char *message) { messages += message; });
  // A source language that the disassembler does not know is printed as "unknown".
  std::vector<uint32_t> copy(words.begin(), words.end());
  if (std::optional<size_t> at = unknownSourceLanguageWord(copy))
    copy[*at] = 0;
  if (!tools.Disassemble(copy, &text, SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES))
    return failure({}, "the module cannot be written as text: " + messages, ErrorKind::Internal);
  return text;
}

Status writeModule(const Module &module, const OptArguments &arguments) {
  std::vector<uint32_t> words = module.words();
  if (!arguments.asText)
    return writeFileAtomically(*arguments.output, bytesOfWords(words));
  if (module.isBigEndian())
    for (uint32_t &word : words)
      word = __builtin_bswap32(word);
  Result<std::string> text = textOf(words, SPV_ENV_UNIVERSAL_1_6);
  if (!text)
    return text.takeFailure();
  return writeFileAtomically(*arguments.output, *text);
}

Status runPasses(const OptArguments &arguments, const PassRegistry &registry,
                 Diagnostics &diagnostics) {
  PassManagerOptions options;
  options.verifyInput = true;
  options.verifyEach = arguments.verifyEach;
  if (arguments.hasTargetEnv)
    options.targetEnv = arguments.frontend.targetEnv;
  bool toFile = arguments.output && *arguments.output != "-";
  options.dumpPrefix = (toFile ? *arguments.output : "spirv-tailor-opt") + ".";
  PassManager manager(options);
  // The pipeline comes first: a misspelt one is reported before a long compilation.
  if (Status parsed = parsePipeline(arguments.passes, "--passes", registry, manager); !parsed)
    return parsed;
  Result<FrontendResult> shader = loadShader(arguments.input, arguments.frontend, diagnostics);
  if (!shader)
    return shader.takeFailure();
  Result<Module> module = readModule(
      shader->words, ModuleSource{shader->fileName, shader->textLines, isCompiled(shader->kind)});
  if (!module)
    return module.takeFailure();
  Result<SpecMap> spec = resolveSpecValues(*module, arguments.spec);
  if (!spec)
    return spec.takeFailure();
  PassContext context{diagnostics, printStream(arguments), std::move(*spec), arguments.entryPoint};
  Result<Change> change = manager.run(*module, context);
  context.out.flush();
  if (!change)
    return change.takeFailure();
  return arguments.output ? writeModule(*module, arguments) : success();
}

void listPasses(const PassRegistry &registry) {
  llvm::outs() << "passes:\n";
  for (const PassInfo &info : registry.all())
    llvm::outs() << "  " << info.flag << "  [" << nameOf(info.kind) << "] " << info.summary << "\n";
  llvm::outs() << "pipelines:\n";
  for (const NamedPipeline &pipeline : namedPipelines())
    llvm::outs() << "  " << pipeline.name << "  " << pipeline.summary << ": " << pipeline.passes
                 << "\n";
}

Status act(const OptArguments &arguments, Diagnostics &diagnostics) {
  using Action = OptArguments::Action;
  if (arguments.action == Action::Help) {
    llvm::outs() << kHelpText;
    return success();
  }
  if (arguments.action == Action::Version) {
    llvm::outs() << "spirv-tailor-opt " << TAILOR_VERSION << "\n";
    return success();
  }
  PassRegistry registry;
  for (const std::string &plugin : arguments.plugins)
    if (Status loaded = loadPassPlugin(plugin, registry); !loaded)
      return loaded;
  if (arguments.action == Action::ListPasses)
    listPasses(registry);
  else if (arguments.action == Action::PrintPassDocs)
    llvm::outs() << passDocumentation(registry);
  else
    return runPasses(arguments, registry, diagnostics);
  return success();
}

} // namespace

int main(int argc, char **argv) {
  Diagnostics diagnostics;
  Result<OptArguments> arguments =
      parseArguments(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
  if (!arguments)
    diagnostics.emit(arguments.takeFailure().diagnostic);
  else if (Status done = act(*arguments, diagnostics); !done)
    diagnostics.emit(done.takeFailure().diagnostic);
  llvm::outs().flush();
  print(llvm::errs(), diagnostics);
  return diagnostics.exitCode();
}
