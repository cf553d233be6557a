//===- Vulkan/ImageFormats.cpp - Texel formats under their GLSL names ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Vulkan/Resources.h"

#include <spirv/unified1/spirv.hpp11>
#include <vulkan/vulkan.h>

namespace tailor::vulkan {

namespace {

ImageFormat make(std::string_view name, VkFormat format, spv::ImageFormat spirv,
                 uint32_t texelBytes, uint32_t components, ComponentType type,
                 uint32_t componentBytes) {
  return {name,
          static_cast<uint32_t>(format),
          static_cast<uint32_t>(spirv),
          texelBytes,
          components,
          type,
          componentBytes};
}

using T = ComponentType;
using S = spv::ImageFormat;

} // namespace

const std::vector<ImageFormat> &imageFormats() {
  static const std::vector<ImageFormat> formats = {
      make("rgba32f", VK_FORMAT_R32G32B32A32_SFLOAT, S::Rgba32f, 16, 4, T::Float, 4),
      make("rgba16f", VK_FORMAT_R16G16B16A16_SFLOAT, S::Rgba16f, 8, 4, T::Float, 2),
      make("r32f", VK_FORMAT_R32_SFLOAT, S::R32f, 4, 1, T::Float, 4),
      make("rgba8", VK_FORMAT_R8G8B8A8_UNORM, S::Rgba8, 4, 4, T::Unorm, 1),
      make("rgba8_snorm", VK_FORMAT_R8G8B8A8_SNORM, S::Rgba8Snorm, 4, 4, T::Snorm, 1),
      make("rg32f", VK_FORMAT_R32G32_SFLOAT, S::Rg32f, 8, 2, T::Float, 4),
      make("rg16f", VK_FORMAT_R16G16_SFLOAT, S::Rg16f, 4, 2, T::Float, 2),
      make("r11f_g11f_b10f", VK_FORMAT_B10G11R11_UFLOAT_PACK32, S::R11fG11fB10f, 4, 3, T::Float, 0),
      make("r16f", VK_FORMAT_R16_SFLOAT, S::R16f, 2, 1, T::Float, 2),
      make("rgba16", VK_FORMAT_R16G16B16A16_UNORM, S::Rgba16, 8, 4, T::Unorm, 2),
      make("rgb10_a2", VK_FORMAT_A2B10G10R10_UNORM_PACK32, S::Rgb10A2, 4, 4, T::Unorm, 0),
      make("rg16", VK_FORMAT_R16G16_UNORM, S::Rg16, 4, 2, T::Unorm, 2),
      make("rg8", VK_FORMAT_R8G8_UNORM, S::Rg8, 2, 2, T::Unorm, 1),
      make("r16", VK_FORMAT_R16_UNORM, S::R16, 2, 1, T::Unorm, 2),
      make("r8", VK_FORMAT_R8_UNORM, S::R8, 1, 1, T::Unorm, 1),
      make("rgba16_snorm", VK_FORMAT_R16G16B16A16_SNORM, S::Rgba16Snorm, 8, 4, T::Snorm, 2),
      make("rg16_snorm", VK_FORMAT_R16G16_SNORM, S::Rg16Snorm, 4, 2, T::Snorm, 2),
      make("rg8_snorm", VK_FORMAT_R8G8_SNORM, S::Rg8Snorm, 2, 2, T::Snorm, 1),
      make("r16_snorm", VK_FORMAT_R16_SNORM, S::R16Snorm, 2, 1, T::Snorm, 2),
      make("r8_snorm", VK_FORMAT_R8_SNORM, S::R8Snorm, 1, 1, T::Snorm, 1),
      make("rgba32i", VK_FORMAT_R32G32B32A32_SINT, S::Rgba32i, 16, 4, T::Sint, 4),
      make("rgba16i", VK_FORMAT_R16G16B16A16_SINT, S::Rgba16i, 8, 4, T::Sint, 2),
      make("rgba8i", VK_FORMAT_R8G8B8A8_SINT, S::Rgba8i, 4, 4, T::Sint, 1),
      make("r32i", VK_FORMAT_R32_SINT, S::R32i, 4, 1, T::Sint, 4),
      make("rg32i", VK_FORMAT_R32G32_SINT, S::Rg32i, 8, 2, T::Sint, 4),
      make("rg16i", VK_FORMAT_R16G16_SINT, S::Rg16i, 4, 2, T::Sint, 2),
      make("rg8i", VK_FORMAT_R8G8_SINT, S::Rg8i, 2, 2, T::Sint, 1),
      make("r16i", VK_FORMAT_R16_SINT, S::R16i, 2, 1, T::Sint, 2),
      make("r8i", VK_FORMAT_R8_SINT, S::R8i, 1, 1, T::Sint, 1),
      make("rgba32ui", VK_FORMAT_R32G32B32A32_UINT, S::Rgba32ui, 16, 4, T::Uint, 4),
      make("rgba16ui", VK_FORMAT_R16G16B16A16_UINT, S::Rgba16ui, 8, 4, T::Uint, 2),
      make("rgba8ui", VK_FORMAT_R8G8B8A8_UINT, S::Rgba8ui, 4, 4, T::Uint, 1),
      make("r32ui", VK_FORMAT_R32_UINT, S::R32ui, 4, 1, T::Uint, 4),
      make("rgb10_a2ui", VK_FORMAT_A2B10G10R10_UINT_PACK32, S::Rgb10a2ui, 4, 4, T::Uint, 0),
      make("rg32ui", VK_FORMAT_R32G32_UINT, S::Rg32ui, 8, 2, T::Uint, 4),
      make("rg16ui", VK_FORMAT_R16G16_UINT, S::Rg16ui, 4, 2, T::Uint, 2),
      make("rg8ui", VK_FORMAT_R8G8_UINT, S::Rg8ui, 2, 2, T::Uint, 1),
      make("r16ui", VK_FORMAT_R16_UINT, S::R16ui, 2, 1, T::Uint, 2),
      make("r8ui", VK_FORMAT_R8_UINT, S::R8ui, 1, 1, T::Uint, 1),
  };
  return formats;
}

const ImageFormat *findImageFormat(std::string_view name) {
  for (const ImageFormat &format : imageFormats())
    if (format.name == name)
      return &format;
  return nullptr;
}

const ImageFormat *findImageFormat(uint32_t spirvFormat) {
  for (const ImageFormat &format : imageFormats())
    if (format.spirvFormat == spirvFormat)
      return &format;
  return nullptr;
}

} // namespace tailor::vulkan
