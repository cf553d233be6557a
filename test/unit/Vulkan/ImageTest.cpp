//===- unit/Vulkan/ImageTest.cpp - Tests of images and samplers ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestDevices.h"

#include "shaders/copy1dWords.h"
#include "shaders/copy2dArrayWords.h"
#include "shaders/copy3dWords.h"
#include "shaders/copy_r11f_g11f_b10f_Words.h"
#include "shaders/copy_r16f_Words.h"
#include "shaders/copy_r32f_Words.h"
#include "shaders/copy_r32i_Words.h"
#include "shaders/copy_r32ui_Words.h"
#include "shaders/copy_r8_Words.h"
#include "shaders/copy_r8ui_Words.h"
#include "shaders/copy_rg32f_Words.h"
#include "shaders/copy_rgba16_Words.h"
#include "shaders/copy_rgba16f_Words.h"
#include "shaders/copy_rgba16i_Words.h"
#include "shaders/copy_rgba32f_Words.h"
#include "shaders/copy_rgba32ui_Words.h"
#include "shaders/copy_rgba8_Words.h"
#include "shaders/copy_rgba8_snorm_Words.h"
#include "shaders/copy_rgba8ui_Words.h"
#include "shaders/cubeWords.h"
#include "shaders/sampleWords.h"

#include <algorithm>
#include <array>

using namespace tailor;
using namespace tailor::vulkan;
using namespace tailor::vulkan::test;

namespace {

class Images : public OnDevice {
protected:
  static ResourceDesc imageAt(uint32_t binding, std::string format, Dim3 extent,
                              ImageDim dim = ImageDim::D2) {
    ResourceDesc desc;
    desc.binding = binding;
    desc.kind = ResourceKind::StorageImage;
    desc.format = std::move(format);
    desc.extent = extent;
    desc.dim = dim;
    return desc;
  }

  /// Texels whose bytes survive a trip through the format's numbers: no NaN, and
  /// no -128 that snorm would clamp.
  static void fillWithPattern(ResourceDesc &desc) {
    desc.fill = InitialFill::Bytes;
    desc.initial.resize(static_cast<size_t>(desc.dataBytes()));
    for (size_t i = 0; i != desc.initial.size(); ++i)
      desc.initial[i] = poisonByte(i * 7);
    if (desc.format != "r11f_g11f_b10f")
      return;
    for (size_t i = 0; i != desc.initial.size();
         i += 4) { // exponents 13 to 15 in three packed floats
      auto n = static_cast<uint32_t>(i / 4 % 32);
      uint32_t word = (15U << 6 | n) | (14U << 6 | n) << 11 | (13U << 5 | n) << 22;
      std::memcpy(&desc.initial[i], &word, sizeof word);
    }
  }

  /// Copies an image mirrored in x, and compares every texel's bytes.
  void mirrored(std::span<const uint32_t> words, const std::string &format, Dim3 extent,
                ImageDim dim, Dim3 groups) {
    ResourceDesc source = imageAt(0, format, extent, dim), sink = imageAt(1, format, extent, dim);
    fillWithPattern(source);
    sink.fill = InitialFill::Poison;
    sink.output = true;
    auto made = Runner::create(device, {{source, sink}, {}});
    if (!made && made.diagnostic().kind == ErrorKind::Environment) {
      unsupported.push_back(format);
      EXPECT_THAT(made.diagnostic().text, ::testing::HasSubstr("cannot be made on device"));
      return;
    }
    ASSERT_TRUE(bool(made)) << made.diagnostic().text;
    Candidate candidate = candidateOf("copy " + format, words, groups, {4, 4, 1});
    auto pipeline = (*made)->prepare(candidate);
    if (!pipeline && !info().features.storageImageExtendedFormats) {
      unsupported.push_back(format);
      return;
    }
    ASSERT_TRUE(bool(pipeline)) << pipeline.diagnostic().text;
    auto result = (*made)->runOnce(*pipeline);
    ASSERT_TRUE(bool(result)) << result.diagnostic().text;
    size_t texel = findImageFormat(format)->texelBytes, row = texel * extent.x;
    const std::vector<std::byte> &out = result->outputs[0].bytes;
    ASSERT_EQ(out.size(), source.initial.size());
    for (size_t at = 0; at != out.size(); at += texel) {
      size_t from = at / row * row + (row - texel - at % row);
      ASSERT_TRUE(std::equal(out.begin() + static_cast<std::ptrdiff_t>(at),
                             out.begin() + static_cast<std::ptrdiff_t>(at + texel),
                             source.initial.begin() + static_cast<std::ptrdiff_t>(from)))
          << format << " at byte " << at;
    }
  }

