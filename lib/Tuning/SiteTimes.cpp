//===- Tuning/SiteTimes.cpp - Timing variants against each other ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/SiteTuner.h"
#include "Tuning/Statistics.h"

#include <algorithm>
#include <array>

namespace tailor {

using vulkan::MeasureState;
using vulkan::PipelineId;

namespace {

/// A candidate this much slower than the best after its first round is not
/// timed again: more rounds could not make it the winner.
constexpr double kHopeless = 1.5;
/// How much more of the race's share of the budget the first round may take before candidates go
/// without a turn.
constexpr double kPatience = 1.25;
/// Winner and authored kernel against each other: turns of each, seconds for all, and of the
/// budget at most.
constexpr unsigned kDuelRounds = 6;
constexpr double kDuelSeconds = 0.6, kDuelShare = 0.15;

} // namespace

void SiteClock::open(Account account, StoredCandidate *candidate) {
  const Clock::time_point now = Clock::now();
  const double passed = std::chrono::duration<double>(now - since).count();
  since = now;
  sums[static_cast<size_t>(current)] += passed;
  if (who)
    (current == Account::Compile  ? who->compileSeconds
     : current == Account::Verify ? who->verifySeconds
                                  : who->measureSeconds) += passed;
  current = account;
  who = candidate;
}

double SiteClock::spent() {
  open(current, who);
  return before + seconds(Account::Verify) + seconds(Account::Measure);
}

/// Times those of a batch that are alive, the authored kernel among them; one that loses the device
/// is given up and the others are timed again.
Status SiteTuner::measure(const std::vector<size_t> &batch) {
  for (unsigned attempt = 0; attempt <= kMaxRevivals; ++attempt) {
    std::vector<size_t> turn;
    for (size_t i : batch)
      if (entries[i].alive)
        turn.push_back(i);
    std::sort(turn.begin(), turn.end());
    if (turn.empty() || turn[0] != 0)
      break;
    if (Status measured = measureOnce(turn); !measured)
      return measured;
    if (!device->lost())
      return success();
    for (size_t i : turn) {
      Entry &entry = entries[i];
      if (entry.measurement.state != MeasureState::Failed)
        continue;
      giveUp(entry, CandidateState::Failed, CandidateFault::DeviceLost, entry.measurement.why);
      break; // those after it failed only because the device was gone
    }
    if (std::none_of(turn.begin(), turn.end(), [&](size_t i) { return !entries[i].alive; }))
      for (size_t i : turn)
        if (i != 0 && entries[i].stored == lastStep.candidate)
          giveUp(entries[i], CandidateState::Failed, CandidateFault::DeviceLost,
                 "the device was lost while it was being measured");
    if (Status opened = openDevice(); !opened)
      return opened;
  }
  return failure(place(), "the device was lost again and again while measuring",
                 ErrorKind::Environment);
}

Status SiteTuner::measureOnce(std::vector<size_t> &turn) {
  std::vector<PipelineId> pipelines;
  pipelines.reserve(turn.size());
  for (size_t i : turn)
    pipelines.push_back(entries[i].pipeline);
  const double budget = in.options.budgetSeconds;
  vulkan::MeasureOptions options = measureOptionsFor(
      in.device, budget > 0 ? std::max(kRaceShare * budget - spent(), 0.1 * budget) : 0,
      turn.size());
  options.starting = [&](PipelineId id, double seconds) {
    for (size_t i : turn)
      if (entries[i].pipeline == id)
        begin(TuneStep::Phase::Measure, entries[i], seconds);
  };
  if (in.options.adjustMeasuring)
    in.options.adjustMeasuring(options);
  bestNs = 0;
  authoredIsTimed = false;
  Result<vulkan::MeasureReport> report =
      runner->measure(pipelines, options, 0, [&](const vulkan::MeasureProgress &seen) {
        return judge(seen, turn.size());
      });
  ended();
  if (!report)
    return report.takeFailure();
  result.outcome.hostClock = report->hostClock;
  stopped = report->stopped;
  // In a later batch the clock may stand otherwise: the authored kernel's time says how.
  const double before = entries[0].measurement.timeNs, now = report->candidates[0].timeNs;
  const double scale = before > 0 && now > 0 ? before / now : 1;
  for (size_t i = before > 0 && now > 0 ? 1 : 0; i < turn.size(); ++i) {
    entries[turn[i]].measurement = std::move(report->candidates[i]);
    entries[turn[i]].measurement.timeNs *= scale;
  }
  return success();
}

/// Whether the measurement goes on, and the candidate that was just timed with it.
vulkan::Verdict SiteTuner::judge(const vulkan::MeasureProgress &seen, size_t entriesInTurn) {
  say("measuring " + std::to_string(seen.done) + " of " + std::to_string(seen.total));
  const vulkan::Measurement *latest = seen.latest;
  const bool isAuthored = latest && latest->pipeline == entries[0].pipeline;
  authoredIsTimed |= isAuthored;
  // Every candidate should have its turn once; far over the budget, not even that.
  const double budget = kRaceShare * in.options.budgetSeconds;
  const bool over = spent() > (seen.done >= entriesInTurn ? budget : kPatience * budget);
  if (budget > 0 && over && authoredIsTimed)
    return vulkan::Verdict::Stop;
  if (!latest || latest->timeNs <= 0)
    return vulkan::Verdict::Continue;
  if (bestNs == 0 || latest->timeNs < bestNs)
    bestNs = latest->timeNs;
  const bool hopeless = !isAuthored && latest->timeNs > kHopeless * bestNs;
  return hopeless ? vulkan::Verdict::Drop : vulkan::Verdict::Continue;
}

/// What was measured, into the outcome; who gave no time is out.
Status SiteTuner::takeMeasurements() {
  for (Entry &entry : entries) {
    if (!entry.alive)
      continue;
    const vulkan::Measurement &measured = entry.measurement;
    StoredCandidate &stored = storedOf(entry);
    stored.medianNs = measured.timeNs;
    stored.spread = measured.fastest ? measured.noise() : measured.spread;
    stored.samples = static_cast<uint32_t>(measured.samplesNs.size());
    stored.state = CandidateState::Measured;
    size_t at = 0;
    for (uint32_t round = 0; round < measured.roundSamples.size(); ++round)
      for (uint32_t left = measured.roundSamples[round]; left != 0; --left)
        stored.times.push_back({measured.samplesNs[at++], round});
    if (measured.state == MeasureState::Measured && measured.timeNs > 0)
      continue;
    if (&entry == &entries.front())
      return failure(place(),
                     "the authored kernel '" + in.kernel.name +
                         "' could not be timed: " + measured.why,
                     ErrorKind::Environment);
    const bool dropped =
        measured.state == MeasureState::NotReached || measured.state == MeasureState::Skipped;
    std::string why = measured.why.empty() ? "it gave no time" : measured.why;
    if (measured.state == MeasureState::NotReached && stopped)
      why = kBudgetEnded;
    giveUp(entry, dropped ? CandidateState::Dropped : CandidateState::Failed,
           measured.state == MeasureState::Skipped ? CandidateFault::TooSlow : CandidateFault::None,
           why);
  }
  return success();
}

/// Whether the candidate is faster when the two run against each other alone, turn by turn.
Result<bool> SiteTuner::winsDuel(Entry &winner) {
  const Entry &authored = entries.front();
  const std::array<PipelineId, 2> pair{authored.pipeline, winner.pipeline};
  double seconds = kDuelSeconds;
  if (in.options.budgetSeconds > 0)
    seconds = std::min(seconds, kDuelShare * in.options.budgetSeconds);
  vulkan::MeasureOptions options = measureOptionsFor(in.device, seconds, pair.size(), kDuelRounds);
  options.referenceBetween = false;
  options.starting = [&](PipelineId id, double limit) {
    begin(TuneStep::Phase::Measure, id == winner.pipeline ? winner : authored, limit);
  };
  if (in.options.adjustMeasuring)
    in.options.adjustMeasuring(options);
  Result<vulkan::MeasureReport> report = runner->measure(pair, options);
  ended();
  if (!report)
    return report.takeFailure();
  const vulkan::Measurement &mine = report->candidates[1], &theirs = report->candidates[0];
  if (mine.state == MeasureState::Failed)
    failed(winner, Diagnostic::error(place(), mine.why));
  if (mine.state != MeasureState::Measured || theirs.state != MeasureState::Measured)
    return false;
  if (mine.fastest)
    return mine.timeNs < theirs.timeNs;
  return gainOf(theirs.roundMediansNs, mine.roundMediansNs).low > 0;
}

} // namespace tailor
