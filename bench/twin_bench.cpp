//===- bench/twin_bench.cpp - Variants against the same kernels by hand ----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each file in bench/twins: builds the variant, checks that it and the twin
// give what the authored kernel gives, and measures the three in turns, in one
// run, as `tune` does (docs/measuring.md). A ratio above 1 says that the variant
// is slower than what was written by hand.
//
//===----------------------------------------------------------------------===//
#include "Twins.h"

#include "Tuning/Search.h"
#include "Vulkan/Compare.h"
#include "Vulkan/Device.h"
#include "Vulkan/Runner.h"

#include "CLI/CLI.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace tailor;
using bench::Twin;

struct Options {
  std::string size = "large"; ///< a problem size of the workloads
  std::string filter;         ///< part of KERNEL.VARIANT
  std::string bench = TAILOR_SOURCE_DIR "/bench";
  std::string device; ///< empty: the first, which is a GPU where there is one
  uint32_t rounds = 4;
};

constexpr size_t kAuthored = 0, kVariant = 1, kByHand = 2; ///< order of a twin's variants

struct Row {
  std::array<double, 3> timeNs{}; ///< of a dispatch, in the order above
  double ratio = 0;               ///< variant over twin
  double noise = 0;               ///< of the two, a fraction
};

/// The middle one of an odd number, else the mean of the two in the middle.
double middle(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Of what each round gave for the two, the median, so that a clock that changes between rounds
/// does not matter. Where only the fastest sample counts, rounds say nothing.
double ratioOf(const vulkan::Measurement &variant, const vulkan::Measurement &byHand) {
  const std::vector<double> &a = variant.roundMediansNs, &b = byHand.roundMediansNs;
  if (variant.fastest || a.size() != b.size())
    return variant.timeNs / byHand.timeNs;
  std::vector<double> ratios;
  for (size_t round = 0; round < a.size(); ++round)
    ratios.push_back(a[round] / b[round]);
  return middle(std::move(ratios));
}

/// Prepares the three and holds their outputs against the authored ones.
Result<std::vector<vulkan::PipelineId>> prepareAll(vulkan::Runner &runner, const Twin &twin,
                                                   const ProblemSize &size,
                                                   const Selection &selection) {
  std::vector<vulkan::PipelineId> pipelines;
  vulkan::RunResult authored;
  for (const SelectedVariant &chosen : selection.selected) {
    const std::string &id = twin.kernel.variants[chosen.variant].id;
    Result<vulkan::PipelineId> prepared = runner.prepare(chosen.candidate);
    if (!prepared)
      return prepared.takeFailure();
    Result<vulkan::RunResult> ran = runner.runOnce(*prepared);
    if (!ran)
      return ran.takeFailure();
    if (!ran->violations.empty())
      return failure({}, id + ": " + ran->violations.front().text);
    if (pipelines.empty())
      authored = std::move(*ran);
    for (size_t at = 0; !pipelines.empty() && at < authored.outputs.size(); ++at) {
      const vulkan::OutputData &expected = authored.outputs[at];
      Result<vulkan::Comparison> compared = vulkan::compare(
          expected.bytes, ran->outputs[at].bytes, size.bindings[expected.resource].compare);
      if (!compared)
        return compared.takeFailure();
      if (!compared->equal())
        return failure({}, id + " gives another result: " + compared->str());
    }
    pipelines.push_back(*prepared);
  }
  return pipelines;
}

Result<Row> measureTwin(const Twin &twin, const ProblemSize &size,
                        const std::shared_ptr<vulkan::Device> &device, uint32_t rounds) {
  const KernelInfo &kernel = twin.kernel;
  Result<vulkan::KernelInstance> instance = instantiate(twin.workload, size);
  if (!instance)
    return instance.takeFailure();
  Result<std::vector<uint32_t>> words = wordsOf(twin.bundle, kernel, kernel.variants.front());
  if (!words)
    return words.takeFailure();
  Result<Reflection> reflection = reflect(*words, kernel.entryPoint, kernel.name);
  if (!reflection)
    return reflection.takeFailure();
  Result<Selection> selection =
      selectVariants({twin.bundle, kernel, *reflection, size, *instance, device->info().limits});
  if (!selection)
    return selection.takeFailure();
  if (!selection->leftOut.empty())
    return failure({}, selection->leftOut.front().why);
  Result<std::unique_ptr<vulkan::Runner>> runner = vulkan::Runner::create(device, *instance);
  if (!runner)
    return runner.takeFailure();
  auto pipelines = prepareAll(**runner, twin, size, *selection);
  if (!pipelines)
    return pipelines.takeFailure();
  auto measuring = vulkan::MeasureOptions::forDevice(device->info());
  measuring.rounds = std::max(rounds, measuring.rounds);
  Result<vulkan::MeasureReport> report = (*runner)->measure(*pipelines, measuring, kAuthored);
  if (!report)
    return report.takeFailure();
  Row row;
  for (size_t at = 0; at < row.timeNs.size(); ++at) {
    const vulkan::Measurement &measured = report->candidates[at];
    if (measured.state != vulkan::MeasureState::Measured)
      return failure({}, kernel.variants[at].id + " was not measured: " + measured.why);
    row.timeNs[at] = measured.timeNs;
    if (at != kAuthored)
      row.noise = std::max(row.noise, measured.noise());
  }
  row.ratio = ratioOf(report->candidates[kVariant], report->candidates[kByHand]);
  return row;
}

Result<Row> runTwin(const bench::TwinFile &file, const Options &options,
                    const std::shared_ptr<vulkan::Device> &device) {
  Result<bench::Twin> twin = bench::loadTwin(file);
  if (!twin)
    return twin.takeFailure();
  const std::vector<ProblemSize> &sizes = twin->workload.sizes;
  auto size = std::find_if(sizes.begin(), sizes.end(),
                           [&](const ProblemSize &each) { return each.name == options.size; });
  if (size == sizes.end())
    return failure({}, "the workload has no size '" + options.size + "'");
  return measureTwin(*twin, twin->admitted(*size), device, options.rounds);
}

Result<std::shared_ptr<vulkan::Device>> openDevice(const std::string &name) {
  Result<std::shared_ptr<vulkan::Instance>> instance = vulkan::Instance::create();
  if (!instance)
    return instance.takeFailure();
  if (name.empty())
    return vulkan::Device::open(*instance, (*instance)->devices().front());
  Result<vulkan::DeviceInfo> info = (*instance)->find(name);
  if (!info)
    return info.takeFailure();
  return vulkan::Device::open(*instance, *info);
}

int runAll(const Options &options) {
  Result<std::shared_ptr<vulkan::Device>> device = openDevice(options.device);
  if (!device) {
    std::fprintf(stderr, "error: %s\n", device.diagnostic().text.c_str());
    return 3;
  }
  std::printf("%s, size %s, milliseconds a dispatch\n\n", (*device)->info().name.c_str(),
              options.size.c_str());
  std::printf("| kernel | variant | authored | by hand | variant | ratio | noise |\n"
              "|---|---|---:|---:|---:|---:|---:|\n");
  std::vector<double> ratios;
  bool failed = false;
  for (const bench::TwinFile &file : bench::twinFiles(options.bench)) {
    const std::string name = file.name();
    if (name.find(options.filter) == std::string::npos)
      continue;
    Result<Row> row = runTwin(file, options, *device);
    if (row) {
      ratios.push_back(row->ratio);
      std::printf("| `%s` | `%s` | %.4f | %.4f | %.4f | %.3f | %.3f |\n", file.kernel.c_str(),
                  file.variant.c_str(), row->timeNs[kAuthored] * 1e-6, row->timeNs[kByHand] * 1e-6,
                  row->timeNs[kVariant] * 1e-6, row->ratio, row->noise);
    } else {
      failed = true;
      std::fprintf(stderr, "error: %s: %s\n", name.c_str(), row.diagnostic().text.c_str());
    }
    std::fflush(stdout);
  }
  if (ratios.empty()) {
    std::fprintf(stderr, "error: nothing was measured\n");
    return 1;
  }
  std::printf("\n%zu twins: median ratio %.3f, worst %.3f\n", ratios.size(), middle(ratios),
              *std::max_element(ratios.begin(), ratios.end()));
  return failed ? 1 : 0;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app("Measures variants against the same kernels written by hand (bench/twins)");
  app.add_option("--size", options.size, "small or large")->capture_default_str();
  app.add_option("--filter", options.filter, "only twins with this in KERNEL.VARIANT");
  app.add_option("--device", options.device, "name, or part of it; else the first one");
  app.add_option("--bench", options.bench, "the folder with twins and kernels")
      ->capture_default_str();
  app.add_option("--rounds", options.rounds, "turns of each, at least")->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return runAll(options);
}
