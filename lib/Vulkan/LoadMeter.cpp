//===- Vulkan/LoadMeter.cpp - Keeps a device loaded and times what runs -===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Vulkan/LoadMeter.h"

#include <algorithm>
#include <cmath>

namespace tailor::vulkan {

namespace {

constexpr uint32_t kMaxDispatches = 4096; ///< in one submission of load
constexpr uint32_t kMaxRepeats = 4096;    ///< in one span
/// A span by the host's clock holds a submission, so it must be far longer.
constexpr double kHostMinSpan = 2e-3;

double secondsBetween(std::chrono::steady_clock::time_point from,
                      std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

void writeTimestamp(VkCommandBuffer commands, VkQueryPool queries, uint32_t query) {
  // At the bottom of the pipe: after all that came before, on every driver.
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, query);
}

} // namespace

LoadMeter::LoadMeter(Runner::Impl &owner, const MeasureOptions &with)
    : runner(owner), options(with),
      hostClock(with.hostClock || owner.device->info().limits.timestampValidBits == 0),
      clock(owner.device->info().limits.timestampPeriodNs,
            std::max(owner.device->info().limits.timestampValidBits, 1U)) {}

LoadMeter::~LoadMeter() {
  // Nothing may be destroyed while it is in use; a failure here has been told before.
  if (!runner.gpu().lost)
    (void)drain();
}

Result<LoadMeter::Slot> LoadMeter::makeSlot(uint32_t queryCount) {
  Slot slot;
  auto submitter = Submitter::create(runner.gpu(), runner.pool.get());
  if (!submitter)
    return submitter.takeFailure();
  slot.submitter = *std::move(submitter);
  if (hostClock)
    return slot;
  VkQueryPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = queryCount;
  VkQueryPool queries = VK_NULL_HANDLE;
  VkResult result = vkCreateQueryPool(runner.gpu().device, &info, nullptr, &queries);
  if (result != VK_SUCCESS)
    return runner.gpu().failed("making a query pool", result);
  slot.queries = OwnedQueryPool(runner.gpu(), queries);
  return slot;
}

Result<std::unique_ptr<LoadMeter>> LoadMeter::create(Runner::Impl &runner,
                                                     const MeasureOptions &options) {
  std::unique_ptr<LoadMeter> meter(new LoadMeter(runner, options));
  for (Slot *slot : {&meter->slots[0], &meter->slots[1], &meter->timed}) {
    auto made = meter->makeSlot(slot == &meter->timed ? 2 * options.samples : 2);
    if (!made)
      return made.takeFailure();
    *slot = *std::move(made);
  }
  return meter;
}

Status LoadMeter::acquire(Slot &slot) {
  if (!slot.submitter.pending())
    return success();
  return slot.submitter.wait(options.hangTimeout, "the load");
}

Status LoadMeter::drain() {
  for (Slot *slot : {&slots[0], &slots[1], &timed})
    if (Status done = acquire(*slot); !done)
      return done;
  return success();
}

uint32_t LoadMeter::dispatchesFor(double dispatchNs, double submission) {
  double wanted = submission * 1e9 / std::max(dispatchNs, 1.0);
  return static_cast<uint32_t>(std::clamp(wanted, 1.0, double{kMaxDispatches}));
}

uint32_t LoadMeter::repeatsFor(double dispatchNs) const {
  double span = std::max(options.minSpan * 1e9, options.minSpanSteps * clockStepNs());
  if (hostClock)
    span = std::max(span, kHostMinSpan * 1e9);
  double wanted = std::ceil(span / std::max(dispatchNs, 1.0));
  return static_cast<uint32_t>(std::clamp(wanted, 1.0, double{kMaxRepeats}));
}

Status LoadMeter::recordLoad(Slot &slot, const Prepared &candidate, uint32_t dispatches) {
  auto commands = slot.submitter.begin(/*reusable=*/true);
  if (!commands)
    return commands.takeFailure();
  // By the host's clock the copies would count: they run in a submission of their own.
  if (!hostClock) {
    runner.bindings->restore(*commands);
    vkCmdResetQueryPool(*commands, slot.queries.get(), 0, 2);
  } else {
    fullBarrier(*commands);
  }
  candidate.bind(*commands, *runner.bindings, Ranges::Exact);
  if (!hostClock)
    writeTimestamp(*commands, slot.queries.get(), 0);
  for (uint32_t i = 0; i != dispatches; ++i) {
    if (i != 0)
      dispatchBarrier(*commands);
    candidate.dispatch(*commands);
  }
  if (!hostClock)
    writeTimestamp(*commands, slot.queries.get(), 1);
  slot.dispatches = dispatches;
  return slot.submitter.end();
}

Status LoadMeter::submit(Slot &slot) {
  slot.submitted = Clock::now();
  return slot.submitter.submit("the load");
}

Result<std::vector<uint64_t>> LoadMeter::readTicks(const Slot &slot, uint32_t count) {
  // Pairs of value and availability: a driver that never wrote one gives no span.
  std::vector<uint64_t> raw(size_t{2} * count);
  VkResult result = vkGetQueryPoolResults(
      runner.gpu().device, slot.queries.get(), 0, count, raw.size() * sizeof(uint64_t), raw.data(),
      2 * sizeof(uint64_t), VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
  if (result != VK_SUCCESS && result != VK_NOT_READY)
    return runner.gpu().failed("reading timestamps", result);
  std::vector<uint64_t> ticks(count);
  for (uint32_t i = 0; i != count; ++i)
    ticks[i] = raw[size_t{2} * i + 1] != 0 ? raw[size_t{2} * i] : 0;
  return ticks;
}

Result<std::optional<double>> LoadMeter::finish(Slot &slot) {
  if (Status done = slot.submitter.wait(options.hangTimeout, "the load"); !done)
    return done.takeFailure();
  std::optional<double> span;
  if (hostClock) {
    span = secondsBetween(slot.submitted, Clock::now()) * 1e9;
  } else {
    auto ticks = readTicks(slot, 2);
    if (!ticks)
      return ticks.takeFailure();
    span = clock.spanNs((*ticks)[0], (*ticks)[1]);
  }
  if (span)
    *span /= slot.dispatches;
  return span;
}

Result<double> LoadMeter::probe(const Prepared &candidate) {
  Slot &slot = slots[0];
  if (Status done = drain(); !done)
    return done.takeFailure();
  if (Status done = recordLoad(slot, candidate, 1); !done)
    return done.takeFailure();
  if (Status done = submit(slot); !done)
    return done.takeFailure();
  auto start = slot.submitted;
  auto span = finish(slot);
  if (!span)
    return span.takeFailure();
  // A device without a usable span has at least the host's upper bound.
  return *span ? **span : secondsBetween(start, Clock::now()) * 1e9;
}

Result<LoadResult> LoadMeter::load(const Prepared &candidate, double estimateNs,
                                   const LoadBudget &budget) {
  // By the host's clock only one submission may be in flight, or its time holds the other's. A CPU
  // device does not become slower when it waits.
  unsigned depth = hostClock || options.fastest ? 1 : 2;
  auto start = Clock::now();
  for (unsigned i = 0; i != depth; ++i) {
    Slot &slot = slots[(turn + i) % depth];
    if (Status done = acquire(slot); !done)
      return done.takeFailure();
    if (Status done = recordLoad(slot, candidate, dispatchesFor(estimateNs, budget.submission));
        !done)
      return done.takeFailure();
    if (Status done = submit(slot); !done)
      return done.takeFailure();
  }
  LoadResult result;
  double best = 0;       // at the last improvement
  double improvedAt = 0; // seconds since the start
  while (true) {
    Slot &slot = slots[turn % depth];
    auto span = finish(slot);
    if (!span)
      return span.takeFailure();
    result.seconds = secondsBetween(start, Clock::now());
    if (*span) {
      if (best == 0 || **span < best * (1 - options.stableImprovement)) {
        best = **span;
        improvedAt = result.seconds;
      }
      result.dispatchNs = result.dispatchNs == 0 ? **span : std::min(result.dispatchNs, **span);
    }
    result.stable =
        best != 0 && result.seconds >= std::max(improvedAt, budget.minTime) + budget.stableTime;
    if (result.stable || result.seconds >= budget.budget)
      return result;
    uint32_t wanted = dispatchesFor(*span ? **span : estimateNs, budget.submission);
    if (wanted > slot.dispatches + slot.dispatches / 2 || wanted * 3 < slot.dispatches * 2)
      if (Status done = recordLoad(slot, candidate, wanted); !done)
        return done.takeFailure();
    if (Status done = submit(slot); !done)
      return done.takeFailure();
    turn = (turn + 1) % depth;
  }
}

Status LoadMeter::restoreNow() {
  auto commands = runner.submitter.begin();
  if (!commands)
    return commands.takeFailure();
  runner.bindings->restore(*commands);
  return runner.submitter.endAndRun(options.hangTimeout, "restoring the inputs");
}

Result<TimedSet> LoadMeter::timeByHost(const Prepared &candidate, uint32_t samples,
                                       uint32_t repeats) {
  TimedSet set;
  set.repeats = repeats;
  if (Status done = acquire(slots[0]); !done)
    return done.takeFailure();
  if (Status done = restoreNow(); !done)
    return done.takeFailure();
  if (Status done = recordLoad(slots[0], candidate, repeats); !done)
    return done.takeFailure();
  for (uint32_t i = 0; i != samples + 1; ++i) {
    if (Status done = submit(slots[0]); !done)
      return done.takeFailure();
    auto span = finish(slots[0]);
    if (!span)
      return span.takeFailure();
    if (i != 0) // the first is discarded
      set.samplesNs.push_back(span->value_or(0));
  }
  return set;
}

Result<TimedSet> LoadMeter::timeByDevice(const Prepared &candidate, uint32_t samples,
                                         uint32_t repeats) {
  if (Status done = acquire(timed); !done)
    return done.takeFailure();
  auto commands = timed.submitter.begin();
  if (!commands)
    return commands.takeFailure();
  VkQueryPool queries = timed.queries.get();
  runner.bindings->restore(*commands);
  vkCmdResetQueryPool(*commands, queries, 0, 2 * samples);
  candidate.bind(*commands, *runner.bindings, Ranges::Exact);
  auto span = [&] {
    for (uint32_t k = 0; k != repeats; ++k) {
      if (k != 0)
        dispatchBarrier(*commands);
      candidate.dispatch(*commands);
    }
  };
  span(); // discarded
  for (uint32_t i = 0; i != samples; ++i) {
    dispatchBarrier(*commands);
    writeTimestamp(*commands, queries, 2 * i);
    span();
    writeTimestamp(*commands, queries, 2 * i + 1);
  }
  if (Status done = timed.submitter.end(); !done)
    return done.takeFailure();
  if (Status done = timed.submitter.submit("the timed dispatches"); !done)
    return done.takeFailure();
  // More load behind the timed set: the device stays busy while the host goes on.
  Slot &tail = slots[turn];
  if (!options.fastest && !tail.submitter.pending() && tail.dispatches != 0)
    if (Status done = submit(tail); !done)
      return done.takeFailure();
  if (Status done = timed.submitter.wait(options.hangTimeout, "the timed dispatches"); !done)
    return done.takeFailure();
  auto ticks = readTicks(timed, 2 * samples);
  if (!ticks)
    return ticks.takeFailure();
  TimedSet set;
  set.repeats = repeats;
  for (uint32_t i = 0; i != samples; ++i) {
    std::optional<double> ns = clock.spanNs((*ticks)[2 * i], (*ticks)[2 * i + 1]);
    if (ns)
      set.samplesNs.push_back(*ns / repeats);
    else
      ++set.rejected;
  }
  return set;
}

Result<TimedSet> LoadMeter::time(const Prepared &candidate, double estimateNs, uint32_t samples) {
  uint32_t repeats = repeatsFor(estimateNs);
  if (hostClock)
    return timeByHost(candidate, samples, repeats);
  auto set = timeByDevice(candidate, samples, repeats);
  // Most spans rejected: the clock's step is coarser than was seen. Once more, longer.
  if (set && set->samplesNs.size() * 2 < samples) {
    uint32_t rejected = set->rejected;
    set = timeByDevice(candidate, samples, std::min(repeats * 8, kMaxRepeats));
    if (set)
      set->rejected += rejected;
  }
  return set;
}

} // namespace tailor::vulkan
