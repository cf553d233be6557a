//===- PictureTests.cpp - Netpbm in and out ----------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSupport.h"
#include "Tuning/Picture.h"

#include <gtest/gtest.h>

using namespace tailor;
using namespace tailor::test;

namespace {

std::vector<int> bytesOf(const std::vector<std::byte> &bytes) {
  std::vector<int> values;
  for (std::byte b : bytes)
    values.push_back(std::to_integer<int>(b));
  return values;
}

std::string pictureError(std::string_view bytes) {
  Result<Picture> picture = parsePicture(bytes, "p.ppm");
  return picture ? "accepted" : textOf(picture.diagnostic());
}

} // namespace

TEST(Picture, ReadsPpmWithComments) {
  Result<Picture> picture = parsePicture(
      std::string_view("P6 # by hand\n2 1\n# depth\n255\n\x01\x02\x03\x04\x05\x06"), "p");
  ASSERT_TRUE(picture) << picture.diagnostic().text;
  EXPECT_EQ(picture->width, 2U);
  EXPECT_EQ(picture->height, 1U);
  EXPECT_EQ(picture->samples, (std::vector<uint16_t>{1, 2, 3, 4, 5, 6}));
  Result<std::vector<std::byte>> texels =
      texelsOf(*picture, *vulkan::findImageFormat("rgba8"), Location{});
  ASSERT_TRUE(texels);
  EXPECT_EQ(bytesOf(*texels), (std::vector<int>{1, 2, 3, 255, 4, 5, 6, 255}));
}

TEST(Picture, ReadsPamWithAlphaAndTwoByteSamples) {
  std::string pam = "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 65535\nTUPLTYPE RGB_ALPHA\nENDHDR\n";
  pam += std::string("\xff\xff\x00\x00\x80\x80\x00\x01", 8);
  Result<Picture> picture = parsePicture(pam, "p");
  ASSERT_TRUE(picture) << picture.diagnostic().text;
  EXPECT_EQ(picture->samples, (std::vector<uint16_t>{65535, 0, 0x8080, 1}));
  Result<std::vector<std::byte>> texels =
      texelsOf(*picture, *vulkan::findImageFormat("rgba8"), Location{});
  ASSERT_TRUE(texels);
  EXPECT_EQ(bytesOf(*texels), (std::vector<int>{255, 0, 128, 0}));
}

TEST(Picture, GreyFillsEveryColour) {
  Result<Picture> picture = parsePicture("P5\n1 1\n255\n\x40", "p");
  ASSERT_TRUE(picture);
  Result<std::vector<std::byte>> texels =
      texelsOf(*picture, *vulkan::findImageFormat("rgba8"), Location{});
  ASSERT_TRUE(texels);
  EXPECT_EQ(bytesOf(*texels), (std::vector<int>{64, 64, 64, 255}));
}

TEST(Picture, DamagedFilesAreRefused) {
  EXPECT_EQ(pictureError("GIF89a"),
            "p.ppm: error: the file is no binary PGM, PPM or PAM picture\n");
  EXPECT_EQ(pictureError("P6\n2 2\n255\n\x01\x02"),
            "p.ppm: error: the picture ends early: 12 bytes of samples expected, 2 found\n");
  EXPECT_NE(pictureError("P6\n0 2\n255\n").find("gives no width"), std::string::npos);
  EXPECT_NE(pictureError("P6\n99999999 99999999\n255\n").find("gives no width"), std::string::npos);
  EXPECT_NE(pictureError("P7\nWIDTH 1\nCOLOUR 3\n").find("damaged"), std::string::npos);
  EXPECT_NE(pictureError("P7\nWIDTH 1\n"), "accepted") << "a header without end";
}

TEST(Picture, PpmOfAnImageReadsBackTheSame) {
  Result<Picture> picture = parsePicture("P6\n1 2\n255\n\x01\x02\x03\xfd\xfe\xff", "p");
  ASSERT_TRUE(picture);
  for (const char *name : {"rgba8", "rgba16f", "rgba32f"}) {
    const vulkan::ImageFormat &format = *vulkan::findImageFormat(name);
    Result<std::vector<std::byte>> texels = texelsOf(*picture, format, Location{});
    ASSERT_TRUE(texels);
    std::optional<std::string> ppm = ppmOf(format, 1, 2, *texels);
    ASSERT_TRUE(ppm) << name;
    EXPECT_EQ(*ppm, "P6\n1 2\n255\n\x01\x02\x03\xfd\xfe\xff") << name;
  }
  EXPECT_FALSE(ppmOf(*vulkan::findImageFormat("r32ui"), 1, 1, std::vector<std::byte>(4)));
}
