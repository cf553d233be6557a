//===- Tuning/SiteTuner.cpp ------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/SiteTuner.h"

#include "Vulkan/Compare.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace tailor {

using vulkan::MeasureState;
using vulkan::PipelineId;

namespace {

/// A candidate this much slower than the best after its first round is not
/// timed again: more rounds could not make it the winner.
constexpr double kHopeless = 1.5;
/// Budgets that the first round may take before candidates go without a turn.
constexpr double kPatience = 2;
/// A device that is lost this often is given up.
constexpr unsigned kMaxRevivals = 4;

} // namespace

SiteTuner::SiteTuner(const Input &input, Diagnostics &sink, Progress &shown)
    : in(input), diags(sink), progress(shown) {
  result.device = in.device;
  StoredWinner &outcome = result.outcome;
  outcome.key = {in.kernel.sourceHash, variantSetHash(in.bundle, in.kernel), in.size.hash(),
                 in.device.key()};
  outcome.kernel = in.kernel.name;
  outcome.entryPoint = in.kernel.entryPoint;
  outcome.sizeName = in.size.name;
  outcome.deviceName = in.device.name;
  outcome.groups = in.size.groupsFor(in.kernel.authoredSize);
  outcome.authoredSize = in.kernel.authoredSize;
  outcome.tool = toolName();
  outcome.date = in.options.date;
  for (const VariantInfo &variant : in.kernel.variants) {
    outcome.candidates.push_back(
        {variant.id, variant.localSize, CandidateState::LeftOut, "", 0, 0, 0, false});
    result.origins.push_back({variant.technique, variant.evidence});
  }
}

void SiteTuner::say(const std::string &detail) {
  progress.update(in.kernel.name + " (" + in.size.name + ") on " + in.device.name, detail);
}

TuneResult SiteTuner::run() {
  say("preparing");
  auto fail = [&](Failure failed) {
    result.failure = std::move(failed.diagnostic);
    return std::move(result);
  };
  Result<Selection> selected =
      selectVariants({in.bundle, in.kernel, in.reflection, in.size, in.instance, in.device.limits});
  if (!selected)
    return fail(selected.takeFailure());
  selection = std::move(*selected);
  for (const LeftOutVariant &left : selection.leftOut)
    result.outcome.candidates[left.variant].why = left.why;
  for (const SelectedVariant &chosen : selection.selected) {
    Entry entry;
    entry.variant = &in.kernel.variants[chosen.variant];
    entry.candidate = &chosen.candidate;
    entry.stored = chosen.variant;
    entries.push_back(std::move(entry));
  }

  if (Status opened = openDevice(); !opened)
    return fail(opened.takeFailure());
  if (Status ran = runAuthored(); !ran)
    return fail(ran.takeFailure());
  verifyVariants();
  if (Status measured = measure(); !measured)
    return fail(measured.takeFailure());
  if (Status chosen = choose(); !chosen)
    return fail(chosen.takeFailure());
  return std::move(result);
}

/// Opens the device with a fresh runner, and prepares what is still in the race.
Status SiteTuner::openDevice() {
  runner.reset();
  device.reset();
  Result<std::shared_ptr<vulkan::Device>> opened = vulkan::Device::open(in.vulkan, in.device);
  if (!opened)
    return opened.takeFailure();
  device = std::move(*opened);
  Result<std::unique_ptr<vulkan::Runner>> made =
      vulkan::Runner::create(device, in.instance, in.size.location);
  if (!made)
    return made.takeFailure();
  runner = std::move(*made);
  for (Entry &entry : entries) {
    if (!entry.alive || entry.pipeline == PipelineId{})
      continue; // not prepared before
    Result<PipelineId> prepared = runner->prepare(*entry.candidate);
    if (prepared)
      entry.pipeline = *prepared;
    else
      giveUp(entry, CandidateState::Failed, prepared.diagnostic().text);
  }
  return success();
}

void SiteTuner::giveUp(Entry &entry, CandidateState state, const std::string &why) {
  entry.alive = false;
  StoredCandidate &stored = storedOf(entry);
  stored.state = state;
  stored.why = why;
  stored.verified = stored.verified && state == CandidateState::Dropped;
}

void SiteTuner::wrong(Entry &entry, const std::string &why) {
  giveUp(entry, CandidateState::Wrong, why);
  std::string text = "WRONG RESULT: variant '" + entry.variant->id + "' of kernel '" +
                     in.kernel.name + "' on " + in.device.name + ": " + why;
  progress.line(text);
  if (entry.variant->evidence == Evidence::Proven)
    diags.error(place(), text)
        .addNote({},
                 "the variant is marked as proven (" + entry.variant->why +
                     "): either the proof, the driver or the kernel's own freedom from data "
                     "races is at fault; of floating point that is not 'precise', the last bits "
                     "are the driver's choice");
  else
    diags.warning(place(), text);
}

