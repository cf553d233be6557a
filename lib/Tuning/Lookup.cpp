//===- Tuning/Lookup.cpp ---------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Lookup.h"

#include "Devices/Recognize.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace tailor {

namespace {

constexpr std::string_view kTiers[] = {"exact", "other_driver", "architecture", "vendor", "model"};

/// What a driver calls its version, or its number.
std::string versionOf(const DeviceParts &parts) {
  return parts.driverInfo.empty() ? "version " + std::to_string(parts.driverVersion)
                                  : "'" + parts.driverInfo + "'";
}

/// What is different between two keys of one device.
std::string driverChange(const DeviceParts &then, const DeviceParts &now) {
  if (then.driverId != now.driverId)
    return "another driver runs the device: then " + versionOf(then) + ", now " + versionOf(now);
  if (then.driverInfo != now.driverInfo)
    return "the driver has changed from " + versionOf(then) + " to " + versionOf(now);
  if (then.driverVersion != now.driverVersion)
    return "the driver has changed from version " + std::to_string(then.driverVersion) + " to " +
           std::to_string(now.driverVersion);
  if (then.deviceName != now.deviceName)
    return "the driver calls the device '" + now.deviceName + "' now, then '" + then.deviceName +
           "'";
  return "the driver has the same version and other limits";
}

std::string toolChange(const std::string &then, const std::string &now) {
  return "it was measured by " + (then.empty() ? "an unknown tool" : then) + ", this is " + now;
}

DeviceFamily familyOf(const StoredWinner &outcome, const DeviceParts &parts,
                      const Recognizer &recognize) {
  DeviceFamily family = recognize(parts);
  if (family.vendor.empty())
    family.vendor = outcome.vendor;
  if (family.architecture.empty())
    family.architecture = outcome.architecture;
  return family;
}

/// How well an outcome speaks for a device.
struct Match {
  const StoredWinner *outcome = nullptr;
  LookupTier tier = LookupTier::Model;
  std::string why;
};

Match matchOf(const StoredWinner &outcome, const WinnerKey &key, const Recognizer &recognize) {
  if (outcome.key.deviceKey == key.deviceKey)
    return {&outcome, LookupTier::Exact, "measured on this device with this driver"};
  std::optional<DeviceParts> wanted = parseDeviceKey(key.deviceKey);
  std::optional<DeviceParts> there = parseDeviceKey(outcome.key.deviceKey);
  if (!wanted || !there || !wanted->allows(outcome.winnerSize))
    return {};
  if (wanted->sameDevice(*there))
    return {&outcome, LookupTier::OtherDriver,
            "measured on this device with another driver: " + driverChange(*there, *wanted)};
  DeviceFamily ours = recognize(*wanted), theirs = familyOf(outcome, *there, recognize);
  if (ours.vendor.empty() || ours.vendor != theirs.vendor)
    return {};
  if (!ours.architecture.empty() && ours.architecture == theirs.architecture)
    return {&outcome, LookupTier::Architecture,
            "measured on " + outcome.deviceName + ", another device of the architecture " +
                ours.vendor + " " + ours.architecture};
  return {&outcome, LookupTier::Vendor,
          "measured on " + outcome.deviceName + ", another device of " + ours.vendor};
}

} // namespace

DeviceFamily recognizeDevice(const DeviceParts &device) {
  Recognition known = recognize({.vendorId = device.vendorId,
                                 .deviceId = device.deviceId,
                                 .driverId = device.driverId,
                                 .driverVersion = device.driverVersion,
                                 .name = device.deviceName});
  DeviceFamily family{std::string(known.vendor), ""};
  if (const DeviceProfile *profile = known.architecture ? known.architecture : known.profile)
    family.architecture = profile->architecture;
  return family;
}

std::string_view nameOf(LookupTier tier) { return kTiers[static_cast<size_t>(tier)]; }

LookupAnswer lookUp(std::span<const StoredWinner> outcomes, const WinnerKey &key,
                    const std::string &tool, const Recognizer &recognize) {
  Match best;
  for (const StoredWinner &outcome : outcomes) {
    if (outcome.key.moduleHash != key.moduleHash || outcome.key.variantHash != key.variantHash ||
        outcome.key.sizeHash != key.sizeHash)
      continue;
    Match match = matchOf(outcome, key, recognize);
    if (!match.outcome)
      continue;
    if (!best.outcome || match.tier < best.tier ||
        (match.tier == best.tier && match.outcome->date > best.outcome->date))
      best = std::move(match);
  }
  LookupAnswer answer;
  answer.tier = best.tier;
  if (!best.outcome) {
    answer.why = "not measured on this device, its architecture or its vendor's devices: only the "
                 "model can tell";
    return answer;
  }
  answer.why = std::move(best.why);
  answer.outcome = *best.outcome;
  if (best.outcome->tool != tool) {
    answer.toolChanged = true;
    answer.why += "; " + toolChange(best.outcome->tool, tool);
  }
  return answer;
}

