//===- test/unit/Backends/GlslTests.cpp --------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GlslSupport.h"

#include <gmock/gmock.h>

using namespace tailor;
using namespace tailor::test;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

TEST(Glsl, TheInterfaceSaysWhatTheTextSays) {
  const Emitted made = glslOf(module(kKernel), options450(), "glsl", {8, 4, 1});
  const LanguageInterface &interface = made.interface;
  EXPECT_EQ(interface.entryPoint, "main");
  EXPECT_EQ(interface.version, "450");
  EXPECT_THAT(interface.features, IsEmpty());
  ASSERT_EQ(interface.resources.size(), 3u);
  EXPECT_EQ(interface.resources[0],
            (PlacedResource{"storage_buffer", "A", 0, 0, 1, true, {{"binding", 0}}}));
  EXPECT_EQ(interface.resources[1],
            (PlacedResource{"storage_buffer", "B", 0, 1, 1, false, {{"binding", 1}}}));
  EXPECT_EQ(interface.resources[2],
            (PlacedResource{"uniform_buffer", "U", 0, 2, 1, false, {{"binding", 2}}}));
  ASSERT_EQ(interface.values.size(), 1u);
  EXPECT_EQ(
      interface.values[0],
      (PlacedValues{"push_constants", "uniform_buffer", "PushConstants", 16, {{"binding", 3}}}));
}

TEST(Glsl, VulkanKeepsSetsAndPushConstants) {
  EmitOptions options;
  options.vulkanGlsl = true;
  const Emitted made = glslOf(module(kKernel), options, "glsl", {8, 4, 1});
  EXPECT_EQ(made.interface.version, "450 vulkan");
  EXPECT_EQ(made.interface.resources[1].place,
            (std::vector<PlaceNumber>{{"set", 0}, {"binding", 1}}));
  ASSERT_EQ(made.interface.values.size(), 1u);
  EXPECT_EQ(made.interface.values[0],
            (PlacedValues{"push_constants", "push_constants", "P", 16, {}}));
}

TEST(Glsl, ThereAreFourVersions) {
  for (uint32_t version : {430u, 440u, 450u, 460u}) {
    EmitOptions options;
    options.glslVersion = version;
    const Emitted made = glslOf(module(kKernel), options, "glsl", {8, 4, 1});
    EXPECT_THAT(made.code, HasSubstr("#version " + std::to_string(version) + "\n"));
    EXPECT_EQ(made.interface.version, std::to_string(version));
  }
  EmitOptions options;
  options.glslVersion = 435;
  const Diagnostic refused = refusal("glsl", module(kKernel), {8, 4, 1}, options);
  EXPECT_EQ(refused.kind, ErrorKind::Usage);
  EXPECT_EQ(refused.text, "compute shaders need GLSL 430, 440, 450 or 460, not 435");
}

TEST(Glsl, SetsThatShareABindingAreNumberedAnew) {
  const std::vector<uint32_t> words =
      kernel("layout(set = 1, binding = 0) buffer B { uint b[]; };", "b[i] = a[i];");
  const Emitted made = glslOf(words);
  EXPECT_THAT(made.code, HasSubstr("layout(binding = 0, std430) buffer A"));
  EXPECT_THAT(made.code, HasSubstr("layout(binding = 1, std430) buffer B"));
  EXPECT_EQ(made.interface.resources[1],
            (PlacedResource{"storage_buffer", "B", 1, 0, 1, true, {{"binding", 1}}}));
}

TEST(Glsl, BindingsStayUnlessOneOfTheirKindCannot) {
  // In Vulkan an array takes one binding, here two; OpenGL guarantees the points 0 to 7.
  const std::string readers = "a[i] = u[0].x + v.y + x[0];";
  const Emitted kept = glslOf(kernel("layout(binding = 1) uniform U { uint x; } u[2];\n"
                                     "layout(binding = 3) uniform V { uint y; } v;\n"
                                     "layout(binding = 7) buffer X { uint x[]; };",
                                     readers));
  EXPECT_THAT(kept.code, HasSubstr("layout(binding = 3, std140) uniform V"));
  EXPECT_THAT(kept.code, HasSubstr("layout(binding = 7, std430) buffer X"));
  const Emitted overlapping = glslOf(kernel("layout(binding = 1) uniform U { uint x; } u[2];\n"
                                            "layout(binding = 2) uniform V { uint y; } v;\n"
                                            "layout(binding = 8) buffer X { uint x[]; };",
                                            readers));
  EXPECT_THAT(overlapping.code, HasSubstr("layout(binding = 0, std140) uniform U"));
  EXPECT_THAT(overlapping.code, HasSubstr("layout(binding = 2, std140) uniform V"));
  EXPECT_THAT(overlapping.code, HasSubstr("layout(binding = 0, std430) buffer A"));
  EXPECT_THAT(overlapping.code, HasSubstr("layout(binding = 1, std430) buffer X"));
  EXPECT_EQ(overlapping.interface.resources[1],
            (PlacedResource{"uniform_buffer", "U", 0, 1, 2, false, {{"binding", 0}}}));
}