  std::vector<std::string> unsupported;
};
TAILOR_ON_EVERY_DEVICE(Images);

TEST_P(Images, StorageImagesOfEachFormatKeepTheirTexels) {
  Dim3 extent{13, 7, 1}, groups{4, 2, 1};
  auto check = [&](std::string format, std::span<const uint32_t> words) {
    mirrored(words, format, extent, ImageDim::D2, groups);
  };
  check("rgba8", copy_rgba8_Words);
  check("rgba8_snorm", copy_rgba8_snorm_Words);
  check("rgba8ui", copy_rgba8ui_Words);
  check("rgba16", copy_rgba16_Words);
  check("rgba16f", copy_rgba16f_Words);
  check("rgba16i", copy_rgba16i_Words);
  check("rgba32f", copy_rgba32f_Words);
  check("rgba32ui", copy_rgba32ui_Words);
  check("rg32f", copy_rg32f_Words);
  check("r32f", copy_r32f_Words);
  check("r32i", copy_r32i_Words);
  check("r32ui", copy_r32ui_Words);
  check("r16f", copy_r16f_Words);
  check("r8", copy_r8_Words);
  check("r8ui", copy_r8ui_Words);
  check("r11f_g11f_b10f", copy_r11f_g11f_b10f_Words);
  // Vulkan promises these on every device.
  for (std::string required : {"rgba8", "rgba8_snorm", "rgba8ui", "rgba16f", "rgba16i", "rgba32f",
                               "rgba32ui", "r32f", "r32i", "r32ui"})
    EXPECT_THAT(unsupported, ::testing::Not(::testing::Contains(required)));
}

TEST_P(Images, OtherDimensions) {
  mirrored(copy1dWords, "r32f", {17, 1, 1}, ImageDim::D1, {5, 1, 1});
  mirrored(copy3dWords, "r32f", {6, 5, 4}, ImageDim::D3, {2, 2, 4});
  mirrored(copy2dArrayWords, "r32f", {6, 5, 3}, ImageDim::D2Array, {2, 2, 3});
  EXPECT_THAT(unsupported, ::testing::IsEmpty());
}

TEST_P(Images, SamplersFilterAndClamp) {
  std::vector<float> texels(16);
  for (size_t i = 0; i != 16; ++i)
    texels[i] = static_cast<float>(i); // x + 4y
  auto bytes = std::as_bytes(std::span(texels));
  ResourceDesc image = imageAt(0, "r32f", {4, 4, 1});
  image.kind = ResourceKind::SampledImage;
  image.fill = InitialFill::Bytes;
  image.initial.assign(bytes.begin(), bytes.end());
  ResourceDesc sampler;
  sampler.binding = 1;
  sampler.kind = ResourceKind::Sampler;
  sampler.sampler.filter = Filter::Linear;
  ResourceDesc combined = image;
  combined.binding = 2;
  combined.kind = ResourceKind::CombinedImageSampler;
  auto runner = runnerOf({{image, sampler, combined, outputAt(3, 256)}, {}});
  ASSERT_TRUE(runner);
  auto out = valuesOf<std::array<float, 4>>(
      ranOnce(*runner, candidateOf("sample", sampleWords, {1, 1, 1}, {4, 4, 1})).outputs[0].bytes);
  ASSERT_EQ(out.size(), 16U);
  for (uint32_t y = 0; y != 4; ++y)
    for (uint32_t x = 0; x != 4; ++x) {
      const std::array<float, 4> &v = out[4 * y + x];
      float softX = x < 3 ? static_cast<float>(x) + 0.5F : 3,
            softY = y < 3 ? static_cast<float>(y) + 0.5F : 3;
      EXPECT_NEAR(v[0], softX + 4 * softY, 0.05) << x << "," << y;
      EXPECT_EQ(v[1], texels[4 * y + x]);
      EXPECT_NEAR(v[2], 3, 0.05); // clamped to the edge
    }
}

TEST_P(Images, SamplersRepeat) {
  std::vector<float> texels(16);
  for (size_t i = 0; i != 16; ++i)
    texels[i] = static_cast<float>(i);
  auto bytes = std::as_bytes(std::span(texels));
  ResourceDesc image = imageAt(0, "r32f", {4, 4, 1});
  image.kind = ResourceKind::SampledImage;
  image.fill = InitialFill::Bytes;
  image.initial.assign(bytes.begin(), bytes.end());
  ResourceDesc sampler;
  sampler.binding = 1;
  sampler.kind = ResourceKind::Sampler;
  sampler.sampler.address = AddressMode::Repeat;
  ResourceDesc combined = image;
  combined.binding = 2;
  combined.kind = ResourceKind::CombinedImageSampler;
  auto runner = runnerOf({{image, sampler, combined, outputAt(3, 256)}, {}});
  ASSERT_TRUE(runner);
  auto out = valuesOf<std::array<float, 4>>(
      ranOnce(*runner, candidateOf("sample", sampleWords, {1, 1, 1}, {4, 4, 1})).outputs[0].bytes);
  ASSERT_EQ(out.size(), 16U);
  EXPECT_EQ(out[0][2], 0); // 1.125 wraps to the first texel
}

TEST_P(Images, CubesHaveSixFaces) {
  ResourceDesc cube = imageAt(0, "r32f", {2, 2, 6}, ImageDim::Cube);
  cube.kind = ResourceKind::CombinedImageSampler;
  cube.fill = InitialFill::Bytes;
  for (int face = 0; face != 6; ++face)
    for (int texel = 0; texel != 4; ++texel)
      for (std::byte b : bytesOfValue(static_cast<float>(face) * 10))
        cube.initial.push_back(b);
  auto runner = runnerOf({{cube, outputAt(1, 24)}, {}});
  ASSERT_TRUE(runner);
  RunResult result = ranOnce(*runner, candidateOf("cube", cubeWords, {6, 1, 1}, {1, 1, 1}));
  EXPECT_THAT(valuesOf<float>(result.outputs[0].bytes),
              ::testing::ElementsAre(0, 10, 20, 30, 40, 50));
}

TEST_P(Images, AnExtentOverTheLimitIsRefused) {
  ResourceDesc image = imageAt(0, "r32f", {info().limits.maxImageExtent2D + 1, 1, 1});
  auto made = Runner::create(device, {{image}, {}});
  ASSERT_FALSE(bool(made));
  EXPECT_EQ(made.diagnostic().kind, ErrorKind::Environment);
  EXPECT_THAT(made.diagnostic().text, ::testing::HasSubstr("is over its limits"));
}

} // namespace
