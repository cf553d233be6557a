//===- Tuning/DatabaseText.cpp ---------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/DatabaseText.h"

#include "Tuning/Report.h"
#include "Tuning/WinnersJson.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstdio>

namespace tailor {

namespace {

std::string fixed(double value, int decimals) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

std::string percent(double fraction) { return fixed(100 * fraction, 2) + " %"; }
/// "-" where there is none.
std::string timeOrNone(double ns) { return ns > 0 ? timeText(ns) : "-"; }
std::string countText(size_t count, const char *one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

size_t timedIn(const StoredWinner &outcome) {
  return static_cast<size_t>(std::count_if(outcome.candidates.begin(), outcome.candidates.end(),
                                           [](const StoredCandidate &c) { return c.isTimed(); }));
}

std::string standsText(const Standing &standing) {
  if (!standing.isStale())
    return "current";
  if (standing.driverChanged && standing.toolChanged)
    return "stale: driver, tool";
  return standing.driverChanged ? "stale: driver" : "stale: tool";
}

std::string winnerText(const StoredWinner &outcome) {
  return titleOf(outcome.winnerId, outcome.winnerSubgroupSize);
}

void printSearch(llvm::raw_ostream &os, const StoredWinner &o) {
  const SearchRecord &search = o.search;
  if (search.strategy.empty() && search.measureSeconds == 0)
    return;
  os << "  search: " << (search.strategy.empty() ? "unknown" : search.strategy);
  if (search.budgetSeconds > 0)
    os << ", budget " << timeText(search.budgetSeconds * 1e9);
  for (const auto &[name, seconds] :
       {std::pair("compiling", search.compileSeconds), std::pair("verifying", search.verifySeconds),
        std::pair("measuring", search.measureSeconds)})
    if (seconds > 0)
      os << ", " << name << " " << timeText(seconds * 1e9);
  os << '\n';
  if (!search.ended.empty())
    os << "  it ended because " << search.ended << '\n';
}

void printCandidates(llvm::raw_ostream &os, const StoredWinner &o) {
  TextTable table("lrrrrrrll");
  table.add(
      {"variant", "subgroup", "time", "spread", "samples", "expected", "bound", "state", "why"});
  for (const StoredCandidate &c : o.candidates) {
    std::string state(nameOf(c.state));
    if (c.fault != CandidateFault::None)
      state += " (" + std::string(nameOf(c.fault)) + ")";
    table.add({c.variantId, c.subgroupSize ? std::to_string(c.subgroupSize) : "-",
               timeOrNone(c.medianNs), c.medianNs > 0 ? percent(c.spread) : "-",
               c.samples ? std::to_string(c.samples) : "-", timeOrNone(c.expectedNs),
               timeOrNone(c.boundNs), state, c.why});
  }
  table.print(os, 2);
  for (const StoredCandidate &c : o.candidates) {
    if (c.statistics.empty())
      continue;
    os << "  " << titleOf(c) << ":";
    for (const PipelineStatistic &statistic : c.statistics)
      os << (&statistic == &c.statistics.front() ? " " : ", ") << statistic.name << " "
         << fixed(statistic.value,
                  statistic.value == static_cast<int64_t>(statistic.value) ? 0 : 3);
    os << '\n';
  }
}

} // namespace

void TextTable::print(llvm::raw_ostream &os, unsigned indent) const {
  std::vector<size_t> widths(align.size(), 0);
  for (const std::vector<std::string> &row : rows)
    for (size_t i = 0; i < row.size() && i < widths.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  for (const std::vector<std::string> &row : rows) {
    std::string line(indent, ' ');
    for (size_t i = 0; i < widths.size(); ++i) {
      std::string cell = i < row.size() ? row[i] : "";
      std::string pad(widths[i] - cell.size(), ' ');
      line += i == 0 ? "" : "  ";
      line += align[i] == 'r' ? pad + cell : cell + pad;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    os << line << '\n';
  }
}

std::string placeText(const StoredWinner &outcome) {
  return outcome.kernel + " (" + outcome.sizeName + ") on " + outcome.deviceName;
}

std::string deviceText(const std::string &deviceKey) {
  std::optional<DeviceParts> parts = parseDeviceKey(deviceKey);
  return parts ? parts->deviceName : deviceKey;
}

void printWinners(llvm::raw_ostream &os, const std::vector<ListedWinner> &winners) {
  TextTable table("llllrlrrlrll");
  table.add({"device", "kernel", "size", "authored", "time", "winner", "time", "ratio", "verified",
             "timed", "date", "stands"});
  size_t stale = 0;
  for (const auto &[o, standing] : winners) {
    table.add({o.deviceName, o.kernel, o.sizeName, o.authoredSize.str(), timeOrNone(o.authoredNs),
               winnerText(o), timeOrNone(o.winnerNs), fixed(o.ratio, 2) + "x",
               o.verified ? "yes" : "no",
               std::to_string(timedIn(o)) + "/" + std::to_string(o.candidates.size()), o.date,
               standsText(standing)});
    stale += standing.isStale();
  }
  if (!winners.empty())
    table.print(os);
  for (const auto &[o, standing] : winners)
    if (standing.isStale())
      os << placeText(o) << " is stale: " << standing.why << '\n';
  os << countText(winners.size(), "outcome") << ", " << stale << " stale\n";
}

void printBad(llvm::raw_ostream &os, const std::vector<ListedBad> &bad) {
  TextTable table("lllrlll");
  table.add({"device", "kernel", "variant", "subgroup", "fault", "date", "stands"});
  for (const auto &[b, standing] : bad)
    table.add({deviceText(b.deviceKey), b.kernel, b.variantId,
               b.subgroupSize ? std::to_string(b.subgroupSize) : "-", std::string(nameOf(b.fault)),
               b.date, standing.isStale() ? "tried again" : "not tried"});
  if (!bad.empty())
    table.print(os);
  for (const auto &[b, standing] : bad)
    if (!b.why.empty())
      os << b.variantId << " of " << b.kernel << " on " << deviceText(b.deviceKey) << ": " << b.why
         << '\n';
  os << countText(bad.size(), "bad variant") << '\n';
}

void printWinner(llvm::raw_ostream &os, const ListedWinner &winner) {
  const StoredWinner &o = winner.outcome;
  os << placeText(o) << '\n'
     << "  winner: " << winnerText(o) << ", " << timeOrNone(o.winnerNs) << " (spread "
     << percent(o.winnerSpread) << ", " << countText(o.samples, "sample") << "), "
     << (o.verified ? "verified" : "not verified") << '\n'
     << "  authored: " << o.authoredSize.str() << ", " << timeOrNone(o.authoredNs) << " (spread "
     << percent(o.authoredSpread) << "), " << fixed(o.ratio, 3) << " times the winner's time";
  if (o.noise > 0)
    os << ", " << (o.tie ? "a tie within " : "beyond ") << percent(o.noise) << " of noise";
  os << "\n  groups: " << o.groups.str() << ", entry point " << o.entryPoint << ", "
     << (o.hostClock ? "host" : "device") << " clock\n"
     << "  measured by " << (o.tool.empty() ? "an unknown tool" : o.tool) << ", " << o.date << '\n'
     << "  stands: " << standsText(winner.standing);
  if (!winner.standing.why.empty())
    os << ": " << winner.standing.why;
  os << '\n';
  printSearch(os, o);
  if (!o.vendor.empty() || !o.architecture.empty())
    os << "  device: " << o.vendor << (o.vendor.empty() ? "" : " ") << o.architecture << '\n';
  os << "  device key: " << o.key.deviceKey << "\n  module: " << o.key.moduleHash
     << "\n  variant set: " << o.key.variantHash << "\n  problem size: " << o.key.sizeHash << '\n';
  printCandidates(os, o);
}

namespace {

using llvm::json::OStream;

void writeStanding(OStream &json, const Standing &standing) {
  json.attribute("stale", standing.isStale());
  json.attributeArray("changed", [&] {
    if (standing.driverChanged)
      json.value("driver");
    if (standing.toolChanged)
      json.value("tool");
  });
  if (!standing.why.empty())
    writeText(json, "why", standing.why);
}

void writeListed(OStream &json, const ListedWinner &listed) {
  const StoredWinner &o = listed.outcome;
  writeText(json, "kernel", o.kernel);
  writeText(json, "size", o.sizeName);
  json.attributeObject("device", [&] {
    writeText(json, "name", o.deviceName);
    writeText(json, "key", o.key.deviceKey);
  });
  json.attributeObject("authored", [&] {
    writeText(json, "local_size", o.authoredSize.str());
    writeNumber(json, "median_ns", o.authoredNs);
  });
  json.attributeObject("winner", [&] {
    writeText(json, "id", o.winnerId);
    writeText(json, "local_size", o.winnerSize.str());
    json.attribute("subgroup_size", int64_t{o.winnerSubgroupSize});
    writeNumber(json, "median_ns", o.winnerNs);
  });
  writeNumber(json, "ratio", o.ratio);
  json.attribute("verified", o.verified);
  json.attribute("candidates", static_cast<int64_t>(o.candidates.size()));
  json.attribute("timed", static_cast<int64_t>(timedIn(o)));
  writeText(json, "tool", o.tool);
  writeText(json, "date", o.date);
  writeStanding(json, listed.standing);
}

} // namespace

void writeWinnersList(llvm::raw_ostream &os, const std::string &tool,
                      const std::vector<ListedWinner> &winners, const std::vector<ListedBad> &bad) {
  OStream json(os, 2);
  json.object([&] {
    json.attribute("schema", int64_t{kWinnersListSchema});
    writeText(json, "tool", tool);
    json.attributeArray("outcomes", [&] {
      for (const ListedWinner &each : winners)
        json.object([&] { writeListed(json, each); });
    });
    json.attributeArray("known_bad", [&] {
      for (const ListedBad &each : bad)
        json.object([&] {
          writeBadMembers(json, each.bad);
          writeStanding(json, each.standing);
        });
    });
  });
  os << '\n';
}

} // namespace tailor
