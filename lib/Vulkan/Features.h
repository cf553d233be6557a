//===- Vulkan/Features.h - Which features there are (internal) ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to lib/Vulkan: the feature structures of one physical device as one
// chain, read into DeviceFeatures and copied back for enabling; and the readers
// of its other facts.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_VULKAN_FEATURES_H
#define TAILOR_VULKAN_FEATURES_H

#include "Vulkan/Device.h"

#include <vulkan/vulkan.h>

#include <optional>
#include <set>
#include <string>

namespace tailor::vulkan {

/// Structures whose version or extension the device lacks stay out of the chain
/// and all false. Never copied: the links point into the object.
struct FeatureChain {
  FeatureChain(uint32_t apiVersion, const std::set<std::string> &extensions);
  FeatureChain(const FeatureChain &) = delete;
  FeatureChain &operator=(const FeatureChain &) = delete;

  VkPhysicalDeviceFeatures2 core{};
  VkPhysicalDevice16BitStorageFeatures storage16{};       // 1.1 only; later it is part of v11
  VkPhysicalDeviceVariablePointersFeatures varPointers{}; // 1.1 only
  VkPhysicalDeviceVulkan11Features v11{};
  VkPhysicalDeviceVulkan12Features v12{};
  VkPhysicalDeviceVulkan13Features v13{};
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomicFloat{};
  VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR explicitLayout{};
  VkPhysicalDeviceShaderClockFeaturesKHR clock{};
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables{};
};

/// Extensions whose features or SPIR-V we enable where they exist.
std::vector<const char *> wantedExtensions(uint32_t apiVersion,
                                           const std::set<std::string> &available);

/// Queries the device.
DeviceFeatures readFeatures(VkPhysicalDevice device, uint32_t apiVersion,
                            const std::set<std::string> &extensions);

/// Sets in `chain` exactly what `features` holds.
void enableFeatures(const DeviceFeatures &features, uint32_t apiVersion, FeatureChain &chain);

/// Fills everything but `name` and `index`.
void readDeviceInfo(VkPhysicalDevice device, uint32_t instanceVersion, DeviceInfo &info);
/// It has Vulkan 1.1 and a compute queue.
bool canCompute(VkPhysicalDevice device, uint32_t instanceVersion);
std::set<std::string> deviceExtensions(VkPhysicalDevice device);
/// The compute family with the most timestamp bits, the first of equals; its
/// bits go to `validBits` unless that is null.
std::optional<uint32_t> computeQueueFamily(VkPhysicalDevice device, uint32_t *validBits);

} // namespace tailor::vulkan

#endif
