//===- Analysis/AdviceFootprint.cpp - Workgroups that share what they read ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/AdviceTraffic.h"

#include <set>
#include <tuple>

namespace tailor {

/// Sectors that the invocations of a workgroup read, each counted once, in a run of each access.
std::optional<uint64_t> TrafficAdviser::footprint(const Dim3 &size, const HostValues &host) const {
  std::array<uint32_t, 3> group{};
  for (unsigned axis = 0; axis < 3; ++axis)
    group[axis] = kernel.affine().workgroupId(axis).has_value();
  LaneGroup lanes(
      model, subgroupLanes(authored, size, group, 0, static_cast<uint32_t>(size.product())), host);
  std::set<std::tuple<const Instruction *, uint64_t, uint64_t>> sectors;
  for (size_t at : buffers) {
    const MemoryAccess &access = findings.accesses[at].access;
    if (access.op != AccessOp::Load || !access.layout || access.layout->componentStride != 0)
      continue;
    for (size_t lane = 0; lane < lanes.lanes().size(); ++lane) {
      LaneGroup::At place = lanes.at(access, lane);
      if (place.activity == Activity::No)
        continue;
      if (place.activity == Activity::Unknown || !place.address || access.bytes == 0)
        return std::nullopt;
      for (uint64_t sector = *place.address / kSectorBytes;
           sector <= (*place.address + access.bytes - 1) / kSectorBytes; ++sector)
        sectors.insert({access.variable, place.buffer, sector});
    }
  }
  if (sectors.empty())
    return std::nullopt; // nobody is at work in that workgroup
  return sectors.size();
}

/// For each invocation; nullopt where they do not do the same as the author's.
std::optional<double> TrafficAdviser::footprintShare(const Dim3 &size,
                                                     const HostValues &host) const {
  std::optional<uint64_t> sectors = costOf(size, host) ? footprint(size, host) : std::nullopt;
  return sectors ? std::optional(double(*sectors) / double(size.product())) : std::nullopt;
}

void TrafficAdviser::axisOfOne() {
  const std::array<bool, 3> &uses = findings.certificate.usesAxis;
  std::optional<Technique> technique = resizing();
  if (!technique || authored.product() > kMaxLanes)
    return;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (!uses[axis] || authored[axis] != 1)
      continue;
    // The best with one invocation along the axis, the author's included, and with more.
    std::array<std::optional<std::pair<double, Dim3>>, 2> best;
    std::vector<Dim3> sizes = otherSizes();
    sizes.push_back(authored);
    for (const Dim3 &size : sizes) {
      if (size != authored &&
          !allowsSize(*technique, findings.certificate.verdict(*technique), authored, size))
        continue;
      std::optional<double> share = footprintShare(size, {});
      auto &kept = best[size[axis] > 1];
      if (share && (!kept || *share < kept->first))
        kept = {*share, size};
    }
    if (!best[0] || !best[1] || best[1]->first > kGain * best[0]->first)
      continue;
    const Dim3 &size = best[1]->second;
    const HostValues other = differingHost();
    std::optional<double> now = footprintShare(best[0]->second, other);
    std::optional<double> there = footprintShare(size, other);
    if (!now || !there || *there > kGain * *now)
      continue;
    list.push_back({AdviceKind::AxisOfOne,
                    std::string("the size along ") + kAxisName[axis] +
                        " is 1, so that neighbours there share no workgroup: the " +
                        std::to_string(authored.product()) + " invocations of one read " +
                        grouped(footprint(authored, {}).value_or(0)) +
                        " sectors in a run of each load, " + std::to_string(size.product()) +
                        " as " + size.str() + " (" + std::string(nameOf(*technique)) +
                        ") would read " + grouped(footprint(size, {}).value_or(0)),
                    {}});
    return;
  }
}

} // namespace tailor
