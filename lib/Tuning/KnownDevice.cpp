//===- Tuning/KnownDevice.cpp ------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/KnownDevice.h"

#include <algorithm>

namespace tailor {

namespace {

ReportedLimits limitsOf(const vulkan::DeviceLimits &limits) {
  return {.subgroupSize = limits.subgroupSize,
          .subgroupMin = limits.minSubgroupSize,
          .subgroupMax = limits.maxSubgroupSize,
          .maxInvocations = limits.maxInvocations,
          .maxSize = limits.maxLocalSize.array(),
          .maxSharedBytes = limits.maxSharedBytes,
          .maxGroups = std::min({limits.maxGroups.x, limits.maxGroups.y, limits.maxGroups.z})};
}

DeviceIdentity identityOf(const vulkan::DeviceInfo &device) {
  return {.vendorId = device.vendorId,
          .deviceId = device.deviceId,
          .driverId = device.driverId,
          .driverVersion = device.driverVersion,
          .apiVersion = device.apiVersion,
          .name = device.deviceName};
}

} // namespace

Recognition recognize(const vulkan::DeviceInfo &device) {
  return recognize(identityOf(device), limitsOf(device.limits));
}

std::vector<const Quirk *> quirksOf(const vulkan::DeviceInfo &device) {
  return quirksOf(identityOf(device));
}

DeviceProfile profileOf(const vulkan::DeviceInfo &device) {
  return profileFromLimits(recognize(device), limitsOf(device.limits));
}

} // namespace tailor
