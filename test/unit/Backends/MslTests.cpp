//===- test/unit/Backends/MslTests.cpp ---------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/MslRules.h"
#include "Shaders.h"

#include <gmock/gmock.h>

using namespace tailor;
using namespace tailor::test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

const Dim3 kSize{8, 1, 1};

std::vector<uint32_t> kernel(const std::string &declarations, const std::string &body,
                             const std::string &size = "local_size_x = 8") {
  return module("#version 450\n"
                "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
                "#extension GL_EXT_shader_atomic_float : require\n"
                "#extension GL_EXT_samplerless_texture_functions : require\n"
                "#extension GL_KHR_memory_scope_semantics : require\n"
                "#extension GL_KHR_shader_subgroup_arithmetic : require\n"
                "#extension GL_KHR_shader_subgroup_basic : require\n"
                "layout(" +
                size +
                ") in;\n"
                "layout(binding = 0) buffer A { uint n; uint m; uint a[]; };\n" +
                declarations + "\nvoid main() {\n  uint i = gl_GlobalInvocationID.x;\n" + body +
                "\n}\n");
}

EmitOptions metal(uint32_t version, MslPlatform platform = MslPlatform::MacOs) {
  EmitOptions options;
  options.mslVersion = version;
  options.mslPlatform = platform;
  return options;
}

Emitted made(const std::vector<uint32_t> &words, const EmitOptions &options = {}) {
  Result<Emitted> result = emit("msl", {words, "main", kSize, "k.comp", options});
  if (!result) {
    ADD_FAILURE() << result.diagnostic().text;
    return {};
  }
  return std::move(*result);
}

std::string why(const std::vector<uint32_t> &words, const EmitOptions &options = {}) {
  const Diagnostic diagnostic = refusal("msl", words, kSize, options);
  EXPECT_EQ(diagnostic.kind, ErrorKind::Refused);
  return diagnostic.text;
}

TEST(Msl, AMemoryBarrierThatOnlySomeReachIsRefused) {
  // SPIRV-Cross makes a threadgroup_barrier of it: the others would never come.
  for (const char *barrier : {"memoryBarrierShared()", "memoryBarrierBuffer()", "memoryBarrier()"})
    EXPECT_THAT(why(kernel("", "if (i < 4u) { " + std::string(barrier) + "; a[i] = 2; }")),
                HasSubstr("a memory barrier without a control barrier in the same block"))
        << barrier;
  // Two blocks on, too: whether all come by is not known.
  EXPECT_THAT(why(kernel("", "memoryBarrierShared(); if (i < n) a[i] = 1; barrier();")),
              HasSubstr("a memory barrier without a control barrier"));
}

TEST(Msl, AMemoryBarrierBesideAControlBarrierIsWritten) {
  const std::string msl =
      made(kernel("shared uint t[8];",
                  "t[i & 7u] = i; memoryBarrierShared(); barrier(); a[i] = t[7u - (i & 7u)];"))
          .code;
  EXPECT_THAT(msl, HasSubstr("threadgroup_barrier(mem_flags::mem_threadgroup);"));
}

TEST(Msl, AFenceOfTheDeviceWithAtomicsIsRefused) {
  // The last group done: Metal has no fence between groups.
  EXPECT_THAT(
      why(kernel("", "a[i] = i; memoryBarrierBuffer(); barrier(); if (i == 0u) atomicAdd(m, 1u);")),
      HasSubstr("a memory barrier of the device in a kernel with atomics in buffers"));
  EXPECT_TRUE(emitAs("msl", kernel("", "a[i] = i; memoryBarrierBuffer(); barrier();"), kSize));
}

TEST(Msl, AtomicsThatOrderAreRefused) {
  EXPECT_THAT(why(kernel("", "atomicStore(m, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, "
                             "gl_SemanticsRelease);")),
              HasSubstr("an atomic that orders other accesses"));
  EXPECT_THAT(made(kernel("", "atomicAdd(m, 1u);")).code, HasSubstr("memory_order_relaxed"));
}

