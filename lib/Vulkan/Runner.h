//===- Vulkan/Runner.h - Runs, checks and times candidates --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Holds one kernel instance on one device, runs candidates (variants of the
// kernel) on it, checks what they leave behind, and times them under steady
// clocks. docs/measuring.md says in words how a time becomes true.
//
//   auto runner = Runner::create(device, instance);
//   auto a = runner->prepare(authored), b = runner->prepare(variant);
//   auto ra = runner->runOnce(*a), rb = runner->runOnce(*b);   // compare outputs
//   auto times = runner->measure({{*a, *b}}, MeasureOptions::forDevice(device->info()));
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_VULKAN_RUNNER_H
#define TAILOR_VULKAN_RUNNER_H

#include "Support/Dim3.h"
#include "Support/Result.h"
#include "Vulkan/Device.h"
#include "Vulkan/Resources.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tailor::vulkan {

/// A specialization constant's value: the low `bytes` bytes of `bits` (1 for 8
/// bits, 2, 4 or 8; a boolean is 4).
struct SpecValue {
  uint32_t specId = 0;
  uint64_t bits = 0;
  uint32_t bytes = 4;
};

/// One variant, ready to be dispatched.
struct Candidate {
  std::string name;            ///< names it in messages and results
  std::vector<uint32_t> words; ///< the module
  std::string entryPoint = "main";
  Dim3 groups;    ///< workgroups of one dispatch
  Dim3 localSize; ///< invocations of a workgroup, as the module has it: checked against the limits
  uint64_t sharedBytes = 0; ///< workgroup memory, when the caller knows it: checked too
  std::vector<SpecValue> specConstants;
  /// Size of the push-constant block that the module declares; at least so many
  /// bytes must be given.
  uint32_t requiredPushConstantBytes = 0;
  /// Instead of the instance's (a guarded variant appends the logical grid).
  std::optional<std::vector<std::byte>> pushConstants;
  uint32_t requiredSubgroupSize = 0; ///< 0: the driver's choice
};

/// A prepared candidate; valid until release() or the runner's end.
struct PipelineId {
  uint32_t index = UINT32_MAX;
  friend bool operator==(PipelineId, PipelineId) = default;
};

/// A figure of a compiled pipeline: registers, spills, bytes of workgroup memory, ...
struct PipelineFigure {
  std::string name; ///< the driver's
  double value = 0; ///< finite; a truth is 0 or 1
  friend bool operator==(const PipelineFigure &, const PipelineFigure &) = default;
};

/// A guard band was written. `offset` is relative to the first byte of the
/// bound range: negative in front of it, `bytes` or more behind it.
struct CanaryViolation {
  size_t resource = 0; ///< index into KernelInstance::resources
  int64_t offset = 0;  ///< of the first changed byte
  uint64_t count = 0;  ///< changed bytes of that band
  std::string
      text; ///< "'out' (set 0 binding 1) was written 4 bytes past its end (16 bytes changed)"
};

struct OutputData {
  size_t resource = 0; ///< index into KernelInstance::resources
  std::vector<std::byte> bytes;
};

struct RunResult {
  std::vector<OutputData> outputs; ///< one for each resource with `output`, in order
  std::vector<CanaryViolation> violations;
};

