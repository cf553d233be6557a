//===- Vulkan/Memory.cpp - Buffers, memory and transfers ----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Vulkan/Memory.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace tailor::vulkan {

namespace {

constexpr uint64_t kMaxChunkBytes = uint64_t{16} << 20;

/// The first type that has the wanted properties, else one that has the needed.
uint32_t memoryType(const Device::Impl &device, uint32_t typeBits, MemoryUse use) {
  VkMemoryPropertyFlags needed = 0, wanted = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  if (use != MemoryUse::DeviceLocal) {
    needed = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    wanted = use == MemoryUse::Readback ? needed | VK_MEMORY_PROPERTY_HOST_CACHED_BIT : needed;
  }
  for (VkMemoryPropertyFlags flags : {wanted, needed})
    for (uint32_t i = 0; i != device.memory.memoryTypeCount; ++i)
      if ((typeBits >> i & 1) && (device.memory.memoryTypes[i].propertyFlags & flags) == flags)
        return i;
  return UINT32_MAX;
}

} // namespace

Result<OwnedMemory> allocate(Device::Impl &device, const VkMemoryRequirements &needs, MemoryUse use,
                             const std::string &what) {
  VkMemoryAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  info.allocationSize = needs.size;
  info.memoryTypeIndex = memoryType(device, needs.memoryTypeBits, use);
  if (info.memoryTypeIndex == UINT32_MAX)
    return failure({}, "allocating " + what + " failed: the device has no fitting memory type",
                   ErrorKind::Environment);
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkResult result = vkAllocateMemory(device.device, &info, nullptr, &memory);
  if (result != VK_SUCCESS)
    return device.failed("allocating " + std::to_string(needs.size) + " bytes for " + what, result);
  return OwnedMemory(device, memory);
}

Result<Buffer> makeBuffer(Device::Impl &device, uint64_t bytes, VkBufferUsageFlags usage,
                          MemoryUse use, const std::string &what) {
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = bytes;
  info.usage = usage;
  info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  VkBuffer buffer = VK_NULL_HANDLE;
  VkResult result = vkCreateBuffer(device.device, &info, nullptr, &buffer);
  if (result != VK_SUCCESS)
    return device.failed("making a buffer of " + std::to_string(bytes) + " bytes for " + what,
                         result);
  Buffer made;
  made.buffer = OwnedBuffer(device, buffer);
  made.bytes = bytes;
  VkMemoryRequirements needs{};
  vkGetBufferMemoryRequirements(device.device, buffer, &needs);
  auto memory = allocate(device, needs, use, what);
  if (!memory)
    return memory.takeFailure();
  made.memory = *std::move(memory);
  result = vkBindBufferMemory(device.device, buffer, made.memory.get(), 0);
  if (result != VK_SUCCESS)
    return device.failed("binding memory to " + what, result);
  if (use != MemoryUse::DeviceLocal) {
    void *mapped = nullptr;
    result = vkMapMemory(device.device, made.memory.get(), 0, VK_WHOLE_SIZE, 0, &mapped);
    if (result != VK_SUCCESS)
      return device.failed("mapping memory of " + what, result);
    made.mapped = static_cast<std::byte *>(mapped);
  }
  return made;
}

Result<OwnedCommandPool> makeCommandPool(Device::Impl &device) {
  VkCommandPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  info.queueFamilyIndex = device.queueFamily;
  VkCommandPool pool = VK_NULL_HANDLE;
  VkResult result = vkCreateCommandPool(device.device, &info, nullptr, &pool);
  if (result != VK_SUCCESS)
    return device.failed("making a command pool", result);
  return OwnedCommandPool(device, pool);
}

Result<Submitter> Submitter::create(Device::Impl &device, VkCommandPool pool) {
  Submitter made;
  made.device = &device;
  VkCommandBufferAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  info.commandPool = pool;
  info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  info.commandBufferCount = 1;
  VkResult result = vkAllocateCommandBuffers(device.device, &info, &made.buffer);
  if (result != VK_SUCCESS)
    return device.failed("making a command buffer", result);
  VkFenceCreateInfo fenceInfo{};
  fenceInfo.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  VkFence fence = VK_NULL_HANDLE;
  result = vkCreateFence(device.device, &fenceInfo, nullptr, &fence);
  if (result != VK_SUCCESS)
    return device.failed("making a fence", result);
  made.fence = OwnedFence(device, fence);
  return made;
}

Result<VkCommandBuffer> Submitter::begin(bool reusable) {
  VkCommandBufferBeginInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  info.flags = reusable ? 0 : VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  VkResult result = vkBeginCommandBuffer(buffer, &info);
  if (result != VK_SUCCESS)
    return device->failed("recording commands", result);
  return buffer;
}

