//===- languages/gl/GlFeatureTests.cpp - What the suite does not have ------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small kernels, one for each rule of the GLSL backend that no kernel of the
// suite meets: joined samplers, numbers given anew, push constants in a storage
// block. Each runs on Vulkan as SPIR-V and on OpenGL and OpenGL ES as the text,
// and both must leave the same behind.
//
//===----------------------------------------------------------------------===//
#include "../../differential/Harness.h"
#include "../../unit/Backends/GlslSupport.h"
#include "GlRunner.h"

#include <cstring>
#include <functional>

namespace tailor::languages {
namespace {

using vulkan::ImageDim;
using vulkan::ResourceDesc;
using vulkan::ResourceKind;

/// 16 invocations write `out_`, a buffer of 16 uvec4, at set 0 binding 0.
struct Feature {
  const char *name;
  const char *declarations, *body;
  std::vector<ResourceDesc> resources; ///< besides out_
  std::vector<uint32_t> pushConstants;
  bool inEs310 = true;
};

ResourceDesc described(ResourceKind kind, uint32_t set, uint32_t binding) {
  ResourceDesc desc;
  desc.kind = kind;
  desc.set = set;
  desc.binding = binding;
  return desc;
}

/// Bytes that make floats between 1 and 2 and integers that differ.
void fill(ResourceDesc &desc) {
  desc.fill = vulkan::InitialFill::Bytes;
  desc.initial.resize(desc.dataBytes());
  for (size_t at = 0; at + 4 <= desc.initial.size(); at += 4) {
    const uint32_t bits = 0x3f800000u + static_cast<uint32_t>(at * 2654435761u % 0x7fffff);
    std::memcpy(desc.initial.data() + at, &bits, sizeof bits);
  }
}

ResourceDesc buffer(ResourceKind kind, uint32_t set, uint32_t binding, uint32_t element = 0) {
  ResourceDesc desc = described(kind, set, binding);
  desc.element = element;
  desc.bytes = 256 + 16 * size_t{set + binding + element}; // told apart by their contents' length
  fill(desc);
  for (std::byte &each : desc.initial)
    each ^= static_cast<std::byte>(element + 3 * binding + 7 * set);
  return desc;
}

ResourceDesc image(ResourceKind kind, uint32_t binding, const char *format,
                   ImageDim dim = ImageDim::D2, uint32_t layers = 1) {
  ResourceDesc desc = described(kind, 0, binding);
  desc.format = format;
  desc.dim = dim;
  desc.extent = {8, 8, layers};
  fill(desc);
  return desc;
}

ResourceDesc sampler(uint32_t binding, vulkan::AddressMode address) {
  ResourceDesc desc = described(ResourceKind::Sampler, 0, binding);
  desc.sampler.address = address;
  return desc;
}

std::vector<Feature> features() {
  constexpr auto kStorage = ResourceKind::StorageBuffer, kUniform = ResourceKind::UniformBuffer;
  return {
      {"TwoSamplersOfOneImage",
       "layout(binding = 1) uniform texture2D t;\n"
       "layout(binding = 2) uniform sampler s;\nlayout(binding = 3) uniform sampler r;",
       "vec2 at = vec2(float(i) * 0.21 - 0.7, 1.3);\n"
       "out_[i] = uvec4(floatBitsToUint(textureLod(sampler2D(t, s), at, 0.0).x),\n"
       "  floatBitsToUint(textureLod(sampler2D(t, r), at, 0.0).x),\n"
       "  floatBitsToUint(texelFetch(t, ivec2(i & 7, i >> 3), 0).x), uint(textureSize(t, 0).y));",
       {image(ResourceKind::SampledImage, 1, "r32f"), sampler(2, vulkan::AddressMode::ClampToEdge),
        sampler(3, vulkan::AddressMode::Repeat)},
       {}},
      {"OneSamplerOfTwoImages",
       "layout(binding = 4) uniform texture2D t;\nlayout(binding = 5) uniform texture2DArray u;\n"
       "layout(binding = 9) uniform sampler s;",
       "vec2 at = vec2(float(i) * 0.21 - 0.7, 1.3);\n"
       "out_[i] = uvec4(floatBitsToUint(textureLod(sampler2D(t, s), at, 0.0).x),\n"
       "  floatBitsToUint(textureLod(sampler2DArray(u, s), vec3(at, 1.0), 0.0).x), 1u, 2u);",
       {image(ResourceKind::SampledImage, 4, "r32f"),
        image(ResourceKind::SampledImage, 5, "r32f", ImageDim::D2Array, 3),
        sampler(9, vulkan::AddressMode::MirroredRepeat)},
       {}},
      {"PushConstantsThatNoUniformBlockHolds",
       "layout(push_constant) uniform P { uint k[5]; uvec2 l; uint m; };",
       "out_[i] = uvec4(k[i % 5u], k[4], l.y, m);",
       {},
       {11, 22, 33, 44, 55, 0, 77, 88, 99}},
      {"SetsAndArraysThatShareBindings",
       "layout(set = 1, binding = 0) uniform U { uint u; } us[2];\n"
       "layout(set = 1, binding = 1) uniform V { uint v; };\n"
       "layout(set = 2, binding = 0) readonly buffer B { uint b[]; };\n"
       "layout(set = 2, binding = 7) readonly buffer C { uint c[]; };\n"
       "layout(push_constant) uniform P { uint k; };",
       "out_[i] = uvec4(us[0].u + b[i], us[1].u, v + k, c[i] + uint(b.length() * 1000 + "
       "c.length()));",
       {buffer(kUniform, 1, 0, 0), buffer(kUniform, 1, 0, 1), buffer(kUniform, 1, 1),
        buffer(kStorage, 2, 0), buffer(kStorage, 2, 7)},
       {1234}},
      {"TwoViewsOfOneBuffer",
       "layout(set = 1, binding = 3) buffer B { uint b[]; };\n"
       "layout(set = 1, binding = 3) buffer C { vec4 c[]; };",
       "out_[i] = uvec4(b[i], floatBitsToUint(c[i]).yzw);",
       {buffer(kStorage, 1, 3)},
       {}},
      {"MatricesByRowsAndColumns",
       "layout(binding = 1) uniform U { layout(row_major) mat4 m; mat3x2 k; layout(row_major) "
       "mat2x3 l[2]; };",
       "out_[i] = floatBitsToUint(vec4(m[i & 3u].x, m[2][i & 3u], k[i % 3u].y, l[1][i & 1u].z));",
       {buffer(kUniform, 0, 1)},
       {}},
      {"ImageAtomics",
       "layout(binding = 1, r32ui) uniform uimage2D t;\nlayout(binding = 2, r32i) uniform iimage3D "
       "v;",
       "uint a = imageAtomicAdd(t, ivec2(i & 7u, 0), 0u);\n"
       "imageAtomicMax(t, ivec2(3, 4), 0x40000000u + i);\n"
       "imageAtomicXor(v, ivec3(1, 2, 1), 1 << int(i));\n"
       "out_[i] = uvec4(a, uint(imageSize(t).x), uint(imageSize(v).z), 5u);",
       {image(ResourceKind::StorageImage, 1, "r32ui"),
        image(ResourceKind::StorageImage, 2, "r32i", ImageDim::D3, 2)},
       {}},
      // Mesa 22.3.6's llvmpipe takes the high word of a product with a constant for 0, so that none
      // of the operands is one.
      {"IntegerArithmetic",
       "layout(push_constant) uniform P { uint k; };",
       "uint c, h, l; uint s = uaddCarry(0xfffffff0u, i, c); umulExtended(0x12345678u * i, "
       "k, h, l);\n"
       "uvec4 q = mix(uvec4(1, 2, 3, 4), uvec4(i), lessThan(uvec4(i), uvec4(3, 5, 7, 9)));\n"
       "out_[i] = uvec4(s + c * 7u, h ^ l, q.x + q.y * 3u + q.z * 5u + q.w * 11u,\n"
       "  bitfieldReverse(i) + uint(findMSB(i * 37u)) + bitCount(i) + bitfieldInsert(i, 5u, 3, 9) "
       "+ packHalf2x16(vec2(float(i), 0.5)));",
       {},
       {0x9abcdef0u}},
      {"StructuresInSharedMemory",
       "struct S { vec3 p; float w; mat2 m; uint k[3]; bool b; };\nshared S s[16]; shared uint "
       "sum;",
       "if (i == 0u) sum = 0u; barrier();\n"
       "s[i].p = vec3(float(i), 2.0, 3.0); s[i].w = 0.5; s[i].m = mat2(1.0, 2.0, 3.0, float(i));\n"
       "s[i].k[i % 3u] = i * 3u; s[i].b = i > 4u; atomicAdd(sum, i); barrier();\n"
       "S o = s[15u - i]; out_[i] = uvec4(floatBitsToUint(o.p.x + o.m[1].y), o.k[(15u - i) % 3u], "
       "o.b ? sum : 1u, floatBitsToUint(o.w));",
       {},
       {}},
      {"SpecialFloats",
       "",
       "float x = float(i) - 4.0; float inf = uintBitsToFloat(0x7f800000u); float y = i == 3u ? "
       "inf : x;\n"
       "out_[i] = uvec4(isinf(y) ? 1u : 0u, isnan(y - y) ? 1u : 0u, uint(int(y < 0.0 ? -1.0 : "
       "1.0)), floatBitsToUint(i == 7u ? -inf : min(x, 1.0)));",
       {},
       {}},
      {"Precise",
       "",
       "precise float x = float(i) * 1.1 + 0.3; precise float y = x * x - 0.25;\n"
       "out_[i] = uvec4(floatBitsToUint(y), 0u, 0u, 0u);",
       {},
       {},
       false},
      {"GatherWithAnyOffset",
       "layout(binding = 1) uniform sampler2D t;",
       "out_[i] = floatBitsToUint(textureGatherOffset(t, vec2(0.4), ivec2(int(i & 3u), 1), 0));",
       {image(ResourceKind::CombinedImageSampler, 1, "r32f")},
       {},
       false},
      {"CoherentAndVolatile",
       "layout(binding = 1) buffer B { coherent uint x; volatile uint y; uint b[]; };",
       "b[i] += 5u; out_[i] = uvec4(x, y, b[i], 0u);",
       {buffer(kStorage, 0, 1)},
       {}},
  };
}

std::shared_ptr<vulkan::Device> anyDevice() {
  for (const auto &device : differential::devices())
    if (device->info().name.find("llvmpipe") != std::string::npos)
      return device;
  return nullptr;
}

class GlFeatures : public testing::TestWithParam<Feature> {
protected:
  /// Everything but the text.
  Result<LanguageCase> problem() {
    const Feature &feature = GetParam();
    auto made = std::make_shared<KernelProblem>();
    made->kernel = feature.name;
    ResourceDesc out = described(ResourceKind::StorageBuffer, 0, 0);
    out.bytes = 256;
    out.fill = vulkan::InitialFill::Poison;
    made->instance.resources = {out};
    made->instance.resources.insert(made->instance.resources.end(), feature.resources.begin(),
                                    feature.resources.end());
    for (ResourceDesc &desc : made->instance.resources)
      desc.output =
          desc.kind == ResourceKind::StorageBuffer || desc.kind == ResourceKind::StorageImage;
    for (uint32_t word : feature.pushConstants)
      for (unsigned byte = 0; byte < 4; ++byte)
        made->instance.pushConstants.push_back(static_cast<std::byte>(word >> (8 * byte)));
    std::shared_ptr<vulkan::Device> device = anyDevice();
    if (!device)
      return failure({}, "there is no Vulkan device");
    auto runner = vulkan::Runner::create(device, made->instance);
    if (!runner)
      return runner.takeFailure();
    vulkan::Candidate candidate;
    candidate.name = feature.name;
    candidate.words = words;
    candidate.groups = {1, 1, 1};
    candidate.localSize = {16, 1, 1};
    Result<vulkan::PipelineId> pipeline = (*runner)->prepare(candidate);
    if (!pipeline)
      return pipeline.takeFailure();
    Result<vulkan::RunResult> expected = (*runner)->runOnce(*pipeline);
    if (!expected)
      return expected.takeFailure();
    made->expected = std::move(*expected);
    made->rules.assign(made->expected.outputs.size(), vulkan::CompareRule::exact());
    LanguageCase result;
    result.pushConstants = made->instance.pushConstants;
    result.problem = std::move(made);
    result.variant.id = "authored";
    result.variant.localSize = {16, 1, 1};
    result.groups = {1, 1, 1};
    return result;
  }

