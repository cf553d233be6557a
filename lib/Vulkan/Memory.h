//===- Vulkan/Memory.h - Buffers, memory and transfers (internal) -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to lib/Vulkan. One allocation a resource: a kernel has a handful.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_VULKAN_MEMORY_H
#define TAILOR_VULKAN_MEMORY_H

#include "Vulkan/Handles.h"

#include <functional>
#include <span>

namespace tailor::vulkan {

enum class MemoryUse : uint8_t { DeviceLocal, Upload, Readback };

struct Buffer {
  OwnedMemory memory; ///< before the buffer, so that it goes after it
  OwnedBuffer buffer;
  uint64_t bytes = 0;
  std::byte *mapped = nullptr; ///< Upload and Readback: mapped for its life, coherent
};

/// `what` names the buffer in a failure ("allocating 'out' (set 0 binding 1)").
Result<Buffer> makeBuffer(Device::Impl &device, uint64_t bytes, VkBufferUsageFlags usage,
                          MemoryUse use, const std::string &what);

/// Memory for a requirement; device-local where there is such a type.
Result<OwnedMemory> allocate(Device::Impl &device, const VkMemoryRequirements &needs, MemoryUse use,
                             const std::string &what);

/// Ends, submits and waits. A submission that does not come back within
/// `timeoutSeconds` marks the device as hung.
class Submitter {
public:
  static Result<Submitter> create(Device::Impl &device, VkCommandPool pool);
  /// Begins recording; the previous submission must have been waited for.
  Result<VkCommandBuffer> begin(bool reusable = false);
  Status end();
  Status submit(const std::string &what);
  Status wait(double timeoutSeconds, const std::string &what);
  Status endAndRun(double timeoutSeconds, const std::string &what);
  bool pending() const { return inFlight; }
  VkCommandBuffer commands() const { return buffer; }

private:
  Device::Impl *device = nullptr;
  VkCommandBuffer buffer = VK_NULL_HANDLE; ///< freed with its pool
  OwnedFence fence;
  bool inFlight = false;
};

Result<OwnedCommandPool> makeCommandPool(Device::Impl &device);

/// Moves bytes between the host and device-local buffers, a chunk at a time.
class Transfer {
public:
  /// `mostBytes`: the largest transfer that it will be asked for, if that is known to be small.
  static Result<Transfer> create(Device::Impl &device, VkCommandPool pool,
                                 uint64_t mostBytes = UINT64_MAX);
  /// `fill` writes the bytes at an offset into the span.
  Status upload(VkBuffer to, uint64_t offset, uint64_t bytes,
                const std::function<void(uint64_t offset, std::span<std::byte>)> &fill);
  Status download(VkBuffer from, uint64_t offset, std::span<std::byte> to);

private:
  Device::Impl *device = nullptr;
  Submitter submitter;
  Buffer up, down; ///< of one chunk each
};

/// Seconds that an ordinary transfer may take before the device counts as hung.
inline constexpr double kTransferTimeout = 60;

/// Everything before is done and visible to everything after, for compute and transfer.
void fullBarrier(VkCommandBuffer commands, bool toHost = false);

} // namespace tailor::vulkan

#endif
