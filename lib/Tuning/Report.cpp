//===- Tuning/Report.cpp ---------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Report.h"

#include "Tuning/Notes.h"
#include "Tuning/WinnersJson.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace tailor {

std::string timeText(double nanoseconds) {
  static constexpr std::pair<double, const char *> kUnits[] = {
      {1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1.0, "ns"}};
  char text[32];
  for (const auto &[scale, unit] : kUnits) {
    double value = nanoseconds / scale;
    if (value < 0.9995 && scale > 1.0)
      continue;
    int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    std::snprintf(text, sizeof(text), "%.*f %s", decimals, value, unit);
    break;
  }
  return text;
}

namespace {

constexpr size_t kColumns = 11;
using Row = std::array<std::string, kColumns>;

/// Columns of numbers stand to the right.
constexpr std::array<bool, kColumns> kRightAligned = {false, false, false, false, true, false,
                                                      true,  true,  false, true,  false};

std::string fixed(double value, int decimals) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.*f", decimals, value);
  return text;
}

/// "9/12": those that were timed, of all.
std::string timedText(const StoredWinner &outcome) {
  auto timed = std::count_if(outcome.candidates.begin(), outcome.candidates.end(),
                             [](const StoredCandidate &c) { return c.isTimed(); });
  return std::to_string(timed) + "/" + std::to_string(outcome.candidates.size());
}

