//===- Vulkan/Measure.cpp - Which candidate is timed when ---------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Vulkan/LoadMeter.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <set>

namespace tailor::vulkan {

double median(std::span<const double> values) {
  if (values.empty())
    return 0;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  size_t half = sorted.size() / 2;
  return sorted.size() % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

double relativeSpread(std::span<const double> values) {
  if (values.size() < 2)
    return 0;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  auto at = [&](double fraction) {
    double place = fraction * static_cast<double>(sorted.size() - 1);
    auto below = static_cast<size_t>(place);
    size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
  };
  double middle = at(0.5);
  return middle > 0 ? (at(0.75) - at(0.25)) / middle : 0;
}

double Measurement::noise() const {
  return fastest ? roundDisagreement : std::max({spread, roundDisagreement, std::fabs(clockDrift)});
}

MeasureOptions MeasureOptions::forDevice(const DeviceInfo &info) {
  MeasureOptions options;
  if (info.isCpu()) {
    options.minLoadTime = 0.01;
    options.stableTime = 0.01;
    options.submissionTime = 0.005;
    options.warmUpBudget = 0.2;
    options.turnLoadTime = options.turnStableTime = 0; // its clock does not wait for load
    options.turnSubmissionTime = 0.002;
    options.candidateBudget = 0.2;
    options.turnTime = 0.03;
    options.referenceBetween = false; // for the fastest sample it says nothing
    options.fastest = true;
    options.rounds = options.moreRounds = 4;
    options.maxDispatchTime = 5;
    options.hangTimeout = 120;
    options.samples = 15;
  }
  return options;
}

namespace {

/// What was seen of a warm device says nothing after so many seconds.
constexpr double kForgotten = 10;
/// Spans of such a reading.
constexpr uint32_t kReferenceSamples = 5;
/// Spans that a round takes even when the budget is gone.
constexpr uint32_t kFewestSamples = 3;

std::string textOf(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", seconds);
  return text;
}

class Measurer {
public:
  Measurer(Runner::Impl &owner, const MeasureOptions &with, size_t referenceIndex)
      : runner(owner), options(with), reference(referenceIndex) {}

  Status check(std::span<const PipelineId> pipelines);
  Result<MeasureReport> run(std::span<const PipelineId> pipelines,
                            const ProgressFunction &progress);

private:
  struct Entry {
    Prepared *prepared = nullptr;
    double estimateNs = 0;
    bool active = true; ///< still to be measured
    /// Position in the report's referenceMediansNs, one a round; none: not read.
    std::vector<std::optional<size_t>> readings;
    std::vector<double> roundMinimaNs;
  };

  void announce(size_t index) const;
  void probeAll();
  Status warmUp();
  LoadBudget turnLoad() const;
  std::vector<size_t> orderOf(uint32_t round) const;
  std::vector<size_t> uncertain() const;
  bool turn(size_t index, MeasureProgress &state, const ProgressFunction &progress);
  Status measureOne(size_t index);
  Status readReference(size_t after);
  void fail(size_t index, const Diagnostic &diagnostic);
  void finish(size_t index);
  void finishDrift();
  bool lost() const { return runner.device->lost(); }
  uint32_t samplesFor(double dispatchNs) const;

  Runner::Impl &runner;
  MeasureOptions options;
  size_t reference;
  std::unique_ptr<LoadMeter> meter;
  bool cold = false; ///< the reference has become slower: the next candidate gets the full load
  std::vector<Entry> entries; ///< parallel to report.candidates
  MeasureReport report;
};

Status Measurer::check(std::span<const PipelineId> pipelines) {
  auto wrong = [](const std::string &text) { return failure({}, text, ErrorKind::Internal); };
  if (pipelines.empty() || reference >= pipelines.size())
    return wrong("measuring needs at least one candidate and a reference among them");
  if (options.samples == 0 || options.rounds == 0)
    return wrong("measuring needs at least one sample and one round");
  std::set<uint32_t> seen;
  for (PipelineId id : pipelines)
    if (!runner.find(id) || !seen.insert(id.index).second)
      return wrong("a pipeline to measure is not prepared, or is given twice");
  return success();
}

/// A candidate's end: the driver's words, under its name.
void Measurer::fail(size_t index, const Diagnostic &diagnostic) {
  entries[index].active = false;
  report.candidates[index].state = MeasureState::Failed;
  report.candidates[index].why = diagnostic.text;
}

/// Loads and samples take a few times what they are meant to on a device that others use; nothing
/// takes longer but what hangs.
void Measurer::announce(size_t index) const {
  if (!options.starting)
    return;
  const double dispatch = std::min(entries[index].estimateNs * 1e-9, options.maxDispatchTime);
  const double known = dispatch > 0 ? dispatch : options.maxDispatchTime;
  options.starting(report.candidates[index].pipeline,
                   5 + 4 * (options.warmUpBudget + options.candidateBudget) +
                       4 * known * (options.samples + 4));
}

/// The first dispatch of each candidate is discarded: drivers compile late. The
/// second gives the first estimate, and shows the ones that would take too long.
void Measurer::probeAll() {
  for (size_t i = 0; i != entries.size() && !lost(); ++i) {
    Entry &entry = entries[i];
    double limitNs = options.maxDispatchTime * 1e9;
    if (entry.prepared->dispatchNs > 0 && entry.prepared->dispatchNs <= limitNs) {
      entry.estimateNs = entry.prepared->dispatchNs; // timed before
      continue;
    }
    announce(i);
    auto first = meter->probe(*entry.prepared);
    auto second = first && *first <= 2 * limitNs ? meter->probe(*entry.prepared) : first;
    if (!first || !second) {
      fail(i, first ? second.diagnostic() : first.diagnostic());
      continue;
    }
    entry.estimateNs = *second;
    if (*second <= limitNs)
      continue;
    entry.active = false;
    report.candidates[i].state = MeasureState::Skipped;
    report.candidates[i].why = "one dispatch takes " + textOf(*second * 1e-9) +
                               " s, more than the " + textOf(options.maxDispatchTime) +
                               " s allowed";
  }
}

LoadBudget Measurer::turnLoad() const {
  return {options.turnLoadTime, options.turnStableTime, options.candidateBudget,
          options.turnSubmissionTime};
}

/// Runs the reference until the device's clock stands where load takes it. The reference's own time
/// is the thermometer: where it is what it was on the warm device, a moment is enough.
Status Measurer::warmUp() {
  Entry &entry = entries[reference];
  if (!entry.active)
    return success();
  announce(reference);
  using Clock = std::chrono::steady_clock;
  std::optional<Runner::Impl::WarmMark> &known = runner.warm;
  auto age = [&] { return std::chrono::duration<double>(Clock::now() - known->seen).count(); };
  if (known && known->pipeline == entry.prepared && age() < kForgotten) {
    auto load = meter->load(*entry.prepared, entry.estimateNs, turnLoad());
    if (!load)
      return load.takeFailure();
    report.warmUpSeconds += load->seconds;
    report.foundWarm =
        load->dispatchNs > 0 && load->dispatchNs <= known->dispatchNs * (1 + options.warmTolerance);
    if (report.foundWarm) {
      known->seen = Clock::now();
      known->dispatchNs = std::min(known->dispatchNs, load->dispatchNs);
      return success();
    }
  }
  auto load = meter->load(
      *entry.prepared, entry.estimateNs,
      {options.minLoadTime, options.stableTime, options.warmUpBudget, options.submissionTime});
  if (!load)
    return load.takeFailure();
  report.warmUpSeconds += load->seconds;
  if (load->dispatchNs > 0) {
    entry.estimateNs = load->dispatchNs;
    known = Runner::Impl::WarmMark{entry.prepared, load->dispatchNs, Clock::now()};
  }
  return success();
}

/// Forwards, backwards, then the same from another start.
std::vector<size_t> Measurer::orderOf(uint32_t round) const {
  std::vector<size_t> order(entries.size());
  std::iota(order.begin(), order.end(), size_t{0});
  size_t start = (round / 2) * std::max<size_t>(order.size() / 3, 1) % order.size();
  std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(start), order.end());
  if (round % 2)
    std::reverse(order.begin(), order.end());
  return order;
}

/// Those that another round can make surer, and that may matter.
std::vector<size_t> Measurer::uncertain() const {
  constexpr double kNear = 1.05;
  std::vector<size_t> list;
  const double reach = kNear * report.candidates[reference].timeNs;
  for (size_t i = 0; options.fastest && i != entries.size(); ++i) {
    const Measurement &m = report.candidates[i];
    if (entries[i].active && m.timeNs > 0 && m.timeNs <= reach && m.noise() > options.precision)
      list.push_back(i);
  }
  return list;
}

uint32_t Measurer::samplesFor(double dispatchNs) const {
  auto within = [&](double seconds, uint32_t fewest) {
    const double fit = seconds * 1e9 / std::max(dispatchNs, 1.0);
    return fit >= options.samples ? options.samples : std::max(static_cast<uint32_t>(fit), fewest);
  };
  return std::min({options.samples, within(options.turnTime, options.fewestSamples),
                   within(options.candidateBudget, kFewestSamples)});
}

Status Measurer::measureOne(size_t index) {
  Entry &entry = entries[index];
  Measurement &result = report.candidates[index];
  LoadBudget budget = turnLoad();
  if (cold)
    budget = {options.minLoadTime, options.stableTime, options.warmUpBudget,
              options.submissionTime};
  cold = false;
  auto load = meter->load(*entry.prepared, entry.estimateNs, budget);
  if (!load)
    return load.takeFailure();
  if (load->dispatchNs > 0)
    entry.estimateNs = entry.prepared->dispatchNs = load->dispatchNs;
  auto set = meter->time(*entry.prepared, entry.estimateNs, samplesFor(entry.estimateNs));
  if (!set)
    return set.takeFailure();
  result.loadSeconds += load->seconds;
  result.stable = result.stable && load->stable;
  result.repeats = std::max(result.repeats, set->repeats);
  result.rejectedSpans += set->rejected;
  if (set->samplesNs.empty())
    return failure({}, "every one of " + std::to_string(set->rejected) +
                           " timestamp pairs is zero or runs backwards");
  result.samplesNs.insert(result.samplesNs.end(), set->samplesNs.begin(), set->samplesNs.end());
  result.roundMediansNs.push_back(median(set->samplesNs));
  result.roundSamples.push_back(static_cast<uint32_t>(set->samplesNs.size()));
  entry.roundMinimaNs.push_back(*std::min_element(set->samplesNs.begin(), set->samplesNs.end()));
  result.spread = std::max(result.spread, relativeSpread(set->samplesNs));
  return success();
}

/// How the clock stands just after a candidate.
Status Measurer::readReference(size_t after) {
  if (after == reference) {
    report.referenceMediansNs.push_back(report.candidates[after].roundMediansNs.back());
  } else {
    Entry &entry = entries[reference];
    announce(reference);
    const double load = options.turnLoadTime / 2;
    auto loaded =
        meter->load(*entry.prepared, entry.estimateNs, {load, 0, load, options.turnSubmissionTime});
    if (!loaded)
      return loaded.takeFailure();
    uint32_t samples = std::min(kReferenceSamples, samplesFor(entry.estimateNs));
    auto set = meter->time(*entry.prepared, entry.estimateNs, samples);
    if (!set)
      return set.takeFailure();
    if (set->samplesNs.empty()) {
      entries[after].readings.emplace_back(std::nullopt);
      return success();
    }
    report.referenceMediansNs.push_back(median(set->samplesNs));
  }
  entries[after].readings.emplace_back(report.referenceMediansNs.size() - 1);
  const std::vector<double> &seen = report.referenceMediansNs;
  cold = !options.fastest && seen.back() > seen.front() * (1 + options.warmTolerance);
  return success();
}

void Measurer::finish(size_t index) {
  Measurement &m = report.candidates[index];
  if (m.roundMediansNs.empty())
    return;
  m.state = MeasureState::Measured;
  m.why.clear();
  m.medianNs = median(m.samplesNs);
  m.minNs = *std::min_element(m.samplesNs.begin(), m.samplesNs.end());
  m.fastest = options.fastest;
  m.timeNs = options.fastest ? m.minNs : m.medianNs;
  std::vector<double> rounds = options.fastest ? entries[index].roundMinimaNs : m.roundMediansNs;
  std::sort(rounds.begin(), rounds.end());
  double high = options.fastest && rounds.size() > 1 ? rounds[1] : rounds.back();
  m.roundDisagreement = high / rounds.front() - 1;
}

void Measurer::finishDrift() {
  double all = median(report.referenceMediansNs);
  if (all <= 0)
    return;
  for (size_t i = 0; i != entries.size(); ++i)
    for (std::optional<size_t> reading : entries[i].readings) {
      double drift = reading ? report.referenceMediansNs[*reading] / all - 1 : 0;
      if (std::fabs(drift) > std::fabs(report.candidates[i].clockDrift))
        report.candidates[i].clockDrift = drift;
    }
}

/// A candidate's turn in a round; false: there is no other.
bool Measurer::turn(size_t index, MeasureProgress &state, const ProgressFunction &progress) {
  if (lost() || report.stopped)
    return false;
  ++state.done;
  if (entries[index].active) {
    announce(index);
    if (Status done = measureOne(index); !done)
      fail(index, done.diagnostic());
    else
      finish(index);
  }
  if (entries[index].active && options.referenceBetween && entries[reference].active)
    if (Status read = readReference(index); !read)
      fail(reference, read.diagnostic());
  state.latest = &report.candidates[index];
  Verdict verdict = progress ? progress(state) : Verdict::Continue;
  report.stopped = verdict == Verdict::Stop;
  if (verdict == Verdict::Drop)
    entries[index].active = false;
  return true;
}

Result<MeasureReport> Measurer::run(std::span<const PipelineId> pipelines,
                                    const ProgressFunction &progress) {
  for (PipelineId id : pipelines) {
    Entry &entry = entries.emplace_back();
    entry.prepared = runner.find(id);
    Measurement &result = report.candidates.emplace_back();
    result.pipeline = id;
    result.name = entry.prepared->name;
    result.why = "its turn did not come";
  }
  auto made = LoadMeter::create(runner, options);
  if (!made)
    return made.takeFailure();
  meter = *std::move(made);
  report.hostClock = meter->usesHostClock();
  probeAll();
  if (!lost())
    if (Status warm = warmUp(); !warm)
      fail(reference, warm.diagnostic());
  MeasureProgress state;
  state.rounds = options.rounds;
  state.total = entries.size() * options.rounds;
  for (; state.round != options.rounds && !report.stopped; ++state.round)
    for (size_t index : orderOf(state.round))
      if (!turn(index, state, progress))
        break;
  for (uint32_t more = 0; more != options.moreRounds && !report.stopped; ++more, ++state.round) {
    const std::vector<size_t> again = uncertain();
    state.total += again.size();
    for (size_t index : again)
      if (!turn(index, state, progress))
        break;
  }
  if (!lost())
    if (Status drained = meter->drain(); !drained)
      return drained.takeFailure();
  finishDrift();
  report.clockStepNs = meter->clockStepNs();
  return std::move(report);
}

} // namespace

Result<MeasureReport> Runner::measure(std::span<const PipelineId> pipelines,
                                      const MeasureOptions &options, size_t reference,
                                      const ProgressFunction &progress) {
  Measurer measurer(*state, options, reference);
  if (Status sensible = measurer.check(pipelines); !sensible)
    return sensible.takeFailure();
  if (state->device->lost())
    return failure({}, "device '" + state->device->info().name + "' was lost before",
                   ErrorKind::Environment);
  return measurer.run(pipelines, progress);
}

} // namespace tailor::vulkan
