//===- WinnersJsonTests.cpp - Out and in again, exactly ------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Outcomes.h"
#include "TestSupport.h"
#include "Tuning/WinnersJson.h"

#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace tailor;
using namespace tailor::test;

namespace {

std::string jsonOf(const WinnersFile &file) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeWinnersJson(os, file);
  return text;
}

WinnersFile sample() {
  WinnersFile file;
  file.tool = "spirv-tailor test";
  file.outcomes = {winnerOf("small"), fullWinnerOf("large \"\\\n\xc3\xa9", deviceKeyOf({}))};
  file.outcomes[0].candidates[0].state = CandidateState::Dropped;
  file.outcomes[0].candidates[1].state = CandidateState::Wrong;
  file.outcomes[0].candidates[1].fault = CandidateFault::WroteOutside;
  file.knownBad = badOf(file.outcomes[1]);
  file.knownBad[0].subgroupSize = 64;
  return file;
}

std::string errorsOf(const std::string &text) {
  Diagnostics diags;
  EXPECT_FALSE(readWinnersJson(text, "w.json", diags));
  return textOf(diags);
}

std::string replaced(std::string text, const std::string &what, const std::string &by) {
  size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

} // namespace

TEST(WinnersJson, ReadsExactlyWhatItWrote) {
  WinnersFile file = sample();
  std::string text = jsonOf(file);
  Diagnostics diags;
  std::optional<WinnersFile> read = readWinnersJson(text, "w.json", diags);
  ASSERT_TRUE(read) << textOf(diags);
  EXPECT_EQ(read->tool, file.tool);
  EXPECT_EQ(read->outcomes, file.outcomes);
  EXPECT_EQ(read->knownBad, file.knownBad);
  EXPECT_EQ(jsonOf(*read), text);
}

TEST(WinnersJson, ThroughTheDatabaseToo) {
  TemporaryFolder folder;
  WinnersFile file = sample();
  std::unique_ptr<Database> db = openOrFail(folder.file("w.db"));
  ASSERT_TRUE(db);
  ASSERT_TRUE(db->merge(file.outcomes, file.knownBad));
  WinnersFile again{file.tool, *db->all(), *db->allKnownBad()};
  std::string first = jsonOf(again);
  Diagnostics diags;
  std::optional<WinnersFile> read = readWinnersJson(first, "w.json", diags);
  ASSERT_TRUE(read) << textOf(diags);
  std::unique_ptr<Database> copy = openOrFail(folder.file("copy.db"));
  ASSERT_TRUE(copy);
  ASSERT_TRUE(copy->merge(read->outcomes, read->knownBad));
  EXPECT_EQ(jsonOf({file.tool, *copy->all(), *copy->allKnownBad()}), first);
  EXPECT_EQ(copy->all()->size(), 2U);
}

TEST(WinnersJson, SamplesStandByRound) {
  WinnersFile file;
  file.outcomes = {fullWinnerOf("small", "d")};
  file.outcomes[0].candidates[1].times = {{1, 0}, {2.5, 0}, {3, 1}, {4, 0}};
  EXPECT_NE(jsonOf(file).find("{\"round\": 0, \"ns\": [1, 2.5]}"), std::string::npos)
      << jsonOf(file);
}

TEST(WinnersJson, SaysWhereAFileIsWrong) {
  std::string good = jsonOf(sample());
  EXPECT_EQ(errorsOf(replaced(good, "\"schema\": 1", "\"schema\": 2")),
            "w.json:2:12: error: the exported winners have schema 2, this version reads schema "
            "1\n");
  EXPECT_NE(errorsOf("[]").find("w.json:1:1: error: a file of exported winners must be an object"),
            std::string::npos)
      << errorsOf("[]");
  EXPECT_NE(errorsOf("{\"schema\": 1}").find("'outcomes'"), std::string::npos);
  EXPECT_NE(errorsOf("{").find("w.json:1:"), std::string::npos);
  struct {
    const char *what, *by, *message;
  } cases[] = {
      {"\"state\": \"dropped\"", "\"state\": \"lost\"", "'lost' is no state"},
      {"\"fault\": \"wrote_outside\"", "\"fault\": \"sad\"", "'sad' is no fault"},
      {"\"clock\": \"device\"", "\"clock\": \"wall\"", "'wall' is no clock"},
      {"\"groups\": [120, 68, 1]", "\"groups\": [120, 0, 1]",
       "'groups' must be three positive integers"},
      {"\"groups\": [120, 68, 1]", "\"groups\": [120, 68]",
       "'groups' must be three positive integers"},
      {"\"tie\": false", "\"ties\": false", "'ties'"},
      {"\"kernel\": \"blur\"", "\"kernel\": 3", "'kernel' must be a string"},
      {"\"median_ns\": 2001", "\"median_ns\": -1", "'median_ns' must not be negative"},
      {"\"round\": 3", "\"round\": -3", "'round'"},
      {"\"value\": 40", "\"valve\": 40", "'value'"},
  };
  for (const auto &[what, by, message] : cases) {
    std::string text = replaced(good, what, by);
    if (text == good)
      continue;
    if (*message) {
      EXPECT_NE(errorsOf(text).find(message), std::string::npos) << by << ": " << errorsOf(text);
    }
  }
  // A member that is not there is an error only where nothing can stand for it.
  Diagnostics diags;
  std::string bare = "{\"schema\": 1, \"outcomes\": [{\"kernel\": \"k\", \"device\": {\"key\": "
                     "\"d\"}, \"module_hash\": \"m\", \"variant_set_hash\": \"v\", \"size_hash\": "
                     "\"s\", \"groups\": [1, 1, 1], \"authored\": {\"local_size\": [8, 8, 1]}, "
                     "\"winner\": {\"id\": \"authored\", \"local_size\": [8, 8, 1]}}]}";
  std::optional<WinnersFile> read = readWinnersJson(bare, "w.json", diags);
  ASSERT_TRUE(read) << textOf(diags);
  EXPECT_EQ(read->outcomes[0].authoredSize, (Dim3{8, 8, 1}));
  for (const char *name : {"kernel", "module_hash", "variant_set_hash", "size_hash", "key", "id",
                           "local_size", "groups"})
    EXPECT_NE(errorsOf(replaced(bare, "\"" + std::string(name) + "\"", "\"other\"")).find(name),
              std::string::npos)
        << name;
}
