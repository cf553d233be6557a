//===- IsolationTests.cpp - Variants that crash, hang, lie or crawl ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One of several variants does harm: it is named, and the others are tuned as if
// it were not there. On every device that the loader finds.
//
#include "TestSupport.h"
#include "Tuning/IsolatedRun.h"
#include "Tuning/TuneSink.h"
#include "Tuning/Tuner.h"

#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>
#include <utility>

using namespace tailor;
using namespace tailor::test;
using testing::HasSubstr;

namespace {

constexpr const char *kVictim = "resize-32x1x1";

struct Outcome {
  std::optional<TuneReport> report;
  std::optional<Diagnostic> failure;
  Diagnostics diags;
  std::string progress;
  double seconds = 0;
};

TuneOptions quickOptions() {
  TuneOptions options;
  options.date = "2024-02-29T12:00:00Z";
  options.patience = 20; // other tests run beside this one
  options.adjustMeasuring = [](vulkan::MeasureOptions &m) {
    m.minLoadTime = 0.002;
    m.stableTime = 0.002;
    m.warmUpBudget = m.candidateBudget = 0.01;
    m.samples = 5;
    m.rounds = 2;
    m.referenceBetween = false;
  };
  return options;
}

/// `body` is run by each of 4,096 invocations; SX is the size: 64 authored, 32 the victim, 16, 8.
Outcome tuneWith(const std::string &body, const TuneOptions &options) {
  Bundle bundle = bundleOf({"#version 450\nlayout(local_size_x = SX, local_size_y = SY) in;\n"
                            "layout(binding = 0, std430) readonly buffer Src { uint src[]; };\n"
                            "layout(binding = 1, std430) buffer Dst { uint dst[]; };\n"
                            "void main() { uint i = gl_GlobalInvocationID.x;\n" +
                                body + "\n}\n",
                            {{64, 1, 1}, {32, 1, 1}, {16, 1, 1}, {8, 1, 1}}});
  const Workload workload = workloadOf(
      R"({ "schema": 1, "groups": [64], "bindings": [
        { "binding": 0, "kind": "storage_buffer", "bytes": 16384, "fill": { "kind": "random", "seed": 1 } },
        { "binding": 1, "kind": "storage_buffer", "bytes": 16384, "output": true }] })");
  Outcome outcome;
  llvm::raw_string_ostream os(outcome.progress);
  Progress progress(os, false);
  const auto start = std::chrono::steady_clock::now();
  Result<TuneReport> report = tune({bundle}, workload, options, outcome.diags, progress);
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (report)
    outcome.report = std::move(*report);
  else
    outcome.failure = report.takeFailure().diagnostic;
  return outcome;
}

const StoredCandidate &victimOf(const TuneResult &result) {
  const StoredCandidate *found = result.outcome.candidate(kVictim);
  EXPECT_TRUE(found);
  return *found;
}

/// Everybody but the victim was timed, and one of them won.
void expectOthersTuned(const Outcome &outcome) {
  ASSERT_TRUE(outcome.report) << textOf(*outcome.failure);
  ASSERT_FALSE(outcome.report->results.empty());
  for (const TuneResult &result : outcome.report->results) {
    ASSERT_FALSE(result.failure) << result.failure->text;
    EXPECT_TRUE(result.outcome.verified);
    EXPECT_NE(result.outcome.winnerId, kVictim);
    for (const StoredCandidate &candidate : result.outcome.candidates)
      if (candidate.variantId != kVictim) {
        EXPECT_EQ(candidate.state, CandidateState::Measured)
            << candidate.variantId << ": " << candidate.why;
      }
  }
}

constexpr const char *kPlain = "dst[i] = src[i] * 3u;";

/// Adds nothing to `s` in 64 * `rounds` steps: no value of the input is 12345678, which no compiler
/// knows. llvmpipe ends every loop after 65,535 rounds, so that a round has to take its time.
std::string slowly(const char *where, unsigned rounds) {
  std::string text = std::string("#if ") + where + "\nfor (uint k = 0u; k < " +
                     std::to_string(rounds) + "u; ++k) {\n";
  for (unsigned part = 0; part != 64; ++part)
    text +=
        "s += src[(i + k * 61u + " + std::to_string(part) + "u) & 4095u] == 12345678u ? 1u : 0u;\n";
  return text + "}\n#endif\n";
}

} // namespace

struct PhaseName {
  TuneStep::Phase phase;
  const char *text;
};
class AtEveryStep : public testing::TestWithParam<PhaseName> {};

