//===- Outcomes.cpp ------------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Outcomes.h"

#include "TestSupport.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

namespace tailor::test {

std::string deviceKeyOf(const KeyParts &parts) {
  auto number = [](uint32_t value) { return std::to_string(value); };
  return "vendor=" + number(parts.vendor) + ";device=" + number(parts.device) +
         ";driver=" + number(parts.driver) + ";driverVersion=" + number(parts.driverVersion) +
         ";driverInfo=" + parts.driverInfo + ";name=" + parts.name +
         ";localSize=1024x1024x64;invocations=" + number(parts.maxInvocations) +
         ";groups=2147483647x65535x65535;shared=49152;subgroup=32/32/32;push=256";
}

StoredWinner winnerOf(const std::string &size) {
  StoredWinner w;
  w.key = {"module", "variants", size, "device"};
  w.kernel = "blur";
  w.entryPoint = "main";
  w.sizeName = size;
  w.deviceName = "llvmpipe 'quoted' \"name\"";
  w.groups = {120, 68, 1};
  w.authoredSize = {16, 16, 1};
  w.winnerId = "resize-64x1x1";
  w.winnerSize = {64, 1, 1};
  w.winnerNs = 1000.5;
  w.winnerSpread = 0.001;
  w.authoredNs = 2001;
  w.authoredSpread = 0.002;
  w.samples = 22;
  w.ratio = 2;
  w.verified = true;
  w.tool = "spirv-tailor test";
  w.date = "2024-02-29T12:00:00Z";
  w.candidates = {
      {"authored", {16, 16, 1}, CandidateState::Measured, "", 2001, 0.002, 22, true},
      {"resize-64x1x1", {64, 1, 1}, CandidateState::Measured, "", 1000.5, 0.001, 22, true},
      {"resize-1x1x1", {1, 1, 1}, CandidateState::LeftOut, "too many groups", 0, 0, 0, false}};
  return w;
}

StoredWinner fullWinnerOf(const std::string &size, const std::string &deviceKey) {
  StoredWinner w = winnerOf(size);
  w.key.deviceKey = deviceKey;
  w.search = {"auto", "nothing can gain more than the noise", 1.5, 0.25, 0.125, 1.0 / 3};
  w.winnerSubgroupSize = 32;
  w.noise = 0.1 / 3;
  w.tie = true;
  w.hostClock = true;
  w.vendor = "NVIDIA";
  w.architecture = "Hopper";
  w.deviceFacts = "{\"units\": 132}";
  StoredCandidate &authored = w.candidates[0], &winner = w.candidates[1];
  authored.technique = "authored";
  authored.evidence = "proven";
  authored.moduleHash = "module";
  authored.times = {{2000.0 / 3, 0}, {2001, 0}, {0.1, 3}, {1e-300, 2}, {1e300, 4294967295U}};
  winner.technique = "resize";
  winner.evidence = "proven";
  winner.moduleHash = "0123";
  winner.expectedNs = 900.0 / 7;
  winner.boundNs = 800;
  winner.subgroupSize = 32;
  winner.compileSeconds = 0.1;
  winner.verifySeconds = 0.2;
  winner.measureSeconds = 0.3;
  winner.times = {{1000.5, 0}, {1000.25, 1}};
  winner.statistics = {{"Registers", 40}, {"Binary Size", 1e-7}, {"Registers", 41}};
  StoredCandidate hung{"pack-64x1x1", {64, 1, 1}, CandidateState::Failed, "no end in 2 s"};
  hung.moduleHash = "hangs";
  hung.fault = CandidateFault::Hung;
  w.candidates.push_back(hung);
  return w;
}

std::unique_ptr<Database> openOrFail(const std::string &path, Database::Mode mode) {
  Result<std::unique_ptr<Database>> opened = Database::open(path, mode);
  if (!opened) {
    ADD_FAILURE() << textOf(opened.diagnostic());
    return nullptr;
  }
  return std::move(*opened);
}

std::string openError(const std::string &path, ErrorKind kind, Database::Mode mode) {
  Result<std::unique_ptr<Database>> opened = Database::open(path, mode);
  if (opened)
    return "opened";
  EXPECT_EQ(opened.diagnostic().kind, kind);
  EXPECT_EQ(opened.diagnostic().location.file, path);
  return opened.diagnostic().text;
}

namespace {

int keepFirst(void *to, int columns, char **values, char **) {
  auto &text = *static_cast<std::string *>(to);
  if (text.empty() && columns > 0 && values[0])
    text = values[0];
  return 0;
}

} // namespace

std::string askSql(const std::string &path, const std::string &sql) {
  std::string text;
  sqlite3 *db = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(db, sql.c_str(), keepFirst, &text, nullptr), SQLITE_OK)
      << sqlite3_errmsg(db);
  sqlite3_close(db);
  return text;
}

