//===- Report/Gather.h - All that the page tells of its outcomes ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_REPORT_GATHER_H
#define TAILOR_REPORT_GATHER_H

#include "Analysis/Findings.h"
#include "Report/ReportPage.h"
#include "Tuning/Expectation.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tailor::report {

/// The profile of lib/Devices that the parts of a device key speak of; its limits are the key's.
DeviceProfile profileOf(const DeviceParts &device);

/// An outcome, and what its bundle and workload add.
struct Site {
  const ReportOutcome *source = nullptr;
  std::string id;     ///< of its part of the page
  std::string driver; ///< as the driver calls its version; may be empty
  DeviceProfile profile;
  /// The outcome's candidates; what the database does not know of the cost model's figures is
  /// computed where bundle and workload are at hand.
  std::vector<StoredCandidate> candidates;
  std::vector<std::optional<VariantFeatures>> features; ///< beside `candidates`
  std::string whyNoFeatures;                            ///< in words; empty where there are some
  const ProblemSize *size = nullptr;                    ///< of the workload

  const StoredWinner &outcome() const { return source->outcome; }
  bool isWinner(const StoredCandidate &candidate) const;
  const StoredCandidate *authored() const;
  /// The authored kernel's time; 0 where there is none.
  double authoredNs() const;
  /// A candidate's time over the authored kernel's; 0 where one of them has none.
  double relative(const StoredCandidate &candidate) const;
};

/// A kernel's module, with all outcomes of it.
struct KernelPart {
  std::string name, entryPoint, moduleHash;
  std::string id; ///< of its part of the page
  std::vector<Site> sites;
  const Bundle *bundle = nullptr;
  const KernelInfo *info = nullptr; ///< of the bundle
  std::string whyNoInfo;
  std::unique_ptr<KernelAnalysis> analysis; ///< of the authored module
  std::unique_ptr<Findings> findings;       ///< they look into `analysis`
  std::string whyNoFindings;
};

/// In the order of the kernels' names; the outcomes of one in the order of the input, which must
/// outlive the result.
std::vector<KernelPart> gather(const ReportInput &input);

} // namespace tailor::report

#endif
