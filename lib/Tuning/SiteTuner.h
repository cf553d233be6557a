//===- Tuning/SiteTuner.h - One kernel, one size, one device --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_SITETUNER_H
#define TAILOR_TUNING_SITETUNER_H

#include "Tuning/Reflect.h"
#include "Tuning/Search.h"
#include "Tuning/Strategy.h"
#include "Tuning/TuneSink.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace tailor {

/// Where the time of a site goes, and how much of it the budget counts: what the driver needs to
/// compile, and what is made before the first candidate, is nobody's fault.
class SiteClock {
public:
  enum class Account : uint8_t { Setup, Compile, Verify, Measure };
  explicit SiteClock(double alreadySpent) : before(alreadySpent) {}
  /// Ends the account that was open; what passes from now on goes to `account`, and to `candidate`
  /// where one is given.
  void open(Account account, StoredCandidate *candidate = nullptr);
  double seconds(Account account) const { return sums[static_cast<size_t>(account)]; }
  double spent(); ///< of the budget
private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point since = Clock::now();
  Account current = Account::Setup;
  StoredCandidate *who = nullptr;
  std::array<double, 4> sums{};
  double before;
};

/// Tunes one kernel at one problem size on one device. A device that is lost on
/// the way is opened again, and the variant that lost it is given up by name.
class SiteTuner {
public:
  struct Input {
    const Bundle &bundle;
    const KernelInfo &kernel;
    const Reflection &reflection;
    const Workload &workload;
    const ProblemSize &size;
    const vulkan::KernelInstance &instance;
    std::shared_ptr<vulkan::Instance> vulkan;
    const vulkan::DeviceInfo &device;
    const TuneOptions &options;
    const std::vector<KnownBad> &knownBad; ///< of all devices
    const TuneResume &resume;              ///< of this site; empty for a new one
  };
  SiteTuner(const Input &input, TuneSink &sink);

  TuneResult run();
  /// The outputs of the winner's last run, one for each output resource.
  const std::vector<vulkan::OutputData> &winnerOutputs() const { return outputs; }

  /// The outcome of a site where nothing is known yet: every candidate is left out.
  static TuneResult emptyResult(const Bundle &bundle, const KernelInfo &kernel,
                                const ProblemSize &size, const vulkan::DeviceInfo &device,
                                const TuneOptions &options);

private:
  /// A device that is lost this often is given up.
  static constexpr unsigned kMaxRevivals = 4;
  /// Of the budget, for all together. The rest is for the winner: its duel and its last runs.
  static constexpr double kRaceShare = 0.7;

  /// A variant under test.
  struct Entry {
    const VariantInfo *variant = nullptr;
    const vulkan::Candidate *candidate = nullptr;
    vulkan::PipelineId pipeline;
    size_t stored = 0;     ///< index into TuneResult::outcome.candidates
    bool alive = true;     ///< may still win
    double runSeconds = 0; ///< of its checked run, on the host's clock; 0: it had none
    vulkan::Measurement measurement;
  };

  size_t storedOf(const SelectedVariant &chosen) const;
  void selectSubgroupSizes();
  void leaveOutKnown();
  Status openDevice();
  Status runAuthored();
  Status prepare(Entry &entry);
  Result<vulkan::RunResult> runChecked(Entry &entry);
  void expect();
  Status search();
  void verifyVariants(const std::vector<size_t> &batch);
  void verifyVariant(Entry &entry);
  bool isTooSlow(Entry &entry);
  Status measure(const std::vector<size_t> &batch);
  Status measureOnce(std::vector<size_t> &turn);
  vulkan::Verdict judge(const vulkan::MeasureProgress &seen, size_t entriesInTurn);
  Status takeMeasurements();
  Status choose();
  Result<bool> winsDuel(Entry &winner);
  void fillWinner(Entry &winner);
  /// Runs the entry and compares: nullopt when it agrees with the authored run.
  std::optional<std::string> disagreement(const vulkan::RunResult &result) const;
  bool reverify(Entry &entry);
  bool reverifyOnce(Entry &entry);
  void wrong(Entry &entry, CandidateFault fault, const std::string &why);
  void giveUp(Entry &entry, CandidateState state, CandidateFault fault, const std::string &why);
  void failed(Entry &entry, const Diagnostic &why);
  StoredCandidate &storedOf(const Entry &entry) { return result.outcome.candidates[entry.stored]; }
  Location place() const { return in.size.location; }
  void say(const std::string &detail);
  /// Says what begins, in the account that it belongs to. `seconds`: see limitFor().
  void begin(TuneStep::Phase phase, const Entry &entry, double seconds);
  /// The step that was begun has come to its end: what follows has time, but if it ends the
  /// process, that step's candidate is still to blame.
  void ended();
  /// After so long a step of a variant counts as hung, by what the same took the authored kernel.
  double limitFor(double authoredSeconds, bool isCounted = true);
  double spent() { return clock.spent(); }
  bool isBudgetOver() {
    return in.options.budgetSeconds > 0 && spent() > kRaceShare * in.options.budgetSeconds;
  }

  Input in;
  TuneSink &sink;
  SiteClock clock;
  TuneResult result;
  Selection selection;
  std::vector<Entry> entries; ///< the authored module first
  std::shared_ptr<vulkan::Device> device;
  std::unique_ptr<vulkan::Runner> runner;
  std::vector<vulkan::OutputData> reference; ///< the authored module's outputs
  std::vector<vulkan::OutputData> outputs;
  double compileSeconds = 0; ///< of the authored module, with the first dispatch on a CPU device
  bool mayWait = true;       ///< workgroups for each other: a part of the grid may not end
  TuneStep lastStep;
  double bestNs = 0; ///< so far, in the measurement that runs
  bool authoredIsTimed = false;
  bool stopped = false; ///< the budget ended the measurement
};

/// Whether workgroups of the kernel can wait for each other at all: it has atomics, volatile or
/// coherent memory, or orders memory that workgroups share. True for a module that cannot be read.
/// (Analysis/Waiting.h finds the loops that do; this is for modules that need not be analysed.)
bool mayWaitForOthers(std::span<const uint32_t> words);

} // namespace tailor

#endif
