//===- languages/msl/MslFeatureTests.cpp - What the suite does not use ----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small kernels for the parts of the language that no kernel of the suite uses:
// what is emitted must have the right types and address spaces.
//
//===----------------------------------------------------------------------===//
#include "../unit/Backends/NamedKernel.h"
#include "../unit/Backends/Shaders.h"
#include "LanguageCases.h"
#include "msl/MslLibrary.h"

#include <gmock/gmock.h>

#include <array>

namespace tailor::languages {
namespace {

struct Feature {
  const char *name, *declarations, *body;
};

const Feature kFeatures[] = {
    {"bool_in_shared_memory", "shared bool t[8];",
     "t[l] = a[l] > 3; barrier(); a[l] = t[7u - l] ? 1 : 0;"},
    {"vec3_in_shared_memory", "shared vec3 t[8];",
     "t[l] = vec3(a[l]); barrier(); a[l] = int(t[7u - l].z + t[l].x);"},
    {"structures", "struct S { vec3 p; float w; vec2 q; };\nshared S t[8];\n",
     "S s; s.p = vec3(1, 2, 3); s.w = 4.0; s.q = vec2(l); t[l] = s; barrier(); a[l] = "
     "int(t[7u - l].p.y + t[l].q.x);"},
    {"matrices_in_buffers", "layout(binding = 1) buffer M { mat3 m; mat4 n; vec3 v; };",
     "v = m * v; a[l] = int((n * vec4(v, 1.0)).x + (transpose(n) * n)[1].y);"},
    {"comparisons", "",
     "bvec3 b = lessThan(ivec3(a[l]), ivec3(a[0], a[1], a[2])); a[l] = any(b) && "
     "!all(not(b)) ? int(b.y) : 3;"},
    {"extended_arithmetic", "",
     "uint c; uint s = uint(a[0]) + uint(a[1]); a[l] = int(s) + "
     "bitCount(a[2]) + findMSB(uint(a[3])) + findLSB(a[4]) + "
     "bitfieldExtract(a[5], 3, 4) + bitfieldInsert(a[5], a[6], 2, 3);"},
    {"compare_and_swap", "shared uint t;",
     "if (l == 0u) t = 0u; barrier(); uint o = atomicCompSwap(t, l, l + 1u); barrier(); a[l] = "
     "int(t + atomicExchange(t, 3u) + atomicMax(t, o) + atomicXor(t, o));"},
    {"floats", "",
     "float x = float(a[l]); int e; float f = frexp(x, e); a[l] = int(ldexp(f, e) + "
     "mod(x, 3.0) + sign(x) + fract(x) + smoothstep(0.0, 1.0, x) + step(x, 1.0) + "
     "atan(x, 2.0) + length(vec2(x)) + inversesqrt(x) + tanh(x) + round(x));"},
    {"packing", "",
     "a[l] = int(packHalf2x16(vec2(a[0])) + packUnorm4x8(vec4(a[1])) + "
     "packUnorm2x16(unpackUnorm2x16(uint(a[3]))) + "
     "uint(unpackUnorm4x8(uint(a[2])).x));"},
    {"images_read_and_written", "layout(binding = 1, r32f) uniform image2D t;\n",
     "imageStore(t, ivec2(l), imageLoad(t, ivec2(l)) * 2.0); a[l] = imageSize(t).x;"},
    {"images_of_integers",
     "layout(binding = 1, r32ui) readonly uniform uimage3D t;\n"
     "layout(binding = 2, rgba16i) writeonly uniform iimage2D w;\n",
     "imageStore(w, ivec2(l), ivec4(imageLoad(t, ivec3(l))));"},
    {"samplers",
     "layout(binding = 1) uniform sampler2D s;\nlayout(binding = 2) uniform sampler3D v;\n"
     "layout(binding = 3) uniform sampler2D many[2];\n",
     "a[l] = int(textureLod(s, vec2(0.5), 0.0).x + textureLod(v, vec3(0.5), 0.0).y + "
     "textureLod(many[1], vec2(0.5), 0.0).x);"},
    {"texel_buffers", "layout(binding = 1) uniform samplerBuffer t;\n",
     "a[l] = int(texelFetch(t, int(l)).x);"},
    {"arrays_that_are_values",
     "const float k[4] = float[](1.0, 2.0, 3.0, 4.0);\n"
     "float f(float p[4], int i) { p[i] += 1.0; return p[3 - i]; }\n",
     "float p[4] = k; p[l & 3u] = 9.0; a[l] = int(f(p, int(l & 3u)) + k[l & 3u]);"},
    {"pointers_to_shared_memory",
     "shared uint t[8];\n"
     "void put(inout uint x) { x = atomicAdd(t[0], x); }\n",
     "put(t[l]); barrier(); a[l] = int(t[l]);"},
    {"subgroups", "",
     "a[l] = int(subgroupAdd(l)) + int(subgroupMax(l)) + "
     "int(subgroupBroadcastFirst(l)) + (subgroupElect() ? 1 : 0);"},
    {"half_precision", "layout(binding = 1) buffer H { f16vec4 h[]; };\n",
     "h[l] = h[l + 1u] * float16_t(2.0) + f16vec4(a[l]); a[l] = int(dot(h[l].xyz, h[0].xyz));"},
    {"small_integers",
     "layout(binding = 1) buffer H { u8vec4 b[]; };\n"
     "layout(binding = 2) buffer I { int16_t s[]; };\n",
     "b[l] = b[l + 1u] + u8vec4(3); s[l] = s[0] * int16_t(a[l]);"},
};

class MslFeatures : public testing::TestWithParam<Feature> {};

TEST_P(MslFeatures, HaveTheirTypesAndAddressSpaces) {
  Result<std::unique_ptr<MslCompiler>> compiler = MslCompiler::create();
  if (!compiler) {
    missing("clang++-19");
    return;
  }
  const std::vector<uint32_t> words =
      test::module("#version 450\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
                   "#extension GL_EXT_shader_16bit_storage : require\n"
                   "#extension GL_EXT_shader_8bit_storage : require\n"
                   "#extension GL_KHR_shader_subgroup_arithmetic : require\n"
                   "#extension GL_KHR_shader_subgroup_ballot : require\n"
                   "layout(local_size_x = 8) in;\nlayout(binding = 0) buffer A { int a[]; };\n" +
                   std::string(GetParam().declarations) +
                   "\nvoid main() {\n  uint l = "
                   "gl_LocalInvocationIndex;\n" +
                   GetParam().body + "\n}\n");
  for (uint32_t version : {20300u, 30100u}) {
    EmitOptions options;
    options.mslVersion = version;
    Result<Emitted> made = emit("msl", {words, "main", {8, 1, 1}, GetParam().name, options});
    ASSERT_TRUE(made) << made.diagnostic().text;
    const MslSource source{GetParam().name, made->code, made->interface.entryPoint, {}};
    EXPECT_EQ((*compiler)->checkAddressSpaces({&source, 1}), "") << made->code;
    Result<std::vector<MslKernel>> kernels = (*compiler)->compile({&source, 1});
    EXPECT_TRUE(kernels) << kernels.diagnostic().text << made->code;
  }
}

INSTANTIATE_TEST_SUITE_P(All, MslFeatures, testing::ValuesIn(kFeatures),
                         [](const auto &each) { return std::string(each.param.name); });

/// Each kind of thing may be called as words of Metal are, and as SPIRV-Cross calls its own.
TEST(MslNames, MayBeAnythings) {
  Result<std::unique_ptr<MslCompiler>> compiler = MslCompiler::create();
  if (!compiler) {
    missing("clang++-19");
    return;
  }
  std::vector<MslSource> sources;
  for (const std::vector<std::string> &names : test::hardNameParts(12)) {
    const std::vector<uint32_t> words = test::compile(test::namedKernel(names), "names.spvasm");
    Result<Emitted> made = emit("msl", {words, "main", {8, 1, 1}, "names", {}});
    ASSERT_TRUE(made) << made.diagnostic().text;
    sources.push_back(
        {"names" + std::to_string(sources.size()), made->code, made->interface.entryPoint, {}});
  }
  Result<std::vector<MslKernel>> kernels = (*compiler)->compile(sources);
  EXPECT_TRUE(kernels) << kernels.diagnostic().text;
}

} // namespace
} // namespace tailor::languages
