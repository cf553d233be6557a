//===- test/unit/Backends/EsslTests.cpp --------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GlslSupport.h"

#include <gmock/gmock.h>

using namespace tailor;
using namespace tailor::test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

TEST(Essl, BothVersionsCompile) {
  for (uint32_t version : {310u, 320u}) {
    const Emitted made = glslOf(module(kKernel), esOptions(version), "essl", {8, 4, 1});
    const std::string text = std::to_string(version) + " es";
    EXPECT_THAT(made.code, HasSubstr("#version " + text + "\n"));
    EXPECT_THAT(made.code,
                HasSubstr("layout(local_size_x = 8, local_size_y = 4, local_size_z = 1) in;"));
    EXPECT_THAT(made.code, HasSubstr("layout(binding = 3, std140) uniform PushConstants"));
    EXPECT_THAT(made.code, Not(HasSubstr("#extension")));
    EXPECT_EQ(made.interface.version, text);
    EXPECT_THAT(made.interface.features, IsEmpty());
  }
  const Diagnostic refused = refusal("essl", module(kKernel), {8, 4, 1}, esOptions(300));
  EXPECT_EQ(refused.kind, ErrorKind::Usage);
  EXPECT_EQ(refused.text, "compute shaders need GLSL ES 310 or 320, not 300");
}

TEST(Essl, TheOtherTargetsVersionDoesNotMatter) {
  EmitOptions options;
  options.vulkanGlsl = true;
  EXPECT_THAT(glslOf(module(kKernel), options, "essl", {8, 4, 1}).code,
              HasSubstr("#version 310 es"));
}

/// What a version of GLSL ES lacks.
struct EsCase {
  const char *name, *declarations, *body, *message;
  bool in320; ///< GLSL ES 3.20 has it
  bool inGlsl = true;
  const char *more = "";
};
class EsRefusals : public testing::TestWithParam<EsCase> {};

TEST_P(EsRefusals, AreLocatedAndNamed) {
  const EsCase &each = GetParam();
  const std::vector<uint32_t> words = kernel(each.declarations, each.body, each.more);
  for (uint32_t version : {310u, 320u}) {
    if (version == 320 && each.in320) {
      glslOf(words, esOptions(version), "essl");
      continue;
    }
    const Diagnostic refused = refusal("essl", words, {8, 1, 1}, esOptions(version));
    EXPECT_EQ(refused.kind, ErrorKind::Refused);
    EXPECT_EQ(refused.text, "essl " + std::to_string(version) + " cannot express " + each.message);
    EXPECT_NE(refused.location.word, Location::kUnknownWord);
  }
  if (each.inGlsl)
    glslOf(words);
  else
    EXPECT_FALSE(emitAs("glsl", words, {8, 1, 1}));
}

INSTANTIATE_TEST_SUITE_P(
    All, EsRefusals,
    testing::Values(
        EsCase{"doubles", "layout(binding = 1) buffer B { double b[]; };", "b[i] += 1.0LF;",
               "64-bit floats", false},
        EsCase{"longs", "layout(binding = 1) buffer B { int64_t b[]; };", "b[i] += 1L;",
               "64-bit integers", false},
        EsCase{"halves", "layout(binding = 1) buffer B { float16_t b[]; };",
               "b[i] += float16_t(1);", "16-bit floats", false, false},
        EsCase{"formats", "layout(binding = 1, rg32f) uniform writeonly image2D t;",
               "imageStore(t, ivec2(0), vec4(1));", "the image format rg32f ('t')", false},
        EsCase{"noFormat", "layout(binding = 1) uniform writeonly image2D t;",
               "imageStore(t, ivec2(0), vec4(1));", "storage images without a format ('t')", false},
        EsCase{"readWrite", "layout(binding = 1, rgba8) uniform image2D t;",
               "imageStore(t, ivec2(0), imageLoad(t, ivec2(1)));",
               "an image of the format rgba8 that is both read and written ('t')", false},
        EsCase{"oneDimension", "layout(binding = 1) uniform sampler1D t;",
               "a[i] = uint(texelFetch(t, 0, 0).x);", "one-dimensional images ('t')", false},
        EsCase{"oneDimensionalImage", "layout(binding = 1, r32f) uniform image1D t;",
               "imageStore(t, 0, vec4(1));", "one-dimensional images ('t')", false},
        EsCase{"cubeArrays", "layout(binding = 1) uniform samplerCubeArray t;",
               "a[i] = uint(textureLod(t, vec4(0), 0.0).x);",
               "arrays of cube images, which GLSL ES has from 3.20 on ('t')", true},
        EsCase{"sampleArrays", "layout(binding = 1) uniform sampler2DMSArray t;",
               "a[i] = uint(texelFetch(t, ivec3(0), 0).x);",
               "arrays of multisampled images, which GLSL ES has from 3.20 on ('t')", true},
        EsCase{"queryLevels", "layout(binding = 1) uniform sampler2D t;",
               "a[i] = uint(textureQueryLevels(t));", "a question for levels of detail", false},
        EsCase{"querySamples", "layout(binding = 1) uniform sampler2DMS t;",
               "a[i] = uint(textureSamples(t));", "a question for samples", false},
        EsCase{"gatherOffset", "layout(binding = 1) uniform sampler2D t;",
               "a[i] = uint(textureGatherOffset(t, vec2(0), ivec2(int(n))).x);",
               "a gather with an offset that is no constant, which GLSL ES has from 3.20 on", true},
        EsCase{"gatherOffsets", "layout(binding = 1) uniform sampler2D t;",
               "a[i] = uint(textureGatherOffsets(t, vec2(0), ivec2[4](ivec2(0), ivec2(1), "
               "ivec2(2), ivec2(3))).x);",
               "a gather with four offsets, which GLSL ES has from 3.20 on", true},
        EsCase{"samplerArrays", "layout(binding = 1) uniform sampler2D t[2];",
               "a[i] = uint(texelFetch(t[n], ivec2(0), 0).x);",
               "an array of resources with an index that is no constant ('t')", true},
        EsCase{"imageArrays", "layout(binding = 1, r32f) uniform writeonly image2D t[2];",
               "imageStore(t[n], ivec2(0), vec4(1));",
               "an array of images with an index that is no constant ('t')", false},
        EsCase{"bufferArrays", "layout(binding = 1) buffer B { uint x; } b[2];", "a[i] = b[n].x;",
               "an array of storage buffers with an index that is no constant ('b')", false},
        EsCase{"precise", "", "precise float x = float(n) * 3.0 + 1.0; a[i] = floatBitsToUint(x);",
               "arithmetic that must not be contracted (NoContraction), which GLSL ES has from "
               "3.20 on",
               true},
        EsCase{"subgroups", "", "a[i] = subgroupAdd(n);", "subgroup operations", false, false,
               "#extension GL_KHR_shader_subgroup_arithmetic : require\n"},
        EsCase{"subgroupSize", "", "a[i] = gl_SubgroupSize;", "subgroup built-in values", false,
               false, "#extension GL_KHR_shader_subgroup_basic : require\n"},
        EsCase{"orderedAtomics", "",
               "a[i] = atomicAdd(n, 1, gl_ScopeDevice, gl_StorageSemanticsBuffer, "
               "gl_SemanticsRelease);",
               "an atomic operation that orders other accesses", false, false,
               "#extension GL_KHR_memory_scope_semantics : require\n"},
        EsCase{"floatAtomics", "layout(binding = 1) buffer B { float b[]; };",
               "atomicAdd(b[i], 1.0);", "atomic operations on floats", false, false,
               "#extension GL_EXT_shader_atomic_float : require\n"},
        EsCase{"unboundArrays", "layout(binding = 1) buffer B { uint x; } b[];",
               "a[i] = b[nonuniformEXT(n)].x;", "an array of resources without a length ('b')",
               false, false, "#extension GL_EXT_nonuniform_qualifier : require\n"}),
    [](const auto &each) { return std::string(each.param.name); });

