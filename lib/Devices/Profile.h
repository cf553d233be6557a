//===- Devices/Profile.h - What is known of a device ----------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts of devices, and of specifications that promise them of every device, by
// name: Devices.def, and Architectures.def for what the devices of one
// architecture share. Facts alone; what to make of them is for others to say.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_DEVICES_PROFILE_H
#define TAILOR_DEVICES_PROFILE_H

#include "Support/Dim3.h"
#include "Support/Result.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tailor {

/// What one compute unit holds at a time: a streaming multiprocessor, a compute unit, a core.
struct UnitFacts {
  std::optional<uint32_t> units{};                  ///< of the device
  std::optional<uint32_t> invocations{};            ///< resident at once
  std::optional<uint32_t> groups{};                 ///< workgroups resident at once
  std::optional<uint64_t> sharedBytes{};            ///< workgroup memory of all resident groups
  std::optional<uint64_t> reservedBytesPerGroup{};  ///< of it, taken by each group besides its own
  std::optional<uint32_t> registers{};              ///< of 32 bits
  std::optional<uint32_t> registersPerInvocation{}; ///< at most
  /// Fused multiply-adds of 32 bits that start in one clock, with those that only a compiler's
  /// pairing of instructions reaches.
  std::optional<uint32_t> fp32Lanes{};
};

/// Everything but the names may be unknown.
struct DeviceProfile {
  std::string_view key;                      ///< as on the command line: `nvidia-h200`
  std::string_view name;                     ///< for people
  std::string_view vendor{}, architecture{}; ///< for people: `Hopper, compute capability 9.0`
  std::string_view architectureKey{};        ///< stable, for tables and comparisons: `hopper`
  /// The least that a specification promises: kernels within it run everywhere.
  bool isMinimum = false;
  std::optional<uint32_t> subgroupMin{}, subgroupMax{};
  std::optional<uint32_t> maxInvocations{}; ///< of a workgroup
  std::optional<std::array<uint32_t, 3>> maxSize{};
  std::optional<uint64_t> maxSharedBytes{}; ///< of a workgroup
  std::optional<uint32_t> maxGroups{};      ///< workgroups of a dispatch along one axis
  UnitFacts unit{};
  std::optional<double> memoryGBs{};  ///< peak of the device's memory, 10^9 bytes a second
  std::optional<uint32_t> clockMhz{}; ///< boost clock of the units
  std::optional<uint64_t> l2Bytes{};  ///< second-level cache, of all units
  std::string_view source; ///< where the figures are from, without those of its architecture

  /// The width to reckon with; nullopt where it is not known.
  std::optional<uint32_t> subgroupWidth() const { return subgroupMax; }
};

/// In the order of Devices.def; what an entry leaves out is its architecture's.
std::span<const DeviceProfile> deviceProfiles();
/// In the order of Architectures.def: facts that all devices of one share, in a profile with the
/// architecture's key and name.
std::span<const DeviceProfile> architectures();
/// nullptr where there is none of this key.
const DeviceProfile *findArchitecture(std::string_view key);
/// Fails with ErrorKind::Usage, with a note that names the nearest key there is.
Result<const DeviceProfile *> findProfile(std::string_view key);

} // namespace tailor

#endif
