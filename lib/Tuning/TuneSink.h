//===- Tuning/TuneSink.h - What a tuning run says as it goes --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Devices are worked with in a process of their own, which a driver may end at
// any moment. All that it finds out goes to a TuneSink at once, and before each
// step that may not return it says what it begins and how long that may take.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_TUNESINK_H
#define TAILOR_TUNING_TUNESINK_H

#include "Support/Diagnostics.h"
#include "Tuning/Tuner.h"

#include <map>
#include <set>
#include <string>

namespace tailor {

/// Something that may not come to an end.
struct TuneStep {
  enum class Phase : uint8_t {
    Prepare,  ///< drivers, devices, contents of resources: not the doing of a candidate
    Compile,  ///< the driver makes a pipeline
    Estimate, ///< one dispatch of a part of the grid
    Verify,   ///< one dispatch of the whole grid
    Measure,  ///< a turn of timed dispatches
  };
  Phase phase = Phase::Prepare;
  size_t candidate = 0; ///< index into the kernel's variants; 0 is the authored module
  double seconds = 600; ///< after which it counts as hung
};
/// What was being done with a candidate: "compiled", "verified", ...
std::string_view nameOf(TuneStep::Phase phase);

class TuneSink {
public:
  virtual ~TuneSink() = default;
  virtual void stage(const std::string &stage, const std::string &detail) = 0;
  virtual void line(const std::string &text) = 0;
  virtual void emit(const Diagnostic &diagnostic) = 0;
  /// The devices of the run, before anything else.
  virtual void devices(const std::vector<vulkan::DeviceInfo> &) {}
  virtual void begin(const TuneStep &) {}
  /// The candidate is out of the race, for good.
  virtual void out(size_t /*candidate*/, const StoredCandidate &) {}
  /// Of the budget of the site in work.
  virtual void spent(double /*seconds*/) {}
  /// A kernel at a size on a device is done; the next is begun.
  virtual void result(TuneResult result) = 0;
};

/// Where a run goes on that was cut off.
struct TuneResume {
  size_t site = 0;                         ///< how many are done
  std::map<size_t, StoredCandidate> out{}; ///< candidates of the next one that are out
  double spentSeconds = 0;                 ///< of its budget
};

/// Tells the user, and hands the results on.
class DirectSink : public TuneSink {
public:
  DirectSink(Diagnostics &diags, Progress &progress, std::function<void(TuneResult)> take)
      : diags(diags), progress(progress), take(std::move(take)) {}
  void stage(const std::string &stage, const std::string &detail) override {
    progress.update(stage, detail);
  }
  void line(const std::string &text) override { progress.line(text); }
  void emit(const Diagnostic &diagnostic) override { diags.emit(diagnostic); }
  /// Notes the faults of their drivers that forbid no variant, once.
  void devices(const std::vector<vulkan::DeviceInfo> &devices) override;
  void result(TuneResult result) override { take(std::move(result)); }

private:
  Diagnostics &diags;
  Progress &progress;
  std::function<void(TuneResult)> take;
  std::set<std::string> noted; ///< keys of devices
};

} // namespace tailor

#endif
