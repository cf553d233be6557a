//===- unit/Backends/WgslTests.cpp - WGSL out -------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Shaders.h"

#include "Backends/Emitters.h"
#include "Naga/Naga.h"

#include <gmock/gmock.h>

namespace tailor {
namespace {

using test::emitAs;
using test::module;
using testing::HasSubstr;
using testing::Not;

class WgslOut : public testing::Test {
protected:
  void SetUp() override {
    if (!naga::isAvailable())
      GTEST_SKIP() << naga::whyUnavailable();
  }

  static Emitted made(const std::string &glsl, Dim3 size) {
    Result<Emitted> made = emit("wgsl", {module(glsl), "main", size, "k.comp", {}});
    if (made)
      return std::move(*made);
    ADD_FAILURE() << made.diagnostic().location.str() << ": " << made.diagnostic().text;
    return {};
  }
  static std::string text(const std::string &glsl, Dim3 size) { return made(glsl, size).code; }

  static Diagnostic refused(const std::string &glsl, Dim3 size) {
    Result<Emitted> made = emit("wgsl", {module(glsl), "main", size, "k.comp", {}});
    if (!made)
      return made.diagnostic();
    ADD_FAILURE() << "not refused:\n" << made->code;
    return {};
  }
};

constexpr const char *kHead = "#version 450\nlayout(local_size_x = 8, local_size_y = 4) in;\n";
std::string kernel(const std::string &rest) { return kHead + rest; }
constexpr Dim3 kSize{8, 4, 1};

TEST_F(WgslOut, StatesSizeAndResources) {
  const Emitted emitted =
      made(kernel("layout(set = 1, binding = 3) readonly buffer A { uint a[]; };\n"
                  "layout(set = 0, binding = 0) buffer B { uint b[]; };\n"
                  "layout(push_constant) uniform P { uint n; vec2 f; } p;\n"
                  "void main() { b[gl_GlobalInvocationID.x] = a[p.n] + uint(p.f.x); }\n"),
           kSize);
  EXPECT_EQ(sizeInWgsl(emitted.code), kSize);
  EXPECT_THAT(emitted.code, HasSubstr("@group(1) @binding(3) \nvar<storage> "));
  EXPECT_THAT(emitted.code, HasSubstr("@group(0) @binding(0) \nvar<storage, read_write> "));
  EXPECT_THAT(emitted.code, HasSubstr("@group(0) @binding(1) \nvar<uniform> "));
  EXPECT_THAT(emitted.code, Not(HasSubstr("immediate")));
  const LanguageInterface &interface = emitted.interface;
  EXPECT_EQ(interface.entryPoint, "main");
  ASSERT_EQ(interface.resources.size(), 2u);
  EXPECT_TRUE(interface.resources[0].writes);
  EXPECT_FALSE(interface.resources[1].writes);
  EXPECT_EQ(interface.resources[1].set, 1u);
  EXPECT_EQ(interface.resources[1].binding, 3u);
  ASSERT_EQ(interface.values.size(), 1u);
  EXPECT_EQ(interface.values[0].what, "push_constants");
  EXPECT_EQ(interface.values[0].kind, "uniform_buffer");
  EXPECT_EQ(interface.values[0].bytes, 16u);
  EXPECT_EQ(interface.values[0].place, (std::vector<PlaceNumber>{{"group", 0}, {"binding", 1}}));
}

TEST_F(WgslOut, PushConstantsThatUniformBuffersCannotHoldAreStorage) {
  const Emitted emitted = made(kernel("layout(set = 0, binding = 0) buffer B { float b[]; };\n"
                                      "layout(push_constant) uniform P { float f[5]; } p;\n"
                                      "void main() { b[0] = p.f[gl_LocalInvocationIndex % 5]; }\n"),
                               kSize);
  EXPECT_EQ(emitted.interface.values.at(0).kind, "storage_buffer");
  EXPECT_EQ(emitted.interface.values.at(0).bytes, 20u);
}

TEST_F(WgslOut, SamplersStandApart) {
  const Emitted emitted =
      made(kernel("layout(set = 0, binding = 0) uniform sampler2D s;\n"
                  "layout(set = 0, binding = 1, rgba8) writeonly uniform image2D t;\n"
                  "void main() { ivec2 p = ivec2(gl_GlobalInvocationID.xy);\n"
                  "  imageStore(t, p, textureLod(s, vec2(p) / 64.0, 0.0)); }\n"),
           kSize);
  EXPECT_THAT(emitted.code, HasSubstr("textureSampleLevel("));
  ASSERT_EQ(emitted.interface.resources.size(), 3u);
  const PlacedResource &sampler = emitted.interface.resources[0];
  const PlacedResource &texture = emitted.interface.resources[1];
  EXPECT_EQ(sampler.kind, "sampler");
  EXPECT_EQ(sampler.binding, 0u);
  EXPECT_EQ(sampler.place, (std::vector<PlaceNumber>{{"group", 0}, {"binding", 2}}));
  EXPECT_EQ(texture.kind, "texture");
  EXPECT_EQ(texture.place, (std::vector<PlaceNumber>{{"group", 0}, {"binding", 0}}));
  EXPECT_EQ(emitted.interface.resources[2].kind, "image");
  EXPECT_TRUE(emitted.interface.resources[2].writes);
}

TEST_F(WgslOut, IdsAreParameters) {
  const std::string code =
      text(kernel("layout(set = 0, binding = 0) buffer B { uint b[]; };\nshared uint s;\n"
                  "uint id() { return gl_WorkGroupID.x; }\n"
                  "void main() { if (id() == 3u) { s = 1; barrier(); b[0] = s; } }\n"),
           kSize);
  EXPECT_THAT(code, Not(HasSubstr("var<private>")));
  EXPECT_THAT(code, HasSubstr("workgroupBarrier();"));
}

TEST_F(WgslOut, FlagsInWorkgroupMemoryAreLoadedTogether) {
  const std::string code =
      text(kernel("layout(set = 0, binding = 0) buffer B { uint b[]; };\n"
                  "shared uint done; shared uint s[32];\n"
                  "void main() { uint l = gl_LocalInvocationIndex;\n"
                  "  for (;;) { if (l == 0) done = b[0]; barrier(); uint d = done; barrier();\n"
                  "    if (d != 0) break; s[l] = b[l]; barrier(); b[l] = s[31 - l]; } }\n"),
           kSize);
  EXPECT_THAT(code, HasSubstr("workgroupUniformLoad((&done))"));
  EXPECT_THAT(code, Not(HasSubstr("tailor_uniform_load")));
}

TEST_F(WgslOut, BarriersThatWgslCannotProveAreRefused) {
  const Diagnostic diagnostic =
      refused(kernel("layout(set = 0, binding = 0) buffer B { uint b[]; };\n"
                     "shared uint s[32];\n"
                     "void main() { uint l = gl_LocalInvocationIndex; s[l] = l;\n"
                     "  if (b[0] == 1)\n"
                     "    barrier();\n"
                     "  b[l] = s[31 - l]; }\n"),
              kSize);
  EXPECT_EQ(diagnostic.location.str(), "k.comp:7");
  EXPECT_EQ(diagnostic.text,
            "wgsl cannot show that all invocations of a workgroup come to this barrier");
  ASSERT_EQ(diagnostic.notes.size(), 2u);
  EXPECT_EQ(diagnostic.notes[0].location.line, 6u);
  EXPECT_EQ(diagnostic.notes[1].location.line, 6u);
}

TEST_F(WgslOut, ExchangesDoNotFailForNoReason) {
  const std::string code =
      text(kernel("layout(set = 0, binding = 0) buffer B { uint b[]; };\n"
                  "void main() { b[1] = atomicCompSwap(b[0], 3u, gl_WorkGroupID.x); }\n"),
           kSize);
  EXPECT_THAT(code, HasSubstr(".exchanged || "));
  EXPECT_THAT(code, HasSubstr(".old_value != 3u) {"));
}

TEST_F(WgslOut, SignedModuloTakesNoFloats) {
  const std::string code = text(kernel("layout(set = 0, binding = 0) buffer B { ivec2 b[]; };\n"
                                       "void main() { b[0] = b[1] % b[2]; }\n"),
                                kSize);
  EXPECT_THAT(code, HasSubstr(" % "));
  EXPECT_THAT(code, Not(HasSubstr("f32")));
}

TEST_F(WgslOut, MemoryBarriersBesideBarriersJoinThem) {
  const std::string code =
      text(kernel("layout(set = 0, binding = 0) buffer B { uint b[]; };\n"
                  "void main() { b[gl_LocalInvocationIndex] = 1; memoryBarrier(); barrier();\n"
                  "  b[40 + gl_LocalInvocationIndex] = b[31 - gl_LocalInvocationIndex]; }\n"),
           kSize);
  EXPECT_THAT(code, HasSubstr("storageBarrier();"));
}

TEST_F(WgslOut, FeaturesAreEnabled) {
  const std::string source =
      "#version 450\n#extension GL_KHR_shader_subgroup_arithmetic : require\n"
      "layout(local_size_x = 32) in;\n"
      "layout(set = 0, binding = 0) buffer B { uint b[]; };\n"
      "void main() { b[gl_LocalInvocationIndex] = subgroupAdd(b[gl_LocalInvocationIndex]); }\n";
  const Emitted emitted = made(source, {32, 1, 1});
  EXPECT_THAT(emitted.code, HasSubstr("enable subgroups;"));
  EXPECT_THAT(emitted.interface.features, testing::ElementsAre("subgroups"));
}

struct Refusal {
  const char *source, *place, *text;
};
TEST_F(WgslOut, RefusesWhatWgslLacks) {
  const Refusal refusals[] = {
      {"layout(set = 0, binding = 0) buffer B { double b[]; };\nvoid main() { b[0] = 1.0lf; }\n",
       "k.comp", "64-bit floats"},
      {"layout(set = 0, binding = 0, r32ui) uniform uimage2D t;\n"
       "void main() {\n  imageAtomicAdd(t, ivec2(0), 1u);\n}\n",
       "k.comp:5", "atomics on images"},
      {"layout(set = 0, binding = 0) buffer B { uint b[]; } x[2];\n"
       "void main() { x[gl_WorkGroupID.x].b[0] = 1; }\n",
       "k.comp", "an array of resources"},
      {"layout(set = 0, binding = 0, rgba8) uniform image2D t;\n"
       "void main() { imageStore(t, ivec2(0), imageLoad(t, ivec2(1))); }\n",
       "k.comp", "read and written"},
      {"layout(set = 0, binding = 0, rg8) writeonly uniform image2D t;\n"
       "void main() { imageStore(t, ivec2(0), vec4(1)); }\n",
       "k.comp", "a storage image of this format"},
      {"layout(set = 0, binding = 0) buffer B { uint b[]; };\n"
       "void main() { b[0] = 1;\n  memoryBarrier();\n  atomicAdd(b[1], 1u); }\n",
       "k.comp:5", "a memory barrier that no control barrier follows"},
      {"layout(set = 0, binding = 0) buffer B { uint b[]; };\nshared uint last;\n"
       "void main() { b[gl_LocalInvocationIndex] = 1;\n  memoryBarrierBuffer();\n  barrier();\n"
       "  if (gl_LocalInvocationIndex == 0) last = atomicAdd(b[100], 1u);\n  barrier();\n"
       "  if (last == 7) b[101] = b[3]; }\n",
       "k.comp:7", "a barrier that orders memory for other workgroups"},
      {"layout(set = 0, binding = 0) buffer B { float b[]; };\n"
       "void main() {\n  b[0] = 1.0 / 0.0;\n}\n",
       "k.comp:5", "an infinite constant"},
  };
  for (const Refusal &each : refusals) {
    const Diagnostic diagnostic = refused(kernel(each.source), kSize);
    EXPECT_THAT(diagnostic.text, HasSubstr(each.text));
    EXPECT_THAT(diagnostic.location.str(), HasSubstr(each.place)) << diagnostic.text;
    EXPECT_EQ(diagnostic.kind, ErrorKind::Refused);
  }
}

/// Every instruction of GLSL.std.450 that GLSL has: written, or refused by its name where it
/// stands.
TEST_F(WgslOut, ExtendedInstructionsAreWrittenOrNamed) {
  struct Case {
    const char *statement, *refused;
  };
  const Case cases[] = {
      {"o = round(v) + roundEven(v) + trunc(v) + abs(v) + sign(v) + floor(v) + ceil(v);", ""},
      {"o = fract(v) + radians(v) + degrees(v) + sin(v) + cos(v) + tan(v) + asin(v);", ""},
      {"o = acos(v) + atan(v) + sinh(v) + cosh(v) + tanh(v) + asinh(v) + acosh(v);", ""},
      {"o = atanh(v) + atan(v, w) + pow(v, w) + exp(v) + log(v) + exp2(v) + log2(v);", ""},
      {"o = sqrt(v) + inversesqrt(v) + min(v, w) + max(v, w) + clamp(v, w, v);", ""},
      {"o = mix(v, w, 0.5) + step(v, w) + smoothstep(v, w, v) + fma(v, w, v);", ""},
      {"o.x = determinant(mat3(v.xyz, w.xyz, v.yzw)); o.yz = inverse(mat2(v.xy, w.xy))[0];", ""},
      {"o = ldexp(v, ivec4(w)); o.xyz = cross(v.xyz, w.xyz);", ""},
      {"o = normalize(v) + faceforward(v, w, v) + reflect(v, w) + refract(v, w, 0.5);", ""},
      {"o.x = length(v) + distance(v, w) + length(v.x) + distance(v.x, w.x);", ""},
      {"o.x = float(findLSB(uint(v.x)) + findMSB(uint(v.x)) + findMSB(int(v.x)));", ""},
      {"o.x = float(abs(int(v.x)) + sign(int(v.x)) + clamp(int(v.x), 1, 3));", ""},
      {"o = unpackSnorm4x8(packUnorm4x8(v)) + unpackUnorm4x8(packSnorm4x8(w));", ""},
      {"o.xy = unpackHalf2x16(packSnorm2x16(v.xy)) + unpackUnorm2x16(packHalf2x16(v.xy));", ""},
      {"vec4 whole; o = modf(v, whole) + whole;", "Modf of GLSL.std.450"},
      {"ivec4 e; o = frexp(v, e) + vec4(e);", "FrexpStruct of GLSL.std.450"},
      {"o.x = normalize(v.x);", "Normalize of a scalar of GLSL.std.450"},
      {"o.x = faceforward(v.x, w.x, v.y);", "FaceForward of a scalar of GLSL.std.450"},
      {"o.x = reflect(v.x, w.x);", "Reflect of a scalar of GLSL.std.450"},
      {"o.x = refract(v.x, w.x, 0.5);", "Refract of a scalar of GLSL.std.450"},
      {"o.xyz = outerProduct(v.xyz, w.xyz)[0];", "OpOuterProduct"},
      {"o.x = isnan(v.x) ? 1.0 : 0.0;", "OpIsNan"},
      {"o.x = isinf(v.x) ? 1.0 : 0.0;", "OpIsInf"},
  };
  for (const Case &each : cases) {
    const std::string source = kernel("layout(set = 0, binding = 0) buffer B { vec4 b[]; };\n"
                                      "void main() { uint x = gl_GlobalInvocationID.x; vec4 v = "
                                      "b[x], w = b[x + 1], o = v;\n") +
                               each.statement + "\nb[x] = o; }\n";
    if (each.refused[0] == 0) {
      EXPECT_NE(text(source, kSize), "") << each.statement;
      continue;
    }
    const Diagnostic diagnostic = refused(source, kSize);
    EXPECT_EQ(diagnostic.text, std::string("wgsl cannot express ") + each.refused);
    EXPECT_EQ(diagnostic.location.str(), "k.comp:5") << each.statement;
  }
}

TEST_F(WgslOut, RefusesOverTheLimitsWithBothFigures) {
  std::string buffers, body;
  for (int i = 0; i < 9; ++i) {
    const std::string n = std::to_string(i);
    buffers += "layout(set = 0, binding = " + n + ") buffer B" + n + " { uint b" + n + "[]; };\n";
    body += "b" + n + "[0] = 1;";
  }
  EXPECT_THAT(refused(kernel(buffers + "void main() {" + body + "}\n"), kSize).text,
              HasSubstr("9 or more storage buffers, wgsl guarantees 8"));
  EXPECT_THAT(refused(kernel("layout(set = 4, binding = 0) buffer B { uint b[]; };\n"
                             "void main() { b[0] = 1; }\n"),
                      kSize)
                  .text,
              HasSubstr("set 4"));
  // A vector of three takes the room of four.
  EXPECT_THAT(refused(kernel("layout(set = 0, binding = 0) buffer B { uint b[]; };\n"
                             "shared uvec3 s[1200];\n"
                             "void main() { s[gl_LocalInvocationIndex] = uvec3(1); barrier();\n"
                             "  b[0] = s[3].x; }\n"),
                      kSize)
                  .text,
              HasSubstr("19200 bytes"));
}

TEST(SizeInWgsl, IsReadWhereItStandsOnce) {
  EXPECT_EQ(sizeInWgsl("@compute @workgroup_size(8, 4, 1) \nfn main() {}\n"), (Dim3{8, 4, 1}));
  EXPECT_EQ(sizeInWgsl("@compute @workgroup_size(8, n, 1) \n"), std::nullopt);
  EXPECT_EQ(sizeInWgsl("@compute @workgroup_size(8)\n"), std::nullopt);
  EXPECT_EQ(sizeInWgsl("@compute @workgroup_size(8, 4, 1)\n@compute @workgroup_size(8, 4, 1)\n"),
            std::nullopt);
}

} // namespace
} // namespace tailor
