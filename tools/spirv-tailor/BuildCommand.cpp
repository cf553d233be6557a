//===- tools/spirv-tailor/BuildCommand.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "InputArguments.h"
#include "KnobArguments.h"
#include "TargetArguments.h"

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
  std::vector<std::string> inputs;
  std::string output, sizes = "auto", assume = "grid-covers-bound", depfile;
  std::vector<std::string> techniques = {"all"}, profiles;
  std::string guards = "auto";
  size_t maxVariants = 64;
  std::string groups;
  uint64_t invocations = 0; ///< 0: not said
  TargetArguments targets;
  KnobArguments knobs;
  InputArguments shader;
};

/// The names that --techniques takes.
std::vector<std::string> techniqueNames() {
  std::vector<std::string> names = {"all"};
  for (Technique technique : kTechniques)
    names.emplace_back(nameOf(technique));
  return names;
}

Result<PlanRequest> planRequest(const BuildArguments &arguments) {
  PlanRequest plan;
  const std::vector<std::string> &named = arguments.techniques;
  if (std::find(named.begin(), named.end(), "all") == named.end()) {
    plan.named = true;
    plan.techniques.clear();
    for (const std::string &name : named)
      if (std::optional<Technique> technique = parseTechnique(name))
        plan.techniques.push_back(*technique);
  }
  Result<SizeRequest> sizes = parseSizeRequest(arguments.sizes);
  if (!sizes) {
    Failure failed = sizes.takeFailure();
    failed.diagnostic.text = "--sizes: " + failed.diagnostic.text;
    return failed;
  }
  plan.sizes = std::move(*sizes);
  for (const std::string &key : arguments.profiles) {
    Result<const DeviceProfile *> profile = findProfile(key);
    if (!profile)
      return profile.takeFailure();
    plan.profiles.push_back(*profile);
  }
  plan.maxVariants = arguments.maxVariants;
  plan.allowCover = arguments.assume != "none";
  plan.guards = parseGuardPolicy(arguments.guards).value_or(GuardPolicy::Auto);
  return plan;
}

/// `64,64,1` or `64x64x1`.
Result<DispatchRequest> dispatchRequest(const BuildArguments &arguments) {
  DispatchRequest request;
  if (arguments.invocations != 0)
    request.invocations = arguments.invocations;
  if (arguments.groups.empty())
    return request;
  std::string text = arguments.groups;
  std::replace(text.begin(), text.end(), ',', 'x');
  request.groups = parseDim3(text);
  if (!request.groups)
    return failure({},
                   "--groups: '" + arguments.groups +
                       "' is no group counts such as 64,64,1, each 1 at least",
                   ErrorKind::Usage);
  return request;
}

Result<KernelBuildOptions> buildOptions(const BuildArguments &arguments) {
  if (arguments.depfile == arguments.output)
    return failure(Location::inFile(arguments.output),
                   "the bundle and the depfile would be one file", ErrorKind::Usage);
  KernelBuildOptions options;
  Result<std::vector<std::string>> languages = arguments.targets.languages();
  if (!languages)
    return languages.takeFailure();
  options.targets = std::move(*languages);
  Result<EmitOptions> emit = arguments.targets.options();
  if (!emit)
    return emit.takeFailure();
  options.emit = std::move(*emit);
  Result<PlanRequest> plan = planRequest(arguments);
  if (!plan)
    return plan.takeFailure();
  options.plan = std::move(*plan);
  Result<DispatchRequest> dispatch = dispatchRequest(arguments);
  if (!dispatch)
    return dispatch.takeFailure();
  options.dispatch = *dispatch;
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
  Result<KnobModules> compileKnobsOf(const LoadedShader &shader, const PlanRequest &plan);
  Status writeOutputs() const;
  bool isWanted(const KernelInfo &kernel, const Refusal &refusal) const;
  void summarise() const;

  const BuildArguments &arguments;
  Diagnostics &diagnostics;
  Progress progress;
  Bundle bundle;
  std::set<std::string> dependencies, names;
  KnobRequest knobs; ///< of the command line
};

/// The modules of the shader's knobs; none where respecialize, which they belong to, is not wanted.
Result<KnobModules> BundleBuild::compileKnobsOf(const LoadedShader &shader,
                                                const PlanRequest &plan) {
  if (std::find(plan.techniques.begin(), plan.techniques.end(), Technique::Respecialize) ==
      plan.techniques.end()) {
    if (!knobs.empty())
      return failure({}, "--knob makes variants by respecialize, which --techniques leaves out",
                     ErrorKind::Usage);
    return KnobModules();
  }
  KnobInput input{&shader.source, shader.options, knobs, arguments.knobs.maxCombinations};
  return compileKnobs(input, diagnostics, [&](size_t done, size_t all) {
    progress.update("compiling " + shader.source.fileName,
                    std::to_string(done) + " of " + std::to_string(all) + " combinations of knobs");
  });
}

