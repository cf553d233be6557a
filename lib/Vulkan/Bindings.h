//===- Vulkan/Bindings.h - Live resources and descriptor sets (internal) ===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to lib/Vulkan. Each resource lives in device-local memory with a
// pristine copy beside it; one copy command brings it back, guard bands and
// poison included. A buffer's layout, live and pristine alike:
//
//   front guard (4 KiB) | the bound range, exactly the requested bytes | back guard (64 KiB)
//
// There are two families of descriptor sets over the same resources: exact
// ranges, and wide ones whose storage buffers reach into the back guard.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_VULKAN_BINDINGS_H
#define TAILOR_VULKAN_BINDINGS_H

#include "Vulkan/Memory.h"
#include "Vulkan/Resources.h"
#include "Vulkan/Runner.h"

namespace tailor::vulkan {

/// One image with its view and sampler; the view is null for a mere sampler.
struct LiveImage {
  OwnedMemory memory;
  OwnedImage image;
  OwnedView view;
  OwnedSampler sampler;
  VkImageLayout layout = VK_IMAGE_LAYOUT_GENERAL; ///< while kernels run
  VkExtent3D extent{};
  uint32_t layers = 1;
};

struct LiveResource {
  Buffer live, pristine; ///< live: buffers only
  Buffer readback;       ///< output images only: their texels, packed
  LiveImage image;
};

enum class Ranges : uint8_t { Exact, Wide };

class Bindings {
public:
  static constexpr uint64_t kFrontGuard = 4096;
  static constexpr uint64_t kBackGuard = 65536;

  /// Makes and uploads everything; `instance` outlives the object.
  static Result<Bindings> create(Device::Impl &device, const KernelInstance &instance,
                                 VkCommandPool pool);

  /// Records the copies that restore every resource. Ends with a barrier.
  void restore(VkCommandBuffer commands) const;
  void bind(VkCommandBuffer commands, VkPipelineLayout layout, Ranges ranges) const;
  /// Records what must be copied before readOutputs and readGuards can look.
  void collect(VkCommandBuffer commands) const;
  Result<std::vector<OutputData>> readOutputs();
  std::vector<CanaryViolation> readGuards() const;

  const std::vector<VkDescriptorSetLayout> &setLayouts() const { return rawLayouts; }

private:
  Status makeResource(const ResourceDesc &desc);
  Status makeBufferResource(const ResourceDesc &desc, LiveResource &made);
  Status uploadPristine(const ResourceDesc &desc, LiveResource &made, uint64_t front,
                        uint64_t back);
  Status makeSetLayouts();
  Status makeSets();
  void writeSets(Ranges ranges) const;
  void restoreImage(VkCommandBuffer commands, const LiveResource &resource) const;

  Device::Impl *device = nullptr;
  const KernelInstance *instance = nullptr;
  Transfer transfer;
  std::vector<LiveResource> resources; ///< parallel to instance->resources
  Buffer guards; ///< host copy of every storage buffer's guard bands, in order
  std::vector<OwnedSetLayout> layouts;
  std::vector<VkDescriptorSetLayout> rawLayouts;
  OwnedDescriptorPool pool;
  std::vector<VkDescriptorSet> sets[2]; ///< by Ranges
};

/// Makes the image, view and sampler of an image or sampler resource.
Result<LiveImage> makeImage(Device::Impl &device, const ResourceDesc &desc);

} // namespace tailor::vulkan

#endif
