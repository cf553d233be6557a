//===- Vulkan/Device.cpp - Opening a device for compute -----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Vulkan/Features.h"
#include "Vulkan/Handles.h"

#include <optional>

namespace tailor::vulkan {

Device::Impl::~Impl() {
  // An instance cannot go before its devices: with a hung one, neither goes.
  if (hung) {
    static std::vector<std::shared_ptr<Instance>> &kept =
        *std::make_unique<std::vector<std::shared_ptr<Instance>>>().release();
    kept.push_back(std::move(owner)); // to the process's end
  }
  if (device != VK_NULL_HANDLE && !hung)
    vkDestroyDevice(device, nullptr);
}

Device::Device(std::unique_ptr<Impl> impl) : state(std::move(impl)) {}
Device::~Device() = default;
const DeviceInfo &Device::info() const { return state->info; }
bool Device::lost() const { return state->lost; }
void Device::simulateLoss() { state->lost = true; }

Result<std::shared_ptr<Device>> Device::open(std::shared_ptr<Instance> instance,
                                             const DeviceInfo &info) {
  const Instance::Impl &from = instance->impl();
  if (info.index >= from.physical.size())
    return failure({}, "device '" + info.name + "' is not one of this instance's",
                   ErrorKind::Internal);
  auto impl = std::make_unique<Impl>();
  impl->owner = std::move(instance);
  impl->info = info;
  impl->physical = from.physical[info.index];
  vkGetPhysicalDeviceMemoryProperties(impl->physical, &impl->memory);
  std::optional<uint32_t> family = computeQueueFamily(impl->physical, nullptr);
  if (!family)
    return failure({}, "device '" + info.name + "' has no compute queue", ErrorKind::Environment);
  impl->queueFamily = *family;

  const float priority = 1;
  VkDeviceQueueCreateInfo queue{};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueFamilyIndex = *family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;

  std::set<std::string> available = deviceExtensions(impl->physical);
  std::vector<const char *> extensions = wantedExtensions(info.apiVersion, available);
  FeatureChain features(info.apiVersion, available);
  enableFeatures(info.features, info.apiVersion, features);

  VkDeviceCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  create.pNext = &features.core;
  create.queueCreateInfoCount = 1;
  create.pQueueCreateInfos = &queue;
  create.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  create.ppEnabledExtensionNames = extensions.data();
  VkResult result = vkCreateDevice(impl->physical, &create, nullptr, &impl->device);
  if (result != VK_SUCCESS)
    return vkFailure("opening device '" + info.name + "'", result);
  if (info.features.pipelineExecutableInfo)
    impl->executables = ExecutableCalls::of(impl->device);
  vkGetDeviceQueue(impl->device, *family, 0, &impl->queue);
  return std::shared_ptr<Device>(new Device(std::move(impl)));
}

} // namespace tailor::vulkan
