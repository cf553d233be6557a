//===- Tuning/Notes.cpp ----------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Notes.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>
#include <tuple>

namespace tailor {

namespace {

/// The times of a variant over those of the best, by problem size; only of verified variants.
std::map<std::string, double> lossesOf(const StoredWinner &outcome) {
  double best = std::numeric_limits<double>::infinity();
  std::map<std::string, double> losses;
  for (const StoredCandidate &candidate : outcome.candidates)
    if (candidate.isTimed() && candidate.subgroupSize == 0) {
      losses[candidate.variantId] = candidate.medianNs;
      best = std::min(best, candidate.medianNs);
    }
  for (auto &[id, time] : losses)
    time = time / best - 1;
  return losses;
}

std::optional<SizeRule> ruleOf(const std::vector<const StoredWinner *> &outcomes) {
  std::map<std::string, double> worst = lossesOf(*outcomes.front());
  for (const StoredWinner *outcome : outcomes) {
    const std::map<std::string, double> here = lossesOf(*outcome);
    std::erase_if(worst, [&](const auto &each) { return !here.contains(each.first); });
    for (auto &[id, loss] : worst)
      loss = std::max(loss, here.at(id));
  }
  if (worst.size() < 2) // there is nothing to choose from
    return std::nullopt;
  const StoredWinner &first = *outcomes.front();
  std::optional<SizeRule> rule;
  for (const StoredCandidate &candidate :
       first.candidates) { // in the bundle's order: authored first
    auto found = worst.find(candidate.variantId);
    if (found == worst.end() || found->second > kAsGoodAsBest ||
        (rule && found->second >= rule->worstLoss))
      continue;
    rule = SizeRule{first.kernel, first.deviceName, outcomes.size(), candidate.variantId,
                    found->second};
  }
  return rule;
}

} // namespace

std::vector<SizeRule> sizeRulesOf(const TuneReport &report) {
  using Key = std::tuple<std::string, std::string, std::string>;
  using Outcomes = std::vector<const StoredWinner *>;
  std::vector<std::pair<Key, Outcomes>> groups;
  for (const TuneResult &result : report.results) {
    if (result.failure)
      continue;
    const WinnerKey &key = result.outcome.key;
    Key wanted{key.moduleHash, key.variantHash, key.deviceKey};
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const auto &each) { return each.first == wanted; });
    if (group == groups.end())
      group = groups.emplace(groups.end(), std::move(wanted), Outcomes{});
    Outcomes &outcomes = group->second;
    if (std::none_of(outcomes.begin(), outcomes.end(),
                     [&](const StoredWinner *each) { return each->key.sizeHash == key.sizeHash; }))
      outcomes.push_back(&result.outcome);
  }
  std::vector<SizeRule> rules;
  for (const auto &[key, outcomes] : groups)
    if (outcomes.size() > 1)
      if (std::optional<SizeRule> rule = ruleOf(outcomes))
        rules.push_back(std::move(*rule));
  return rules;
}

std::vector<Disagreement> disagreementsOf(const TuneReport &report) {
  using Key = std::tuple<std::string, std::string, std::string>;
  struct First {
    const TuneResult *result;
    const OutputHash *output;
  };
  std::map<Key, First> seen;
  std::vector<Disagreement> found;
  for (const TuneResult &result : report.results) {
    const StoredWinner &outcome = result.outcome;
    for (const OutputHash &output : result.outputs) {
      auto [first, isNew] = seen.try_emplace({outcome.key.moduleHash + ' ' + outcome.entryPoint,
                                              outcome.key.sizeHash, output.resource},
                                             First{&result, &output});
      if (!isNew && first->second.output->sha256 != output.sha256)
        found.push_back({outcome.kernel, outcome.sizeName, output.resource,
                         first->second.result->outcome.deviceName, outcome.deviceName});
    }
  }
  return found;
}

std::vector<Spill> spillsOf(const TuneReport &report) {
  auto isSpill = [](const PipelineStatistic &statistic) {
    return statistic.value > 0 && llvm::StringRef(statistic.name).contains_insensitive("spill");
  };
  std::vector<Spill> found;
  for (const TuneResult &result : report.results) {
    const StoredWinner &outcome = result.outcome;
    if (result.failure)
      continue;
    for (const StoredCandidate &each : outcome.candidates) {
      const bool authored = &each == &outcome.candidates.front();
      const bool won =
          each.variantId == outcome.winnerId && each.subgroupSize == outcome.winnerSubgroupSize;
      auto spill = std::find_if(each.statistics.begin(), each.statistics.end(), isSpill);
      if ((authored || won) && spill != each.statistics.end())
        found.push_back(
            {outcome.kernel, outcome.sizeName, outcome.deviceName, titleOf(each), *spill});
    }
  }
  return found;
}

std::vector<std::string> notesOf(const TuneReport &report) {
  std::vector<std::string> notes;
  for (const SizeRule &rule : sizeRulesOf(report)) {
    char loss[32];
    std::snprintf(loss, sizeof loss, "%.1f %%", 100 * rule.worstLoss);
    std::string text = rule.kernel + " on " + rule.device + ": " + rule.variantId;
    text +=
        rule.worstLoss == 0 ? " is the best" : std::string(" is within ") + loss + " of the best";
    notes.push_back(text + " at all " + std::to_string(rule.sizes) + " problem sizes");
  }
  for (const Disagreement &each : disagreementsOf(report))
    notes.push_back(each.kernel + " (" + each.size + "): " + each.device + " and " + each.other +
                    " give other integers in " + each.resource +
                    "; if neither rounding nor the size of subgroups is to blame, a driver is");
  for (const Spill &each : spillsOf(report)) {
    char value[32];
    std::snprintf(value, sizeof value, "%.6g", each.statistic.value);
    notes.push_back(each.kernel + " (" + each.size + ") on " + each.device + ": " + each.variantId +
                    " does not fit the registers (" + each.statistic.name + " " + value + ")");
  }
  return notes;
}

} // namespace tailor
