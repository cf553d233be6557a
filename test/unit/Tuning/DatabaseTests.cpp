//===- DatabaseTests.cpp - Winners on disk -----------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Outcomes.h"
#include "Support/Files.h"
#include "TestSupport.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tailor;
using namespace tailor::test;

TEST(Database, GivesBackWhatWasStored) {
  TemporaryFolder folder;
  std::unique_ptr<Database> db = openOrFail(folder.file("w.db"));
  ASSERT_TRUE(db);
  StoredWinner winner = winnerOf("small");
  ASSERT_TRUE(db->store(winner));
  db = openOrFail(folder.file("w.db"), Database::Mode::Existing);
  ASSERT_TRUE(db);
  Result<std::optional<StoredWinner>> found = db->find(winner.key);
  ASSERT_TRUE(found) << textOf(found.diagnostic());
  ASSERT_TRUE(*found);
  EXPECT_EQ(**found, winner);
}

TEST(Database, EveryPartOfTheKeyCounts) {
  TemporaryFolder folder;
  std::unique_ptr<Database> db = openOrFail(folder.file("w.db"));
  ASSERT_TRUE(db);
  StoredWinner winner = winnerOf("small");
  ASSERT_TRUE(db->store(winner));
  for (std::string WinnerKey::*part : {&WinnerKey::moduleHash, &WinnerKey::variantHash,
                                       &WinnerKey::sizeHash, &WinnerKey::deviceKey}) {
    WinnerKey other = winner.key;
    other.*part += "x";
    Result<std::optional<StoredWinner>> found = db->find(other);
    ASSERT_TRUE(found);
    EXPECT_FALSE(*found);
  }
}

TEST(Database, ANewOutcomeReplacesTheOld) {
  TemporaryFolder folder;
  std::unique_ptr<Database> db = openOrFail(folder.file("w.db"));
  ASSERT_TRUE(db);
  StoredWinner winner = winnerOf("small");
  ASSERT_TRUE(db->store(winner));
  ASSERT_TRUE(db->store(winnerOf("large")));
  winner.winnerId = "authored";
  winner.candidates.resize(1);
  ASSERT_TRUE(db->store(winner));
  Result<std::vector<StoredWinner>> all = db->all();
  ASSERT_TRUE(all) << textOf(all.diagnostic());
  ASSERT_EQ(all->size(), 2U);
  EXPECT_EQ((*all)[0], winnerOf("large")) << "sorted by size name";
  EXPECT_EQ((*all)[1], winner) << "without the old candidates";
}

