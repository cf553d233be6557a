//===- Devices/Occupancy.h - How many workgroups a unit holds at once -----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_DEVICES_OCCUPANCY_H
#define TAILOR_DEVICES_OCCUPANCY_H

#include "Devices/Profile.h"

namespace tailor {

/// What runs out first on a unit.
enum class OccupancyLimit : uint8_t { Invocations, Groups, SharedMemory, Registers };
std::string_view nameOf(OccupancyLimit limit); ///< invocations, groups, shared_memory, registers

struct Occupancy {
  uint32_t groups = 0;      ///< resident on a unit; 0: not even one fits
  uint32_t invocations = 0; ///< of these groups; lanes that a partial subgroup leaves out excluded
  double share = 0;         ///< invocations over those that the unit could hold, from 0 to 1
  OccupancyLimit limit = OccupancyLimit::Invocations;
  /// Registers that each invocation can have with so many groups; nullopt: not known.
  std::optional<uint32_t> registersLeft;
};

/// By invocations, groups and workgroup memory, and by registers where `registersPerInvocation` is
/// given. A subgroup that is not full takes the room of a full one. nullopt where the profile does
/// not tell how many invocations a unit holds, or how wide its subgroups are.
std::optional<Occupancy> occupancyOf(const DeviceProfile &profile, const Dim3 &localSize,
                                     uint64_t sharedBytes,
                                     std::optional<uint32_t> registersPerInvocation = {});

/// Lanes of a group's subgroups that no invocation fills, over all of them: 0 for 64 invocations
/// on subgroups of 32, 0.75 for 8.
double idleLaneShare(uint64_t invocations, uint32_t subgroupWidth);

} // namespace tailor

#endif
