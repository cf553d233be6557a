//===- Tuning/IsolatedRun.h - A tuning run that drivers cannot end --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the work with devices in child processes. One that crashes or does not
// end a step in time costs the candidate that it was at, by name; another child
// goes on behind it.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_ISOLATEDRUN_H
#define TAILOR_TUNING_ISOLATEDRUN_H

#include "Tuning/TuneSink.h"

#include <functional>

namespace tailor {

struct IsolatedRun {
  /// Does the work from a point on. Runs in a child, which sees all as it was.
  std::function<Status(const TuneResume &, TuneSink &)> work;
  /// The result of a site that could not be tuned, with all of its candidates. `devices` are those
  /// of the run.
  std::function<TuneResult(size_t site, const std::vector<vulkan::DeviceInfo> &devices,
                           const Diagnostic &why)>
      failed;
  /// There are so many sites for each device.
  size_t sitesPerDevice = 0;

  /// Fails where `work` does, or where the first thing that it does with drivers ends the process.
  Status run(TuneSink &sink) const;
};

} // namespace tailor

#endif
