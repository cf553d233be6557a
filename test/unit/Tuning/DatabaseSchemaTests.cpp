//===- DatabaseSchemaTests.cpp - What schema 2 adds ----------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Outcomes.h"
#include "Support/Files.h"
#include "TestSupport.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tailor;
using namespace tailor::test;

namespace {

std::vector<StoredWinner> schema1Winners() {
  std::vector<StoredWinner> winners;
  for (int i = 0; i < 20; ++i) {
    StoredWinner w = winnerOf("size" + std::to_string(10 + i));
    if (i % 2)
      w.key.deviceKey = deviceKeyOf({.driverVersion = static_cast<uint32_t>(i)});
    w.winnerNs = 1000.0 / (3 + i);
    winners.push_back(w);
  }
  return winners;
}

} // namespace

TEST(DatabaseSchema, KeepsEverythingOfAnOutcome) {
  TemporaryFolder folder;
  std::string path = folder.file("w.db");
  StoredWinner winner = fullWinnerOf("small", deviceKeyOf({}));
  ASSERT_TRUE(openOrFail(path)->store(winner));
  std::unique_ptr<Database> db = openOrFail(path, Database::Mode::Existing);
  ASSERT_TRUE(db);
  Result<std::optional<StoredWinner>> found = db->find(winner.key);
  ASSERT_TRUE(found) << textOf(found.diagnostic());
  ASSERT_TRUE(*found);
  EXPECT_EQ(**found, winner);
  // Replacing it leaves nothing of the old one behind.
  winner.candidates.resize(1);
  winner.candidates[0].times.clear();
  ASSERT_TRUE(db->store(winner));
  EXPECT_EQ(**db->find(winner.key), winner);
  db.reset();
  EXPECT_EQ(askSql(path, "SELECT count(*) FROM statistics"), "0");
}

TEST(DatabaseSchema, ThePartsOfTheDeviceKeyAreColumns) {
  TemporaryFolder folder;
  std::string path = folder.file("w.db");
  KeyParts parts{.driverInfo = "Mesa 22.3; a=b", .name = "llvmpipe (LLVM 15.0.6, 256 bits); x"};
  ASSERT_TRUE(openOrFail(path)->store(fullWinnerOf("small", deviceKeyOf(parts))));
  EXPECT_EQ(askSql(path,
                   "SELECT vendor_id || ' ' || device_id || ' ' || driver_id || ' ' || "
                   "driver_version || ' ' || driver_info || '|' || devices.device_name || '|' || "
                   "limits || '|' || vendor || '|' || architecture || '|' || facts "
                   "FROM devices JOIN winners USING (device_key)"),
            "4318 9013 4 7 Mesa 22.3; a=b|llvmpipe (LLVM 15.0.6, 256 bits); x|"
            "localSize=1024x1024x64;invocations=1024;groups=2147483647x65535x65535;shared=49152;"
            "subgroup=32/32/32;push=256|NVIDIA|Hopper|{\"units\": 132}");
}

TEST(DatabaseSchema, DeviceKeysComeApart) {
  std::optional<DeviceParts> parts = parseDeviceKey(deviceKeyOf({}));
  ASSERT_TRUE(parts);
  EXPECT_TRUE(parts->allows({1024, 1, 1}));
  EXPECT_FALSE(parts->allows({2048, 1, 1})) << "more than 1024 invocations";
  EXPECT_FALSE(parts->allows({1, 1, 128})) << "more than 64 on z";
  EXPECT_FALSE(parts->allows({64, 32, 1}));
  DeviceParts silent;
  EXPECT_TRUE(silent.allows({2048, 1, 1}));
  EXPECT_FALSE(parseDeviceKey("device"));
  EXPECT_FALSE(parseDeviceKey(""));
  std::string key = deviceKeyOf({});
  for (size_t keep = 0; keep < key.find(";localSize=") + 11; ++keep)
    EXPECT_FALSE(parseDeviceKey(key.substr(0, keep))) << key.substr(0, keep);
  EXPECT_FALSE(parseDeviceKey("vendor=1;device=2;driver=3;driverVersion=99999999999;driverInfo=;"
                              "name=;localSize=1x1x1"));
  EXPECT_TRUE(parseDeviceKey("vendor=1;device=2;driver=3;driverVersion=4;driverInfo=;name=;"
                             "localSize=1x1x1"));
}

