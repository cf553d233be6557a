//===- unit/Vulkan/MeasureTest.cpp - Tests of measuring -----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestDevices.h"

#include "shaders/inplaceWords.h"
#include "shaders/nothingWords.h"
#include "shaders/spinWords.h"

#include <algorithm>

using namespace tailor;
using namespace tailor::vulkan;
using namespace tailor::vulkan::test;

namespace {

class Measuring : public OnDevice {
protected:
  void SetUp() override {
    OnDevice::SetUp();
    ResourceDesc data = bufferAt(0, std::vector<uint32_t>(16 * 64, 1));
    data.output = true;
    runner = runnerOf({{data}, bytesOfValue<uint32_t>(0)});
    options = MeasureOptions::forDevice(info());
    options.moreRounds = 0; // so that their number is known
  }
  void TearDown() override {
    runner.reset();
    OnDevice::TearDown();
  }
  PipelineId spin(std::string name, uint32_t rounds) {
    Candidate candidate = candidateOf(std::move(name), spinWords, {64, 1, 1}, {16, 1, 1});
    candidate.requiredPushConstantBytes = 4;
    candidate.pushConstants = bytesOfValue(rounds);
    auto prepared = runner->prepare(candidate);
    EXPECT_TRUE(bool(prepared)) << (prepared ? "" : prepared.diagnostic().text);
    return prepared ? *prepared : PipelineId{};
  }
  MeasureReport measured(const std::vector<PipelineId> &pipelines, size_t reference = 0,
                         const ProgressFunction &progress = {}) {
    auto report = runner->measure(pipelines, options, reference, progress);
    EXPECT_TRUE(bool(report)) << (report ? "" : report.diagnostic().text);
    return report ? *std::move(report) : MeasureReport{};
  }

