//===- Tuning/DatabaseSchema.cpp -------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A new file gets the tables of schema 1 and every step after it, so that it
// has the same tables as a file that grew up with the program.
//
//===----------------------------------------------------------------------===//
#include "Tuning/DatabaseSchema.h"

#include "Tuning/DatabaseSql.h"

namespace tailor {

namespace {

using namespace sql;

constexpr const char *kSchema1 = R"sql(
CREATE TABLE winners (
  id INTEGER PRIMARY KEY,
  module_hash TEXT NOT NULL, variant_hash TEXT NOT NULL,
  size_hash TEXT NOT NULL, device_key TEXT NOT NULL,
  kernel TEXT NOT NULL, entry_point TEXT NOT NULL,
  size_name TEXT NOT NULL, device_name TEXT NOT NULL,
  groups TEXT NOT NULL, authored_size TEXT NOT NULL,
  winner_id TEXT NOT NULL, winner_size TEXT NOT NULL,
  winner_ns REAL NOT NULL, winner_spread REAL NOT NULL,
  authored_ns REAL NOT NULL, authored_spread REAL NOT NULL,
  samples INTEGER NOT NULL, ratio REAL NOT NULL, verified INTEGER NOT NULL,
  tool TEXT NOT NULL, date TEXT NOT NULL,
  UNIQUE (module_hash, variant_hash, size_hash, device_key));
CREATE TABLE candidates (
  winner INTEGER NOT NULL REFERENCES winners (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  variant_id TEXT NOT NULL, local_size TEXT NOT NULL,
  state TEXT NOT NULL, why TEXT NOT NULL,
  median_ns REAL NOT NULL, spread REAL NOT NULL,
  samples INTEGER NOT NULL, verified INTEGER NOT NULL,
  PRIMARY KEY (winner, position)) WITHOUT ROWID;
)sql";

constexpr const char *kFrom1To2 = R"sql(
CREATE TABLE devices (
  device_key TEXT PRIMARY KEY NOT NULL,
  vendor_id INTEGER, device_id INTEGER, driver_id INTEGER, driver_version INTEGER,
  driver_info TEXT, device_name TEXT, limits TEXT,
  vendor TEXT NOT NULL DEFAULT '', architecture TEXT NOT NULL DEFAULT '',
  facts TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE TABLE known_bad (
  module_hash TEXT NOT NULL, device_key TEXT NOT NULL, subgroup_size INTEGER NOT NULL,
  fault TEXT NOT NULL, why TEXT NOT NULL, kernel TEXT NOT NULL, variant_id TEXT NOT NULL,
  tool TEXT NOT NULL, date TEXT NOT NULL,
  PRIMARY KEY (module_hash, device_key, subgroup_size)) WITHOUT ROWID;
CREATE TABLE statistics (
  winner INTEGER NOT NULL, position INTEGER NOT NULL, item INTEGER NOT NULL,
  name TEXT NOT NULL, value REAL NOT NULL,
  PRIMARY KEY (winner, position, item),
  FOREIGN KEY (winner, position) REFERENCES candidates (winner, position) ON DELETE CASCADE)
  WITHOUT ROWID;
ALTER TABLE winners ADD COLUMN winner_subgroup_size INTEGER NOT NULL DEFAULT 0;
ALTER TABLE winners ADD COLUMN noise REAL NOT NULL DEFAULT 0;
ALTER TABLE winners ADD COLUMN tie INTEGER NOT NULL DEFAULT 0;
ALTER TABLE winners ADD COLUMN host_clock INTEGER NOT NULL DEFAULT 0;
ALTER TABLE winners ADD COLUMN strategy TEXT NOT NULL DEFAULT '';
ALTER TABLE winners ADD COLUMN ended TEXT NOT NULL DEFAULT '';
ALTER TABLE winners ADD COLUMN budget_s REAL NOT NULL DEFAULT 0;
ALTER TABLE winners ADD COLUMN compile_s REAL NOT NULL DEFAULT 0;
ALTER TABLE winners ADD COLUMN verify_s REAL NOT NULL DEFAULT 0;
ALTER TABLE winners ADD COLUMN measure_s REAL NOT NULL DEFAULT 0;
ALTER TABLE candidates ADD COLUMN technique TEXT NOT NULL DEFAULT '';
ALTER TABLE candidates ADD COLUMN evidence TEXT NOT NULL DEFAULT '';
ALTER TABLE candidates ADD COLUMN variant_module_hash TEXT NOT NULL DEFAULT '';
ALTER TABLE candidates ADD COLUMN fault TEXT NOT NULL DEFAULT 'none';
ALTER TABLE candidates ADD COLUMN expected_ns REAL NOT NULL DEFAULT 0;
ALTER TABLE candidates ADD COLUMN bound_ns REAL NOT NULL DEFAULT 0;
ALTER TABLE candidates ADD COLUMN subgroup_size INTEGER NOT NULL DEFAULT 0;
ALTER TABLE candidates ADD COLUMN compile_s REAL NOT NULL DEFAULT 0;
ALTER TABLE candidates ADD COLUMN verify_s REAL NOT NULL DEFAULT 0;
ALTER TABLE candidates ADD COLUMN measure_s REAL NOT NULL DEFAULT 0;
ALTER TABLE candidates ADD COLUMN times BLOB NOT NULL DEFAULT x'';
)sql";

bool stamp(sqlite3 *db) {
  std::string text = "PRAGMA application_id = " + std::to_string(kDatabaseApplicationId) +
                     "; PRAGMA user_version = " + std::to_string(kDatabaseSchema);
  return run(db, text.c_str());
}

/// Rows of `devices` for the keys of the winners that are there.
bool addDevices(sqlite3 *db) {
  std::vector<std::string> keys;
  Statement query(db, "SELECT DISTINCT device_key FROM winners");
  while (query.row())
    keys.push_back(query.text());
  if (!query.complete())
    return false;
  for (const std::string &key : keys)
    if (!putDevice(db, key, "", "", ""))
      return false;
  return true;
}

} // namespace

bool makeDatabaseTables(sqlite3 *db) {
  return run(db, kSchema1) && run(db, kFrom1To2) && stamp(db);
}

bool migrateDatabase(sqlite3 *db, int from) {
  if (from != 1)
    return false;
  return run(db, kFrom1To2) && addDevices(db) && stamp(db);
}

bool hasDatabaseTables(sqlite3 *db) {
  ColumnText winners, candidates, bad;
  StoredWinner winner;
  StoredCandidate candidate;
  KnownBad known;
  eachColumn(winner, winners);
  eachCandidateColumn(candidate, candidates);
  eachBadColumn(known, bad);
  for (const std::string &sql :
       {"SELECT id, " + winners.names + " FROM winners",
        "SELECT winner, position, " + candidates.names + " FROM candidates",
        "SELECT " + bad.names + " FROM known_bad",
        std::string("SELECT winner, position, item, name, value FROM statistics"),
        std::string("SELECT device_key, vendor_id, vendor, architecture, facts FROM devices")})
    if (!Statement(db, sql + " LIMIT 1"))
      return false;
  return true;
}

bool putDevice(sqlite3 *db, const std::string &key, const std::string &vendor,
               const std::string &architecture, const std::string &facts) {
  std::optional<DeviceParts> parts = parseDeviceKey(key);
  Statement put(db, "INSERT INTO devices VALUES (?,?,?,?,?,?,?,?,?,?,?)"
                    " ON CONFLICT (device_key) DO UPDATE SET"
                    " vendor = CASE excluded.vendor WHEN '' THEN vendor ELSE excluded.vendor END,"
                    " architecture = CASE excluded.architecture WHEN '' THEN architecture"
                    " ELSE excluded.architecture END,"
                    " facts = CASE excluded.facts WHEN '' THEN facts ELSE excluded.facts END");
  put.bind(key);
  if (parts) {
    for (uint32_t value : {parts->vendorId, parts->deviceId, parts->driverId, parts->driverVersion})
      put.bind(value);
    for (const std::string *text : {&parts->driverInfo, &parts->deviceName, &parts->limits})
      put.bind(*text);
  } else {
    put.skip(7); // NULL: a key of another form
  }
  for (const std::string *text : {&vendor, &architecture, &facts})
    put.bind(*text);
  return put.done();
}

} // namespace tailor
