//===- differential/SoakParent.h - Starts workers, and starts them again ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_DIFFERENTIAL_SOAKPARENT_H
#define TAILOR_DIFFERENTIAL_SOAKPARENT_H

#include "Soak.h"

#include <sys/types.h>

#include <string>
#include <vector>

namespace tailor::differential {

/// A worker as its parent sees it.
struct SoakProcess {
  SoakJob job;
  std::string driver; ///< file for VK_DRIVER_FILES; empty: none, or the loader's own choice

  pid_t pid = 0; ///< 0: it is done
  uint64_t begunAt = 0;
  unsigned vainStarts = 0; ///< in a row that finished no kernel
  uint64_t logBytes = 0;   ///< of its log when that last grew,
  SoakClock::time_point grewAt{};
};

/// The workers that `spec` says (SoakMain.cpp: --workers), with seeds of their own from `first` on;
/// where it is empty, `jobs` over all devices of CPUs and the interpreter, and four for each GPU.
/// Each driver that VK_DRIVER_FILES names is asked in a process of its own: one that cannot be
/// loaded is left out, and said so. Fails where a name is no device's (ErrorKind::Usage).
Result<std::vector<SoakProcess>> planWorkers(const std::string &spec, unsigned jobs,
                                             uint64_t first);

class SoakParent {
public:
  SoakParent(std::vector<SoakProcess> processes, const SoakOptions &options)
      : processes(std::move(processes)), options(options) {}

  /// Until all are done; a line a minute. Whether no worker had to be given up.
  bool run();

private:
  void launch(SoakProcess &process);
  void reap();
  void ended(SoakProcess &process, int status);
  void watch(SoakProcess &process);
  void signalAll(int signal);
  double seconds() const { return std::chrono::duration<double>(SoakClock::now() - start).count(); }

  std::vector<SoakProcess> processes;
  const SoakOptions &options;
  const SoakClock::time_point start = SoakClock::now();
  bool gaveUp = false;
};

} // namespace tailor::differential

#endif
