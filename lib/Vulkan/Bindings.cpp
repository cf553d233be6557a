//===- Vulkan/Bindings.cpp - Live resources and descriptor sets ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Vulkan/Bindings.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace tailor::vulkan {

namespace {

/// What the guard bands hold: another pattern than the poison, and no NaN either.
std::byte guardByte(uint64_t offset) {
  return static_cast<std::byte>(std::to_integer<unsigned>(poisonByte(offset * 3 + 1)) | 0x80U);
}

VkDescriptorType descriptorTypeOf(ResourceKind kind) {
  switch (kind) {
  case ResourceKind::StorageBuffer:
    return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  case ResourceKind::UniformBuffer:
    return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  case ResourceKind::StorageImage:
    return VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
  case ResourceKind::SampledImage:
    return VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
  case ResourceKind::Sampler:
    return VK_DESCRIPTOR_TYPE_SAMPLER;
  case ResourceKind::CombinedImageSampler:
    return VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  }
  return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

/// The bytes of the pristine copy at `offset`, counted from the front guard.
void fillPristine(const ResourceDesc &desc, uint64_t front, uint64_t offset,
                  std::span<std::byte> to) {
  uint64_t dataEnd = front + desc.dataBytes();
  for (size_t i = 0; i != to.size();) {
    uint64_t at = offset + i;
    if (at < front || at >= dataEnd) {
      to[i++] = guardByte(at);
      continue;
    }
    auto run = static_cast<size_t>(std::min<uint64_t>(to.size() - i, dataEnd - at));
    uint64_t from = at - front;
    if (desc.fill == InitialFill::Bytes)
      std::memcpy(&to[i], desc.initial.data() + from, run);
    else if (desc.fill == InitialFill::Zero)
      std::memset(&to[i], 0, run);
    else
      for (size_t k = 0; k != run; ++k)
        to[i + k] = poisonByte(from + k);
    i += run;
  }
}

bool guarded(ResourceKind kind) { return kind == ResourceKind::StorageBuffer; }

/// Compares one band with its pattern; `start` is its place in the pristine layout.
void checkBand(std::span<const std::byte> band, uint64_t start, size_t index,
               const ResourceDesc &desc, std::vector<CanaryViolation> &found) {
  CanaryViolation violation;
  violation.resource = index;
  for (size_t i = 0; i != band.size(); ++i) {
    if (band[i] == guardByte(start + i))
      continue;
    if (violation.count++ == 0)
      violation.offset =
          static_cast<int64_t>(start + i) - static_cast<int64_t>(Bindings::kFrontGuard);
  }
  if (violation.count == 0)
    return;
  bool front = violation.offset < 0;
  int64_t distance =
      front ? -violation.offset : violation.offset - static_cast<int64_t>(desc.bytes);
  violation.text = desc.str() + " was written " + std::to_string(distance) +
                   (front ? " bytes before its start (" : " bytes past its end (") +
                   std::to_string(violation.count) + " bytes changed)";
  found.push_back(std::move(violation));
}

} // namespace

Status Bindings::uploadPristine(const ResourceDesc &desc, LiveResource &made, uint64_t front,
                                uint64_t back) {
  auto pristine = makeBuffer(*device, front + desc.dataBytes() + back,
                             VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                             MemoryUse::DeviceLocal, "the pristine copy of " + desc.str());
  if (!pristine)
    return pristine.takeFailure();
  made.pristine = *std::move(pristine);
  return transfer.upload(
      made.pristine.buffer.get(), 0, made.pristine.bytes,
      [&](uint64_t offset, std::span<std::byte> to) { fillPristine(desc, front, offset, to); });
}

Status Bindings::makeBufferResource(const ResourceDesc &desc, LiveResource &made) {
  bool storage = desc.kind == ResourceKind::StorageBuffer;
  const DeviceLimits &limits = device->info.limits;
  uint64_t limit = storage ? limits.maxStorageBufferBytes : limits.maxUniformBufferBytes;
  if (desc.bytes > limit)
    return failure({},
                   desc.str() + " has " + std::to_string(desc.bytes) + " bytes, device '" +
                       device->info.name + "' allows " + std::to_string(limit),
                   ErrorKind::Environment);
  auto live = makeBuffer(
      *device, kFrontGuard + desc.bytes + kBackGuard,
      (storage ? VK_BUFFER_USAGE_STORAGE_BUFFER_BIT : VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT) |
          VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
      MemoryUse::DeviceLocal, desc.str());
  if (!live)
    return live.takeFailure();
  made.live = *std::move(live);
  return uploadPristine(desc, made, kFrontGuard, kBackGuard);
}

Status Bindings::makeResource(const ResourceDesc &desc) {
  LiveResource &made = resources.emplace_back();
  if (isBuffer(desc.kind))
    return makeBufferResource(desc, made);
  auto image = makeImage(*device, desc);
  if (!image)
    return image.takeFailure();
  made.image = *std::move(image);
  if (!isImage(desc.kind))
    return success();
  if (desc.output) {
    auto readback = makeBuffer(*device, desc.dataBytes(),
                               VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                               MemoryUse::DeviceLocal, "the readback of " + desc.str());
    if (!readback)
      return readback.takeFailure();
    made.readback = *std::move(readback);
  }
  return uploadPristine(desc, made, 0, 0);
}

Result<Bindings> Bindings::create(Device::Impl &device, const KernelInstance &instance,
                                  VkCommandPool pool) {
  Bindings made;
  made.device = &device;
  made.instance = &instance;
  uint64_t mostBytes = 0;
  for (const ResourceDesc &desc : instance.resources)
    mostBytes = std::max(mostBytes, kFrontGuard + desc.dataBytes() + kBackGuard);
  auto transfer = Transfer::create(device, pool, mostBytes);
  if (!transfer)
    return transfer.takeFailure();
  made.transfer = *std::move(transfer);
  uint64_t guardBytes = 0;
  for (const ResourceDesc &desc : instance.resources) {
    if (Status done = made.makeResource(desc); !done)
      return done.takeFailure();
    if (guarded(desc.kind))
      guardBytes += kFrontGuard + kBackGuard;
  }
  if (guardBytes != 0) {
    auto guards = makeBuffer(device, guardBytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                             MemoryUse::Readback, "guard bands");
    if (!guards)
      return guards.takeFailure();
    made.guards = *std::move(guards);
  }
  if (Status done = made.makeSetLayouts(); !done)
    return done.takeFailure();
  if (Status done = made.makeSets(); !done)
    return done.takeFailure();
  return made;
}

Status Bindings::makeSetLayouts() {
  uint32_t count = 0;
  for (const ResourceDesc &desc : instance->resources)
    count = std::max(count, desc.set + 1);
  if (count > device->info.limits.maxBoundSets)
    return failure({},
                   "the workload binds set " + std::to_string(count - 1) + ", device '" +
                       device->info.name + "' has " +
                       std::to_string(device->info.limits.maxBoundSets) + " sets",
                   ErrorKind::Environment);
  for (uint32_t set = 0; set != count; ++set) {
    std::map<uint32_t, VkDescriptorSetLayoutBinding> bindings;
    for (const ResourceDesc &desc : instance->resources) {
      if (desc.set != set)
        continue;
      VkDescriptorSetLayoutBinding &binding = bindings[desc.binding];
      binding.binding = desc.binding;
      binding.descriptorType = descriptorTypeOf(desc.kind);
      ++binding.descriptorCount;
      binding.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
    }
    std::vector<VkDescriptorSetLayoutBinding> list;
    list.reserve(bindings.size());
    for (auto &[number, binding] : bindings)
      list.push_back(binding);
    VkDescriptorSetLayoutCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
    info.bindingCount = static_cast<uint32_t>(list.size());
    info.pBindings = list.data();
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    VkResult result = vkCreateDescriptorSetLayout(device->device, &info, nullptr, &layout);
    if (result != VK_SUCCESS)
      return device->failed("making the layout of set " + std::to_string(set), result);
    layouts.emplace_back(*device, layout);
    rawLayouts.push_back(layout);
  }
  return success();
}

Status Bindings::makeSets() {
  if (rawLayouts.empty())
    return success();
  std::map<VkDescriptorType, uint32_t> counts;
  for (const ResourceDesc &desc : instance->resources)
    counts[descriptorTypeOf(desc.kind)] += 2;
  std::vector<VkDescriptorPoolSize> sizes;
  sizes.reserve(counts.size());
  for (auto [type, count] : counts)
    sizes.push_back({type, count});
  VkDescriptorPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  info.maxSets = static_cast<uint32_t>(2 * rawLayouts.size());
  info.poolSizeCount = static_cast<uint32_t>(sizes.size());
  info.pPoolSizes = sizes.data();
  VkDescriptorPool raw = VK_NULL_HANDLE;
  VkResult result = vkCreateDescriptorPool(device->device, &info, nullptr, &raw);
  if (result != VK_SUCCESS)
    return device->failed("making a descriptor pool", result);
  pool = OwnedDescriptorPool(*device, raw);
  for (Ranges ranges : {Ranges::Exact, Ranges::Wide}) {
    auto &family = sets[static_cast<size_t>(ranges)];
    family.resize(rawLayouts.size());
    VkDescriptorSetAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    allocate.descriptorPool = raw;
    allocate.descriptorSetCount = static_cast<uint32_t>(rawLayouts.size());
    allocate.pSetLayouts = rawLayouts.data();
    result = vkAllocateDescriptorSets(device->device, &allocate, family.data());
    if (result != VK_SUCCESS)
      return device->failed("making descriptor sets", result);
    writeSets(ranges);
  }
  return success();
}

void Bindings::writeSets(Ranges ranges) const {
  for (size_t i = 0; i != resources.size(); ++i) {
    const ResourceDesc &desc = instance->resources[i];
    const LiveResource &resource = resources[i];
    VkDescriptorBufferInfo buffer{};
    VkDescriptorImageInfo image{};
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = sets[static_cast<size_t>(ranges)][desc.set];
    write.dstBinding = desc.binding;
    write.dstArrayElement = desc.element;
    write.descriptorCount = 1;
    write.descriptorType = descriptorTypeOf(desc.kind);
    if (isBuffer(desc.kind)) {
      bool wide = ranges == Ranges::Wide && guarded(desc.kind) &&
                  desc.bytes + kBackGuard <= device->info.limits.maxStorageBufferBytes;
      buffer = {resource.live.buffer.get(), kFrontGuard, desc.bytes + (wide ? kBackGuard : 0)};
      write.pBufferInfo = &buffer;
    } else {
      image = {resource.image.sampler.get(), resource.image.view.get(), resource.image.layout};
      write.pImageInfo = &image;
    }
    vkUpdateDescriptorSets(device->device, 1, &write, 0, nullptr);
  }
}

void Bindings::bind(VkCommandBuffer commands, VkPipelineLayout layout, Ranges ranges) const {
  const auto &family = sets[static_cast<size_t>(ranges)];
  if (!family.empty())
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0,
                            static_cast<uint32_t>(family.size()), family.data(), 0, nullptr);
}

