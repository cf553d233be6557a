//===- Tuning/WinnersJson.cpp - Writing ------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/WinnersJson.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <charconv>

namespace tailor {

namespace {

using llvm::json::OStream;

llvm::StringRef ref(std::string_view text) { return {text.data(), text.size()}; }

std::string numberText(double value) {
  char text[40];
  auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return error == std::errc() ? std::string(text, end) : "0";
}

void writeSize(OStream &json, llvm::StringRef name, const Dim3 &size) {
  json.attributeBegin(name);
  json.rawValue("[" + std::to_string(size.x) + ", " + std::to_string(size.y) + ", " +
                std::to_string(size.z) + "]");
  json.attributeEnd();
}

/// What is not known is not written.
void writeKnown(OStream &json, std::string_view name, double value) {
  if (value != 0)
    writeNumber(json, name, value);
}
void writeKnown(OStream &json, std::string_view name, const std::string &text) {
  if (!text.empty())
    writeText(json, name, text);
}

/// [{"round": 0, "ns": [1.5, 2]}, ...]: samples of a round that follow each other stand together.
void writeTimes(OStream &json, const std::vector<TimeSample> &times) {
  json.attributeArray("times", [&] {
    for (size_t i = 0; i < times.size();) {
      uint32_t round = times[i].round;
      std::string text = "{\"round\": " + std::to_string(round) + ", \"ns\": [";
      for (bool first = true; i < times.size() && times[i].round == round; ++i, first = false)
        text += (first ? "" : ", ") + numberText(times[i].ns);
      json.rawValue(text + "]}");
    }
  });
}

void writeCandidate(OStream &json, const StoredCandidate &c) {
  writeText(json, "id", c.variantId);
  writeKnown(json, "technique", c.technique);
  writeKnown(json, "evidence", c.evidence);
  writeSize(json, "local_size", c.localSize);
  writeKnown(json, "subgroup_size", c.subgroupSize);
  writeKnown(json, "module_hash", c.moduleHash);
  json.attribute("state", ref(nameOf(c.state)));
  writeKnown(json, "why", c.why);
  if (c.fault != CandidateFault::None)
    json.attribute("fault", ref(nameOf(c.fault)));
  json.attribute("verified", c.verified);
  writeKnown(json, "median_ns", c.medianNs);
  writeKnown(json, "spread", c.spread);
  writeKnown(json, "samples", c.samples);
  writeKnown(json, "expected_ns", c.expectedNs);
  writeKnown(json, "bound_ns", c.boundNs);
  writeKnown(json, "compile_s", c.compileSeconds);
  writeKnown(json, "verify_s", c.verifySeconds);
  writeKnown(json, "measure_s", c.measureSeconds);
  if (!c.times.empty())
    writeTimes(json, c.times);
  if (c.statistics.empty())
    return;
  json.attributeArray("statistics", [&] {
    for (const PipelineStatistic &statistic : c.statistics)
      json.object([&] {
        writeText(json, "name", statistic.name);
        writeNumber(json, "value", statistic.value);
      });
  });
}

void writeSearch(OStream &json, const SearchRecord &search) {
  writeKnown(json, "strategy", search.strategy);
  writeKnown(json, "ended", search.ended);
  writeKnown(json, "budget_s", search.budgetSeconds);
  writeKnown(json, "compile_s", search.compileSeconds);
  writeKnown(json, "verify_s", search.verifySeconds);
  writeKnown(json, "measure_s", search.measureSeconds);
}

} // namespace

void writeNumber(OStream &json, std::string_view name, double value) {
  json.attributeBegin(ref(name));
  json.rawValue(numberText(value));
  json.attributeEnd();
}

void writeText(OStream &json, std::string_view name, const std::string &text) {
  json.attribute(ref(name), llvm::json::isUTF8(text) ? text : llvm::json::fixUTF8(text));
}

void writeOutcomeMembers(OStream &json, const StoredWinner &o) {
  writeText(json, "kernel", o.kernel);
  writeText(json, "entry_point", o.entryPoint);
  writeText(json, "size", o.sizeName);
  json.attributeObject("device", [&] {
    writeText(json, "name", o.deviceName);
    writeText(json, "key", o.key.deviceKey);
    writeKnown(json, "vendor", o.vendor);
    writeKnown(json, "architecture", o.architecture);
    writeKnown(json, "facts", o.deviceFacts);
  });
  writeText(json, "module_hash", o.key.moduleHash);
  writeText(json, "variant_set_hash", o.key.variantHash);
  writeText(json, "size_hash", o.key.sizeHash);
  writeSize(json, "groups", o.groups);
  json.attributeObject("authored", [&] {
    writeSize(json, "local_size", o.authoredSize);
    writeNumber(json, "median_ns", o.authoredNs);
    writeNumber(json, "spread", o.authoredSpread);
  });
  json.attributeObject("winner", [&] {
    writeText(json, "id", o.winnerId);
    writeSize(json, "local_size", o.winnerSize);
    writeKnown(json, "subgroup_size", o.winnerSubgroupSize);
    writeNumber(json, "median_ns", o.winnerNs);
    writeNumber(json, "spread", o.winnerSpread);
    json.attribute("samples", int64_t{o.samples});
  });
  writeNumber(json, "ratio", o.ratio);
  writeNumber(json, "noise", o.noise);
  json.attribute("tie", o.tie);
  json.attribute("verified", o.verified);
  json.attribute("clock", o.hostClock ? "host" : "device");
  writeText(json, "tool", o.tool);
  writeText(json, "date", o.date);
  json.attributeObject("search", [&] { writeSearch(json, o.search); });
  json.attributeArray("candidates", [&] {
    for (const StoredCandidate &candidate : o.candidates)
      json.object([&] { writeCandidate(json, candidate); });
  });
}

void writeBadMembers(OStream &json, const KnownBad &bad) {
  writeText(json, "module_hash", bad.moduleHash);
  writeText(json, "device_key", bad.deviceKey);
  writeKnown(json, "subgroup_size", bad.subgroupSize);
  json.attribute("fault", ref(nameOf(bad.fault)));
  for (const auto &[name, text] :
       std::initializer_list<std::pair<std::string_view, const std::string &>>{
           {"why", bad.why},
           {"kernel", bad.kernel},
           {"variant", bad.variantId},
           {"tool", bad.tool},
           {"date", bad.date}})
    writeText(json, name, text);
}

void writeWinnersJson(llvm::raw_ostream &os, const WinnersFile &winners) {
  OStream json(os, 1);
  json.object([&] {
    json.attribute("schema", int64_t{kWinnersJsonSchema});
    writeText(json, "tool", winners.tool);
    json.attributeArray("outcomes", [&] {
      for (const StoredWinner &outcome : winners.outcomes)
        json.object([&] { writeOutcomeMembers(json, outcome); });
    });
    json.attributeArray("known_bad", [&] {
      for (const KnownBad &bad : winners.knownBad)
        json.object([&] { writeBadMembers(json, bad); });
    });
  });
  os << '\n';
}

} // namespace tailor
