//===- ReflectTests.cpp - What a module wants from its host ------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSupport.h"
#include "Tuning/Reflect.h"

#include <gtest/gtest.h>

using namespace tailor;
using namespace tailor::test;
using vulkan::ElementType;
using vulkan::ResourceKind;

namespace {

constexpr const char *kEverything = R"(#version 450
layout(local_size_x = 8, local_size_y_id = 3) in;
layout(constant_id = 7) const bool flag = true;
layout(constant_id = 8) const float factor = -1.5;
layout(push_constant) uniform P { uint n; vec2 centre; int sign; } p;
layout(set = 1, binding = 2, std430) readonly buffer Src { uint head; vec4 items[]; } src;
layout(set = 0, binding = 0, std430) writeonly buffer { float dst[]; };
layout(set = 0, binding = 1) uniform U { mat4 m; float w[3]; } u;
layout(set = 0, binding = 3, r32ui) uniform uimage2D img;
layout(set = 0, binding = 4) uniform sampler2DArray tex;
layout(set = 0, binding = 5) uniform texture3D volume;
layout(set = 0, binding = 6) uniform sampler samp;
layout(set = 0, binding = 9) buffer Unused { uint unused[]; };
void main() {
  uvec2 i = gl_GlobalInvocationID.xy;
  if (i.x >= p.n) return;
  float f = flag ? factor : float(p.sign) + p.centre.x;
  f += texture(tex, vec3(p.centre, 0)).x + texture(sampler3D(volume, samp), vec3(0)).x;
  imageAtomicAdd(img, ivec2(i), src.head);
  dst[i.x] = f * src.items[i.x].x * u.m[0][0];
}
)";

std::string templateOf(const Reflection &reflection, const char *kernel) {
  Result<std::string> text = workloadTemplate(reflection, kernel, "t.spv");
  EXPECT_TRUE(text);
  return text ? *text : "";
}

} // namespace

TEST(Reflect, ReadsEveryKindOfResource) {
  std::string source = kEverything;
  source.replace(source.find("buffer {"), 8, "buffer Dst {");
  std::vector<uint32_t> words = compileGlsl(source);
  Result<Reflection> r = reflect(words, "main", "t.spv");
  ASSERT_TRUE(r) << r.diagnostic().text;
  EXPECT_EQ(r->localSize, (Dim3{8, 1, 1}));
  ASSERT_EQ(r->bindings.size(), 7U) << "without the binding that nothing uses";

  EXPECT_EQ(r->bindings[0].str(), "set 0 binding 0 ('dst')") << "the member names the block";
  EXPECT_TRUE(r->bindings[0].writeOnly);
  EXPECT_EQ(r->bindings[0].runtimeStride, 4U);
  EXPECT_EQ(r->bindings[0].element, ElementType::F32);
  EXPECT_EQ(r->bindings[1].kind, ResourceKind::UniformBuffer);
  EXPECT_EQ(r->bindings[1].fixedBytes, 64U + 3 * 16);
  EXPECT_EQ(r->bindings[2].kind, ResourceKind::StorageImage);
  EXPECT_EQ(r->bindings[2].format, "r32ui");
  EXPECT_EQ(r->bindings[3].kind, ResourceKind::CombinedImageSampler);
  EXPECT_EQ(r->bindings[3].dim, vulkan::ImageDim::D2Array);
  EXPECT_EQ(r->bindings[4].kind, ResourceKind::SampledImage);
  EXPECT_EQ(r->bindings[4].dim, vulkan::ImageDim::D3);
  EXPECT_EQ(r->bindings[5].kind, ResourceKind::Sampler);
  const ReflectedBinding &src = r->bindings[6];
  EXPECT_EQ(src.str(), "set 1 binding 2 ('src')");
  EXPECT_TRUE(src.readOnly);
  EXPECT_EQ(src.fixedBytes, 16U) << "the array of vec4 begins there";
  EXPECT_EQ(src.runtimeStride, 16U);

  ASSERT_EQ(r->pushConstants.size(), 3U);
  EXPECT_EQ(r->pushConstants[1].name, "centre");
  EXPECT_EQ(r->pushConstants[1].offset, 8U);
  EXPECT_EQ(r->pushConstants[1].components, 2U);
  EXPECT_EQ(r->pushConstants[2].type, ElementType::I32);

  ASSERT_EQ(r->specConstants.size(), 3U);
  EXPECT_EQ(r->specConstants[0].id, 3U);
  EXPECT_TRUE(r->specConstants[0].decidesSize);
  EXPECT_FALSE(r->specConstants[2].decidesSize);
  EXPECT_TRUE(r->specConstants[1].isBool);
  EXPECT_EQ(r->specConstants[1].defaultBits, 1U);
  EXPECT_EQ(r->specConstants[2].name, "factor");
  EXPECT_EQ(r->specConstants[2].defaultBits, 0xbfc00000U);
}