TEST(Msl, AtomicsOnImagesAreRefused) {
  EXPECT_THAT(why(kernel("layout(binding = 1, r32ui) uniform uimage2D t;",
                         "imageAtomicAdd(t, ivec2(i), 1u);")),
              HasSubstr("atomics on images"));
}

TEST(Msl, AtomicsOnFloatsAreRefused) {
  // SPIRV-Cross would write atomicAdd, which is no Metal.
  for (const char *place : {"layout(binding = 1) buffer B { float f[]; };", "shared float f[8];"})
    EXPECT_EQ(why(kernel(place, "atomicAdd(f[0], 1.0);"), metal(30100)),
              "msl cannot express atomic operations on floats");
}

TEST(Msl, TheVersionThatWouldDoIsNamed) {
  const std::vector<uint32_t> words =
      kernel("layout(binding = 1) buffer B { int64_t l[]; };", "l[i] = l[i + 1] + 1L;");
  EXPECT_THAT(why(words), HasSubstr("(Metal 2.3 would do)"));
  EXPECT_THAT(made(words, metal(20300)).code, HasSubstr("long"));
  // No version has these: no promise.
  EXPECT_THAT(why(kernel("layout(binding = 1) buffer B { double d[]; };", "d[i] += 1.0LF;")),
              Not(HasSubstr("would do")));
}

TEST(Msl, EveryVersionOnEveryPlatform) {
  for (MslPlatform platform : {MslPlatform::MacOs, MslPlatform::Ios})
    for (uint32_t version : mslVersions()) {
      const Emitted each = made(kernel("", "a[i] = i;"), metal(version, platform));
      EXPECT_EQ(each.interface.version, "metal" + mslVersionName(version) +
                                            (platform == MslPlatform::Ios ? " ios" : " macos"));
    }
  EXPECT_EQ(refusal("msl", kernel("", "a[i] = i;"), kSize, metal(20500)).kind, ErrorKind::Usage);
}

TEST(Msl, TheSmallestIosDeviceSetsTheLimits) {
  const std::vector<uint32_t> wide = kernel("", "a[i] = i;", "local_size_x = 1024");
  EXPECT_TRUE(emitAs("msl", wide, {1024, 1, 1}));
  EXPECT_EQ(refusal("msl", wide, {1024, 1, 1}, metal(30000, MslPlatform::Ios)).text,
            "workgroup has 1024 invocations along x, msl guarantees 512");
  // 4,096 floats fill the 16 KiB of Apple3, Apple2 keeps 32 bytes for itself.
  const std::vector<uint32_t> full =
      kernel("shared float t[4096];", "t[i] = 1; barrier(); a[i] = uint(t[n]);");
  EXPECT_TRUE(emitAs("msl", full, kSize, metal(30000, MslPlatform::Ios)));
  EXPECT_EQ(why(full, metal(20100, MslPlatform::Ios)),
            "workgroup memory has 16384 bytes, msl guarantees 16352");
}

TEST(Msl, IosDevicesMayTakeMore) {
  const std::vector<uint32_t> wide = kernel("", "a[i] = i;", "local_size_x = 1024");
  EmitOptions options = metal(30000, MslPlatform::Ios);
  ASSERT_TRUE(raiseLimit(options, "msl.invocations=1024"));
  ASSERT_TRUE(raiseLimit(options, "msl.size=1024x1024x1024"));
  EXPECT_TRUE(emitAs("msl", wide, {1024, 1, 1}, options));
  EmitOptions mac;
  EXPECT_FALSE(raiseLimit(mac, "msl.invocations=2048"));
}

TEST(Msl, SubgroupsNeedTheirVersion) {
  const std::vector<uint32_t> words = kernel("", "a[i] = subgroupAdd(i);");
  EXPECT_THAT(why(words, metal(20000)), HasSubstr("(Metal 2.1 would do)"));
  EXPECT_THAT(why(words, metal(20200, MslPlatform::Ios)), HasSubstr("(Metal 2.3 would do)"));
  const Emitted ios = made(words, metal(20300, MslPlatform::Ios));
  EXPECT_THAT(ios.code, HasSubstr("simd_sum("));
  EXPECT_THAT(ios.code, Not(HasSubstr("quad_sum(")));
  EXPECT_THAT(ios.interface.features, ElementsAre("simdgroup_reduction"));
}

