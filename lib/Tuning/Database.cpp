//===- Tuning/Database.cpp -------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Database.h"

#include <array>
#include <chrono>
#include <filesystem>
#include <sqlite3.h>
#include <string_view>
#include <thread>
#include <utility>

namespace tailor {

namespace {

constexpr int kBusyTimeoutMs = 20000;
/// PRAGMA application_id of our files: "TLRW".
constexpr int kApplicationId = 0x544c5257;

constexpr const char *kSchema = R"sql(
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

constexpr const char *kColumns =
    "SELECT id, module_hash, variant_hash, size_hash, device_key, kernel, entry_point, size_name,"
    " device_name, groups, authored_size, winner_id, winner_size, winner_ns, winner_spread,"
    " authored_ns, authored_spread, samples, ratio, verified, tool, date FROM winners ";

/// A prepared statement: values by position, rows one after another.
class Statement {
public:
  Statement(sqlite3 *db, const std::string &sql) {
    sqlite3_prepare_v2(db, sql.c_str(), static_cast<int>(sql.size()), &handle, nullptr);
  }
  ~Statement() { sqlite3_finalize(handle); }
  Statement(const Statement &) = delete;
  Statement &operator=(const Statement &) = delete;

  explicit operator bool() const { return handle != nullptr; }
  void bind(const std::string &text) {
    sqlite3_bind_text64(handle, ++position, text.data(), text.size(), SQLITE_TRANSIENT,
                        SQLITE_UTF8);
  }
  void bind(std::string_view text) { bind(std::string(text)); }
  void bind(double value) { sqlite3_bind_double(handle, ++position, value); }
  void bind(int64_t value) { sqlite3_bind_int64(handle, ++position, value); }
  void bind(uint32_t value) { bind(int64_t{value}); }
  void bind(bool value) { bind(int64_t{value}); }
  void bind(const Dim3 &size) { bind(size.str()); }

  bool row() { return handle && sqlite3_step(handle) == SQLITE_ROW; }
  /// Runs a statement that gives no rows.
  bool done() { return handle && sqlite3_step(handle) == SQLITE_DONE; }

