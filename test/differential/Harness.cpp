//===- differential/Harness.cpp - Variants against their authored kernel --===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Harness.h"

#include "IR/Reader.h"
#include "Support/SpirvTools.h"
#include "Tuning/Search.h"
#include "Vulkan/Compare.h"
#include "Vulkan/Runner.h"

#include "spirv-tools/optimizer.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace tailor::differential {

const std::vector<std::shared_ptr<vulkan::Device>> &devices() {
  static const std::vector<std::shared_ptr<vulkan::Device>> opened = [] {
    std::vector<std::shared_ptr<vulkan::Device>> list;
    Result<std::shared_ptr<vulkan::Instance>> instance = vulkan::Instance::create();
    if (!instance)
      return list;
    std::vector<vulkan::DeviceInfo> wanted = (*instance)->devices();
    if (const char *name = std::getenv("TAILOR_DIFFERENTIAL_DEVICE")) {
      Result<vulkan::DeviceInfo> found = (*instance)->find(name);
      wanted.clear();
      if (found)
        wanted.push_back(std::move(*found));
    }
    for (const vulkan::DeviceInfo &info : wanted)
      if (auto device = vulkan::Device::open(*instance, info))
        list.push_back(*std::move(device));
    return list;
  }();
  return opened;
}

bool noDevices() { return devices().empty(); }

Dim3 commonMaxSize(uint32_t &maxInvocations) {
  Dim3 size{1024, 1024, 64};
  maxInvocations = kMaxCandidateInvocations;
  for (const auto &device : devices()) {
    const vulkan::DeviceLimits &limits = device->info().limits;
    maxInvocations = std::min(maxInvocations, limits.maxInvocations);
    for (unsigned axis = 0; axis < 3; ++axis)
      size[axis] = std::min(size[axis], limits.maxLocalSize[axis]);
  }
  return size;
}

std::string Report::text() const {
  std::string all;
  for (const std::string &line : broken)
    all += "broken: " + line + "\n";
  for (const std::string &line : wrong)
    all += "wrong: " + line + "\n";
  return all;
}

static Result<Compiled> toModule(Result<FrontendResult> shader, const std::string &entryPoint) {
  if (!shader)
    return shader.takeFailure();
  Result<Module> module = readModule(shader->words, shader->fileName);
  if (!module)
    return module.takeFailure();
  Result<EntryPoint> entry = findComputeEntryPoint(*module, entryPoint);
  if (!entry)
    return entry.takeFailure();
  std::string name = entry->name();
  return Compiled{std::move(*module), std::move(name)};
}

Result<Compiled> compile(const std::string &text, InputKind kind, const std::string &entry) {
  Diagnostics diagnostics;
  FrontendOptions options;
  options.kind = kind;
  return toModule(loadShaderFromMemory(text, "kernel.comp", options, diagnostics), entry);
}

Result<BenchCase> loadBenchCase(const std::string &file) {
  const std::string folder = TAILOR_SOURCE_DIR "/bench/kernels/";
  Result<Compiled> compiled = compileFile(folder + file);
  if (!compiled)
    return compiled.takeFailure();
  BenchCase made{file.substr(0, file.find('.')), std::move(*compiled), {}, {}};
  const std::string path = folder + made.stem + ".workload.json";
  Diagnostics diagnostics;
  std::optional<Workload> workload = readWorkload(path, diagnostics);
  if (!workload)
    return failure(Location::inFile(path), "the workload cannot be read");
  made.workload = std::move(*workload);
  for (const auto &[id, value] : made.small().specConstants)
    made.spec[id] = value.bits;
  return made;
}

Result<Certificate> BenchCase::certificate() const {
  Result<EntryPoint> entry = findComputeEntryPoint(compiled.module, compiled.entryPoint);
  if (!entry)
    return entry.takeFailure();
  return certify(compiled.module, *entry, spec);
}

