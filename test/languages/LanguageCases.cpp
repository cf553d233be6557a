//===- languages/LanguageCases.cpp -----------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LanguageCases.h"

#include "../differential/BenchKernels.h"
#include "../differential/Harness.h"

#include "Bundle/KernelBuilder.h"
#include "Tuning/Search.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <set>

namespace tailor::languages {
namespace {

using differential::BenchCase;
using vulkan::CompareRule;
using vulkan::ElementType;

/// The one device that the expected outputs come from: the last that the loader names, of those
/// that are here always (llvmpipe before SwiftShader).
std::shared_ptr<vulkan::Device> referenceDevice() {
  std::shared_ptr<vulkan::Device> chosen;
  for (const auto &device : differential::devices())
    if (!chosen || device->info().name.find("llvmpipe") != std::string::npos)
      chosen = device;
  return chosen;
}

template <typename Float> double largest(std::span<const std::byte> bytes) {
  double most = 0;
  for (size_t at = 0; at + sizeof(Float) <= bytes.size(); at += sizeof(Float)) {
    Float value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    if (std::isfinite(value))
      most = std::max(most, std::abs(static_cast<double>(value)));
  }
  return most;
}

/// Sums lose what their terms cancel: the tolerance is in steps of the largest value.
CompareRule floatRule(ElementType type, std::span<const std::byte> expected) {
  const double step = type == ElementType::F64   ? std::ldexp(1.0, -52)
                      : type == ElementType::F16 ? std::ldexp(1.0, -10)
                                                 : std::ldexp(1.0, -23);
  const double most = type == ElementType::F64   ? largest<double>(expected)
                      : type == ElementType::F32 ? largest<float>(expected)
                                                 : 1.0;
  const double tolerance = static_cast<double>(kFloatUlps) * step;
  return CompareRule::within(type, tolerance * most, tolerance);
}

CompareRule imageRule(const vulkan::ImageFormat &format, std::span<const std::byte> expected) {
  if (format.type == vulkan::ComponentType::Float && format.componentBytes != 0)
    return floatRule(format.componentBytes == 8   ? ElementType::F64
                     : format.componentBytes == 4 ? ElementType::F32
                                                  : ElementType::F16,
                     expected);
  // A float that lies between two steps may be rounded to either.
  if (format.type == vulkan::ComponentType::Unorm && format.componentBytes == 1)
    return CompareRule::within(ElementType::U8, 1);
  if (format.type == vulkan::ComponentType::Snorm && format.componentBytes == 1)
    return CompareRule::within(ElementType::I8, 1);
  return CompareRule::exact();
}

CompareRule ruleFor(const ProblemSize &size, const vulkan::ResourceDesc &desc,
                    std::span<const std::byte> expected) {
  if (const vulkan::ImageFormat *format = vulkan::findImageFormat(desc.format))
    return imageRule(*format, expected);
  const WorkloadBinding *binding = size.find(desc.set, desc.binding);
  if (!binding)
    return CompareRule::exact();
  if (binding->compare.mode != vulkan::CompareMode::Exact)
    return binding->compare;
  return vulkan::isFloat(binding->element) ? floatRule(binding->element, expected)
                                           : CompareRule::exact(binding->element);
}

Result<KernelInfo> build(const BenchCase &bench, const std::string &target,
                         const EmitOptions &options, Bundle &bundle) {
  Result<EntryPoint> entry =
      findComputeEntryPoint(bench.compiled.module, bench.compiled.entryPoint);
  if (!entry)
    return entry.takeFailure();
  KernelBuildOptions build;
  build.targets = {"spirv", target};
  build.emit = options;
  build.plan.named = true;
  build.plan.guards = GuardPolicy::All;
  build.plan.maxVariants = 96;
  build.spec = bench.spec;
  Diagnostics diagnostics;
  return buildKernel(bench.compiled.module, *entry, bench.stem, build, bundle, diagnostics);
}

Result<vulkan::RunResult> runAuthored(const std::shared_ptr<vulkan::Device> &device,
                                      const vulkan::KernelInstance &instance,
                                      const vulkan::Candidate &candidate) {
  Result<std::unique_ptr<vulkan::Runner>> runner = vulkan::Runner::create(device, instance);
  if (!runner)
    return runner.takeFailure();
  Result<vulkan::PipelineId> pipeline = (*runner)->prepare(candidate);
  if (!pipeline)
    return pipeline.takeFailure();
  return (*runner)->runOnce(*pipeline);
}

/// What the cases of one kernel are told apart by.
std::string kindOf(const VariantInfo &variant) {
  return variant.technique + (variant.guard ? " guarded" : "");
}

class CaseMaker {
public:
  CaseMaker(const BenchCase &bench, std::string target) : bench(bench), target(std::move(target)) {}

