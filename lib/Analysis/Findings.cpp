//===- Analysis/Findings.cpp -----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/Findings.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace tailor {

double AccessFinding::excessBytes() const {
  if (access.space == MemorySpace::Workgroup) {
    constexpr double kBytesPerAnswer = 128; // of all banks together
    return at.bankConflict.value_or(0) > 1 ? assumed * (*at.bankConflict - 1) * kBytesPerAnswer : 0;
  }
  if (!at.traffic)
    return 0;
  const Traffic &traffic = *at.traffic;
  uint64_t least = traffic.exact
                       ? traffic.minSectors
                       : (traffic.active.most * access.bytes + kSectorBytes - 1) / kSectorBytes;
  return traffic.sectors.most > least
             ? assumed * double((traffic.sectors.most - least) * kSectorBytes)
             : 0;
}

std::string Findings::place(const Location &location) const {
  std::string text = location.line != 0 ? "line " + std::to_string(location.line)
                     : location.word != Location::kUnknownWord
                         ? "word " + std::to_string(location.word)
                         : "";
  if (text.empty() || location.file == kernel.module().source.file)
    return text.empty() ? location.str() : text;
  return location.str();
}

Findings gatherFindings(const KernelAnalysis &kernel, uint32_t subgroupWidth) {
  Findings findings{kernel,
                    subgroupWidth,
                    certify(kernel),
                    analyzeSharedMemory(kernel),
                    gatherBarriers(kernel),
                    measureWork(kernel),
                    {}};
  TripCounts trips(kernel);
  LaneModel model(kernel);
  VariantTraffic traffic(model, kernel.size(), subgroupWidth, {});
  for (MemoryAccess &access : findAccesses(kernel)) {
    AccessFinding finding;
    finding.runs = trips.of(*access.inst->parent());
    finding.assumed = std::max(0.0, finding.runs.evaluate([&](const std::string &name) {
      return trips.assumedValue(name);
    }));
    finding.at = traffic.of(access);
    finding.access = std::move(access);
    findings.accesses.push_back(std::move(finding));
  }
  return findings;
}

/// Where accesses that are equally good come in the list.
static unsigned rankOf(MemorySpace space) {
  switch (space) {
  case MemorySpace::StorageBuffer:
    return 0;
  case MemorySpace::Resource:
    return 1;
  case MemorySpace::Workgroup:
    return 2;
  default:
    return 3;
  }
}

std::vector<AccessGroup> groupAccesses(const Findings &findings) {
  auto keyOf = [](const AccessFinding &finding) {
    const MemoryAccess &access = finding.access;
    const VariantTraffic::Result &at = finding.at;
    std::array<std::string, 3> strides;
    for (unsigned axis = 0; axis < 3; ++axis)
      strides[axis] = access.isImage() ? access.texelStrides[axis] : access.strides[axis].text;
    std::string figures = at.traffic ? at.traffic->str() : "";
    return std::tuple(access.variable, access.name, access.op, access.bytes, access.pattern,
                      access.insideBounds, strides, figures, at.bankConflict);
  };
  std::vector<AccessGroup> groups;
  std::map<decltype(keyOf(findings.accesses.front())), size_t> byKey;
  for (size_t at = 0; at < findings.accesses.size(); ++at) {
    auto [known, isNew] = byKey.try_emplace(keyOf(findings.accesses[at]), groups.size());
    if (isNew)
      groups.emplace_back();
    groups[known->second].push_back(at);
  }
  auto excessOf = [&](const AccessGroup &group) {
    double excess = 0;
    for (size_t at : group)
      excess += findings.accesses[at].excessBytes();
    return excess;
  };
  std::vector<std::tuple<double, unsigned, size_t>> order; // the last: as they came
  order.reserve(groups.size());
  for (size_t at = 0; at < groups.size(); ++at)
    order.emplace_back(-excessOf(groups[at]),
                       rankOf(findings.accesses[groups[at].front()].access.space), at);
  std::sort(order.begin(), order.end());
  std::vector<AccessGroup> sorted;
  sorted.reserve(groups.size());
  for (const auto &[excess, rank, at] : order)
    sorted.push_back(std::move(groups[at]));
  return sorted;
}

std::string placesOf(const Findings &findings, const AccessGroup &group) {
  std::set<uint32_t> lines;
  std::set<std::string> places;
  for (size_t at : group) {
    const Location &location = findings.accesses[at].access.location;
    std::string place = findings.place(location);
    places.insert(place);
    if (place == "line " + std::to_string(location.line))
      lines.insert(location.line);
  }
  if (places.empty())
    return "";
  if (lines.size() != places.size())
    return *places.begin() +
           (places.size() > 1 ? " and " + std::to_string(places.size() - 1) + " more" : "");
  if (lines.size() == 1)
    return *places.begin();
  if (lines.size() > 4)
    return "lines " + std::to_string(*lines.begin()) + " to " + std::to_string(*lines.rbegin());
  std::string text = "lines";
  size_t left = lines.size();
  for (uint32_t line : lines) {
    text += (left == lines.size() ? " " : left == 1 ? " and " : ", ") + std::to_string(line);
    --left;
  }
  return text;
}

} // namespace tailor
