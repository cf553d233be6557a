//===- Tuning/DatabaseSql.h - Statements and transactions -----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the winners database needs of SQLite, and the one list of the columns of
// each table: statements that write and those that read are made from it.
// Internal to the database's own files.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_DATABASESQL_H
#define TAILOR_TUNING_DATABASESQL_H

#include "Tuning/DatabaseTypes.h"

#include <sqlite3.h>
#include <string>
#include <string_view>

namespace tailor::sql {

/// A prepared statement: values by position, rows one after another.
class Statement {
public:
  Statement(sqlite3 *db, const std::string &sql) {
    code = sqlite3_prepare_v2(db, sql.c_str(), static_cast<int>(sql.size()), &handle, nullptr);
  }
  ~Statement() { sqlite3_finalize(handle); }
  Statement(const Statement &) = delete;
  Statement &operator=(const Statement &) = delete;

  explicit operator bool() const { return handle != nullptr; }
  void bind(std::string_view text) {
    const char *begin = text.empty() ? "" : text.data(); // a null pointer would be NULL
    sqlite3_bind_text64(handle, ++position, begin, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }
  void bind(const std::string &text) { bind(std::string_view(text)); }
  void bind(double value) { sqlite3_bind_double(handle, ++position, value); }
  void bind(int64_t value) { sqlite3_bind_int64(handle, ++position, value); }
  void bind(uint32_t value) { bind(int64_t{value}); }
  void bind(bool value) { bind(int64_t{value}); }
  void bind(const Dim3 &size) { bind(size.str()); }
  void bind(CandidateState state) { bind(nameOf(state)); }
  void bind(CandidateFault fault) { bind(nameOf(fault)); }
  void bind(const std::vector<TimeSample> &times) {
    std::string bytes = packSamples(times);
    sqlite3_bind_blob64(handle, ++position, bytes.empty() ? "" : bytes.data(), bytes.size(),
                        SQLITE_TRANSIENT);
  }

  /// Leaves the next `count` values NULL.
  void skip(int count) { position += count; }

  /// Goes to the next row; false at the end, and where something is wrong.
  bool row() {
    column = 0;
    code = handle ? sqlite3_step(handle) : code;
    return handle && code == SQLITE_ROW;
  }
  /// Runs a statement that gives no rows; it may then be bound anew.
  bool done() {
    code = handle ? sqlite3_step(handle) : code;
    bool finished = handle && code == SQLITE_DONE;
    if (finished)
      again();
    return finished;
  }
  /// The last row() came to the end of the rows, and every value could be read.
  bool complete() const { return handle && code == SQLITE_DONE && readable; }
  /// To be bound and run once more.
  void again() {
    sqlite3_reset(handle);
    position = column = 0;
  }

  std::string text() {
    const unsigned char *bytes = sqlite3_column_text(handle, column);
    int length = sqlite3_column_bytes(handle, column++);
    return bytes ? std::string(reinterpret_cast<const char *>(bytes), static_cast<size_t>(length))
                 : std::string();
  }
  int64_t integer() { return sqlite3_column_int64(handle, column++); }

  void read(std::string &value) { value = text(); }
  void read(double &value) { value = sqlite3_column_double(handle, column++); }
  void read(uint32_t &value) { value = static_cast<uint32_t>(integer()); }
  void read(bool &value) { value = integer() != 0; }
  void read(Dim3 &value) { value = parseDim3(text()).value_or(Dim3{}); }
  void read(CandidateState &value) {
    value = parseCandidateState(text()).value_or(CandidateState::Failed);
  }
  void read(CandidateFault &value) {
    value = parseCandidateFault(text()).value_or(CandidateFault::None);
  }
  void read(std::vector<TimeSample> &value) {
    const void *bytes = sqlite3_column_blob(handle, column);
    int length = sqlite3_column_bytes(handle, column++);
    std::string_view packed(static_cast<const char *>(bytes), static_cast<size_t>(length));
    std::optional<std::vector<TimeSample>> samples = unpackSamples(packed);
    readable &= samples.has_value();
    value = std::move(samples).value_or(std::vector<TimeSample>());
  }

private:
  sqlite3_stmt *handle = nullptr;
  int position = 0;
  int column = 0;
  int code = SQLITE_OK;
  bool readable = true;
};

inline bool run(sqlite3 *db, const char *sql) {
  return sqlite3_exec(db, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

/// The first value of the first row; nothing where there is none.
inline std::optional<int64_t> number(sqlite3 *db, const char *sql) {
  Statement statement(db, sql);
  if (!statement.row())
    return std::nullopt;
  return statement.integer();
}

/// Rolls back unless committed.
class Transaction {
public:
  /// `begin`: "BEGIN IMMEDIATE" to write, "BEGIN" to read.
  explicit Transaction(sqlite3 *db, const char *begin = "BEGIN IMMEDIATE")
      : db(db), open(run(db, begin)) {}
  ~Transaction() {
    if (open)
      run(db, "ROLLBACK");
  }
  Transaction(const Transaction &) = delete;
  Transaction &operator=(const Transaction &) = delete;
  explicit operator bool() const { return open; }
  bool commit() {
    bool done = run(db, "COMMIT");
    open = !done;
    return done;
  }

private:
  sqlite3 *db;
  bool open;
};

/// The columns of a key, in the order of the UNIQUE constraint.
template <typename Key, typename Visit> void eachKeyColumn(Key &key, Visit &&visit) {
  visit("module_hash", key.moduleHash);
  visit("variant_hash", key.variantHash);
  visit("size_hash", key.sizeHash);
  visit("device_key", key.deviceKey);
}
inline constexpr const char *kWhereKey =
    " WHERE module_hash = ? AND variant_hash = ? AND size_hash = ? AND device_key = ?";

/// The columns of `winners` besides `id`.
template <typename Winner, typename Visit> void eachColumn(Winner &w, Visit &&visit) {
  eachKeyColumn(w.key, visit);
  visit("kernel", w.kernel);
  visit("entry_point", w.entryPoint);
  visit("size_name", w.sizeName);
  visit("device_name", w.deviceName);
  visit("groups", w.groups);
  visit("authored_size", w.authoredSize);
  visit("winner_id", w.winnerId);
  visit("winner_size", w.winnerSize);
  visit("winner_ns", w.winnerNs);
  visit("winner_spread", w.winnerSpread);
  visit("authored_ns", w.authoredNs);
  visit("authored_spread", w.authoredSpread);
  visit("samples", w.samples);
  visit("ratio", w.ratio);
  visit("verified", w.verified);
  visit("tool", w.tool);
  visit("date", w.date);
  visit("winner_subgroup_size", w.winnerSubgroupSize);
  visit("noise", w.noise);
  visit("tie", w.tie);
  visit("host_clock", w.hostClock);
  visit("strategy", w.search.strategy);
  visit("ended", w.search.ended);
  visit("budget_s", w.search.budgetSeconds);
  visit("compile_s", w.search.compileSeconds);
  visit("verify_s", w.search.verifySeconds);
  visit("measure_s", w.search.measureSeconds);
}

/// The columns of `candidates` besides `winner` and `position`.
template <typename Candidate, typename Visit>
void eachCandidateColumn(Candidate &c, Visit &&visit) {
  visit("variant_id", c.variantId);
  visit("local_size", c.localSize);
  visit("state", c.state);
  visit("why", c.why);
  visit("median_ns", c.medianNs);
  visit("spread", c.spread);
  visit("samples", c.samples);
  visit("verified", c.verified);
  visit("technique", c.technique);
  visit("evidence", c.evidence);
  visit("variant_module_hash", c.moduleHash);
  visit("fault", c.fault);
  visit("expected_ns", c.expectedNs);
  visit("bound_ns", c.boundNs);
  visit("subgroup_size", c.subgroupSize);
  visit("compile_s", c.compileSeconds);
  visit("verify_s", c.verifySeconds);
  visit("measure_s", c.measureSeconds);
  visit("times", c.times);
}

/// The columns of `known_bad`; the first three are its key.
template <typename Bad, typename Visit> void eachBadColumn(Bad &bad, Visit &&visit) {
  visit("module_hash", bad.moduleHash);
  visit("device_key", bad.deviceKey);
  visit("subgroup_size", bad.subgroupSize);
  visit("fault", bad.fault);
  visit("why", bad.why);
  visit("kernel", bad.kernel);
  visit("variant_id", bad.variantId);
  visit("tool", bad.tool);
  visit("date", bad.date);
}

/// "a, b, c" and "?, ?, ?" of the columns that `visitAll` names.
struct ColumnText {
  std::string names, marks;
  template <typename Value> void operator()(const char *name, Value &) {
    names += (names.empty() ? "" : ", ") + std::string(name);
    marks += marks.empty() ? "?" : ", ?";
  }
};
struct BindColumns {
  Statement &statement;
  template <typename Value> void operator()(const char *, Value &value) { statement.bind(value); }
};
struct ReadColumns {
  Statement &statement;
  template <typename Value> void operator()(const char *, Value &value) { statement.read(value); }
};

} // namespace tailor::sql

#endif