  Result<std::vector<LanguageCase>> make(const EmitOptions &options, uint32_t maxInvocations) {
    device = referenceDevice();
    if (!device)
      return failure({}, "there is no Vulkan device", ErrorKind::Environment);
    Result<KernelInfo> built = build(bench, target, options, bundle);
    if (!built)
      return built.takeFailure();
    kernel = std::move(*built);
    Result<vulkan::KernelInstance> instance = instantiate(bench.workload, bench.small());
    if (!instance)
      return instance.takeFailure();
    Result<std::vector<uint32_t>> words = wordsOf(bundle, kernel, kernel.variants.front());
    if (!words)
      return words.takeFailure();
    Result<Reflection> reflection = reflect(*words, kernel.entryPoint, bench.stem);
    if (!reflection)
      return reflection.takeFailure();
    // The authored module runs as it is; its variants have to fit.
    vulkan::DeviceLimits limits = device->info().limits;
    Result<Selection> selection =
        selectVariants({bundle, kernel, *reflection, bench.small(), *instance, limits});
    if (!selection)
      return selection.takeFailure();
    if (Status ran = runReference(selection->selected.front().candidate, std::move(*instance));
        !ran)
      return ran.takeFailure();
    return choose(*selection, maxInvocations);
  }

private:
  Status runReference(const vulkan::Candidate &candidate, vulkan::KernelInstance instance) {
    Result<vulkan::RunResult> expected = runAuthored(device, instance, candidate);
    if (!expected)
      return expected.takeFailure();
    auto made = std::make_shared<KernelProblem>();
    made->kernel = bench.stem;
    made->device = device->info().name;
    made->instance = std::move(instance);
    made->expected = std::move(*expected);
    for (const vulkan::OutputData &output : made->expected.outputs)
      made->rules.push_back(
          ruleFor(bench.small(), made->instance.resources[output.resource], output.bytes));
    problem = std::move(made);
    return success();
  }

  std::vector<LanguageCase> choose(const Selection &selection, uint32_t maxInvocations) const {
    const uint64_t most = numberFrom("TAILOR_LANGUAGE_VARIANTS", 1);
    std::map<std::string, uint64_t> taken;
    std::vector<LanguageCase> cases;
    for (const SelectedVariant &chosen : selection.selected) {
      const VariantInfo &variant = kernel.variants[chosen.variant];
      if (chosen.variant != 0 && variant.localSize.product() > maxInvocations)
        continue;
      if (taken[kindOf(variant)]++ < most)
        cases.push_back(caseOf(variant, chosen.candidate));
    }
    return cases;
  }

  LanguageCase caseOf(const VariantInfo &variant, const vulkan::Candidate &candidate) const {
    LanguageCase made;
    made.problem = problem;
    made.target = target;
    made.variant = variant;
    made.groups = candidate.groups;
    made.pushConstants = candidate.pushConstants.value_or(problem->instance.pushConstants);
    if (auto code = variant.code.find(target); code != variant.code.end()) {
      made.text = bundle.bytesOf(code->second);
      if (code->second.interface)
        made.interface = bundle.interfaces[*code->second.interface];
    } else if (auto reason = variant.skipped.find(target); reason != variant.skipped.end()) {
      made.refusal = reason->second;
    }
    return made;
  }

