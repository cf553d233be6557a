//===- ReportTests.cpp - Table and JSON --------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support/Json.h"
#include "Tuning/Report.h"

#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace tailor;

namespace {

TuneReport exampleReport() {
  TuneResult good;
  good.device.type = vulkan::DeviceType::Cpu;
  good.device.driverName = "driver";
  good.device.driverInfo = "1.2";
  StoredWinner &o = good.outcome;
  o.key = {"m", "v", "s", "key"};
  o.kernel = "blur";
  o.entryPoint = "main";
  o.sizeName = "small";
  o.deviceName = "gpu";
  o.groups = {4, 4, 1};
  o.authoredSize = {8, 8, 1};
  o.winnerId = "resize-64x1x1";
  o.winnerSize = {64, 1, 1};
  o.authoredNs = 2500000;
  o.winnerNs = 1000000;
  o.ratio = 2.5;
  o.samples = 22;
  o.verified = true;
  // A name as no driver should write it.
  std::vector<PipelineStatistic> figures = {{"Register Count", 40}, {"Depth\xff", 1.5}};
  o.candidates = {
      {"authored", {8, 8, 1}, CandidateState::Measured, "", 2500000, 0.01, 22, true},
      {"resize-64x1x1", {64, 1, 1}, CandidateState::Measured, "", 1000000, 0.01, 22, true},
      {"resize-2x1x1", {2, 1, 1}, CandidateState::Wrong, "1 of 2 differ", 0, 0, 0, false}};
  o.candidates[1].statistics = figures;
  for (StoredCandidate &candidate : o.candidates) {
    candidate.technique = candidate.variantId == "authored" ? "authored" : "resize";
    candidate.evidence = candidate.variantId == "resize-2x1x1" ? "declared" : "proven";
  }
  TuneResult bad = good;
  bad.outcome.deviceName = "old-gpu";
  bad.failure = Diagnostic::error({}, "no such format");
  bad.outcome.candidates.clear();
  return {"spirv-tailor test", "today", {good, bad}};
}

} // namespace

TEST(Report, TimesHaveThreeDigits) {
  EXPECT_EQ(timeText(0.5), "0.50 ns");
  EXPECT_EQ(timeText(812), "812 ns");
  EXPECT_EQ(timeText(999.9), "1.00 us");
  EXPECT_EQ(timeText(12345), "12.3 us");
  EXPECT_EQ(timeText(4561234), "4.56 ms");
  EXPECT_EQ(timeText(99960000), "100 ms");
  EXPECT_EQ(timeText(2.5e9), "2.50 s");
}

TEST(Report, TableIsAligned) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printTable(os, exampleReport());
  EXPECT_EQ(os.str(), "device   kernel  size   authored     time  winner            time  ratio  "
                      "verified  timed  not timed\n"
                      "gpu      blur    small  8x8x1     2.50 ms  resize-64x1x1  1.00 ms  2.50x  "
                      "yes         2/3  1 wrong\n"
                      "old-gpu  blur    small  8x8x1           -  failed               -      -  "
                      "no          0/0  -\n"
                      "blur (small) on gpu: resize-2x1x1 WRONG RESULT: 1 of 2 differ\n"
                      "blur (small) on old-gpu: no such format\n");
}

TEST(Report, TheTableSaysWhyVariantsWereNotTimed) {
  TuneReport report = exampleReport();
  report.results.resize(1);
  std::vector<StoredCandidate> &candidates = report.results[0].outcome.candidates;
  auto add = [&](CandidateState state, CandidateFault fault, std::string_view why = "") {
    StoredCandidate candidate;
    candidate.variantId = "v" + std::to_string(candidates.size());
    candidate.state = state;
    candidate.fault = fault;
    candidate.why = why;
    candidates.push_back(candidate);
  };
  add(CandidateState::Dropped, CandidateFault::None, kSearchPassed);
  add(CandidateState::Dropped, CandidateFault::None, kSearchPassed);
  add(CandidateState::Dropped, CandidateFault::None, kBudgetEnded);
  add(CandidateState::Dropped, CandidateFault::TooSlow, "a dispatch would take 9 s");
  add(CandidateState::LeftOut, CandidateFault::None, "does not divide");
  add(CandidateState::Failed, CandidateFault::Refused, "no");
  add(CandidateState::Failed, CandidateFault::Crashed, "no");
  add(CandidateState::Wrong, CandidateFault::WroteOutside, "no");
  std::string text;
  llvm::raw_string_ostream os(text);
  printTable(os, report);
  const std::string row = os.str().substr(os.str().find("\ngpu") + 1);
  EXPECT_EQ(row.substr(row.find("yes"), row.find('\n') - row.find("yes")),
            "yes        2/11  2 search, 2 wrong, 1 budget, 1 crashed, 1 refused, 1 slow, 1 unfit");
}

TEST(Report, JsonHoldsTheSame) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeJson(os, exampleReport());
  Result<JsonDocument> doc = parseJson(os.str(), "report.json");
  ASSERT_TRUE(doc) << doc.diagnostic().text << text;
  EXPECT_EQ(doc->root.find("schema")->magnitude, kTuneReportSchema);
  const JsonValue &good = doc->root.find("results")->elements.at(0);
  EXPECT_EQ(good.find("device")->find("name")->string, "gpu");
  EXPECT_EQ(good.find("winner")->find("id")->string, "resize-64x1x1");
  EXPECT_EQ(good.find("winner")->find("technique")->string, "resize");
  EXPECT_EQ(good.find("winner")->find("evidence")->string, "proven");
  EXPECT_EQ(good.find("candidates")->elements.at(2).find("evidence")->string, "declared");
  EXPECT_EQ(good.find("winner")->find("local_size")->elements.at(0).magnitude, 64U);
  EXPECT_EQ(good.find("ratio")->number, 2.5);
  EXPECT_TRUE(good.find("verified")->boolean);
  EXPECT_EQ(good.find("candidates")->elements.at(2).find("state")->string, "wrong");
  EXPECT_FALSE(good.find("candidates")->elements.at(0).find("statistics"));
  const JsonValue *figures = good.find("candidates")->elements.at(1).find("statistics");
  ASSERT_TRUE(figures && figures->elements.size() == 2);
  EXPECT_EQ(figures->elements[0].find("name")->string, "Register Count");
  EXPECT_EQ(figures->elements[0].find("value")->number, 40);
  EXPECT_EQ(figures->elements[1].find("value")->number, 1.5);
  const JsonValue &bad = doc->root.find("results")->elements.at(1);
  EXPECT_EQ(bad.find("failure")->string, "no such format");
  EXPECT_FALSE(bad.find("winner"));
}