TEST(Reflect, PushConstantsInArraysAndStructuresAllHaveAName) {
  std::vector<uint32_t> words = compileGlsl(R"(#version 450
struct Light { vec3 at; float power; };
layout(push_constant) uniform P {
  uint n[40];
  vec3 rows[2];
  layout(row_major) mat2x3 m;
  Light lights[2];
  float grid[2][3];
} p;
layout(binding = 0) buffer B { float b[]; };
void main() {
  uint x = gl_GlobalInvocationID.x;
  b[x] = float(p.n[x]) + p.rows[1].x + p.m[0].y + p.lights[1].power + p.grid[1][2];
})");
  Result<Reflection> r = reflect(words, "main", "t.spv");
  ASSERT_TRUE(r) << r.diagnostic().text;
  std::string all;
  uint32_t end = 0;
  for (const ReflectedMember &member : r->pushConstants) {
    all += member.name + " " + std::to_string(member.offset) + "+" + std::to_string(member.bytes) +
           " " + std::to_string(member.components) + "\n";
    end = member.offset + member.bytes;
  }
  EXPECT_EQ(all, "n 0+160 40\n"
                 "rows[0] 160+12 3\n"
                 "rows[1] 176+12 3\n"
                 "m 192+24 6\n"
                 "lights[0].at 224+12 3\n"
                 "lights[0].power 236+4 1\n"
                 "lights[1].at 240+12 3\n"
                 "lights[1].power 252+4 1\n"
                 "grid[0][0] 256+4 1\n"
                 "grid[0][1] 260+4 1\n"
                 "grid[0][2] 264+4 1\n"
                 "grid[1][0] 268+4 1\n"
                 "grid[1][1] 272+4 1\n"
                 "grid[1][2] 276+4 1\n");
  EXPECT_EQ(end, r->pushConstantBytes);
  // What the template says is all that a workload needs.
  Workload workload = workloadOf(templateOf(*r, "k"));
  Diagnostics diags;
  checkWorkload(workload.sizes[0], *r, "k", diags);
  EXPECT_EQ(textOf(diags), "");
}

TEST(Reflect, ConstantsThatShareASpecIdAndDiffer) {
  std::vector<uint32_t> words = compileGlsl(R"(#version 450
layout(local_size_x_id = 3, local_size_y_id = 3) in;
layout(constant_id = 3) const uint F = 100;
layout(binding = 0) buffer B { uint a[]; };
void main() { a[gl_GlobalInvocationID.x] = F; })");
  Result<Reflection> r = reflect(words, "main", "t.spv");
  ASSERT_TRUE(r) << r.diagnostic().text;
  EXPECT_EQ(r->localSize, (Dim3{1, 1, 1}));
  ASSERT_EQ(r->specConstants.size(), 1U);
  EXPECT_TRUE(r->specConstants[0].differs);
  EXPECT_TRUE(r->specConstants[0].decidesSize);
  EXPECT_EQ(templateOf(*r, "k").find("spec_constants"), std::string::npos)
      << "no value is that of the defaults";
}

TEST(Reflect, RefusesWhatIsNoModule) {
  std::vector<uint32_t> garbage = {1, 2, 3, 4, 5, 6};
  Result<Reflection> r = reflect(garbage, "main", "t.spv");
  ASSERT_FALSE(r);
  EXPECT_EQ(r.diagnostic().location.file, "t.spv");
  std::vector<uint32_t> words = compileGlsl("#version 450\nvoid main() {}");
  Result<Reflection> other = reflect(words, "blur", "t.spv");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.diagnostic().text, "the module has no compute entry point 'blur'");
}

