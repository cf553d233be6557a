//===- Tuning/Tuner.cpp ----------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Tuner.h"

#include "Tuning/KnownDevice.h"
#include "Tuning/QuirkRules.h"
#include "Tuning/RunPlan.h"

#include <algorithm>
#include <filesystem>

namespace tailor {

std::string toolName() { return "spirv-tailor " TAILOR_VERSION; }

vulkan::MeasureOptions measureOptionsFor(const vulkan::DeviceInfo &device, double budgetSeconds,
                                         size_t candidates, uint32_t rounds) {
  constexpr double kWarmUpShare = 0.25;
  vulkan::MeasureOptions options = vulkan::MeasureOptions::forDevice(device);
  if (rounds != 0)
    options.rounds = rounds;
  if (budgetSeconds <= 0)
    return options;
  const double warmUp =
      std::min(options.minLoadTime + options.stableTime, kWarmUpShare * budgetSeconds);
  options.minLoadTime = std::min(options.minLoadTime, warmUp / 2);
  options.stableTime = std::min(options.stableTime, warmUp / 2);
  options.warmUpBudget = std::min(options.warmUpBudget, kWarmUpShare * budgetSeconds);
  const double count = static_cast<double>(std::max<size_t>(candidates, 1));
  double turn = (budgetSeconds - warmUp) / (count * std::max(options.rounds, 1U));
  if (rounds == 0 && turn < options.turnLoadTime + options.turnStableTime + options.turnTime / 2) {
    // One good round says more than several hurried ones.
    turn *= std::max(options.rounds, 1U);
    options.rounds = 1;
  }
  // A part of the turn goes to the samples and to the reference.
  const double load = 0.7 * turn;
  options.candidateBudget = std::min(options.candidateBudget, load);
  options.turnLoadTime = std::min(options.turnLoadTime, load / 2);
  options.turnStableTime = std::min(options.turnStableTime, load / 2);
  return options;
}

namespace {

bool fileExists(const std::string &path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

/// Says in the diagnostics what matters of a result, and stores it.
void finishResult(const TuneResult &result, Database *database, Diagnostics &diags) {
  if (result.failure) {
    Diagnostic warning = *result.failure;
    warning.severity = Severity::Warning;
    warning.addNote({}, "kernel '" + result.outcome.kernel + "' (" + result.outcome.sizeName +
                            ") is left out on " + result.device.name);
    diags.emit(std::move(warning));
    return;
  }
  if (database && !result.kept)
    if (Status stored = database->store(result.outcome); !stored)
      diags.emit(stored.takeFailure().diagnostic);
}

/// What the database has to say before the run.
Status askDatabase(Database &database, const TuneOptions &options, RunPlan &plan) {
  Result<std::vector<KnownBad>> bad = database.allKnownBad();
  if (!bad)
    return bad.takeFailure();
  plan.knownBad = std::move(*bad);
  if (!options.keepCurrent)
    return success();
  Result<std::vector<StoredWinner>> stored = database.all();
  if (!stored)
    return stored.takeFailure();
  plan.stored = std::move(*stored);
  return success();
}

} // namespace

void DirectSink::devices(const std::vector<vulkan::DeviceInfo> &devices) {
  for (const vulkan::DeviceInfo &device : devices) {
    if (!noted.insert(device.key()).second)
      continue;
    for (const Quirk *quirk : quirksOf(device))
      if (!forbidsVariants(*quirk)) {
        Diagnostic note = Diagnostic::warning({}, device.name + " has the fault ");
        note.severity = Severity::Note;
        note.text += sentenceOf(*quirk);
        diags.emit(std::move(note));
      }
  }
}

Result<TuneReport> tune(const std::vector<Bundle> &bundles, std::span<const Workload> workloads,
                        const TuneOptions &options, Diagnostics &diags, Progress &progress) {
  Result<RunPlan> plan = RunPlan::make(bundles, workloads, options, diags);
  if (!plan)
    return plan.takeFailure();
  std::unique_ptr<Database> database;
  const bool isNew = !options.database.empty() && !fileExists(options.database);
  if (!options.database.empty()) {
    Result<std::unique_ptr<Database>> opened =
        Database::open(options.database, Database::Mode::Create);
    if (!opened)
      return opened.takeFailure();
    database = std::move(*opened);
    if (Status known = askDatabase(*database, options, *plan); !known)
      return known.takeFailure();
  }

  TuneReport report{toolName(), options.date, {}};
  DirectSink sink(diags, progress, [&](TuneResult result) {
    finishResult(result, database.get(), diags);
    report.results.push_back(std::move(result));
  });
  const bool isolate = options.isolate && !vulkan::Instance::isAnyAlive();
  Status worked = isolate ? plan->workIsolated(sink) : plan->work({}, sink);
  progress.finish();
  if (!worked && isNew && report.results.empty()) { // there was nothing to keep in it
    database.reset();
    std::error_code ignored;
    std::filesystem::remove(options.database, ignored);
  }
  if (!worked)
    return worked.takeFailure();
  bool any = std::any_of(report.results.begin(), report.results.end(),
                         [](const TuneResult &result) { return !result.failure; });
  if (!any)
    return failure(*report.results.front().failure);
  return report;
}

} // namespace tailor
