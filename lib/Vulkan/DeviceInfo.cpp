//===- Vulkan/DeviceInfo.cpp - What a device says about itself ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Vulkan/Features.h"
#include "Vulkan/Handles.h"

#include <algorithm>
#include <optional>

namespace tailor::vulkan {

std::set<std::string> deviceExtensions(VkPhysicalDevice device) {
  uint32_t count = 0;
  std::vector<VkExtensionProperties> list;
  if (vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr) == VK_SUCCESS) {
    list.resize(count);
    if (vkEnumerateDeviceExtensionProperties(device, nullptr, &count, list.data()) != VK_SUCCESS)
      count = 0;
    list.resize(count);
  }
  std::set<std::string> names;
  for (const VkExtensionProperties &extension : list)
    names.insert(extension.extensionName);
  return names;
}

std::optional<uint32_t> computeQueueFamily(VkPhysicalDevice device, uint32_t *validBits) {
  uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  std::optional<uint32_t> best;
  for (uint32_t i = 0; i != count; ++i) {
    if (!(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) || families[i].queueCount == 0)
      continue;
    if (!best || families[i].timestampValidBits > families[*best].timestampValidBits)
      best = i;
  }
  if (best && validBits)
    *validBits = families[*best].timestampValidBits;
  return best;
}

bool canCompute(VkPhysicalDevice device, uint32_t instanceVersion) {
  VkPhysicalDeviceProperties properties{};
  vkGetPhysicalDeviceProperties(device, &properties);
  return std::min(properties.apiVersion, instanceVersion) >= VK_API_VERSION_1_1 &&
         computeQueueFamily(device, nullptr).has_value();
}

namespace {

DeviceType typeOf(VkPhysicalDeviceType type) {
  switch (type) {
  case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
    return DeviceType::IntegratedGpu;
  case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
    return DeviceType::DiscreteGpu;
  case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
    return DeviceType::VirtualGpu;
  case VK_PHYSICAL_DEVICE_TYPE_CPU:
    return DeviceType::Cpu;
  default:
    return DeviceType::Other;
  }
}

void readLimits(const VkPhysicalDeviceLimits &from, DeviceLimits &limits) {
  auto dim = [](const uint32_t(&v)[3]) { return Dim3{v[0], v[1], v[2]}; };
  limits.maxLocalSize = dim(from.maxComputeWorkGroupSize);
  limits.maxInvocations = from.maxComputeWorkGroupInvocations;
  limits.maxGroups = dim(from.maxComputeWorkGroupCount);
  limits.maxSharedBytes = from.maxComputeSharedMemorySize;
  limits.maxPushConstantBytes = from.maxPushConstantsSize;
  limits.maxStorageBufferBytes = from.maxStorageBufferRange;
  limits.maxUniformBufferBytes = from.maxUniformBufferRange;
  limits.storageOffsetAlignment = static_cast<uint32_t>(from.minStorageBufferOffsetAlignment);
  limits.uniformOffsetAlignment = static_cast<uint32_t>(from.minUniformBufferOffsetAlignment);
  limits.maxBoundSets = from.maxBoundDescriptorSets;
  limits.maxImageExtent1D = from.maxImageDimension1D;
  limits.maxImageExtent2D = from.maxImageDimension2D;
  limits.maxImageExtent3D = from.maxImageDimension3D;
  limits.maxImageLayers = from.maxImageArrayLayers;
  limits.timestampPeriodNs = static_cast<double>(from.timestampPeriod);
}

void readMemory(VkPhysicalDevice device, DeviceLimits &limits) {
  VkPhysicalDeviceMemoryProperties memory{};
  vkGetPhysicalDeviceMemoryProperties(device, &memory);
  for (uint32_t i = 0; i != memory.memoryTypeCount; ++i) {
    uint64_t bytes = memory.memoryHeaps[memory.memoryTypes[i].heapIndex].size;
    if (memory.memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)
      limits.deviceLocalBytes = std::max(limits.deviceLocalBytes, bytes);
    if (memory.memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)
      limits.hostVisibleBytes = std::max(limits.hostVisibleBytes, bytes);
  }
}

} // namespace

