//===- unit/Vulkan/ResourcesTest.cpp - Tests of Vulkan/Resources --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Vulkan/Resources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <set>

using namespace tailor;
using namespace tailor::vulkan;

namespace {

std::vector<std::string> faultsOf(std::vector<ResourceDesc> resources) {
  Diagnostics diags;
  checkInstance({std::move(resources), {}}, diags);
  std::vector<std::string> texts;
  for (const Diagnostic &d : diags.all())
    texts.push_back(d.text);
  return texts;
}

ResourceDesc buffer(uint32_t binding, uint64_t bytes) {
  ResourceDesc desc;
  desc.binding = binding;
  desc.bytes = bytes;
  return desc;
}

ResourceDesc image(std::string format, Dim3 extent, ImageDim dim = ImageDim::D2) {
  ResourceDesc desc;
  desc.kind = ResourceKind::StorageImage;
  desc.format = std::move(format);
  desc.extent = extent;
  desc.dim = dim;
  return desc;
}

TEST(Resources, NamesGoBothWays) {
  for (std::string_view name : {"storage_buffer", "uniform_buffer", "storage_image",
                                "sampled_image", "sampler", "combined_image_sampler"})
    EXPECT_EQ(nameOf(parseResourceKind(name).value()), name);
  for (std::string_view name : {"1d", "2d", "3d", "1d_array", "2d_array", "cube"})
    EXPECT_EQ(nameOf(parseImageDim(name).value()), name);
  EXPECT_FALSE(parseResourceKind("buffer").has_value());
  EXPECT_EQ(parseFilter("linear"), Filter::Linear);
  EXPECT_EQ(parseAddressMode("repeat"), AddressMode::Repeat);
}

TEST(Resources, FormatsAreConsistent) {
  std::set<std::string_view> names;
  std::set<uint32_t> vulkan, spirv;
  for (const ImageFormat &format : imageFormats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    EXPECT_TRUE(vulkan.insert(format.vkFormat).second) << format.name;
    EXPECT_TRUE(spirv.insert(format.spirvFormat).second) << format.name;
    if (format.componentBytes != 0) {
      EXPECT_EQ(format.componentBytes * format.components, format.texelBytes) << format.name;
    }
  }
  EXPECT_EQ(names.size(), 39U); // all that SPIR-V 1.0 has for storage images
  EXPECT_EQ(findImageFormat("rgba16f")->texelBytes, 8U);
  EXPECT_EQ(findImageFormat("rgba17"), nullptr);
}

TEST(Resources, SizesFollowTheKind) {
  EXPECT_EQ(buffer(0, 100).dataBytes(), 100U);
  EXPECT_EQ(image("rgba16f", {10, 20, 1}).dataBytes(), 1600U);
  EXPECT_EQ(image("r8", {3, 5, 7}, ImageDim::D3).dataBytes(), 105U);
}

TEST(Resources, AGoodInstanceHasNoFaults) {
  EXPECT_THAT(faultsOf({buffer(0, 16), buffer(1, 4)}), ::testing::IsEmpty());
}

TEST(Resources, FaultsAreAllNamed) {
  ResourceDesc named = buffer(1, 0);
  named.name = "out";
  ResourceDesc contents = buffer(2, 16);
  contents.fill = InitialFill::Bytes;
  contents.initial.resize(12);
  ResourceDesc uniform = buffer(3, 16);
  uniform.kind = ResourceKind::UniformBuffer;
  uniform.output = true;
  EXPECT_THAT(faultsOf({buffer(0, 4), buffer(0, 4), named, contents, uniform}),
              ::testing::ElementsAre(
                  "set 0 binding 0 is given twice", "'out' (set 0 binding 1) has no bytes",
                  "set 0 binding 2 holds 16 bytes, but its initial contents have 12",
                  "set 0 binding 3 is a uniform_buffer, which a kernel cannot write, "
                  "and no output"));
}

TEST(Resources, ArraysHaveNoGapsAndOneKind) {
  ResourceDesc second = buffer(0, 4);
  second.element = 2;
  EXPECT_THAT(faultsOf({buffer(0, 4), second}),
              ::testing::ElementsAre("set 0 binding 0 belongs to an array that has gaps"));
  second.element = 1;
  second.kind = ResourceKind::UniformBuffer;
  EXPECT_THAT(faultsOf({buffer(0, 4), second}), ::testing::SizeIs(1));
}

TEST(Resources, ImagesHaveAnExtentOfTheirDimension) {
  EXPECT_THAT(
      faultsOf({image("r32f", {4, 4, 2})}),
      ::testing::ElementsAre("set 0 binding 0 has the extent 4x4x2, which no 2d image has"));
  EXPECT_THAT(faultsOf({image("r32f", {4, 5, 6}, ImageDim::Cube)}), ::testing::SizeIs(1));
  EXPECT_THAT(faultsOf({image("r32f", {4, 4, 6}, ImageDim::Cube)}), ::testing::IsEmpty());
  EXPECT_THAT(faultsOf({image("r33f", {4, 4, 1})}),
              ::testing::ElementsAre("set 0 binding 0 has the unknown image format 'r33f'"));
}

TEST(Resources, PoisonIsAFiniteNumberInEveryFloatType) {
  std::byte bytes[4096];
  for (uint64_t i = 0; i != sizeof bytes; ++i)
    bytes[i] = poisonByte(i);
  for (size_t i = 0; i != sizeof bytes; i += 8) {
    double d;
    float f;
    std::memcpy(&d, bytes + i, sizeof d);
    std::memcpy(&f, bytes + i, sizeof f);
    EXPECT_TRUE(std::isnormal(d) && std::isnormal(f));
    unsigned halfExponent = (std::to_integer<unsigned>(bytes[i + 1]) >> 2) & 0x1f;
    EXPECT_TRUE(halfExponent != 0 && halfExponent != 0x1f);
  }
  // Another place, another value: a shifted copy of it shows.
  EXPECT_NE(std::memcmp(bytes, bytes + 4, 64), 0);
}

} // namespace