TEST(Database, SeveralProcessesAtOnce) {
  TemporaryFolder folder;
  std::string path = folder.file("w.db");
  constexpr int kProcesses = 6, kEach = 15;
  std::vector<pid_t> children;
  for (int p = 0; p < kProcesses; ++p) {
    pid_t child = fork();
    if (child == 0) {
      // All begin at once, on a file that is not there yet.
      Result<std::unique_ptr<Database>> opened = Database::open(path, Database::Mode::Create);
      bool good = static_cast<bool>(opened);
      for (int i = 0; good && i < kEach; ++i)
        good = static_cast<bool>(
            (*opened)->store(winnerOf("p" + std::to_string(p) + "." + std::to_string(i))));
      if (!good && !opened)
        std::fputs(opened.diagnostic().text.c_str(), stderr);
      _exit(good ? 0 : 1);
    }
    ASSERT_GT(child, 0);
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  std::unique_ptr<Database> db = openOrFail(path, Database::Mode::Existing);
  ASSERT_TRUE(db);
  Result<std::vector<StoredWinner>> all = db->all();
  ASSERT_TRUE(all);
  EXPECT_EQ(all->size(), size_t{kProcesses} * kEach);
  for (const StoredWinner &w : *all)
    EXPECT_EQ(w.candidates.size(), 3U);
}

TEST(Database, AProcessThatDiesLeavesTheFileWhole) {
  TemporaryFolder folder;
  std::string path = folder.file("w.db");
  ASSERT_TRUE(openOrFail(path)->store(winnerOf("before")));
  pid_t child = fork();
  if (child == 0) {
    sqlite3 *db = nullptr;
    sqlite3_open(path.c_str(), &db);
    sqlite3_exec(db, "BEGIN IMMEDIATE; DELETE FROM winners", nullptr, nullptr, nullptr);
    _exit(0); // in the middle of its transaction
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  std::unique_ptr<Database> db = openOrFail(path);
  ASSERT_TRUE(db);
  Result<std::optional<StoredWinner>> found = db->find(winnerOf("before").key);
  ASSERT_TRUE(found);
  EXPECT_TRUE(*found);
  EXPECT_TRUE(db->store(winnerOf("after")));
}

TEST(Database, ForeignFilesAreRefusedAndLeftAlone) {
  TemporaryFolder folder;
  std::string text = folder.file("notes.txt");
  std::string content = "these are my notes, and they are longer than a header of SQLite, which "
                        "has one hundred bytes in all, so that nothing is taken for it";
  ASSERT_TRUE(writeFileAtomically(text, content));
  EXPECT_EQ(openError(text, ErrorKind::Refused), "the file is no winners database");
  EXPECT_EQ(*readFile(text), content);

  std::string other = folder.file("other.db");
  runSql(other, "CREATE TABLE songs (name TEXT)");
  EXPECT_EQ(openError(other, ErrorKind::Refused),
            "the file is a database of another program, not a winners database");
  std::string stamped = folder.file("stamped.db");
  runSql(stamped, "PRAGMA application_id = 77; CREATE TABLE winners (name TEXT)");
  EXPECT_EQ(openError(stamped, ErrorKind::Refused),
            "the file is a database of another program, not a winners database");
}

TEST(Database, NewerSchemasAreRefused) {
  TemporaryFolder folder;
  std::string path = folder.file("w.db");
  openOrFail(path).reset();
  std::string whole = *readFile(path);
  for (int version : {kDatabaseSchema + 1, 0, -1, 2000000000}) {
    ASSERT_TRUE(writeFileAtomically(path, whole));
    runSql(path, "PRAGMA user_version = " + std::to_string(version));
    for (Database::Mode mode :
         {Database::Mode::Create, Database::Mode::Existing, Database::Mode::Snapshot})
      EXPECT_EQ(openError(path, ErrorKind::Refused, mode),
                "the winners database has schema " + std::to_string(version) +
                    ", this version reads schemas up to 2");
  }
}

TEST(Database, TornFilesAreRefused) {
  TemporaryFolder folder;
  std::string path = folder.file("w.db");
  {
    std::unique_ptr<Database> db = openOrFail(path);
    ASSERT_TRUE(db);
    for (int i = 0; i < 50; ++i)
      ASSERT_TRUE(db->store(winnerOf(std::to_string(i))));
  }
  std::string whole = *readFile(path);
  ASSERT_GT(whole.size(), 16384U);
  for (size_t keep : {whole.size() / 2, size_t{4096}, size_t{1000}, size_t{50}}) {
    ASSERT_TRUE(writeFileAtomically(path, whole.substr(0, keep)));
    Result<std::unique_ptr<Database>> opened = Database::open(path, Database::Mode::Existing);
    if (!opened) {
      EXPECT_EQ(opened.diagnostic().kind, ErrorKind::Refused)
          << keep << ": " << textOf(opened.diagnostic());
      continue;
    }
    Result<std::vector<StoredWinner>> all = (*opened)->all();
    ASSERT_FALSE(all) << "a file cut to " << keep << " bytes reads as whole";
    EXPECT_EQ(all.diagnostic().kind, ErrorKind::Refused);
  }
  std::string scrambled = whole;
  for (size_t i = 4096; i < scrambled.size(); i += 7)
    scrambled[i] = static_cast<char>(scrambled[i] ^ 0x5a);
  ASSERT_TRUE(writeFileAtomically(path, scrambled));
  Result<std::unique_ptr<Database>> opened = Database::open(path, Database::Mode::Existing);
  if (opened) {
    EXPECT_FALSE((*opened)->all());
  }
}

TEST(Database, PlacesThatCannotBeUsed) {
  TemporaryFolder folder;
  EXPECT_EQ(openError(folder.file("none.db"), ErrorKind::Environment, Database::Mode::Existing),
            "there is no winners database here");
  EXPECT_EQ(openError(folder.path, ErrorKind::Environment),
            "a folder cannot be a winners database");
  EXPECT_NE(openError(folder.file("no/such/folder/w.db"), ErrorKind::Environment)
                .find("cannot be opened"),
            std::string::npos);
  // No one may make files there, not even the superuser.
  EXPECT_NE(openError("/proc/winners.db", ErrorKind::Environment).find("cannot be opened"),
            std::string::npos);
}