Status BundleBuild::addInput(const std::string &path, KernelBuildOptions options) {
  Result<LoadedShader> shader = loadInput(path, arguments.shader, diagnostics);
  if (!shader)
    return shader.takeFailure();
  dependencies.insert(path);
  dependencies.insert(shader->dependencies.begin(), shader->dependencies.end());
  Result<KnobModules> modules = compileKnobsOf(*shader, options.plan);
  if (!modules)
    return modules.takeFailure();
  dependencies.insert(modules->dependencies.begin(), modules->dependencies.end());
  std::vector<KnobBuild> builds;
  for (KnobModule &each : modules->modules)
    builds.push_back({{each.values.begin(), each.values.end()}, std::move(each.module)});
  options.knobs = builds;
  if (modules->authored)
    options.authoredKnobs = {modules->authored->begin(), modules->authored->end()};
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

/// Techniques that were named are explained. When all were meant, only a kernel of which nothing
/// could be made is, and what was planned and could not be made.
bool BundleBuild::isWanted(const KernelInfo &kernel, const Refusal &refusal) const {
  const std::vector<std::string> &chosen = arguments.techniques;
  auto named = [&](const std::string &name) {
    return std::find(chosen.begin(), chosen.end(), name) != chosen.end();
  };
  if (!refusal.variant.empty() || refusal.technique.find('+') != std::string::npos)
    return true;
  if (!named("all"))
    return named(refusal.technique);
  return kernel.variants.size() == 1 && refusal.technique != nameOf(Technique::Respecialize);
}

/// ` (6 resize, 3 pack, 2 pack+coarsen)`: in the order of the bundle.
static std::string techniquesText(const KernelInfo &kernel) {
  std::vector<std::pair<std::string, size_t>> counts;
  for (const VariantInfo &variant : kernel.variants) {
    if (variant.id == "authored")
      continue;
    auto at = std::find_if(counts.begin(), counts.end(),
                           [&](const auto &count) { return count.first == variant.technique; });
    if (at == counts.end())
      counts.emplace_back(variant.technique, 1);
    else
      ++at->second;
  }
  std::string text;
  for (const auto &[technique, count] : counts)
    text += (text.empty() ? " (" : ", ") + std::to_string(count) + " " + technique;
  return text.empty() ? text : text + ")";
}

void BundleBuild::summarise() const {
  for (const KernelInfo &kernel : bundle.kernels) {
    llvm::outs() << kernel.name << ": " << kernel.variants.size()
                 << (kernel.variants.size() == 1 ? " variant" : " variants")
                 << techniquesText(kernel);
    std::map<std::string, size_t> skipped;
    for (const VariantInfo &variant : kernel.variants)
      for (const auto &[target, reason] : variant.skipped)
        ++skipped[target];
    for (const auto &[target, count] : skipped)
      llvm::outs() << ", " << count << " without " << target;
    std::set<std::string> profiles;
    for (const VariantInfo &variant : kernel.variants)
      if (!variant.chosenFor.empty())
        profiles.insert(variant.chosenFor);
    for (const std::string &profile : profiles)
      llvm::outs() << (profile == *profiles.begin() ? ", chosen for " : ", ") << profile;
    llvm::outs() << "\n";
    for (const Refusal &refusal : kernel.refused) {
      if (!isWanted(kernel, refusal))
        continue;
      llvm::outs() << "  " << (refusal.variant.empty() ? refusal.technique : refusal.variant)
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
  Result<KnobRequest> request = arguments.knobs.request();
  if (!request) {
    diagnostics.emit(request.takeFailure().diagnostic);
    return;
  }
  knobs = std::move(*request);
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

/// --profile, and what it is about.
void addProfileOptions(CLI::App &command, BuildArguments &arguments) {
  CLI::Option *profile =
      command
          .add_option(
              "--profile", arguments.profiles,
              "A device that variants should fit; once for each, any of them will do "
              "('analyze --profile list' lists them). 1024 invocations and 32 KiB when left out. "
              "Where more are legal than --max-variants, the cost model keeps those that should be "
              "fast on these devices")
          ->allow_extra_args(false)
          ->type_name("NAME");
  CLI::Option *groups =
      command
          .add_option("--groups", arguments.groups,
                      "With --profile: the dispatch at which variants are compared, in groups of "
                      "the authored size")
          ->needs(profile)
          ->type_name("X,Y,Z");
  command
      .add_option("--invocations", arguments.invocations,
                  "With --profile: the same in invocations, spread over the axes that the kernel "
                  "uses (default 16777216)")
      ->needs(profile)
      ->excludes(groups)
      ->check(CLI::Range(uint64_t{1}, uint64_t{1} << 40))
      ->type_name("N");
}

} // namespace

void addBuildCommand(CLI::App &app, Invocation &invocation) {
  auto arguments = std::make_shared<BuildArguments>();
  CLI::App *command = app.add_subcommand("build", "Makes a bundle of proven variants from shaders");
  command
      ->add_option("INPUT", arguments->inputs, "Shaders: GLSL, HLSL, WGSL, SPIR-V binary or text")
      ->required();
  command->add_option("-o,--output", arguments->output, "The bundle to write (- for stdout)")
      ->type_name("OUT.tailor")
      ->required();
  arguments->targets.addTo(*command);
  command
      ->add_option(
          "--sizes", arguments->sizes,
          "Sizes of the variants, whatever the technique. auto: the promising ones; all: "
          "every power of two and multiple of the authored size up to 1024 invocations, and "
          "every divisor; or a list, 64x1x1,8x8")
      ->type_name("auto|all|LIST");
  command
      ->add_option(
          "--techniques", arguments->techniques,
          "How variants are made: resize, remap, pack, coarsen, swizzle, respecialize; all "
          "(the default): each that is proven and that no better one replaces")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(techniqueNames()))
      ->type_name("LIST");
  command
      ->add_option("--assume", arguments->assume,
                   "What variants may rest on: grid-covers-bound (the default), or none")
      ->check(CLI::IsMember({"grid-covers-bound", "none"}))
      ->type_name("LIST");
  command
      ->add_option("--max-variants", arguments->maxVariants,
                   "At most this many variants a kernel, the most promising of each technique "
                   "(default 64, 0: no limit)")
      ->check(CLI::Range(size_t{0}, size_t{1000000})) // keeps out what "-1" wraps to
      ->type_name("N");
  command
      ->add_option("--guard", arguments->guards,
                   "Which sizes also get a variant that the host hands the grid of the dispatch: "
                   "auto: those that else need a grid which they divide; all; or none")
      ->check(CLI::IsMember({"auto", "all", "none"}))
      ->type_name("auto|all|none");
  addProfileOptions(*command, *arguments);
  arguments->knobs.addTo(*command);
  command->add_option("--depfile", arguments->depfile, "Writes the files read, as a make rule")
      ->type_name("FILE");
  arguments->shader.addTo(*command);
  command->footer(
      "Examples:\n"
      "  spirv-tailor build blur.comp -o blur.tailor\n"
      "      every technique that is proven, at the promising sizes\n"
      "  spirv-tailor build blur.comp fft.spv -o kernels.tailor --targets spirv,msl --sizes all "
      "--depfile kernels.d\n"
      "      for a build system, in two languages\n"
      "  spirv-tailor build blur.comp -o blur.tailor --targets spirv,essl,wgsl --essl-version 320 "
      "--limit essl.invocations=512\n"
      "      for OpenGL ES 3.2 on devices with workgroups of 512, and for WebGPU\n"
      "  spirv-tailor build matmul.comp -o matmul.tailor --techniques pack,coarsen --sizes "
      "32x8,16x8\n"
      "      two techniques, and pack before coarsen, at two sizes\n"
      "  spirv-tailor build scale.comp -o scale.tailor --assume none --guard all\n"
      "      variants that hold for every dispatch, the host hands them its grid\n"
      "  spirv-tailor build matmul.comp -o matmul.tailor --knob TILE=8,16,32 --where "
      "\"TILE*TILE<=256\"\n"
      "      other values of a macro, of which the author says that they do the same\n"
      "  spirv-tailor build blur.comp -o blur.tailor --max-variants 6 --profile nvidia-rtx4090 "
      "--profile amd-rx7900xtx --groups 120,135,1\n"
      "      the six that should be fastest on two devices, in pictures of 1920x1080\n"
      "  spirv-tailor build sum.comp -o sum.tailor --spec 0=128 --techniques respecialize\n"
      "      other values for the specialization constants of the size");
  command->callback([&invocation, arguments] {
    invocation.run = [arguments](Diagnostics &diagnostics) {
      BundleBuild(*arguments, diagnostics).run();
    };
  });
}

} // namespace tailor
