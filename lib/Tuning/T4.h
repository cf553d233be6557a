//===- Tuning/T4.h - Outcomes for other auto-tuners' tools ----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The T4 results format of the auto-tuning community (Kernel Tuner, KTT and
// the autotuning methodology write and read it): one file for each search, with
// a result for each configuration. The published schema is version 1.0.0;
// what it leaves open is written as Kernel Tuner writes it: times in
// milliseconds, parts of them under the names that readers sum up.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_T4_H
#define TAILOR_TUNING_T4_H

#include "Tuning/DatabaseTypes.h"

#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace tailor {

inline constexpr const char *kT4SchemaVersion = "1.0.0";

/// One outcome as a T4 results file.
void writeT4(llvm::raw_ostream &os, const StoredWinner &outcome);

/// The T4 word for what became of a candidate: "correct", "constraints", "compile", "runtime",
/// "correctness" or "timeout".
std::string_view t4Invalidity(const StoredCandidate &candidate);

/// A file name for each outcome, `blur-1080p-NVIDIA-H200.json`: of letters, digits, `.`, `_` and
/// `-`, each another, whatever the case.
std::vector<std::string> t4FileNames(const std::vector<StoredWinner> &outcomes);

} // namespace tailor

#endif
