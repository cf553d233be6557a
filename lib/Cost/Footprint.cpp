//===- Cost/Footprint.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Cost/Footprint.h"

#include <algorithm>
#include <cmath>

namespace tailor {

namespace {

enum Probe : size_t { Middle, NextGroup, NextLane = NextGroup + 3, First = NextLane + 3, Last };

std::vector<Lane> probesOf(const Dim3 &size, const Dim3 &groups) {
  Lane middle, last;
  for (unsigned axis = 0; axis < 3; ++axis) {
    middle.group[axis] = std::max(1U, groups[axis]) / 2;
    middle.group[axis] = std::min(middle.group[axis], std::max(1U, groups[axis]) - 1);
    last.group[axis] = std::max(1U, groups[axis]) - 1;
    last.localId[axis] = size[axis] - 1;
  }
  std::vector<Lane> lanes(Last + 1, middle);
  for (unsigned axis = 0; axis < 3; ++axis) {
    uint32_t &group = lanes[NextGroup + axis].group[axis];
    group = group == 0 ? 1 : group - 1;
    lanes[NextLane + axis].localId[axis] = size[axis] > 1 ? 1 : 0;
  }
  lanes[First] = {};
  lanes[Last] = last;
  return lanes;
}

} // namespace

Footprint::Footprint(const LaneModel &laneModel, const HostValues &host, const Dim3 &groupCounts)
    : model(laneModel), groups(groupCounts),
      probes(model, probesOf(model.analysis().size(), groups), host) {}

std::optional<uint64_t> Footprint::addressAt(const MemoryAccess &access, size_t probe) {
  return probes.at(access, probe).address;
}

void Footprint::add(const MemoryAccess &access, double runs, double perRound, double share) {
  const bool isStore = access.op == AccessOp::Store;
  Touched &sum = touched[{access.variable, isStore}];
  const Dim3 &size = model.analysis().size();
  const double all = double(size.product()) * double(groups.product()) * share;
  if (access.isImage()) { // where texels are is not known: one for each invocation
    constexpr double kTexel = 4;
    sum.sum = std::max(sum.sum, all * (access.bytes == 0 ? kTexel : double(access.bytes)));
    return;
  }
  std::optional<uint64_t> base = addressAt(access, Middle);
  if (!base) { // the contents of memory say where
    sum.sum += all * runs * double(access.bytes);
    return;
  }
  double distinct = share;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (size[axis] > 1 && addressAt(access, NextLane + axis) != base)
      distinct *= size[axis];
    if (groups[axis] > 1 && addressAt(access, NextGroup + axis) != base)
      distinct *= groups[axis];
  }
  const double bytes = distinct * double(access.bytes);
  std::optional<uint64_t> first = addressAt(access, First), last = addressAt(access, Last);
  double begin = double(*base), end = double(*base + access.bytes);
  const bool hasSpan = first && last;
  if (hasSpan) {
    begin = double(std::min({*first, *last, *base}));
    end = double(std::max({*first, *last, *base}) + access.bytes);
    end += std::abs(perRound) * std::max(0.0, runs - 1);
  }
  const double certain = hasSpan ? std::min(bytes, double(end - begin)) : 0;
  sum.most = std::max(sum.most, certain);
  sum.sum += bytes * (perRound != 0 ? std::max(1.0, runs) : 1.0);
  if (hasSpan) {
    sum.first = sum.hasSpan ? std::min(sum.first, begin) : begin;
    sum.end = sum.hasSpan ? std::max(sum.end, end) : end;
    sum.hasSpan = true;
  }
}

double Footprint::certainBytes() const {
  double total = 0;
  for (const auto &[key, each] : touched)
    total += each.most;
  return total;
}

double Footprint::expectedBytes() const {
  double total = 0;
  for (const auto &[key, each] : touched)
    total += each.hasSpan ? std::min(each.sum, each.end - each.first) : each.sum;
  return total;
}

} // namespace tailor
