//===- Tuning/SiteTuner.cpp ------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/SiteTuner.h"

#include "Support/Hash.h"
#include "Tuning/Expectation.h"
#include "Tuning/KnownDevice.h"
#include "Tuning/Lookup.h"
#include "Tuning/Statistics.h"
#include "Vulkan/Compare.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

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
/// A step of a variant counts as hung when it takes so many times what it took the authored kernel,
/// and no less than so many seconds.
constexpr double kSlowest = 20, kLeastLimit = 1;
/// With a budget, no step may take more of it, but for what is too short to say anything.
constexpr double kLargestShare = 0.25, kShortestLimit = 0.2;
/// For what has nothing to be compared with.
constexpr double kPatientSeconds = 600;
/// No more of it goes to checking, so that what was checked is timed.
constexpr double kCheckingShare = 0.5;
/// Kernels whose dispatch is longer are first tried on a part of the grid.
constexpr double kWorthAnEstimate = 0.01;
constexpr uint32_t kParts = 64;
/// The winner is run and compared so often, within a time and a share of the budget.
constexpr unsigned kLastRuns = 100, kFewestLastRuns = 2;
constexpr double kLastRunShare = 0.1;
/// Winner and authored kernel against each other: turns of each, and seconds for all.
constexpr unsigned kDuelRounds = 6;
constexpr double kDuelSeconds = 0.6;

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

TuneResult SiteTuner::emptyResult(const Bundle &bundle, const KernelInfo &kernel,
                                  const ProblemSize &size, const vulkan::DeviceInfo &device,
                                  const TuneOptions &options) {
  TuneResult result;
  result.device = device;
  StoredWinner &outcome = result.outcome;
  outcome.key = {kernel.sourceHash, variantSetHash(bundle, kernel), size.hash(), device.key()};
  outcome.kernel = kernel.name;
  outcome.entryPoint = kernel.entryPoint;
  outcome.sizeName = size.name;
  outcome.deviceName = device.name;
  outcome.groups = size.groupsFor(kernel.authoredSize);
  outcome.authoredSize = kernel.authoredSize;
  outcome.tool = toolName();
  outcome.date = options.date;
  outcome.search.budgetSeconds = options.budgetSeconds;
  if (std::optional<DeviceParts> parts = parseDeviceKey(outcome.key.deviceKey)) {
    DeviceFamily family = recognizeDevice(*parts);
    outcome.vendor = std::move(family.vendor);
    outcome.architecture = std::move(family.architecture);
  }
  for (const VariantInfo &variant : kernel.variants) {
    StoredCandidate candidate;
    candidate.variantId = variant.id;
    candidate.localSize = variant.localSize;
    candidate.technique = variant.technique;
    candidate.evidence = nameOf(variant.evidence);
    outcome.candidates.push_back(std::move(candidate));
    result.origins.push_back({variant.technique, variant.evidence});
  }
  return result;
}

SiteTuner::SiteTuner(const Input &input, TuneSink &to)
    : in(input), sink(to), clock(input.resume.spentSeconds),
      result(emptyResult(in.bundle, in.kernel, in.size, in.device, in.options)) {}

void SiteTuner::say(const std::string &detail) {
  sink.stage(in.kernel.name + " (" + in.size.name + ") on " + in.device.name, detail);
}

void SiteTuner::begin(TuneStep::Phase phase, const Entry &entry, double seconds) {
  using enum TuneStep::Phase;
  const bool compiles = phase == Compile, measures = phase == Measure;
  clock.open(phase == Prepare ? SiteClock::Account::Setup
             : compiles       ? SiteClock::Account::Compile
             : measures       ? SiteClock::Account::Measure
                              : SiteClock::Account::Verify,
             phase == Prepare ? nullptr : &storedOf(entry));
  sink.spent(spent());
  lastBegun = entry.stored;
  const TuneStep step{phase, entry.stored, seconds};
  sink.begin(step);
  if (in.options.interfere)
    in.options.interfere(step, entry.variant->id, *device);
}

