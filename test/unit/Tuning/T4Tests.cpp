//===- T4Tests.cpp - Outcomes for other auto-tuners' tools ---------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The constraints are those of the published results schema, version 1.0.0
// (kernel_tuner/schema/T4/1.0.0/results-schema.json), and of the extension with
// metadata in the autotuning methodology's T4.json, written down anew.
//
//===----------------------------------------------------------------------===//
#include "Outcomes.h"
#include "Support/Json.h"
#include "TestSupport.h"
#include "Tuning/T4.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <regex>

using namespace tailor;
using namespace tailor::test;

namespace {

using Kind = JsonValue::Kind;

std::string t4Of(const StoredWinner &outcome) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeT4(os, outcome);
  return text;
}

bool isOneOf(const JsonValue *value, std::initializer_list<std::string_view> words) {
  return value && value->kind == Kind::String &&
         std::find(words.begin(), words.end(), value->string) != words.end();
}

/// What the schema says of a value: every rule that it breaks, by its place.
class Schema {
public:
  std::vector<std::string> broken;

  void file(const JsonValue &root) {
    is(&root, Kind::Object, "file");
    const JsonValue *version = root.find("schema_version");
    is(version, Kind::String, "schema_version");
    rule(version && std::regex_match(version->string, std::regex("[0-9]+\\.[0-9]+\\.[0-9]+")),
         "schema_version is no version");
    if (const JsonValue *meta = root.find("metadata")) {
      rule(isOneOf(meta->find("compute_api"), {"OpenCL", "CUDA", "Vulkan"}), "compute_api");
      rule(isOneOf(meta->find("timeunit"),
                   {"nanoseconds", "microseconds", "milliseconds", "seconds"}),
           "timeunit");
      for (const char *name : {"platform", "device", "autotuner", "autotuner_version", "timestamp"})
        is(meta->find(name), Kind::String, name);
    }
    const JsonValue *results = root.find("results");
    is(results, Kind::Array, "results");
    if (results)
      for (const JsonValue &each : results->elements)
        result(each);
  }

private:
  void rule(bool holds, const std::string &what) {
    if (!holds)
      broken.push_back(what);
  }
  void is(const JsonValue *value, Kind kind, const std::string &what) {
    rule(value && value->kind == kind, what + " has another type, or is not there");
  }
  void isNumber(const JsonValue *value, const std::string &what) {
    rule(value && value->isNumber(), what + " is no number");
  }
  void result(const JsonValue &result) {
    is(&result, Kind::Object, "result");
    is(result.find("configuration"), Kind::Object, "configuration");
    is(result.find("timestamp"), Kind::String, "timestamp");
    rule(isOneOf(result.find("invalidity"),
                 {"timeout", "compile", "runtime", "correctness", "constraints", "correct"}),
         "invalidity");
    const JsonValue *correctness = result.find("correctness");
    isNumber(correctness, "correctness");
    rule(correctness && (correctness->number == 0 || correctness->number == 1), "correctness");
    const JsonValue *times = result.find("times");
    is(times, Kind::Object, "times");
    for (const char *name : {"compilation_time", "compilation", "benchmark", "framework",
                             "search_algorithm", "validation"})
      isNumber(times ? times->find(name) : nullptr, name);
    const JsonValue *runtimes = times ? times->find("runtimes") : nullptr;
    is(runtimes, Kind::Array, "runtimes");
    if (runtimes)
      for (const JsonValue &each : runtimes->elements)
        isNumber(&each, "a runtime");
    const JsonValue *measurements = result.find("measurements");
    is(measurements, Kind::Array, "measurements");
    if (measurements)
      for (const JsonValue &each : measurements->elements) {
        is(each.find("name"), Kind::String, "name");
        is(each.find("unit"), Kind::String, "unit");
        isNumber(each.find("value"), "value");
      }
    const JsonValue *objectives = result.find("objectives");
    is(objectives, Kind::Array, "objectives");
    if (objectives)
      for (const JsonValue &each : objectives->elements)
        is(&each, Kind::String, "an objective");
    // Not in the schema, and what every reader does: look an objective up in the measurements.
    if (isOneOf(result.find("invalidity"), {"correct"}) && measurements)
      rule(std::any_of(measurements->elements.begin(), measurements->elements.end(),
                       [](const JsonValue &each) { return each.find("name")->string == "time"; }),
           "a correct result without its objective");
  }
};