TEST(Msl, TexelBuffersAreNative) {
  const std::vector<uint32_t> words =
      kernel("layout(binding = 1) uniform samplerBuffer t;", "a[i] = uint(texelFetch(t, 3).x);");
  EXPECT_THAT(why(words, metal(20000)), HasSubstr("(Metal 2.1 would do)"));
  const Emitted native = made(words);
  EXPECT_THAT(native.code, HasSubstr("texture_buffer<float>"));
  EXPECT_EQ(native.interface.resources.at(1).kind, "texel_buffer");
}

TEST(Msl, ATextureThatIsReadAndWrittenGetsAFence) {
  auto words = [](const char *format) {
    return kernel("layout(binding = 1, " + std::string(format) + ") uniform image2D t;",
                  "imageStore(t, ivec2(i), imageLoad(t, ivec2(i)) * 2.0); "
                  "a[i] = uint(imageLoad(t, ivec2(i)).x);");
  };
  const Emitted once = made(words("r32f"));
  EXPECT_THAT(once.code, testing::ContainsRegex("t\\.write\\([^\n]*\\);\n    t\\.fence\\(\\);\n"));
  EXPECT_THAT(once.interface.features, ElementsAre("read_write_texture_tier1"));
  EXPECT_THAT(made(words("rgba8")).interface.features, ElementsAre("read_write_texture_tier2"));
  EXPECT_THAT(why(words("rg32f")), HasSubstr("read and written in this format"));
  const Emitted written = made(kernel("layout(binding = 1, rg32f) writeonly uniform image2D t;",
                                      "imageStore(t, ivec2(i), vec4(1));"));
  EXPECT_THAT(written.code, Not(HasSubstr("fence")));
}

TEST(Msl, FencesAreForTheTexturesThatAreReadAlone) {
  EXPECT_EQ(withTextureFences("void f(array<texture2d<float, access::read_write>, 4> ts, "
                              "texture2d<float, access::write> w)\n"
                              "    ts[i].write(x, c);\n    w.write(x, c);\n"),
            "void f(array<texture2d<float, access::read_write>, 4> ts, "
            "texture2d<float, access::write> w)\n"
            "    ts[i].write(x, c);\n    ts[i].fence();\n    w.write(x, c);\n");
}

TEST(Msl, TheModuloOfSpirvIsNotThatOfC) {
  std::string source = R"(; SPIR-V
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 8 1 1
OpDecorate %id BuiltIn LocalInvocationIndex
OpDecorate %S BufferBlock
OpDecorate %v DescriptorSet 0
OpDecorate %v Binding 0
OpMemberDecorate %S 0 Offset 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%pin = OpTypePointer Input %uint
%id = OpVariable %pin Input
%c = OpConstant %int -3
%zero = OpConstant %int 0
%S = OpTypeStruct %int
%pS = OpTypePointer Uniform %S
%pint = OpTypePointer Uniform %int
%v = OpVariable %pS Uniform
%main = OpFunction %void None %fn
%l1 = OpLabel
%i = OpLoad %uint %id
%s = OpBitcast %int %i
%r = OpSMod %int %s %c
%p = OpAccessChain %pint %v %zero
OpStore %p %r
OpReturn
OpFunctionEnd
)";
  const std::string exact = text("msl", compile(source, "mod.spvasm"), kSize);
  EXPECT_THAT(exact, HasSubstr(" ^ (-3)) < 0)"));
  EXPECT_THAT(exact, Not(HasSubstr(" % ")));
  EXPECT_THAT(exact, HasSubstr("!= 0"));
  // GLSL leaves operands of different signs undefined.
  source.replace(source.find("OpDecorate"), 0, "OpSource GLSL 450\n");
  const std::string open = text("msl", compile(source, "mod.spvasm"), kSize);
  EXPECT_THAT(open, HasSubstr(" % "));
  EXPECT_THAT(open, Not(HasSubstr("^")));
}