double SiteTuner::limitFor(double authoredSeconds, bool isCounted) {
  double limit = std::max(kLeastLimit, kSlowest * authoredSeconds);
  if (isCounted && in.options.budgetSeconds > 0)
    limit =
        std::min(limit, std::max(2 * authoredSeconds, kLargestShare * in.options.budgetSeconds));
  return limit;
}

TuneResult SiteTuner::run() {
  say("preparing");
  sink.begin({});
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
    storedOf(entry).moduleHash = sha256Hex(std::span<const uint32_t>(chosen.candidate.words));
    entries.push_back(std::move(entry));
  }
  expect();
  mayWait = mayWaitForOthers(entries.front().candidate->words);
  leaveOutKnown();

  if (Status opened = openDevice(); !opened)
    return fail(opened.takeFailure());
  if (Status ran = runAuthored(); !ran)
    return fail(ran.takeFailure());
  if (Status searched = search(); !searched)
    return fail(searched.takeFailure());
  if (Status taken = takeMeasurements(); !taken)
    return fail(taken.takeFailure());
  if (Status chosen = choose(); !chosen)
    return fail(chosen.takeFailure());
  clock.open(SiteClock::Account::Setup);
  SearchRecord &record = result.outcome.search;
  record.compileSeconds = clock.seconds(SiteClock::Account::Compile);
  record.verifySeconds = clock.seconds(SiteClock::Account::Verify);
  record.measureSeconds = clock.seconds(SiteClock::Account::Measure);
  return std::move(result);
}

/// Asks the cost model of each variant, for strategies, and for the record.
void SiteTuner::expect() {
  const std::vector<Expectation> expected =
      expectationsOf({in.bundle, in.kernel, in.reflection, in.size, in.instance, in.device.limits},
                     selection.selected, profileOf(in.device));
  for (size_t i = 0; i < entries.size() && i < expected.size(); ++i) {
    storedOf(entries[i]).expectedNs = expected[i].estimate.expectedNs;
    storedOf(entries[i]).boundNs = expected[i].estimate.boundNs;
  }
}

/// Has a strategy choose what is checked and timed, batch by batch, until it has enough or the
/// budget is over.
Status SiteTuner::search() {
  std::vector<SearchCandidate> candidates;
  for (const Entry &entry : entries) {
    const StoredCandidate &stored = storedOf(entry);
    candidates.push_back(
        {stored.variantId, stored.technique, stored.localSize, stored.expectedNs, stored.boundNs});
  }
  SearchRecord &record = result.outcome.search;
  record.strategy = in.options.search;
  Result<std::unique_ptr<Strategy>> strategy =
      makeStrategy(in.options.search, candidates, in.options.strategy);
  if (!strategy)
    return strategy.takeFailure();
  std::vector<Observed> observed(entries.size());
  record.ended = "the strategy had enough";
  for (bool first = true;; first = false) {
    for (size_t i = 0; i < entries.size(); ++i) {
      const vulkan::Measurement &measured = entries[i].measurement;
      if (!entries[i].alive)
        observed[i].state = Observed::State::Out;
      else if (measured.state == MeasureState::Measured)
        observed[i] = {Observed::State::Timed, measured.timeNs, measured.noise()};
    }
    std::vector<size_t> batch = (*strategy)->next(observed);
    if (batch.empty() && !first) // the authored kernel is timed, whatever the strategy
      break;
    if (std::find(batch.begin(), batch.end(), size_t{0}) == batch.end())
      batch.insert(batch.begin(), 0);
    verifyVariants(batch);
    if (Status measured = measure(batch); !measured)
      return measured;
    if (stopped || isBudgetOver()) {
      record.ended = "the budget was over";
      break;
    }
  }
  for (Entry &entry : entries)
    if (entry.alive && entry.measurement.state == MeasureState::NotReached &&
        entry.measurement.why.empty())
      giveUp(entry, CandidateState::Dropped, CandidateFault::None,
             stopped || isBudgetOver() ? "the budget ended before its turn"
                                       : "the search did not come to it");
  return success();
}

