//===- Cost/SampledLanes.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Cost/SampledLanes.h"

#include <algorithm>

namespace tailor {

void addAll(SectorSet &to, const SectorSet &from) {
  SectorSet both;
  both.reserve(to.size() + from.size());
  std::set_union(to.begin(), to.end(), from.begin(), from.end(), std::back_inserter(both));
  to = std::move(both);
}

SampledLanes::SampledLanes(const LaneModel &laneModel, const HostValues &hostValues,
                           const Dim3 &groups, uint32_t width)
    : model(laneModel), host(hostValues) {
  const Dim3 &size = model.analysis().size();
  for (unsigned axis = 0; axis < 3; ++axis)
    middle[axis] = groups[axis] / 2 < groups[axis] ? groups[axis] / 2 : 0;
  const uint64_t invocations = size.product(), all = (invocations + width - 1) / width;
  const uint64_t count = std::min<uint64_t>(all, kMaxSubgroups);
  for (uint64_t sample = 0; sample < count; ++sample) {
    // The first, the last, and what is between them.
    const uint64_t subgroup = count == 1 ? 0 : sample * (all - 1) / (count - 1);
    list.push_back(std::make_unique<LaneGroup>(
        model, subgroupLanes(size, size, middle, static_cast<uint32_t>(subgroup * width), width),
        host));
  }
  activeOf.resize(list.size());
}

unsigned SampledLanes::active(const Block &block, size_t subgroup) {
  auto [found, isNew] = activeOf[subgroup].try_emplace(&block, 0);
  if (!isNew)
    return found->second;
  MemoryAccess place; // without an address: where it stands is all that is asked
  place.inst = block.terminator();
  unsigned count = 0;
  for (size_t lane = 0; lane < at(subgroup).lanes().size(); ++lane)
    count += at(subgroup).at(place, lane).activity != Activity::No;
  activeOf[subgroup][&block] = count;
  return count;
}

/// Where the coordinates are known.
void SampledLanes::addTexelRows(const LaneGroup &lanes, const MemoryAccess &access,
                                SubgroupRun &run) {
  constexpr size_t kBatch = 8;
  if (access.coordinate == Id::None || lanes.lanes().size() < kBatch)
    return;
  auto [found, isNew] = texels.try_emplace(&lanes);
  if (isNew)
    for (const Lane &lane : lanes.lanes())
      found->second.emplace_back(model, lane, host);
  std::vector<std::optional<uint64_t>> y;
  std::vector<std::array<uint64_t, 3>> blocks;
  const uint64_t across = std::max<uint64_t>(1, 16 / std::max<uint64_t>(1, access.bytes));
  for (LaneEvaluator &lane : found->second) {
    y.push_back(lane.integer(access.coordinate, *access.inst, 1));
    std::optional<uint64_t> x = lane.integer(access.coordinate, *access.inst, 0);
    std::optional<uint64_t> z = lane.integer(access.coordinate, *access.inst, 2);
    if (x && y.back())
      blocks.push_back({*x / across, *y.back() / 2, z.value_or(0)});
  }
  std::sort(blocks.begin(), blocks.end());
  run.texelBlocks =
      static_cast<unsigned>(std::unique(blocks.begin(), blocks.end()) - blocks.begin());
  for (size_t first = 0; first + kBatch <= y.size(); first += kBatch) {
    const auto begin = y.begin() + static_cast<std::ptrdiff_t>(first);
    if (std::any_of(begin, begin + kBatch, [](const auto &each) { return !each; }))
      continue;
    run.rows +=
        std::all_of(begin, begin + kBatch, [&](const auto &each) { return each == *begin; });
    ++run.batches;
  }
}

SubgroupRun SampledLanes::runOf(LaneGroup &lanes, const MemoryAccess &access) {
  SubgroupRun run;
  const std::vector<Lane> &all = lanes.lanes();
  const size_t together = access.bytes == 16 ? 8 : access.bytes == 8 ? 16 : all.size();
  std::vector<std::pair<uint64_t, uint64_t>> lineList, pieces; // buffer and number, or first byte
  uint64_t identity = 0x9E3779B97F4A7C15ULL;
  auto countLines = [&] {
    std::sort(lineList.begin(), lineList.end());
    run.lines +=
        static_cast<unsigned>(std::unique(lineList.begin(), lineList.end()) - lineList.begin());
    lineList.clear();
  };
  for (size_t lane = 0; lane < all.size(); ++lane) {
    if (lane % together == 0)
      countLines();
    LaneGroup::At at = lanes.at(access, lane);
    identity = (identity ^ at.address.value_or(~uint64_t{0}) ^ at.buffer << 48) * 0x100000001B3ULL;
    if (at.activity == Activity::No)
      continue;
    ++run.active;
    if (access.isImage())
      continue;
    if (!at.address) {
      ++run.unknown;
      continue;
    }
    if (!run.firstAddress)
      run.firstAddress = at.address;
    const uint64_t begin = *at.address, end = begin + std::max<uint64_t>(access.bytes, 1);
    pieces.emplace_back(at.buffer, begin);
    for (uint64_t sector = begin / kSectorBytes; sector <= (end - 1) / kSectorBytes; ++sector)
      run.sectors.emplace_back(at.buffer, sector);
    for (uint64_t line = begin / kLineBytes; line <= (end - 1) / kLineBytes; ++line)
      lineList.emplace_back(at.buffer, line);
  }
  countLines();
  auto unique = [](auto &items) {
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
  };
  unique(run.sectors);
  unique(pieces);
  run.usedBytes = pieces.size() * access.bytes;
  std::vector<uint64_t> bytesOf(run.sectors.size()); // asked for, of each sector
  for (const auto &[buffer, begin] : pieces)
    for (uint64_t at = begin; at < begin + access.bytes;) {
      const uint64_t sector = at / kSectorBytes;
      const uint64_t end = std::min((sector + 1) * kSectorBytes, begin + access.bytes);
      auto place = std::lower_bound(run.sectors.begin(), run.sectors.end(),
                                    std::pair<uint64_t, uint64_t>(buffer, sector));
      bytesOf[static_cast<size_t>(place - run.sectors.begin())] += end - at;
      at = end;
    }
  run.partial = static_cast<unsigned>(std::count_if(
      bytesOf.begin(), bytesOf.end(), [](uint64_t bytes) { return bytes < kSectorBytes; }));
  run.exact = run.unknown == 0;
  run.lines += run.unknown;
  run.identity = run.exact && !access.isImage() ? identity : 0;
  if (access.space == MemorySpace::Workgroup)
    run.conflict = lanes.bankConflict(access).value_or(1);
  if (access.isImage())
    addTexelRows(lanes, access, run);
  return run;
}

SubgroupRun SampledLanes::run(const MemoryAccess &access, size_t subgroup) {
  return runOf(at(subgroup), access);
}

std::optional<SubgroupRun> SampledLanes::runInSecondRound(const MemoryAccess &access,
                                                          const Block &header) {
  auto found = second.find(&header);
  if (found == second.end()) {
    if (second.size() == kMaxLoops)
      return std::nullopt;
    auto lanes = std::make_unique<LaneGroup>(model, at(0).lanes(), host);
    lanes->setIteration(header, 1);
    found = second.try_emplace(&header, std::move(lanes)).first;
  }
  return runOf(*found->second, access);
}

} // namespace tailor
