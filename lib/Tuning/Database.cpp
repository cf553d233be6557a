//===- Tuning/Database.cpp - Opening the file ------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file is in WAL mode with synchronous = EXTRA: a commit returns when the
// log with it is on the disk, so that acknowledged winners outlive a process
// that is killed and a machine that loses its power. (NORMAL would outlive only
// the first.) EXTRA is FULL where there is a WAL; on a file system on which
// SQLite cannot have one it also makes the end of a rollback journal durable.
//
//===----------------------------------------------------------------------===//
#include "Tuning/Database.h"

#include "Tuning/DatabaseSql.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <thread>
#include <unistd.h>
#include <utility>

namespace tailor {

using namespace sql;

namespace {

constexpr int kBusyTimeoutMs = 20000;

/// May the file and those beside it be written, as SQLite does even to read where there is a WAL?
bool isWritable(const std::string &path) {
  std::string folder = std::filesystem::path(path).parent_path().string();
  return access(path.c_str(), W_OK) == 0 &&
         access(folder.empty() ? "." : folder.c_str(), W_OK) == 0;
}

/// What tells that a file is being written: its log, and its own time and size.
struct FileState {
  bool hasLog = false;
  std::filesystem::file_time_type time;
  uintmax_t size = 0;

  explicit FileState(const std::string &path) {
    std::error_code ignored;
    uintmax_t log = std::filesystem::file_size(path + "-wal", ignored);
    hasLog = !ignored && log > 0;
    time = std::filesystem::last_write_time(path, ignored);
    size = std::filesystem::file_size(path, ignored);
  }
  friend bool operator==(const FileState &, const FileState &) = default;
};

/// The URI by which SQLite reads a file as it stands: no lock, no log, nothing beside it.
std::string immutableUri(const std::string &path) {
  std::string uri = "file:";
  for (char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      char code[4];
      std::snprintf(code, sizeof code, "%%%02x", static_cast<unsigned>(c));
      uri += code;
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

std::string noOtherSchema(int64_t found) {
  return "the winners database has schema " + std::to_string(found) +
         ", this version reads schemas up to " + std::to_string(kDatabaseSchema);
}

} // namespace

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
  case SQLITE_READONLY:
    return failure(where, "the winners database, or its folder, cannot be written",
                   ErrorKind::Environment);
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
  if (!exists && mode != Mode::Create)
    return failure(Location::inFile(path), "there is no winners database here",
                   ErrorKind::Environment);
  if (std::filesystem::is_directory(path, ignored))
    return failure(Location::inFile(path), "a folder cannot be a winners database",
                   ErrorKind::Environment);
  if (mode == Mode::Snapshot && !isWritable(path))
    return readAsItStands(path);
  sqlite3 *handle = nullptr;
  int flags = SQLITE_OPEN_READWRITE | (mode == Mode::Create ? SQLITE_OPEN_CREATE : 0);
  int code = sqlite3_open_v2(path.c_str(), &handle, flags | SQLITE_OPEN_FULLMUTEX, nullptr);
  std::unique_ptr<Database> database(new Database(path, handle));
  if (code != SQLITE_OK)
    return database->failed("the winners database cannot be opened");
  sqlite3_busy_timeout(handle, kBusyTimeoutMs);
  if (Status ready = database->prepare(mode); !ready)
    return ready.takeFailure();
  if (mode == Mode::Snapshot)
    return database->copyToMemory();
  if (sqlite3_db_readonly(handle, "main") == 1 && mode == Mode::Create)
    return failure(Location::inFile(path), "the winners database cannot be written",
                   ErrorKind::Environment);
  return database;
}

/// A snapshot of a file that may not be written, nor anything beside it. Somebody else may write it
/// all the same: where that shows, once more.
Result<std::unique_ptr<Database>> Database::readAsItStands(const std::string &path) {
  auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(kBusyTimeoutMs);
  while (true) {
    FileState before(path);
    // While others have it open there is a log, and their files beside it serve us too.
    std::string name = before.hasLog ? path : immutableUri(path);
    sqlite3 *handle = nullptr;
    int code =
        sqlite3_open_v2(name.c_str(), &handle,
                        SQLITE_OPEN_READONLY | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_URI, nullptr);
    std::unique_ptr<Database> database(new Database(path, handle));
    sqlite3_busy_timeout(handle, kBusyTimeoutMs);
    Result<std::unique_ptr<Database>> copy =
        database->failed("the winners database cannot be opened");
    if (code == SQLITE_OK) {
      Status ready = database->prepare(Mode::Snapshot);
      copy =
          ready ? database->copyToMemory() : Result<std::unique_ptr<Database>>(ready.takeFailure());
    }
    bool quiet = before.hasLog ? static_cast<bool>(copy) : before == FileState(path);
    if (quiet || std::chrono::steady_clock::now() > deadline)
      return copy;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

/// Makes the tables in an empty file, brings older ones up to date, and refuses every file that is
/// not ours.
Status Database::prepare(Mode mode) {
  run(db, "PRAGMA foreign_keys = ON");
  run(db, "PRAGMA synchronous = EXTRA");
  std::optional<int64_t> tables = number(db, "SELECT count(*) FROM sqlite_schema");
  if (!tables) // at once: the next call forgets the reason
    return failed("the winners database cannot be read");
  std::optional<int64_t> application = number(db, "PRAGMA application_id");
  if (!application)
    return failed("the winners database cannot be read");
  Location where = Location::inFile(file);
  if (*tables == 0 && *application == 0) {
    if (mode != Mode::Create)
      return failure(where, "the file is empty: no winner was stored in it");
    if (Status made = makeTables(); !made)
      return made;
    application = number(db, "PRAGMA application_id");
  }
  if (!application || *application != kDatabaseApplicationId)
    return failure(where, "the file is a database of another program, not a winners database");
  std::optional<int64_t> version = number(db, "PRAGMA user_version");
  if (!version || *version < 1 || *version > kDatabaseSchema)
    return failure(where, noOtherSchema(version.value_or(0)));
  if (*version < kDatabaseSchema) {
    if (mode == Mode::Snapshot)
      return success(); // its copy is brought up to date instead
    if (Status current = bringUpToDate(); !current)
      return current;
  }
  if (!hasDatabaseTables(db))
    return failure(where, "the winners database is damaged: " + std::string(sqlite3_errmsg(db)));
  return success();
}

Status Database::makeTables() {
  if (Status wal = useWal(); !wal)
    return wal;
  Transaction transaction(db);
  if (!transaction)
    return failed("the winners database cannot be written");
  // Another process may have made the tables between the look and the lock.
  std::optional<int64_t> now = number(db, "SELECT count(*) FROM sqlite_schema");
  if (now && *now == 0 && !makeDatabaseTables(db))
    return failed("the winners database cannot be made");
  if (!transaction.commit())
    return failed("the winners database cannot be made");
  return success();
}

Status Database::bringUpToDate() {
  const char *what = "the winners database is of an older schema and cannot be brought up to date";
  Transaction transaction(db);
  if (!transaction)
    return failed(what);
  // Another process may have done it between the look and the lock.
  std::optional<int64_t> version = number(db, "PRAGMA user_version");
  if (!version)
    return failed(what);
  if (*version < kDatabaseSchema && !migrateDatabase(db, static_cast<int>(*version)))
    return failed(what);
  if (!transaction.commit())
    return failed(what);
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

/// One read transaction: the copy is of one moment, whatever others write meanwhile.
Result<std::unique_ptr<Database>> Database::copyToMemory() {
  sqlite3 *memory = nullptr;
  int code =
      sqlite3_open_v2(":memory:", &memory, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  std::unique_ptr<Database> copy(new Database(file, memory));
  if (code != SQLITE_OK)
    return copy->failed("the winners database cannot be read");
  sqlite3_backup *backup = sqlite3_backup_init(memory, "main", db, "main");
  if (!backup)
    return copy->failed("the winners database cannot be read");
  code = sqlite3_backup_step(backup, -1);
  sqlite3_backup_finish(backup); // leaves its error in the copy
  if (code != SQLITE_DONE)
    return copy->failed("the winners database cannot be read");
  if (Status ready = copy->prepare(Mode::Existing); !ready)
    return ready.takeFailure();
  return copy;
}

void Database::compact() {
  // Nothing is lost where this fails: the pages are used again by the next outcomes.
  run(db, "VACUUM");
  run(db, "PRAGMA wal_checkpoint(TRUNCATE)");
}

} // namespace tailor
