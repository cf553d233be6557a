//===- Tuning/Replay.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Replay.h"

#include "Cost/HoldOut.h"

#include <algorithm>
#include <ctime>
#include <limits>

namespace tailor {

double ReplaySite::bestNs() const {
  double best = std::numeric_limits<double>::infinity();
  for (const Observed &each : recorded)
    if (each.state == Observed::State::Timed)
      best = std::min(best, each.ns);
  return best;
}

ReplaySite replaySite(const TuningTable &table, const TableSite &rows) {
  ReplaySite site;
  for (size_t at = rows.first; at < rows.first + rows.count; ++at) {
    const TableRow &row = table.rows[at];
    site.kernel = row.kernel;
    site.size = row.size;
    site.candidates.push_back({row.variant, row.technique, row.localSize, 0, 0});
    site.recorded.push_back(row.isMeasured()
                                ? Observed{Observed::State::Timed, row.medianNs, row.spread}
                                : Observed{Observed::State::Out, 0, 0});
  }
  site.heldOut = isHeldOut(site.kernel);
  site.expectations.resize(site.candidates.size());
  site.unseen = site.candidates.size();
  return site;
}

Result<ReplaySite> replaySite(const TuningTable &table, const TableSite &rows, const Bundle &bundle,
                              const Workload &workload, const DeviceProfile &profile) {
  ReplaySite site = replaySite(table, rows);
  auto kernel = std::find_if(bundle.kernels.begin(), bundle.kernels.end(),
                             [&](const KernelInfo &each) { return each.name == site.kernel; });
  auto size = std::find_if(workload.sizes.begin(), workload.sizes.end(),
                           [&](const ProblemSize &each) { return each.name == site.size; });
  if (kernel == bundle.kernels.end())
    return failure({}, "the bundle has no kernel '" + site.kernel + "'");
  if (size == workload.sizes.end())
    return failure(Location::inFile(workload.file),
                   "the workload has no size '" + site.size + "', of which the table is");
  // What a driver would let run is in the table already.
  Result<std::unique_ptr<SiteWithoutDevice>> where =
      SiteWithoutDevice::create(bundle, *kernel, workload, *size);
  if (!where)
    return where.takeFailure();
  std::vector<SelectedVariant> &selected = (*where)->selection.selected;
  std::erase_if(selected, [&](const SelectedVariant &each) {
    return std::none_of(site.candidates.begin(), site.candidates.end(), [&](const auto &row) {
      return row.id == kernel->variants[each.variant].id;
    });
  });
  const std::clock_t begin = std::clock();
  std::vector<Expectation> found = expectationsOf((*where)->site(), selected, profile);
  site.modelSeconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
  for (size_t at = 0; at < found.size(); ++at)
    for (size_t row = 0; row < site.candidates.size(); ++row)
      if (site.candidates[row].id == kernel->variants[selected[at].variant].id) {
        site.candidates[row].expectedNs = found[at].estimate.expectedNs;
        site.candidates[row].boundNs = found[at].estimate.boundNs;
        site.expectations[row] = std::move(found[at]);
        --site.unseen;
        break;
      }
  return site;
}

ReplayRun replay(const ReplaySite &site, std::string_view strategy, size_t budget, uint64_t seed) {
  ReplayRun run;
  StrategyOptions options;
  options.seed = seed;
  options.maxMeasured = budget;
  Result<std::unique_ptr<Strategy>> search = makeStrategy(strategy, site.candidates, options);
  if (!search)
    return run;
  std::vector<Observed> observed(site.candidates.size());
  while (budget != 0) {
    std::vector<size_t> batch = (*search)->next(observed);
    size_t fresh = 0;
    for (size_t at : batch) {
      if (at >= observed.size() || observed[at].state != Observed::State::Unknown ||
          (at != 0 && run.measured == budget))
        continue;
      observed[at] = site.recorded[at];
      run.measured += at != 0;
      ++fresh;
    }
    if (fresh == 0)
      break;
  }
  const size_t chosen = (*search)->choice(observed);
  const Observed &truth = site.recorded[chosen];
  // Every tuning times the authored module: what is known to be slower is not chosen. Without a
  // measurement nothing is known, and what cannot run leaves the authored module.
  const double authored = site.recorded[0].ns;
  double ns = truth.state == Observed::State::Timed ? truth.ns : authored;
  if (run.measured != 0)
    ns = std::min(ns, authored);
  run.reached = ns > 0 ? site.bestNs() / ns : 0;
  return run;
}

ReplayFigure replayAll(const std::vector<const ReplaySite *> &sites, std::string_view strategy,
                       size_t budget, unsigned seeds) {
  ReplayFigure figure;
  const bool isChance = strategy == "random" || strategy == "climb";
  const unsigned times = isChance ? std::max(1U, seeds) : 1;
  for (const ReplaySite *site : sites) {
    double reached = 0, measured = 0;
    for (unsigned seed = 1; seed <= times; ++seed) {
      const ReplayRun run = replay(*site, strategy, budget, seed);
      reached += run.reached / times;
      measured += double(run.measured) / times;
    }
    figure.mean += reached / double(sites.size());
    figure.measured += measured / double(sites.size());
    if (figure.worstKernel.empty() || reached < figure.worst) {
      figure.worst = reached;
      figure.worstKernel = site->kernel;
    }
  }
  return figure;
}

} // namespace tailor
