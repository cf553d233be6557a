//===- tools/spirv-tailor/BuildCommand.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "InputArguments.h"

#include "Backends/Backend.h"
#include "Bundle/BundleIO.h"
#include "Bundle/KernelBuilder.h"
#include "IR/WorkgroupSize.h"
#include "Support/Files.h"
#include "Tuning/Progress.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "CLI/CLI.hpp"

#include <algorithm>
#include <memory>
#include <set>

namespace tailor {

namespace {

struct BuildArguments {
  std::vector<std::string> inputs, targets = {"spirv"};
  std::string output, sizes = "auto", assume = "grid-covers-bound", depfile;
  std::vector<std::string> techniques = {"resize"};
  size_t maxVariants = 64;
  InputArguments shader;
};

Result<KernelBuildOptions> buildOptions(const BuildArguments &arguments) {
  if (arguments.depfile == arguments.output)
    return failure(Location::inFile(arguments.output),
                   "the bundle and the depfile would be one file", ErrorKind::Usage);
  KernelBuildOptions options;
  options.targets.clear();
  for (const std::string &target : arguments.targets) {
    if (!findBackend(target)) {
      std::string text = "--targets: there is no language '" + target + "'; there are ";
      for (const Backend &backend : backends())
        text.append(&backend == backends().data() ? "" : ", ").append(backend.name);
      return failure({}, std::move(text), ErrorKind::Usage);
    }
    if (std::find(options.targets.begin(), options.targets.end(), target) == options.targets.end())
      options.targets.push_back(target);
  }
  Result<SizeRequest> sizes = parseSizeRequest(arguments.sizes);
  if (!sizes) {
    Failure failed = sizes.takeFailure();
    failed.diagnostic.text = "--sizes: " + failed.diagnostic.text;
    return failed;
  }
  options.sizes = std::move(*sizes);
  options.maxVariants = arguments.maxVariants;
  options.assumeCover = arguments.assume != "none";
  return options;
}

/// The text of a make rule, escaped as make and ninja both read it: a backslash before blanks,
/// hashes and colons; backslashes are doubled only where they stand before a blank or hash; dollars
/// are doubled.
std::string depfileText(const std::string &output, const std::set<std::string> &files) {
  auto escape = [](const std::string &name) {
    std::string text;
    size_t backslashes = 0; // right before this character
    for (char c : name) {
      if (c == ' ' || c == '\t' || c == '#')
        text.append(backslashes + 1, '\\');
      else if (c == ':')
        text += '\\';
      else if (c == '$')
        text += '$';
      text += c;
      backslashes = c == '\\' ? backslashes + 1 : 0;
    }
    return text;
  };
  std::string text = escape(output) + ":";
  for (const std::string &file : files)
    text += " \\\n  " + escape(file);
  return text + "\n";
}

class BundleBuild {
public:
  BundleBuild(const BuildArguments &arguments, Diagnostics &diagnostics)
      : arguments(arguments), diagnostics(diagnostics),
        progress(llvm::errs(), isTerminal(2), terminalColumns(2)) {}

  void run();

private:
  Status addInput(const std::string &path, KernelBuildOptions options);
  Status writeOutputs() const;
  void summarise() const;

