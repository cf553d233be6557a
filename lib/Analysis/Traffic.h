//===- Analysis/Traffic.h - What a subgroup fetches for an access ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory moves in sectors of 32 bytes, four to a cache line of 128; workgroup
// memory has 32 banks of 4 bytes. Both are counted by computing the address of
// each lane of a subgroup (Analysis/LaneEvaluator.h), every loop at its first
// iteration. Buffers are taken to start at a multiple of 256 bytes.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_TRAFFIC_H
#define TAILOR_ANALYSIS_TRAFFIC_H

#include "Analysis/AccessPatterns.h"
#include "Analysis/LaneEvaluator.h"

#include <memory>

namespace tailor {

inline constexpr uint64_t kSectorBytes = 32, kLineBytes = 128;

/// A count that may be known between bounds only.
struct Bounds {
  uint64_t least = 0, most = 0;
  bool isExact() const { return least == most; }
  std::string str() const; ///< `4`, `1 to 32`
  friend bool operator==(const Bounds &, const Bounds &) = default;
};

struct Traffic {
  bool exact = false;   ///< every lane's activity and address are known
  bool assumed = false; ///< a value of the host was assumed (HostValues) on the way
  Bounds active;        ///< lanes that take part
  Bounds sectors, lines;
  uint64_t usedBytes = 0;                ///< distinct ones that the lanes ask for; where exact
  uint64_t minSectors = 0, minLines = 0; ///< that these would fill
  /// Of the lines that are fetched, the share of sectors that nobody asks for; 0 where not exact.
  double wastedShare() const;
  /// `sectors 32 of at least 4; lines 32; each fetched line is used to a quarter (1 of 4 sectors)`
  std::string str() const;
};

/// Where the lanes of a subgroup are, and what each does at an access.
class LaneGroup {
public:
  /// `model` must outlive it. `lanes`: in the order of the subgroup.
  LaneGroup(const LaneModel &model, std::vector<Lane> lanes, HostValues host);
  ~LaneGroup();
  LaneGroup(const LaneGroup &) = delete; // the evaluators look at the host's values in it
  LaneGroup &operator=(const LaneGroup &) = delete;

  struct At {
    Activity activity = Activity::Unknown;
    std::optional<uint64_t> address; ///< bytes from the start of the variable
    uint64_t buffer = 0;             ///< number in the array of descriptors
  };
  At at(const MemoryAccess &access, size_t lane);

  /// nullopt for images, whose layout in memory is the device's.
  std::optional<Traffic> traffic(const MemoryAccess &access);
  /// How many times the lanes' words make a bank of workgroup memory answer: 1 is free of
  /// conflicts, 0 means that no lane runs the access. Lanes that read the same word share an
  /// answer. Accesses of 8 and 16 bytes go by 16 and 8 lanes at a time; those of other sizes by
  /// words, one after the other. nullopt for other memory, where an address is not known, and where
  /// the lanes come from several workgroups and so see several copies.
  std::optional<unsigned> bankConflict(const MemoryAccess &access);
  /// See LaneEvaluator::setIteration.
  void setIteration(const Block &header, uint64_t count);

  const std::vector<Lane> &lanes() const { return laneList; }

private:
  struct Piece;
  std::vector<Piece> piecesOf(const MemoryAccess &access, const At &lane) const;

  const LaneModel &model;
  std::vector<Lane> laneList;
  HostValues host;
  std::vector<LaneEvaluator> evaluators;
};

/// `conflict-free`, `2-way`, `32-way`; `not run` for 0.
std::string conflictText(unsigned degree);

/// Lanes first .. first + width - 1 of workgroup `group` of a variant with `size` invocations: what
/// each is in the authored grid. That is what `resize` and `remap` run. For a kernel that neither
/// is legal for, only the authored size means anything.
std::vector<Lane> subgroupLanes(const Dim3 &authored, const Dim3 &size,
                                const std::array<uint32_t, 3> &group, uint32_t first,
                                uint32_t width);

/// The first subgroup of a workgroup of a variant: of the workgroup behind the first on each axis,
/// where the kernel is past what it does at the edges; where fewer lanes run the access there, of
/// the first, or of one in the middle of the grid (the work of a workgroup may grow with its
/// number).
class VariantTraffic {
public:
  VariantTraffic(const LaneModel &model, const Dim3 &size, uint32_t subgroupWidth,
                 const HostValues &host);

  struct Result {
    std::array<uint32_t, 3> group{}; ///< the workgroup that was looked at
    std::optional<Traffic> traffic;
    std::optional<unsigned> bankConflict;
  };
  Result of(const MemoryAccess &access);

private:
  LaneGroup &chosenFor(const MemoryAccess &access);
  std::array<uint32_t, 3> interiorGroup, middleGroup;
  LaneGroup first, interior, middle;
};

/// The same for one access and a list of lanes.
std::optional<Traffic> trafficOf(const KernelAnalysis &analysis, const MemoryAccess &access,
                                 const std::vector<Lane> &lanes, const HostValues &host = {});
/// The same for one access and a variant of size `size`.
std::optional<Traffic> trafficAt(const KernelAnalysis &analysis, const MemoryAccess &access,
                                 const Dim3 &size, uint32_t subgroupWidth,
                                 const HostValues &host = {});

} // namespace tailor

#endif