  std::string text() {
    const unsigned char *bytes = sqlite3_column_text(handle, column);
    int length = sqlite3_column_bytes(handle, column++);
    return bytes ? std::string(reinterpret_cast<const char *>(bytes), static_cast<size_t>(length))
                 : std::string();
  }
  double number() { return sqlite3_column_double(handle, column++); }
  int64_t integer() { return sqlite3_column_int64(handle, column++); }
  Dim3 size() { return parseDim3(text()).value_or(Dim3{}); }
  void nextRow() { column = 0; }

private:
  sqlite3_stmt *handle = nullptr;
  int position = 0;
  int column = 0;
};

std::optional<int64_t> pragma(sqlite3 *db, const char *sql) {
  Statement statement(db, sql);
  if (!statement.row())
    return std::nullopt;
  return statement.integer();
}

bool run(sqlite3 *db, const char *sql) {
  return sqlite3_exec(db, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

/// Rolls back unless committed.
class Transaction {
public:
  explicit Transaction(sqlite3 *db) : db(db), open(run(db, "BEGIN IMMEDIATE")) {}
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

constexpr std::pair<CandidateState, std::string_view> kStates[] = {
    {CandidateState::Measured, "measured"}, {CandidateState::LeftOut, "left_out"},
    {CandidateState::Dropped, "dropped"},   {CandidateState::Failed, "failed"},
    {CandidateState::Wrong, "wrong"},
};

} // namespace

std::string_view nameOf(CandidateState state) {
  for (const auto &[known, name] : kStates)
    if (known == state)
      return name;
  return "";
}

std::optional<CandidateState> parseCandidateState(std::string_view name) {
  for (const auto &[state, known] : kStates)
    if (known == name)
      return state;
  return std::nullopt;
}

Database::~Database() { sqlite3_close(db); }

Failure Database::failed(const std::string &what) const {
  int code = sqlite3_errcode(db);
  Location where = Location::inFile(file);
  switch (code & 0xff) {
  case SQLITE_NOTADB:
    return failure(where, "the file is no winners database");
  case SQLITE_CORRUPT:
    return failure(where, "the winners database is damaged (" + std::string(sqlite3_errmsg(db)) +
                              "); delete it and tune again");
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return failure(where, what + ": another process has kept the winners database locked",
                   ErrorKind::Environment);
  default:
    return failure(where, what + ": " + sqlite3_errmsg(db), ErrorKind::Environment);
  }
}

Result<std::unique_ptr<Database>> Database::open(const std::string &path, Mode mode) {
  // SQLite opens a folder or a missing parent with the same bare "unable to open".
  std::error_code ignored;
  bool exists = std::filesystem::exists(path, ignored);
  if (!exists && mode == Mode::Existing)
    return failure(Location::inFile(path), "there is no winners database here",
                   ErrorKind::Environment);
  if (std::filesystem::is_directory(path, ignored))
    return failure(Location::inFile(path), "a folder cannot be a winners database",
                   ErrorKind::Environment);
  sqlite3 *handle = nullptr;
  int flags = SQLITE_OPEN_READWRITE | (mode == Mode::Create ? SQLITE_OPEN_CREATE : 0);
  int code = sqlite3_open_v2(path.c_str(), &handle, flags | SQLITE_OPEN_FULLMUTEX, nullptr);
  std::unique_ptr<Database> database(new Database(path, handle));
  if (code != SQLITE_OK)
    return database->failed("the winners database cannot be opened");
  sqlite3_busy_timeout(handle, kBusyTimeoutMs);
  if (Status ready = database->prepareSchema(mode); !ready)
    return ready.takeFailure();
  if (sqlite3_db_readonly(handle, "main") == 1 && mode == Mode::Create)
    return failure(Location::inFile(path), "the winners database cannot be written",
                   ErrorKind::Environment);
  return database;
}

/// Makes the tables in an empty file, and refuses every file that is not ours.
Status Database::prepareSchema(Mode mode) {
  run(db, "PRAGMA foreign_keys = ON");
  std::optional<int64_t> tables = pragma(db, "SELECT count(*) FROM sqlite_schema");
  if (!tables) // at once: the next call forgets the reason
    return failed("the winners database cannot be read");
  std::optional<int64_t> application = pragma(db, "PRAGMA application_id");
  if (!application)
    return failed("the winners database cannot be read");
  if (*tables == 0 && *application == 0 && mode == Mode::Create) {
    if (Status wal = useWal(); !wal)
      return wal;
    Transaction transaction(db);
    if (!transaction)
      return failed("the winners database cannot be written");
    // Another process may have made the tables between the look and the lock.
    std::optional<int64_t> now = pragma(db, "SELECT count(*) FROM sqlite_schema");
    if (now && *now == 0) {
      std::string stamp = "PRAGMA application_id = " + std::to_string(kApplicationId) +
                          "; PRAGMA user_version = " + std::to_string(kDatabaseSchema);
      if (!run(db, kSchema) || !run(db, stamp.c_str()))
        return failed("the winners database cannot be made");
    }
    if (!transaction.commit())
      return failed("the winners database cannot be made");
    application = pragma(db, "PRAGMA application_id");
  }
  Location where = Location::inFile(file);
  if (!application || *application != kApplicationId)
    return failure(where, "the file is a database of another program, not a winners database");
  std::optional<int64_t> version = pragma(db, "PRAGMA user_version");
  if (!version || *version != kDatabaseSchema)
    return failure(where, "the winners database has schema " + std::to_string(version.value_or(0)) +
                              ", this version reads schema " + std::to_string(kDatabaseSchema));
  Statement probe(db, std::string(kColumns) + "LIMIT 1");
  Statement candidates(db, "SELECT winner, position FROM candidates LIMIT 1");
  if (!probe || !candidates)
    return failure(where, "the winners database is damaged: " + std::string(sqlite3_errmsg(db)));
  return success();
}

Status Database::useWal() {
  // Changing the mode needs the file alone, and SQLite does not always wait for that.
  auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(kBusyTimeoutMs);
  while (true) {
    if (run(db, "PRAGMA journal_mode = WAL"))
      return success();
    int code = sqlite3_errcode(db) & 0xff;
    bool locked = code == SQLITE_BUSY || code == SQLITE_LOCKED;
    if (!locked || std::chrono::steady_clock::now() > deadline)
      return failed("the winners database cannot be written");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

Status Database::store(const StoredWinner &winner) {
  const char *what = "the winner cannot be stored";
  Transaction transaction(db);
  if (!transaction)
    return failed(what);
  Statement remove(db, "DELETE FROM winners WHERE module_hash = ? AND variant_hash = ? AND "
                       "size_hash = ? AND device_key = ?");
  const WinnerKey &key = winner.key;
  for (const std::string *part : {&key.moduleHash, &key.variantHash, &key.sizeHash, &key.deviceKey})
    remove.bind(*part);
  if (!remove.done())
    return failed(what);

  Statement insert(db, "INSERT INTO winners (module_hash, variant_hash, size_hash, device_key,"
                       " kernel, entry_point, size_name, device_name, groups, authored_size,"
                       " winner_id, winner_size, winner_ns, winner_spread, authored_ns,"
                       " authored_spread, samples, ratio, verified, tool, date)"
                       " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  for (const std::string *text :
       {&key.moduleHash, &key.variantHash, &key.sizeHash, &key.deviceKey, &winner.kernel,
        &winner.entryPoint, &winner.sizeName, &winner.deviceName})
    insert.bind(*text);
  insert.bind(winner.groups);
  insert.bind(winner.authoredSize);
  insert.bind(winner.winnerId);
  insert.bind(winner.winnerSize);
  for (double value :
       {winner.winnerNs, winner.winnerSpread, winner.authoredNs, winner.authoredSpread})
    insert.bind(value);
  insert.bind(winner.samples);
  insert.bind(winner.ratio);
  insert.bind(winner.verified);
  insert.bind(winner.tool);
  insert.bind(winner.date);
  if (!insert.done())
    return failed(what);

  int64_t id = sqlite3_last_insert_rowid(db);
  for (size_t i = 0; i < winner.candidates.size(); ++i) {
    const StoredCandidate &candidate = winner.candidates[i];
    Statement add(db, "INSERT INTO candidates VALUES (?,?,?,?,?,?,?,?,?,?)");
    add.bind(id);
    add.bind(static_cast<int64_t>(i));
    add.bind(candidate.variantId);
    add.bind(candidate.localSize);
    add.bind(nameOf(candidate.state));
    add.bind(candidate.why);
    add.bind(candidate.medianNs);
    add.bind(candidate.spread);
    add.bind(candidate.samples);
    add.bind(candidate.verified);
    if (!add.done())
      return failed(what);
  }
  if (!transaction.commit())
    return failed(what);
  return success();
}

Result<std::vector<StoredWinner>> Database::select(const char *condition, const WinnerKey *key) {
  const char *what = "the winners cannot be read";
  // One read transaction, so that a winner and its candidates belong together.
  if (!run(db, "BEGIN"))
    return failed(what);
  std::vector<StoredWinner> winners;
  std::vector<int64_t> ids;
  bool complete = false;
  {
    Statement query(db, std::string(kColumns) + condition);
    if (key)
      for (const std::string *part :
           {&key->moduleHash, &key->variantHash, &key->sizeHash, &key->deviceKey})
        query.bind(*part);
    while (query.row()) {
      query.nextRow();
      StoredWinner w;
      ids.push_back(query.integer());
      for (std::string *text :
           {&w.key.moduleHash, &w.key.variantHash, &w.key.sizeHash, &w.key.deviceKey, &w.kernel,
            &w.entryPoint, &w.sizeName, &w.deviceName})
        *text = query.text();
      w.groups = query.size();
      w.authoredSize = query.size();
      w.winnerId = query.text();
      w.winnerSize = query.size();
      for (double *value : {&w.winnerNs, &w.winnerSpread, &w.authoredNs, &w.authoredSpread})
        *value = query.number();
      w.samples = static_cast<uint32_t>(query.integer());
      w.ratio = query.number();
      w.verified = query.integer() != 0;
      w.tool = query.text();
      w.date = query.text();
      winners.push_back(std::move(w));
    }
    complete = sqlite3_errcode(db) == SQLITE_DONE || sqlite3_errcode(db) == SQLITE_OK;
  }
  for (size_t i = 0; complete && i < winners.size(); ++i) {
    Statement query(db, "SELECT variant_id, local_size, state, why, median_ns, spread, samples,"
                        " verified FROM candidates WHERE winner = ? ORDER BY position");
    query.bind(ids[i]);
    while (query.row()) {
      query.nextRow();
      StoredCandidate c;
      c.variantId = query.text();
      c.localSize = query.size();
      c.state = parseCandidateState(query.text()).value_or(CandidateState::Failed);
      c.why = query.text();
      c.medianNs = query.number();
      c.spread = query.number();
      c.samples = static_cast<uint32_t>(query.integer());
      c.verified = query.integer() != 0;
      winners[i].candidates.push_back(std::move(c));
    }
    complete = sqlite3_errcode(db) == SQLITE_DONE || sqlite3_errcode(db) == SQLITE_OK;
  }
  if (!complete) {
    Failure problem = failed(what);
    run(db, "ROLLBACK");
    return problem;
  }
  run(db, "COMMIT");
  return winners;
}

Result<std::optional<StoredWinner>> Database::find(const WinnerKey &key) {
  Result<std::vector<StoredWinner>> found = select(
      "WHERE module_hash = ? AND variant_hash = ? AND size_hash = ? AND device_key = ?", &key);
  if (!found)
    return found.takeFailure();
  if (found->empty())
    return std::optional<StoredWinner>();
  return std::optional<StoredWinner>(std::move(found->front()));
}

Result<std::vector<StoredWinner>> Database::all() {
  return select("ORDER BY kernel, size_name, device_name, module_hash, variant_hash, size_hash,"
                " device_key",
                nullptr);
}

} // namespace tailor
