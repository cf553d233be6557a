//===- Tuning/SiteChecks.cpp - Running variants and comparing ------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/SiteTuner.h"
#include "Vulkan/Compare.h"

#include <algorithm>
#include <cstdio>

namespace tailor {

using vulkan::PipelineId;

namespace {

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

} // namespace

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
  std::vector<PipelineStatistic> &statistics = storedOf(entry).statistics;
  statistics.clear();
  for (vulkan::PipelineFigure &figure : runner->figuresOf(entry.pipeline))
    statistics.push_back({std::move(figure.name), figure.value});
  if (in.device.isCpu() && !mayWait)
    if (Result<double> tried = runner->tryPart(entry.pipeline, UINT32_MAX); !tried)
      return tried.takeFailure();
  ended();
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
  std::string text = "WRONG RESULT: variant '" + titleOf(storedOf(entry)) + "' of kernel '" +
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
        titleOf(storedOf(entry)));
    if (in.options.budgetSeconds > 0 && spent() > kCheckingShare * in.options.budgetSeconds)
      giveUp(entry, CandidateState::Dropped, CandidateFault::None, std::string(kBudgetEnded));
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
  ended();
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
  ended();
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

} // namespace tailor