/// Takes out what went out in a process before this one, and what did harm in an earlier run.
void SiteTuner::leaveOutKnown() {
  for (Entry &entry : entries) {
    StoredCandidate &stored = storedOf(entry);
    if (auto known = in.resume.out.find(entry.stored); known != in.resume.out.end()) {
      const std::string hash = stored.moduleHash;
      stored = known->second;
      stored.moduleHash = hash;
      entry.alive = false;
      continue;
    }
    if (&entry == &entries.front() || in.options.tryKnownBad)
      continue;
    for (const KnownBad &bad : in.knownBad)
      if (bad.moduleHash == stored.moduleHash && bad.deviceKey == result.outcome.key.deviceKey &&
          bad.subgroupSize == entry.candidate->requiredSubgroupSize && bad.tool == toolName())
        giveUp(entry, CandidateState::Failed, bad.fault,
               "it is known to be bad since " + bad.date + " (" + bad.why +
                   "), and not tried again");
  }
}

/// Opens the device with a fresh runner, and prepares what is still in the race.
Status SiteTuner::openDevice() {
  runner.reset();
  device.reset();
  clock.open(SiteClock::Account::Setup);
  sink.begin({});
  Result<std::shared_ptr<vulkan::Device>> opened = vulkan::Device::open(in.vulkan, in.device);
  if (!opened)
    return opened.takeFailure();
  device = std::move(*opened);
  Result<std::unique_ptr<vulkan::Runner>> made =
      vulkan::Runner::create(device, in.instance, in.size.location);
  if (!made)
    return made.takeFailure();
  runner = std::move(*made);
  for (Entry &entry : entries)
    if (entry.alive && !(entry.pipeline == PipelineId{})) // prepared before
      if (Status prepared = prepare(entry); !prepared)
        failed(entry, prepared.diagnostic());
  return success();
}

/// Has the driver compile it; on a CPU device, whose drivers do that when the first workgroup is to
/// run, together with one.
Status SiteTuner::prepare(Entry &entry) {
  const bool authored = &entry == &entries.front();
  begin(TuneStep::Phase::Compile, entry,
        authored ? kPatientSeconds : limitFor(compileSeconds, false));
  Result<PipelineId> prepared = runner->prepare(*entry.candidate);
  if (!prepared)
    return prepared.takeFailure();
  entry.pipeline = *prepared;
  if (in.device.isCpu() && !mayWait)
    if (Result<double> tried = runner->tryPart(entry.pipeline, UINT32_MAX); !tried)
      return tried.takeFailure();
  return success();
}

void SiteTuner::giveUp(Entry &entry, CandidateState state, CandidateFault fault,
                       const std::string &why) {
  entry.alive = false;
  StoredCandidate &stored = storedOf(entry);
  stored.state = state;
  stored.fault = fault;
  stored.why = why;
  stored.verified = stored.verified && state == CandidateState::Dropped;
  sink.out(entry.stored, stored);
}

void SiteTuner::failed(Entry &entry, const Diagnostic &why) {
  giveUp(entry, CandidateState::Failed,
         device->lost() ? CandidateFault::DeviceLost : CandidateFault::Refused, why.text);
}

void SiteTuner::wrong(Entry &entry, CandidateFault fault, const std::string &why) {
  giveUp(entry, CandidateState::Wrong, fault, why);
  std::string text = "WRONG RESULT: variant '" + entry.variant->id + "' of kernel '" +
                     in.kernel.name + "' on " + in.device.name + ": " + why;
  sink.line(text);
  if (entry.variant->evidence != Evidence::Proven)
    return sink.emit(Diagnostic::warning(place(), text));
  sink.emit(Diagnostic::error(place(), text)
                .withNote({}, "the variant is marked as proven (" + entry.variant->why +
                                  "): either the proof, the driver or the kernel's own freedom "
                                  "from data races is at fault; of floating point that is not "
                                  "'precise', the last bits are the driver's choice"));
}