TEST(DatabaseSchema, AFileOfSchema1IsBroughtUpToDateInPlace) {
  TemporaryFolder folder;
  std::string path = folder.file("w.db");
  std::vector<StoredWinner> winners = schema1Winners();
  makeSchema1(path, winners);
  std::unique_ptr<Database> db = openOrFail(path, Database::Mode::Existing);
  ASSERT_TRUE(db);
  Result<std::vector<StoredWinner>> all = db->all();
  ASSERT_TRUE(all) << textOf(all.diagnostic());
  EXPECT_EQ(*all, winners);
  // It takes what schema 2 adds, and has the tables that a new file has.
  StoredWinner full = fullWinnerOf("small", deviceKeyOf({}));
  ASSERT_TRUE(db->store(full));
  EXPECT_EQ(**db->find(full.key), full);
  db.reset();
  EXPECT_EQ(askSql(path, "PRAGMA user_version"), "2");
  EXPECT_EQ(askSql(path, "PRAGMA integrity_check"), "ok");
  EXPECT_EQ(askSql(path, "SELECT count(*) FROM devices WHERE driver_version = 3"), "1");
  std::string fresh = folder.file("fresh.db");
  openOrFail(fresh).reset();
  std::string tables = "SELECT group_concat(t.name || c.name || c.type || c.pk || c.dflt_value) "
                       "FROM (SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name) t"
                       ", pragma_table_info(t.name) c";
  EXPECT_EQ(askSql(path, tables), askSql(fresh, tables));
  EXPECT_NE(askSql(fresh, tables).find("candidatesmeasure_sREAL"), std::string::npos);
}

TEST(DatabaseSchema, BringingUpToDateIsWholeOrNotAtAll) {
  TemporaryFolder folder;
  std::vector<StoredWinner> winners = schema1Winners();
  unsigned late = 0;
  for (int turn = 0; turn < 30; ++turn) {
    std::string path = folder.file(std::to_string(turn) + ".db");
    makeSchema1(path, winners);
    pid_t children[3];
    for (pid_t &child : children)
      if ((child = fork()) == 0) {
        Result<std::unique_ptr<Database>> opened = Database::open(path, Database::Mode::Existing);
        _exit(opened ? 0 : 1);
      }
    usleep(static_cast<useconds_t>(turn) * 150);
    for (pid_t child : children)
      kill(child, SIGKILL);
    for (pid_t child : children) {
      int status = 0;
      ASSERT_EQ(waitpid(child, &status, 0), child);
      ASSERT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
      late += WIFEXITED(status);
    }
    std::string version = askSql(path, "PRAGMA user_version");
    EXPECT_TRUE(version == "1" || version == "2") << version;
    std::unique_ptr<Database> db = openOrFail(path, Database::Mode::Existing);
    ASSERT_TRUE(db);
    Result<std::vector<StoredWinner>> all = db->all();
    ASSERT_TRUE(all) << textOf(all.diagnostic());
    EXPECT_EQ(*all, winners);
  }
  EXPECT_LT(late, 90U) << "nobody was killed in time";
}

TEST(DatabaseSchema, ASnapshotChangesNothing) {
  TemporaryFolder folder;
  std::string path = folder.file("w.db");
  std::vector<StoredWinner> winners = schema1Winners();
  makeSchema1(path, winners);
  std::string before = *readFile(path);
  std::unique_ptr<Database> shot = openOrFail(path, Database::Mode::Snapshot);
  ASSERT_TRUE(shot);
  EXPECT_EQ(*shot->all(), winners);
  EXPECT_EQ(askSql(path, "PRAGMA user_version"), "1");
  EXPECT_EQ(*readFile(path), before);
  // What comes later is not in it.
  ASSERT_TRUE(openOrFail(path)->store(fullWinnerOf("later", "device")));
  EXPECT_EQ(*shot->all(), winners);
  EXPECT_EQ(openOrFail(path, Database::Mode::Snapshot)->all()->size(), winners.size() + 1);
  shot.reset();
  for (const auto &entry : std::filesystem::directory_iterator(folder.path))
    EXPECT_EQ(entry.path().filename(), "w.db") << "nothing is left beside the file";
  EXPECT_EQ(openError(folder.file("none.db"), ErrorKind::Environment, Database::Mode::Snapshot),
            "there is no winners database here");
  ASSERT_TRUE(writeFileAtomically(folder.file("empty.db"), ""));
  EXPECT_EQ(openError(folder.file("empty.db"), ErrorKind::Refused, Database::Mode::Snapshot),
            "the file is empty: no winner was stored in it");
}

TEST(DatabaseSchema, AnEmptyFileIsMadeADatabase) {
  // So a process leaves it that is killed between making the file and its tables.
  TemporaryFolder folder;
  std::string path = folder.file("w.db");
  ASSERT_TRUE(writeFileAtomically(path, ""));
  EXPECT_TRUE(openOrFail(path)->store(winnerOf("small")));
}

