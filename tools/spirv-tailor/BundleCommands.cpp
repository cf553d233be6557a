//===- tools/spirv-tailor/BundleCommands.cpp - inspect, extract ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Commands.h"

#include "Bundle/BundleIO.h"
#include "Bundle/Extract.h"
#include "Bundle/Inspect.h"
#include "Support/Files.h"
#include "Tuning/Progress.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include "CLI/CLI.hpp"

#include <memory>

namespace tailor {

namespace {

struct BundleArguments {
  std::string bundle, format = "text", folder;
};

Result<Bundle> load(const std::string &path) {
  Result<std::string> bytes = readFile(path);
  return bytes ? readBundle(*bytes, path) : Result<Bundle>(bytes.takeFailure());
}

void inspect(const BundleArguments &arguments, Diagnostics &diagnostics) {
  Result<Bundle> bundle = load(arguments.bundle);
  if (!bundle) {
    diagnostics.emit(bundle.takeFailure().diagnostic);
    return;
  }
  if (arguments.format == "text") {
    printInspectText(llvm::outs(), *bundle, isTerminal(1) ? terminalColumns(1) : 0);
    return;
  }
  llvm::json::OStream json(llvm::outs(), 2);
  writeManifestJson(json, *bundle);
  llvm::outs() << "\n";
}

void extract(const BundleArguments &arguments, Diagnostics &diagnostics) {
  Result<Bundle> bundle = load(arguments.bundle);
  Status done = bundle ? extractBundle(*bundle, arguments.folder) : Status(bundle.takeFailure());
  if (!done)
    diagnostics.emit(done.takeFailure().diagnostic);
}

} // namespace

void addInspectCommand(CLI::App &app, Invocation &invocation) {
  auto arguments = std::make_shared<BundleArguments>();
  CLI::App *command = app.add_subcommand("inspect", "Shows what is in a bundle");
  command->add_option("BUNDLE", arguments->bundle, "The bundle")->required();
  command->add_option("--format", arguments->format, "text or json (the manifest)")
      ->check(CLI::IsMember({"text", "json"}));
  command->footer("Example: spirv-tailor inspect blur.tailor --format json");
  command->callback([&invocation, arguments] {
    invocation.run = [arguments](Diagnostics &diagnostics) { inspect(*arguments, diagnostics); };
  });
}

void addExtractCommand(CLI::App &app, Invocation &invocation) {
  auto arguments = std::make_shared<BundleArguments>();
  CLI::App *command =
      app.add_subcommand("extract", "Writes every variant's files and manifest.json to a folder");
  command->add_option("BUNDLE", arguments->bundle, "The bundle")->required();
  command->add_option("-o,--output", arguments->folder, "The folder")->type_name("DIR")->required();
  command->footer("Example: spirv-tailor extract blur.tailor -o out/");
  command->callback([&invocation, arguments] {
    invocation.run = [arguments](Diagnostics &diagnostics) { extract(*arguments, diagnostics); };
  });
}

} // namespace tailor
