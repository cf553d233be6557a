//===- Cost/CostModel.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Cost/CostModel.h"

#include "Analysis/Traffic.h"
#include "Devices/Occupancy.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tailor {

namespace {

// --- what machines of this kind have in common ---

constexpr double kIssue = 3.4;          ///< instructions of subgroups that a unit starts in a clock
constexpr double kMemoryShare = 0.9;    ///< of the memory's peak that is reached
constexpr double kL2BytesPerClock = 19; ///< from the second-level cache to a unit
constexpr double kMemoryLatency = 700;  ///< clocks from a load to its value, in the device's memory
constexpr double kSharedLatency = 30;
constexpr double kBarrierLatency = 30, kBarrierEach = 4; ///< and for each subgroup that takes part
constexpr double kStartLatency = 500; ///< until a group that was given to a unit is at work
constexpr double kTexelsPerClock = 4; ///< of a unit
constexpr double kRowOfTexels = 1.5;  ///< what eight lanes in one row of texels cost
constexpr double kStep = 4.5;         ///< clocks until one operation's result serves the next
constexpr double kOwnIssue = 3.5;     ///< clocks from one instruction of a subgroup to its next
constexpr double kNearLatency = 40;   ///< of a load that the unit's cache answers
constexpr double kLine = 0.5;         ///< clocks of a unit for a cache line, or an answer of a bank
constexpr double kPartialStore = 0.6; ///< that a store of a part of a sector costs more
constexpr double kGroupsPerClock = 0.83; ///< that the device hands out
constexpr double kRegistersBesides = 12; ///< of an invocation, besides its live values
constexpr double kCacheBytes = 131072;   ///< of a unit, next to its workgroup memory
constexpr double kSharpness = 3;         ///< how far parts overlap: 1 not at all, large: entirely

struct Machine {
  explicit Machine(const DeviceProfile &profile)
      : units(profile.unit.units.value_or(32)), clockGHz(profile.clockMhz.value_or(1500) / 1000.0),
        memoryBytesPerNs(profile.memoryGBs.value_or(400)),
        lanes(profile.unit.fp32Lanes.value_or(128)),
        residentMost(profile.unit.invocations.value_or(2048)) {}
  double units, clockGHz, memoryBytesPerNs, lanes, residentMost;
};

std::string text(const char *format, double a, double b = 0, double c = 0) {
  char buffer[160];
  std::snprintf(buffer, sizeof buffer, format, a, b, c);
  return buffer;
}

/// Groups that a unit holds at once, by what the profile knows.
double residentGroups(const VariantFeatures &f, const DeviceProfile &profile) {
  const auto registers = static_cast<uint32_t>(f.liveComponents + kRegistersBesides);
  if (std::optional<Occupancy> occupancy =
          occupancyOf(profile, f.localSize, f.sharedBytes, (registers + 7) / 8 * 8))
    return std::max<double>(1, occupancy->groups);
  return std::max(1.0, 1024 / f.invocations());
}

class Estimator {
public:
  Estimator(const VariantFeatures &features, const DeviceProfile &profile)
      : f(features), profile(profile), machine(profile) {}
  CostEstimate run();

private:
  void add(const char *name, double ns, std::string why) {
    if (ns > 0)
      result.parts.push_back({name, ns, std::move(why)});
  }
  /// Clocks of a unit, for all subgroups of the dispatch, as a time.
  double unitTime(double clocksEach) const {
    return clocksEach * allSubgroups / (machine.units * machine.clockGHz);
  }
  double instructions() const;
  /// Sectors of a subgroup that the cache of its unit does not have.
  double missed() const {
    const double room = f.sectorsAgain * double(kSectorBytes) * resident * f.subgroups;
    return f.sectorsMissed + (room > kCacheBytes ? f.sectorsAgain : 0);
  }
  /// What the texture units are asked for, in texels.
  double texels() const { return f.texelLoads + (kRowOfTexels - 1) * f.texelLoadsInRows; }
  void addThroughputs();
  void addWaiting();