TEST(Glsl, TwoViewsOfOneBufferShareAPoint) {
  const Emitted made = glslOf(kernel("layout(set = 2, binding = 9) buffer B { uint b[]; };\n"
                                     "layout(set = 2, binding = 9) buffer C { float c[]; };\n",
                                     "b[i] = uint(c[i]);"));
  EXPECT_THAT(made.code, HasSubstr("layout(binding = 1, std430) buffer B"));
  EXPECT_THAT(made.code, HasSubstr("layout(binding = 1, std430) buffer C"));
}

TEST(Glsl, EachPairOfImageAndSamplerIsAUnit) {
  const std::string images = "layout(binding = 1) uniform texture2D t;\n"
                             "layout(binding = 2) uniform sampler s;\n"
                             "layout(binding = 3) uniform sampler r;\n";
  const std::string one = "a[i] = uint(textureLod(sampler2D(t, s), vec2(0.5), 0).x);";
  const Emitted single = glslOf(kernel(images, one));
  EXPECT_THAT(single.code, HasSubstr("layout(binding = 1) uniform sampler2D t_s"));
  ASSERT_EQ(single.interface.resources.size(), 2u);
  EXPECT_EQ(
      single.interface.resources[1],
      (PlacedResource{"combined", "t_s", 0, 1, 1, false, {{"binding", 1}}, std::pair(0u, 2u)}));

  // Two samplers are two units, with the image bound to both.
  const Emitted two =
      glslOf(kernel(images, one + "a[0] = uint(textureLod(sampler2D(t, r), vec2(0), 0).y);"));
  EXPECT_THAT(two.code, HasSubstr("layout(binding = 0) uniform sampler2D t_s"));
  EXPECT_THAT(two.code, HasSubstr("layout(binding = 1) uniform sampler2D t_r"));
  ASSERT_EQ(two.interface.resources.size(), 3u);
  EXPECT_EQ(two.interface.resources[1].sampler, std::pair(0u, 3u));
  EXPECT_EQ(two.interface.resources[2].sampler, std::pair(0u, 2u));
}

TEST(Glsl, AnImageThatIsOnlyFetchedFromNeedsNoSampler) {
  const Emitted made = glslOf(kernel("layout(binding = 1) uniform texture2D t;",
                                     "a[i] = uint(texelFetch(t, ivec2(i, 0), 0).x);"));
  EXPECT_THAT(made.code, HasSubstr("layout(binding = 1) uniform sampler2D t"));
  ASSERT_EQ(made.interface.resources.size(), 2u);
  EXPECT_EQ(made.interface.resources[1].kind, "texture");
  EXPECT_EQ(made.interface.resources[1].sampler, std::nullopt);
}

TEST(Glsl, WhatIsOverTheGuaranteedCountsIsRefused) {
  auto buffers = [](int count) {
    std::string declarations, body = "a[i] = 0";
    for (int n = 1; n < count; ++n) {
      const std::string name = std::to_string(n);
      declarations +=
          "layout(binding = " + name + ") buffer B" + name + " { uint b" + name + "[]; };\n";
      body += " + b" + name + "[i]";
    }
    return kernel(declarations, body + ";");
  };
  glslOf(buffers(8));
  EXPECT_EQ(refusal("glsl", buffers(9), {8, 1, 1}).text,
            "the kernel has 9 storage buffers, glsl guarantees 8");
  glslOf(buffers(4), {}, "essl");
  const Diagnostic es = refusal("essl", buffers(5), {8, 1, 1});
  EXPECT_EQ(es.text, "the kernel has 5 storage buffers, essl guarantees 4");
  ASSERT_EQ(es.notes.size(), 1u);
  EXPECT_THAT(es.notes[0].text, HasSubstr("OpenGL ES 3.1 specification, tables 20.45 to 20.47"));
  EmitOptions vulkan;
  vulkan.vulkanGlsl = true;
  glslOf(buffers(9), vulkan);
}