void readDeviceInfo(VkPhysicalDevice device, uint32_t instanceVersion, DeviceInfo &info) {
  std::set<std::string> extensions = deviceExtensions(device);
  VkPhysicalDeviceProperties basic{};
  vkGetPhysicalDeviceProperties(device, &basic);
  // A device of a newer version is used as the instance's; the patch number of others is kept.
  bool newer = VK_API_VERSION_MINOR(basic.apiVersion) > VK_API_VERSION_MINOR(instanceVersion);
  info.apiVersion = newer ? instanceVersion : basic.apiVersion;

  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  VkPhysicalDeviceSubgroupProperties subgroup{};
  subgroup.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
  properties.pNext = &subgroup;
  VkPhysicalDeviceDriverProperties driver{};
  driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
  if (info.apiVersion >= VK_API_VERSION_1_2 ||
      extensions.contains(VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME)) {
    driver.pNext = properties.pNext;
    properties.pNext = &driver;
  }
  VkPhysicalDeviceSubgroupSizeControlProperties control{};
  control.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES;
  if (info.apiVersion >= VK_API_VERSION_1_3) {
    control.pNext = properties.pNext;
    properties.pNext = &control;
  }
  vkGetPhysicalDeviceProperties2(device, &properties);

  const VkPhysicalDeviceProperties &p = properties.properties;
  info.deviceName = p.deviceName;
  info.vendorId = p.vendorID;
  info.deviceId = p.deviceID;
  info.driverId = static_cast<uint32_t>(driver.driverID);
  info.driverVersion = p.driverVersion;
  info.driverName = driver.driverName;
  info.driverInfo = driver.driverInfo;
  info.type = typeOf(p.deviceType);
  readLimits(p.limits, info.limits);
  readMemory(device, info.limits);
  computeQueueFamily(device, &info.limits.timestampValidBits);
  info.features = readFeatures(device, info.apiVersion, extensions);
  info.limits.subgroupSize = subgroup.subgroupSize;
  bool choice = info.features.subgroupSizeControl &&
                (control.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT);
  info.limits.minSubgroupSize = choice ? control.minSubgroupSize : subgroup.subgroupSize;
  info.limits.maxWorkgroupSubgroups = choice ? control.maxComputeWorkgroupSubgroups : 0;
  info.limits.maxSubgroupSize = choice ? control.maxSubgroupSize : subgroup.subgroupSize;
}

std::string_view nameOf(DeviceType type) {
  switch (type) {
  case DeviceType::IntegratedGpu:
    return "integrated-gpu";
  case DeviceType::DiscreteGpu:
    return "discrete-gpu";
  case DeviceType::VirtualGpu:
    return "virtual-gpu";
  case DeviceType::Cpu:
    return "cpu";
  case DeviceType::Other:
    break;
  }
  return "other";
}

std::string DeviceInfo::apiVersionText() const {
  return std::to_string(VK_API_VERSION_MAJOR(apiVersion)) + "." +
         std::to_string(VK_API_VERSION_MINOR(apiVersion)) + "." +
         std::to_string(VK_API_VERSION_PATCH(apiVersion));
}

std::string DeviceInfo::key() const {
  auto number = [](uint64_t value) { return std::to_string(value); };
  return "vendor=" + number(vendorId) + ";device=" + number(deviceId) +
         ";driver=" + number(driverId) + ";driverVersion=" + number(driverVersion) +
         ";driverInfo=" + driverInfo + ";name=" + deviceName +
         ";localSize=" + limits.maxLocalSize.str() +
         ";invocations=" + number(limits.maxInvocations) + ";groups=" + limits.maxGroups.str() +
         ";shared=" + number(limits.maxSharedBytes) + ";subgroup=" + number(limits.subgroupSize) +
         "/" + number(limits.minSubgroupSize) + "/" + number(limits.maxSubgroupSize) +
         ";push=" + number(limits.maxPushConstantBytes);
}

} // namespace tailor::vulkan
