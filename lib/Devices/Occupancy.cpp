//===- Devices/Occupancy.cpp -----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Devices/Occupancy.h"

#include <algorithm>

namespace tailor {

std::string_view nameOf(OccupancyLimit limit) {
  switch (limit) {
  case OccupancyLimit::Invocations:
    return "invocations";
  case OccupancyLimit::Groups:
    return "groups";
  case OccupancyLimit::SharedMemory:
    return "shared_memory";
  case OccupancyLimit::Registers:
    return "registers";
  }
  return "";
}

static uint64_t roundUp(uint64_t value, uint64_t step) { return (value + step - 1) / step * step; }

std::optional<Occupancy> occupancyOf(const DeviceProfile &profile, const Dim3 &localSize,
                                     uint64_t sharedBytes,
                                     std::optional<uint32_t> registersPerInvocation) {
  const UnitFacts &unit = profile.unit;
  std::optional<uint32_t> width = profile.subgroupWidth();
  const uint64_t invocations = localSize.product();
  if (!unit.invocations || !width || *width == 0 || invocations == 0)
    return std::nullopt;
  const uint64_t room = roundUp(invocations, *width); // invocations' worth of lanes
  Occupancy result;
  uint64_t groups = *unit.invocations / room;
  auto bound = [&](uint64_t allowed, OccupancyLimit limit) {
    if (allowed < groups) {
      groups = allowed;
      result.limit = limit;
    }
  };
  if (unit.groups)
    bound(*unit.groups, OccupancyLimit::Groups);
  const uint64_t taken = sharedBytes + unit.reservedBytesPerGroup.value_or(0);
  if (unit.sharedBytes && sharedBytes != 0)
    bound(*unit.sharedBytes / taken, OccupancyLimit::SharedMemory);
  if (unit.registers && registersPerInvocation && *registersPerInvocation != 0)
    bound(*unit.registers / (room * *registersPerInvocation), OccupancyLimit::Registers);
  result.groups = static_cast<uint32_t>(groups);
  result.invocations = static_cast<uint32_t>(groups * invocations);
  result.share = double(result.invocations) / double(*unit.invocations);
  if (unit.registers && groups != 0) {
    uint64_t left = *unit.registers / (groups * room);
    result.registersLeft = static_cast<uint32_t>(
        std::min<uint64_t>(left, unit.registersPerInvocation.value_or(UINT32_MAX)));
  }
  return result;
}

double idleLaneShare(uint64_t invocations, uint32_t subgroupWidth) {
  if (invocations == 0 || subgroupWidth == 0)
    return 0;
  return 1.0 - double(invocations) / double(roundUp(invocations, subgroupWidth));
}

} // namespace tailor