/// "2 search, 1 wrong": why the others were not, the most frequent reason first.
std::string notTimedText(const StoredWinner &outcome) {
  std::vector<std::pair<size_t, std::string_view>> reasons;
  for (const StoredCandidate &candidate : outcome.candidates) {
    const std::string_view why = whyNotTimed(candidate);
    auto known = std::find_if(reasons.begin(), reasons.end(),
                              [&](const auto &each) { return each.second == why; });
    if (why.empty())
      continue;
    if (known == reasons.end())
      reasons.emplace_back(1, why);
    else
      ++known->first;
  }
  std::sort(reasons.begin(), reasons.end(), [](const auto &a, const auto &b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::string text;
  for (const auto &[count, why] : reasons)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(why);
  return text.empty() ? "-" : text;
}

/// A winner that rests on its author's word, and on having been verified.
bool isDeclared(const TuneResult &result) {
  const StoredWinner &o = result.outcome;
  const StoredCandidate *winner = o.candidate(o.winnerId, o.winnerSubgroupSize);
  return !result.failure && winner && winner->evidence == nameOf(Evidence::Declared);
}

Row rowOf(const TuneResult &result) {
  const StoredWinner &o = result.outcome;
  Row row = {o.deviceName, o.kernel, o.sizeName, o.authoredSize.str()};
  if (result.failure) {
    row[4] = row[6] = row[7] = "-";
    row[5] = "failed";
    row[8] = "no";
    row[9] = timedText(o);
    row[10] = "-"; // the reason stands under the table
    return row;
  }
  row[4] = timeText(o.authoredNs);
  row[5] = titleOf(o.winnerId, o.winnerSubgroupSize);
  if (o.winnerId == "authored" && o.winnerSubgroupSize == 0 && o.tie)
    row[5] += " (tie)";
  if (isDeclared(result))
    row[5] += " (declared)";
  if (result.kept)
    row[5] += " (kept)";
  row[6] = timeText(o.winnerNs);
  row[7] = fixed(o.ratio, 2) + "x";
  row[8] = o.verified ? "yes" : "no";
  row[9] = timedText(o);
  row[10] = notTimedText(o);
  return row;
}

void printRow(llvm::raw_ostream &os, const Row &row, const std::array<size_t, kColumns> &widths) {
  std::string line;
  for (size_t i = 0; i < kColumns; ++i) {
    std::string pad(widths[i] - row[i].size(), ' ');
    line += i == 0 ? "" : "  ";
    line += kRightAligned[i] ? pad + row[i] : row[i] + pad;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  os << line << '\n';
}

} // namespace

void printTable(llvm::raw_ostream &os, const TuneReport &report) {
  std::vector<Row> rows = {{"device", "kernel", "size", "authored", "time", "winner", "time",
                            "ratio", "verified", "timed", "not timed"}};
  for (const TuneResult &result : report.results)
    rows.push_back(rowOf(result));
  std::array<size_t, kColumns> widths{};
  for (const Row &row : rows)
    for (size_t i = 0; i < kColumns; ++i)
      widths[i] = std::max(widths[i], row[i].size());
  for (const Row &row : rows)
    printRow(os, row, widths);
  if (std::any_of(report.results.begin(), report.results.end(), isDeclared))
    os << "declared: its author says that the size may vary; no proof, but its outputs agreed with "
          "the authored kernel's on that device in this run\n";
  for (const TuneResult &result : report.results) {
    const StoredWinner &o = result.outcome;
    std::string where = o.kernel + " (" + o.sizeName + ") on " + o.deviceName + ": ";
    if (result.failure)
      os << where << result.failure->text << '\n';
    for (const StoredCandidate &candidate : o.candidates) {
      if (candidate.state == CandidateState::Wrong)
        os << where << titleOf(candidate) << " WRONG RESULT: " << candidate.why << '\n';
      else if (candidate.state == CandidateState::Failed)
        os << where << titleOf(candidate) << " failed: " << candidate.why << '\n';
    }
  }
  for (const std::string &note : notesOf(report))
    os << "note: " << note << '\n';
}

namespace {

void writeSize(llvm::json::OStream &json, llvm::StringRef name, const Dim3 &size) {
  json.attributeArray(name, [&] {
    for (uint32_t extent : size.array())
      json.value(int64_t{extent});
  });
}

void writeOrigin(llvm::json::OStream &json, const StoredCandidate &candidate) {
  json.attribute("technique", candidate.technique);
  json.attribute("evidence", candidate.evidence);
}

void writeStatistics(llvm::json::OStream &json, const std::vector<PipelineStatistic> &statistics) {
  json.attributeArray("statistics", [&] {
    for (const PipelineStatistic &statistic : statistics)
      json.object([&] {
        writeText(json, "name", statistic.name); // as a driver writes it
        json.attribute("value", statistic.value);
      });
  });
}

void writeResult(llvm::json::OStream &json, const TuneResult &result) {
  const StoredWinner &o = result.outcome;
  json.attributeObject("device", [&] {
    writeText(json, "name", o.deviceName);
    json.attribute("type", llvm::StringRef(nameOf(result.device.type)));
    writeText(json, "driver", result.device.driverName + " " + result.device.driverInfo);
    writeText(json, "key", o.key.deviceKey);
  });
  writeText(json, "kernel", o.kernel);
  writeText(json, "entry_point", o.entryPoint);
  writeText(json, "size", o.sizeName);
  json.attribute("module_hash", o.key.moduleHash);
  json.attribute("variant_set_hash", o.key.variantHash);
  json.attribute("size_hash", o.key.sizeHash);
  writeSize(json, "groups", o.groups);
  if (result.failure) {
    writeText(json, "failure", result.failure->text);
  } else {
    if (result.kept)
      json.attribute("kept", true);
    json.attributeObject("authored", [&] {
      writeSize(json, "local_size", o.authoredSize);
      json.attribute("median_ns", o.authoredNs);
      json.attribute("spread", o.authoredSpread);
    });
    json.attributeObject("winner", [&] {
      writeText(json, "id", o.winnerId);
      if (const StoredCandidate *winner = o.candidate(o.winnerId, o.winnerSubgroupSize))
        writeOrigin(json, *winner);
      writeSize(json, "local_size", o.winnerSize);
      if (o.winnerSubgroupSize != 0)
        json.attribute("subgroup_size", int64_t{o.winnerSubgroupSize});
      json.attribute("median_ns", o.winnerNs);
      json.attribute("spread", o.winnerSpread);
      json.attribute("samples", int64_t{o.samples});
    });
    json.attribute("ratio", o.ratio);
    json.attribute("noise", o.noise);
    json.attribute("tie", o.tie);
    json.attribute("verified", o.verified);
    json.attribute("clock", o.hostClock ? "host" : "device");
  }
  json.attributeArray("candidates", [&] {
    for (const StoredCandidate &candidate : o.candidates) {
      json.object([&] {
        writeText(json, "id", candidate.variantId);
        writeOrigin(json, candidate);
        writeSize(json, "local_size", candidate.localSize);
        if (candidate.subgroupSize != 0)
          json.attribute("subgroup_size", int64_t{candidate.subgroupSize});
        json.attribute("state", llvm::StringRef(nameOf(candidate.state)));
        if (!candidate.why.empty())
          writeText(json, "why", candidate.why);
        if (candidate.medianNs > 0) {
          json.attribute("median_ns", candidate.medianNs);
          json.attribute("spread", candidate.spread);
          json.attribute("samples", int64_t{candidate.samples});
        }
        json.attribute("verified", candidate.verified);
        if (!candidate.statistics.empty())
          writeStatistics(json, candidate.statistics);
      });
    }
  });
}

} // namespace

void writeJson(llvm::raw_ostream &os, const TuneReport &report) {
  llvm::json::OStream json(os, 2);
  json.object([&] {
    json.attribute("schema", int64_t{kTuneReportSchema});
    json.attribute("tool", report.tool);
    json.attribute("date", report.date);
    json.attributeArray("results", [&] {
      for (const TuneResult &result : report.results)
        json.object([&] { writeResult(json, result); });
    });
    json.attributeArray("size_rules", [&] {
      for (const SizeRule &rule : sizeRulesOf(report))
        json.object([&] {
          writeText(json, "kernel", rule.kernel);
          writeText(json, "device", rule.device);
          json.attribute("sizes", int64_t(rule.sizes));
          writeText(json, "id", rule.variantId);
          json.attribute("worst_loss", rule.worstLoss);
        });
    });
    json.attributeArray("disagreements", [&] {
      for (const Disagreement &each : disagreementsOf(report))
        json.object([&] {
          writeText(json, "kernel", each.kernel);
          writeText(json, "size", each.size);
          writeText(json, "resource", each.resource);
          json.attributeArray("devices", [&] {
            json.value(llvm::json::fixUTF8(each.device));
            json.value(llvm::json::fixUTF8(each.other));
          });
        });
    });
  });
  os << '\n';
}

} // namespace tailor