namespace {

void transition(VkCommandBuffer commands, const LiveImage &image, VkImageLayout from,
                VkImageLayout to) {
  VkImageMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                          VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.oldLayout = from;
  barrier.newLayout = to;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image.image.get();
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, image.layers};
  VkPipelineStageFlags work = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  vkCmdPipelineBarrier(commands, work, work, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

VkBufferImageCopy wholeImage(const LiveImage &image) {
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, image.layers};
  region.imageExtent = image.extent;
  return region;
}

} // namespace

void Bindings::restoreImage(VkCommandBuffer commands, const LiveResource &resource) const {
  // The old contents go: the copy overwrites every texel.
  transition(commands, resource.image, VK_IMAGE_LAYOUT_UNDEFINED,
             VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  VkBufferImageCopy region = wholeImage(resource.image);
  vkCmdCopyBufferToImage(commands, resource.pristine.buffer.get(), resource.image.image.get(),
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
  transition(commands, resource.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, resource.image.layout);
}

void Bindings::restore(VkCommandBuffer commands) const {
  fullBarrier(commands);
  for (const LiveResource &resource : resources) {
    if (resource.live.bytes != 0) {
      VkBufferCopy region{0, 0, resource.live.bytes};
      vkCmdCopyBuffer(commands, resource.pristine.buffer.get(), resource.live.buffer.get(), 1,
                      &region);
    } else if (resource.pristine.bytes != 0) {
      restoreImage(commands, resource);
    }
  }
  fullBarrier(commands);
}

void Bindings::collect(VkCommandBuffer commands) const {
  fullBarrier(commands);
  uint64_t at = 0;
  for (size_t i = 0; i != resources.size(); ++i) {
    const ResourceDesc &desc = instance->resources[i];
    const LiveResource &resource = resources[i];
    if (guarded(desc.kind)) {
      VkBufferCopy bands[2] = {{0, at, kFrontGuard},
                               {kFrontGuard + desc.bytes, at + kFrontGuard, kBackGuard}};
      vkCmdCopyBuffer(commands, resource.live.buffer.get(), guards.buffer.get(), 2, bands);
      at += kFrontGuard + kBackGuard;
    }
    if (desc.output && isImage(desc.kind)) {
      VkBufferImageCopy region = wholeImage(resource.image);
      transition(commands, resource.image, resource.image.layout,
                 VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
      vkCmdCopyImageToBuffer(commands, resource.image.image.get(),
                             VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, resource.readback.buffer.get(),
                             1, &region);
      transition(commands, resource.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                 resource.image.layout);
    }
  }
  fullBarrier(commands, true);
}

Result<std::vector<OutputData>> Bindings::readOutputs() {
  std::vector<OutputData> outputs;
  for (size_t i = 0; i != resources.size(); ++i) {
    const ResourceDesc &desc = instance->resources[i];
    if (!desc.output)
      continue;
    OutputData &output = outputs.emplace_back();
    output.resource = i;
    output.bytes.resize(static_cast<size_t>(desc.dataBytes()));
    bool buffer = isBuffer(desc.kind);
    Status done = transfer.download(buffer ? resources[i].live.buffer.get()
                                           : resources[i].readback.buffer.get(),
                                    buffer ? kFrontGuard : 0, output.bytes);
    if (!done)
      return done.takeFailure();
  }
  return outputs;
}

std::vector<CanaryViolation> Bindings::readGuards() const {
  std::vector<CanaryViolation> found;
  uint64_t at = 0;
  for (size_t i = 0; i != resources.size(); ++i) {
    const ResourceDesc &desc = instance->resources[i];
    if (!guarded(desc.kind))
      continue;
    const std::byte *bands = guards.mapped + at;
    checkBand({bands, kFrontGuard}, 0, i, desc, found);
    checkBand({bands + kFrontGuard, kBackGuard}, kFrontGuard + desc.bytes, i, desc, found);
    at += kFrontGuard + kBackGuard;
  }
  return found;
}

} // namespace tailor::vulkan
