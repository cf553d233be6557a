//===- Tuning/DatabaseText.h - Stored outcomes to read --------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `db list`, `db show` and `db prune` print.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_DATABASETEXT_H
#define TAILOR_TUNING_DATABASETEXT_H

#include "Tuning/Lookup.h"

#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace tailor {

inline constexpr unsigned kWinnersListSchema = 1;

/// A table in columns as wide as their widest cell. The first row is the head.
class TextTable {
public:
  /// A character for each column: 'l' stands to the left, 'r' to the right.
  explicit TextTable(std::string alignment) : align(std::move(alignment)) {}
  /// Cells that are missing are empty.
  void add(std::vector<std::string> cells) { rows.push_back(std::move(cells)); }
  void print(llvm::raw_ostream &os, unsigned indent = 0) const;

private:
  std::string align;
  std::vector<std::vector<std::string>> rows;
};

struct ListedWinner {
  StoredWinner outcome;
  Standing standing;
};
struct ListedBad {
  KnownBad bad;
  Standing standing;
};

/// "blur (1080p) on NVIDIA H200"
std::string placeText(const StoredWinner &outcome);
/// The device's name in a key, or the key.
std::string deviceText(const std::string &deviceKey);

/// A line for each outcome, and what is stale with the reason; then a line of totals.
void printWinners(llvm::raw_ostream &os, const std::vector<ListedWinner> &winners);
void printBad(llvm::raw_ostream &os, const std::vector<ListedBad> &bad);
/// Everything of an outcome but the single samples.
void printWinner(llvm::raw_ostream &os, const ListedWinner &winner);
/// `db list --format json`, schema 1 (docs/formats.md).
void writeWinnersList(llvm::raw_ostream &os, const std::string &tool,
                      const std::vector<ListedWinner> &winners, const std::vector<ListedBad> &bad);

} // namespace tailor

#endif