TEST(Glsl, BuffersAndImagesAreCountedTogetherToo) {
  const std::string images = "layout(binding = 4, r32f) uniform writeonly image2D x;\n"
                             "layout(binding = 5, r32f) uniform writeonly image2D y;\n"
                             "layout(binding = 1) buffer B { uint b[]; };\n"
                             "layout(binding = 2) buffer C { uint c[]; };\n";
  const std::string body = "imageStore(x, ivec2(0), vec4(0)); imageStore(y, ivec2(0), vec4(0)); "
                           "a[i] = b[i] + c[i];";
  glslOf(kernel(images, body));
  EXPECT_EQ(refusal("essl", kernel(images, body), {8, 1, 1}).text,
            "the kernel has 5 storage buffers and storage images, essl guarantees 4");
}

TEST(Glsl, AUniformBufferOverTheGuaranteedSizeIsRefused) {
  auto words = [](const std::string &count) {
    return kernel("layout(binding = 1) uniform U { uvec4 u[" + count + "]; };", "a[i] = u[i].x;");
  };
  glslOf(words("1024"));
  EXPECT_EQ(refusal("glsl", words("1025"), {8, 1, 1}).text,
            "the uniform buffer 'U' has 16400 bytes, glsl guarantees 16384");
}

TEST(Glsl, PushConstantsKeepTheirOffsets) {
  // Behind bytes that another stage has: explicit offsets, which GLSL has from 4.40 on.
  const std::vector<uint32_t> words = kernel(
      "layout(push_constant) uniform P { layout(offset = 16) uint k; uint l; };", "a[i] = k + l;");
  EmitOptions options = options450();
  const Emitted made = glslOf(words, options);
  EXPECT_THAT(made.code, HasSubstr("layout(offset = 16) uint k;"));
  EXPECT_EQ(made.interface.values[0].bytes, 32u);
  EXPECT_THAT(made.interface.features, IsEmpty());
  options.glslVersion = 430;
  EXPECT_THAT(glslOf(words, options).interface.features, ElementsAre("GL_ARB_enhanced_layouts"));
  EXPECT_THAT(refusal("essl", words, {8, 1, 1}).text, HasSubstr("essl cannot express"));
}

TEST(Glsl, PushConstantsThatAUniformBlockCannotHoldAreAStorageBlock) {
  // An array of floats has a stride of 16 bytes in a block of std140.
  const std::vector<uint32_t> words = kernel(
      "layout(push_constant) uniform P { float k[4]; uint l; };", "a[i] = uint(k[i & 3]) + l;");
  for (std::string_view target : {"glsl", "essl"}) {
    const Emitted made = glslOf(words, {}, target);
    EXPECT_THAT(made.code, HasSubstr("layout(binding = 1, std430) readonly buffer PushConstants"));
    ASSERT_EQ(made.interface.values.size(), 1u);
    EXPECT_EQ(
        made.interface.values[0],
        (PlacedValues{"push_constants", "storage_buffer", "PushConstants", 32, {{"binding", 1}}}));
    EXPECT_EQ(made.interface.resources.size(), 1u);
  }
  EXPECT_THAT(refusal("essl",
                      kernel("layout(push_constant) uniform P { layout(offset = 4) float k[4]; };",
                             "a[i] = uint(k[i & 3]);"),
                      {8, 1, 1})
                  .text,
              HasSubstr("essl cannot express this kernel: "));
}

TEST(Glsl, TheNameOfThePushConstantsIsInTheInterface) {
  const Emitted made = glslOf(kernel("layout(push_constant) uniform P { uint k; };\n"
                                     "layout(binding = 1) uniform PushConstants { uint b; };",
                                     "a[i] = k + b;"));
  ASSERT_EQ(made.interface.resources.size(), 2u);
  EXPECT_NE(made.interface.resources[1].name, made.interface.values[0].name);
  EXPECT_THAT(made.code, HasSubstr("uniform " + made.interface.resources[1].name + "\n"));
  EXPECT_THAT(made.code, HasSubstr("uniform " + made.interface.values[0].name + "\n"));
}

TEST(Glsl, MatricesKeepTheirOrder) {
  const std::vector<uint32_t> words =
      kernel("layout(binding = 1) uniform U { layout(row_major) mat4 m; mat3x2 k; };\n"
             "layout(binding = 2) buffer B { layout(row_major) mat4 bm; vec4 o[]; };",
             "o[i] = m * bm * vec4(k[1], 1.0, 2.0);");
  for (std::string_view target : {"glsl", "essl"})
    EXPECT_THAT(glslOf(words, {}, target).code, HasSubstr("layout(row_major) mat4 m;"));
}

