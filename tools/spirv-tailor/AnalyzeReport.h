//===- tools/spirv-tailor/AnalyzeReport.h - What analyze says of a kernel ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TOOLS_SPIRV_TAILOR_ANALYZEREPORT_H
#define TAILOR_TOOLS_SPIRV_TAILOR_ANALYZEREPORT_H

#include "Analysis/Advice.h"
#include "Analysis/Findings.h"
#include "Devices/Profile.h"

#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
namespace json {
class OStream;
}
} // namespace llvm

namespace tailor {

/// All that is printed about one kernel.
struct KernelReport {
  std::string name;
  Findings findings;
  std::vector<Advice> advice;
  std::vector<const DeviceProfile *> profiles; ///< those asked for
};

struct ReportStyle {
  bool colours = false;
  bool full = false; ///< long lists are not cut
};

/// About a screen of text, at most 100 columns wide but for names that are longer.
void printReport(llvm::raw_ostream &os, const KernelReport &report, const ReportStyle &style);

/// The members `certificate` and `analysis` of a kernel in the manifest (docs/formats.md).
void writeAnalysis(llvm::json::OStream &json, const KernelReport &report);

/// `--profile list`.
void printProfiles(llvm::raw_ostream &os);
void writeProfiles(llvm::json::OStream &json);

} // namespace tailor

#endif
