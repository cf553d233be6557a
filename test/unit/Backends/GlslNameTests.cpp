//===- test/unit/Backends/GlslNameTests.cpp ----------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GlslSupport.h"

#include <gmock/gmock.h>

using namespace tailor;
using namespace tailor::test;

namespace {

/// A module in which each kind of thing may be called `name`: kinds are the ids below.
std::string called(const std::string &name, const std::string &kind) {
  std::string source = R"(; SPIR-V
; Version: 1.3
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %entry "main" %gid
OpExecutionMode %entry LocalSize 8 1 1
)";
  for (const char *each : {"variable", "block", "function", "memory", "local", "structure", "push",
                           "image", "texture"})
    source += "OpName %" + std::string(each) + " \"" +
              (kind == each ? name : "my_" + std::string(each)) + "\"\n";
  for (const char *each : {"block", "structure", "push"})
    source += "OpMemberName %" + std::string(each) + " 0 \"" +
              (kind == "member" ? name : "my_member") + "\"\n";
  return source + R"(OpDecorate %gid BuiltIn GlobalInvocationId
OpDecorate %variable DescriptorSet 0
OpDecorate %variable Binding 0
OpDecorate %image DescriptorSet 0
OpDecorate %image Binding 1
OpDecorate %texture DescriptorSet 0
OpDecorate %texture Binding 2
OpDecorate %block Block
OpDecorate %push Block
OpMemberDecorate %push 0 Offset 0
OpMemberDecorate %push 0 RowMajor
OpMemberDecorate %push 0 MatrixStride 16
OpMemberDecorate %block 0 Offset 0
OpDecorate %array ArrayStride 4
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%uint3 = OpTypeVector %uint 3
%float2 = OpTypeVector %float 2
%float4 = OpTypeVector %float 4
%int2 = OpTypeVector %int 2
%matrix = OpTypeMatrix %float4 4
%tmain = OpTypeFunction %void
%tfunction = OpTypeFunction %uint %uint
%array = OpTypeRuntimeArray %uint
%block = OpTypeStruct %array
%push = OpTypeStruct %matrix
%structure = OpTypeStruct %uint
%pblock = OpTypePointer StorageBuffer %block
%ppush = OpTypePointer PushConstant %push
%puint = OpTypePointer StorageBuffer %uint
%ppfloat = OpTypePointer PushConstant %float
%pinput = OpTypePointer Input %uint3
%pmemory = OpTypePointer Workgroup %uint
%plocal = OpTypePointer Function %structure
%pluint = OpTypePointer Function %uint
%timage = OpTypeImage %float 2D 0 0 0 2 R32f
%pimage = OpTypePointer UniformConstant %timage
%tsampled = OpTypeImage %float 2D 0 0 0 1 Unknown
%tcombined = OpTypeSampledImage %tsampled
%ptexture = OpTypePointer UniformConstant %tcombined
%c0 = OpConstant %int 0
%c3 = OpConstant %uint 3
%f0 = OpConstant %float 0
%zero2 = OpConstantComposite %float2 %f0 %f0
%at = OpConstantComposite %int2 %c0 %c0
%variable = OpVariable %pblock StorageBuffer
%constants = OpVariable %ppush PushConstant
%gid = OpVariable %pinput Input
%memory = OpVariable %pmemory Workgroup
%image = OpVariable %pimage UniformConstant
%texture = OpVariable %ptexture UniformConstant
%entry = OpFunction %void None %tmain
%l1 = OpLabel
%local = OpVariable %plocal Function
%id = OpLoad %uint3 %gid
%x = OpCompositeExtract %uint %id 0
%lp = OpAccessChain %pluint %local %c0
OpStore %lp %x
%lv = OpLoad %uint %lp
%r = OpFunctionCall %uint %function %lv
OpStore %memory %r
%m = OpLoad %uint %memory
%q = OpAccessChain %ppfloat %constants %c0 %c0 %c0
%k = OpLoad %float %q
%ku = OpConvertFToU %uint %k
%s = OpIAdd %uint %m %ku
%p = OpAccessChain %puint %variable %c0 %x
OpStore %p %s
%iv = OpLoad %timage %image
%tv = OpLoad %tcombined %texture
%texel = OpImageSampleExplicitLod %float4 %tv %zero2 Lod %f0
OpImageWrite %iv %at %texel
OpReturn
OpFunctionEnd
%function = OpFunction %uint None %tfunction
%y = OpFunctionParameter %uint
%l2 = OpLabel
%product = OpIMul %uint %y %c3
OpReturnValue %product
OpFunctionEnd
)";
}

/// Keywords, built-in functions, types of extensions, words of layouts, odd identifiers.
constexpr const char *kWords[] = {"main",
                                  "clamp",
                                  "determinant",
                                  "atomicAnd",
                                  "barrier",
                                  "atomicAdd",
                                  "imageStore",
                                  "textureLod",
                                  "mix",
                                  "packHalf2x16",
                                  "memoryBarrierShared",
                                  "sample",
                                  "common",
                                  "filter",
                                  "input",
                                  "output",
                                  "texture",
                                  "sampler",
                                  "sampler2D",
                                  "image2D",
                                  "imageCubeArray",
                                  "iimage2D",
                                  "image2D",
                                  "buffer",
                                  "shared",
                                  "coherent",
                                  "highp",
                                  "precise",
                                  "subroutine",
                                  "resource",
                                  "active",
                                  "mat2x3",
                                  "uvec4",
                                  "bool",
                                  "float16_t",
                                  "int64_t",
                                  "uint8_t",
                                  "f16vec2",
                                  "i64vec3",
                                  "f32mat2",
                                  "std140",
                                  "std430",
                                  "binding",
                                  "offset",
                                  "r32f",
                                  "rgba8",
                                  "row_major",
                                  "local_size_x",
                                  "location",
                                  "set",
                                  "index",
                                  "push_constant",
                                  "PushConstants",
                                  "gl_Position",
                                  "a__b",
                                  "__a",
                                  "_12",
                                  "_",
                                  "3x",
                                  "a.b",
                                  "a b",
                                  "defined",
                                  "texture2D",
                                  "subpassInput",
                                  "demote",
                                  "discard"};

class GlslNames : public testing::TestWithParam<const char *> {};

TEST_P(GlslNames, MayBeAnythings) {
  for (const char *kind : {"variable", "block", "function", "memory", "local", "structure", "push",
                           "image", "texture", "member"}) {
    SCOPED_TRACE(kind);
    const std::vector<uint32_t> words = compile(called(GetParam(), kind), "names.spvasm");
    glslOf(words, {}, "essl");
    EmitOptions options;
    options.vulkanGlsl = true;
    glslOf(words, options);
  }
}

INSTANTIATE_TEST_SUITE_P(All, GlslNames, testing::ValuesIn(kWords));

} // namespace
