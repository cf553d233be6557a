//===- Analysis/AccessRows.h - The access table of a kernel ---------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What reports print of each access, in words (docs/analysis.md).
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_ACCESSROWS_H
#define TAILOR_ANALYSIS_ACCESSROWS_H

#include "Analysis/Findings.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

/// Accesses that no figure tells apart but where they stand.
struct AccessRow {
  enum class Care : uint8_t { Fine, Notable, Costly };

  const AccessFinding *finding = nullptr; ///< the first of them
  size_t count = 0;
  std::string place; ///< `12`, `12, 15`, `12 +3` for three more lines, or words; `?`
  /// How far the next invocation's address is, by the axes along which it changes: `4*columns`.
  std::vector<std::pair<char, std::string>> strides{};
  bool isStill = false; ///< without strides: all invocations are at one address
  std::string sectors;  ///< `32 (4)`: fetched, and that would do; `5 to 32`; `banks 2-way`; `-`
  std::string lineUse;  ///< sectors used of those in the lines that are fetched: `1/4`, `all`
  Care care = Care::Fine;
  bool isPlain = false;   ///< uniform data that all invocations read at one place
  bool isIdle = false;    ///< no lane that was looked at runs it
  bool isAssumed = false; ///< a value of the host was assumed on the way
};

/// The worst first.
std::vector<AccessRow> accessRows(const Findings &findings);
/// Whether places are lines of the source, or words of the module.
bool hasLines(const Findings &findings);

} // namespace tailor

#endif