Result<LookupAnswer> lookUp(Database &database, const WinnerKey &key, const std::string &tool,
                            const Recognizer &recognize) {
  Result<std::vector<StoredWinner>> outcomes = database.findOnAnyDevice(key);
  if (!outcomes)
    return outcomes.takeFailure();
  return lookUp(*outcomes, key, tool, recognize);
}

std::pair<double, double> sizeDistance(const Dim3 &groups, const Dim3 &measured) {
  // Powers of two that are as far up as down give the same distance, to the bit.
  auto apart = [](double a, double b) { return std::fabs(std::log2(a) - std::log2(b)); };
  double axes = 0;
  for (unsigned axis = 0; axis != 3; ++axis)
    axes += apart(groups[axis], measured[axis]);
  return {apart(static_cast<double>(groups.product()), static_cast<double>(measured.product())),
          axes};
}

void keepNearestSizes(std::vector<StoredWinner> &outcomes, const Dim3 &groups) {
  using Key = std::tuple<std::string, std::string, std::string>;
  std::map<Key, size_t> nearest;
  auto isNearer = [&](const StoredWinner &one, const StoredWinner &other) {
    const auto here = sizeDistance(groups, one.groups), there = sizeDistance(groups, other.groups);
    if (here != there)
      return here < there;
    const uint64_t size = one.groups.product(), otherSize = other.groups.product();
    return size != otherSize ? size > otherSize : one.date > other.date;
  };
  for (size_t i = 0; i < outcomes.size(); ++i) {
    const WinnerKey &key = outcomes[i].key;
    auto [found, isNew] = nearest.try_emplace({key.moduleHash, key.variantHash, key.deviceKey}, i);
    if (!isNew && isNearer(outcomes[i], outcomes[found->second]))
      found->second = i;
  }
  std::vector<size_t> keep;
  keep.reserve(nearest.size());
  for (const auto &[key, index] : nearest)
    keep.push_back(index);
  std::sort(keep.begin(), keep.end());
  for (size_t to = 0; to < keep.size(); ++to)
    if (keep[to] != to)
      outcomes[to] = std::move(outcomes[keep[to]]);
  outcomes.erase(outcomes.begin() + static_cast<std::ptrdiff_t>(keep.size()), outcomes.end());
}

CurrentDrivers::CurrentDrivers(std::span<const std::string> here,
                               std::span<const StoredWinner> outcomes) {
  for (const std::string &key : here)
    if (std::optional<DeviceParts> parts = parseDeviceKey(key))
      devicesHere.push_back({key, "", std::move(*parts)});
  for (const StoredWinner &outcome : outcomes) {
    std::optional<DeviceParts> parts = parseDeviceKey(outcome.key.deviceKey);
    if (!parts)
      continue;
    // Two drivers of one device may both be in use: each has its own latest version.
    auto same = [&](const Known &known) {
      return known.parts.sameDevice(*parts) && known.parts.driverId == parts->driverId;
    };
    auto known = std::find_if(devicesSeen.begin(), devicesSeen.end(), same);
    if (known == devicesSeen.end())
      devicesSeen.push_back({outcome.key.deviceKey, outcome.date, std::move(*parts)});
    else if (outcome.date > known->date)
      *known = {outcome.key.deviceKey, outcome.date, std::move(*parts)};
  }
}

Standing CurrentDrivers::judge(const std::string &deviceKey, const std::string &madeBy,
                               const std::string &tool) const {
  Standing standing;
  if (std::optional<DeviceParts> parts = parseDeviceKey(deviceKey)) {
    const Known *now = nullptr;
    for (const Known &device : devicesHere) {
      if (!device.parts.sameDevice(*parts))
        continue;
      // Of several drivers the same one tells what has changed.
      if (device.key == deviceKey || !now || device.parts.driverId == parts->driverId)
        now = &device;
      if (device.key == deviceKey)
        break;
    }
    for (const Known &device : devicesSeen)
      if (!now && device.parts.sameDevice(*parts) && device.parts.driverId == parts->driverId)
        now = &device;
    if (now && now->key != deviceKey) {
      standing.driverChanged = true;
      standing.why = driverChange(*parts, now->parts);
    }
  }
  if (madeBy != tool) {
    standing.toolChanged = true;
    standing.why += (standing.why.empty() ? "" : "; ") + toolChange(madeBy, tool);
  }
  return standing;
}

Standing CurrentDrivers::standingOf(const StoredWinner &outcome, const std::string &tool) const {
  return judge(outcome.key.deviceKey, outcome.tool, tool);
}

Standing CurrentDrivers::standingOf(const KnownBad &bad, const std::string &tool) const {
  return judge(bad.deviceKey, bad.tool, tool);
}

} // namespace tailor
