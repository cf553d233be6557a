//===- Tuning/Database.h - Winners on disk --------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An SQLite file with the outcome of every tuning run, by kernel, problem size
// and device (docs/formats.md, "Winners database"). Several processes may read
// and write it at once. A new outcome replaces the old one of the same key.
//
// What is promised: when store() has returned, the outcome is on the disk. No
// process that is killed, at whatever moment, takes it away again, and neither
// does a power cut, as far as the disk keeps what it says that it has written.
// Every change is whole or not there at all.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_DATABASE_H
#define TAILOR_TUNING_DATABASE_H

#include "Support/Result.h"
#include "Tuning/DatabaseSchema.h"
#include "Tuning/DatabaseTypes.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

struct sqlite3;

namespace tailor {

/// What a merge did, by outcome, in the order of what came in.
struct MergeReport {
  enum class What : uint8_t { Added, Replaced, Kept, Same };
  std::vector<What> outcomes;
  size_t badAdded = 0; ///< known bad variants that were not known, or not so late
  size_t count(What what) const;
};

/// Whether `theirs` says more than `ours`, which has the same key: it is verified and ours is not;
/// or it timed more candidates; or it has more samples in all; or it is later. The first of these
/// that differs decides; ours stays where none does.
bool isBetterEvidenced(const StoredWinner &theirs, const StoredWinner &ours);

class Database {
public:
  enum class Mode : uint8_t {
    Create,   ///< to read and write; made where there is none
    Existing, ///< to read and write
    /// To read: a copy in memory of what the file holds now, which nothing changes any more. The
    /// file may be read-only, and one of an older schema stays of that schema.
    Snapshot,
  };

  /// Opens the file. One of an older schema is brought up to date first, in one transaction. Fails
  /// with Refused for a file that is no database of ours, of a newer schema or damaged, and with
  /// Environment for a place that cannot be read or written.
  static Result<std::unique_ptr<Database>> open(const std::string &path, Mode mode);
  ~Database();
  Database(const Database &) = delete;
  Database &operator=(const Database &) = delete;

  /// Stores an outcome with its candidates, and remembers those that are bad (badOf()): whole or
  /// not at all. Fails with Internal for a time that is not a number.
  Status store(const StoredWinner &winner);
  /// The outcome of exactly this key.
  Result<std::optional<StoredWinner>> find(const WinnerKey &key);
  /// Every outcome of this module, variant set and problem size, on whatever device.
  Result<std::vector<StoredWinner>> findOnAnyDevice(const WinnerKey &key);
  /// Every outcome, sorted by kernel, size name, device name and key.
  Result<std::vector<StoredWinner>> all();

  /// Remembers a variant that did harm, at once: a tuner that the next one kills has told of it.
  Status remember(const KnownBad &bad);
  /// Whether this variant is not to be tried on this device, by this tool; with the reason. What
  /// was remembered by another tool does not count, and another driver is another device key.
  Result<std::optional<KnownBad>> knownBad(const std::string &variantModuleHash,
                                           const std::string &deviceKey, const std::string &tool,
                                           uint32_t subgroupSize = 0);
  /// The same for those who need no reason; what cannot be read is not known to be bad.
  bool isKnownBad(const std::string &variantModuleHash, const std::string &deviceKey,
                  const std::string &tool, uint32_t subgroupSize = 0);
  /// Sorted by kernel, variant, device key, module and subgroup size.
  Result<std::vector<KnownBad>> allKnownBad();

  /// Takes outcomes in, all or none: those whose keys are new here, and those that are better
  /// evidenced than ours (or all, with `replace`); and what is known bad, the later of two.
  Result<MergeReport> merge(std::span<const StoredWinner> outcomes, std::span<const KnownBad> bad,
                            bool replace = false);
  /// Removes the outcomes that `unwanted` picks, all or none, and gives them back.
  Result<std::vector<StoredWinner>>
  prune(const std::function<bool(const StoredWinner &)> &unwanted);
  /// The same for what is known bad.
  Result<std::vector<KnownBad>> forget(const std::function<bool(const KnownBad &)> &unwanted);
  /// Gives the space of what was removed back, where nobody else uses the file just now.
  void compact();

  const std::string &path() const { return file; }

private:
  Database(std::string path, sqlite3 *handle) : file(std::move(path)), db(handle) {}
  static Result<std::unique_ptr<Database>> readAsItStands(const std::string &path);
  Status prepare(Mode mode);
  Status makeTables();
  Status bringUpToDate();
  Status useWal();
  Result<std::unique_ptr<Database>> copyToMemory();
  Failure failed(const std::string &what) const;
  // Inside the caller's transaction.
  Status put(const StoredWinner &winner);
  Status put(const KnownBad &bad);
  Status putCandidates(int64_t id, const StoredWinner &winner);
  Status remove(const WinnerKey &key);
  /// `condition`: what follows FROM winners; its values are the first parts of `key`.
  Result<std::vector<StoredWinner>> rows(const std::string &condition, const WinnerKey *key,
                                         unsigned parts);
  Status readCandidates(int64_t id, StoredWinner &winner);
  Result<std::vector<KnownBad>> badRows();
  Result<std::vector<StoredWinner>> select(const std::string &condition, const WinnerKey *key,
                                           unsigned parts);

  std::string file;
  sqlite3 *db = nullptr;
};

} // namespace tailor

#endif