TEST_P(AtEveryStep, ACrashCostsOneVariant) {
  TuneOptions options = quickOptions();
  options.interfere = [&](const TuneStep &step, const std::string &variant, vulkan::Device &) {
    if (step.phase == GetParam().phase && variant == kVictim)
      raise(SIGKILL);
  };
  Outcome o = tuneWith(kPlain, options);
  expectOthersTuned(o);
  for (const TuneResult &result : o.report->results) {
    EXPECT_EQ(victimOf(result).state, CandidateState::Failed);
    EXPECT_EQ(victimOf(result).fault, CandidateFault::Crashed);
    EXPECT_THAT(victimOf(result).why, HasSubstr("ended by signal 9"));
    EXPECT_THAT(victimOf(result).why, HasSubstr(GetParam().text));
  }
  EXPECT_THAT(o.progress, HasSubstr("variant 'resize-32x1x1' is given up: the driver's process"));
}

TEST_P(AtEveryStep, ADeviceThatIsLostCostsOneVariant) {
  TuneOptions options = quickOptions();
  options.interfere = [&](const TuneStep &step, const std::string &variant,
                          vulkan::Device &device) {
    if (step.phase == GetParam().phase && variant == kVictim)
      device.simulateLoss();
  };
  Outcome o = tuneWith(kPlain, options);
  expectOthersTuned(o);
  for (const TuneResult &result : o.report->results) {
    EXPECT_EQ(victimOf(result).state, CandidateState::Failed);
    EXPECT_EQ(victimOf(result).fault, CandidateFault::DeviceLost) << victimOf(result).why;
  }
}

INSTANTIATE_TEST_SUITE_P(Isolation, AtEveryStep,
                         testing::Values(PhaseName{TuneStep::Phase::Compile, "being compiled"},
                                         PhaseName{TuneStep::Phase::Verify, "being verified"},
                                         PhaseName{TuneStep::Phase::Measure, "being measured"}),
                         [](const auto &step) { return std::string(step.param.text).substr(6); });

TEST(Isolation, AnEndlessLoopCostsOneVariantAndItsShareOfTheBudget) {
  TuneOptions options = quickOptions();
  options.patience = 1;
  options.budgetSeconds = 8;
  // `s` stays odd or even, so that half of the invocations never get out.
  std::string body = "uint s = src[i] * 3u;\n#if SX == 32\nwhile (s != 7u + src[0]) {\n";
  for (unsigned part = 0; part != 64; ++part) // llvmpipe counts rounds: each has to take its time
    body +=
        "s = s * 1664525u + (src[(i + s + " + std::to_string(part) + "u) & 4095u] | 2u) * 2u;\n";
  Outcome o = tuneWith(body + "dst[i] = s & 6u; }\n#endif\ndst[i] = s;", options);
  expectOthersTuned(o);
  for (const TuneResult &result : o.report->results) {
    EXPECT_EQ(victimOf(result).fault, CandidateFault::Hung) << victimOf(result).why;
    EXPECT_THAT(victimOf(result).why, HasSubstr("did not come to an end within"));
  }
}

TEST(Isolation, AVariantAThousandTimesSlowerIsNotWaitedFor) {
  TuneOptions options = quickOptions();
  options.patience = 1;
  Outcome o = tuneWith("uint s = src[i];\n" + slowly("SX == 32", 60000) + "dst[i] = s;", options);
  expectOthersTuned(o);
  for (const TuneResult &result : o.report->results) {
    const StoredCandidate &victim = victimOf(result);
    EXPECT_TRUE(victim.fault == CandidateFault::Hung || victim.fault == CandidateFault::TooSlow)
        << nameOf(victim.state) << " " << victim.why << " " << victim.verifySeconds;
  }
}

TEST(Isolation, AResultThatIsWrongOnceInTwentyRunsIsFound) {
  TuneOptions options = quickOptions();
  // The victim is the fastest by far, so that it would win.
  options.lastRunsSeconds = 300;
  unsigned runs = 0;
  options.tamper = [&](const std::string &variant, vulkan::RunResult &ran) {
    if (variant == kVictim && ++runs % 20 == 0)
      ran.outputs[0].bytes[12] ^= std::byte{1};
  };
  Outcome o = tuneWith("uint s = src[i];\n" + slowly("SX != 32", 300) + "dst[i] = s;", options);
  expectOthersTuned(o);
  for (const TuneResult &result : o.report->results) {
    EXPECT_EQ(victimOf(result).state, CandidateState::Wrong)
        << victimOf(result).medianNs << " ns, authored " << result.outcome.authoredNs;
    EXPECT_EQ(victimOf(result).fault, CandidateFault::WrongResult);
  }
  EXPECT_THAT(o.progress, HasSubstr("WRONG RESULT: variant 'resize-32x1x1'"));
}

