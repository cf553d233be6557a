//===- Tuning/WinnersJson.h - Stored outcomes as JSON ---------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `db export` writes and `db import` reads (docs/formats.md, "Exported
// winners"): everything that the database holds of an outcome, every sample
// with it, and exactly: what is read is what was written, to the bit.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_WINNERSJSON_H
#define TAILOR_TUNING_WINNERSJSON_H

#include "Support/Result.h"
#include "Tuning/DatabaseTypes.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class raw_ostream;
namespace json {
class OStream;
}
} // namespace llvm

namespace tailor {

inline constexpr unsigned kWinnersJsonSchema = 1;

struct WinnersFile {
  std::string tool; ///< who wrote it
  std::vector<StoredWinner> outcomes;
  std::vector<KnownBad> knownBad;
};

/// The document, with a line end.
void writeWinnersJson(llvm::raw_ostream &os, const WinnersFile &winners);
/// Its parts, inside an object: the members of one outcome, and of one bad variant.
void writeOutcomeMembers(llvm::json::OStream &json, const StoredWinner &outcome);
void writeBadMembers(llvm::json::OStream &json, const KnownBad &bad);
/// A member with the shortest text that reads back as the same double.
void writeNumber(llvm::json::OStream &json, std::string_view name, double value);
/// Text that is not UTF-8 (drivers) is made so.
void writeText(llvm::json::OStream &json, std::string_view name, const std::string &text);

/// Reads such a document; `file` names it in messages. Nothing, and errors in `diags`, for another.
std::optional<WinnersFile> readWinnersJson(std::string_view text, const std::string &file,
                                           Diagnostics &diags);

} // namespace tailor

#endif