TEST(Msl, NansAskForACompilerThatKeepsThem) {
  for (const char *body : {"a[i] = isnan(uintBitsToFloat(n)) ? 1u : 0u;",
                           "a[i] = floatBitsToUint(max(-1.0 / 0.0, float(n)));",
                           "precise float x = float(n) * 3.0 + 1.0; a[i] = uint(x);"})
    EXPECT_THAT(made(kernel("", body)).interface.features, ElementsAre("-fno-fast-math")) << body;
  EXPECT_THAT(made(kernel("", "a[i] = uint(float(n) * 3.0);")).interface.features, IsEmpty());
}

TEST(Msl, NamesThatMetalHasTakenAreOthers) {
  for (const char *name : {"new", "private", "xor", "char", "float4", "device"}) {
    const std::string word = name;
    const std::string msl =
        made(kernel("uint " + word +
                        "(uint x, uint y) { return a[x] + y; }\n"
                        "layout(binding = 1) buffer B { uint and[]; } b;",
                    "uint delete = a[i]; if (i < 3u) delete = a[i + 1u]; a[delete] = " + word +
                        "(i, 2u) * delete; b.and[i] = 1u;"))
            .code;
    EXPECT_THAT(msl, HasSubstr("uint " + word + "_(")) << word;
    EXPECT_THAT(msl, HasSubstr("uint delete_ = ")) << word;
    EXPECT_THAT(msl, HasSubstr(".and_[")) << word;
  }
}

TEST(Msl, AnEntryPointMayHaveATakenName) {
  std::vector<uint32_t> words = module("#version 450\nlayout(local_size_x = 8) in;\n"
                                       "layout(binding = 0) buffer A { uint a[]; };\n"
                                       "void main() { a[0] = 1u; }\n");
  // "main" becomes "new" in OpEntryPoint: four letters and three take two words.
  for (size_t at = 5; at < words.size(); at += words[at] >> 16)
    if ((words[at] & 0xffff) == SpvOpEntryPoint)
      words[at + 3] = 'n' | 'e' << 8 | 'w' << 16;
  for (size_t at = 5; at < words.size(); at += words[at] >> 16)
    if ((words[at] & 0xffff) == SpvOpEntryPoint) {
      words.erase(words.begin() + static_cast<long>(at) + 4);
      words[at] -= 1u << 16;
      break;
    }
  Result<Emitted> each = emit("msl", {words, "new", kSize, "k.comp", {}});
  ASSERT_TRUE(each) << each.diagnostic().text;
  EXPECT_EQ(each->interface.entryPoint, "new_");
  EXPECT_THAT(each->code, HasSubstr("kernel void new_("));
}

