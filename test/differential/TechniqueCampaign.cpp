//===- differential/TechniqueCampaign.cpp - All techniques on one kernel ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TechniqueCampaign.h"

#include "interpreter/Interpreter.h"

#include "Analysis/KernelAnalysis.h"
#include "Bundle/VariantMaker.h"
#include "IR/Reader.h"
#include "Support/SpirvTools.h"
#include "Tuning/Search.h"
#include "passes/PassManager.h"
#include "passes/PassRegistry.h"
#include "passes/Pipelines.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace tailor::differential {

static CampaignTimes spent;
const CampaignTimes &campaignTimes() { return spent; }

namespace {

class Stopwatch {
public:
  explicit Stopwatch(double &total) : total(total) {}
  ~Stopwatch() {
    total += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  Stopwatch(const Stopwatch &) = delete;
  Stopwatch &operator=(const Stopwatch &) = delete;

private:
  double &total;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

Status canonicalize(Module &module, const std::string &entry) {
  static const PassRegistry registry;
  PassManager manager;
  if (Status parsed = parsePipeline("canonicalize-workgroup-size,select-entry-point", "test",
                                    registry, manager);
      !parsed)
    return parsed;
  Diagnostics diagnostics;
  const SpecMap none;
  PassContext context{diagnostics, llvm::nulls(), none, entry};
  Result<Change> ran = manager.run(module, context);
  return ran ? success() : Status(ran.takeFailure());
}

uint32_t addWords(Bundle &bundle, const std::vector<uint32_t> &words) {
  std::string bytes(words.size() * 4, '\0');
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bundle.addBlob(std::move(bytes));
}

/// Makes the variants of one kernel.
class Making {
public:
  Making(const Compiled &compiled, const Module &base, const Certificate &certificate,
         Bundle &bundle, KernelInfo &kernel, CampaignReport &report)
      : maker({compiled.module, base, compiled.entryPoint, certificate, {}, true, {}}, diagnostics),
        bundle(bundle), kernel(kernel), report(report) {}

  void add(const PlannedVariant &planned) {
    Result<MadeVariant> made = make(planned);
    if (!made) {
      const Diagnostic &why = made.diagnostic();
      if (why.kind == ErrorKind::Internal)
        report.wrong.push_back(idOf(planned) + ": " + why.text);
      ++report.rejected[techniqueOf(planned) + ": " + why.text];
      return;
    }
    std::vector<uint32_t> words = made->module.words();
    {
      Stopwatch watch(spent.validate);
      if (Status valid = validateSpirv(words, idOf(planned)); !valid) {
        report.wrong.push_back(idOf(planned) + " is not valid: " + valid.diagnostic().text);
        return;
      }
    }
    ++report.made[techniqueOf(planned)];
    VariantInfo variant;
    variant.id = idOf(planned);
    variant.technique = techniqueOf(planned);
    variant.localSize = planned.size();
    variant.sharedBytes = made->sharedBytes;
    variant.dispatch = made->dispatch;
    variant.guard = made->guard;
    variant.code["spirv"] = addWords(bundle, words);
    kernel.variants.push_back(std::move(variant));
  }

private:
  Result<MadeVariant> make(const PlannedVariant &planned) {
    Stopwatch watch(spent.make);
    return maker.make(planned);
  }

  Diagnostics diagnostics;
  VariantMaker maker;
  Bundle &bundle;
  KernelInfo &kernel;
  CampaignReport &report;
};

/// Decorates the variable of that name Volatile.
Status makeVolatile(Compiled &compiled, const std::string &name) {
  const Instruction *variable = nullptr;
  for (const Instruction &inst : compiled.module.section(Section::Globals))
    if (inst.opcode() == spv::Op::OpVariable && compiled.module.name(inst.result()) == name)
      variable = &inst;
  if (!variable)
    return failure({}, "there is no variable '" + name + "'");
  std::vector<uint32_t> words = compiled.module.words();
  size_t at = 5;
  while (at < words.size() && (words[at] & 0xffff) != static_cast<uint32_t>(spv::Op::OpDecorate))
    at += words[at] >> 16;
  const uint32_t decoration[] = {3u << 16 | static_cast<uint32_t>(spv::Op::OpDecorate),
                                 raw(variable->result()),
                                 static_cast<uint32_t>(spv::Decoration::Volatile)};
  words.insert(words.begin() + static_cast<ptrdiff_t>(at), std::begin(decoration),
               std::end(decoration));
  Result<Module> module = readModule(words, "volatile");
  if (!module)
    return module.takeFailure();
  compiled.module = std::move(*module);
  return success();
}

Result<Compiled> compiledShape(const TechniqueKernel &kernel, uint64_t seed) {
  Stopwatch watch(spent.compile);
  Result<Compiled> compiled = compile(kernel.glsl, InputKind::Glsl);
  if (!compiled)
    return compiled;
  if (!kernel.volatileName.empty())
    if (Status done = makeVolatile(*compiled, kernel.volatileName); !done)
      return done.takeFailure();
  if (Status reshaped = reshape(*compiled, static_cast<Shape>(seed % 3)); !reshaped)
    return reshaped.takeFailure();
  return compiled;
}

Result<Certificate> certified(const Compiled &compiled, const LegalityRelaxation &relaxed) {
  Stopwatch watch(spent.certify);
  Result<EntryPoint> entry = findComputeEntryPoint(compiled.module, compiled.entryPoint);
  if (!entry)
    return entry.takeFailure();
  Result<KernelAnalysis> analysis = KernelAnalysis::create(compiled.module, *entry);
  if (!analysis)
    return analysis.takeFailure();
  return certify(*analysis, relaxed);
}

/// What the interpreter makes of a module.
Result<interp::Inputs> interpreted(const Module &module, const Dim3 &size, const Dim3 &groups,
                                   const vulkan::KernelInstance &instance, bool backwards = false,
                                   const std::vector<std::byte> *pushConstants = nullptr) {
  Result<EntryPoint> entry = findComputeEntryPoint(module, "");
  if (!entry)
    return entry.takeFailure();
  interp::Inputs inputs = interp::inputsOf(instance);
  if (pushConstants)
    inputs.pushConstants = *pushConstants;
  inputs.numWorkgroups = groups;
  interp::Observer nobody;
  interp::Limits limits;
  limits.maxSteps = 20'000'000;
  limits.backwards = backwards;
  std::vector<Dim3> order = interp::allGroups(groups);
  if (backwards)
    std::reverse(order.begin(), order.end());
  Result<interp::RunResult> ran = interp::run(module, *entry, size, order, inputs, nobody, limits);
  if (!ran)
    return ran.takeFailure();
  return inputs;
}

/// Whether a device gives something else for the authored kernel.
bool isDoubtful(const Compiled &compiled, const TechniqueKernel &kernel,
                const vulkan::KernelInstance &instance, const vulkan::RunResult &result) {
  Result<interp::Inputs> expected =
      interpreted(compiled.module, kernel.size, kernel.groups, instance);
  if (!expected)
    return false;
  for (const vulkan::OutputData &output : result.outputs) {
    const vulkan::ResourceDesc &desc = instance.resources[output.resource];
    if (expected->resources[{desc.set, desc.binding, desc.element}].data != output.bytes)
      return true;
  }
  return false;
}

std::string differenceOf(const interp::Inputs &expected, const interp::Inputs &actual) {
  for (const auto &[slot, resource] : expected.resources) {
    const auto other = actual.resources.find(slot);
    if (other == actual.resources.end() || other->second.data != resource.data)
      return "another result in binding " + std::to_string(std::get<1>(slot));
  }
  return "";
}

/// With the grid, for a variant that is handed it in push constants.
std::vector<std::byte> pushedTo(const VariantInfo &variant, const TechniqueKernel &source,
                                const vulkan::KernelInstance &instance) {
  std::vector<std::byte> bytes = instance.pushConstants;
  if (!variant.guard || variant.guard->kind != kGuardPushConstant)
    return bytes;
  uint32_t grid[3];
  for (unsigned axis = 0; axis < 3; ++axis)
    grid[axis] = source.size[axis] * source.groups[axis];
  bytes.resize(std::max<size_t>(bytes.size(), variant.guard->offset + sizeof grid));
  std::memcpy(bytes.data() + variant.guard->offset, grid, sizeof grid);
  return bytes;
}

/// The variants that the interpreter has another result for, or none, in an order in which
/// the authored kernel has it.
void interpretVariants(const Bundle &bundle, const KernelInfo &kernel, const Module &authored,
                       const TechniqueKernel &source, CampaignReport &report) {
  Result<vulkan::KernelInstance> instance =
      instantiate(source.workload, source.workload.sizes.front());
  if (!instance)
    return;
  Result<interp::Inputs> expected = interpreted(authored, source.size, source.groups, *instance);
  if (!expected) {
    report.uninterpreted = expected.diagnostic().text;
    return;
  }
  std::vector<bool> orders = {false};
  if (Result<interp::Inputs> last =
          interpreted(authored, source.size, source.groups, *instance, true);
      last && differenceOf(*expected, *last).empty())
    orders.push_back(true);
  for (size_t at = 1; at < kernel.variants.size(); ++at) {
    const VariantInfo &variant = kernel.variants[at];
    Result<std::vector<uint32_t>> words = wordsOf(bundle, kernel, variant);
    Result<Dim3> groups =
        variantGroups(variant.dispatch, source.size, source.groups, {65535, 65535, 65535});
    if (!words || !groups)
      continue;
    Result<Module> module = readModule(*words, variant.id);
    if (!module)
      continue;
    report.interpreted[variant.id] = variant.technique;
    const std::vector<std::byte> pushed = pushedTo(variant, source, *instance);
    for (const bool backwards : orders) {
      Result<interp::Inputs> actual =
          interpreted(*module, variant.localSize, *groups, *instance, backwards, &pushed);
      std::string what = actual ? differenceOf(*expected, *actual) : actual.diagnostic().text;
      if (what.empty())
        continue;
      report.interpretedWrong.push_back(variant.id + (backwards ? ", backwards: " : ": ") + what);
      report.interpreted.erase(variant.id);
      break;
    }
  }
}

/// A variant that the interpreter, in two orders, and another device have the authored result for
/// is right: the device that has another one is not.
void acquit(CampaignReport &report) {
  auto isOf = [](const std::string &line, const std::string &id) {
    return line.find(": " + id + " (") != std::string::npos;
  };
  for (const auto &[id, technique] : report.interpreted) {
    auto against = std::count_if(report.wrong.begin(), report.wrong.end(),
                                 [&](const std::string &line) { return isOf(line, id); });
    if (against == 0 || against >= static_cast<ptrdiff_t>(devices().size()))
      continue;
    for (const std::string &line : report.wrong)
      if (isOf(line, id))
        report.deviceFaults.push_back(line);
    std::erase_if(report.wrong, [&](const std::string &line) { return isOf(line, id); });
  }
}

/// A kernel that some device cannot run is no fault, unless none can.
void leaveOutDevices(CampaignReport &report, bool mayLack) {
  report.lacking = std::erase_if(report.broken, [](const std::string &line) {
    return line.find("the device does not have") != std::string::npos ||
           line.find("the device allows") != std::string::npos;
  });
  if (!mayLack && report.lacking == devices().size())
    report.broken.emplace_back("no device can run the kernel");
}

} // namespace

CampaignReport checkTechniques(const TechniqueKernel &kernel, uint64_t seed,
                               const CampaignOptions &options) {
  CampaignReport report;
  auto broken = [&](const Diagnostic &why) {
    report.broken.push_back(why.text);
    return report;
  };
  Result<Compiled> compiled = compiledShape(kernel, seed);
  if (!compiled)
    return broken(compiled.diagnostic());
  Result<Certificate> certificate = certified(*compiled, options.relaxed);
  if (!certificate)
    return broken(certificate.diagnostic());
  for (Technique technique : kTechniques)
    report.legal[static_cast<size_t>(technique)] = certificate->verdict(technique).legal();
  Module base = compiled->module.clone();
  if (Status ready = canonicalize(base, compiled->entryPoint); !ready)
    return broken(ready.diagnostic());
  Result<EntryPoint> entry = findComputeEntryPoint(compiled->module, compiled->entryPoint);
  if (!entry)
    return broken(entry.diagnostic());
  Result<KernelInfo> info = describeKernel(compiled->module, *entry, "kernel", *certificate);
  if (!info)
    return broken(info.diagnostic());
  Bundle bundle;
  info->variants.front().code["spirv"] = addWords(bundle, compiled->module.words());
  Random random(seed ^ 0x9e37);
  Making making(*compiled, base, *certificate, bundle, *info, report);
  for (const PlannedVariant &variant :
       planForKernel(*certificate, kernel.groups, random, options.mostVariants))
    if (!options.takes || options.takes(variant))
      making.add(variant);
  report.doubts = [&](const vulkan::KernelInstance &instance, const vulkan::RunResult &result) {
    return isDoubtful(*compiled, kernel, instance, result);
  };
  Stopwatch watch(spent.run);
  if (options.runs)
    compareVariants(bundle, *info, kernel.workload, kernel.workload.sizes.front(), report);
  report.doubts = nullptr;
  if (options.interprets || !report.wrong.empty())
    interpretVariants(bundle, *info, compiled->module, kernel, report);
  acquit(report);
  if (options.interprets && !options.runs)
    report.wrong = report.interpretedWrong;
  leaveOutDevices(report, options.mayLack || !options.runs);
  if (!report.wrong.empty() || !report.deviceFaults.empty())
    for (const VariantInfo &variant : info->variants)
      if (Result<std::vector<uint32_t>> words = wordsOf(bundle, *info, variant))
        report.modules[variant.id] = std::move(*words);
  return report;
}

std::string raceOf(const TechniqueKernel &kernel) {
  Result<Compiled> compiled = compile(kernel.glsl, InputKind::Glsl);
  if (!compiled)
    return compiled.diagnostic().text;
  Result<vulkan::KernelInstance> instance =
      instantiate(kernel.workload, kernel.workload.sizes.front());
  if (!instance)
    return instance.diagnostic().text;
  Result<interp::Inputs> forwards =
      interpreted(compiled->module, kernel.size, kernel.groups, *instance);
  Result<interp::Inputs> backwards =
      interpreted(compiled->module, kernel.size, kernel.groups, *instance, true);
  for (const auto *each : {&forwards, &backwards})
    if (!*each)
      return each->diagnostic().text;
  return differenceOf(*forwards, *backwards);
}

TechniqueKernel reduceKernel(uint64_t seed, Hazard hazard,
                             const std::function<bool(const TechniqueKernel &)> &fails) {
  std::set<unsigned> dropped;
  TechniqueKernel best = generateTechniqueKernel(seed, hazard);
  // Halves, quarters, ...: what can go in one piece goes first.
  for (unsigned length = std::max(1u, best.statements / 2);; length /= 2) {
    for (unsigned first = 0; first < best.statements; first += length) {
      std::set<unsigned> more = dropped;
      for (unsigned at = first; at < first + length; ++at)
        more.insert(at);
      if (more == dropped)
        continue;
      TechniqueKernel smaller = generateTechniqueKernel(seed, hazard, more);
      if (smaller.glsl == best.glsl || fails(smaller)) {
        dropped = std::move(more);
        best = std::move(smaller);
      }
    }
    if (length <= 1)
      return best;
  }
}

} // namespace tailor::differential
