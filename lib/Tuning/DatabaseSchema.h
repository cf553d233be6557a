//===- Tuning/DatabaseSchema.h - The tables of the winners database -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_DATABASESCHEMA_H
#define TAILOR_TUNING_DATABASESCHEMA_H

#include <string>

struct sqlite3;

namespace tailor {

/// The schema that this version writes. Older ones are brought up to it.
inline constexpr int kDatabaseSchema = 2;
/// PRAGMA application_id of our files: "TLRW".
inline constexpr int kDatabaseApplicationId = 0x544c5257;

/// Makes the tables in an empty file, inside the caller's transaction.
bool makeDatabaseTables(sqlite3 *db);
/// Brings the tables from schema `from` to kDatabaseSchema, inside the caller's transaction: all of
/// it or nothing. False where SQLite says no.
bool migrateDatabase(sqlite3 *db, int from);
/// Every table and column that this version uses is there.
bool hasDatabaseTables(sqlite3 *db);
/// Writes the row of a device, with the parts of its key. Empty texts leave what is there.
bool putDevice(sqlite3 *db, const std::string &key, const std::string &vendor,
               const std::string &architecture, const std::string &facts);

} // namespace tailor

#endif
