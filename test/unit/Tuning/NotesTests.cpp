//===- NotesTests.cpp - One variant for all sizes, devices that differ ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tailor;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

using Times = std::vector<std::pair<std::string, double>>;

TuneResult resultOf(const std::string &size, const Times &times,
                    const std::string &device = "dev") {
  TuneResult result;
  StoredWinner &outcome = result.outcome;
  outcome.key = {"module", "variants", size, device};
  outcome.kernel = "blur";
  outcome.sizeName = size;
  outcome.deviceName = device;
  for (const auto &[id, time] : times) {
    StoredCandidate candidate;
    candidate.variantId = id;
    candidate.medianNs = time;
    candidate.verified = time > 0;
    candidate.state = time > 0 ? CandidateState::Measured : CandidateState::LeftOut;
    outcome.candidates.push_back(candidate);
  }
  return result;
}

TuneReport reportOf(std::vector<TuneResult> results) { return {"tool", "", std::move(results)}; }

} // namespace

TEST(SizeRules, AVariantNearTheBestAtAllSizesIsNamed) {
  const TuneReport report = reportOf({resultOf("s", {{"authored", 200}, {"a", 101}, {"b", 100}}),
                                      resultOf("l", {{"authored", 900}, {"a", 500}, {"b", 600}})});
  const std::vector<SizeRule> rules = sizeRulesOf(report);
  ASSERT_EQ(rules.size(), 1U);
  EXPECT_EQ(rules[0].variantId, "a");
  EXPECT_EQ(rules[0].sizes, 2U);
  EXPECT_NEAR(rules[0].worstLoss, 0.01, 1e-12);
  EXPECT_THAT(notesOf(report),
              ElementsAre("blur on dev: a is within 1.0 % of the best at all 2 problem sizes"));
}

TEST(SizeRules, ThereIsNoneWhereTheSizesWantOthers) {
  EXPECT_THAT(sizeRulesOf(reportOf({resultOf("s", {{"authored", 103}, {"a", 100}}),
                                    resultOf("l", {{"authored", 100}, {"a", 103}})})),
              IsEmpty());
}

TEST(SizeRules, OneSizeIsNoRule) {
  EXPECT_THAT(sizeRulesOf(reportOf({resultOf("s", {{"authored", 1}, {"a", 2}})})), IsEmpty());
  EXPECT_THAT(sizeRulesOf(reportOf({resultOf("s", {{"authored", 1}, {"a", 2}}),
                                    resultOf("s", {{"authored", 1}, {"a", 2}})})),
              IsEmpty());
}

TEST(SizeRules, WhatWasNotTimedAtASizeIsNotIt) {
  TuneResult wrong = resultOf("l", {{"authored", 100}, {"a", 50}});
  wrong.outcome.candidates[1].state = CandidateState::Wrong;
  wrong.outcome.candidates[1].verified = false;
  EXPECT_THAT(sizeRulesOf(reportOf({resultOf("s", {{"authored", 100}, {"a", 50}}), wrong})),
              IsEmpty());
  EXPECT_THAT(sizeRulesOf(reportOf({resultOf("s", {{"authored", 100}, {"a", 50}}),
                                    resultOf("l", {{"authored", 100}, {"a", 0}})})),
              IsEmpty());
}

TEST(SizeRules, TheAuthoredOneIsTakenWhereAnotherIsNoBetter) {
  const std::vector<SizeRule> rules =
      sizeRulesOf(reportOf({resultOf("s", {{"authored", 100}, {"a", 100}}),
                            resultOf("l", {{"authored", 50}, {"a", 50}})}));
  ASSERT_EQ(rules.size(), 1U);
  EXPECT_EQ(rules[0].variantId, "authored");
}

TEST(SizeRules, EachDeviceHasItsOwn) {
  const Times fast = {{"authored", 100}, {"a", 50}}, slow = {{"authored", 50}, {"a", 100}};
  EXPECT_THAT(notesOf(reportOf({resultOf("s", fast, "x"), resultOf("s", slow, "y"),
                                resultOf("l", fast, "x"), resultOf("l", slow, "y")})),
              ElementsAre("blur on x: a is the best at all 2 problem sizes",
                          "blur on y: authored is the best at all 2 problem sizes"));
}

TEST(Disagreements, AreOfOneKernelAtOneSize) {
  TuneResult one = resultOf("s", {{"authored", 1}}, "x"),
             same = resultOf("s", {{"authored", 1}}, "y"),
             other = resultOf("s", {{"authored", 1}}, "z"),
             size = resultOf("l", {{"authored", 1}}, "x");
  one.outputs = {{"set 0 binding 1", "aa"}, {"set 0 binding 2", "bb"}};
  same.outputs = one.outputs;
  other.outputs = {{"set 0 binding 1", "aa"}, {"set 0 binding 2", "cc"}};
  size.outputs = {{"set 0 binding 1", "dd"}};
  EXPECT_THAT(disagreementsOf(reportOf({one, same, size})), IsEmpty());
  EXPECT_THAT(notesOf(reportOf({one, same, other, size})),
              ElementsAre("blur (s): x and z give other integers in set 0 binding 2; if neither "
                          "rounding nor the size of subgroups is to blame, a driver is"));
}

TEST(Spills, OfTheAuthoredKernelAndTheWinnerAreNamed) {
  TuneResult result = resultOf("s", {{"authored", 100}, {"a", 50}, {"b", 80}});
  result.outcome.winnerId = "a";
  result.outcome.candidates[0].statistics = {{"Registers", 64}, {"Spilled VGPRs", 12}};
  result.outcome.candidates[1].statistics = {{"Registers", 32}, {"Spilled VGPRs", 0}};
  result.outcome.candidates[2].statistics = {{"Spill Count", 5}};
  EXPECT_THAT(
      notesOf(reportOf({result})),
      ElementsAre("blur (s) on dev: authored does not fit the registers (Spilled VGPRs 12)"));
  result.outcome.winnerId = "b";
  EXPECT_EQ(spillsOf(reportOf({result})).size(), 2U);
}
