//===- test/unit/Backends/WgslLayoutTests.cpp ------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Shaders.h"

#include "Backends/WgslSteps.h"
#include "IR/Reader.h"
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

TEST_F(WgslLayout, UniformBuffersHaveRulesOfTheirOwn) {
  EXPECT_THAT(refused("layout(scalar, binding = 1) uniform In { float a[4]; } u;", "u.a[2]"),
              HasSubstr("a uniform buffer with elements of an array that are 4 bytes apart: 'In'"));
  EXPECT_THAT(refused("struct S { float x, y; }; layout(scalar, binding = 1) uniform In { float a; "
                      "S s; } u;",
                      "u.a + u.s.x"),
              HasSubstr("an array or a structure at byte 4"));
  EXPECT_THAT(refused("struct S { float x, y; }; layout(scalar, binding = 1) uniform In { S s; "
                      "float a; } u;",
                      "u.a + u.s.x"),
              HasSubstr("a member at byte 8, right behind a structure"));
  EXPECT_THAT(wgsl("struct S { float x, y; }; layout(binding = 1) uniform In { S s; float a; vec4 "
                   "b[3]; } u;",
                   "u.a + u.s.x + u.b[1].x"),
              HasSubstr("var<uniform>"));
}

/// naga takes the two for one: names and offsets are the same.
const char *const kTwoOfOneName = "struct S { float a, b, c; };\n"
                                  "layout(std430, binding = 1) readonly buffer A { S s[]; } x;\n"
                                  "layout(std140, binding = 2) readonly buffer B { S s[64]; } y;";

TEST_F(WgslLayout, StructuresOfOneNameKeepTheirOwnLayouts) {
  const std::string made = wgsl(kTwoOfOneName, "x.s[1].b + y.s[2].c");
  EXPECT_THAT(made, HasSubstr("    c: f32,\n")); // 12 bytes
  EXPECT_THAT(made, HasSubstr("    @size(8) c: f32,\n"));
}

TEST_F(WgslLayout, AStructureHasOneSizeAsMemberAndAsElement) {
  // As an element it takes 16 bytes, as a member 12: the second comes first.
  const std::string kernel = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 8 1 1
OpDecorate %outers ArrayStride 16
OpDecorate %inners ArrayStride 16
OpMemberDecorate %S 0 Offset 0
OpMemberDecorate %S 1 Offset 4
OpMemberDecorate %S 2 Offset 8
OpMemberDecorate %O 0 Offset 0
OpMemberDecorate %O 1 Offset 12
OpMemberDecorate %A 0 Offset 0
OpMemberDecorate %B 0 Offset 0
OpDecorate %A BufferBlock
OpDecorate %B BufferBlock
OpDecorate %a DescriptorSet 0
OpDecorate %a Binding 0
OpDecorate %b DescriptorSet 0
OpDecorate %b Binding 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%S = OpTypeStruct %uint %uint %uint
%O = OpTypeStruct %S %uint
%outers = OpTypeRuntimeArray %O
%inners = OpTypeRuntimeArray %S
%A = OpTypeStruct %outers
%B = OpTypeStruct %inners
%pA = OpTypePointer Uniform %A
%pB = OpTypePointer Uniform %B
%pu = OpTypePointer Uniform %uint
%a = OpVariable %pA Uniform
%b = OpVariable %pB Uniform
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%main = OpFunction %void None %fn
%entry = OpLabel
%from = OpAccessChain %pu %a %u0 %u1 %u1
%value = OpLoad %uint %from
%to = OpAccessChain %pu %b %u0 %u1 %u1
OpStore %to %value
OpReturn
OpFunctionEnd
)";
  EXPECT_THAT(refusal("wgsl", compile(kernel, "k.spvasm"), {8, 1, 1}).text,
              HasSubstr("member 1 of a structure is at byte 12, in WGSL it is at 16"));
}

TEST_F(WgslLayout, EveryDifferenceOfTheWrittenLayoutIsFound) {
  const std::vector<uint32_t> words =
      module(kernel("struct S { vec3 v; float w; mat2 m; uint n[3]; };\n"
                    "layout(std430, binding = 1) buffer A { float f; S s[2]; float t[]; };",
                    "f + s[1].v.x + s[0].w + s[1].m[1][0] + s[0].n[2] + t[0]"));
  Result<Module> read = readModule(words, "k.comp");
  ASSERT_TRUE(read) << read.diagnostic().text;
  const std::string made = text("wgsl", words, {8, 1, 1});
  const Status same = wgsl::checkWrittenLayout(made, *read);
  EXPECT_TRUE(same) << same.diagnostic().text << made;
  for (auto [from, to] :
       {std::pair("    v: vec3<f32>", "    @size(16) v: vec3<f32>"),
        std::pair("    w: f32", "    @align(16) w: f32"), std::pair("    w: f32", "    w: u32"),
        std::pair("    m: mat2x2<f32>", "    m: mat2x3<f32>"),
        std::pair("    n: array<u32, 3>", "    n: array<u32, 4>"),
        std::pair("    n: array<u32, 3>", "    @size(28) n: array<u32, 3>"),
        std::pair("    t: array<f32>", "    t: array<vec2<f32>>"),
        std::pair("    f: f32", "    @size(32) f: f32")}) {
    std::string other = made;
    const size_t at = other.find(from);
    ASSERT_NE(at, std::string::npos) << from << "\n" << made;
    other.replace(at, std::string(from).size(), to);
    const Status found = wgsl::checkWrittenLayout(other, *read);
    ASSERT_FALSE(found) << to;
    EXPECT_THAT(found.diagnostic().text, HasSubstr("its text has")) << to;
  }
}

} // namespace
