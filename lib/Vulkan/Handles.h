//===- Vulkan/Handles.h - Owned handles and results (internal) ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to lib/Vulkan: the state behind Instance and Device, handles that
// destroy themselves, and the words for a VkResult.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_VULKAN_HANDLES_H
#define TAILOR_VULKAN_HANDLES_H

#include "Vulkan/Device.h"
#include "Vulkan/PipelineFigures.h"

#include <vulkan/vulkan.h>

#include <mutex>
#include <utility>

namespace tailor::vulkan {

/// "VK_ERROR_OUT_OF_DEVICE_MEMORY (the device has no memory left)".
std::string describe(VkResult result);

/// A failure of ErrorKind::Environment: "WHAT failed: DESCRIPTION".
Failure vkFailure(const std::string &what, VkResult result);

struct Instance::Impl {
  VkInstance instance = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
  bool validating = false;
  uint32_t apiVersion = 0;
  std::vector<VkPhysicalDevice> physical; ///< in the loader's order: DeviceInfo::index counts here
  std::vector<DeviceInfo> devices;
  mutable std::mutex mutex;
  std::vector<std::string> messages; ///< under the mutex

  ~Impl();
};

struct Device::Impl {
  std::shared_ptr<Instance> owner;
  DeviceInfo info;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  uint32_t queueFamily = 0;
  VkPhysicalDeviceMemoryProperties memory{};
  ExecutableCalls executables;
  bool lost = false;
  /// A submission never came back: nothing that it may use can be destroyed, so
  /// every handle of this device is left to the end of the process.
  bool hung = false;

  ~Impl();
  /// Notes a lost device, then words the failure.
  Failure failed(const std::string &what, VkResult result);
};

/// A handle that a device owns, destroyed with Destroy unless the device hangs.
template <typename T, auto Destroy> class Owned {
public:
  Owned() = default;
  Owned(Device::Impl &owner, T owned) : device(&owner), handle(owned) {}
  Owned(Owned &&other) noexcept
      : device(other.device), handle(std::exchange(other.handle, T(VK_NULL_HANDLE))) {}
  Owned &operator=(Owned &&other) noexcept {
    std::swap(device, other.device);
    std::swap(handle, other.handle);
    return *this;
  }
  ~Owned() {
    if (handle != T(VK_NULL_HANDLE) && !device->hung)
      Destroy(device->device, handle, nullptr);
  }
  T get() const { return handle; }

private:
  Device::Impl *device = nullptr;
  T handle = VK_NULL_HANDLE;
};

using OwnedBuffer = Owned<VkBuffer, vkDestroyBuffer>;
using OwnedMemory = Owned<VkDeviceMemory, vkFreeMemory>;
using OwnedImage = Owned<VkImage, vkDestroyImage>;
using OwnedView = Owned<VkImageView, vkDestroyImageView>;
using OwnedSampler = Owned<VkSampler, vkDestroySampler>;
using OwnedSetLayout = Owned<VkDescriptorSetLayout, vkDestroyDescriptorSetLayout>;
using OwnedDescriptorPool = Owned<VkDescriptorPool, vkDestroyDescriptorPool>;
using OwnedPipelineLayout = Owned<VkPipelineLayout, vkDestroyPipelineLayout>;
using OwnedPipeline = Owned<VkPipeline, vkDestroyPipeline>;
using OwnedShader = Owned<VkShaderModule, vkDestroyShaderModule>;
using OwnedCommandPool = Owned<VkCommandPool, vkDestroyCommandPool>;
using OwnedFence = Owned<VkFence, vkDestroyFence>;
using OwnedQueryPool = Owned<VkQueryPool, vkDestroyQueryPool>;

} // namespace tailor::vulkan

#endif