  const BuildArguments &arguments;
  Diagnostics &diagnostics;
  Progress progress;
  Bundle bundle;
  std::set<std::string> dependencies, names;
};

Status BundleBuild::addInput(const std::string &path, KernelBuildOptions options) {
  Result<LoadedShader> shader = loadInput(path, arguments.shader, diagnostics);
  if (!shader)
    return shader.takeFailure();
  dependencies.insert(path);
  dependencies.insert(shader->dependencies.begin(), shader->dependencies.end());
  options.spec = shader->spec;
  // What the author gave as SPIR-V stays as it is; our own compilation's debug lines have served
  // once the kernel is certified, and hold the author's source.
  bool compiled = isCompiled(shader->kind);
  for (const std::string &entryName : shader->entryPoints) {
    Result<EntryPoint> entry = findComputeEntryPoint(shader->module, entryName);
    if (!entry)
      return entry.takeFailure();
    std::string name = stemOf(path);
    if (shader->entryPoints.size() > 1)
      name += "." + entryName;
    if (!names.insert(name).second)
      return failure(Location::inFile(path), "the bundle has a kernel '" + name +
                                                 "' already: two inputs have the same name");
    options.stripSourceLines = compiled;
    options.progress = [&](size_t done, size_t all) {
      progress.update("building " + name,
                      std::to_string(done) + " of " + std::to_string(all) + " variants");
    };
    Result<KernelInfo> kernel =
        buildKernel(shader->module, *entry, name, options, bundle, diagnostics);
    if (!kernel)
      return kernel.takeFailure();
    bundle.kernels.push_back(std::move(*kernel));
  }
  return success();
}

void BundleBuild::summarise() const {
  for (const KernelInfo &kernel : bundle.kernels) {
    llvm::outs() << kernel.name << ": " << kernel.variants.size()
                 << (kernel.variants.size() == 1 ? " variant" : " variants");
    std::map<std::string, size_t> skipped;
    for (const VariantInfo &variant : kernel.variants)
      for (const auto &[target, reason] : variant.skipped)
        ++skipped[target];
    for (const auto &[target, count] : skipped)
      llvm::outs() << ", " << count << " without " << target;
    llvm::outs() << "\n";
    for (const Refusal &refusal : kernel.refused) {
      const std::vector<std::string> &wanted = arguments.techniques;
      if (std::find(wanted.begin(), wanted.end(), refusal.technique) == wanted.end())
        continue;
      llvm::outs() << "  " << refusal.technique
                   << " is refused: " << (refusal.location.empty() ? "" : refusal.location + ": ")
                   << refusal.reason << "\n";
      for (const std::string &cause : refusal.causes)
        llvm::outs() << "    " << cause << "\n";
    }
  }
}

Status BundleBuild::writeOutputs() const {
  const std::vector<std::string> filesRead(dependencies.begin(), dependencies.end());
  for (const std::string *output : {&arguments.output, &arguments.depfile})
    if (Status apart = checkOutput(*output, filesRead); !apart)
      return apart;
  Result<std::string> bytes = writeBundle(bundle);
  if (!bytes)
    return bytes.takeFailure();
  // The bundle comes last: a build that fails must not leave a target that looks up to date.
  if (!arguments.depfile.empty())
    if (Status written =
            writeFileAtomically(arguments.depfile, depfileText(arguments.output, dependencies));
        !written)
      return written;
  return writeFileAtomically(arguments.output, *bytes);
}

void BundleBuild::run() {
  Result<KernelBuildOptions> options = buildOptions(arguments);
  if (!options) {
    diagnostics.emit(options.takeFailure().diagnostic);
    return;
  }
  bundle.tool = "spirv-tailor " TAILOR_VERSION;
  for (const std::string &input : arguments.inputs)
    if (Status added = addInput(input, *options); !added)
      diagnostics.emit(added.takeFailure().diagnostic);
  progress.finish();
  if (diagnostics.hasErrors())
    return; // nothing is written: a bundle is whole or not there
  if (Status written = writeOutputs(); !written) {
    diagnostics.emit(written.takeFailure().diagnostic);
    return;
  }
  if (arguments.output != "-")
    summarise();
}

} // namespace

void addBuildCommand(CLI::App &app, Invocation &invocation) {
  auto arguments = std::make_shared<BuildArguments>();
  CLI::App *command = app.add_subcommand("build", "Makes a bundle of proven variants from shaders");
  command->add_option("INPUT", arguments->inputs, "Shaders: GLSL, HLSL, SPIR-V binary or text")
      ->required();
  command->add_option("-o,--output", arguments->output, "The bundle to write (- for stdout)")
      ->type_name("OUT.tailor")
      ->required();
  command
      ->add_option("--targets", arguments->targets,
                   "Languages: spirv,glsl,hlsl,msl (default spirv)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("LIST");
  command
      ->add_option(
          "--sizes", arguments->sizes,
          "auto: powers of two, 16 to 1024 invocations, on the axes used; all: every power "
          "of two and multiple of the authored size up to 1024; or a list, 64x1x1,8x8")
      ->type_name("auto|all|LIST");
  command->add_option("--techniques", arguments->techniques, "How variants are made: resize")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"resize"}))
      ->type_name("LIST");
  command
      ->add_option("--assume", arguments->assume,
                   "What variants may rest on: grid-covers-bound (the default), or none")
      ->check(CLI::IsMember({"grid-covers-bound", "none"}))
      ->type_name("LIST");
  command
      ->add_option("--max-variants", arguments->maxVariants,
                   "At most this many sizes a kernel, the most promising (default 64, 0: no limit)")
      ->check(CLI::Range(size_t{0}, size_t{1000000})) // keeps out what "-1" wraps to
      ->type_name("N");
  command->add_option("--depfile", arguments->depfile, "Writes the files read, as a make rule")
      ->type_name("FILE");
  arguments->shader.addTo(*command);
  command->footer(
      "Example: spirv-tailor build blur.comp fft.spv -o kernels.tailor --targets spirv,msl "
      "--sizes all --depfile kernels.d");
  command->callback([&invocation, arguments] {
    invocation.run = [arguments](Diagnostics &diagnostics) {
      BundleBuild(*arguments, diagnostics).run();
    };
  });
}

} // namespace tailor
