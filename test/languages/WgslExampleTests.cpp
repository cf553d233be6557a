//===- languages/WgslExampleTests.cpp - From WGSL to tuned WGSL ------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each kernel of examples/wgsl is read, tuned on SwiftShader with its workload, and the text of
// the winner, and of the authored kernel, is run by Dawn on SwiftShader: the outputs are those of
// the authored module on Vulkan.
//
//===----------------------------------------------------------------------===//
#include "wgsl/Dawn.h"

#include "../differential/BenchKernels.h"
#include "../differential/Harness.h"

#include "Bundle/KernelBuilder.h"
#include "Naga/Naga.h"
#include "Tuning/Search.h"
#include "Tuning/Tuner.h"

#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

namespace tailor::languages {
namespace {

constexpr double kBudgetSeconds = 0.2;

std::vector<std::string> examples() {
  std::vector<std::string> files;
  for (const auto &entry : std::filesystem::directory_iterator(TAILOR_SOURCE_DIR "/examples/wgsl"))
    if (entry.path().extension() == ".wgsl")
      files.push_back(entry.path().filename().string());
  std::sort(files.begin(), files.end());
  return files;
}

std::shared_ptr<vulkan::Device> swiftShader() {
  for (const auto &device : differential::devices())
    if (device->info().name.find("SwiftShader") != std::string::npos)
      return device;
  return nullptr;
}

class WgslExample : public testing::TestWithParam<std::string> {
protected:
  void build(const std::string &path) {
    Result<differential::Compiled> compiled = differential::compileFile(path);
    ASSERT_TRUE(bool(compiled)) << compiled.diagnostic().location.str() << ": "
                                << compiled.diagnostic().text;
    Result<EntryPoint> entry = findComputeEntryPoint(compiled->module, compiled->entryPoint);
    ASSERT_TRUE(bool(entry));
    KernelBuildOptions options;
    options.targets = {"spirv", "wgsl"};
    Diagnostics diagnostics;
    Result<KernelInfo> built =
        buildKernel(compiled->module, *entry, compiled->entryPoint, options, bundle, diagnostics);
    ASSERT_TRUE(bool(built)) << built.diagnostic().text;
    bundle.kernels.push_back(std::move(*built));
  }

  /// The winner's id.
  std::string tuned(const Workload &workload) {
    TuneOptions options;
    options.devices = {"SwiftShader"};
    options.budgetSeconds = kBudgetSeconds;
    Diagnostics diagnostics;
    Progress progress(llvm::nulls(), false);
    std::vector<Bundle> bundles;
    bundles.push_back(bundle);
    Result<TuneReport> report = tune(bundles, workload, options, diagnostics, progress);
    if (!report || report->results.size() != 1) {
      ADD_FAILURE() << (report ? "not one result" : report.diagnostic().text);
      return {};
    }
    EXPECT_FALSE(diagnostics.hasErrors());
    EXPECT_FALSE(report->results[0].failure) << report->results[0].failure->text;
    EXPECT_TRUE(report->results[0].outcome.verified);
    return report->results[0].outcome.winnerId;
  }

