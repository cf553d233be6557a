//===- Tuning/SiteTuner.h - One kernel, one size, one device --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_SITETUNER_H
#define TAILOR_TUNING_SITETUNER_H

#include "Tuning/Reflect.h"
#include "Tuning/Search.h"
#include "Tuning/Tuner.h"

#include <memory>
#include <string>
#include <vector>

namespace tailor {

/// Tunes one kernel at one problem size on one device. A device that is lost on
/// the way is opened again, and the variant that lost it is given up by name.
class SiteTuner {
public:
  struct Input {
    const Bundle &bundle;
    const KernelInfo &kernel;
    const Reflection &reflection;
    const Workload &workload;
    const ProblemSize &size;
    const vulkan::KernelInstance &instance;
    std::shared_ptr<vulkan::Instance> vulkan;
    const vulkan::DeviceInfo &device;
    const TuneOptions &options;
  };
  SiteTuner(const Input &input, Diagnostics &diags, Progress &progress);

  TuneResult run();
  /// The outputs of the winner's last run, one for each output resource.
  const std::vector<vulkan::OutputData> &winnerOutputs() const { return outputs; }

private:
  /// A variant under test.
  struct Entry {
    const VariantInfo *variant = nullptr;
    const vulkan::Candidate *candidate = nullptr;
    vulkan::PipelineId pipeline;
    size_t stored = 0; ///< index into TuneResult::outcome.candidates
    bool alive = true; ///< may still win
    vulkan::Measurement measurement;
  };

  Status openDevice();
  Status runAuthored();
  void verifyVariants();
  void verifyVariant(Entry &entry);
  Status measure();
  Status measureOnce(std::vector<size_t> &turn);
  Status choose();
  /// Runs the entry and compares: nullopt when it agrees with the authored run.
  std::optional<std::string> disagreement(const vulkan::RunResult &result) const;
  bool reverify(Entry &entry);
  void wrong(Entry &entry, const std::string &why);
  void giveUp(Entry &entry, CandidateState state, const std::string &why);
  StoredCandidate &storedOf(const Entry &entry) { return result.outcome.candidates[entry.stored]; }
  Location place() const { return in.size.location; }
  void say(const std::string &detail);

  Input in;
  Diagnostics &diags;
  Progress &progress;
  TuneResult result;
  Selection selection;
  std::vector<Entry> entries; ///< the authored module first
  std::shared_ptr<vulkan::Device> device;
  std::unique_ptr<vulkan::Runner> runner;
  std::vector<vulkan::OutputData> reference; ///< the authored module's outputs
  std::vector<vulkan::OutputData> outputs;
  bool stopped = false; ///< the budget ended the measurement
};

} // namespace tailor

#endif
