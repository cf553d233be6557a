//===- test/unit/Backends/WgslLayoutTests.cpp ------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Shaders.h"

#include "Naga/Naga.h"

#include <gmock/gmock.h>

using namespace tailor;
using namespace tailor::test;
using testing::HasSubstr;

namespace {

class WgslLayout : public testing::Test {
protected:
  void SetUp() override {
    if (!naga::isAvailable())
      GTEST_SKIP() << naga::whyUnavailable();
  }
  static std::string kernel(const std::string &blocks, const std::string &value) {
    return "#version 450\n#extension GL_EXT_scalar_block_layout : enable\n"
           "layout(local_size_x = 8) in;\n"
           "layout(binding = 0) buffer Out { float result[]; };\n" +
           blocks + "\nvoid main() { result[gl_GlobalInvocationID.x] = float(" + value + "); }\n";
  }
  static std::string wgsl(const std::string &blocks, const std::string &value) {
    return text("wgsl", module(kernel(blocks, value)), {8, 1, 1});
  }
  static std::string refused(const std::string &blocks, const std::string &value) {
    return refusal("wgsl", module(kernel(blocks, value)), {8, 1, 1}).text;
  }
};

TEST_F(WgslLayout, GapsAreSpelledOut) {
  // b would be at 4, c at 32.
  const std::string made =
      wgsl("layout(binding = 1) uniform In { float a; layout(offset = 12) float b; "
           "layout(offset = 48) vec4 c; };",
           "a + b + c.x");
  EXPECT_THAT(made, HasSubstr("@size(12) a: f32"));
  EXPECT_THAT(made, HasSubstr("@size(36) b: f32"));
  EXPECT_THAT(made, HasSubstr("    c: vec4<f32>"));
}

TEST_F(WgslLayout, WhatWgslHasAnywayStays) {
  const std::string made = wgsl("layout(std430, binding = 1) readonly buffer In { float a; vec2 b; "
                                "vec3 c; float d; mat3 e; };",
                                "a + b.x + c.x + d + e[1][1]");
  EXPECT_THAT(made, testing::Not(HasSubstr("@size")));
}

TEST_F(WgslLayout, ElementsTakeTheRoomThatTheyHave) {
  const std::string made =
      wgsl("struct S { float a; float b; }; layout(std140, binding = 1) uniform In { S s[4]; };",
           "s[2].a + s[3].b");
  EXPECT_THAT(made, HasSubstr("@size(12) b: f32")); // std140: 16 bytes an element
}

TEST_F(WgslLayout, WhatAttributesCannotSayIsRefused) {
  EXPECT_THAT(refused("layout(std140, binding = 1) uniform In { float a[4]; };", "a[2]"),
              HasSubstr("the elements of an array are 16 bytes apart, in WGSL they are 4"));
  EXPECT_THAT(
      refused("layout(scalar, binding = 1) readonly buffer In { float a; vec3 b; };", "a + b.x"),
      HasSubstr("member 1 of a structure is at byte 4, in WGSL it is at 16"));
  EXPECT_THAT(refused("layout(scalar, binding = 1) readonly buffer In { vec3 a[]; };", "a[1].x"),
              HasSubstr("12 bytes apart, in WGSL they are 16"));
  EXPECT_THAT(refused("layout(std140, binding = 1) uniform In { mat2 a; };", "a[1][1]"),
              HasSubstr("the columns of a matrix are 16 bytes apart, in WGSL they are 8"));
  EXPECT_THAT(
      refused("layout(row_major, std430, binding = 1) readonly buffer In { mat4 a; };", "a[1][2]"),
      HasSubstr("row-major"));
}

TEST_F(WgslLayout, PushConstantsKeepTheirOffsets) {
  const std::string made =
      wgsl("layout(push_constant) uniform In { layout(offset = 8) float a; layout(offset = 32) "
           "float b; };",
           "a + b");
  EXPECT_THAT(made, HasSubstr("    @size(8) tailor_padding: u32,\n    @size(24) a: f32"));
}

} // namespace