  /// Runs the authored module on Vulkan, and its text and the winner's in Dawn.
  void runWinner(const Workload &workload, const std::string &winner) {
    const KernelInfo &kernel = bundle.kernels.front();
    const ProblemSize &size = workload.sizes.front();
    std::shared_ptr<vulkan::Device> device = swiftShader();
    Result<vulkan::KernelInstance> instance = instantiate(workload, size);
    ASSERT_TRUE(bool(instance)) << instance.diagnostic().text;
    Result<std::vector<uint32_t>> words = wordsOf(bundle, kernel, kernel.variants.front());
    ASSERT_TRUE(bool(words));
    Result<Reflection> reflection = reflect(*words, kernel.entryPoint, kernel.name);
    ASSERT_TRUE(bool(reflection));
    Result<Selection> selection =
        selectVariants({bundle, kernel, *reflection, size, *instance, device->info().limits});
    ASSERT_TRUE(bool(selection)) << selection.diagnostic().text;
    Result<std::unique_ptr<vulkan::Runner>> runner = vulkan::Runner::create(device, *instance);
    ASSERT_TRUE(bool(runner)) << runner.diagnostic().text;
    Result<vulkan::PipelineId> pipeline = (*runner)->prepare(selection->selected.front().candidate);
    ASSERT_TRUE(bool(pipeline)) << pipeline.diagnostic().text;
    Result<vulkan::RunResult> expected = (*runner)->runOnce(*pipeline);
    ASSERT_TRUE(bool(expected)) << expected.diagnostic().text;

    std::vector<DawnJob> jobs;
    for (const SelectedVariant &chosen : selection->selected) {
      const VariantInfo &variant = kernel.variants[chosen.variant];
      if (chosen.variant == 0 || variant.id == winner)
        jobs.push_back(jobOf(variant, chosen, *instance, *expected));
    }
    ASSERT_EQ(jobs.size(), winner == kernel.variants.front().id ? 1u : 2u);
    Result<std::vector<DawnOutcome>> outcomes = runInDawn(jobs, DawnBackend::Vulkan);
    ASSERT_TRUE(bool(outcomes)) << outcomes.diagnostic().text;
    for (size_t at = 0; at < jobs.size(); ++at)
      compare(jobs[at], (*outcomes)[at], size, *instance, *expected);
  }

private:
  DawnJob jobOf(const VariantInfo &variant, const SelectedVariant &chosen,
                const vulkan::KernelInstance &instance, const vulkan::RunResult &expected) const {
    DawnJob job;
    auto code = variant.code.find("wgsl");
    EXPECT_TRUE(code != variant.code.end()) << variant.id;
    if (code == variant.code.end())
      return job;
    job.text = bundle.bytesOf(code->second);
    EXPECT_TRUE(code->second.interface);
    if (code->second.interface)
      job.interface = bundle.interfaces[*code->second.interface];
    job.resources = instance.resources;
    for (const vulkan::OutputData &output : expected.outputs)
      job.outputs.push_back(output.resource);
    job.pushConstants = chosen.candidate.pushConstants.value_or(instance.pushConstants);
    job.groups = chosen.candidate.groups;
    return job;
  }

  static void compare(const DawnJob &job, const DawnOutcome &outcome, const ProblemSize &size,
                      const vulkan::KernelInstance &instance, const vulkan::RunResult &expected) {
    ASSERT_EQ(outcome.error, "") << job.text;
    ASSERT_EQ(outcome.outputs.size(), expected.outputs.size());
    for (size_t at = 0; at < outcome.outputs.size(); ++at) {
      const vulkan::ResourceDesc &desc = instance.resources[expected.outputs[at].resource];
      const WorkloadBinding *binding = size.find(desc.set, desc.binding);
      ASSERT_TRUE(binding);
      Result<vulkan::Comparison> compared =
          vulkan::compare(expected.outputs[at].bytes, outcome.outputs[at], binding->compare);
      ASSERT_TRUE(bool(compared)) << compared.diagnostic().text;
      EXPECT_TRUE(compared->equal()) << desc.str() << ": " << compared->str() << "\n" << job.text;
    }
  }

  Bundle bundle;
};

TEST_P(WgslExample, IsTunedAndTheWinnerRunsInDawn) {
  if (!naga::isAvailable()) {
    missing("naga (" + std::string(naga::whyUnavailable()) + ")");
    return;
  }
  std::string what = missingForDawn(DawnBackend::Vulkan);
  if (what.empty() && !swiftShader())
    what = "SwiftShader (scripts/bootstrap swiftshader)";
  if (!what.empty()) {
    missing(what);
    return;
  }
  const std::string path = TAILOR_SOURCE_DIR "/examples/wgsl/" + GetParam();
  build(path);
  ASSERT_FALSE(HasFatalFailure());
  Diagnostics diagnostics;
  std::optional<Workload> workload =
      readWorkload(path.substr(0, path.rfind('.')) + ".workload.json", diagnostics);
  ASSERT_TRUE(workload) << diagnostics.all().front().text;
  const std::string winner = tuned(*workload);
  ASSERT_NE(winner, "");
  runWinner(*workload, winner);
}

INSTANTIATE_TEST_SUITE_P(All, WgslExample, testing::ValuesIn(examples()), testName);

} // namespace
} // namespace tailor::languages