/// Budgets of a measurement. Times are seconds of steady wall-clock time.
struct MeasureOptions {
  // To warm the device up, the reference runs back to back
  double minLoadTime = 0.25;        ///< at least so long,
  double stableTime = 0.25;         ///< and until its time has not improved by
  double stableImprovement = 0.005; ///< this fraction for so long,
  double submissionTime = 0.02;     ///< so much work in one submission,
  double warmUpBudget = 3.0;        ///< but no longer than this.
  /// Where the reference was as fast as so much above what it was on the warm device, that is still
  /// warm.
  double warmTolerance = 0.02;
  // On the warm device, the same before each turn of a candidate:
  double turnLoadTime = 0.005, turnStableTime = 0.003, turnSubmissionTime = 0.001;
  double candidateBudget =
      0.5; ///< load time after which a candidate counts as unstable and is timed anyhow
  double turnTime = 0.02;       ///< of the timed dispatches in a turn, if fewestSamples fit
  double maxDispatchTime = 2.0; ///< a candidate with a slower dispatch is given up, and says so
  double hangTimeout = 30.0;    ///< a submission that takes longer means a hung device
  uint32_t samples = 11;        ///< timed dispatches a round, after a discarded one
  uint32_t fewestSamples = 5;   ///< where those take longer than turnTime
  uint32_t rounds = 2;          ///< each in another order
  /// With `fastest`: rounds that are added for candidates about as fast as the reference or faster,
  /// and the reference, while their noise is above `precision`.
  uint32_t moreRounds = 0;
  double precision = 0.02;
  double minSpan = 20e-6;     ///< shorter dispatches are repeated inside one span
  uint32_t minSpanSteps = 50; ///< and so are spans below so many steps of the clock
  /// The fastest sample is the candidate's time, not the median, and rounds agree
  /// when their fastest do: for a CPU device, whose processors others use too.
  /// What they take away only ever adds time.
  bool fastest = false;
  /// Time with the host's clock even where the device has timestamps.
  bool hostClock = false;
  /// Time the reference again after each candidate, to see the clock move.
  bool referenceBetween = true;
  /// Told before each piece of a measurement that may not return: whose it is, and the seconds
  /// after which it counts as hung.
  std::function<void(PipelineId, double)> starting;

  /// The defaults above for a GPU; smaller budgets for a CPU device, whose
  /// clock the host keeps up and whose dispatches are long.
  static MeasureOptions forDevice(const DeviceInfo &info);
};

enum class MeasureState : uint8_t {
  Measured,   ///< in one round at least
  NotReached, ///< the caller stopped, or the device was lost, before its turn
  Skipped,    ///< one dispatch took longer than maxDispatchTime
  Failed,     ///< an error of the driver; `why` says which
};

/// The times of one candidate: nanoseconds a dispatch.
struct Measurement {
  PipelineId pipeline;
  std::string name;
  MeasureState state = MeasureState::NotReached;
  std::string why; ///< for every state but Measured

  std::vector<double> samplesNs;      ///< of all rounds, in the order taken
  std::vector<double> roundMediansNs; ///< one a round
  std::vector<uint32_t> roundSamples; ///< how many of the samples are of each round
  double timeNs = 0;   ///< what candidates are compared by: the median, or see `fastest`
  double medianNs = 0; ///< of all samples
  double minNs = 0;
  bool fastest = false; ///< MeasureOptions::fastest
  double spread =
      0; ///< interquartile range of a round's samples over their median, the worst round
  /// (largest - smallest) / smallest of the rounds' medians; with `fastest`, of
  /// the two fastest rounds' fastest samples. 0 with one round.
  double roundDisagreement = 0;
  /// The reference's time just after this candidate over its time in the whole
  /// run, minus 1, for the worst round: how far the clock had moved. 0: not seen.
  double clockDrift = 0;
  uint32_t repeats = 1;       ///< dispatches inside one span
  uint32_t rejectedSpans = 0; ///< zero or negative
  bool stable = true;         ///< the stability test was met within the budget, in every round
  double loadSeconds = 0;     ///< spent on load, all rounds

  /// The noise to beat, as a fraction of the time: the largest of spread,
  /// roundDisagreement and |clockDrift|; with `fastest`, roundDisagreement.
  double noise() const;
};

/// What the caller is told after each candidate of each round.
struct MeasureProgress {
  uint32_t round = 0, rounds = 0; ///< 0-based
  size_t done = 0, total = 0;     ///< candidates of all rounds
  const Measurement *latest = nullptr;
};
enum class Verdict : uint8_t {
  Continue,
  Drop, ///< leave the candidate just reported out of the rounds that follow
  Stop, ///< end now with what there is
};
using ProgressFunction = std::function<Verdict(const MeasureProgress &)>;

