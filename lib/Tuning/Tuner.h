//===- Tuning/Tuner.h - Bundles and a workload in, winners out ------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every kernel that the workload is for, at every problem size, on every
// device: run the authored module, compare each applicable variant's outputs
// with its, time those that agree against each other under steady clocks,
// choose (Search.h), verify the winner once more while the device is hot, store.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_TUNER_H
#define TAILOR_TUNING_TUNER_H

#include "Bundle/Manifest.h"
#include "Support/Result.h"
#include "Tuning/Database.h"
#include "Tuning/Progress.h"
#include "Tuning/Strategy.h"
#include "Tuning/Workload.h"
#include "Vulkan/Device.h"
#include "Vulkan/Runner.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tailor {

struct TuneStep; // Tuning/TuneSink.h

/// Writes an output of each winner to a file: a PPM picture for a two-dimensional
/// image of an 8-bit normalized or float format, the bare bytes otherwise.
struct DumpRequest {
  uint32_t set = 0, binding = 0;
  /// `{kernel}`, `{size}` and `{device}` in it are replaced; they are needed
  /// where there is more than one of each.
  std::string path;
};
/// Reads `SET.BINDING=FILE`.
std::optional<DumpRequest> parseDumpRequest(std::string_view text);

struct TuneOptions {
  std::vector<std::string> devices;  ///< names as Instance::find takes them; empty or "all": all
  std::vector<std::string> sizes;    ///< names in the workload; empty: all
  std::string database;              ///< path; empty: winners are not stored
  std::string search = "exhaustive"; ///< a name of strategyNames()
  StrategyOptions strategy;
  double budgetSeconds = 0; ///< of measuring, a kernel, size and device; 0: no limit
  std::vector<DumpRequest> dumps;
  std::vector<std::string> filesRead; ///< a dump that would overwrite one of them is refused
  std::string date;                   ///< stored with the winners, ISO 8601
  double lastRunsSeconds = 0.5; ///< at most, for running the winner again and again (SiteTuner)
  /// An outcome in the database that still stands is taken as it is: same module, variants, problem
  /// size, device, driver and tool.
  bool keepCurrent = false;
  bool tryKnownBad = false; ///< also what the database remembers as having done harm here
  /// Work with devices in processes of their own, so that a driver which crashes or hangs costs one
  /// variant. Off for debuggers, and where this process holds a vulkan::Instance already.
  bool isolate = true;
  /// For tests: subgroup sizes are required also where the device has but one.
  bool requireOnlySubgroupSize = false;
  double patience =
      1; ///< how many times longer than usual a step may take before it counts as hung
  /// Changes the measuring options of a device, after the budget is applied.
  std::function<void(vulkan::MeasureOptions &)> adjustMeasuring;
  /// For tests, which plant faults: called before each step with a variant, where devices are
  /// worked with, and with what a checked run of it gave.
  std::function<void(const TuneStep &, const std::string &variant, vulkan::Device &)> interfere;
  std::function<void(const std::string &variant, vulkan::RunResult &)> tamper;
};

/// An output whose bytes do not hang off the device, where the kernel's integers do not.
struct OutputHash {
  std::string resource; ///< "set 0 binding 1"
  std::string sha256;
};

/// One kernel at one problem size on one device.
struct TuneResult {
  vulkan::DeviceInfo device;
  /// What is (or would be) stored: the winner and every variant's fate.
  StoredWinner outcome;
  /// Why there is no winner: the authored kernel cannot run here. `outcome` then
  /// holds names and candidates alone.
  std::optional<Diagnostic> failure;
  bool kept = false;                 ///< stored before, and not measured in this run
  std::vector<OutputHash> outputs{}; ///< of integers that the workload compares exactly
};

struct TuneReport {
  std::string tool, date;
  std::vector<TuneResult> results; ///< by kernel, problem size, device
};

/// "spirv-tailor 0.1.0"
std::string toolName();

/// Tunes, workload by workload. Fails when nothing could be tuned at all: no kernel fits a
/// workload, a workload does not fit a kernel, no device, no database. What happens to a single
/// kernel on a single device is in its TuneResult and, if it matters, in `diags`: an error (exit
/// code 1) for a proven variant with a wrong result, and for a winner that could not be stored or
/// dumped; warnings for the rest.
Result<TuneReport> tune(const std::vector<Bundle> &bundles, std::span<const Workload> workloads,
                        const TuneOptions &options, Diagnostics &diags, Progress &progress);
inline Result<TuneReport> tune(const std::vector<Bundle> &bundles, const Workload &workload,
                               const TuneOptions &options, Diagnostics &diags, Progress &progress) {
  return tune(bundles, std::span<const Workload>(&workload, 1), options, diags, progress);
}

/// The measuring options for `candidates` pipelines inside a budget in seconds
/// (0: none): the load times shrink so that every candidate gets its turn. `rounds`: so many, and
/// no fewer where the budget is tight; 0: as suits.
vulkan::MeasureOptions measureOptionsFor(const vulkan::DeviceInfo &device, double budgetSeconds,
                                         size_t candidates, uint32_t rounds = 0);

} // namespace tailor

#endif
