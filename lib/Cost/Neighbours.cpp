//===- Cost/Neighbours.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Cost/Neighbours.h"

#include <algorithm>

namespace tailor {

/// Runs of sectors that lie side by side.
static double piecesOf(const SectorSet &sectors) {
  double pieces = 0;
  for (size_t at = 0; at < sectors.size(); ++at)
    pieces += at == 0 || sectors[at].first != sectors[at - 1].first ||
              sectors[at].second != sectors[at - 1].second + 1;
  return pieces;
}

/// Sectors of one subgroup in the first round, less what the others of its group bring for it.
static double freshOf(const Neighbours &near, double subgroups) {
  SectorSet together;
  double sum = 0, there = 0;
  for (const SectorSet &each : near.bySubgroup) {
    addAll(together, each);
    sum += double(each.size());
    there += !each.empty();
  }
  if (sum == 0)
    return 0;
  const double average = sum / there;
  double own = 1; // of its sectors
  if (there > 1)
    own = (double(together.size()) - average) / ((there - 1) * average);
  return average * (1 + std::clamp(own, 0.0, 1.0) * (subgroups - 1)) / std::max(1.0, subgroups);
}

/// Of the sectors of a round those that the round before did not have, from 0 to 1.
static double newShareOf(const Neighbours &near) {
  const SectorSet &first = near.bySubgroup.front();
  if (!near.hasSecond || first.empty())
    return 1;
  const double count = double(first.size());
  if (near.perRound < double(kSectorBytes)) // less than a sector: a new one every few rounds
    return std::min(1.0, piecesOf(first) * near.perRound / double(kSectorBytes) / count);
  SectorSet gone;
  std::set_difference(near.inSecondRound.begin(), near.inSecondRound.end(), first.begin(),
                      first.end(), std::back_inserter(gone));
  return double(gone.size()) / count;
}

CacheMisses missesOf(const std::vector<Neighbours> &neighbours, double subgroups) {
  CacheMisses misses;
  for (const Neighbours &near : neighbours) {
    const double fresh = freshOf(near, subgroups);
    if (fresh == 0)
      continue;
    const double missed =
        fresh * near.runs / near.rounds * (1 + (near.rounds - 1) * newShareOf(near));
    const bool isAgain = std::any_of(neighbours.data(), &near, [&](const Neighbours &earlier) {
      return earlier.variable == near.variable && earlier.bySubgroup == near.bySubgroup &&
             earlier.rounds == near.rounds;
    });
    (isAgain ? misses.again : misses.first) += missed;
  }
  return misses;
}

} // namespace tailor