Status reshape(Compiled &compiled, Shape shape) {
  if (shape == Shape::AsCompiled)
    return success();
  std::vector<uint32_t> words = compiled.module.words(), optimized;
  spvtools::Optimizer optimizer(targetEnvOf(words));
  optimizer.SetMessageConsumer(
      [](spv_message_level_t, const char *, const spv_position_t &, const char *) {});
  if (shape == Shape::Ssa)
    optimizer.RegisterPass(spvtools::CreateSSARewritePass());
  else
    shape == Shape::Fast ? optimizer.RegisterPerformancePasses() : optimizer.RegisterSizePasses();
  if (!optimizer.Run(words.data(), words.size(), &optimized))
    return success();
  Result<Module> module = readModule(optimized, "reshaped");
  if (!module)
    return module.takeFailure();
  compiled.module = std::move(*module);
  return success();
}

Result<Compiled> compileFile(const std::string &path) {
  Diagnostics diagnostics;
  return toModule(loadShader(path, {}, diagnostics), "");
}

Result<KernelInfo> buildVariants(const Compiled &compiled, const SizeRequest &sizes,
                                 const SpecMap &spec, Bundle &bundle) {
  Result<EntryPoint> entry = findComputeEntryPoint(compiled.module, compiled.entryPoint);
  if (!entry)
    return entry.takeFailure();
  KernelBuildOptions options;
  options.plan.techniques = {Technique::Resize};
  options.plan.sizes = sizes;
  options.plan.maxVariants = 0;
  options.spec = spec;
  Diagnostics diagnostics;
  return buildKernel(compiled.module, *entry, "kernel", options, bundle, diagnostics);
}

namespace {

/// One kernel with one problem on one device.
class DeviceRun {
public:
  DeviceRun(const std::shared_ptr<vulkan::Device> &device, const KernelInfo &kernel, Report &report)
      : device(device), kernel(kernel), report(report) {}

  void run(const DispatchSite &site) {
    Result<Selection> selection = selectVariants(site);
    if (!selection)
      return broken(selection.diagnostic().text);
    report.leftOut += selection->leftOut.size();
    Result<std::unique_ptr<vulkan::Runner>> made = vulkan::Runner::create(device, site.instance);
    if (!made)
      return broken(made.diagnostic().text);
    runner = *std::move(made);
    for (const SelectedVariant &chosen : selection->selected) {
      Result<vulkan::RunResult> result = runOnce(chosen.candidate);
      if (!result) {
        std::string text = result.diagnostic().text;
        chosen.variant == 0 ? broken(text) : wrong(chosen, text);
        if (chosen.variant == 0)
          return;
        continue;
      }
      if (chosen.variant == 0)
        takeReference(chosen.candidate, std::move(*result));
      else
        judge(chosen, *result);
    }
  }

private:
  Result<vulkan::RunResult> runOnce(const vulkan::Candidate &candidate) {
    Result<vulkan::PipelineId> pipeline = runner->prepare(candidate);
    if (!pipeline)
      return pipeline.takeFailure();
    Result<vulkan::RunResult> result = runner->runOnce(*pipeline);
    runner->release(*pipeline);
    return result;
  }

  void takeReference(const vulkan::Candidate &candidate, vulkan::RunResult result) {
    for (const vulkan::CanaryViolation &violation : result.violations)
      broken("the authored kernel: " + violation.text);
    authored = &candidate;
    reference = std::move(result);
  }

  void judge(const SelectedVariant &chosen, const vulkan::RunResult &result) {
    const VariantInfo &variant = kernel.variants[chosen.variant];
    ++(variant.dispatch.rule == DispatchRule::Cover ? report.ranCover : report.ranExact);
    ++report.ran[variant.technique];
    if (report.broken.empty())
      for (const vulkan::CanaryViolation &violation : result.violations)
        wrong(chosen, violation.text);
    std::string difference = differenceFrom(result);
    if (difference.empty())
      return;
    Result<vulkan::RunResult> again = runOnce(*authored);
    if (again && !differenceFrom(*again).empty())
      broken("the authored kernel gives another result when it runs again");
    else if (report.doubts && report.doubts(runner->instance(), reference))
      report.deviceFaults.push_back(device->info().name + ": " + difference);
    else
      wrong(chosen, difference);
  }

