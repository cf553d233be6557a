//===- Analysis/AdviceTraffic.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/AdviceTraffic.h"

#include <algorithm>
#include <cmath>

namespace tailor {

static bool isBetter(const FetchCost &cost, const FetchCost &than) {
  return cost.bytes <= TrafficAdviser::kGain * than.bytes ||
         (cost.bytes <= than.bytes && cost.lines <= TrafficAdviser::kLineGain * than.lines);
}

static void add(FetchCost &cost, const Traffic &traffic, double runs) {
  cost.bytes += runs * double(traffic.sectors.least * kSectorBytes);
  cost.lines += runs * double(traffic.lines.least);
}

/// Whether the lanes do as much as at the authored size: none more is idle, and no two store to one
/// place where the author's do not.
static bool doesTheSame(const AccessFinding &finding, const Traffic &there, double lanesThere,
                        double lanesHere) {
  const Traffic &here = *finding.at.traffic;
  if (double(there.active.least) / lanesThere < double(here.active.least) / lanesHere)
    return false;
  return finding.access.op == AccessOp::Load ||
         double(there.usedBytes) / lanesThere >= double(here.usedBytes) / lanesHere;
}

/// Accesses whose lanes are not known at the authored size count nowhere; one that is not known
/// here alone leaves nothing to compare.
std::optional<FetchCost>
TrafficAdviser::costOf(llvm::function_ref<std::optional<Traffic>(const MemoryAccess &)> trafficOf,
                       uint64_t invocations) const {
  FetchCost cost;
  auto lanesOf = [&](uint64_t count) {
    return double(std::min<uint64_t>(count, findings.subgroupWidth));
  };
  const double lanes = lanesOf(invocations);
  for (size_t at : buffers) {
    const AccessFinding &finding = findings.accesses[at];
    if (!finding.at.traffic || !finding.at.traffic->exact)
      continue;
    std::optional<Traffic> traffic = trafficOf(finding.access);
    if (!traffic || !traffic->exact ||
        !doesTheSame(finding, *traffic, lanes, lanesOf(authored.product())))
      return std::nullopt;
    add(cost, *traffic, finding.assumed);
  }
  return FetchCost{cost.bytes / lanes, cost.lines / lanes};
}

std::optional<FetchCost> TrafficAdviser::costOf(const Dim3 &size, const HostValues &host) const {
  VariantTraffic variant(model, size, findings.subgroupWidth, host);
  return costOf([&](const MemoryAccess &access) { return variant.of(access).traffic; },
                size.product());
}

HostValues differingHost() {
  HostValues host;
  host.leaf = [](const UniformExpr &leaf) -> std::optional<uint32_t> {
    if (leaf.op == UniformExpr::Op::SpecConstant)
      return std::nullopt; // as it is in the module
    uint32_t mix = static_cast<uint32_t>(leaf.op);
    for (uint32_t param : leaf.params)
      mix = mix * 31 + param / 4;
    return HostValues::kAssumedInteger + 64 * (1 + mix % 61);
  };
  return host;
}

bool TrafficAdviser::holdsForOtherValues(const Dim3 &size) const {
  const HostValues host = differingHost();
  std::optional<FetchCost> now = costOf(authored, host), there = costOf(size, host);
  return now && there && isBetter(*there, *now);
}

/// Shapes of about as many invocations as the author's, that differ in a subgroup.
std::vector<Dim3> TrafficAdviser::otherSizes() const {
  uint32_t invocations = 64;
  while (invocations < authored.product() && invocations < kMaxLanes)
    invocations *= 2;
  const std::array<bool, 3> &uses = findings.certificate.usesAxis;
  std::vector<Dim3> sizes;
  for (uint32_t x : {invocations, 32U, 16U, 8U, 4U, 2U, 1U}) {
    if (uses[0] && uses[1])
      sizes.push_back({x, invocations / x, 1});
    if (uses[2] && uses[0])
      sizes.push_back({x, 1, invocations / x});
  }
  if (uses[0] != uses[1])
    sizes.push_back(uses[0] ? Dim3{invocations, 1, 1} : Dim3{1, invocations, 1});
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  std::erase(sizes, authored);
  return sizes;
}

/// The technique that gives other sizes with what a subgroup does there being known.
std::optional<Technique> TrafficAdviser::resizing() const {
  for (Technique technique : {Technique::Resize, Technique::Remap})
    if (findings.certificate.verdict(technique).legal())
      return technique;
  return std::nullopt;
}

std::optional<TrafficAdviser::Arrangement> TrafficAdviser::betterSize(const FetchCost &than) {
  std::optional<Technique> technique = resizing();
  std::optional<Arrangement> best;
  if (!technique)
    return best;
  const TechniqueVerdict &verdict = findings.certificate.verdict(*technique);
  for (const Dim3 &size : otherSizes()) {
    if (!allowsSize(*technique, verdict, authored, size))
      continue;
    ++tried;
    std::optional<FetchCost> cost = costOf(size, {});
    // Of equal ones the longest along x: their lanes stay adjacent on wider devices.
    auto key = [](const FetchCost &c) { return std::pair(c.bytes, c.lines); };
    if (!cost || !isBetter(*cost, than) ||
        (best && (key(*cost) > key(best->cost) ||
                  (key(*cost) == key(best->cost) && size.x <= best->size.x))))
      continue;
    if (!holdsForOtherValues(size))
      continue;
    best = Arrangement{size, size.str() + " (" + std::string(nameOf(*technique)) + ")", *cost, {}};
  }
  return best;
}

/// The authored workgroup with lanes that run down y first, where no memory of the group suffers.
std::optional<TrafficAdviser::Arrangement> TrafficAdviser::betterOrder(const FetchCost &than) {
  if (!findings.certificate.verdict(Technique::Swizzle).legal() || authored.x == 1 ||
      authored.y == 1)
    return std::nullopt;
  std::array<uint32_t, 3> group{};
  for (size_t at : buffers)
    group = findings.accesses[at].at.group;
  std::vector<Lane> lanes;
  uint64_t count = std::min<uint64_t>(authored.product(), findings.subgroupWidth);
  lanes.reserve(count);
  for (uint32_t index = 0; index < count; ++index)
    lanes.push_back(
        {group,
         {index / authored.y % authored.x, index % authored.y, index / authored.y / authored.x}});
  ++tried;
  auto costWith = [&](LaneGroup &order) {
    return costOf([&](const MemoryAccess &access) { return order.traffic(access); },
                  authored.product());
  };
  LaneGroup order(model, lanes, {}), otherwise(model, lanes, differingHost());
  std::optional<FetchCost> cost = costWith(order), there = costWith(otherwise);
  std::optional<FetchCost> now = costOf(authored, differingHost());
  if (!cost || !isBetter(*cost, than) || !there || !now || !isBetter(*there, *now))
    return std::nullopt;
  for (const AccessFinding &finding : findings.accesses)
    if (finding.at.bankConflict) {
      std::optional<unsigned> conflict = order.bankConflict(finding.access);
      if (!conflict || *conflict > *finding.at.bankConflict)
        return std::nullopt;
    }
  return Arrangement{authored, "lanes that run down y first (swizzle)", *cost, std::move(lanes)};
}

std::string TrafficAdviser::remedyText(const Arrangement &better, const AccessFinding &finding,
                                       const FetchCost &cost) {
  std::optional<Traffic> there;
  if (better.lanes.empty()) {
    VariantTraffic variant(model, better.size, findings.subgroupWidth, {});
    there = variant.of(finding.access).traffic;
  } else {
    LaneGroup order(model, better.lanes, {});
    there = order.traffic(finding.access);
  }
  auto bytes = [](double value) { return grouped(static_cast<uint64_t>(std::llround(value))); };
  std::string text = "; with " + better.name + " a subgroup would fetch ";
  if (there && there->exact)
    text += counted(there->sectors.least, "sector") + " in " + counted(there->lines.least, "line") +
            " for it instead of " + std::to_string(finding.at.traffic->sectors.least) + " in " +
            std::to_string(finding.at.traffic->lines.least);
  else
    text += "less";
  if (cost.bytes > better.cost.bytes)
    text += ", and an invocation " + bytes(better.cost.bytes) + " bytes in all instead of " +
            bytes(cost.bytes);
  return text;
}

/// `1/4` of what is fetched is used: of lines by sectors, else of sectors by bytes.
static std::string usedShare(const Traffic &traffic) {
  uint64_t used = traffic.usedBytes;
  uint64_t fetched = traffic.lines.least * kLineBytes;
  uint64_t sectorBytes = traffic.sectors.least * kSectorBytes;
  if (sectorBytes < fetched)
    used = sectorBytes; // as hardware counts it
  else
    fetched = sectorBytes;
  return std::to_string((100 * used + fetched / 2) / fetched) + " %";
}

/// What may be done about it where no size helps.
std::string TrafficAdviser::remedyInCode(const AccessFinding &finding) const {
  for (unsigned axis = 0; axis < 3; ++axis)
    if (axis != fastestAxis(authored) && authored[axis] > 1 &&
        finding.access.strides[axis].bytes == static_cast<int64_t>(finding.access.bytes))
      return std::string(": its neighbours lie along ") + kAxisName[axis] +
             ", those of other accesses do not; a tile in workgroup memory is the usual way "
             "between the two";
  return ": let neighbouring invocations take neighbouring elements, or lay the buffer out the "
         "other way";
}

/// Why no other size was evaluated for a kernel that neither resize nor remap is proven for.
static std::string otherTechniques(const Certificate &certificate) {
  std::string names;
  unsigned count = 0;
  for (Technique technique : {Technique::Pack, Technique::Coarsen, Technique::Respecialize})
    if (certificate.verdict(technique).legal()) {
      names += (count++ == 0 ? "" : ", ") + std::string(nameOf(technique));
    }
  if (size_t last = names.rfind(", "); last != std::string::npos)
    names.replace(last, 2, " and ");
  return count == 0 ? "; no other size is proven"
                    : "; no size of resize or remap is proven, and those of " + names +
                          " were not evaluated";
}

void TrafficAdviser::strided(const AccessGroup &worst, const FetchCost &cost, double share) {
  const AccessFinding &finding = findings.accesses[worst.front()];
  const Traffic &traffic = *finding.at.traffic;
  unsigned axis = fastestAxis(authored);
  const AccessStride &stride = finding.access.strides[axis];
  std::string text;
  if (finding.access.pattern == AccessPattern::Unit)
    text = "a row of " + counted(authored[axis], "lane") + " along " + kAxisName[axis] + " takes " +
           grouped(authored[axis] * finding.access.bytes) + " bytes in a piece from";
  else if (stride.text.empty() || stride.text == "0" || stride.text.find('%') != std::string::npos)
    text = "lanes are spread over";
  else
    text = "lanes walk " +
           (stride.bytes ? grouped(static_cast<uint64_t>(std::abs(*stride.bytes))) : stride.text) +
           " bytes apart along " + kAxisName[axis] + " on";
  text += " `" + finding.access.name + "` (" + placesOf(findings, worst) + "): a subgroup of " +
          std::to_string(findings.subgroupWidth) + " fetches " +
          counted(traffic.sectors.least, "sector") + " in " + counted(traffic.lines.least, "line") +
          " for " + counted(traffic.usedBytes, "byte") + ", and uses " + usedShare(traffic) +
          " of each line";
  std::optional<Arrangement> better = betterSize(cost);
  if (!better)
    better = betterOrder(cost);
  if (better) {
    text += remedyText(*better, finding, cost);
  } else if (share < 0.3 || traffic.sectors.least < 2 * traffic.minSectors) {
    return; // little is lost on it, and nothing is known to help
  } else {
    text += tried == 1  ? "; the one other size or order that was tried fetches no less in all"
            : tried > 1 ? "; none of the " + std::to_string(tried) +
                              " other sizes and orders that were tried fetches less in all"
            : resizing() ? "; at any size the same lanes are neighbours"
                         : otherTechniques(findings.certificate);
    text += remedyInCode(finding);
  }
  if (traffic.assumed)
    text += " (values of the host taken as " + grouped(HostValues::kAssumedInteger) + ")";
  list.push_back({AdviceKind::Strided, std::move(text), finding.access.location});
}

/// Other accesses use what this one leaves of the sectors that it fetches: the parts of a
/// structure, one by one.
bool TrafficAdviser::isCompleted(const AccessFinding &finding) const {
  uint64_t used = 0;
  for (size_t at : buffers) {
    const AccessFinding &other = findings.accesses[at];
    if (other.access.variable == finding.access.variable && other.runs == finding.runs &&
        other.at.traffic && other.at.traffic->exact)
      used += other.at.traffic->usedBytes;
  }
  constexpr double kMost = 0.75;
  return double(used) >= kMost * double(finding.at.traffic->sectors.least * kSectorBytes);
}

void TrafficAdviser::run() {
  if (buffers.empty() || buffers.size() > kMaxAccesses)
    return;
  double all = 0;
  for (size_t at : buffers)
    if (const auto &traffic = findings.accesses[at].at.traffic; traffic && traffic->exact)
      all += findings.accesses[at].assumed * double(traffic->sectors.least * kSectorBytes);
  std::optional<FetchCost> cost = costOf(authored, {});
  if (cost && all > 0)
    for (const AccessGroup &group : groupAccesses(findings)) {
      const AccessFinding &finding = findings.accesses[group.front()];
      const std::optional<Traffic> &traffic = finding.at.traffic;
      bool isWasteful = finding.access.space == MemorySpace::StorageBuffer && traffic &&
                        traffic->exact && finding.access.pattern != AccessPattern::Uniform &&
                        // Divisions by a value of the host: another value, another picture.
                        !(finding.access.pattern == AccessPattern::Gather && traffic->assumed) &&
                        (traffic->sectors.least > traffic->minSectors ||
                         traffic->lines.least > 2 * traffic->minLines);
      bool isStepped = finding.access.pattern != AccessPattern::Unit;
      if (!isWasteful || (isStepped && isCompleted(finding)))
        continue;
      double excess = 0;
      for (size_t at : group)
        excess += findings.accesses[at].excessBytes();
      strided(group, *cost, excess / all);
      break;
    }
  axisOfOne();
}

void adviseTraffic(const Findings &findings, AdviceList &list) {
  TrafficAdviser(findings, list).run();
}

} // namespace tailor
