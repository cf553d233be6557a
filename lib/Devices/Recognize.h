//===- Devices/Recognize.h - Which device this is -------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the ids and the name that a driver reports to a profile, or at least to
// an architecture or a vendor: Recognition.def has the tables. Plain numbers and
// strings; Vulkan's headers are not needed.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_DEVICES_RECOGNIZE_H
#define TAILOR_DEVICES_RECOGNIZE_H

#include "Devices/Profile.h"

namespace tailor {

/// Values of VkDriverId that something here asks for.
inline constexpr uint32_t kDriverUnknown = 0;
inline constexpr uint32_t kDriverAmdProprietary = 1;
inline constexpr uint32_t kDriverAmdOpenSource = 2;
inline constexpr uint32_t kDriverRadv = 3;
inline constexpr uint32_t kDriverNvidia = 4;
inline constexpr uint32_t kDriverIntelWindows = 5;
inline constexpr uint32_t kDriverAnv = 6;
inline constexpr uint32_t kDriverImagination = 7;
inline constexpr uint32_t kDriverQualcomm = 8;
inline constexpr uint32_t kDriverArm = 9;
inline constexpr uint32_t kDriverSwiftShader = 10;
inline constexpr uint32_t kDriverLlvmpipe = 13;
inline constexpr uint32_t kDriverMoltenVk = 14;
inline constexpr uint32_t kDriverTurnip = 18;
inline constexpr uint32_t kDriverPanVk = 20;
inline constexpr uint32_t kDriverSamsung = 21;
inline constexpr uint32_t kDriverNvk = 24;
inline constexpr uint32_t kDriverHoneykrisp = 26;

/// What a driver says of a device. 0 and empty: not known.
struct DeviceIdentity {
  uint32_t vendorId = 0, deviceId = 0;
  uint32_t driverId = 0; ///< VkDriverId
  uint32_t driverVersion = 0, apiVersion = 0;
  std::string_view name{};
};

/// Limits that a driver reports; nullopt: not asked, or not known.
struct ReportedLimits {
  std::optional<uint32_t> subgroupSize{}, subgroupMin{}, subgroupMax{};
  std::optional<uint32_t> maxInvocations{};
  std::optional<std::array<uint32_t, 3>> maxSize{};
  std::optional<uint64_t> maxSharedBytes{};
  std::optional<uint32_t> maxGroups{}; ///< the smallest of the three axes
};

/// From the surest to none.
enum class RecognizedBy : uint8_t {
  DeviceId,         ///< one product has this id
  Name,             ///< one product has this name
  ArchitectureId,   ///< the id is in a range of the architecture's
  ArchitectureName, ///< the name has a chip or a series of the architecture
  Vendor,           ///< the vendor alone
  Nothing,
};
/// device_id, name, architecture_id, architecture_name, vendor, nothing
std::string_view nameOf(RecognizedBy by);

struct Recognition {
  const DeviceProfile *profile = nullptr;      ///< nullptr: none of this device
  const DeviceProfile *architecture = nullptr; ///< nullptr: not known
  std::string_view vendor{};                   ///< empty: not known
  RecognizedBy by = RecognizedBy::Nothing;
};

/// The maker of the device, not of its driver, by driver, id and name. Empty: not known.
std::string_view vendorOf(const DeviceIdentity &identity);

/// A profile that `limits` contradict (a subgroup size outside its range) is not taken.
Recognition recognize(const DeviceIdentity &identity, const ReportedLimits &limits = {});

/// What is known of the device by all of it: the limits as reported; what they do not tell from
/// the recognized profile, else from the architecture. Of a device that nobody has heard of, the
/// limits alone, with the key `generic`.
DeviceProfile profileFromLimits(const Recognition &recognition, const ReportedLimits &limits);

} // namespace tailor

#endif