TEST(DatabaseSchema, ATimeThatIsNoNumberIsNotStored) {
  TemporaryFolder folder;
  std::unique_ptr<Database> db = openOrFail(folder.file("w.db"));
  ASSERT_TRUE(db);
  StoredWinner good = fullWinnerOf("small", "device");
  ASSERT_TRUE(db->store(good));
  StoredWinner bad = good;
  bad.candidates[1].times[0].ns = std::numeric_limits<double>::infinity();
  Status stored = db->store(bad);
  ASSERT_FALSE(stored);
  EXPECT_EQ(stored.diagnostic().kind, ErrorKind::Internal);
  bad = good;
  bad.ratio = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(db->store(bad));
  EXPECT_EQ(**db->find(good.key), good) << "the old outcome stays";
}

TEST(DatabaseSchema, SamplesThatCannotBeReadAreDamage) {
  TemporaryFolder folder;
  std::string path = folder.file("w.db");
  ASSERT_TRUE(openOrFail(path)->store(fullWinnerOf("small", "device")));
  runSql(path, "UPDATE candidates SET times = x'0102' WHERE position = 0");
  Result<std::vector<StoredWinner>> all = openOrFail(path)->all();
  ASSERT_FALSE(all);
  EXPECT_EQ(all.diagnostic().kind, ErrorKind::Refused);
  EXPECT_EQ(all.diagnostic().text,
            "the winners database is damaged (samples that cannot be read); delete it and tune "
            "again");
}

TEST(KnownBad, IsRememberedForTheSameDeviceDriverAndTool) {
  TemporaryFolder folder;
  std::string path = folder.file("w.db");
  std::unique_ptr<Database> db = openOrFail(path);
  ASSERT_TRUE(db);
  StoredWinner outcome = fullWinnerOf("small", deviceKeyOf({}));
  ASSERT_TRUE(db->store(outcome));
  Result<std::optional<KnownBad>> known = db->knownBad("hangs", deviceKeyOf({}), outcome.tool);
  ASSERT_TRUE(known && *known);
  EXPECT_EQ((*known)->fault, CandidateFault::Hung);
  EXPECT_EQ((*known)->why, "no end in 2 s");
  EXPECT_EQ((*known)->variantId, "pack-64x1x1");
  EXPECT_TRUE(db->isKnownBad("hangs", deviceKeyOf({}), outcome.tool));
  EXPECT_FALSE(db->isKnownBad("0123", deviceKeyOf({}), outcome.tool)) << "it was measured";
  EXPECT_FALSE(db->isKnownBad("hangs", deviceKeyOf({.driverVersion = 8}), outcome.tool));
  EXPECT_FALSE(db->isKnownBad("hangs", deviceKeyOf({.driverInfo = "551"}), outcome.tool));
  EXPECT_FALSE(db->isKnownBad("hangs", deviceKeyOf({}), "spirv-tailor 9"));
  EXPECT_FALSE(db->isKnownBad("hangs", deviceKeyOf({}), outcome.tool, 64)) << "another pipeline";

  KnownBad lost{"loses", "device", 16, CandidateFault::DeviceLost, "gone", "k", "v", "t", "d"};
  ASSERT_TRUE(db->remember(lost));
  db = openOrFail(path, Database::Mode::Existing);
  EXPECT_TRUE(db->isKnownBad("loses", "device", "t", 16));
  Result<std::vector<KnownBad>> all = db->allKnownBad();
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 2U);
  EXPECT_EQ((*all)[1], lost) << "sorted by kernel";
  // Outcomes that replace each other do not forget, and forgetting is by choice.
  outcome.candidates.resize(1);
  ASSERT_TRUE(db->store(outcome));
  EXPECT_TRUE(db->isKnownBad("hangs", deviceKeyOf({}), outcome.tool));
  auto gone = db->forget([](const KnownBad &bad) { return bad.kernel == "blur"; });
  ASSERT_TRUE(gone);
  EXPECT_EQ(gone->size(), 1U);
  EXPECT_FALSE(db->isKnownBad("hangs", deviceKeyOf({}), outcome.tool));
  EXPECT_TRUE(db->isKnownBad("loses", "device", "t", 16));
}

TEST(KnownBad, WhatDoesNoHarmIsTriedAgain) {
  StoredWinner outcome = winnerOf("small");
  StoredCandidate &last = outcome.candidates.back();
  last.moduleHash = "m";
  last.state = CandidateState::Failed;
  for (CandidateFault fault :
       {CandidateFault::None, CandidateFault::Refused, CandidateFault::TooSlow}) {
    last.fault = fault;
    EXPECT_TRUE(badOf(outcome).empty()) << nameOf(fault);
  }
  last.state = CandidateState::Wrong;
  last.fault = CandidateFault::None;
  ASSERT_EQ(badOf(outcome).size(), 1U);
  EXPECT_EQ(badOf(outcome)[0].fault, CandidateFault::WrongResult);
  last.moduleHash = "";
  EXPECT_TRUE(badOf(outcome).empty()) << "of which module is not known";
}