/// Runs the authored module twice: its outputs are the reference, and a kernel
/// that does not repeat itself can verify nothing.
Status SiteTuner::runAuthored() {
  say("running the authored kernel");
  Entry &authored = entries.front();
  Result<PipelineId> prepared = runner->prepare(*authored.candidate);
  if (!prepared)
    return prepared.takeFailure();
  authored.pipeline = *prepared;
  for (unsigned turn = 0; turn < 2; ++turn) {
    Result<vulkan::RunResult> ran = runner->runOnce(authored.pipeline);
    if (!ran)
      return ran.takeFailure();
    if (!ran->violations.empty())
      return failure(place(), "the authored kernel '" + in.kernel.name +
                                  "' writes outside its resources: " + ran->violations[0].text);
    if (turn == 0) {
      reference = std::move(ran->outputs);
      continue;
    }
    if (std::optional<std::string> why = disagreement(*ran))
      return failure(place(), "the authored kernel '" + in.kernel.name +
                                  "' gives another result on its second run: " + *why +
                                  "; give the workload a tolerance in 'compare'");
  }
  storedOf(authored).verified = true;
  return success();
}

std::optional<std::string> SiteTuner::disagreement(const vulkan::RunResult &ran) const {
  if (!ran.violations.empty())
    return ran.violations[0].text;
  if (ran.outputs.size() != reference.size())
    return "it has another number of outputs";
  for (size_t i = 0; i < ran.outputs.size(); ++i) {
    // Resources stand in the order of the workload's bindings.
    const WorkloadBinding &binding = in.size.bindings[reference[i].resource];
    Result<vulkan::Comparison> compared =
        vulkan::compare(reference[i].bytes, ran.outputs[i].bytes, binding.compare);
    if (!compared)
      return compared.diagnostic().text;
    if (!compared->equal())
      return binding.desc.str() + ": " + compared->str();
  }
  return std::nullopt;
}

void SiteTuner::verifyVariants() {
  unsigned revivals = 0;
  for (size_t i = 1; i < entries.size(); ++i) {
    say("verifying " + std::to_string(i) + " of " + std::to_string(entries.size() - 1) + ", " +
        entries[i].variant->id);
    verifyVariant(entries[i]);
    if (!device->lost())
      continue;
    bool again = ++revivals <= kMaxRevivals;
    if (again && openDevice())
      continue;
    for (size_t rest = i + 1; rest < entries.size(); ++rest)
      giveUp(entries[rest], CandidateState::Failed, "the device was lost and did not come back");
    return;
  }
}

void SiteTuner::verifyVariant(Entry &entry) {
  Result<PipelineId> prepared = runner->prepare(*entry.candidate);
  if (!prepared)
    return giveUp(entry, CandidateState::Failed, prepared.diagnostic().text);
  entry.pipeline = *prepared;
  Result<vulkan::RunResult> ran = runner->runOnce(entry.pipeline);
  if (!ran)
    return giveUp(entry, CandidateState::Failed, ran.diagnostic().text);
  if (std::optional<std::string> why = disagreement(*ran))
    return wrong(entry, *why);
  storedOf(entry).verified = true;
}

