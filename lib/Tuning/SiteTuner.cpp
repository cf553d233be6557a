//===- Tuning/SiteTuner.cpp ----------------------------------------------===//
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
#include "Tuning/SubgroupSizes.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tailor {

using vulkan::MeasureState;
using vulkan::PipelineId;

namespace {

/// A step of a variant counts as hung when it takes so many times what it took the authored kernel,
/// and no less than so many seconds.
constexpr double kSlowest = 20, kLeastLimit = 1;
/// With a budget, no step may take more of it, but for what is too short to say anything.
constexpr double kLargestShare = 0.25, kShortestLimit = 0.2;

} // namespace

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
  }
  for (const SubgroupChoice &choice :
       subgroupChoices(bundle, kernel, device, options.requireOnlySubgroupSize)) {
    StoredCandidate candidate = outcome.candidates[choice.variant];
    candidate.subgroupSize = choice.size;
    outcome.candidates.push_back(std::move(candidate));
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
  lastStep = {phase, entry.stored, seconds};
  sink.begin(lastStep);
  if (in.options.interfere)
    in.options.interfere(lastStep, entry.variant->id, *device);
}

void SiteTuner::ended() {
  lastStep.seconds = TuneStep{}.seconds;
  sink.begin(lastStep);
}

double SiteTuner::limitFor(double authoredSeconds, bool isCounted) {
  double limit = std::max(kLeastLimit, kSlowest * authoredSeconds);
  if (isCounted && in.options.budgetSeconds > 0)
    limit = std::min(limit, std::max({kShortestLimit, 2 * authoredSeconds,
                                      kLargestShare * in.options.budgetSeconds}));
  return limit * in.options.patience;
}

TuneResult SiteTuner::run() {
  say("preparing");
  sink.begin({});
  auto fail = [&](Failure failed) {
    result.failure = std::move(failed.diagnostic);
    return std::move(result);
  };
  const std::vector<const Quirk *> quirks = quirksOf(in.device);
  Result<Selection> selected = selectVariants(
      {in.bundle, in.kernel, in.reflection, in.size, in.instance, in.device.limits, quirks});
  if (!selected)
    return fail(selected.takeFailure());
  selection = std::move(*selected);
  for (const LeftOutVariant &left : selection.leftOut)
    result.outcome.candidates[left.variant].why = left.why;
  selectSubgroupSizes();
  for (const SelectedVariant &chosen : selection.selected) {
    Entry entry;
    entry.variant = &in.kernel.variants[chosen.variant];
    entry.candidate = &chosen.candidate;
    entry.stored = storedOf(chosen);
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

/// Where a candidate stands in the outcome: variants in the bundle's order, then those with a
/// required subgroup size.
size_t SiteTuner::storedOf(const SelectedVariant &chosen) const {
  const uint32_t required = chosen.candidate.requiredSubgroupSize;
  const std::string &id = in.kernel.variants[chosen.variant].id;
  size_t at = required == 0 ? chosen.variant : in.kernel.variants.size();
  const std::vector<StoredCandidate> &candidates = result.outcome.candidates;
  while (candidates[at].subgroupSize != required || candidates[at].variantId != id)
    ++at;
  return at;
}

/// Selected variants once more, with the subgroup sizes that they may be asked for.
void SiteTuner::selectSubgroupSizes() {
  std::vector<StoredCandidate> &candidates = result.outcome.candidates;
  std::vector<SelectedVariant> more;
  for (size_t at = in.kernel.variants.size(); at != candidates.size(); ++at) {
    StoredCandidate &stored = candidates[at];
    auto base = std::find_if(selection.selected.begin(), selection.selected.end(),
                             [&](const SelectedVariant &each) {
                               return in.kernel.variants[each.variant].id == stored.variantId;
                             });
    if (base == selection.selected.end()) {
      for (size_t i = 0; i != in.kernel.variants.size(); ++i)
        if (candidates[i].variantId == stored.variantId)
          stored.why = candidates[i].why;
      continue;
    }
    SelectedVariant &chosen = more.emplace_back(*base);
    chosen.candidate.requiredSubgroupSize = stored.subgroupSize;
    chosen.candidate.name = in.kernel.name + "." + titleOf(stored);
  }
  std::move(more.begin(), more.end(), std::back_inserter(selection.selected));
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
    candidates.push_back({stored.variantId, stored.technique, stored.localSize, stored.expectedNs,
                          stored.boundNs, stored.subgroupSize});
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
             std::string(stopped || isBudgetOver() ? kBudgetEnded : kSearchPassed));
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
        // No fault of this run: it is remembered as it was.
        giveUp(entry, CandidateState::Failed, CandidateFault::None,
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

void SiteTuner::fillWinner(Entry &winner) {
  StoredWinner &outcome = result.outcome;
  const StoredCandidate &stored = storedOf(winner), &authored = storedOf(entries.front());
  outcome.winnerId = stored.variantId;
  outcome.winnerSize = stored.localSize;
  outcome.winnerSubgroupSize = stored.subgroupSize;
  outcome.winnerNs = stored.medianNs;
  outcome.winnerSpread = stored.spread;
  outcome.samples = stored.samples;
  outcome.authoredNs = authored.medianNs;
  outcome.authoredSpread = authored.spread;
  outcome.ratio = stored.medianNs > 0 ? authored.medianNs / stored.medianNs : 1;
  outcome.verified = true;
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
    result.outcome.noise = choice.noise;
    result.outcome.tie = choice.tie;
    if (winner != &entries.front()) {
      Result<bool> wins = winsDuel(*winner);
      if (!wins)
        return wins.takeFailure();
      if (!winner->alive)
        continue;
      if (!*wins) { // what was seen before does not hold
        winner = &entries.front();
        result.outcome.tie = true;
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
