//===- tools/spirv-tailor/AnalyzeProfileJson.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AnalyzeJsonParts.h"
#include "AnalyzeReport.h"
#include "Devices/Fit.h"
#include "Devices/Occupancy.h"

namespace tailor {

using llvm::json::OStream;

static void writeOccupancy(OStream &json, llvm::StringRef name,
                           const std::optional<Occupancy> &occupancy) {
  if (!occupancy) {
    json.attribute(name, nullptr);
    return;
  }
  json.attributeObject(name, [&] {
    json.attribute("groups", occupancy->groups);
    json.attribute("invocations", occupancy->invocations);
    json.attribute("share", occupancy->share);
    writeText(json, "limited_by", nameOf(occupancy->limit));
    writeOptional(json, "registers_left", occupancy->registersLeft);
  });
}

void writeFit(OStream &json, const DeviceProfile &profile, const Findings &findings) {
  const Dim3 &size = findings.kernel.size();
  const std::optional<uint64_t> &sharedBytes = findings.shared.totalBytes;
  std::vector<LimitBreach> breaches = breachesOf(profile, size, findings.shared.totalBytes);
  writeText(json, "profile", profile.key);
  json.attribute("fits", breaches.empty());
  json.attributeArray("breaches", [&] {
    for (const LimitBreach &breach : breaches)
      json.object([&] {
        writeText(json, "limit", breach.limit);
        json.attribute("wanted", breach.wanted);
        json.attribute("allowed", breach.allowed);
        writeText(json, "text", breach.text);
      });
  });
  std::optional<uint32_t> width = profile.subgroupWidth();
  writeOptional(json, "subgroup_width", width);
  writeOptional(json, "idle_lanes",
                width ? std::optional(idleLaneShare(size.product(), *width)) : std::nullopt);
  writeOccupancy(json, "occupancy",
                 sharedBytes ? occupancyOf(profile, size, *sharedBytes) : std::nullopt);
  const std::optional<LivePressure> &pressure = findings.work.pressure;
  bool isKnown = sharedBytes && profile.unit.registers && pressure && pressure->components != 0;
  writeOccupancy(json, "occupancy_by_live_values",
                 isKnown ? occupancyOf(profile, size, *sharedBytes, pressure->components)
                         : std::nullopt);
}

static void writeProfile(OStream &json, const DeviceProfile &profile) {
  writeText(json, "key", profile.key);
  writeText(json, "name", profile.name);
  writeText(json, "vendor", profile.vendor);
  writeText(json, "architecture", profile.architecture);
  const DeviceProfile *shared = findArchitecture(profile.architectureKey);
  if (shared)
    writeText(json, "architecture_key", shared->key);
  else
    json.attribute("architecture_key", nullptr);
  json.attribute("minimum", profile.isMinimum);
  writeOptional(json, "subgroup_min", profile.subgroupMin);
  writeOptional(json, "subgroup_max", profile.subgroupMax);
  writeOptional(json, "max_invocations", profile.maxInvocations);
  if (profile.maxSize)
    json.attributeArray("max_size", [&] {
      for (uint32_t extent : *profile.maxSize)
        json.value(extent);
    });
  else
    json.attribute("max_size", nullptr);
  writeOptional(json, "max_shared_bytes", profile.maxSharedBytes);
  writeOptional(json, "max_groups", profile.maxGroups);
  json.attributeObject("unit", [&] {
    const UnitFacts &unit = profile.unit;
    writeOptional(json, "units", unit.units);
    writeOptional(json, "invocations", unit.invocations);
    writeOptional(json, "groups", unit.groups);
    writeOptional(json, "shared_bytes", unit.sharedBytes);
    writeOptional(json, "reserved_bytes_per_group", unit.reservedBytesPerGroup);
    writeOptional(json, "registers", unit.registers);
    writeOptional(json, "registers_per_invocation", unit.registersPerInvocation);
    writeOptional(json, "fp32_lanes", unit.fp32Lanes);
  });
  writeOptional(json, "memory_gbs", profile.memoryGBs);
  writeOptional(json, "clock_mhz", profile.clockMhz);
  writeOptional(json, "l2_bytes", profile.l2Bytes);
  writeText(json, "source", profile.source);
  if (shared)
    writeText(json, "architecture_source", shared->source);
  else
    json.attribute("architecture_source", nullptr);
}

void writeProfiles(OStream &json) {
  json.object([&] {
    json.attributeArray("profiles", [&] {
      for (const DeviceProfile &profile : deviceProfiles())
        json.object([&] { writeProfile(json, profile); });
    });
  });
}

} // namespace tailor