  const BenchCase &bench;
  std::string target;
  std::shared_ptr<vulkan::Device> device;
  Bundle bundle;
  KernelInfo kernel;
  std::shared_ptr<const KernelProblem> problem;
};

void enter(const LanguageCase &made, const std::string &consumer, const std::string &outcome) {
  const char *folder = std::getenv("TAILOR_LANGUAGE_TABLE");
  if (!folder)
    return;
  std::filesystem::create_directories(folder);
  std::ofstream table(std::filesystem::path(folder) / (made.target + ".tsv"), std::ios::app);
  table << made.problem->kernel << '\t' << made.target << '\t' << consumer << '\t'
        << kindOf(made.variant) << '\t' << made.variant.id << '\t' << outcome << '\n';
}

} // namespace

std::string LanguageCase::name() const { return problem->kernel + " " + variant.id; }

std::vector<std::string> suiteKernels() {
  std::vector<std::string> files = benchKernels();
  const char *chosen = std::getenv("TAILOR_LANGUAGE_KERNELS");
  if (!chosen)
    return files;
  const std::string list = "," + std::string(chosen) + ",";
  std::erase_if(files, [&](const std::string &file) {
    return list.find("," + file.substr(0, file.find('.')) + ",") == std::string::npos;
  });
  return files;
}

Result<std::vector<LanguageCase>> casesOf(const std::string &file, const std::string &target,
                                          const EmitOptions &options, uint32_t maxInvocations) {
  Result<BenchCase> bench = differential::loadBenchCase(file);
  if (!bench)
    return bench.takeFailure();
  return CaseMaker(*bench, target).make(options, maxInvocations);
}

std::string check(const LanguageCase &made, const std::vector<std::vector<std::byte>> &outputs,
                  const std::string &consumer) {
  const KernelProblem &problem = *made.problem;
  if (outputs.size() != problem.expected.outputs.size())
    return std::to_string(outputs.size()) + " outputs of " +
           std::to_string(problem.expected.outputs.size());
  for (size_t at = 0; at < outputs.size(); ++at) {
    const vulkan::OutputData &expected = problem.expected.outputs[at];
    Result<vulkan::Comparison> compared =
        vulkan::compare(expected.bytes, outputs[at], problem.rules[at]);
    if (compared && compared->equal())
      continue;
    return problem.instance.resources[expected.resource].str() + ": " +
           (compared ? compared->str() : compared.diagnostic().text);
  }
  enter(made, consumer, "ran");
  return {};
}

std::string CaseCheck::operator()(const LanguageCase &made,
                                  const std::vector<std::vector<std::byte>> &outputs) {
  const KernelProblem &problem = *made.problem;
  const auto allowance =
      std::find_if(allowances.begin(), allowances.end(),
                   [&](const RoundingAllowance &each) { return each.kernel == problem.kernel; });
  if (allowance == allowances.end())
    return check(made, outputs, consumer);
  if (!ofText) {
    if (made.variant.id != "authored" || outputs.size() != problem.expected.outputs.size())
      return "the authored text does not come first with all its outputs";
    auto own = std::make_shared<KernelProblem>(problem);
    for (size_t at = 0; at < outputs.size(); ++at) {
      vulkan::OutputData &expected = own->expected.outputs[at];
      Result<vulkan::Comparison> compared =
          vulkan::compare(expected.bytes, outputs[at], problem.rules[at]);
      if (!compared || static_cast<double>(compared->mismatches) >
                           allowance->share * static_cast<double>(compared->elements))
        return compared ? compared->str() : compared.diagnostic().text;
      expected.bytes = outputs[at];
      own->rules[at] = CompareRule::exact(problem.rules[at].type);
    }
    ofText = std::move(own);
  }
  LanguageCase compared = made;
  compared.problem = ofText;
  return check(compared, outputs, consumer + " (but for " + std::string(allowance->why) + ")");
}

void enterRefusal(const LanguageCase &made, const std::string &consumer) {
  enter(made, consumer, "refused: " + made.refusal);
}

bool missing(const std::string &what) {
  const char *ci = std::getenv("CI");
  if (ci && std::string(ci) == "true")
    ADD_FAILURE() << what << " is not here";
  else
    [](const std::string &text) { GTEST_SKIP() << text << " is not here"; }(what);
  return true;
}

} // namespace tailor::languages
