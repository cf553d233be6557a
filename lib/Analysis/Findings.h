//===- Analysis/Findings.h - Everything that is found out about a kernel --===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facts of a kernel together, for reports and advice: certificate, work,
// workgroup memory, barriers, atomics, and what a subgroup of the authored size
// fetches for each access.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_FINDINGS_H
#define TAILOR_ANALYSIS_FINDINGS_H

#include "Analysis/Barriers.h"
#include "Analysis/Certificate.h"
#include "Analysis/SharedMemory.h"
#include "Analysis/Traffic.h"
#include "Analysis/Work.h"

namespace tailor {

/// An access, and what the first subgroup of the authored size does at it.
struct AccessFinding {
  MemoryAccess access;
  TripSum runs;       ///< how often an invocation makes it
  double assumed = 1; ///< the same as a number, with the names in it as WorkFacts::names says
  VariantTraffic::Result at;

  /// Bytes that are fetched and not asked for, or what bank conflicts take the time of, over all
  /// runs: by what accesses are compared. An upper bound where the addresses come from data.
  double excessBytes() const;
};

struct Findings {
  const KernelAnalysis &kernel;
  uint32_t subgroupWidth = 32;
  Certificate certificate;
  SharedMemory shared;
  BarrierFacts barriers;
  WorkFacts work;
  std::vector<AccessFinding> accesses; ///< in the order of the module

  Location at(const Instruction &inst) const { return kernel.locationOf(inst); }
  /// `line 12`, `word 345`; with the file where it is another than the kernel's.
  std::string place(const Location &location) const;
};

/// `kernel` must outlive the result. `subgroupWidth`: lanes, 1 to 128.
Findings gatherFindings(const KernelAnalysis &kernel, uint32_t subgroupWidth = 32);

/// Accesses that no figure tells apart but where they stand: indices into Findings::accesses.
using AccessGroup = std::vector<size_t>;
/// All of them, the one with the most excess bytes first; then buffers, images, workgroup and
/// uniform memory.
std::vector<AccessGroup> groupAccesses(const Findings &findings);
/// `line 12`, `lines 12, 15 and 20`, `lines 12 to 20`, `word 99 and 3 more`: where the accesses
/// stand.
std::string placesOf(const Findings &findings, const AccessGroup &group);

} // namespace tailor

#endif
