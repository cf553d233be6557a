//===- PageTests.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Report/Gather.h"
#include "Report/ReportPage.h"

#include <gmock/gmock.h>

using namespace tailor;
using report::ReportInput;
using report::ReportOutcome;
using testing::HasSubstr;
using testing::Not;

namespace {

constexpr const char *kKey =
    "vendor=4318;device=9013;driver=4;driverVersion=2;driverInfo=550.54;name=NVIDIA H200;"
    "localSize=1024x1024x64;invocations=1024;groups=2147483647x65535x65535;shared=49152;"
    "subgroup=32/32/32;push=256";

StoredWinner outcomeOf(const std::string &kernel, const std::string &size) {
  StoredWinner o;
  o.key = {kernel + "-module", "variants", size, kKey};
  o.kernel = kernel;
  o.entryPoint = "main";
  o.sizeName = size;
  o.deviceName = "NVIDIA H200";
  o.groups = {10, 10, 1};
  o.authoredSize = {16, 16, 1};
  o.winnerId = "resize-64x1x1";
  o.winnerSize = {64, 1, 1};
  o.winnerNs = 1000;
  o.authoredNs = 2000;
  o.samples = 9;
  o.ratio = 2;
  o.noise = 0.02;
  o.verified = true;
  o.tool = "spirv-tailor test";
  o.date = "2024-02-29T12:00:00Z";
  o.candidates = {
      {"authored", {16, 16, 1}, CandidateState::Measured, "", 2000, 0.002, 9, true},
      {"resize-64x1x1", {64, 1, 1}, CandidateState::Measured, "", 1000, 0.001, 9, true},
      {"resize-8x8x2", {8, 8, 2}, CandidateState::Dropped, "slower", 3000, 0.1, 3, true},
      {"pack-32x32x1", {32, 32, 1}, CandidateState::Wrong, "3 elements differ"}};
  for (StoredCandidate &c : o.candidates)
    c.expectedNs = c.medianNs * 2;
  return o;
}

std::string pageOf(std::vector<ReportOutcome> outcomes) {
  return reportPage(ReportInput{"tool", std::move(outcomes)});
}

} // namespace

TEST(ReportPage, SaysWhatWonAndByHowMuch) {
  const std::string page = pageOf({{outcomeOf("blur", "hd")}});
  EXPECT_THAT(page, HasSubstr("<strong>2.00×</strong> as fast with <code>resize-64x1x1</code>: "
                              "1.00 µs where the authored 16×16 takes 2.00 µs."));
  EXPECT_THAT(page, HasSubstr("A gain of more than 2.0 % was needed"));
  EXPECT_THAT(page, HasSubstr("is 1.00 over 3 variants"));
  EXPECT_THAT(page, HasSubstr("1 dropped, 1 wrong result"));
  EXPECT_THAT(page,
              HasSubstr("<td>pack-32x32x1</td><td>wrong result</td><td>3 elements differ</td>"));
  EXPECT_THAT(page, HasSubstr("x across and y down, with z 2"));
  EXPECT_THAT(page, HasSubstr("<a href=\"#k1-1\" class=\"gain h0\"><b>2.00×</b>"));
}

TEST(ReportPage, SaysATieAndNoWinnerPlainly) {
  StoredWinner tie = outcomeOf("blur", "hd");
  tie.winnerId = "authored";
  tie.winnerNs = tie.authoredNs;
  tie.ratio = 1;
  tie.tie = true;
  StoredWinner none = tie;
  none.sizeName = none.key.sizeHash = "none";
  none.tie = false;
  const std::string page = pageOf({{tie}, {none}});
  EXPECT_THAT(page,
              HasSubstr("<strong>A tie</strong>: something was faster than the authored 16×16 "
                        "(2.00 µs), but by no more than the noise of 2.0 %."));
  EXPECT_THAT(page, HasSubstr("<strong>The authored size stays</strong>: nothing was faster"));
}

TEST(ReportPage, TellsOfAKernelThatCouldNotRun) {
  StoredWinner failed = outcomeOf("blur", "hd");
  failed.winnerId.clear();
  failed.authoredNs = failed.winnerNs = 0;
  failed.candidates.resize(1);
  failed.candidates[0] = {"authored", {16, 16, 1}};
  const std::string page = pageOf({{failed, {}, "the device has no f64"}});
  EXPECT_THAT(page, HasSubstr("Nothing was measured here: the device has no f64."));
  EXPECT_THAT(page, HasSubstr("The authored kernel has no time here"));
  EXPECT_THAT(page, HasSubstr("<b>–</b><span>nothing measured</span>"));
}

TEST(ReportPage, HoldsOutWithFiguresThatAreNone) {
  StoredWinner odd = outcomeOf("blur", "hd");
  odd.authoredNs = -1;
  odd.ratio = 1e300;
  odd.noise = -5;
  odd.key.deviceKey = "no key";
  odd.candidates[0].medianNs = 1e300;
  odd.candidates[1].medianNs = 1e-300;
  odd.candidates[2].expectedNs = -3;
  StoredWinner bare;
  const std::string page = pageOf({{odd}, {bare}});
  EXPECT_THAT(page, Not(HasSubstr("nan")));
  EXPECT_THAT(page, Not(HasSubstr(">inf")));
  EXPECT_THAT(page, HasSubstr("No variant is recorded."));
}

TEST(ReportPage, KernelsGoByNameAndModule) {
  StoredWinner other = outcomeOf("blur", "hd");
  other.key.moduleHash = "another";
  const ReportInput input{"tool", {{outcomeOf("scan", "hd")}, {outcomeOf("blur", "hd")}, {other}}};
  const std::vector<report::KernelPart> parts = gather(input);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0].moduleHash, "another");
  EXPECT_EQ(parts[1].moduleHash, "blur-module");
  EXPECT_EQ(parts[2].name, "scan");
  EXPECT_EQ(parts[2].sites.front().id, "k3-1");
  EXPECT_EQ(reportPage(input), reportPage(input));
}

TEST(ReportPage, KnowsTheDeviceOfAKey) {
  const std::optional<DeviceParts> parts = parseDeviceKey(kKey);
  ASSERT_TRUE(parts);
  const DeviceProfile profile = report::profileOf(*parts);
  EXPECT_EQ(profile.key, "nvidia-h200");
  EXPECT_EQ(profile.memoryGBs, 4800);
  EXPECT_EQ(profile.maxInvocations, 1024u);
  EXPECT_EQ(profile.maxGroups, 65535u);
  DeviceParts stranger = *parts;
  stranger.vendorId = 1;
  stranger.deviceName = "nobody's";
  stranger.driverId = 0;
  stranger.limits = "localSize=64x64x64;subgroup=8";
  const DeviceProfile unknown = report::profileOf(stranger);
  EXPECT_EQ(unknown.key, "generic");
  EXPECT_EQ(unknown.maxSize, (std::array<uint32_t, 3>{64, 64, 64}));
  EXPECT_FALSE(unknown.maxInvocations);
}
