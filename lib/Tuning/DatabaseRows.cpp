//===- Tuning/DatabaseRows.cpp - Outcomes in and out -----------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Database.h"

#include "Tuning/DatabaseSql.h"

#include <cmath>

namespace tailor {

using namespace sql;

namespace {

constexpr const char *kStore = "the winner cannot be stored";
constexpr const char *kRead = "the winners cannot be read";
constexpr const char *kOrder = " ORDER BY kernel, size_name, device_name, module_hash,"
                               " variant_hash, size_hash, device_key";

/// Visits columns: is every number one?
struct AllFinite {
  bool finite = true;
  template <typename Value> void operator()(const char *, const Value &) {}
  void operator()(const char *, const double &value) { finite &= std::isfinite(value); }
  void operator()(const char *, const std::vector<TimeSample> &times) {
    for (const TimeSample &sample : times)
      finite &= std::isfinite(sample.ns);
  }
};

bool allFinite(const StoredWinner &winner) {
  AllFinite check;
  eachColumn(winner, check);
  for (const StoredCandidate &candidate : winner.candidates) {
    eachCandidateColumn(candidate, check);
    for (const PipelineStatistic &statistic : candidate.statistics)
      check("", statistic.value);
  }
  return check.finite;
}

std::string columnsOfWinners() {
  ColumnText text;
  StoredWinner winner;
  eachColumn(winner, text);
  return text.names;
}

} // namespace

Status Database::remove(const WinnerKey &key) {
  Statement statement(db, std::string("DELETE FROM winners") + kWhereKey);
  eachKeyColumn(key, BindColumns{statement});
  return statement.done() ? success() : Status(failed("the winner cannot be removed"));
}

Status Database::put(const StoredWinner &winner) {
  if (!allFinite(winner))
    return failure(Location::inFile(file),
                   "the outcome of kernel '" + winner.kernel + "' holds a time that is no number",
                   ErrorKind::Internal);
  if (Status removed = remove(winner.key); !removed)
    return removed;
  ColumnText text;
  eachColumn(winner, text);
  Statement insert(db, "INSERT INTO winners (" + text.names + ") VALUES (" + text.marks + ")");
  if (!insert)
    return failed(kStore);
  eachColumn(winner, BindColumns{insert});
  if (!insert.done())
    return failed(kStore);
  if (Status stored = putCandidates(sqlite3_last_insert_rowid(db), winner); !stored)
    return stored;
  if (!putDevice(db, winner.key.deviceKey, winner.vendor, winner.architecture, winner.deviceFacts))
    return failed(kStore);
  return success();
}

Status Database::putCandidates(int64_t id, const StoredWinner &winner) {
  ColumnText text;
  StoredCandidate none;
  eachCandidateColumn(none, text);
  Statement add(db, "INSERT INTO candidates (winner, position, " + text.names + ") VALUES (?, ?, " +
                        text.marks + ")");
  Statement figure(db, "INSERT INTO statistics (winner, position, item, name, value)"
                       " VALUES (?, ?, ?, ?, ?)");
  if (!add || !figure)
    return failed(kStore);
  for (size_t i = 0; i < winner.candidates.size(); ++i) {
    const StoredCandidate &candidate = winner.candidates[i];
    add.bind(id);
    add.bind(static_cast<int64_t>(i));
    eachCandidateColumn(candidate, BindColumns{add});
    if (!add.done())
      return failed(kStore);
    for (size_t item = 0; item < candidate.statistics.size(); ++item) {
      figure.bind(id);
      figure.bind(static_cast<int64_t>(i));
      figure.bind(static_cast<int64_t>(item));
      figure.bind(candidate.statistics[item].name);
      figure.bind(candidate.statistics[item].value);
      if (!figure.done())
        return failed(kStore);
    }
  }
  return success();
}

Status Database::put(const KnownBad &bad) {
  ColumnText text;
  eachBadColumn(bad, text);
  Statement insert(db, "INSERT OR REPLACE INTO known_bad (" + text.names + ") VALUES (" +
                           text.marks + ")");
  if (!insert)
    return failed(kStore);
  eachBadColumn(bad, BindColumns{insert});
  return insert.done() ? success() : Status(failed(kStore));
}

Status Database::store(const StoredWinner &winner) {
  Transaction transaction(db);
  if (!transaction)
    return failed(kStore);
  if (Status stored = put(winner); !stored)
    return stored;
  for (const KnownBad &bad : badOf(winner))
    if (Status stored = put(bad); !stored)
      return stored;
  return transaction.commit() ? success() : Status(failed(kStore));
}

Status Database::remember(const KnownBad &bad) {
  Transaction transaction(db);
  if (!transaction)
    return failed(kStore);
  if (Status stored = put(bad); !stored)
    return stored;
  return transaction.commit() ? success() : Status(failed(kStore));
}

Status Database::readCandidates(int64_t id, StoredWinner &winner) {
  ColumnText text;
  StoredCandidate none;
  eachCandidateColumn(none, text);
  Statement query(db,
                  "SELECT " + text.names + " FROM candidates WHERE winner = ? ORDER BY position");
  query.bind(id);
  while (query.row()) {
    StoredCandidate candidate;
    eachCandidateColumn(candidate, ReadColumns{query});
    winner.candidates.push_back(std::move(candidate));
  }
  if (!query.complete()) {
    if (sqlite3_errcode(db) != SQLITE_DONE && sqlite3_errcode(db) != SQLITE_OK)
      return failed(kRead);
    return failure(Location::inFile(file), "the winners database is damaged (samples that cannot "
                                           "be read); delete it and tune again");
  }
  Statement figures(db, "SELECT position, name, value FROM statistics WHERE winner = ?"
                        " ORDER BY position, item");
  figures.bind(id);
  while (figures.row()) {
    auto position = static_cast<size_t>(figures.integer());
    PipelineStatistic statistic;
    figures.read(statistic.name);
    figures.read(statistic.value);
    if (position < winner.candidates.size())
      winner.candidates[position].statistics.push_back(std::move(statistic));
  }
  return figures.complete() ? success() : Status(failed(kRead));
}

Result<std::vector<StoredWinner>> Database::rows(const std::string &condition, const WinnerKey *key,
                                                 unsigned parts) {
  std::vector<StoredWinner> winners;
  std::vector<int64_t> ids;
  Statement query(db, "SELECT id, " + columnsOfWinners() + " FROM winners" + condition);
  if (!query)
    return failed(kRead);
  if (key)
    eachKeyColumn(*key, [&](const char *, const std::string &part) {
      if (parts != 0) {
        query.bind(part);
        --parts;
      }
    });
  while (query.row()) {
    StoredWinner winner;
    ids.push_back(query.integer());
    eachColumn(winner, ReadColumns{query});
    winners.push_back(std::move(winner));
  }
  if (!query.complete())
    return failed(kRead);
  Statement device(db, "SELECT vendor, architecture, facts FROM devices WHERE device_key = ?");
  for (size_t i = 0; i < winners.size(); ++i) {
    StoredWinner &winner = winners[i];
    device.bind(winner.key.deviceKey);
    if (device.row())
      for (std::string *text : {&winner.vendor, &winner.architecture, &winner.deviceFacts})
        device.read(*text);
    else if (!device.complete())
      return failed(kRead);
    device.again();
    if (Status read = readCandidates(ids[i], winner); !read)
      return read.takeFailure();
  }
  return winners;
}

Result<std::vector<StoredWinner>> Database::select(const std::string &condition,
                                                   const WinnerKey *key, unsigned parts) {
  // One read transaction, so that a winner and its candidates belong together.
  Transaction transaction(db, "BEGIN");
  if (!transaction)
    return failed(kRead);
  return rows(condition, key, parts);
}

Result<std::optional<StoredWinner>> Database::find(const WinnerKey &key) {
  Result<std::vector<StoredWinner>> found = select(kWhereKey, &key, 4);
  if (!found)
    return found.takeFailure();
  if (found->empty())
    return std::optional<StoredWinner>();
  return std::optional<StoredWinner>(std::move(found->front()));
}

Result<std::vector<StoredWinner>> Database::findOnAnyDevice(const WinnerKey &key) {
  return select(std::string(" WHERE module_hash = ? AND variant_hash = ? AND size_hash = ?") +
                    kOrder,
                &key, 3);
}

Result<std::vector<StoredWinner>> Database::all() { return select(kOrder, nullptr, 0); }

Result<std::vector<KnownBad>> Database::badRows() {
  ColumnText text;
  KnownBad none;
  eachBadColumn(none, text);
  Statement query(db, "SELECT " + text.names +
                          " FROM known_bad ORDER BY kernel, variant_id, device_key, module_hash,"
                          " subgroup_size");
  std::vector<KnownBad> found;
  while (query.row()) {
    KnownBad bad;
    eachBadColumn(bad, ReadColumns{query});
    found.push_back(std::move(bad));
  }
  if (!query.complete())
    return failed(kRead);
  return found;
}

Result<std::vector<KnownBad>> Database::allKnownBad() { return badRows(); }

Result<std::optional<KnownBad>> Database::knownBad(const std::string &variantModuleHash,
                                                   const std::string &deviceKey,
                                                   const std::string &tool, uint32_t subgroupSize) {
  ColumnText text;
  KnownBad bad;
  eachBadColumn(bad, text);
  Statement query(db, "SELECT " + text.names +
                          " FROM known_bad WHERE module_hash = ? AND device_key = ?"
                          " AND subgroup_size = ? AND tool = ?");
  query.bind(variantModuleHash);
  query.bind(deviceKey);
  query.bind(subgroupSize);
  query.bind(tool);
  if (query.row()) {
    eachBadColumn(bad, ReadColumns{query});
    return std::optional<KnownBad>(std::move(bad));
  }
  if (!query.complete())
    return failed(kRead);
  return std::optional<KnownBad>();
}

bool Database::isKnownBad(const std::string &variantModuleHash, const std::string &deviceKey,
                          const std::string &tool, uint32_t subgroupSize) {
  Result<std::optional<KnownBad>> found =
      knownBad(variantModuleHash, deviceKey, tool, subgroupSize);
  return found && found->has_value();
}

} // namespace tailor
