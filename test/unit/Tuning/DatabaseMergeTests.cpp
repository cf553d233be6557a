//===- DatabaseMergeTests.cpp - Many outcomes at once --------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Outcomes.h"
#include "TestSupport.h"

#include <gtest/gtest.h>
#include <limits>

using namespace tailor;
using namespace tailor::test;
using What = MergeReport::What;

TEST(Merge, TheBetterEvidencedOutcomeStays) {
  StoredWinner plain = winnerOf("small");
  auto better = [&](auto change) {
    StoredWinner other = plain;
    change(other);
    return std::pair(isBetterEvidenced(other, plain), isBetterEvidenced(plain, other));
  };
  using Both = std::pair<bool, bool>;
  EXPECT_EQ(better([](StoredWinner &) {}), Both(false, false));
  EXPECT_EQ(better([](StoredWinner &w) { w.verified = false; }), Both(false, true));
  EXPECT_EQ(better([](StoredWinner &w) { w.date = "2025-01-01"; }), Both(true, false));
  EXPECT_EQ(better([](StoredWinner &w) { w.candidates[0].samples = 23; }), Both(true, false));
  EXPECT_EQ(better([](StoredWinner &w) { w.candidates[0].times.resize(23); }), Both(true, false));
  // What comes earlier in the rule decides alone.
  EXPECT_EQ(better([](StoredWinner &w) {
              w.verified = false;
              w.candidates[0].samples = 99;
              w.date = "2025-01-01";
            }),
            Both(false, true));
  EXPECT_EQ(better([](StoredWinner &w) {
              w.candidates[2].medianNs = 5;
              w.candidates[2].verified = true;
              w.candidates[2].state = CandidateState::Dropped;
              w.candidates[0].samples = 1;
              w.date = "2000-01-01";
            }),
            Both(true, false));
  EXPECT_EQ(better([](StoredWinner &w) {
              w.candidates[0].samples = 23;
              w.date = "2000-01-01";
            }),
            Both(true, false));
}

TEST(Merge, AddsReplacesAndKeeps) {
  TemporaryFolder folder;
  std::unique_ptr<Database> db = openOrFail(folder.file("w.db"));
  ASSERT_TRUE(db);
  StoredWinner same = winnerOf("same"), worse = winnerOf("worse"), later = winnerOf("later");
  for (const StoredWinner &each : {same, worse, later})
    ASSERT_TRUE(db->store(each));
  StoredWinner ours = worse;
  worse.verified = false;
  later.date = "2030-01-01";
  std::vector<StoredWinner> theirs = {winnerOf("new"), same, worse, later};
  Result<MergeReport> report = db->merge(theirs, {});
  ASSERT_TRUE(report) << textOf(report.diagnostic());
  EXPECT_EQ(report->outcomes, (std::vector{What::Added, What::Same, What::Kept, What::Replaced}));
  EXPECT_EQ(report->count(What::Added), 1U);
  EXPECT_EQ(db->all()->size(), 4U);
  EXPECT_EQ(**db->find(worse.key), ours);
  EXPECT_EQ(**db->find(later.key), later);
  report = db->merge(theirs, {}, true);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->outcomes, (std::vector{What::Same, What::Same, What::Replaced, What::Same}));
  EXPECT_EQ(**db->find(worse.key), worse);
}

TEST(Merge, IsAllOrNothing) {
  TemporaryFolder folder;
  std::unique_ptr<Database> db = openOrFail(folder.file("w.db"));
  ASSERT_TRUE(db);
  StoredWinner broken = winnerOf("broken");
  broken.winnerNs = std::numeric_limits<double>::quiet_NaN();
  std::vector<StoredWinner> theirs = {winnerOf("good"), broken};
  EXPECT_FALSE(db->merge(theirs, {}));
  EXPECT_TRUE(db->all()->empty());
}

TEST(Merge, OfBadVariantsTheLaterOneStays) {
  TemporaryFolder folder;
  std::unique_ptr<Database> db = openOrFail(folder.file("w.db"));
  ASSERT_TRUE(db);
  KnownBad old{"m", "d", 0, CandidateFault::Hung, "old", "k", "v", "t", "2024"};
  KnownBad late = old, other = old;
  late.why = "late";
  late.date = "2025";
  other.deviceKey = "e";
  ASSERT_TRUE(db->remember(old));
  Result<MergeReport> report = db->merge({}, std::vector{late, old, other, other});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->badAdded, 2U);
  EXPECT_EQ(*db->allKnownBad(), (std::vector{late, other}));
  // An outcome that is taken in brings back nothing that was forgotten.
  StoredWinner outcome = fullWinnerOf("small", "d");
  ASSERT_EQ(badOf(outcome).size(), 1U);
  ASSERT_TRUE(db->merge(std::vector{outcome}, {}));
  EXPECT_EQ(db->allKnownBad()->size(), 2U);
}

TEST(Prune, RemovesWhatIsUnwantedAndSaysWhat) {
  TemporaryFolder folder;
  std::string path = folder.file("w.db");
  std::unique_ptr<Database> db = openOrFail(path);
  ASSERT_TRUE(db);
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(db->store(
        fullWinnerOf(std::to_string(i), deviceKeyOf({.driverVersion = i < 5 ? 1U : 2U}))));
  auto removed = db->prune([](const StoredWinner &w) { return w.sizeName < "5"; });
  ASSERT_TRUE(removed) << textOf(removed.diagnostic());
  ASSERT_EQ(removed->size(), 5U);
  EXPECT_EQ((*removed)[0], fullWinnerOf("0", deviceKeyOf({.driverVersion = 1})));
  ASSERT_EQ(db->all()->size(), 5U);
  EXPECT_EQ(db->all()->front(), fullWinnerOf("5", deviceKeyOf({.driverVersion = 2})));
  db->compact();
  db.reset();
  EXPECT_EQ(askSql(path, "SELECT count(*) FROM devices"), "1");
  EXPECT_EQ(askSql(path, "SELECT count(*) FROM candidates"), "20");
  EXPECT_EQ(askSql(path, "SELECT count(*) FROM statistics"), "15");
  EXPECT_EQ(askSql(path, "PRAGMA integrity_check"), "ok");
}