  const VariantFeatures &f;
  const DeviceProfile &profile;
  Machine machine;
  CostEstimate result;
  double allSubgroups = 0, resident = 1; ///< groups on a unit
};

/// Of one subgroup, with the addresses that accesses imply.
double Estimator::instructions() const {
  const double passes = std::max(1.0, double(f.subgroupWidth) * kIssue / machine.lanes);
  return passes * (0.7 * f.floats + f.integers + f.conversions + 4 * f.specials +
                   3 * f.deviceAccesses + 3 * f.imageAccesses + 2 * f.sharedAccesses +
                   f.uniformLoads + 2 * f.branches + 2 * f.barriers + 2 * f.subgroupOps + 20);
}

void Estimator::addThroughputs() {
  const double sectors = missed() * allSubgroups, bytes = sectors * double(kSectorBytes);
  const double moved = std::min(std::max(bytes, f.expectedBytes * 0.5), f.expectedBytes);
  const double l2 = double(profile.l2Bytes.value_or(4 << 20));
  const double fromMemory = std::max(0.0, std::max(moved, f.expectedBytes) - l2);
  add("memory", fromMemory / (machine.memoryBytesPerNs * kMemoryShare),
      text("%.0f MB have to come and go", fromMemory / 1e6));
  const double throughL2 = f.sectorsMissed + kPartialStore * f.partialStores + f.texelBlocksStored;
  add("cache", unitTime(throughL2 * double(kSectorBytes) / kL2BytesPerClock),
      text("%.1f sectors a subgroup past the unit's cache; %.1f asked for where %.1f would do",
           missed(), f.sectorsAsked, f.minSectors));
  const double loadUnits = f.lines + f.sharedAnswers;
  add("shared", unitTime(kLine * loadUnits + f.sharedAtomics),
      text("%.1f lines and %.1f bank answers a subgroup (%.1f accesses)", f.lines, f.sharedAnswers,
           f.sharedAccesses + f.deviceAccesses));
  add("texels", unitTime(texels() / kTexelsPerClock),
      text("%.1f image accesses a subgroup, %.0f %% of the reads in rows", f.imageAccesses,
           f.texelLoads > 0 ? 100 * f.texelLoadsInRows / f.texelLoads : 0));
  add("instructions", unitTime(instructions() / kIssue),
      text("%.0f instructions a subgroup, %.0f %% of its lanes filled", instructions(),
           100 * f.fill));
  add("groups", f.totalGroups() / (kGroupsPerClock * machine.clockGHz),
      text("%.0f groups of %.0f invocations", f.totalGroups(), f.invocations()));
}

/// Each subgroup alone, as many side by side as a unit holds.
void Estimator::addWaiting() {
  const double share = f.sectorsAsked > 0 ? std::min(1.0, missed() / f.sectorsAsked) : 1;
  const double latency = kNearLatency + (kMemoryLatency - kNearLatency) * share;
  const double own = f.lines + f.sharedAnswers + texels() / kTexelsPerClock;
  const double each = kStartLatency + f.rounds * latency + f.sharedRounds * kSharedLatency +
                      f.barriers * (kBarrierLatency + kBarrierEach * f.subgroups) + own +
                      std::max(instructions() * kOwnIssue, f.chain * kStep);
  const double side = resident * f.subgroups;
  add("waiting", unitTime(each / side),
      text("%.1f rounds of loads and %.1f barriers with %.0f subgroups on a unit", f.rounds,
           f.barriers, side));
}

CostEstimate Estimator::run() {
  const double groups = std::max(1.0, f.totalGroups());
  allSubgroups = groups * f.subgroups;
  const double perUnit = groups / machine.units;
  resident = std::min(residentGroups(f, profile), std::max(1.0, std::ceil(perUnit)));
  result.occupancy = std::min(1.0, resident * f.invocations() / machine.residentMost);
  result.waves = perUnit / resident;
  result.tail = std::ceil(perUnit) / perUnit;
  addThroughputs();
  addWaiting();
  double sum = 0;
  for (const CostPart &part : result.parts)
    sum += std::pow(part.ns, kSharpness);
  result.expectedNs = std::pow(sum, 1 / kSharpness) * result.tail;
  result.boundNs = boundOf(f, profile);
  std::sort(result.parts.begin(), result.parts.end(), [](const CostPart &a, const CostPart &b) {
    return a.ns != b.ns ? a.ns > b.ns : a.name < b.name;
  });
  return std::move(result);
}

} // namespace

double boundOf(const VariantFeatures &features, const DeviceProfile &profile) {
  if (!profile.memoryGBs || !profile.l2Bytes)
    return 0;
  return std::max(0.0, features.certainBytes - double(*profile.l2Bytes)) / *profile.memoryGBs;
}

CostEstimate estimate(const VariantFeatures &features, const DeviceProfile &profile) {
  return Estimator(features, profile).run();
}

std::string CostEstimate::str() const {
  std::string out = text("%.1f us expected", expectedNs / 1e3);
  for (size_t at = 0; at < parts.size() && at < 3; ++at)
    out += (at == 0 ? ": " : "; ") + parts[at].name + text(" %.1f us", parts[at].ns / 1e3) + " (" +
           parts[at].why + ")";
  return out;
}

} // namespace tailor