/// Times every candidate that is alive; one that loses the device is given up
/// and the others are timed again.
Status SiteTuner::measure() {
  for (unsigned attempt = 0; attempt <= kMaxRevivals; ++attempt) {
    std::vector<size_t> turn;
    for (size_t i = 0; i < entries.size(); ++i)
      if (entries[i].alive)
        turn.push_back(i);
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
      giveUp(entry, CandidateState::Failed, entry.measurement.why);
      break; // those after it failed only because the device was gone
    }
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
  double budget = in.options.budgetSeconds;
  vulkan::MeasureOptions options = measureOptionsFor(in.device, budget, turn.size());
  if (in.options.adjustMeasuring)
    in.options.adjustMeasuring(options);

  auto start = std::chrono::steady_clock::now();
  double best = 0;
  bool timedAuthored = false;
  auto watch = [&](const vulkan::MeasureProgress &seen) {
    say("measuring " + std::to_string(seen.done) + " of " + std::to_string(seen.total));
    std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    const vulkan::Measurement *latest = seen.latest;
    timedAuthored |= latest && latest->pipeline == entries[0].pipeline;
    // Every candidate should have its turn once; far over the budget, not even that.
    bool over = spent.count() > (seen.done >= turn.size() ? budget : kPatience * budget);
    if (budget > 0 && over && timedAuthored)
      return vulkan::Verdict::Stop;
    if (!latest || latest->timeNs <= 0)
      return vulkan::Verdict::Continue;
    if (best == 0 || latest->timeNs < best)
      best = latest->timeNs;
    bool authored = latest->pipeline == entries[0].pipeline;
    bool hopeless = !authored && latest->timeNs > kHopeless * best;
    return hopeless ? vulkan::Verdict::Drop : vulkan::Verdict::Continue;
  };
  Result<vulkan::MeasureReport> report = runner->measure(pipelines, options, 0, watch);
  if (!report)
    return report.takeFailure();
  result.hostClock = report->hostClock;
  stopped = report->stopped;
  for (size_t i = 0; i < turn.size() && i < report->candidates.size(); ++i)
    entries[turn[i]].measurement = std::move(report->candidates[i]);
  return success();
}

/// Verifies a candidate again, on the device that is hot now.
bool SiteTuner::reverify(Entry &entry) {
  Result<vulkan::RunResult> ran = runner->runOnce(entry.pipeline);
  if (!ran) {
    giveUp(entry, CandidateState::Failed, ran.diagnostic().text);
    return false;
  }
  if (std::optional<std::string> why = disagreement(*ran)) {
    wrong(entry, "after measuring, " + *why);
    return false;
  }
  outputs = std::move(ran->outputs);
  return true;
}

Status SiteTuner::choose() {
  say("choosing");
  for (Entry &entry : entries) {
    if (!entry.alive)
      continue;
    const vulkan::Measurement &measured = entry.measurement;
    StoredCandidate &stored = storedOf(entry);
    stored.medianNs = measured.timeNs;
    stored.spread = measured.fastest ? measured.noise() : measured.spread;
    stored.samples = static_cast<uint32_t>(measured.samplesNs.size());
    stored.state = CandidateState::Measured;
    bool timed = measured.state == MeasureState::Measured && measured.timeNs > 0;
    if (timed)
      continue;
    if (&entry == &entries.front())
      return failure(place(),
                     "the authored kernel '" + in.kernel.name +
                         "' could not be timed: " + measured.why,
                     ErrorKind::Environment);
    bool dropped =
        measured.state == MeasureState::NotReached || measured.state == MeasureState::Skipped;
    std::string why = measured.why.empty() ? "it gave no time" : measured.why;
    if (measured.state == MeasureState::NotReached && stopped)
      why = "the budget ended before its turn";
    giveUp(entry, dropped ? CandidateState::Dropped : CandidateState::Failed, why);
  }
  StoredWinner &outcome = result.outcome;
  while (true) {
    std::vector<CandidateTime> times;
    std::vector<size_t> index;
    for (size_t i = 0; i < entries.size(); ++i) {
      const vulkan::Measurement &measured = entries[i].measurement;
      if (!entries[i].alive)
        continue;
      // Where the fastest sample counts, the spread of the slower ones says nothing about it.
      bool fastest = measured.fastest;
      times.push_back({entries[i].variant->id, measured.timeNs, fastest ? 0 : measured.spread,
                       fastest
                           ? measured.noise()
                           : std::max(measured.roundDisagreement, std::fabs(measured.clockDrift)),
                       entries[i].variant->evidence, storedOf(entries[i]).verified});
      index.push_back(i);
    }
    Choice choice = chooseWinner(times, 0);
    Entry &winner = entries[index[choice.index]];
    result.noise = choice.noise;
    result.tie = choice.tie;
    if (!reverify(winner)) {
      if (index[choice.index] == 0)
        return failure(place(), "the authored kernel '" + in.kernel.name +
                                    "' gave another result after measuring");
      continue;
    }
    const StoredCandidate &stored = storedOf(winner), &authored = storedOf(entries.front());
    outcome.winnerId = stored.variantId;
    outcome.winnerSize = stored.localSize;
    outcome.winnerNs = stored.medianNs;
    outcome.winnerSpread = stored.spread;
    outcome.samples = stored.samples;
    outcome.authoredNs = authored.medianNs;
    outcome.authoredSpread = authored.spread;
    outcome.ratio = stored.medianNs > 0 ? authored.medianNs / stored.medianNs : 1;
    outcome.verified = true;
    return success();
  }
}

} // namespace tailor