TEST(Msl, TheInterfaceIsWhatTheTextSays) {
  const Emitted each =
      made(kernel("layout(set = 1, binding = 0) readonly buffer B { float b[]; };\n"
                  "layout(set = 1, binding = 1) uniform U { float u; };\n"
                  "layout(set = 1, binding = 2) uniform sampler2D s;\n"
                  "layout(set = 1, binding = 3, rgba8) writeonly uniform image2D w;\n"
                  "layout(set = 1, binding = 4) uniform texture2D ts[2];\n"
                  "layout(push_constant) uniform P { float k; uvec2 d; } pc;",
                  "imageStore(w, ivec2(i), textureLod(s, vec2(u), 0.0) * b[i] * pc.k + "
                  "texelFetch(ts[n & 1u], ivec2(0), 0)); a[i] = a.length();"));
  const LanguageInterface &interface = each.interface;
  EXPECT_EQ(interface.entryPoint, "main0");
  EXPECT_EQ(interface.version, "metal2.1 macos");
  std::vector<std::string> lines;
  for (const PlacedResource &resource : interface.resources) {
    std::string line = std::to_string(resource.set) + "." + std::to_string(resource.binding) + " " +
                       resource.kind + " x" + std::to_string(resource.count) +
                       (resource.writes ? " writes" : "");
    for (const PlaceNumber &number : resource.place)
      line += " " + number.word + std::to_string(number.number);
    lines.push_back(line);
    for (const PlaceNumber &number : resource.place)
      EXPECT_THAT(each.code, HasSubstr(" " + resource.name + " [[" + number.word + "(" +
                                       std::to_string(number.number) + ")]]"));
  }
  EXPECT_THAT(lines, ElementsAre("0.0 storage_buffer x1 writes buffer0",
                                 "1.0 storage_buffer x1 buffer1", "1.1 uniform_buffer x1 buffer2",
                                 "1.2 sampler x1 sampler0", "1.2 texture x1 texture0",
                                 "1.3 image x1 writes texture1", "1.4 texture x2 texture2"));
  ASSERT_EQ(interface.values.size(), 2u);
  EXPECT_EQ(interface.values[0].what, "buffer_lengths");
  EXPECT_EQ(interface.values[0].place.at(0).number, 30u);
  EXPECT_EQ(interface.values[1].what, "push_constants");
  EXPECT_EQ(interface.values[1].bytes, 16u);
  EXPECT_EQ(interface.values[1].place.at(0).number, 3u);
}

TEST(Msl, ComponentsOfSharedBooleansNeedAConstant) {
  auto kernel = [](const std::string &shared, const std::string &value) {
    return module("#version 450\nlayout(local_size_x = 8) in;\n"
                  "layout(binding = 0) buffer B { uint o[]; };\nshared " +
                  shared +
                  ";\nvoid main() { uint i = gl_GlobalInvocationID.x;\n"
                  "  if (i == 0u) { " +
                  value + " = true; } barrier(); o[i] = " + value + " ? 1u : 2u; }\n");
  };
  for (auto [shared, value] :
       {std::pair("bvec3 b", "b[i % 3u]"), std::pair("bvec2 b[4]", "b[i % 4u][i % 2u]"),
        std::pair("struct { uint n; bvec4 b; } s", "s.b[i % 4u]")})
    EXPECT_THAT(refusal("msl", kernel(shared, value), {8, 1, 1}).text,
                HasSubstr("a component of a vector of booleans in workgroup memory"))
        << shared;
  for (auto [shared, value] : {std::pair("bvec3 b", "b[1]"), std::pair("bool b[4]", "b[i % 4u]"),
                               std::pair("bvec2 b[4]", "b[i % 4u][1]")})
    EXPECT_NE(text("msl", kernel(shared, value), {8, 1, 1}), "") << shared;
}

TEST(Msl, ElementsOfRowMajorMatricesNeedAConstantColumn) {
  auto kernel = [](const std::string &type, const std::string &body) {
    return module("#version 450\nlayout(local_size_x = 8) in;\n"
                  "layout(binding = 0) buffer B { uint o[]; };\n"
                  "struct S { float first; " +
                  type +
                  " m; };\nlayout(row_major, binding = 1) buffer A { S s[2]; };\n"
                  "void main() { uint i = gl_GlobalInvocationID.x & 1u; " +
                  body + " }\n");
  };
  for (const char *body : {"s[1].m[i][1] = 7.0;", "o[i] = uint(s[i].m[o[3]][0]);"})
    for (const char *type : {"mat2", "mat3x2", "mat4"})
      EXPECT_THAT(refusal("msl", kernel(type, body), {8, 1, 1}).text,
                  HasSubstr("an element of a row-major matrix"))
          << type << " " << body;
  for (const char *body : {"s[i].m[1][i] = 7.0;", "s[i].m[0][1] = 7.0;", "s[1].m[i] = vec2(1);"})
    EXPECT_NE(text("msl", kernel("mat3x2", body), {8, 1, 1}), "") << body;
}

} // namespace
