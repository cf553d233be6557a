//===- Tuning/Strategy.h - Which variants to measure next, and when to stop ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Searches through the variants of one kernel at one problem size. They see
// what the cost model expects and what was measured so far, and no device, so
// that a recorded table serves as well as a GPU (Tuning/Replay.h). The same
// input, observations and seed give the same steps.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_STRATEGY_H
#define TAILOR_TUNING_STRATEGY_H

#include "Support/Dim3.h"
#include "Support/Result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tailor {

/// A variant that may be measured. The first of a list is the authored module.
struct SearchCandidate {
  std::string id;        ///< `resize-64x4x1+coarsen-16x4x1`: its steps are read from it
  std::string technique; ///< `resize+coarsen`
  Dim3 localSize;
  double expectedNs = 0;     ///< of the cost model; 0: it does not know
  double boundNs = 0;        ///< nothing can be faster; 0: not known
  uint32_t subgroupSize = 0; ///< required of the pipeline; 0: the driver's choice
};

struct Observed {
  enum class State : uint8_t {
    Unknown, ///< not measured yet
    Timed,
    Out, ///< cannot win: refused, wrong, given up
  };
  State state = State::Unknown;
  double ns = 0;    ///< Timed: above 0
  double noise = 0; ///< Timed: a fraction of it
};

struct StrategyOptions {
  uint64_t seed = 1;      ///< of what is drawn by chance
  size_t maxMeasured = 0; ///< variants beside the authored module; 0: no limit
  double noise = 0.01;    ///< a gain below this fraction is none
};

class Strategy {
public:
  virtual ~Strategy() = default;
  virtual std::string_view name() const = 0;
  /// What to measure next, all of it Unknown so far and each once; empty: it is done. `observed`
  /// stands beside the candidates. The authored module comes in the first batch, unless it is
  /// known.
  virtual std::vector<size_t> next(std::span<const Observed> observed) = 0;
  /// What it would choose now: the fastest that was timed, or, where nothing was, what it thinks
  /// best.
  virtual size_t choice(std::span<const Observed> observed) const;
};

/// auto: starts with what the model expects most of, over different techniques; then goes by what
/// was measured near a variant; stops at the bound, or when nothing has become better for a while.
/// exhaustive: all. random: in an order drawn by chance. climb: neighbours of the best, from the
/// authored module on, elsewhere by chance when there are none. fixed: nothing; 256x1x1, or 16x16x1
/// where the authored size has two axes, or the nearest to it. model: nothing; what the cost model
/// expects most of.
/// `candidates`, at least one, must outlive the strategy. Fails for another name, with
/// ErrorKind::Usage.
Result<std::unique_ptr<Strategy>> makeStrategy(std::string_view name,
                                               std::span<const SearchCandidate> candidates,
                                               const StrategyOptions &options = {});
/// In the order above.
std::span<const std::string_view> strategyNames();

/// How far two variants of a kernel are apart: doublings of their sizes, step by step, and two for
/// each step that only one has or that is of another kind. Variants that differ in one axis doubled
/// or halved, in one more coarsening by two, or in the order of lanes alone are 1 apart,
/// and so are pipelines of one variant with and without a required subgroup size.
double distanceOf(const SearchCandidate &a, const SearchCandidate &b);

} // namespace tailor

#endif