TEST(Glsl, QualifiersOfMembersAreTheBlocks) {
  const std::string block = "layout(binding = 1) buffer B { ";
  EXPECT_THAT(glslOf(kernel(block + "coherent uint x; uint y; };", "x = y;")).code,
              HasSubstr("std430) coherent buffer B\n"));
  EXPECT_THAT(glslOf(kernel(block + "uint x; volatile uint y; };", "x = y;")).code,
              HasSubstr("std430) coherent volatile buffer B\n"));
  EXPECT_THAT(glslOf(kernel(block + "uint x; uint y; };", "x = y;")).code,
              HasSubstr("std430) buffer B\n"));
  EXPECT_EQ(refusal("glsl",
                    kernel("layout(binding = 1, r32f) uniform volatile image2D t;",
                           "imageStore(t, ivec2(0), imageLoad(t, ivec2(1)));"),
                    {8, 1, 1})
                .text,
            "glsl 450 cannot express volatile images ('t')");
}

TEST(Glsl, TheVulkanMemoryModelMakesEverythingCoherent) {
  const std::string more = "#pragma use_vulkan_memory_model\n"
                           "#extension GL_KHR_memory_scope_semantics : require\n";
  const std::vector<uint32_t> words = kernel("", "a[i] = n;", more);
  EXPECT_THAT(glslOf(words).code, HasSubstr("std430) coherent buffer A\n"));
}

TEST(Glsl, ReadOnlyAndWriteOnlyComeFromTheText) {
  const Emitted made = glslOf(kernel("layout(binding = 1, r32f) uniform image2D r;\n"
                                     "layout(binding = 2, r32f) uniform image2D w;\n"
                                     "layout(binding = 3) readonly buffer B { uint b[]; };",
                                     "imageStore(w, ivec2(0), imageLoad(r, ivec2(b[i], 0)));"));
  EXPECT_THAT(made.code, HasSubstr("readonly image2D r"));
  EXPECT_THAT(made.code, HasSubstr("writeonly image2D w"));
  ASSERT_EQ(made.interface.resources.size(), 4u);
  EXPECT_TRUE(made.interface.resources[0].writes);
  EXPECT_FALSE(made.interface.resources[1].writes);
  EXPECT_TRUE(made.interface.resources[2].writes);
  EXPECT_FALSE(made.interface.resources[3].writes);
}

TEST(Glsl, ExtensionsAreFeatures) {
  const Emitted made =
      glslOf(kernel("layout(binding = 1) buffer B { int64_t b[]; };", "b[i] += 1L;"));
  EXPECT_THAT(made.interface.features, ElementsAre("GL_ARB_gpu_shader_int64"));
  EmitOptions vulkan;
  vulkan.vulkanGlsl = true;
  const std::vector<uint32_t> half =
      kernel("layout(binding = 1) buffer B { float16_t b[]; };", "b[i] += float16_t(1);");
  EXPECT_THAT(glslOf(half, vulkan).interface.features,
              ElementsAre("GL_EXT_shader_16bit_storage",
                          "GL_EXT_shader_explicit_arithmetic_types_float16"));
}

/// Of words that no front end of ours writes.
Diagnostic refusalOfText(const std::string &globals, const std::string &body,
                         const std::string &head = "", const std::string &functions = "",
                         const std::string &decorations = "") {
  const std::string source = "; SPIR-V\n; Version: 1.3\nOpCapability Shader\n" + head +
                             R"(OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 8 1 1
)" + decorations + R"(%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%pu = OpTypePointer Workgroup %uint
%fp = OpTypeFunction %void %pu
)" + globals + R"(%main = OpFunction %void None %fn
%l1 = OpLabel
)" + body + "OpReturn\nOpFunctionEnd\n" +
                             functions;
  const std::vector<uint32_t> words = compile(source, "k.spvasm");
  const Diagnostic refused = refusal("glsl", words, {8, 1, 1});
  EmitOptions vulkan;
  vulkan.vulkanGlsl = true;
  EXPECT_FALSE(emitAs("glsl", words, {8, 1, 1}, vulkan));
  EXPECT_FALSE(emitAs("essl", words, {8, 1, 1}));
  return refused;
}

TEST(Glsl, WorkgroupMemoryWithAValueIsRefused) {
  EXPECT_EQ(refusalOfText("%null = OpConstantNull %uint\n%s = OpVariable %pu Workgroup %null\n",
                          "OpStore %s %zero\n")
                .text,
            "glsl cannot express workgroup memory that starts with a value (%9)");
}

