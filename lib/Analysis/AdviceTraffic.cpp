//===- Analysis/AdviceTraffic.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/AdviceImpl.h"

#include <algorithm>
#include <set>

namespace tailor {
namespace {

/// Evaluating lanes costs time: kernels with more accesses go without other sizes.
constexpr size_t kMaxAccesses = 64;
constexpr uint64_t kMaxLanes = 256;

/// What a subgroup fetches for all accesses, for each of its invocations.
struct Cost {
  double bytes = 0; ///< in sectors
  double lines = 0;
};

/// By how much less another arrangement must fetch to be worth a word.
constexpr double kGain = 0.75, kLineGain = 0.6;
bool isBetter(const Cost &cost, const Cost &than) {
  return cost.bytes <= kGain * than.bytes ||
         (cost.bytes <= than.bytes && cost.lines <= kLineGain * than.lines);
}

class TrafficAdviser {
public:
  TrafficAdviser(const Findings &findings, AdviceList &list)
      : findings(findings), kernel(findings.kernel), authored(kernel.size()), list(list),
        model(kernel) {
    for (size_t at = 0; at < findings.accesses.size(); ++at)
      if (findings.accesses[at].access.space == MemorySpace::StorageBuffer)
        buffers.push_back(at);
  }

  void run();

private:
  struct Arrangement {
    Dim3 size;
    std::string name; ///< `64x1x1 (resize)`
    Cost cost;
    std::vector<Lane> lanes;
  };
  std::optional<Cost> costOf(LaneGroup &lanes, uint64_t invocations) const;
  std::optional<Cost> costOf(VariantTraffic &variant, uint64_t invocations) const;
  std::vector<Dim3> otherSizes() const;
  std::optional<Technique> resizing() const;
  std::optional<Arrangement> betterSize(const Cost &than);
  std::optional<Arrangement> betterOrder(const Cost &than);
  std::string remedyInCode(const AccessFinding &finding) const;
  void strided(const AccessGroup &worst, const Cost &cost, double share);
  std::string remedyText(const Arrangement &better, const AccessFinding &finding, const Cost &cost);
  std::optional<uint64_t> footprint(const Dim3 &size) const;
  void axisOfOne();

