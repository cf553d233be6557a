//===- Analysis/AccessRows.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/AccessRows.h"

#include <algorithm>
#include <numeric>

namespace tailor {
namespace {

std::string placeOf(const Findings &findings, const AccessGroup &group) {
  std::vector<uint32_t> places;
  for (size_t at : group) {
    const Location &location = findings.accesses[at].access.location;
    uint32_t place = location.line != 0 ? location.line : location.word;
    if (std::find(places.begin(), places.end(), place) == places.end())
      places.push_back(place);
  }
  if (places.front() == Location::kUnknownWord)
    return "?";
  std::string text = std::to_string(places.front());
  if (places.size() == 2)
    return text + ", " + std::to_string(places.back());
  return places.size() == 1 ? text : text + " +" + std::to_string(places.size() - 1);
}

void addStrides(AccessRow &row, const MemoryAccess &access) {
  for (unsigned axis = 0; axis < 3; ++axis) {
    const std::string &stride =
        access.isImage() ? access.texelStrides[axis] : access.strides[axis].text;
    row.isStill |= !stride.empty();
    bool isStill = stride == "0" ||
                   (access.isImage() && stride.find_first_of("123456789") == std::string::npos);
    if (!stride.empty() && !isStill)
      row.strides.emplace_back(kAxisName[axis], stride);
  }
}

std::string sectorsOf(const AccessFinding &finding) {
  if (finding.access.space == MemorySpace::Workgroup && finding.at.bankConflict == 0u)
    return "not run";
  if (finding.access.space == MemorySpace::Workgroup)
    return finding.at.bankConflict ? "banks " + conflictText(*finding.at.bankConflict) : "banks ?";
  if (!finding.at.traffic)
    return "-";
  const Traffic &traffic = *finding.at.traffic;
  if (!traffic.exact)
    return traffic.sectors.str();
  if (traffic.active.most == 0)
    return "not run";
  return std::to_string(traffic.sectors.least) + " (" + std::to_string(traffic.minSectors) + ")";
}

std::string lineUseOf(const AccessFinding &finding) {
  if (finding.access.space == MemorySpace::Workgroup || !finding.at.traffic ||
      !finding.at.traffic->exact || finding.at.traffic->lines.least == 0)
    return "-";
  const Traffic &traffic = *finding.at.traffic;
  if (traffic.lines.least == traffic.minLines)
    return "best";
  uint64_t used = traffic.sectors.least, all = traffic.lines.least * (kLineBytes / kSectorBytes);
  uint64_t common = std::gcd(used, all);
  return used == all ? "all" : std::to_string(used / common) + "/" + std::to_string(all / common);
}

AccessRow::Care careOf(const AccessFinding &finding) {
  using enum AccessRow::Care;
  if (finding.at.bankConflict && *finding.at.bankConflict > 1)
    return *finding.at.bankConflict > 4 ? Costly : Notable;
  if (!finding.at.traffic || finding.access.space == MemorySpace::Workgroup)
    return Fine;
  const Traffic &traffic = *finding.at.traffic;
  if (traffic.exact && traffic.sectors.least >= 4 * std::max<uint64_t>(traffic.minSectors, 1))
    return Costly;
  return traffic.exact && traffic.sectors.least <= traffic.minSectors &&
                 traffic.lines.least <= 2 * traffic.minLines
             ? Fine
             : Notable;
}

} // namespace

std::vector<AccessRow> accessRows(const Findings &findings) {
  std::vector<AccessRow> rows;
  for (const AccessGroup &group : groupAccesses(findings)) {
    const AccessFinding &finding = findings.accesses[group.front()];
    const MemoryAccess &access = finding.access;
    AccessRow row;
    row.finding = &finding;
    row.count = group.size();
    row.place = placeOf(findings, group);
    addStrides(row, access);
    row.sectors = sectorsOf(finding);
    row.lineUse = lineUseOf(finding);
    row.care = careOf(finding);
    row.isPlain =
        access.pattern == AccessPattern::Uniform &&
        (access.space == MemorySpace::PushConstant || access.space == MemorySpace::UniformBuffer);
    row.isIdle =
        finding.at.traffic && finding.at.traffic->exact && finding.at.traffic->active.most == 0;
    row.isAssumed = finding.at.traffic && finding.at.traffic->assumed;
    rows.push_back(std::move(row));
  }
  return rows;
}

bool hasLines(const Findings &findings) {
  return !findings.accesses.empty() && findings.accesses.front().access.location.line != 0;
}

} // namespace tailor