TEST(Isolation, WhatDidHarmIsNotTriedAgain) {
  TemporaryFolder folder;
  TuneOptions options = quickOptions();
  options.database = folder.file("winners.db");
  options.interfere = [&](const TuneStep &step, const std::string &variant, vulkan::Device &) {
    if (step.phase == TuneStep::Phase::Verify && variant == kVictim)
      raise(SIGKILL);
  };
  expectOthersTuned(tuneWith(kPlain, options));
  Outcome again = tuneWith(kPlain, options);
  expectOthersTuned(again);
  for (const TuneResult &result : again.report->results) {
    EXPECT_EQ(victimOf(result).state, CandidateState::Failed);
    EXPECT_THAT(victimOf(result).why, HasSubstr("not tried again"));
    EXPECT_THAT(victimOf(result).why, HasSubstr("ended by signal 9"));
  }
  EXPECT_EQ(again.progress.find("given up"), std::string::npos);
  options.interfere = {};
  options.tryKnownBad = true;
  Outcome all = tuneWith(kPlain, options);
  ASSERT_TRUE(all.report);
  for (const TuneResult &result : all.report->results)
    EXPECT_EQ(victimOf(result).state, CandidateState::Measured);
}

TEST(Isolation, AnAuthoredKernelThatEndsTheProcessCostsItsSiteAlone) {
  TuneOptions options = quickOptions();
  options.interfere = [&](const TuneStep &, const std::string &variant, vulkan::Device &device) {
    if (variant == "authored" && device.info().isCpu())
      raise(SIGSEGV);
  };
  Outcome o = tuneWith(kPlain, options);
  if (o.report) // there is a device that is no CPU
    return;
  EXPECT_EQ(o.failure->kind, ErrorKind::Environment);
  EXPECT_THAT(o.failure->text, HasSubstr("the authored kernel: the driver's process"));
}

TEST(Isolation, WhatComesBehindAStepHasTime) {
  TuneOptions options = quickOptions();
  options.patience = 1;
  options.tamper = [&](const std::string &, vulkan::RunResult &) {
    static bool didSleep = false; // longer than the variant may run
    if (!std::exchange(didSleep, true))
      std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  };
  Outcome o = tuneWith(kPlain, options);
  expectOthersTuned(o);
  EXPECT_EQ(o.progress.find("given up"), std::string::npos) << o.progress;
}

TEST(Isolation, WhatEndsTheProcessBehindAStepIsThatStepsVariant) {
  TuneOptions options = quickOptions();
  options.tamper = [&](const std::string &variant, vulkan::RunResult &) {
    if (variant == kVictim)
      raise(SIGKILL);
  };
  Outcome o = tuneWith(kPlain, options);
  expectOthersTuned(o);
  for (const TuneResult &result : o.report->results)
    EXPECT_EQ(victimOf(result).fault, CandidateFault::Crashed);
}

/// A run of two sites on one device; `behind` is what the driver does after each.
void expectBothSites(const std::function<void(size_t site)> &behind) {
  IsolatedRun isolated;
  isolated.sitesPerDevice = 2;
  isolated.work = [&](const TuneResume &resume, TuneSink &sink) -> Status {
    sink.devices({vulkan::DeviceInfo{}});
    for (size_t site = resume.site; site != 2; ++site) {
      sink.begin({TuneStep::Phase::Measure, 3, 0.05});
      TuneResult result;
      result.outcome.kernel = std::to_string(site);
      sink.result(std::move(result));
      behind(site);
    }
    return success();
  };
  std::string failures;
  isolated.failed = [&](size_t site, const std::vector<vulkan::DeviceInfo> &,
                        const Diagnostic &why) {
    EXPECT_LT(site, 2u);
    failures += why.text;
    TuneResult result;
    result.outcome.kernel = "failed " + std::to_string(site);
    return result;
  };
  std::string ignored;
  llvm::raw_string_ostream os(ignored);
  Progress progress(os, false);
  Diagnostics diags;
  std::vector<std::string> done;
  DirectSink sink(diags, progress,
                  [&](const TuneResult &result) { done.push_back(result.outcome.kernel); });
  Status ran = isolated.run(sink);
  EXPECT_TRUE(ran);
  EXPECT_THAT(done, testing::ElementsAre("0", "1")) << failures;
}

TEST(Isolation, ADriverMayTakeItsTimeBetweenSitesAndAtTheEnd) {
  expectBothSites([](size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(300)); });
}

TEST(Isolation, ADriverThatCrashesInItsLastWordsTakesNothingAlong) {
  expectBothSites([](size_t site) {
    if (site == 1)
      raise(SIGKILL);
  });
}

TEST(Isolation, WorksInOneProcessToo) {
  TuneOptions options = quickOptions();
  options.isolate = false;
  expectOthersTuned(tuneWith("dst[i] = src[i];\n#if SX == 32\ndst[i] = 1u;\n#endif", options));
}