Status Submitter::end() {
  VkResult result = vkEndCommandBuffer(buffer);
  if (result != VK_SUCCESS)
    return device->failed("recording commands", result);
  return success();
}

Status Submitter::submit(const std::string &what) {
  VkFence raw = fence.get();
  VkResult result = vkResetFences(device->device, 1, &raw);
  if (result == VK_SUCCESS) {
    VkSubmitInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    info.commandBufferCount = 1;
    info.pCommandBuffers = &buffer;
    result = vkQueueSubmit(device->queue, 1, &info, raw);
  }
  if (result != VK_SUCCESS)
    return device->failed("submitting " + what, result);
  inFlight = true;
  return success();
}

Status Submitter::wait(double timeoutSeconds, const std::string &what) {
  VkFence raw = fence.get();
  auto nanoseconds = static_cast<uint64_t>(timeoutSeconds * 1e9);
  VkResult result = vkWaitForFences(device->device, 1, &raw, VK_TRUE, nanoseconds);
  if (result == VK_TIMEOUT) {
    device->hung = device->lost = true;
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%g", timeoutSeconds);
    return failure({},
                   what + " did not end within " + seconds + " s, so that device '" +
                       device->info.name + "' counts as hung",
                   ErrorKind::Environment);
  }
  inFlight = false;
  if (result != VK_SUCCESS)
    return device->failed("waiting for " + what, result);
  return success();
}

Status Submitter::endAndRun(double timeoutSeconds, const std::string &what) {
  if (Status done = end(); !done)
    return done;
  if (Status done = submit(what); !done)
    return done;
  return wait(timeoutSeconds, what);
}

void fullBarrier(VkCommandBuffer commands, bool toHost) {
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                          VK_ACCESS_UNIFORM_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT |
                          VK_ACCESS_TRANSFER_WRITE_BIT;
  VkPipelineStageFlags work = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  VkPipelineStageFlags after = work;
  if (toHost) {
    barrier.dstAccessMask |= VK_ACCESS_HOST_READ_BIT;
    after |= VK_PIPELINE_STAGE_HOST_BIT;
  }
  vkCmdPipelineBarrier(commands, work, after, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

Result<Transfer> Transfer::create(Device::Impl &device, VkCommandPool pool, uint64_t mostBytes) {
  const uint64_t chunkBytes = std::clamp<uint64_t>(mostBytes, 4, kMaxChunkBytes);
  Transfer made;
  made.device = &device;
  auto submitter = Submitter::create(device, pool);
  if (!submitter)
    return submitter.takeFailure();
  made.submitter = *std::move(submitter);
  auto up = makeBuffer(device, chunkBytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, MemoryUse::Upload,
                       "uploads");
  if (!up)
    return up.takeFailure();
  made.up = *std::move(up);
  auto down = makeBuffer(device, chunkBytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT, MemoryUse::Readback,
                         "downloads");
  if (!down)
    return down.takeFailure();
  made.down = *std::move(down);
  return made;
}

Status Transfer::upload(VkBuffer to, uint64_t offset, uint64_t bytes,
                        const std::function<void(uint64_t, std::span<std::byte>)> &fill) {
  for (uint64_t done = 0; done != bytes;) {
    uint64_t chunk = std::min(bytes - done, up.bytes);
    fill(done, {up.mapped, static_cast<size_t>(chunk)});
    auto commands = submitter.begin();
    if (!commands)
      return commands.takeFailure();
    VkBufferCopy region{0, offset + done, chunk};
    vkCmdCopyBuffer(*commands, up.buffer.get(), to, 1, &region);
    fullBarrier(*commands);
    if (Status ran = submitter.endAndRun(kTransferTimeout, "an upload"); !ran)
      return ran;
    done += chunk;
  }
  return success();
}

Status Transfer::download(VkBuffer from, uint64_t offset, std::span<std::byte> to) {
  for (uint64_t done = 0; done != to.size();) {
    uint64_t chunk = std::min(to.size() - done, down.bytes);
    auto commands = submitter.begin();
    if (!commands)
      return commands.takeFailure();
    fullBarrier(*commands);
    VkBufferCopy region{offset + done, 0, chunk};
    vkCmdCopyBuffer(*commands, from, down.buffer.get(), 1, &region);
    fullBarrier(*commands, true);
    if (Status ran = submitter.endAndRun(kTransferTimeout, "a download"); !ran)
      return ran;
    std::memcpy(to.data() + done, down.mapped, static_cast<size_t>(chunk));
    done += chunk;
  }
  return success();
}

} // namespace tailor::vulkan