  void run(EglContext &context, const std::string &target, const EmitOptions &options) {
    Result<LanguageCase> made = problem();
    ASSERT_TRUE(made) << made.diagnostic().text;
    Result<Emitted> text = emit(target, {words, "main", {16, 1, 1}, "feature.comp", options});
    ASSERT_TRUE(text) << text.diagnostic().text;
    made->target = target;
    made->text = text->code;
    made->interface = text->interface;
    const auto outputs = runCase(context, *made);
    ASSERT_TRUE(outputs) << outputs.diagnostic().text << text->code;
    EXPECT_EQ(differences(*made, *outputs), "") << text->code;
  }

  std::vector<uint32_t> words = test::module(
      std::string("#version 450\n#extension GL_EXT_samplerless_texture_functions : require\n"
                  "layout(local_size_x = 16) in;\n"
                  "layout(binding = 0) writeonly buffer Out { uvec4 out_[]; };\n") +
      GetParam().declarations + "\nvoid main() {\n  uint i = gl_LocalInvocationIndex;\n" +
      GetParam().body + "\n}\n");
};

TEST_P(GlFeatures, RunsOnOpenGl) {
  auto context = EglContext::create(GlApi::Desktop, 4, 5);
  if (!context) {
    missing("a context of EGL's surfaceless platform");
    return;
  }
  for (uint32_t version : {430u, 450u}) {
    SCOPED_TRACE(version);
    EmitOptions options;
    options.glslVersion = version;
    run(**context, "glsl", options);
  }
}

TEST_P(GlFeatures, RunsOnOpenGlEs) {
  auto context = EglContext::create(GlApi::Es, 3, 2);
  if (!context) {
    missing("a context of EGL's surfaceless platform");
    return;
  }
  for (uint32_t version : {310u, 320u}) {
    SCOPED_TRACE(version);
    EmitOptions options;
    options.esslVersion = version;
    if (version != 310 || GetParam().inEs310)
      run(**context, "essl", options);
    else
      EXPECT_FALSE(emit("essl", {words, "main", {16, 1, 1}, "feature.comp", options}));
  }
}

INSTANTIATE_TEST_SUITE_P(All, GlFeatures, testing::ValuesIn(features()),
                         [](const auto &each) { return std::string(each.param.name); });

} // namespace
} // namespace tailor::languages