void runSql(const std::string &path, const std::string &sql) { askSql(path, sql); }

void makeSchema1(const std::string &path, const std::vector<StoredWinner> &winners) {
  // Written down once, when schema 1 was the newest: it must never follow the program.
  std::string sql =
      "PRAGMA journal_mode = WAL; BEGIN; PRAGMA application_id = 1414287959; PRAGMA user_version = "
      "1;"
      "CREATE TABLE winners (id INTEGER PRIMARY KEY, module_hash TEXT NOT NULL, variant_hash TEXT "
      "NOT NULL, size_hash TEXT NOT NULL, device_key TEXT NOT NULL, kernel TEXT NOT NULL, "
      "entry_point TEXT NOT NULL, size_name TEXT NOT NULL, device_name TEXT NOT NULL, groups TEXT "
      "NOT NULL, authored_size TEXT NOT NULL, winner_id TEXT NOT NULL, winner_size TEXT NOT NULL, "
      "winner_ns REAL NOT NULL, winner_spread REAL NOT NULL, authored_ns REAL NOT NULL, "
      "authored_spread REAL NOT NULL, samples INTEGER NOT NULL, ratio REAL NOT NULL, verified "
      "INTEGER NOT NULL, tool TEXT NOT NULL, date TEXT NOT NULL, UNIQUE (module_hash, "
      "variant_hash, size_hash, device_key));"
      "CREATE TABLE candidates (winner INTEGER NOT NULL REFERENCES winners (id) ON DELETE CASCADE, "
      "position INTEGER NOT NULL, variant_id TEXT NOT NULL, local_size TEXT NOT NULL, state TEXT "
      "NOT NULL, why TEXT NOT NULL, median_ns REAL NOT NULL, spread REAL NOT NULL, samples INTEGER "
      "NOT NULL, verified INTEGER NOT NULL, PRIMARY KEY (winner, position)) WITHOUT ROWID;";
  auto quoted = [](const std::string &text) {
    std::string result = "'";
    for (char c : text)
      result += c == '\'' ? "''" : std::string(1, c);
    return result + "',";
  };
  auto number = [](double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    return std::string(text);
  };
  for (size_t i = 0; i < winners.size(); ++i) {
    const StoredWinner &w = winners[i];
    std::string id = std::to_string(i + 1);
    sql += "INSERT INTO winners VALUES (" + id + ",";
    for (const std::string &text :
         {w.key.moduleHash, w.key.variantHash, w.key.sizeHash, w.key.deviceKey, w.kernel,
          w.entryPoint, w.sizeName, w.deviceName, w.groups.str(), w.authoredSize.str(), w.winnerId,
          w.winnerSize.str()})
      sql += quoted(text);
    for (double value : {w.winnerNs, w.winnerSpread, w.authoredNs, w.authoredSpread})
      sql += number(value) + ",";
    sql += std::to_string(w.samples) + "," + number(w.ratio) + "," + (w.verified ? "1," : "0,") +
           quoted(w.tool) + quoted(w.date);
    sql.back() = ')';
    sql += ";";
    for (size_t c = 0; c < w.candidates.size(); ++c) {
      const StoredCandidate &candidate = w.candidates[c];
      sql += "INSERT INTO candidates VALUES (" + id + "," + std::to_string(c) + ",";
      for (const std::string &text : {candidate.variantId, candidate.localSize.str(),
                                      std::string(nameOf(candidate.state)), candidate.why})
        sql += quoted(text);
      sql += number(candidate.medianNs) + "," + number(candidate.spread) + "," +
             std::to_string(candidate.samples) + (candidate.verified ? ",1);" : ",0);");
    }
  }
  runSql(path, sql + "COMMIT");
}

} // namespace tailor::test
