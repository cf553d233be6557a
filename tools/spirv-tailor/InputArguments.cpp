//===- tools/spirv-tailor/InputArguments.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "InputArguments.h"

#include "Bundle/BundleIO.h"
#include "IR/Reader.h"
#include "IR/WorkgroupSize.h"
#include "Support/Files.h"
#include "Support/SpirvTools.h"
#include "passes/SpecValues.h"

#include "CLI/CLI.hpp"

#include <algorithm>
#include <filesystem>

namespace tailor {

void InputArguments::addTo(CLI::App &command) {
  command.add_option("--entry", entry, "Entry point; all compute entry points when left out")
      ->type_name("NAME");
  command.add_option("-I,--include", includeDirs, "Folder for #include, in order")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command
      .add_option("-D,--define", defines,
                  "Macro of GLSL and HLSL: NAME or NAME=VALUE; value of an override of WGSL")
      ->type_name("NAME[=V]")
      ->allow_extra_args(false);
  command.add_option("--spec", spec, "Specialization value that the host sets: ID=VALUE")
      ->type_name("ID=V")
      ->allow_extra_args(false);
  command
      .add_option("--target-env", targetEnv,
                  "Environment GLSL and HLSL are compiled for: vulkan1.0 to vulkan1.3 "
                  "(default vulkan1.1)")
      ->type_name("ENV");
}

static Result<FrontendOptions> frontendOptions(const InputArguments &arguments) {
  FrontendOptions options;
  options.includeDirs = arguments.includeDirs;
  options.entryPoint = arguments.entry;
  if (!arguments.targetEnv.empty())
    options.targetEnv = arguments.targetEnv;
  for (const std::string &define : arguments.defines) {
    size_t equals = define.find('=');
    std::string name = define.substr(0, equals);
    if (name.empty())
      return failure({}, "-D " + define + " has no name", ErrorKind::Usage);
    options.defines.emplace_back(name,
                                 equals == std::string::npos ? "1" : define.substr(equals + 1));
  }
  return options;
}

/// The validator counts words; SPIR-V text has the lines that its author knows.
static void locateInText(Location &location, const FrontendResult &shader) {
  auto after = std::upper_bound(
      shader.textLines.begin(), shader.textLines.end(), location.word,
      [](uint32_t word, const std::pair<uint32_t, uint32_t> &start) { return word < start.first; });
  if (location.word != Location::kUnknownWord && after != shader.textLines.begin())
    location = Location::at(location.file, std::prev(after)->second);
}

static bool hasComputeEntryPoint(const Module &module) {
  const std::vector<EntryPoint> entries = module.entryPoints();
  return std::any_of(entries.begin(), entries.end(), [](const EntryPoint &entry) {
    return entry.model() == spv::ExecutionModel::GLCompute;
  });
}

Result<LoadedShader> loadInput(const std::string &path, const InputArguments &arguments,
                               Diagnostics &diagnostics) {
  Result<FrontendOptions> options = frontendOptions(arguments);
  if (!options)
    return options.takeFailure();
  Result<FrontendResult> shader = loadShader(path, *options, diagnostics);
  if (!shader)
    return shader.takeFailure();
  Result<Module> module =
      readModule(shader->words, ModuleSource{path, shader->textLines, isCompiled(shader->kind)});
  if (!module)
    return module.takeFailure();
  // The validator takes strings of the other byte order to be in this one.
  Module native = module->clone();
  native.useNativeByteOrder();
  if (Status valid = validateSpirv(native.words(), path); !valid) {
    Failure invalid = valid.takeFailure();
    locateInText(invalid.diagnostic.location, *shader);
    for (Note &note : invalid.diagnostic.notes)
      locateInText(note.location, *shader);
    return invalid;
  }

  LoadedShader loaded;
  loaded.kind = shader->kind;
  loaded.dependencies = shader->dependencies;
  std::vector<SpecAssignment> assignments;
  for (const std::string &text : arguments.spec) {
    Result<SpecAssignment> assignment = parseSpecAssignment(text, Location::inFile("--spec"));
    if (!assignment)
      return assignment.takeFailure();
    assignments.push_back(std::move(*assignment));
  }
  Result<SpecMap> spec = resolveSpecValues(*module, assignments);
  if (!spec) {
    Failure unfit = spec.takeFailure();
    if (unfit.diagnostic.notes.empty()) // which of several inputs
      unfit.diagnostic.addNote(Location::inFile(path), "the value was given to this shader");
    return unfit;
  }
  loaded.spec = std::move(*spec);
  for (const EntryPoint &entry : module->entryPoints())
    if (entry.model() == spv::ExecutionModel::GLCompute &&
        (arguments.entry.empty() || entry.name() == arguments.entry))
      loaded.entryPoints.push_back(entry.name());
  if (loaded.entryPoints.empty()) {
    Result<EntryPoint> none = findComputeEntryPoint(*module, arguments.entry);
    if (none)
      return failure(Location::inFile(path), "there is no such entry point", ErrorKind::Internal);
    Failure failed = none.takeFailure();
    // A name for which there is nothing, among others, is no fault of the shader.
    if (hasComputeEntryPoint(*module))
      failed.diagnostic.kind = ErrorKind::Usage;
    return failed;
  }
  loaded.module = std::move(*module);
  loaded.source = std::move(*shader);
  loaded.options = std::move(*options);
  return loaded;
}

std::string stemOf(const std::string &path) {
  std::filesystem::path name = std::filesystem::path(path).filename();
  std::string stem = name.stem().string();
  // A shader's kind may stand in front of the language: blur.comp.hlsl.
  if (std::filesystem::path inner(stem); inner.extension() == ".comp" || inner.extension() == ".cs")
    stem = inner.stem().string();
  return stem.empty() ? name.string() : stem;
}

Result<std::vector<Bundle>> loadBundles(const std::vector<std::string> &paths) {
  std::vector<Bundle> bundles;
  for (const std::string &path : paths) {
    Result<std::string> bytes = readFile(path);
    if (!bytes)
      return bytes.takeFailure();
    Result<Bundle> bundle = readBundle(*bytes, path);
    if (!bundle)
      return bundle.takeFailure();
    bundles.push_back(std::move(*bundle));
  }
  return bundles;
}

} // namespace tailor