/// Runs the authored module twice: its outputs are the reference, and a kernel
/// that does not repeat itself can verify nothing.
Status SiteTuner::runAuthored() {
  say("running the authored kernel");
  Entry &authored = entries.front();
  const double compiledBefore = storedOf(authored).compileSeconds;
  if (Status prepared = prepare(authored); !prepared)
    return prepared;
  for (unsigned turn = 0; turn < 2; ++turn) {
    begin(TuneStep::Phase::Verify, authored, kPatientSeconds);
    Result<vulkan::RunResult> ran = runChecked(authored);
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
  spent();
  compileSeconds = storedOf(authored).compileSeconds - compiledBefore;
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

void SiteTuner::verifyVariants(const std::vector<size_t> &batch) {
  unsigned revivals = 0;
  for (size_t at = 0; at < batch.size(); ++at) {
    Entry &entry = entries[batch[at]];
    if (!entry.alive || storedOf(entry).verified)
      continue;
    say("verifying " + std::to_string(at) + " of " + std::to_string(batch.size() - 1) + ", " +
        entry.variant->id);
    if (in.options.budgetSeconds > 0 && spent() > kCheckingShare * in.options.budgetSeconds)
      giveUp(entry, CandidateState::Dropped, CandidateFault::None,
             "the budget ended before its turn");
    else
      verifyVariant(entry);
    if (!device->lost())
      continue;
    bool again = ++revivals <= kMaxRevivals;
    if (again && openDevice())
      continue;
    for (size_t rest = at + 1; rest < batch.size(); ++rest)
      giveUp(entries[batch[rest]], CandidateState::Failed, CandidateFault::None,
             "the device was lost and did not come back");
    return;
  }
}

/// Whether a part of the grid says that the whole would take too long; the candidate is out then.
bool SiteTuner::isTooSlow(Entry &entry) {
  const double authored = entries.front().runSeconds;
  if (mayWait || authored < kWorthAnEstimate)
    return false;
  const double limit = limitFor(authored);
  begin(TuneStep::Phase::Estimate, entry, limit);
  Result<double> whole = runner->tryPart(entry.pipeline, kParts);
  if (!whole) {
    failed(entry, whole.diagnostic());
    return true;
  }
  const double seconds = *whole * 1e-9;
  if (seconds <= limit)
    return false;
  char text[160];
  std::snprintf(text, sizeof text,
                "by a part of the grid, a dispatch would take %.3g s, where the authored kernel "
                "takes %.3g s",
                seconds, authored);
  giveUp(entry, CandidateState::Dropped, CandidateFault::TooSlow, text);
  return true;
}

Result<vulkan::RunResult> SiteTuner::runChecked(Entry &entry) {
  const auto start = std::chrono::steady_clock::now();
  Result<vulkan::RunResult> ran = runner->runOnce(entry.pipeline);
  entry.runSeconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (ran && in.options.tamper)
    in.options.tamper(entry.variant->id, *ran);
  return ran;
}

void SiteTuner::verifyVariant(Entry &entry) {
  if (Status prepared = prepare(entry); !prepared)
    return failed(entry, prepared.diagnostic());
  if (isTooSlow(entry))
    return;
  begin(TuneStep::Phase::Verify, entry, limitFor(entries.front().runSeconds));
  Result<vulkan::RunResult> ran = runChecked(entry);
  if (!ran)
    return failed(entry, ran.diagnostic());
  if (std::optional<std::string> why = disagreement(*ran))
    return wrong(
        entry, ran->violations.empty() ? CandidateFault::WrongResult : CandidateFault::WroteOutside,
        *why);
  storedOf(entry).verified = true;
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
        if (i != 0 && entries[i].stored == lastBegun)
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
      in.device, budget > 0 ? std::max(budget - spent(), 0.1 * budget) : 0, turn.size());
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
  if (!report)
    return report.takeFailure();
  result.hostClock = report->hostClock;
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
  const double budget = in.options.budgetSeconds;
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
      why = "the budget ended before its turn";
    giveUp(entry, dropped ? CandidateState::Dropped : CandidateState::Failed,
           measured.state == MeasureState::Skipped ? CandidateFault::TooSlow : CandidateFault::None,
           why);
  }
  return success();
}

