//===- tools/spirv-tailor/AnalyzeAccesses.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AnalyzeText.h"

#include <algorithm>
#include <numeric>

namespace tailor {
namespace {

/// Where the accesses stand: `12`, `12, 15`, `12 +3` for three more places.
std::string placeCell(const Findings &findings, const AccessGroup &group) {
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

/// `x 4, y 4*params.columns`: the axes along which the address changes.
std::string strideCell(const MemoryAccess &access, bool full) {
  std::string text;
  bool isKnown = false;
  for (unsigned axis = 0; axis < 3; ++axis) {
    const std::string &stride =
        access.isImage() ? access.texelStrides[axis] : access.strides[axis].text;
    isKnown |= !stride.empty();
    bool isStill = stride == "0" ||
                   (access.isImage() && stride.find_first_of("123456789") == std::string::npos);
    if (stride.empty() || isStill)
      continue;
    text += (text.empty() ? "" : ", ") + std::string(1, kAxisName[axis]) + " " +
            (full ? stride : cutText(stride, 18));
  }
  constexpr size_t kWidth = 32;
  if (!text.empty())
    return full ? text : cutText(text, kWidth);
  return isKnown ? "the same" : "-";
}

/// `32 (4)`, `5 to 32`: sectors that are fetched, and that would do.
std::string sectorCell(const AccessFinding &finding) {
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

/// Sectors used of those in the lines that are fetched: `1/4`, `all`.
std::string lineCell(const AccessFinding &finding) {
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

Colour colourOf(const AccessFinding &finding) {
  if (finding.at.bankConflict && *finding.at.bankConflict > 1)
    return *finding.at.bankConflict > 4 ? Colour::Bad : Colour::Warning;
  if (!finding.at.traffic || finding.access.space == MemorySpace::Workgroup)
    return Colour::Plain;
  const Traffic &traffic = *finding.at.traffic;
  if (traffic.exact && traffic.sectors.least >= 4 * std::max<uint64_t>(traffic.minSectors, 1))
    return Colour::Bad;
  return traffic.exact && traffic.sectors.least <= traffic.minSectors &&
                 traffic.lines.least <= 2 * traffic.minLines
             ? Colour::Plain
             : Colour::Warning;
}

/// Uniform data and push constants that all invocations read at one place: not worth a line.
bool isPlain(const AccessFinding &finding) {
  return finding.access.pattern == AccessPattern::Uniform &&
         (finding.access.space == MemorySpace::PushConstant ||
          finding.access.space == MemorySpace::UniformBuffer);
}

} // namespace

void printAccesses(TextWriter &out, const KernelReport &report) {
  const Findings &findings = report.findings;
  if (findings.accesses.empty())
    return;
  out.title("Memory accesses, worst first", "what a subgroup of " +
                                                std::to_string(findings.subgroupWidth) +
                                                " fetches at " + findings.kernel.size().str());
  constexpr size_t kShown = 12;
  const std::vector<AccessGroup> groups = groupAccesses(findings);
  const size_t shown =
      shownOf(static_cast<size_t>(std::count_if(groups.begin(), groups.end(),
                                                [&](const AccessGroup &group) {
                                                  return !isPlain(findings.accesses[group.front()]);
                                                })),
              kShown);
  const bool hasLines = findings.accesses.front().access.location.line != 0;
  std::vector<std::vector<std::string>> rows = {{hasLines ? "line" : "word", "variable", "op",
                                                 "bytes", "pattern", "to the next invocation",
                                                 "sectors (least)", "line use"}};
  std::vector<Colour> colours = {Colour::Faint};
  size_t left = 0, plain = 0;
  bool assumed = false, images = false, idle = false;
  for (const AccessGroup &group : groups) {
    const AccessFinding &finding = findings.accesses[group.front()];
    if (!out.isFull() && isPlain(finding)) {
      plain += group.size();
      continue;
    }
    if (!out.isFull() && rows.size() > shown) {
      left += group.size();
      continue;
    }
    const MemoryAccess &access = finding.access;
    images |= access.isImage();
    idle |= finding.at.traffic && finding.at.traffic->exact && finding.at.traffic->active.most == 0;
    assumed |= finding.at.traffic && finding.at.traffic->assumed;
    std::string pattern(nameOf(access.pattern));
    rows.push_back(
        {placeCell(findings, group), cutText(access.name, 16), std::string(nameOf(access.op)),
         access.bytes == 0 ? "?" : numberText(access.bytes), pattern.empty() ? "-" : pattern,
         strideCell(access, out.isFull()), sectorCell(finding), lineCell(finding)});
    colours.push_back(colourOf(finding));
  }
  if (rows.size() > 1)
    out.table(rows, colours);
  if (left != 0)
    out.paragraph(2, "", "... and " + std::to_string(left) + " more (--full shows all)");
  if (plain != 0)
    out.paragraph(
        2, "", "and " + counted(plain, "load") + " of uniform data, the same for all invocations");
  if (images)
    out.paragraph(2, "", "images: steps in texels; how these lie in memory is the device's own");
  if (assumed)
    out.paragraph(2, "",
                  "values of the host are taken as " +
                      numberText(uint64_t{HostValues::kAssumedInteger}) +
                      (idle ? ", with which some accesses are not run" : ""));
}

} // namespace tailor