TEST(Essl, ImagesOf32BitsMayBeReadAndWritten) {
  for (const char *format : {"r32f", "r32i", "r32ui"}) {
    const std::string prefix = format[3] == 'f' ? "" : format[3] == 'i' ? "i" : "u";
    glslOf(
        kernel("layout(binding = 1, " + std::string(format) + ") uniform " + prefix + "image2D t;",
               "imageStore(t, ivec2(0), imageLoad(t, ivec2(1)));"),
        {}, "essl");
  }
}

TEST(Essl, ExtensionsOf31AreFeatures) {
  const std::vector<uint32_t> atomics =
      kernel("layout(binding = 1, r32ui) uniform uimage2D t;", "imageAtomicAdd(t, ivec2(0), 1u);");
  EXPECT_THAT(glslOf(atomics, esOptions(310), "essl").interface.features,
              ElementsAre("GL_OES_shader_image_atomic"));
  EXPECT_THAT(glslOf(atomics, esOptions(320), "essl").interface.features, IsEmpty());
  const std::vector<uint32_t> texels = kernel("layout(binding = 1) uniform samplerBuffer t;",
                                              "a[i] = uint(texelFetch(t, int(i)).x);");
  const Emitted made = glslOf(texels, esOptions(310), "essl");
  EXPECT_THAT(made.interface.features, ElementsAre("GL_EXT_texture_buffer"));
  EXPECT_EQ(made.interface.resources[1].kind, "texel_buffer");
  EXPECT_THAT(glslOf(texels, esOptions(320), "essl").interface.features, IsEmpty());
}

TEST(Essl, IntegerArithmeticInTwoWordsStays) {
  glslOf(kernel("", "uint c, h, l; a[i] = uaddCarry(i, n, c) + c; umulExtended(i, n, h, l); "
                    "a[0] = h + l; a[1] = usubBorrow(i, n, c) + c;"),
         {}, "essl");
}

TEST(Essl, BindingsFitWhatIsGuaranteed) {
  // OpenGL ES 3.1 guarantees the points 0 to 3 of storage buffers.
  const Emitted made =
      glslOf(kernel("layout(binding = 7) buffer B { uint b[]; };", "b[i] = a[i];"), {}, "essl");
  EXPECT_THAT(made.code, HasSubstr("layout(binding = 1, std430) buffer B"));
  EXPECT_EQ(made.interface.resources[1].place, (std::vector<PlaceNumber>{{"binding", 1}}));
  EXPECT_EQ(made.interface.resources[1].binding, 7u);
}

TEST(Essl, MinimumSpecSizesAreTheLimit) {
  const std::string source = "#version 450\nlayout(local_size_x = 256) in;\nlayout(binding = 0) "
                             "buffer A { uint a[]; };\nvoid main() { a[0] = 1; }\n";
  EXPECT_EQ(refusal("essl", module(source), {256, 1, 1}).text,
            "workgroup has 256 invocations along x, essl guarantees 128");
}

} // namespace
