//===- tools/spirv-tailor/AnalyzeCommand.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AnalyzeReport.h"
#include "Commands.h"
#include "InputArguments.h"

#include "Bundle/KernelBuilder.h"
#include "IR/WorkgroupSize.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include "CLI/CLI.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <memory>

namespace tailor {

namespace {

struct AnalyzeArguments {
  std::string input, format = "text";
  std::vector<std::string> profiles;
  bool full = false;
  InputArguments shader;

  bool wantsJson() const { return format == "json"; }
  bool wantsList() const {
    return std::find(profiles.begin(), profiles.end(), "list") != profiles.end();
  }
};

constexpr uint32_t kSubgroupWidth = 32;

class AnalyzeCommand {
public:
  AnalyzeCommand(const AnalyzeArguments &arguments, Diagnostics &diagnostics)
      : arguments(arguments), diagnostics(diagnostics) {}

  Status run();

private:
  Status findProfiles();
  uint32_t subgroupWidth() const;
  Status analyze(const LoadedShader &shader, const std::string &entryName);
  Status describe(const LoadedShader &shader, const EntryPoint &entry, const KernelReport &report);
  void printJson();

  const AnalyzeArguments &arguments;
  Diagnostics &diagnostics;
  std::vector<const DeviceProfile *> profiles;
  // In the order of the entry points, at places that do not move: a report looks into its kernel.
  std::deque<KernelAnalysis> kernels;
  std::deque<KernelReport> reports;
  Bundle bundle;
};

Status AnalyzeCommand::findProfiles() {
  for (const std::string &key : arguments.profiles) {
    Result<const DeviceProfile *> profile = findProfile(key);
    if (!profile)
      return profile.takeFailure();
    if (std::find(profiles.begin(), profiles.end(), *profile) == profiles.end())
      profiles.push_back(*profile);
  }
  return success();
}

/// Of the first profile that has one.
uint32_t AnalyzeCommand::subgroupWidth() const {
  for (const DeviceProfile *profile : profiles)
    if (std::optional<uint32_t> width = profile->subgroupWidth())
      return *width;
  return kSubgroupWidth;
}

/// As `build` describes it: the hash is of the module without what our own compilation adds.
Status AnalyzeCommand::describe(const LoadedShader &shader, const EntryPoint &entry,
                                const KernelReport &report) {
  Module bare = shader.module.clone();
  if (isCompiled(shader.kind))
    dropSourceLines(bare);
  Result<KernelInfo> kernel = describeKernel(bare, entry, report.name, report.findings.certificate);
  if (!kernel)
    return kernel.takeFailure();
  bundle.kernels.push_back(std::move(*kernel));
  return success();
}

Status AnalyzeCommand::analyze(const LoadedShader &shader, const std::string &entryName) {
  Result<EntryPoint> entry = findComputeEntryPoint(shader.module, entryName);
  if (!entry)
    return entry.takeFailure();
  Result<KernelAnalysis> kernel = KernelAnalysis::create(shader.module, *entry, shader.spec);
  if (!kernel)
    return kernel.takeFailure();
  kernels.push_back(std::move(*kernel));
  std::string name = stemOf(arguments.input);
  if (shader.entryPoints.size() > 1)
    name += "." + entryName;
  Findings findings = gatherFindings(kernels.back(), subgroupWidth());
  std::vector<Advice> advice = advise(findings);
  reports.push_back({std::move(name), std::move(findings), std::move(advice), profiles});
  if (arguments.wantsJson())
    return describe(shader, *entry, reports.back());
  const char *noColour = std::getenv("NO_COLOR");
  ReportStyle style;
  style.full = arguments.full;
  style.colours = llvm::sys::Process::StandardOutIsDisplayed() && (!noColour || *noColour == '\0');
  printReport(llvm::outs(), reports.back(), style);
  return success();
}

void AnalyzeCommand::printJson() {
  llvm::json::OStream json(llvm::outs(), 2);
  if (arguments.wantsList()) {
    writeProfiles(json);
  } else {
    size_t next = 0;
    writeManifestJson(json, bundle, [&](llvm::json::OStream &os, const KernelInfo &) {
      writeAnalysis(os, reports[next++]);
    });
  }
  json.flush();
  llvm::outs() << "\n";
}

Status AnalyzeCommand::run() {
  if (arguments.wantsList()) {
    if (arguments.wantsJson())
      printJson();
    else
      printProfiles(llvm::outs());
    return success();
  }
  if (Status found = findProfiles(); !found)
    return found;
  Result<LoadedShader> shader = loadInput(arguments.input, arguments.shader, diagnostics);
  if (!shader)
    return shader.takeFailure();
  bundle.tool = "spirv-tailor " TAILOR_VERSION;
  for (const std::string &entry : shader->entryPoints)
    if (Status done = analyze(*shader, entry); !done)
      diagnostics.emit(done.takeFailure().diagnostic);
  if (arguments.wantsJson() && !diagnostics.hasErrors())
    printJson();
  return success();
}

constexpr const char *kFooter = R"(Examples:
  spirv-tailor analyze blur.comp -D RADIUS=4
  spirv-tailor analyze blur.comp --profile nvidia-h200 --profile webgpu-default
  spirv-tailor analyze kernels.spv --entry blur_x --full | less
  spirv-tailor analyze blur.comp --format json > blur.json
  spirv-tailor analyze --profile list

docs/analysis.md explains each figure. Colours are for terminals; NO_COLOR=1 turns them off.)";

} // namespace

void addAnalyzeCommand(CLI::App &app, Invocation &invocation) {
  auto arguments = std::make_shared<AnalyzeArguments>();
  CLI::App *command = app.add_subcommand(
      "analyze", "Says what a kernel does, which sizes are proven legal, and why others are not");
  CLI::Option *input = command->add_option("INPUT", arguments->input,
                                           "Shader: GLSL, HLSL, WGSL, SPIR-V binary or text");
  command
      ->add_option("--format", arguments->format, "text or json (stdout; messages are on stderr)")
      ->check(CLI::IsMember({"text", "json"}));
  command
      ->add_option("--profile", arguments->profiles,
                   "Device or specification to compare with, once for each; `list` lists them")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command->add_flag("--full", arguments->full, "Long lists and sums are not cut");
  arguments->shader.addTo(*command);
  command->footer(kFooter);
  command->callback([&invocation, arguments, input] {
    if (input->empty() && !arguments->wantsList())
      throw CLI::RequiredError("INPUT"); // as the parser does; main reports it
    invocation.run = [arguments](Diagnostics &diagnostics) {
      if (Status done = AnalyzeCommand(*arguments, diagnostics).run(); !done)
        diagnostics.emit(done.takeFailure().diagnostic);
    };
  });
}

} // namespace tailor
