//===- Tuning/T4.cpp -------------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/T4.h"

#include "Tuning/WinnersJson.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

namespace tailor {

namespace {

using llvm::json::OStream;

constexpr double kMsPerNs = 1e-6, kMsPerSecond = 1e3;

/// The technique of a candidate of schema 1 is the first word of its id.
std::string techniqueOf(const StoredCandidate &candidate) {
  if (!candidate.technique.empty())
    return candidate.technique;
  return candidate.variantId.substr(0, candidate.variantId.find('-'));
}

/// What a tuner of another project would turn to get this candidate. Every result has the same
/// names; sizes are called what Kernel Tuner calls them.
void writeConfiguration(OStream &json, const StoredCandidate &candidate) {
  writeText(json, "variant", candidate.variantId);
  writeText(json, "technique", techniqueOf(candidate));
  json.attribute("block_size_x", int64_t{candidate.localSize.x});
  json.attribute("block_size_y", int64_t{candidate.localSize.y});
  json.attribute("block_size_z", int64_t{candidate.localSize.z});
  json.attribute("subgroup_size", int64_t{candidate.subgroupSize});
}

void writeTimes(OStream &json, const StoredCandidate &candidate) {
  // The schema has "compilation_time"; Kernel Tuner writes and readers read "compilation".
  writeNumber(json, "compilation_time", candidate.compileSeconds * kMsPerSecond);
  writeNumber(json, "compilation", candidate.compileSeconds * kMsPerSecond);
  writeNumber(json, "benchmark", candidate.measureSeconds * kMsPerSecond);
  writeNumber(json, "framework", 0);
  writeNumber(json, "search_algorithm", 0);
  writeNumber(json, "validation", candidate.verifySeconds * kMsPerSecond);
  json.attributeArray("runtimes", [&] {
    for (const TimeSample &sample : candidate.times)
      json.value(sample.ns * kMsPerNs);
  });
}

void writeMeasurement(OStream &json, const std::string &name, double value, const char *unit) {
  json.object([&] {
    writeText(json, "name", name);
    writeNumber(json, "value", value);
    json.attribute("unit", unit);
  });
}

void writeMeasurements(OStream &json, const StoredCandidate &candidate) {
  if (candidate.isTimed()) {
    writeMeasurement(json, "time", candidate.medianNs * kMsPerNs, "ms");
    writeMeasurement(json, "spread", candidate.spread, "");
  }
  if (candidate.expectedNs > 0)
    writeMeasurement(json, "expected_time", candidate.expectedNs * kMsPerNs, "ms");
  if (candidate.boundNs > 0)
    writeMeasurement(json, "bound_time", candidate.boundNs * kMsPerNs, "ms");
  for (const PipelineStatistic &statistic : candidate.statistics)
    writeMeasurement(json, statistic.name, statistic.value, "");
}

} // namespace

std::string_view t4Invalidity(const StoredCandidate &candidate) {
  switch (candidate.fault) {
  case CandidateFault::Refused:
    return "compile";
  case CandidateFault::Crashed:
  case CandidateFault::DeviceLost:
    return "runtime";
  case CandidateFault::WroteOutside:
  case CandidateFault::WrongResult:
    return "correctness";
  case CandidateFault::Hung:
  case CandidateFault::TooSlow:
    return "timeout";
  case CandidateFault::None:
    break;
  }
  switch (candidate.state) {
  case CandidateState::Measured:
    return "correct";
  case CandidateState::Dropped: // given up before it had a time: the search ran out of it
    return candidate.isTimed() ? "correct" : "timeout";
  case CandidateState::LeftOut:
    return "constraints";
  case CandidateState::Failed:
    return "runtime";
  case CandidateState::Wrong:
    return "correctness";
  }
  return "runtime";
}

void writeT4(llvm::raw_ostream &os, const StoredWinner &outcome) {
  OStream json(os, 1);
  json.object([&] {
    json.attribute("schema_version", kT4SchemaVersion);
    json.attributeObject("metadata", [&] {
      json.attribute("compute_api", "Vulkan");
      writeText(json, "platform", outcome.vendor);
      writeText(json, "device", outcome.deviceName);
      size_t space = outcome.tool.find(' ');
      writeText(json, "autotuner", outcome.tool.substr(0, space));
      writeText(json, "autotuner_version",
                space == std::string::npos ? "" : outcome.tool.substr(space + 1));
      writeText(json, "timestamp", outcome.date);
      json.attribute("timeunit", "milliseconds");
      writeText(json, "kernel", outcome.kernel);
      writeText(json, "problem_size", outcome.sizeName);
      writeText(json, "module_hash", outcome.key.moduleHash);
      writeText(json, "device_key", outcome.key.deviceKey);
    });
    json.attributeArray("results", [&] {
      for (const StoredCandidate &candidate : outcome.candidates)
        json.object([&] {
          std::string_view invalidity = t4Invalidity(candidate);
          writeText(json, "timestamp", outcome.date);
          json.attributeObject("configuration", [&] { writeConfiguration(json, candidate); });
          json.attributeObject("times", [&] { writeTimes(json, candidate); });
          writeText(json, "invalidity", std::string(invalidity));
          // 1: nothing says that its output is wrong.
          json.attribute("correctness", invalidity == "correctness" ? 0 : 1);
          json.attributeArray("measurements", [&] { writeMeasurements(json, candidate); });
          json.attributeArray("objectives", [&] { json.value("time"); });
        });
    });
  });
  os << '\n';
}

std::vector<std::string> t4FileNames(const std::vector<StoredWinner> &outcomes) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const StoredWinner &outcome : outcomes) {
    std::string name;
    for (char c : outcome.kernel + "-" + outcome.sizeName + "-" + outcome.deviceName) {
      bool plain = llvm::isAlnum(c) || c == '.' || c == '_';
      if (plain || (!name.empty() && name.back() != '-'))
        name += plain ? c : '-';
    }
    // A leading point would hide the file.
    name.erase(0, std::min(name.find_first_not_of(".-"), name.size()));
    while (!name.empty() && name.back() == '-')
      name.pop_back();
    if (name.empty())
      name = "outcome";
    std::string each = name;
    for (unsigned next = 2; !taken.insert(llvm::StringRef(each).lower()).second; ++next)
      each = name + "-" + std::to_string(next);
    names.push_back(each + ".json");
  }
  return names;
}

} // namespace tailor
