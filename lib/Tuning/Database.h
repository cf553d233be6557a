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
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_DATABASE_H
#define TAILOR_TUNING_DATABASE_H

#include "Support/Dim3.h"
#include "Support/Result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct sqlite3;

namespace tailor {

inline constexpr int kDatabaseSchema = 1;

/// What a stored winner belongs to. A change in any part makes it another key,
/// so that a winner is never used for what it was not measured on.
struct WinnerKey {
  std::string moduleHash;  ///< KernelInfo::sourceHash
  std::string variantHash; ///< of the variant set: variantSetHash()
  std::string sizeHash;    ///< ProblemSize::hash()
  std::string deviceKey;   ///< vulkan::DeviceInfo::key()
  friend auto operator<=>(const WinnerKey &, const WinnerKey &) = default;
};

/// What became of one variant.
enum class CandidateState : uint8_t {
  Measured, ///< verified and timed
  LeftOut,  ///< does not apply to this dispatch or device
  Dropped,  ///< verified, and given up while measuring: clearly slower, or out of budget
  Failed,   ///< the driver refused it or lost the device
  Wrong,    ///< its output differs from the authored kernel's
};
std::string_view nameOf(CandidateState state); ///< "measured", "left_out", ...
std::optional<CandidateState> parseCandidateState(std::string_view name);

struct StoredCandidate {
  std::string variantId;
  Dim3 localSize;
  CandidateState state = CandidateState::LeftOut;
  std::string why;                 ///< for every state but Measured
  double medianNs = 0, spread = 0; ///< nanoseconds a dispatch; a fraction of it
  uint32_t samples = 0;
  bool verified = false;
  friend bool operator==(const StoredCandidate &, const StoredCandidate &) = default;
};

struct StoredWinner {
  WinnerKey key;
  std::string kernel, entryPoint, sizeName, deviceName;
  Dim3 groups; ///< authored group counts
  Dim3 authoredSize;
  std::string winnerId; ///< "authored" when nothing beat it
  Dim3 winnerSize;
  double winnerNs = 0, winnerSpread = 0, authoredNs = 0, authoredSpread = 0;
  uint32_t samples = 0; ///< of the winner
  double ratio = 1;     ///< authoredNs / winnerNs
  bool verified = false;
  std::string tool; ///< "spirv-tailor 0.1.0"
  std::string date; ///< as the caller gives it, ISO 8601 by convention
  std::vector<StoredCandidate> candidates;
  friend bool operator==(const StoredWinner &, const StoredWinner &) = default;
};

class Database {
public:
  enum class Mode : uint8_t { Create, Existing };

  /// Opens the file; Create makes it where there is none. Fails with Refused
  /// for a file that is no database of ours, of a newer schema or damaged, and
  /// with Environment for a place that cannot be read or written.
  static Result<std::unique_ptr<Database>> open(const std::string &path, Mode mode);
  ~Database();
  Database(const Database &) = delete;
  Database &operator=(const Database &) = delete;

  /// Stores an outcome with its candidates, whole or not at all.
  Status store(const StoredWinner &winner);
  /// The outcome of exactly this key.
  Result<std::optional<StoredWinner>> find(const WinnerKey &key);
  /// Every outcome, sorted by kernel, size name, device name and key.
  Result<std::vector<StoredWinner>> all();

  const std::string &path() const { return file; }

private:
  Database(std::string path, sqlite3 *handle) : file(std::move(path)), db(handle) {}
  Status prepareSchema(Mode mode);
  Status useWal();
  Failure failed(const std::string &what) const;
  Result<std::vector<StoredWinner>> select(const char *sql, const WinnerKey *key);

  std::string file;
  sqlite3 *db = nullptr;
};

} // namespace tailor

#endif