bool SiteTuner::reverifyOnce(Entry &entry) {
  const bool authored = &entry == &entries.front();
  begin(TuneStep::Phase::Verify, entry,
        authored ? kPatientSeconds : limitFor(entries.front().runSeconds));
  Result<vulkan::RunResult> ran = runChecked(entry);
  if (!ran) {
    failed(entry, ran.diagnostic());
    return false;
  }
  if (std::optional<std::string> why = disagreement(*ran)) {
    wrong(entry,
          ran->violations.empty() ? CandidateFault::WrongResult : CandidateFault::WroteOutside,
          "after measuring, " + *why);
    return false;
  }
  outputs = std::move(ran->outputs);
  return true;
}

/// Verifies a candidate again, on the device that is hot now, and a winner so often that what is
/// wrong once in a while shows.
bool SiteTuner::reverify(Entry &entry) {
  const bool authored = &entry == &entries.front();
  double allowed = in.options.lastRunsSeconds;
  if (in.options.budgetSeconds > 0)
    allowed = std::min(allowed, kLastRunShare * in.options.budgetSeconds);
  const double end = spent() + allowed;
  for (unsigned turn = 0; turn != (authored ? 1 : kLastRuns); ++turn) {
    if (turn >= kFewestLastRuns && spent() > end)
      break;
    if (!reverifyOnce(entry))
      return false;
  }
  return true;
}

/// Whether the candidate is faster when the two run against each other alone, turn by turn.
Result<bool> SiteTuner::winsDuel(Entry &winner) {
  const Entry &authored = entries.front();
  const std::array<PipelineId, 2> pair{authored.pipeline, winner.pipeline};
  vulkan::MeasureOptions options = measureOptionsFor(in.device, kDuelSeconds, pair.size());
  options.rounds = kDuelRounds;
  options.referenceBetween = false;
  options.starting = [&](PipelineId id, double seconds) {
    begin(TuneStep::Phase::Measure, id == winner.pipeline ? winner : authored, seconds);
  };
  if (in.options.adjustMeasuring)
    in.options.adjustMeasuring(options);
  Result<vulkan::MeasureReport> report = runner->measure(pair, options);
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

void SiteTuner::fillWinner(Entry &winner) {
  StoredWinner &outcome = result.outcome;
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
  outcome.noise = result.noise;
  outcome.tie = result.tie;
  outcome.hostClock = result.hostClock;
}

Status SiteTuner::choose() {
  say("choosing");
  while (true) {
    if (device->lost())
      if (Status opened = openDevice(); !opened)
        return opened;
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
    Entry *winner = &entries[index[choice.index]];
    result.noise = choice.noise;
    result.tie = choice.tie;
    if (winner != &entries.front()) {
      Result<bool> wins = winsDuel(*winner);
      if (!wins)
        return wins.takeFailure();
      if (!winner->alive)
        continue;
      if (!*wins) { // what was seen before does not hold
        winner = &entries.front();
        result.tie = true;
      }
    }
    if (reverify(*winner)) {
      fillWinner(*winner);
      return success();
    }
    if (winner == &entries.front())
      return failure(place(), "the authored kernel '" + in.kernel.name +
                                  "' gave another result after measuring");
  }
}

} // namespace tailor
