//===- Vulkan/LoadMeter.h - Keeps a device loaded and times what runs (internal) ===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to lib/Vulkan: submissions of one candidate back to back, and timed
// sets behind them without a gap. Measure.cpp decides what is measured when.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_VULKAN_LOADMETER_H
#define TAILOR_VULKAN_LOADMETER_H

#include "Vulkan/RunnerImpl.h"
#include "Vulkan/TickClock.h"

#include <array>
#include <chrono>

namespace tailor::vulkan {

/// What load() found.
struct LoadResult {
  double dispatchNs = 0; ///< the best submission's time a dispatch
  double seconds = 0;
  bool stable = false;
};

/// How long load() runs: at least minTime, then until nothing has improved for
/// stableTime, but no longer than budget; so much work in one submission. Seconds.
struct LoadBudget {
  double minTime = 0, stableTime = 0, budget = 0, submission = 0;
};

struct TimedSet {
  std::vector<double> samplesNs;
  uint32_t repeats = 1;
  uint32_t rejected = 0;
};

class LoadMeter {
public:
  static Result<std::unique_ptr<LoadMeter>> create(Runner::Impl &runner,
                                                   const MeasureOptions &options);
  ~LoadMeter();

  /// One dispatch with an idle device behind it, nanoseconds.
  Result<double> probe(const Prepared &candidate);
  /// Runs the candidate back to back. `estimateNs` is its time a dispatch as
  /// far as known. Returns with the device still busy.
  Result<LoadResult> load(const Prepared &candidate, double estimateNs, const LoadBudget &budget);
  /// Times `samples` spans behind the load in flight, and leaves more load behind them.
  Result<TimedSet> time(const Prepared &candidate, double estimateNs, uint32_t samples);
  /// Waits for what is in flight.
  Status drain();

  double clockStepNs() const { return hostClock ? 0 : clock.stepNs(); }
  bool usesHostClock() const { return hostClock; }

private:
  using Clock = std::chrono::steady_clock;
  struct Slot {
    Submitter submitter;
    OwnedQueryPool queries;
    uint32_t dispatches = 0; ///< recorded in it
    Clock::time_point submitted;
  };

  LoadMeter(Runner::Impl &owner, const MeasureOptions &with);
  Result<Slot> makeSlot(uint32_t queryCount);
  Status acquire(Slot &slot);
  Status recordLoad(Slot &slot, const Prepared &candidate, uint32_t dispatches);
  Status submit(Slot &slot);
  /// Waits; nanoseconds a dispatch, or none when the span was no span.
  Result<std::optional<double>> finish(Slot &slot);
  Result<TimedSet> timeByDevice(const Prepared &candidate, uint32_t samples, uint32_t repeats);
  Result<TimedSet> timeByHost(const Prepared &candidate, uint32_t samples, uint32_t repeats);
  Status restoreNow();
  Result<std::vector<uint64_t>> readTicks(const Slot &slot, uint32_t count);
  static uint32_t dispatchesFor(double dispatchNs, double submission);
  uint32_t repeatsFor(double dispatchNs) const;

  Runner::Impl &runner;
  MeasureOptions options;
  bool hostClock;
  TickClock clock;
  std::array<Slot, 2> slots; ///< load, in turn
  unsigned turn = 0;         ///< the slot that load() waits for next
  Slot timed;
};

} // namespace tailor::vulkan

#endif
