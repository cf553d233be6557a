//===- Cost/Features.h - What one module does at one dispatch ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts that need no device, for subgroups of a given width: taken from the
// variant's own module, with the host's values, for a few subgroups whose lanes
// are evaluated (Analysis/LaneEvaluator.h). Loops are looked at in their first
// round and counted as often as they run. Figures for ranking, not proofs: what
// depends on the contents of memory is estimated, and says so.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_COST_FEATURES_H
#define TAILOR_COST_FEATURES_H

#include "Analysis/AccessPatterns.h"
#include "Analysis/Dispatch.h"
#include "IR/Module.h"
#include "Support/Dim3.h"
#include "Support/Result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tailor {

/// What the host gives a dispatch, as far as it is known.
struct DispatchShape {
  Dim3 groups; ///< of the module that is looked at
  std::map<uint32_t, uint64_t> specConstants;
  std::vector<std::byte> pushConstants;
  /// Contents of buffers, lengths of arrays, sizes of images, and push constants that are not in
  /// the bytes above; may be empty.
  UniformLeafValue other{};
};

/// One access, summed over the runs of one subgroup. A run is one instruction of the subgroup.
struct AccessFeatures {
  std::string name; ///< of the variable
  MemorySpace space = MemorySpace::Other;
  AccessOp op = AccessOp::Load;
  uint64_t bytes = 0; ///< for each lane
  bool exact = false; ///< every address that was looked at is known
  double runs = 0;    ///< of one subgroup
  double lanes = 0;   ///< that take part in a run, on average over those with one at least
  double sectors = 0, lines = 0, minSectors = 0; ///< of a run: buffers
  double conflict = 1; ///< answers of the busiest bank in a run: workgroup memory
  /// Images: of each eight lanes in a row, those that stand in one row of texels; 1: all.
  double rowShare = 0;
  double texelBlocks = 0; ///< of 16 bytes in each of two rows, that a run touches; 0: not known
};

struct VariantFeatures {
  Dim3 localSize, groups;
  uint32_t subgroupWidth = 0;
  uint64_t sharedBytes = 0, privateBytes = 0;
  double subgroups = 0; ///< of a group
  double fill = 1;      ///< invocations over the lanes of their subgroups

  // Of one subgroup, on average over those of a group. One count is one instruction of all lanes.
  double floats = 0, integers = 0, specials = 0, conversions = 0;
  double deviceAccesses = 0, imageAccesses = 0, sharedAccesses = 0, uniformLoads = 0;
  double atomics = 0; ///< on buffers and images
  double sharedAtomics = 0;
  double branches = 0;
  double barriers = 0; ///< control barriers
  double subgroupOps = 0;
  /// Loads of device memory that have to wait for one another: a chain of addresses that were
  /// loaded counts each link, loads side by side count once.
  double rounds = 0;
  double sharedRounds = 0; ///< the same of workgroup memory
  double chain = 0; ///< arithmetic that waits for other arithmetic, in steps of one operation
  double sharedAnswers = 0; ///< of banks, conflicts included
  double lines = 0;         ///< cache lines of buffers that it asks for, in all runs
  double sectorsAsked = 0;  ///< sectors, the same
  double minSectors = 0;    ///< that the bytes asked for would fill
  /// Sectors that leave the cache of the unit: loads that neither an earlier run nor a neighbour
  /// of the group has brought, and stores.
  double sectorsMissed = 0;
  double partialStores = 0; ///< of these, stores that give a part of a sector
  double texelLoads = 0;    ///< lanes of image reads, those of eight in a row of texels apart:
  double texelLoadsInRows = 0;
  double texelBlocksStored = 0; ///< of 16 bytes in each of two rows
  unsigned liveComponents = 0;

  /// Further ones that a loop reads which an earlier loop has read: they are there if so many of
  /// all resident subgroups fit into the cache.
  double sectorsAgain = 0;

  // Of the dispatch, bytes of buffers and images.
  double certainBytes = 0;  ///< distinct ones of buffers, at least: all of them are moved
  double expectedBytes = 0; ///< distinct ones, as far as can be told
  bool exact = true;        ///< no access's address depends on the contents of memory
  std::vector<AccessFeatures> accesses;

  double invocations() const { return double(localSize.product()); }
  double totalGroups() const { return double(groups.product()); }
};

/// Of the entry point of `module`, for subgroups of `subgroupWidth` invocations. Fails where the
/// kernel cannot be looked at: no size, no body, more accesses than kMaxAccesses.
inline constexpr size_t kMaxAccesses = 512;
Result<VariantFeatures> featuresOf(const Module &module, const EntryPoint &entry,
                                   const DispatchShape &shape, uint32_t subgroupWidth);

} // namespace tailor

#endif