TEST(CheckWorkload, NamesWhatDoesNotFit) {
  std::vector<uint32_t> words = compileGlsl(R"(#version 450
layout(push_constant) uniform P { uint n; float scale; } p;
layout(binding = 0, std430) readonly buffer Src { float src[]; };
layout(binding = 1, rgba8) writeonly uniform image2D picture;
layout(binding = 2, std430) writeonly buffer Dst { float dst[]; };
void main() {
  dst[p.n] = src[0] * p.scale;
  imageStore(picture, ivec2(0), vec4(0));
})");
  Result<Reflection> r = reflect(words, "main", "t.spv");
  ASSERT_TRUE(r);
  Workload w = workloadOf(R"({ "schema": 1, "groups": [1],
"push_constants": [{ "offset": 0, "type": "u32", "value": 1 }],
"spec_constants": [{ "id": 5, "type": "u32", "value": 1 }],
"bindings": [
{ "binding": 0, "kind": "uniform_buffer", "bytes": 4 },
{ "binding": 1, "kind": "storage_image", "format": "rgba16f", "extent": [4, 4], "output": true },
{ "binding": 4, "kind": "storage_buffer", "bytes": 4 }] })");
  Diagnostics diags;
  checkWorkload(w.sizes[0], *r, "k", diags);
  EXPECT_EQ(textOf(diags),
            "w.json:5:1: error: set 0 binding 0 ('src') is a storage_buffer in kernel 'k', not a "
            "uniform_buffer\n"
            "w.json:6:1: error: set 0 binding 1 ('picture') has the format rgba8, the workload "
            "gives rgba16f\n"
            "w.json:1:1: error: the workload lacks set 0 binding 2 ('dst'), a storage_buffer of "
            "kernel 'k'\n"
            "w.json:7:1: warning: kernel 'k' does not use set 0 binding 4\n"
            "w.json:1:1: error: the workload gives no value to the push constant 'scale' of kernel "
            "'k' (offset 4, type f32)\n"
            "w.json:3:20: error: kernel 'k' has no specialization constant 5\n");
}

TEST(WorkloadTemplate, IsAWorkloadThatFitsItsKernel) {
  std::string source = kEverything;
  source.replace(source.find("buffer {"), 8, "buffer Dst {");
  Result<Reflection> r = reflect(compileGlsl(source), "main", "t.spv");
  ASSERT_TRUE(r);
  std::string text = templateOf(*r, "everything");
  Diagnostics diags;
  std::optional<Workload> w = parseWorkload(text, "w.json", diags);
  ASSERT_TRUE(w) << textOf(diags) << text;
  checkWorkload(w->sizes[0], *r, "everything", diags);
  EXPECT_EQ(textOf(diags), "") << text;
  EXPECT_TRUE(instantiate(*w, w->sizes[0]));
  EXPECT_EQ(templateOf(*r, "everything"), text) << "the same every time";
  for (const char *name : {"\"dst\"", "\"src\"", "\"centre\"", "\"factor\"", "\"img\"", "-1.5"})
    EXPECT_NE(text.find(name), std::string::npos) << name << " in\n" << text;
}

TEST(WorkloadTemplate, HasNoMoreGroupsThanEveryDeviceDispatches) {
  const Dim3 sizes[] = {{1, 1, 1}, {2, 1, 1}, {64, 1, 1}, {1, 2, 1}, {1, 1, 2}};
  for (const Dim3 &size : sizes) {
    Result<Reflection> r =
        reflect(compileGlsl("#version 450\nlayout(local_size_x = " + std::to_string(size.x) +
                            ", local_size_y = " + std::to_string(size.y) +
                            ", local_size_z = " + std::to_string(size.z) +
                            ") in;\nlayout(binding = 0) buffer Dst { uint dst[]; };\n"
                            "void main() { dst[gl_GlobalInvocationID.x] = 1; }\n"),
                "main", "t.spv");
    ASSERT_TRUE(r);
    Diagnostics diags;
    std::optional<Workload> w = parseWorkload(templateOf(*r, "k"), "w.json", diags);
    ASSERT_TRUE(w) << textOf(diags);
    for (uint32_t groups : w->sizes[0].groupsFor(size).array())
      EXPECT_LE(groups, 65535U) << size.str();
  }
}
