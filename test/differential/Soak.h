//===- differential/Soak.h - A long campaign in many processes -------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A soak is a parent and its workers, processes of the same program. Each worker
// has one device, or the interpreter, and seeds of its own, one after another. It
// appends a line of JSON to its log before each kernel and after it, so that
// whatever happens to a driver, the log says how far it came: a parent that finds
// a worker dead or silent starts it again behind the kernel that it was at. The
// summary is made from the logs alone, those of several machines too.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_DIFFERENTIAL_SOAK_H
#define TAILOR_DIFFERENTIAL_SOAK_H

#include "Support/Result.h"

#include "llvm/Support/JSON.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace tailor::differential {

using SoakClock = std::chrono::steady_clock;

inline constexpr const char *kInterpreter = "interpreter"; ///< instead of a device's name
/// Seeds that each worker has for itself.
inline constexpr uint64_t kSeedsOfWorker = 1'000'000;
/// Exit status of a worker whose device was lost: a new process may get it back.
inline constexpr int kDeviceLost = 9;

/// One worker.
struct SoakJob {
  std::string name;   ///< of its log: `03-llvmpipe`
  std::string device; ///< its name as Instance::find takes it, or kInterpreter
  uint64_t first = 0; ///< seed
};

struct SoakOptions {
  double seconds = 3600;   ///< no kernel is begun after them
  uint64_t kernels = 0;    ///< of each worker; 0: as many as it can
  std::string folder;      ///< for logs and kernels that failed
  size_t mostVariants = 0; ///< of a kernel; 0: CampaignOptions' own
  int without = -1;        ///< a LegalityCondition that proofs leave out, or none: a planted fault
};

/// `DEVICE[.LOG]`: what the file of that worker is called in the folder.
std::string logOf(const SoakOptions &options, const std::string &name);

/// Works until its time is over, the kernels are done or the device is lost; the exit status.
int soakWorker(const SoakJob &job, const SoakOptions &options);

/// What logs say together: counts for each device, technique and worker, what failed, what was
/// refused, which seeds a driver took with it. Lines that are cut short are left out.
struct SoakSummary {
  llvm::json::Object json;
  uint64_t kernels = 0, comparisons = 0, interpreted = 0, mismatches = 0, lost = 0, unfinished = 0;
  std::string line() const; ///< the counts in a sentence
  /// `summary.json` in the folder, with the seconds that the whole took.
  Status write(const std::string &folder, double seconds) const;
};
/// Of all logs in the folders.
SoakSummary summarize(const std::vector<std::string> &folders);

/// The seed that a log ends with; whether its kernel was finished.
struct SoakPlace {
  bool any = false, finished = false;
  uint64_t seed = 0;
};
SoakPlace placeOf(const std::string &log);

} // namespace tailor::differential

#endif