  std::unique_ptr<Runner> runner;
  MeasureOptions options;
};
TAILOR_ON_EVERY_DEVICE(Measuring);

TEST_P(Measuring, FourTimesTheWorkTakesAboutFourTimesAsLong) {
  uint32_t rounds = options.rounds;
  options.referenceBetween = true;
  MeasureReport report = measured({spin("one", 200), spin("four", 800)});
  ASSERT_EQ(report.candidates.size(), 2U);
  for (const Measurement &m : report.candidates) {
    EXPECT_EQ(m.state, MeasureState::Measured) << m.why;
    EXPECT_EQ(m.roundMediansNs.size(), rounds);
    EXPECT_LE(m.samplesNs.size() + m.rejectedSpans, size_t{rounds} * options.samples);
    EXPECT_GE(m.samplesNs.size(), size_t{rounds} * 3); // three a round, however slow the device
    EXPECT_GT(m.minNs, 0);
    EXPECT_LE(m.minNs, m.medianNs);
    EXPECT_EQ(m.timeNs, m.fastest ? m.minNs : m.medianNs);
    EXPECT_EQ(m.fastest, info().isCpu());
    EXPECT_GE(m.noise(), m.roundDisagreement);
  }
  EXPECT_EQ(report.candidates[1].name, "four");
  // The host shares its processors with other work: a wide margin.
  double ratio = report.candidates[1].minNs / report.candidates[0].minNs;
  EXPECT_GT(ratio, 1.5);
  EXPECT_LT(ratio, 10.0);
  // One reading of the reference after each candidate of each round.
  EXPECT_EQ(report.referenceMediansNs.size(), size_t{rounds} * 2);
  EXPECT_FALSE(report.hostClock);
  EXPECT_GT(report.clockStepNs, 0);
}

TEST_P(Measuring, ShortDispatchesAreRepeatedInsideASpan) {
  MeasureReport report = measured({spin("short", 1)});
  const Measurement &m = report.candidates.at(0);
  ASSERT_EQ(m.state, MeasureState::Measured) << m.why;
  if (m.medianNs < options.minSpan * 1e9 / 2) {
    EXPECT_GT(m.repeats, 1U);
  }
  // What was timed is at least near the shortest span that is trusted.
  EXPECT_GT(m.medianNs * m.repeats, options.minSpan * 1e9 / 4);
}

TEST_P(Measuring, TheHostsClockAgreesWithTheDevices) {
  PipelineId id = spin("long", 20'000);
  double byDevice = measured({id}).candidates.at(0).minNs;
  options.hostClock = true;
  MeasureReport byHost = measured({id});
  EXPECT_TRUE(byHost.hostClock);
  ASSERT_EQ(byHost.candidates.at(0).state, MeasureState::Measured);
  EXPECT_GT(byHost.candidates[0].minNs, byDevice * 0.5);
  EXPECT_LT(byHost.candidates[0].minNs, byDevice * 3);
}

TEST_P(Measuring, TheCallerDropsAndStops) {
  std::vector<PipelineId> ids = {spin("a", 100), spin("b", 100), spin("c", 100)};
  options.rounds = 3;
  std::vector<std::string> order;
  MeasureReport dropped = measured(ids, 0, [&](const MeasureProgress &p) {
    order.push_back(p.latest->name);
    EXPECT_EQ(p.total, 9U);
    EXPECT_EQ(p.done, order.size());
    return p.latest->name == "b" ? Verdict::Drop : Verdict::Continue;
  });
  EXPECT_EQ(dropped.candidates[1].roundMediansNs.size(), 1U);
  EXPECT_EQ(dropped.candidates[2].roundMediansNs.size(), 3U);
  EXPECT_FALSE(dropped.stopped);
  // The second round runs in another order than the first.
  std::vector<std::string> first(order.begin(), order.begin() + 3),
      second(order.begin() + 3, order.begin() + 6);
  EXPECT_NE(first, second);
  MeasureReport stopped = measured(ids, 0, [](const MeasureProgress &) { return Verdict::Stop; });
  EXPECT_TRUE(stopped.stopped);
  EXPECT_EQ(stopped.candidates[0].state, MeasureState::Measured);
  EXPECT_EQ(stopped.candidates[2].state, MeasureState::NotReached);
}

TEST_P(Measuring, AWarmDeviceIsNotWarmedUpAgain) {
  std::vector<PipelineId> ids = {spin("a", 2000), spin("b", 4000)};
  options.minLoadTime = options.stableTime = 0.15;
  options.warmUpBudget = 10;
  options.warmTolerance = 100; // others use this machine too
  MeasureReport cold = measured(ids);
  EXPECT_FALSE(cold.foundWarm);
  EXPECT_GE(cold.warmUpSeconds, 0.3);
  MeasureReport warm = measured(ids);
  EXPECT_TRUE(warm.foundWarm);
  EXPECT_LT(warm.warmUpSeconds, 0.3);
  // What is slower than it was on the warm device is warmed up.
  options.warmTolerance = -0.99;
  MeasureReport slower = measured(ids);
  EXPECT_FALSE(slower.foundWarm);
  EXPECT_GE(slower.warmUpSeconds, 0.3);
  // Another reference says nothing of how warm the device is.
  options.warmTolerance = 100;
  EXPECT_FALSE(measured(ids, 1).foundWarm);
  // Nor does one that is gone.
  runner->release(ids[1]);
  EXPECT_FALSE(measured({ids[0], spin("b", 4000)}, 1).foundWarm);
}

TEST_P(Measuring, RoundsAreAddedForWhatIsUncertain) {
  std::vector<PipelineId> ids = {spin("reference", 200), spin("near", 200), spin("far", 2000)};
  options.rounds = 2;
  options.moreRounds = 3;
  options.precision = -1; // nothing is sure enough
  options.fastest = true;
  MeasureReport report = measured(ids);
  EXPECT_EQ(report.candidates[0].roundMediansNs.size(), 5U);
  EXPECT_EQ(report.candidates[2].roundMediansNs.size(), 2U);
  options.precision = 1e9;
  EXPECT_EQ(measured(ids).candidates[0].roundMediansNs.size(), 2U);
  options.precision = -1;
  options.fastest = false;
  EXPECT_EQ(measured(ids).candidates[0].roundMediansNs.size(), 2U);
}

TEST_P(Measuring, LongDispatchesAreTimedLessOften) {
  PipelineId id = spin("long", 2000);
  options.rounds = 1;
  options.samples = 12;
  options.fewestSamples = 5;
  options.turnTime = 1e-9;
  EXPECT_LE(measured({id}).candidates.at(0).samplesNs.size(), 5U);
  options.turnTime = 100;
  options.candidateBudget = 100;
  Measurement all = measured({id}).candidates.at(0);
  EXPECT_EQ(all.samplesNs.size() + all.rejectedSpans, 12U);
}

TEST_P(Measuring, ADispatchOverTheLimitIsSkipped) {
  options.maxDispatchTime = 1e-7;
  MeasureReport report = measured({spin("slow", 100'000)});
  EXPECT_EQ(report.candidates[0].state, MeasureState::Skipped);
  EXPECT_THAT(report.candidates[0].why, ::testing::HasSubstr("s allowed"));
}

TEST_P(Measuring, AHangCostsOneCandidateAndIsNamed) {
  options.hangTimeout = 1e-5; // so that an ordinary dispatch counts as one that never ends
  MeasureReport report = measured({spin("hangs", 50'000), spin("next", 1)});
  EXPECT_EQ(report.candidates[0].state, MeasureState::Failed);
  EXPECT_THAT(report.candidates[0].why, ::testing::HasSubstr("did not end within 1e-05 s"));
  EXPECT_EQ(report.candidates[1].state, MeasureState::NotReached);
  EXPECT_TRUE(device->lost());
  auto later = runner->runOnce(report.candidates[1].pipeline);
  ASSERT_FALSE(bool(later));
  EXPECT_EQ(later.diagnostic().text,
            "candidate 'next': device '" + info().name + "' was lost before");
  EXPECT_EQ(later.diagnostic().kind, ErrorKind::Environment);
}

TEST_P(Measuring, CheckedRunsStayRightAfterwards) {
  PipelineId id = spin("once", 1);
  auto before = runner->runOnce(id);
  measured({id});
  auto after = runner->runOnce(id);
  ASSERT_TRUE(before && after);
  EXPECT_EQ(before->outputs[0].bytes, after->outputs[0].bytes);
  EXPECT_EQ(valuesOf<uint32_t>(after->outputs[0].bytes)[0], 1664525U + 1013904223U);
}

TEST_P(Measuring, RefusesARequestThatMakesNoSense) {
  PipelineId id = spin("x", 1);
  std::vector<PipelineId> none, twice = {id, id}, one = {id};
  EXPECT_FALSE(bool(runner->measure(none, options)));
  EXPECT_FALSE(bool(runner->measure(twice, options)));
  EXPECT_FALSE(bool(runner->measure(one, options, 1)));
  options.samples = 0;
  EXPECT_FALSE(bool(runner->measure(one, options)));
}

} // namespace
