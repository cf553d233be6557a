//===- Bundle/LaneFetch.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/LaneFetch.h"

#include "Analysis/TripCounts.h"
#include "passes/SwizzleLanes.h"

#include <algorithm>
#include <numeric>

namespace tailor {

/// Wide enough that no lane that is looked at is past the end, and a power of two as most sizes
/// are.
static constexpr uint32_t kHostValue = 4096;

LaneFetch::LaneFetch(const KernelAnalysis &kernel) : kernel(kernel), model(kernel) {
  host.leaf = [](const UniformExpr &leaf) -> std::optional<uint32_t> {
    // Of constants the module knows more; what buffers hold may differ from lane to lane.
    if (leaf.op == UniformExpr::Op::SpecConstant || leaf.op == UniformExpr::Op::BufferValue)
      return std::nullopt;
    return kHostValue;
  };
  TripCounts trips(kernel);
  for (MemoryAccess &access : findAccesses(kernel)) {
    if (access.space != MemorySpace::StorageBuffer)
      continue;
    Access each;
    each.runs = std::max(0.0, trips.of(*access.inst->parent()).evaluate([&](const auto &name) {
      return trips.assumedValue(name);
    }));
    for (unsigned axis = 0; axis < 3; ++axis)
      each.sameAlong[axis] = !access.insideBounds && !access.strides[axis].text.empty() &&
                             access.strides[axis].bytes == 0;
    each.access = std::move(access);
    accesses.push_back(std::move(each));
  }
}

namespace {

/// Where the lanes of the first subgroup stand, in authored invocations.
struct Arrangement {
  Dim3 size;                             ///< of the workgroup
  std::array<uint32_t, 3> step{1, 1, 1}; ///< from one lane to the next on an axis
  std::array<uint32_t, 3> copies{1, 1, 1};
  LaneSwizzle order{};
};

Arrangement arrangementOf(const PlannedVariant &variant, const Dim3 &authored) {
  Arrangement result;
  result.size = authored;
  for (const PlannedStep &step : variant.steps) {
    auto parameter = [&](const char *name) {
      auto at = step.parameters.find(name);
      return at == step.parameters.end() ? std::string() : at->second;
    };
    if (step.technique == Technique::Coarsen) {
      const bool isBlocked = parameter("form") == "blocked";
      for (unsigned axis = 0; axis < 3; ++axis) {
        result.copies[axis] = std::max(1U, result.size[axis] / std::max(1U, step.size[axis]));
        if (isBlocked)
          result.step[axis] *= result.copies[axis];
      }
    } else if (step.technique == Technique::Swizzle) {
      result.order.order = parseLaneOrder(parameter("order")).value_or(LaneOrder::Row);
      result.order.tile = parseDim3(parameter("tile")).value_or(Dim3{});
      if (step.size != result.size) // another shape of as many, in the authored order
        continue;
    }
    result.size = step.size;
  }
  return result;
}

} // namespace

/// `inside`: behind the first authored workgroup on each axis, at a multiple of 32 invocations.
std::vector<Lane> LaneFetch::lanesAt(const Coordinates &lanes, bool inside) const {
  const Dim3 &authored = kernel.size();
  std::vector<Lane> result;
  result.reserve(lanes.size());
  for (const auto &coordinates : lanes) {
    Lane lane;
    for (unsigned axis = 0; axis < 3; ++axis) {
      uint64_t at = coordinates[axis];
      if (inside && kernel.affine().workgroupId(axis))
        at += std::lcm<uint64_t>(authored[axis], 32);
      lane.group[axis] = static_cast<uint32_t>(at / authored[axis]);
      lane.localId[axis] = static_cast<uint32_t>(at % authored[axis]);
    }
    result.push_back(lane);
  }
  return result;
}

/// For the whole subgroup. Where addresses come from data, whoever may run it is on its own.
static double sectorsAt(LaneGroup &group, const MemoryAccess &access) {
  std::optional<Traffic> traffic = group.traffic(access);
  if (traffic && traffic->exact)
    return double(traffic->sectors.least);
  const uint64_t lanes = traffic ? traffic->active.most : group.lanes().size();
  const uint64_t each = (std::max<uint64_t>(access.bytes, 1) + kSectorBytes - 1) / kSectorBytes;
  return double(lanes * each);
}

const std::vector<double> *LaneFetch::sectorsOf(const Coordinates &lanes) {
  if (auto found = known.find(lanes); found != known.end())
    return &found->second;
  if (known.size() == kMaxArrangements)
    return nullptr;
  LaneGroup first(model, lanesAt(lanes, false), host), inside(model, lanesAt(lanes, true), host);
  std::vector<double> counts;
  for (const Access &each : accesses) {
    // Past the edges, unless fewer lanes run the access there.
    auto mayRun = [&](LaneGroup &group) {
      size_t count = 0;
      for (size_t lane = 0; lane < lanes.size(); ++lane)
        count += group.at(each.access, lane).activity != Activity::No;
      return count;
    };
    LaneGroup &chosen = mayRun(inside) >= mayRun(first) ? inside : first;
    counts.push_back(sectorsAt(chosen, each.access) / double(lanes.size()));
  }
  return &known.emplace(lanes, std::move(counts)).first->second;
}

std::optional<double> LaneFetch::bytes(const PlannedVariant &variant) {
  if (accesses.empty() || accesses.size() > kMaxAccesses ||
      (!variant.steps.empty() && variant.steps.front().technique == Technique::Respecialize))
    return std::nullopt;
  const Arrangement arrangement = arrangementOf(variant, kernel.size());
  const auto count = static_cast<uint32_t>(std::min<uint64_t>(arrangement.size.product(), kLanes));
  if (!checkSwizzle(arrangement.order, arrangement.size))
    return std::nullopt;
  Coordinates lanes;
  for (uint32_t index = 0; index < count; ++index) {
    const Dim3 at = swizzledLane(arrangement.order, arrangement.size, index);
    lanes.push_back(
        {at.x * arrangement.step[0], at.y * arrangement.step[1], at.z * arrangement.step[2]});
  }
  const std::vector<double> *counts = sectorsOf(lanes);
  if (!counts)
    return std::nullopt;
  double total = 0;
  for (size_t at = 0; at < accesses.size(); ++at) {
    double share = 1;
    for (unsigned axis = 0; axis < 3; ++axis)
      if (accesses[at].sameAlong[axis])
        share *= arrangement.copies[axis];
    total += accesses[at].runs * (*counts)[at] / share;
  }
  return total > 0 ? std::optional(total * double(kSectorBytes)) : std::nullopt;
}

} // namespace tailor