struct MeasureReport {
  std::vector<Measurement> candidates; ///< in the order of the request
  /// Samples of the reference between candidates, nanoseconds, in time order.
  std::vector<double> referenceMediansNs;
  double clockStepNs = 0;   ///< the step that the timestamps were seen to move in
  bool hostClock = false;   ///< no device timestamps: host time around each submission
  bool stopped = false;     ///< by the caller
  double warmUpSeconds = 0; ///< spent on it; short where the device was found warm
  bool foundWarm = false;   ///< from the measurement before
};

class Runner {
public:
  /// Makes and fills every resource in device-local memory, with a pristine
  /// copy beside it. `where` is the workload's place, for messages. Fails with
  /// Refused (a bad instance), or Environment (out of memory, a format or a
  /// size that the device does not have).
  static Result<std::unique_ptr<Runner>> create(std::shared_ptr<Device> device,
                                                KernelInstance instance, Location where = {});
  ~Runner();
  Runner(const Runner &) = delete;
  Runner &operator=(const Runner &) = delete;

  /// Checks the candidate against the device (local size, invocations, shared
  /// memory, group counts, push constants, capabilities, SPIR-V version) and
  /// against the instance (every binding that it accesses) before any call of
  /// the driver, then compiles it. No pipeline cache is used, so that the order
  /// of candidates does not matter. Failures name the candidate.
  Result<PipelineId> prepare(const Candidate &candidate);
  void release(PipelineId pipeline);
  /// What the driver says of the pipeline, in its order, and the subgroup size that it compiled for
  /// where it tells. Names of several executables (one a subgroup width, say) start with that of
  /// their executable. Empty where the device lacks VK_KHR_pipeline_executable_properties, or where
  /// the driver fails to tell: nothing hangs off these figures.
  std::vector<PipelineFigure> figuresOf(PipelineId pipeline) const;

  /// Restores every resource, poison and guard band, dispatches once, waits,
  /// reads the outputs back and looks at the guard bands. Where the module asks
  /// for no buffer length, the bound range of a storage buffer takes in the
  /// band behind it, so that a device which clamps accesses at the range shows
  /// an overrun too.
  Result<RunResult> runOnce(PipelineId pipeline);

  /// Restores every resource and dispatches a part of the candidate's workgroups, 1 / `parts` of
  /// them along their longest axis and one at least, twice; nanoseconds that the whole would take
  /// by the second. For kernels whose workgroups do not wait for each other. Results are not looked
  /// at.
  Result<double> tryPart(PipelineId pipeline, uint32_t parts);

  /// Times the candidates against each other. `pipelines[reference]` is the one
  /// whose time shows how the clock moves (the authored module). All pipelines
  /// are prepared beforehand, so that the device stays loaded throughout.
  /// Resources are restored before each submission, not between the dispatches
  /// of one: a kernel that updates in place sees its own results there.
  /// A candidate that fails is reported in its Measurement; the Result fails
  /// only for a request that makes no sense.
  Result<MeasureReport> measure(std::span<const PipelineId> pipelines,
                                const MeasureOptions &options, size_t reference = 0,
                                const ProgressFunction &progress = {});

  const Device &device() const;
  const KernelInstance &instance() const;

  struct Impl;

private:
  explicit Runner(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> state;
};

/// Checks a candidate's sizes against limits; what prepare() does first, for
/// callers who want to know without a device at hand. Every fault is one
/// message: "workgroup has 512 invocations, the device allows 256".
void checkLimits(const Candidate &candidate, size_t instancePushConstantBytes,
                 const DeviceLimits &limits, Diagnostics &diags);

} // namespace tailor::vulkan

#endif
