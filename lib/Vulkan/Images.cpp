//===- Vulkan/Images.cpp - Images, views and samplers -------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Vulkan/Bindings.h"

namespace tailor::vulkan {

namespace {

VkImageViewType viewTypeOf(ImageDim dim) {
  switch (dim) {
  case ImageDim::D1:
    return VK_IMAGE_VIEW_TYPE_1D;
  case ImageDim::D2:
    return VK_IMAGE_VIEW_TYPE_2D;
  case ImageDim::D3:
    return VK_IMAGE_VIEW_TYPE_3D;
  case ImageDim::D1Array:
    return VK_IMAGE_VIEW_TYPE_1D_ARRAY;
  case ImageDim::D2Array:
    return VK_IMAGE_VIEW_TYPE_2D_ARRAY;
  case ImageDim::Cube:
    return VK_IMAGE_VIEW_TYPE_CUBE;
  }
  return VK_IMAGE_VIEW_TYPE_2D;
}

VkImageType imageTypeOf(ImageDim dim) {
  if (dim == ImageDim::D1 || dim == ImageDim::D1Array)
    return VK_IMAGE_TYPE_1D;
  return dim == ImageDim::D3 ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D;
}

bool usesSampler(ResourceKind kind) {
  return kind == ResourceKind::Sampler || kind == ResourceKind::CombinedImageSampler;
}

Failure refused(const Device::Impl &device, const ResourceDesc &desc, const std::string &why) {
  return failure({}, desc.str() + " cannot be made on device '" + device.info.name + "': " + why,
                 ErrorKind::Environment);
}

/// The format can be used so on this device, at that extent.
Status checkImageSupport(const Device::Impl &device, const ResourceDesc &desc,
                         const VkImageCreateInfo &info) {
  VkFormatProperties format{};
  vkGetPhysicalDeviceFormatProperties(device.physical, info.format, &format);
  bool storage = desc.kind == ResourceKind::StorageImage;
  if (storage && !(format.optimalTilingFeatures & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT))
    return refused(device, desc, "it has no storage images of format " + desc.format);
  if (!storage && !(format.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT))
    return refused(device, desc, "it has no sampled images of format " + desc.format);
  if (desc.kind == ResourceKind::CombinedImageSampler && desc.sampler.filter == Filter::Linear &&
      !(format.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT))
    return refused(device, desc, "it does not filter images of format " + desc.format);
  VkImageFormatProperties limits{};
  VkResult result = vkGetPhysicalDeviceImageFormatProperties(
      device.physical, info.format, info.imageType, info.tiling, info.usage, info.flags, &limits);
  if (result == VK_ERROR_FORMAT_NOT_SUPPORTED)
    return refused(device, desc, "it has no such images of format " + desc.format);
  if (result != VK_SUCCESS)
    return vkFailure("asking about images of format " + desc.format, result);
  if (info.extent.width > limits.maxExtent.width || info.extent.height > limits.maxExtent.height ||
      info.extent.depth > limits.maxExtent.depth || info.arrayLayers > limits.maxArrayLayers)
    return refused(device, desc,
                   "an extent of " + desc.extent.str() + " is over its limits (" +
                       std::to_string(limits.maxExtent.width) + "x" +
                       std::to_string(limits.maxExtent.height) + "x" +
                       std::to_string(limits.maxExtent.depth) + ", " +
                       std::to_string(limits.maxArrayLayers) + " layers)");
  return success();
}

Status makeView(Device::Impl &device, const ResourceDesc &desc, VkFormat format, LiveImage &made) {
  VkImageViewCreateInfo view{};
  view.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
  view.image = made.image.get();
  view.viewType = viewTypeOf(desc.dim);
  view.format = format;
  view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, made.layers};
  VkImageView raw = VK_NULL_HANDLE;
  VkResult result = vkCreateImageView(device.device, &view, nullptr, &raw);
  if (result != VK_SUCCESS)
    return device.failed("making a view of " + desc.str(), result);
  made.view = OwnedView(device, raw);
  return success();
}

Status makeSampler(Device::Impl &device, const ResourceDesc &desc, LiveImage &made) {
  constexpr VkSamplerAddressMode kModes[] = {
      VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, VK_SAMPLER_ADDRESS_MODE_REPEAT,
      VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER};
  const SamplerDesc &from = desc.sampler;
  VkSamplerCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
  info.magFilter = info.minFilter =
      from.filter == Filter::Linear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
  info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST;
  info.addressModeU = info.addressModeV = info.addressModeW =
      kModes[static_cast<size_t>(from.address)];
  info.unnormalizedCoordinates = from.unnormalized ? VK_TRUE : VK_FALSE;
  info.borderColor = VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
  VkSampler raw = VK_NULL_HANDLE;
  VkResult result = vkCreateSampler(device.device, &info, nullptr, &raw);
  if (result != VK_SUCCESS)
    return device.failed("making the sampler of " + desc.str(), result);
  made.sampler = OwnedSampler(device, raw);
  return success();
}

} // namespace

Result<LiveImage> makeImage(Device::Impl &device, const ResourceDesc &desc) {
  LiveImage made;
  if (usesSampler(desc.kind))
    if (Status done = makeSampler(device, desc, made); !done)
      return done.takeFailure();
  if (!isImage(desc.kind))
    return made;
  bool layered = desc.dim != ImageDim::D3;
  made.extent = {desc.extent.x, desc.extent.y, layered ? 1 : desc.extent.z};
  made.layers = layered ? desc.extent.z : 1;
  bool storage = desc.kind == ResourceKind::StorageImage;
  made.layout = storage ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;

  VkImageCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  if (desc.dim == ImageDim::Cube)
    info.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
  info.imageType = imageTypeOf(desc.dim);
  info.format = static_cast<VkFormat>(findImageFormat(desc.format)->vkFormat);
  info.extent = made.extent;
  info.mipLevels = 1;
  info.arrayLayers = made.layers;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.tiling = VK_IMAGE_TILING_OPTIMAL;
  info.usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
               (storage ? VK_IMAGE_USAGE_STORAGE_BIT : VK_IMAGE_USAGE_SAMPLED_BIT);
  info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  info.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
  if (Status supported = checkImageSupport(device, desc, info); !supported)
    return supported.takeFailure();
  VkImage image = VK_NULL_HANDLE;
  VkResult result = vkCreateImage(device.device, &info, nullptr, &image);
  if (result != VK_SUCCESS)
    return device.failed("making the image of " + desc.str(), result);
  made.image = OwnedImage(device, image);
  VkMemoryRequirements needs{};
  vkGetImageMemoryRequirements(device.device, image, &needs);
  auto memory = allocate(device, needs, MemoryUse::DeviceLocal, desc.str());
  if (!memory)
    return memory.takeFailure();
  made.memory = *std::move(memory);
  result = vkBindImageMemory(device.device, image, made.memory.get(), 0);
  if (result != VK_SUCCESS)
    return device.failed("binding memory to " + desc.str(), result);
  if (Status done = makeView(device, desc, info.format, made); !done)
    return done.takeFailure();
  return made;
}

} // namespace tailor::vulkan