StoredWinner everyFate() {
  StoredWinner w = fullWinnerOf("small", deviceKeyOf({}));
  w.candidates[1].subgroupSize = 0;
  auto add = [&](CandidateState state, CandidateFault fault, double ns = 0) {
    StoredCandidate c{"c" + std::to_string(w.candidates.size()), {8, 1, 1}, state, "why", ns};
    c.fault = fault;
    c.verified = ns > 0;
    w.candidates.push_back(c);
  };
  add(CandidateState::Failed, CandidateFault::Refused);
  add(CandidateState::Failed, CandidateFault::Crashed);
  add(CandidateState::Failed, CandidateFault::DeviceLost);
  add(CandidateState::Wrong, CandidateFault::WroteOutside);
  add(CandidateState::Wrong, CandidateFault::None);
  add(CandidateState::Dropped, CandidateFault::TooSlow);
  add(CandidateState::Dropped, CandidateFault::None);
  add(CandidateState::Dropped, CandidateFault::None, 5000);
  add(CandidateState::Failed, CandidateFault::None);
  return w;
}

} // namespace

TEST(T4, KeepsToThePublishedSchema) {
  for (const StoredWinner &outcome : {winnerOf("small"), everyFate()}) {
    Result<JsonDocument> document = parseJson(t4Of(outcome), "t4.json");
    ASSERT_TRUE(document) << textOf(document.diagnostic());
    Schema schema;
    schema.file(document->root);
    EXPECT_EQ(schema.broken, std::vector<std::string>());
    EXPECT_EQ(document->root.find("results")->elements.size(), outcome.candidates.size());
  }
  // The check itself can fail.
  Result<JsonDocument> wrong = parseJson("{\"schema_version\": \"1\", \"results\": [{}]}", "w");
  ASSERT_TRUE(wrong);
  Schema schema;
  schema.file(wrong->root);
  EXPECT_GE(schema.broken.size(), 10U);
}

TEST(T4, SaysWhatBecameOfEachCandidate) {
  StoredWinner outcome = everyFate();
  std::vector<std::string> words;
  for (const StoredCandidate &candidate : outcome.candidates)
    words.emplace_back(t4Invalidity(candidate));
  EXPECT_EQ(words,
            (std::vector<std::string>{"correct", "correct", "constraints", "timeout", "compile",
                                      "runtime", "runtime", "correctness", "correctness", "timeout",
                                      "timeout", "correct", "runtime"}));
}

TEST(T4, TimesAreMilliseconds) {
  Result<JsonDocument> document = parseJson(t4Of(everyFate()), "t4.json");
  ASSERT_TRUE(document);
  const JsonValue &winner = document->root.find("results")->elements[1];
  const JsonValue &times = *winner.find("times");
  EXPECT_DOUBLE_EQ(times.find("compilation")->number, 100);
  EXPECT_DOUBLE_EQ(times.find("validation")->number, 200);
  EXPECT_DOUBLE_EQ(times.find("benchmark")->number, 300);
  ASSERT_EQ(times.find("runtimes")->elements.size(), 2U);
  EXPECT_DOUBLE_EQ(times.find("runtimes")->elements[0].number, 0.0010005);
  const JsonValue &measurements = *winner.find("measurements");
  EXPECT_EQ(measurements.elements[0].find("name")->string, "time");
  EXPECT_DOUBLE_EQ(measurements.elements[0].find("value")->number, 0.0010005);
  EXPECT_EQ(measurements.elements.back().find("name")->string, "Registers");
  const JsonValue &configuration = *winner.find("configuration");
  EXPECT_EQ(configuration.find("variant")->string, "resize-64x1x1");
  EXPECT_EQ(configuration.find("technique")->string, "resize");
  EXPECT_EQ(configuration.find("block_size_x")->magnitude, 64U);
  EXPECT_EQ(document->root.find("metadata")->find("autotuner")->string, "spirv-tailor");
  EXPECT_EQ(document->root.find("metadata")->find("autotuner_version")->string, "test");
}

TEST(T4, FileNamesAreTameAndEachAnother) {
  StoredWinner a = winnerOf("1080p"), b = a, c = a, d = a;
  a.deviceName = "llvmpipe (LLVM 15.0.6, 256 bits)";
  b.deviceName = "LLVMPIPE (LLVM 15.0.6; 256 bits)";
  c.kernel = "../../etc/x";
  d.kernel = d.sizeName = d.deviceName = "\xc3\xa9";
  EXPECT_EQ(t4FileNames({a, b, c, d}),
            (std::vector<std::string>{"blur-1080p-llvmpipe-LLVM-15.0.6-256-bits.json",
                                      "blur-1080p-LLVMPIPE-LLVM-15.0.6-256-bits-2.json",
                                      "etc-x-1080p-llvmpipe-quoted-name.json", "outcome.json"}));
}
