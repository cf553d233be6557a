//===- Tuning/Dumps.h - Outputs of winners as files -----------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_DUMPS_H
#define TAILOR_TUNING_DUMPS_H

#include "Tuning/RunPlan.h"

#include <span>
#include <string>
#include <vector>

namespace tailor {

/// What dumps must leave alone: what was read, the files of fills, and the database with the files
/// beside it.
std::vector<std::string> filesInUse(const TuneOptions &options,
                                    std::span<const Workload> workloads);

/// Refuses requests that would write one file twice or over `inUse`, before anything runs.
Status checkDumps(const RunPlan &plan, const std::vector<vulkan::DeviceInfo> &devices,
                  const std::vector<std::string> &inUse);

/// Writes what the user wants to have of the winner's outputs; what fails goes to `sink`.
void dumpOutputs(const RunPlan &plan, const TuneResult &result, const ProblemSize &size,
                 const vulkan::KernelInstance &instance,
                 const std::vector<vulkan::OutputData> &outputs, TuneSink &sink);

} // namespace tailor

#endif
