//===- unit/Tuning/ReplayTests.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Replay.h"

#include "gtest/gtest.h"

namespace tailor {

namespace {

ReplaySite site(const std::string &kernel, const std::vector<double> &times,
                const std::vector<double> &expected) {
  TuningTable table;
  for (size_t at = 0; at < times.size(); ++at) {
    TableRow row;
    row.kernel = kernel;
    row.size = "s";
    row.variant = at == 0 ? "authored" : "resize-" + Dim3{1U << at, 1, 1}.str();
    row.technique = at == 0 ? "authored" : "resize";
    row.localSize = {1U << at, 1, 1};
    row.state = times[at] > 0 ? "measured" : "failed";
    row.medianNs = times[at];
    table.rows.push_back(row);
  }
  ReplaySite made = replaySite(table, sitesOf(table).front());
  for (size_t at = 0; at < expected.size(); ++at)
    made.candidates[at].expectedNs = expected[at];
  return made;
}

} // namespace

TEST(Replay, SaysWhatIsReached) {
  const ReplaySite some = site("k", {100, 80, 50, 0, 200}, {5, 4, 3, 1, 2});
  EXPECT_EQ(some.bestNs(), 50);
  // The model likes one that cannot run best: the authored module stays.
  EXPECT_EQ(replay(some, "model", 0, 1).reached, 0.5);
  EXPECT_EQ(replay(some, "model", 0, 1).measured, 0U);
  EXPECT_EQ(replay(some, "exhaustive", 1, 1).reached, 50.0 / 80);
  EXPECT_EQ(replay(some, "exhaustive", 1, 1).measured, 1U);
  EXPECT_EQ(replay(some, "exhaustive", 100, 1).reached, 1);
  EXPECT_EQ(replay(some, "exhaustive", 100, 1).measured, 4U);
  EXPECT_EQ(replay(some, "auto", 100, 1).reached, 1);
}

TEST(Replay, ASlowerVariantIsNeverKept) {
  const ReplaySite slow = site("k", {100, 300, 400}, {9, 2, 1});
  EXPECT_EQ(replay(slow, "model", 0, 1).reached, 0.25); // nothing was measured
  for (const char *search : {"auto", "random", "climb", "exhaustive"})
    EXPECT_EQ(replay(slow, search, 2, 1).reached, 1) << search;
}

TEST(Replay, FiguresAreOverKernels) {
  const ReplaySite one = site("good", {100, 50}, {2, 1}), two = site("bad", {100, 400}, {2, 1});
  const ReplayFigure figure = replayAll({&one, &two}, "model", 0, 1);
  EXPECT_EQ(figure.mean, (1 + 0.25) / 2);
  EXPECT_EQ(figure.worst, 0.25);
  EXPECT_EQ(figure.worstKernel, "bad");
  const ReplayFigure chance = replayAll({&one}, "random", 0, 1000);
  EXPECT_NEAR(chance.mean, 0.75, 0.05);
}

} // namespace tailor
