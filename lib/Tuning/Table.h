//===- Tuning/Table.h - Recorded times of every variant, as text ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a brute-force measurement of a device came to, a line a variant, so that
// searches are compared without the device (Tuning/Replay.h). Text, in one
// order, so that two tables compare by their lines:
//
//   # tuning table: 1
//   # device: NVIDIA H200
//   # driver: NVIDIA 580.159.04
//   kernel,size,groups,variant,technique,local_size,state,median_ns,spread,samples
//   blur,large,512x512x1,authored,authored,16x16x1,measured,636704,0.0008,11
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_TABLE_H
#define TAILOR_TUNING_TABLE_H

#include "Support/Dim3.h"
#include "Support/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tailor {

inline constexpr unsigned kTableFormat = 1;

/// A variant's fate at one problem size.
struct TableRow {
  std::string kernel, size;
  Dim3 groups; ///< of the authored kernel
  std::string variant, technique;
  Dim3 localSize;
  std::string state;   ///< as in `tune --format json`: measured, wrong, failed, dropped, left_out
  double medianNs = 0; ///< above 0 where it is measured, 0 elsewhere
  double spread = 0;   ///< of its samples, a fraction of the median
  uint32_t samples = 0;

  bool isMeasured() const { return state == "measured"; }
  friend bool operator==(const TableRow &, const TableRow &) = default;
};

struct TuningTable {
  /// `# key: value` lines in their order: `device`, `driver`, `key` (all that tells the device and
  /// its driver apart), `profile`, `tool`, and whatever else is to be said. A key may come again.
  std::vector<std::pair<std::string, std::string>> head;
  /// By kernel, size, and variant, the authored one first; no two are for the same.
  std::vector<TableRow> rows;

  /// The first value of that key; empty where there is none.
  std::string_view fact(std::string_view key) const;
  /// Brings the rows into their order.
  void sort();
  friend bool operator==(const TuningTable &, const TuningTable &) = default;
};

/// The rows of one kernel at one size: rows[first] to rows[first + count - 1], the authored one
/// first.
struct TableSite {
  size_t first = 0, count = 0;
};
/// Of a table that is in order.
std::vector<TableSite> sitesOf(const TuningTable &table);

/// Refuses what could not be read back: texts with commas or line ends, keys with colons, times
/// that are not finite.
Result<std::string> writeTable(const TuningTable &table);

/// Fails at the first line that is none of a table: another format, a number out of range, a
/// variant twice, a kernel without a measured authored module. In any order of the lines.
Result<TuningTable> readTable(std::string_view text, const std::string &file);

/// Adds the results of `tune --format json`. They must be of the device and driver that the
/// table is of; an empty table becomes theirs. A failed result (without candidates that were
/// timed) adds nothing. Fails, located in the JSON, for anything else than such a report, and for
/// a variant that the table has already.
Status addTuneReport(TuningTable &table, std::string_view json, const std::string &file);

} // namespace tailor

#endif
