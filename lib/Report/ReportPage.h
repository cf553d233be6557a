//===- Report/ReportPage.h - Tuning outcomes as one HTML page ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `spirv-tailor report` and `tune --report` write (docs/report.md): one file
// that needs no other, no script and no network. The same input gives the same
// bytes. Every text of it is escaped, whatever a database or a driver says.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_REPORT_REPORTPAGE_H
#define TAILOR_REPORT_REPORTPAGE_H

#include "Bundle/Manifest.h"
#include "Tuning/Lookup.h"
#include "Tuning/Workload.h"

#include <span>
#include <string>
#include <vector>

namespace tailor::report {

struct ReportOutcome {
  StoredWinner outcome;
  Standing standing{};
  /// Why there is no winner: the authored kernel cannot run there. The outcome then holds names and
  /// candidates alone.
  std::string failure{};
};

struct ReportInput {
  std::string tool;
  std::vector<ReportOutcome> outcomes{};
  std::vector<KnownBad> knownBad{};
  /// What the outcomes were measured with, as far as it is given: bundles tell what the kernels do
  /// and what was refused, with workloads also what each variant moves and computes.
  std::span<const Bundle> bundles{};
  std::span<const Workload> workloads{};
};

/// The document. Well formed as XML too.
std::string reportPage(const ReportInput &input);

} // namespace tailor::report

#endif
