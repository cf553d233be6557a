//===- Tuning/Replay.h - Searches against recorded tables ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plays any search on the times of a recorded table (Tuning/Table.h) and says
// what share of the best variant's speed it reached with so many measurements.
// The authored module is timed by every tuning, and is not counted.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_REPLAY_H
#define TAILOR_TUNING_REPLAY_H

#include "Bundle/Manifest.h"
#include "Devices/Profile.h"
#include "Tuning/Expectation.h"
#include "Tuning/Strategy.h"
#include "Tuning/Table.h"
#include "Tuning/Workload.h"

#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class raw_ostream;
namespace json {
class OStream;
}
} // namespace llvm

namespace tailor {

/// A kernel at a problem size with the recorded fate of each variant.
struct ReplaySite {
  std::string kernel, size;
  bool heldOut = false;                    ///< Cost/HoldOut.h
  std::vector<SearchCandidate> candidates; ///< the authored module first
  std::vector<Observed> recorded;          ///< beside them
  std::vector<Expectation> expectations;   ///< beside them
  size_t unseen = 0;                       ///< variants of the table that the bundle does not have
  double modelSeconds = 0;                 ///< of a processor, that the cost model took

  double bestNs() const;
};

/// The rows of a table with what the cost model expects of each: of the variants that
/// `bundle` has of that kernel, under that workload. Fails where the workload has no such size or
/// the authored module cannot be run with it.
Result<ReplaySite> replaySite(const TuningTable &table, const TableSite &rows, const Bundle &bundle,
                              const Workload &workload, const DeviceProfile &profile);
/// Without modules: the model knows nothing.
ReplaySite replaySite(const TuningTable &table, const TableSite &rows);

struct ReplayRun {
  double reached = 0;  ///< the best time over that of what was chosen, from 0 to 1
  size_t measured = 0; ///< variants beside the authored module
};
/// At most `budget` measurements, 0: none at all.
ReplayRun replay(const ReplaySite &site, std::string_view strategy, size_t budget, uint64_t seed);

/// Over all kernels.
struct ReplayFigure {
  double mean = 0, worst = 1; ///< of what was reached; over seeds, of their means
  std::string worstKernel;
  double measured = 0; ///< on average
};
/// `seeds`: how often a search that draws by chance is run.
ReplayFigure replayAll(const std::vector<const ReplaySite *> &sites, std::string_view strategy,
                       size_t budget, unsigned seeds);

} // namespace tailor

#endif