TEST(Glsl, PointersToSharedMemoryAsArgumentsAreRefused) {
  const Diagnostic refused =
      refusalOfText("%s = OpVariable %pu Workgroup\n", "%r = OpFunctionCall %void %f %s\n", "",
                    "%f = OpFunction %void None %fp\n%p = OpFunctionParameter %pu\n%l2 = OpLabel\n"
                    "OpStore %p %zero\nOpReturn\nOpFunctionEnd\n");
  EXPECT_EQ(refused.text, "glsl 450 cannot express a pointer to memory that invocations share as "
                          "the argument of a function");
}

TEST(Glsl, MembersOutOfOrderAreRefused) {
  const Diagnostic refused = refusalOfText(
      "%block = OpTypeStruct %uint %uint\n%pb = OpTypePointer PushConstant %block\n"
      "%p = OpVariable %pb PushConstant\n",
      "%b = OpLoad %block %p\n", "", "",
      "OpName %block \"P\"\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset 4\n"
      "OpMemberDecorate %block 1 Offset 0\n");
  EXPECT_EQ(refused.text, "glsl 450 cannot express a block whose members are not in the order of "
                          "their offsets ('P')");
}

TEST(Glsl, CopiesOfWholeBlocksAreRefused) {
  // Vulkan GLSL names the block after the variable where the structure has no name.
  for (const char *names : {"OpName %block \"P\"\n", "OpName %p \"p\"\n"}) {
    const Diagnostic refused = refusalOfText(
        "%block = OpTypeStruct %uint\n%pb = OpTypePointer PushConstant %block\n"
        "%pf = OpTypePointer Function %block\n%p = OpVariable %pb PushConstant\n",
        "%copy = OpVariable %pf Function\nOpCopyMemory %copy %p\n", "", "",
        names + std::string("OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"));
    EXPECT_EQ(refused.text, "glsl 450 cannot express a copy of the whole block 'PushConstants'");
  }
}

TEST(Glsl, OpcodesThatTheCrossCompilerDoesNotKnowAreRefused) {
  // It would leave a comment in their place.
  const Diagnostic refused =
      refusalOfText("%bool = OpTypeBool\n%yes = OpConstantTrue %bool\n", "OpAssumeTrueKHR %yes\n",
                    "OpCapability ExpectAssumeKHR\nOpExtension \"SPV_KHR_expect_assume\"\n");
  EXPECT_EQ(refused.text, "glsl cannot express OpAssumeTrueKHR");
}

TEST(Glsl, FloatModesAreRefused) {
  const std::vector<uint32_t> words =
      kernel("", "a[i] = floatBitsToUint(uintBitsToFloat(n) + 1.0);");
  std::vector<uint32_t> preserving;
  for (size_t at = 0; at < words.size();) {
    const size_t count = at == 0 ? 5 : words[at] >> 16;
    preserving.insert(preserving.end(), words.begin() + static_cast<long>(at),
                      words.begin() + static_cast<long>(at + count));
    if (at != 0 && (words[at] & 0xffff) == 16) // OpExecutionMode LocalSize
      preserving.insert(preserving.end(), {4u << 16 | 16, words[at + 1], 4461, 32});
    at += count;
  }
  EXPECT_EQ(refusal("glsl", preserving, {8, 1, 1}).text,
            "glsl 450 cannot express the execution mode SignedZeroInfNanPreserve");
}

TEST(Glsl, ImagesWithoutAFormatAreWrittenOrNeedAnExtension) {
  const std::string image = "layout(binding = 1) uniform writeonly image2D t;";
  const std::string write = "imageStore(t, ivec2(0), vec4(n));";
  EXPECT_THAT(glslOf(kernel(image, write)).interface.features, IsEmpty());
  const std::vector<uint32_t> reads =
      kernel("layout(binding = 1) uniform image2D t;", "a[i] = uint(imageLoad(t, ivec2(0)).x);",
             "#extension GL_EXT_shader_image_load_formatted : require\n");
  EXPECT_THAT(glslOf(reads).interface.features, ElementsAre("GL_EXT_shader_image_load_formatted"));
}

TEST(Glsl, SharedMemoryIsCountedAsDriversLayItOut) {
  auto words = [](const std::string &count) {
    return kernel("shared vec3 t[" + count + "];",
                  "t[i] = vec3(1); barrier(); a[i] = uint(t[n].x);");
  };
  glslOf(words("2048"));
  EXPECT_EQ(refusal("glsl", words("2049"), {8, 1, 1}).text,
            "workgroup memory has 32784 bytes, glsl guarantees 32768");
  glslOf(words("1024"), {}, "essl");
  EXPECT_EQ(refusal("essl", words("1025"), {8, 1, 1}).text,
            "workgroup memory has 16400 bytes, essl guarantees 16384");
}

} // namespace