  const Findings &findings;
  const KernelAnalysis &kernel;
  const Dim3 &authored;
  AdviceList &list;
  LaneModel model;
  std::vector<size_t> buffers; ///< accesses of storage buffers
  size_t tried = 0;            ///< sizes and orders that were evaluated
};

void add(Cost &cost, const Traffic &traffic, double runs) {
  cost.bytes += runs * double(traffic.sectors.least * kSectorBytes);
  cost.lines += runs * double(traffic.lines.least);
}

/// Accesses whose lanes are not known at the authored size count nowhere; one that is not known
/// here alone leaves nothing to compare.
std::optional<Cost> TrafficAdviser::costOf(VariantTraffic &variant, uint64_t invocations) const {
  Cost cost;
  for (size_t at : buffers) {
    const AccessFinding &finding = findings.accesses[at];
    if (!finding.at.traffic || !finding.at.traffic->exact)
      continue;
    std::optional<Traffic> traffic = variant.of(finding.access).traffic;
    if (!traffic || !traffic->exact)
      return std::nullopt;
    add(cost, *traffic, finding.assumed);
  }
  double lanes = double(std::min<uint64_t>(invocations, findings.subgroupWidth));
  return Cost{cost.bytes / lanes, cost.lines / lanes};
}

std::optional<Cost> TrafficAdviser::costOf(LaneGroup &lanes, uint64_t invocations) const {
  Cost cost;
  for (size_t at : buffers) {
    const AccessFinding &finding = findings.accesses[at];
    if (!finding.at.traffic || !finding.at.traffic->exact)
      continue;
    std::optional<Traffic> traffic = lanes.traffic(finding.access);
    if (!traffic || !traffic->exact)
      return std::nullopt;
    add(cost, *traffic, finding.assumed);
  }
  double count = double(std::min<uint64_t>(invocations, findings.subgroupWidth));
  return Cost{cost.bytes / count, cost.lines / count};
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

std::optional<TrafficAdviser::Arrangement> TrafficAdviser::betterSize(const Cost &than) {
  std::optional<Technique> technique = resizing();
  std::optional<Arrangement> best;
  if (!technique)
    return best;
  const TechniqueVerdict &verdict = findings.certificate.verdict(*technique);
  for (const Dim3 &size : otherSizes()) {
    if (!allowsSize(*technique, verdict, authored, size))
      continue;
    ++tried;
    VariantTraffic variant(model, size, findings.subgroupWidth, {});
    std::optional<Cost> cost = costOf(variant, size.product());
    // Of equal ones the longest along x: their lanes stay adjacent on wider devices.
    auto key = [](const Cost &c) { return std::pair(c.bytes, c.lines); };
    if (!cost || !isBetter(*cost, than) ||
        (best && (key(*cost) > key(best->cost) ||
                  (key(*cost) == key(best->cost) && size.x <= best->size.x))))
      continue;
    best = Arrangement{size, size.str() + " (" + std::string(nameOf(*technique)) + ")", *cost, {}};
  }
  return best;
}

/// The authored workgroup with lanes that run down y first, where no memory of the group suffers.
std::optional<TrafficAdviser::Arrangement> TrafficAdviser::betterOrder(const Cost &than) {
  if (!findings.certificate.verdict(Technique::Swizzle).legal() || authored.x == 1 ||
      authored.y == 1)
    return std::nullopt;
  std::array<uint32_t, 3> group{};
  for (size_t at : buffers)
    group = findings.accesses[at].at.group;
  std::vector<Lane> lanes;
  uint64_t count = std::min<uint64_t>(authored.product(), findings.subgroupWidth);
  for (uint32_t index = 0; index < count; ++index)
    lanes.push_back(
        {group,
         {index / authored.y % authored.x, index % authored.y, index / authored.y / authored.x}});
  ++tried;
  LaneGroup order(model, lanes, {});
  std::optional<Cost> cost = costOf(order, authored.product());
  if (!cost || !isBetter(*cost, than))
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
                                       const Cost &cost) {
  std::optional<Traffic> there;
  if (better.lanes.empty()) {
    VariantTraffic variant(model, better.size, findings.subgroupWidth, {});
    there = variant.of(finding.access).traffic;
  } else {
    LaneGroup order(model, better.lanes, {});
    there = order.traffic(finding.access);
  }
  auto bytes = [](double value) { return grouped(static_cast<uint64_t>(value + 0.5)); };
  std::string text = "; with " + better.name + " a subgroup would fetch ";
  if (there && there->exact)
    text += std::to_string(there->sectors.least) + " sectors in " +
            std::to_string(there->lines.least) + (there->lines.least == 1 ? " line" : " lines") +
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
std::string usedShare(const Traffic &traffic) {
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

void TrafficAdviser::strided(const AccessGroup &worst, const Cost &cost, double share) {
  const AccessFinding &finding = findings.accesses[worst.front()];
  const Traffic &traffic = *finding.at.traffic;
  unsigned axis = fastestAxis(authored);
  const AccessStride &stride = finding.access.strides[axis];
  std::string text;
  if (finding.access.pattern == AccessPattern::Unit)
    text = "a row of " + std::to_string(authored[axis]) + " lanes along " + kAxisName[axis] +
           " takes " + grouped(authored[axis] * finding.access.bytes) + " bytes in a piece from";
  else if (stride.text.empty() || stride.text == "0")
    text = "lanes are spread over";
  else
    text = "lanes walk " +
           (stride.bytes ? grouped(static_cast<uint64_t>(std::abs(*stride.bytes))) : stride.text) +
           " bytes apart along " + kAxisName[axis] + " on";
  text += " `" + finding.access.name + "` (" + placesOf(findings, worst) + "): a subgroup of " +
          std::to_string(findings.subgroupWidth) + " fetches " +
          std::to_string(traffic.sectors.least) + " sectors in " +
          std::to_string(traffic.lines.least) + " lines for " + grouped(traffic.usedBytes) +
          " bytes, and uses " + usedShare(traffic) + " of each line";
  std::optional<Arrangement> better = betterSize(cost);
  if (!better)
    better = betterOrder(cost);
  if (better) {
    text += remedyText(*better, finding, cost);
  } else if (share < 0.25) {
    return; // little is lost on it, and nothing is known to help
  } else {
    text += tried != 0 ? "; none of the " + std::to_string(tried) +
                             " other sizes and orders that were tried fetches less in all"
            : resizing() ? "; at any size the same lanes are neighbours"
                         : "; no other size is proven";
    text += remedyInCode(finding);
  }
  if (traffic.assumed)
    text += " (values of the host taken as " + grouped(HostValues::kAssumedInteger) + ")";
  list.push_back({AdviceKind::Strided, std::move(text), finding.access.location});
}

// --- an axis of one invocation ---

/// Sectors that the invocations of a workgroup read, each counted once, in a run of each access.
std::optional<uint64_t> TrafficAdviser::footprint(const Dim3 &size) const {
  std::array<uint32_t, 3> group{};
  for (unsigned axis = 0; axis < 3; ++axis)
    group[axis] = kernel.affine().workgroupId(axis).has_value();
  LaneGroup lanes(
      model, subgroupLanes(authored, size, group, 0, static_cast<uint32_t>(size.product())), {});
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
  return sectors.size();
}

void TrafficAdviser::axisOfOne() {
  const Certificate &certificate = findings.certificate;
  std::optional<Technique> technique = resizing();
  if (!technique || authored.product() > kMaxLanes)
    return;
  bool any = false;
  for (unsigned axis = 0; axis < 3; ++axis)
    any |= certificate.usesAxis[axis] && authored[axis] == 1;
  if (!any)
    return;
  std::optional<uint64_t> now = footprint(authored);
  if (!now || *now == 0)
    return;
  double least = kGain * double(*now) / double(authored.product());
  std::optional<std::pair<Dim3, uint64_t>> best;
  for (const Dim3 &size : otherSizes()) {
    if (!allowsSize(*technique, certificate.verdict(*technique), authored, size))
      continue;
    std::optional<uint64_t> there = footprint(size);
    if (!there || double(*there) / double(size.product()) >= least)
      continue;
    least = double(*there) / double(size.product());
    best = {size, *there};
  }
  if (!best)
    return;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (certificate.usesAxis[axis] && authored[axis] == 1 && best->first[axis] > 1) {
      list.push_back({AdviceKind::AxisOfOne,
                      std::string("the size along ") + kAxisName[axis] +
                          " is 1, so that neighbours there share no workgroup: the " +
                          std::to_string(authored.product()) + " invocations of one read " +
                          grouped(*now) + " sectors in a run of each load, " +
                          std::to_string(best->first.product()) + " as " + best->first.str() +
                          " (" + std::string(nameOf(*technique)) + ") would read " +
                          grouped(best->second),
                      {}});
      return;
    }
}

void TrafficAdviser::run() {
  if (buffers.empty() || buffers.size() > kMaxAccesses)
    return;
  double all = 0;
  for (size_t at : buffers)
    if (const auto &traffic = findings.accesses[at].at.traffic; traffic && traffic->exact)
      all += findings.accesses[at].assumed * double(traffic->sectors.least * kSectorBytes);
  VariantTraffic here(model, authored, findings.subgroupWidth, {});
  std::optional<Cost> cost = costOf(here, authored.product());
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
      if (!isWasteful)
        continue;
      double excess = 0;
      for (size_t at : group)
        excess += findings.accesses[at].excessBytes();
      strided(group, *cost, excess / all);
      break;
    }
  axisOfOne();
}

} // namespace

void adviseTraffic(const Findings &findings, AdviceList &list) {
  TrafficAdviser(findings, list).run();
}

} // namespace tailor
