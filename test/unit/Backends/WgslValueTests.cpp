//===- test/unit/Backends/WgslValueTests.cpp -------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What naga would write so that WGSL does not take it, or takes it otherwise.
//
//===----------------------------------------------------------------------===//
#include "AssemblyKernel.h"
#include "Shaders.h"

#include "Naga/Naga.h"

#include <gmock/gmock.h>

using namespace tailor;
using namespace tailor::test;
using testing::HasSubstr;
using testing::Not;

namespace {

class WgslValues : public testing::Test {
protected:
  void SetUp() override {
    if (!naga::isAvailable())
      GTEST_SKIP() << naga::whyUnavailable();
  }
  static std::vector<uint32_t> glsl(const std::string &declarations, const std::string &body) {
    return module("#version 450\n"
                  "layout(local_size_x = 8, local_size_y = 8) in;\n"
                  "layout(binding = 0) buffer A { uint a[]; };\n" +
                  declarations + "\nvoid main() {\n  uvec3 g = gl_GlobalInvocationID;\n  " + body +
                  "\n}\n");
  }
  /// Types, constants and the like stand in `globals`, ahead of the function.
  static std::vector<uint32_t> assembly(const std::string &body, const std::string &globals = {},
                                        const std::string &head = {}) {
    std::string kernel = assemblyKernel("%u = OpLoad %uint %p\n%i = OpBitcast %int %u\n"
                                        "%f = OpBitcast %float %u\n" +
                                        body + "\nOpStore %p %r\nOpReturn");
    kernel.insert(kernel.find("%main = OpFunction"), globals);
    if (!head.empty())
      kernel.replace(0, kernel.find("OpMemoryModel"), head);
    return compile(kernel, "k.spvasm");
  }
  static std::string wgsl(const std::vector<uint32_t> &words, Dim3 size = {8, 8, 1}) {
    return text("wgsl", words, size);
  }
  static std::string refused(const std::vector<uint32_t> &words, Dim3 size = {8, 8, 1}) {
    const Diagnostic found = refusal("wgsl", words, size);
    EXPECT_NE(found.location.str(), "k.comp") << found.text; // with a place in it
    return found.text;
  }
  static constexpr Dim3 kEight = {8, 1, 1};
};

TEST_F(WgslValues, TheLargestFloatIsSpelledAsBits) {
  const std::string made =
      wgsl(glsl("", "float m = 3.402823466e+38, n = -3.402823466e+38;\n"
                    "for (uint k = 0; k < 4; k++) { m = min(m, uintBitsToFloat(a[k])); "
                    "n = max(n, uintBitsToFloat(a[k])); }\n"
                    "a[g.x] = floatBitsToUint(m - n);"));
  EXPECT_THAT(made, HasSubstr("= 0x1.fffffep+127f;"));
  EXPECT_THAT(made, HasSubstr("= -0x1.fffffep+127f;"));
  EXPECT_THAT(made, Not(HasSubstr("34028235")));
}

TEST_F(WgslValues, NoOperandIsAConstantThatWgslRefuses) {
  for (const char *body : {"%r = OpShiftLeftLogical %uint %u %u100", "%r = OpUDiv %uint %u %u0",
                           "%r = OpUMod %uint %u %u0", "%r = OpBitFieldUExtract %uint %u %u5 %u100",
                           "%r = OpBitFieldInsert %uint %u %u7 %u100 %u1",
                           "%l = OpExtInst %float %std Ldexp %f %u200\n%r = OpBitcast %uint %l",
                           "%r = OpExtInst %uint %std UClamp %u %u7 %u3"}) {
    const std::string made = wgsl(assembly(body), kEight);
    EXPECT_THAT(made, HasSubstr("var local")) << body << "\n" << made;
  }
  // All of them constants, which WGSL computes ahead of time.
  EXPECT_THAT(wgsl(assembly("%r = OpIMul %uint %u200 %u100"), kEight),
              Not(HasSubstr("200u * 100u")));
  // And what it takes anyway stays.
  EXPECT_THAT(wgsl(assembly("%r = OpShiftLeftLogical %uint %u %u5"), kEight),
              HasSubstr("<< bitcast<u32>(5u)"));
  EXPECT_THAT(wgsl(assembly("%r = OpUDiv %uint %u %u5"), kEight), HasSubstr("/ 5u"));
}

TEST_F(WgslValues, InfiniteConstantsAreRefusedWhereTheyStand) {
  EXPECT_THAT(refused(glsl("", "a[g.x] = floatBitsToUint(max(uintBitsToFloat(a[0]), "
                               "uintBitsToFloat(0xFF800000u)));")),
              HasSubstr("an infinite constant, or one that is no number, which OpBitcast has"));
  EXPECT_THAT(refused(glsl("", "vec4 m = vec4(-1.0 / 0.0); m = max(m, vec4(a[0])); "
                               "a[g.x] = floatBitsToUint(m.x);")),
              HasSubstr("which OpStore has"));
}

TEST_F(WgslValues, SubgroupsAreEnabledForThoseThatUseThem) {
  EXPECT_THAT(wgsl(glsl("", "uint subgroupCount[2]; subgroupCount[g.x & 1u] = 1u; "
                            "a[g.x] = subgroupCount[a[g.x] & 1u];")),
              Not(HasSubstr("enable subgroups;")));
}

/// A kernel of SPIR-V 1.3 with subgroups.
const char *const kSubgroups = "OpCapability Shader\nOpCapability GroupNonUniform\n"
                               "OpCapability GroupNonUniformArithmetic\n"
                               "%std = OpExtInstImport \"GLSL.std.450\"\n";

TEST_F(WgslValues, SubgroupsCompareByTheSignOfTheInstruction) {
  const std::string least =
      wgsl(assembly("%r = OpGroupNonUniformSMin %uint %u3 Reduce %u", "", kSubgroups), kEight);
  EXPECT_THAT(least, HasSubstr("enable subgroups;"));
  EXPECT_THAT(least, testing::ContainsRegex("subgroupMin\\(bitcast<i32>\\("));
  EXPECT_THAT(wgsl(assembly("%s = OpGroupNonUniformUMax %int %u3 Reduce %i\n"
                            "%r = OpBitcast %uint %s",
                            "", kSubgroups),
                   kEight),
              testing::ContainsRegex("subgroupMax\\(bitcast<u32>\\("));
  EXPECT_THAT(
      wgsl(assembly("%r = OpGroupNonUniformUMax %uint %u3 Reduce %u", "", kSubgroups), kEight),
      Not(HasSubstr("bitcast<u32>(_e")));
}

TEST_F(WgslValues, WhatMeansNothingIsDropped) {
  std::string kernel = assemblyKernel("OpStore %p %g\nOpReturn");
  kernel.insert(kernel.find("%std"), "OpExtension \"SPV_GOOGLE_hlsl_functionality1\"\n");
  kernel.insert(kernel.find("OpDecorate %b "), "OpDecorateString %b UserSemantic \"TEXCOORD\"\n");
  EXPECT_THAT(wgsl(compile(kernel, "k.spvasm"), kEight), HasSubstr("@workgroup_size(8, 1, 1)"));
  // Memory of the workgroup that starts as zero does in WGSL, too.
  EXPECT_THAT(wgsl(assembly("%q = OpLoad %uint %w\n%r = OpIAdd %uint %q %u",
                            "%zero = OpConstantNull %uint\n%pw = OpTypePointer Workgroup %uint\n"
                            "%w = OpVariable %pw Workgroup %zero\n"),
                   kEight),
              HasSubstr("var<workgroup>"));
  EXPECT_THAT(wgsl(assembly("%n = OpUndef %uint\n%z = OpIMul %uint %n %u\n"
                            "%r = OpIAdd %uint %z %u"),
                   kEight),
              HasSubstr("fn main"));
}

TEST_F(WgslValues, CoordinatesOfArrayedImagesArePulledApart) {
  EXPECT_THAT(wgsl(glsl("layout(binding = 1, r32ui) writeonly uniform uimage2DArray im;",
                        "imageStore(im, ivec3(g), uvec4(7));")),
              HasSubstr("textureStore(im, vec2<i32>("));
}

TEST_F(WgslValues, WhatNagaFindsWrongIsRefusedWhereItStands) {
  EXPECT_THAT(refused(glsl("layout(binding = 1) uniform sampler2DArray s;",
                           "a[g.x] = uint(textureSize(s, 0).z);")),
              HasSubstr("OpImageQuerySizeLod of an arrayed image"));
  EXPECT_THAT(refused(glsl("shared uint t[4];", "atomicAdd(t[g.x & 3u], 1u); uint u[4] = t; "
                                                "a[g.x] = u[a[g.x] & 3u];")),
              HasSubstr("OpLoad of a structure or an array as a whole, a part of which is "
                        "atomic: 't'"));
  EXPECT_THAT(refused(glsl("layout(binding = 1) buffer V { uvec4 v; };", "atomicAdd(v.y, 1u);")),
              HasSubstr("OpAtomicIAdd on a component of a vector"));
  EXPECT_THAT(refused(glsl("layout(binding = 1) buffer C { uint c[]; };\n"
                           "layout(binding = 1) buffer D { float d[]; };",
                           "c[g.x] = 1u; a[g.x] = uint(d[g.x]);")),
              HasSubstr("two resources in one place: 'C' and 'D' share binding 1 of group 0"));
  EXPECT_THAT(refused(glsl("layout(binding = 1) uniform usampler2D s;",
                           "a[g.x] = textureLod(s, vec2(g.xy), 0.0).x;")),
              HasSubstr("OpImageSampleExplicitLod of a texture of integers"));
  const std::string pair = "%pair = OpTypeStruct %uint %uint\n";
  EXPECT_THAT(
      refused(assembly("%c = OpULessThan %bool %u %u5\n"
                       "%s = OpCompositeConstruct %pair %u %g\n"
                       "%t = OpCompositeConstruct %pair %g %u\n"
                       "%x = OpSelect %pair %c %s %t\n%r = OpCompositeExtract %uint %x 1",
                       pair, "OpCapability Shader\n%std = OpExtInstImport \"GLSL.std.450\"\n"),
              kEight),
      HasSubstr("OpSelect of structures or arrays"));
}

TEST_F(WgslValues, WhatNagaDoesNotReadIsNamedWhereItStands) {
  const Diagnostic found =
      refusal("wgsl", assembly("%q = OpQuantizeToF16 %float %f\n%r = OpBitcast %uint %q"), kEight);
  EXPECT_EQ(found.text, "wgsl cannot express OpQuantizeToF16");
  EXPECT_THAT(found.location.str(), HasSubstr("word"));
}

} // namespace
