//===- Vulkan/Resources.h - What a kernel is bound to -------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel instance is everything that a dispatch needs besides the module: the
// resources with their first contents, and the push constants. It is the same
// for all variants of a kernel.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_VULKAN_RESOURCES_H
#define TAILOR_VULKAN_RESOURCES_H

#include "Support/Dim3.h"
#include "Support/Result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tailor::vulkan {

enum class ResourceKind : uint8_t {
  StorageBuffer,
  UniformBuffer,
  StorageImage,
  SampledImage,
  Sampler,
  CombinedImageSampler,
};
/// "storage_buffer", "uniform_buffer", "storage_image", "sampled_image",
/// "sampler", "combined_image_sampler".
std::string_view nameOf(ResourceKind kind);
std::optional<ResourceKind> parseResourceKind(std::string_view name);
bool isBuffer(ResourceKind kind);
bool isImage(ResourceKind kind); ///< also true for a combined image and sampler
/// A descriptor of kind `given` is what a module wants that declares `wanted`: the same, or a
/// combined image and sampler where the module declares one of the two.
bool serves(ResourceKind given, ResourceKind wanted);

/// The dimension of an image's view; extent.z counts layers for the arrays and
/// is 6 for a cube.
enum class ImageDim : uint8_t { D1, D2, D3, D1Array, D2Array, Cube };
/// "1d", "2d", "3d", "1d_array", "2d_array", "cube".
std::string_view nameOf(ImageDim dim);
std::optional<ImageDim> parseImageDim(std::string_view name);

/// How the bits of one component are read.
enum class ComponentType : uint8_t { Unorm, Snorm, Uint, Sint, Float };

/// A texel format under its GLSL layout name: rgba8, rgba8ui, r32f, ...
struct ImageFormat {
  std::string_view name;
  uint32_t vkFormat = 0;    ///< VkFormat
  uint32_t spirvFormat = 0; ///< the module's ImageFormat operand
  uint32_t texelBytes = 0;
  uint32_t components = 0;
  ComponentType type = ComponentType::Unorm;
  /// Bytes of one component; 0 where components are packed (rgb10_a2, r11f_g11f_b10f).
  uint32_t componentBytes = 0;
};
/// The format of that name, or null. Every format a storage image may declare.
const ImageFormat *findImageFormat(std::string_view name);
/// By the number that a module has for it (spv::ImageFormat).
const ImageFormat *findImageFormat(uint32_t spirvFormat);
/// All formats, for messages and schema pages.
const std::vector<ImageFormat> &imageFormats();

enum class Filter : uint8_t { Nearest, Linear };
enum class AddressMode : uint8_t { ClampToEdge, Repeat, MirroredRepeat, ClampToBorder };
std::optional<Filter> parseFilter(std::string_view name); ///< "nearest", "linear"
std::optional<AddressMode>
parseAddressMode(std::string_view name); ///< "clamp_to_edge", "repeat", ...

struct SamplerDesc {
  Filter filter = Filter::Nearest;
  AddressMode address = AddressMode::ClampToEdge;
  bool unnormalized = false; ///< texel coordinates: 1d and 2d, clamped addressing only
};

/// What a resource holds before each checked run.
enum class InitialFill : uint8_t {
  Zero,
  Bytes,  ///< ResourceDesc::initial
  Poison, ///< a position-dependent pattern (no NaN in any float type) that shows a missing write
};

/// One descriptor. A binding that is an array takes one of these per element.
struct ResourceDesc {
  uint32_t set = 0, binding = 0;
  uint32_t element = 0; ///< index into an array of descriptors
  ResourceKind kind = ResourceKind::StorageBuffer;
  std::string name; ///< for messages; may be empty

  uint64_t bytes = 0; ///< buffers: what the descriptor's range covers, exactly

  std::string format;          ///< images: a name of imageFormats()
  ImageDim dim = ImageDim::D2; ///< images
  Dim3 extent;                 ///< images: texels; layers in z for arrays
  SamplerDesc sampler;         ///< samplers, combined image samplers

  InitialFill fill = InitialFill::Zero;
  std::vector<std::byte>
      initial;         ///< InitialFill::Bytes: dataBytes() of them; images row by row, packed
  bool output = false; ///< read back and compared

  /// Bytes of contents: `bytes` for a buffer, texels times texel size for an
  /// image, 0 for a sampler or an unknown format.
  uint64_t dataBytes() const;
  /// `set 0 binding 2` with the name, when there is one: `'img' (set 0 binding 2)`.
  std::string str() const;
};

struct KernelInstance {
  std::vector<ResourceDesc> resources;
  std::vector<std::byte> pushConstants; ///< from offset 0
};

/// Checks what needs no device: duplicate descriptors, gaps in an array, mixed
/// kinds under one binding, unknown formats, sizes of zero, contents that do
/// not have dataBytes() bytes. Every fault is reported.
void checkInstance(const KernelInstance &instance, Diagnostics &diags);

/// The byte at `offset` of the poison pattern: in [0x31, 0x50], so that no f16,
/// f32 or f64 made of it is NaN, infinite, zero or denormal.
std::byte poisonByte(uint64_t offset);

} // namespace tailor::vulkan

#endif
