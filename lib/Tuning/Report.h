//===- Tuning/Report.h - A tuning run for people and for programs ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_REPORT_H
#define TAILOR_TUNING_REPORT_H

#include "Tuning/Tuner.h"

#include <string>

namespace llvm {
class raw_ostream;
}

namespace tailor {

inline constexpr unsigned kTuneReportSchema = 1;

/// "812 ns", "12.3 us", "4.56 ms": three significant digits.
std::string timeText(double nanoseconds);

/// A line for each result: device, kernel, size, authored size and time, winner
/// and time, ratio, verified, variants timed of all and why not the others; then what was wrong or
/// failed.
void printTable(llvm::raw_ostream &os, const TuneReport &report);

/// The same as JSON, schema 1 (docs/formats.md).
void writeJson(llvm::raw_ostream &os, const TuneReport &report);

} // namespace tailor

#endif
