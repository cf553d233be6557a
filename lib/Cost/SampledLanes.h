//===- Cost/SampledLanes.h - Some subgroups of a dispatch, evaluated (internal) ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_COST_SAMPLEDLANES_H
#define TAILOR_COST_SAMPLEDLANES_H

#include "Analysis/Traffic.h"

#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <vector>

namespace tailor {

/// Sectors of one variable, sorted: buffer number and sector.
using SectorSet = std::vector<std::pair<uint64_t, uint64_t>>;
void addAll(SectorSet &to, const SectorSet &from);

/// What a subgroup does at an access in one run.
struct SubgroupRun {
  unsigned active = 0;  ///< lanes that run it, or may
  bool exact = true;    ///< all of their addresses are known
  SectorSet sectors;    ///< of the addresses that are known
  unsigned unknown = 0; ///< active lanes at addresses that are not
  /// Cache lines, distinct among lanes that are served together (all of them, 16 where each asks
  /// for 8 bytes, 8 where it asks for 16); a lane of an unknown address has one of its own.
  unsigned lines = 0;
  unsigned partial = 0;  ///< sectors of which the lanes ask for a part only
  uint64_t identity = 0; ///< equal for accesses at the same addresses in all lanes; 0: not known
  uint64_t usedBytes = 0;
  unsigned conflict = 1;
  /// Images: batches of eight lanes, and those of them in one row of texels.
  unsigned batches = 0, rows = 0;
  /// Of images whose coordinates are known: blocks of 16 bytes in each of two rows.
  unsigned texelBlocks = 0;
  std::optional<uint64_t> firstAddress; ///< of the first active lane
};

class SampledLanes {
public:
  /// At most so many subgroups of a group, spread over it.
  static constexpr unsigned kMaxSubgroups = 3;

  SampledLanes(const LaneModel &model, const HostValues &host, const Dim3 &groups, uint32_t width);

  size_t subgroups() const { return list.size(); }
  /// Lanes of a subgroup that run the block, or may.
  unsigned active(const Block &block, size_t subgroup);
  SubgroupRun run(const MemoryAccess &access, size_t subgroup);
  /// Of the first subgroup, with the loop of that header in its second round; nullopt where too
  /// many loops were looked at already.
  std::optional<SubgroupRun> runInSecondRound(const MemoryAccess &access, const Block &header);
  const std::array<uint32_t, 3> &group() const { return middle; }

private:
  LaneGroup &at(size_t subgroup) { return *list[subgroup]; }
  SubgroupRun runOf(LaneGroup &lanes, const MemoryAccess &access);
  void addTexelRows(const LaneGroup &lanes, const MemoryAccess &access, SubgroupRun &run);

  const LaneModel &model;
  const HostValues &host;
  std::array<uint32_t, 3> middle{};
  std::vector<std::unique_ptr<LaneGroup>> list;
  std::vector<llvm::DenseMap<const Block *, unsigned>> activeOf;
  static constexpr size_t kMaxLoops = 6;
  llvm::DenseMap<const Block *, std::unique_ptr<LaneGroup>> second; ///< by header
  llvm::DenseMap<const LaneGroup *, std::vector<LaneEvaluator>> texels;
};

} // namespace tailor

#endif