  std::string differenceFrom(const vulkan::RunResult &result) const {
    for (size_t at = 0; at < reference.outputs.size(); ++at) {
      const vulkan::OutputData &expected = reference.outputs[at], &actual = result.outputs[at];
      if (expected.bytes == actual.bytes)
        continue;
      auto element =
          expected.bytes.size() % 4 == 0 ? vulkan::ElementType::U32 : vulkan::ElementType::U8;
      Result<vulkan::Comparison> compared =
          vulkan::compare(expected.bytes, actual.bytes, vulkan::CompareRule::exact(element));
      return runner->instance().resources[expected.resource].str() + ": " +
             (compared ? compared->str() : compared.diagnostic().text);
    }
    return {};
  }

  void broken(const std::string &text) {
    report.broken.push_back(device->info().name + ": " + text);
  }
  void wrong(const SelectedVariant &chosen, const std::string &text) {
    const VariantInfo &variant = kernel.variants[chosen.variant];
    report.wrong.push_back(device->info().name + ": " + variant.id + " (" +
                           std::string(nameOf(variant.dispatch.rule)) + "): " + text);
  }

  std::shared_ptr<vulkan::Device> device;
  const KernelInfo &kernel;
  Report &report;
  std::unique_ptr<vulkan::Runner> runner;
  const vulkan::Candidate *authored = nullptr;
  vulkan::RunResult reference;
};

} // namespace

void compareVariants(const Bundle &bundle, const KernelInfo &kernel, const Workload &workload,
                     const ProblemSize &size, Report &report) {
  report.variants = kernel.variants.size() - 1;
  report.proven = report.variants != 0;
  if (!kernel.refused.empty())
    report.refusal = kernel.refused.front().reason;
  if (!report.proven)
    return;
  Result<vulkan::KernelInstance> instance = instantiate(workload, size);
  if (!instance) {
    report.broken.push_back(instance.diagnostic().text);
    return;
  }
  Result<std::vector<uint32_t>> words = wordsOf(bundle, kernel, kernel.variants.front());
  Result<Reflection> reflection = words ? reflect(*words, kernel.entryPoint, "kernel")
                                        : Result<Reflection>(words.takeFailure());
  if (!reflection) {
    report.broken.push_back(reflection.diagnostic().text);
    return;
  }
  // A kernel need not use all the push constants that its file declares.
  ProblemSize used = size;
  for (PushConstantValue &value : used.pushConstants)
    value.data.resize(std::min<size_t>(value.data.size(),
                                       reflection->pushConstantBytes -
                                           std::min(reflection->pushConstantBytes, value.offset)));
  std::erase_if(used.pushConstants,
                [](const PushConstantValue &value) { return value.data.empty(); });
  Diagnostics diagnostics;
  checkWorkload(used, *reflection, kernel.name, diagnostics);
  for (const Diagnostic &diagnostic : diagnostics.all())
    if (diagnostic.severity == Severity::Error)
      report.broken.push_back(diagnostic.text);
  if (!report.broken.empty())
    return;
  for (const auto &device : devices())
    DeviceRun(device, kernel, report)
        .run({bundle, kernel, *reflection, size, *instance, device->info().limits});
}

Report checkKernel(const Compiled &compiled, const SizeRequest &sizes, const SpecMap &spec,
                   const Workload &workload, const ProblemSize &size) {
  Report report;
  Bundle bundle;
  Result<KernelInfo> kernel = buildVariants(compiled, sizes, spec, bundle);
  if (!kernel) {
    report.broken.push_back(kernel.diagnostic().text);
    return report;
  }
  compareVariants(bundle, *kernel, workload, size, report);
  return report;
}

} // namespace tailor::differential
