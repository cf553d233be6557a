//===- test/unit/Backends/NamedKernel.h - Everything has that name ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TEST_UNIT_BACKENDS_NAMEDKERNEL_H
#define TAILOR_TEST_UNIT_BACKENDS_NAMEDKERNEL_H

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace tailor::test {

/// Words that one of the languages has a meaning for, that texts of SPIRV-Cross have, or that are
/// no identifiers. Not taken from the lists that the emitters go by.
inline std::vector<std::string> hardNames() {
  std::istringstream words(R"(
main main0 comp_main countbits rsqrt lerp frac saturate float4 float4x4 uint3 int2 SPIRV_Cross_Input
SPIRV_Cross_NumWorkgroups gl_GlobalInvocationID gl_NumWorkGroups gl_LocalInvocationID gl_Mine gl_
stage_input numthreads register packoffset SV_DispatchThreadID groupshared cbuffer tbuffer
RWByteAddressBuffer ByteAddressBuffer Load Store Texture2D SamplerState technique Technique pass
PASS matrix vector Matrix string asm ASM pixelshader dword min16float min16uint half fixed snorm
unorm mad mul rcp asuint asfloat f32tof16 f16tof32 firstbitlow firstbithigh reversebits clip lit
dst noise fmod modf frexp ldexp sincos ddx GroupMemoryBarrierWithGroupSync AllMemoryBarrier
InterlockedAdd WaveActiveSum point line triangle in out inout uniform static const volatile precise
row_major column_major export interface class namespace using template typename operator this new
delete sizeof enum union struct auto explicit friend goto private protected public mutable signed
unsigned short long char double float int uint bool void true false NULL nullptr if else for while do
switch case default break continue return discard register_ packed_float3 packed_half2 select
simd_sum simd_shuffle simd_float4 threadgroup metal thread device constant kernel vertex fragment
fast precise_ access sampler texture2d depth2d texture_buffer array vec atomic_uint
atomic_fetch_add_explicit memory_order_relaxed mem_flags threadgroup_barrier simdgroup_barrier
as_type popcount clz ctz fract mix step smoothstep sign floor ceil rint trunc sqrt exp2 log2 pow
powr fma min max clamp abs any all dot cross length distance normalize reflect refract transpose
determinant level bias component coord read write sample gather spvUnsafeArray spvBitfieldInsert
spvBufferSizeConstants device_ M_PI_F INFINITY NAN INT_MAX FLT_MAX METAL_FUNC MAXFLOAT uchar ushort
ulong size_t int8_t uint64_t char16_t alignas noexcept co_await concept requires xor and or not
bitand compl xor_eq inversesqrt roundEven bitCount findLSB findMSB bitfieldExtract imageStore
texelFetch textureLod atomicAdd barrier memoryBarrierShared vec4 ivec2 mat3 mat2x3 dvec3 sampler2D
image2D itexture2D samplerShadow subpassInput layout buffer shared coherent restrict readonly
writeonly highp mediump lowp precision subroutine patch centroid flat smooth noperspective invariant
attribute varying common partition active filter input output superp resource external extern inline
noinline cast hvec2 fvec3 sampler3DRect atomic_uint_ float16_t int64_t f16vec2 i64vec3 std140 std430
binding offset local_size_x location set index push_constant rgba8 r32f demote nonuniformEXT
accelerationStructureEXT defined version extension VULKAN GL_ES GL_core_profile subgroupAdd PushConstants
a__b a_b __a ___ _ __ _12 _m0 _a_ a_ a a1 A 3x a.b a-b a$b x y xyzw r type.T $Global NaMeD NaMeD0Q
NaMeD3Q_)");
  return {std::istream_iterator<std::string>(words), {}};
}

/// hardNames in parts of up to `count`.
inline std::vector<std::vector<std::string>> hardNameParts(size_t count) {
  const std::vector<std::string> names = hardNames();
  std::vector<std::vector<std::string>> parts;
  for (size_t at = 0; at < names.size(); at += count)
    parts.emplace_back(names.begin() + static_cast<long>(at),
                       names.begin() + static_cast<long>(std::min(at + count, names.size())));
  return parts;
}

/// A kernel of size 8x1x1 that has, for each of the names, a structure with a member, an array in
/// workgroup memory, a function with a parameter, and a local variable, all called so; the buffers
/// and their members are called as the first ones. It uses functions that texts spell as some of
/// the names are.
inline std::string namedKernel(const std::vector<std::string> &names) {
  constexpr std::array kOperations = {
      "Sqrt %p#",           "InverseSqrt %p#", "FMix %p# %f1 %f2",
      "FClamp %p# %f1 %f2", "Fract %p#",       "SmoothStep %f1 %f2 %p#",
      "Step %f1 %p#",       "Exp2 %p#",        "Pow %f2 %p#",
      "FSign %p#",          "Fma %p# %f1 %f2", "Trunc %p#",
      "RoundEven %p#",      "FMin %p# %f1",    "Log2 %p#",
      "Degrees %p#"};
  std::string debug, globals, body, functions;
  auto add = [](std::string &to, std::string text, size_t number) {
    for (size_t at = text.find('#'); at != std::string::npos; at = text.find('#'))
      text.replace(at, 1, std::to_string(number));
    to += text;
  };
  for (size_t i = 0; i < names.size(); ++i) {
    for (const char *thing : {"%S#", "%w#", "%f_#", "%p#", "%l#", "%x#"})
      add(debug, "OpName " + std::string(thing) + " \"" + names[i] + "\"\n", i);
    add(debug, "OpMemberName %S# 0 \"" + names[i] + "\"\n", i);
    add(globals, "%S# = OpTypeStruct %uint\n%pS# = OpTypePointer Function %S#\n", i);
    add(globals, "%w# = OpVariable %pshared Workgroup\n", i);
    add(body,
        "%lp# = OpAccessChain %plocal %l# %u0\nOpStore %lp# %sum#\n%lv# = OpLoad %uint %lp#\n"
        "%wp# = OpAccessChain %pword %w# %lid\nOpStore %wp# %lv#\n%wv# = OpLoad %uint %wp#\n"
        "%c# = OpConvertUToF %float %wv#\n%x# = OpFunctionCall %float %f_# %c#\n"
        "%y# = OpConvertFToU %uint %x#\n%b# = OpBitCount %uint %y#\n",
        i);
    add(body, "%sum" + std::to_string(i + 1) + " = OpIAdd %uint %b# %y#\n", i);
    add(functions,
        "%f_# = OpFunction %float None %tf\n%p# = OpFunctionParameter %float\n%e# = OpLabel\n"
        "%r# = OpExtInst %float %std " +
            std::string(kOperations[i % kOperations.size()]) +
            "\n%q# = OpFAdd %float %r# %p#\nOpReturnValue %q#\nOpFunctionEnd\n",
        i);
  }
  auto name = [&](size_t i) { return names[i % names.size()]; };
  for (const auto &[thing, i] : {std::pair("%Block", 0U),
                                 {"%b", 1U},
                                 {"%Uniforms", 2U},
                                 {"%u", 3U},
                                 {"%Push", 4U},
                                 {"%push", 5U},
                                 {"%image", 6U},
                                 {"%texture", 7U}})
    debug += "OpName " + std::string(thing) + " \"" + name(i) + "\"\n";
  debug += "OpMemberName %Block 0 \"" + name(8) + "\"\nOpMemberName %Uniforms 0 \"" + name(9) +
           "\"\nOpMemberName %Push 0 \"" + name(10) + "\"\nOpMemberName %Push 1 \"" + name(11) +
           "\"\n";
  std::string locals;
  for (size_t i = 0; i < names.size(); ++i)
    add(locals, "%l# = OpVariable %pS# Function\n", i);
  return R"(OpCapability Shader
%std = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %gid %lids %groups
OpExecutionMode %main LocalSize 8 1 1
)" + debug +
         R"(OpDecorate %gid BuiltIn GlobalInvocationId
OpDecorate %lids BuiltIn LocalInvocationId
OpDecorate %groups BuiltIn NumWorkgroups
OpDecorate %array ArrayStride 4
OpMemberDecorate %Block 0 Offset 0
OpDecorate %Block BufferBlock
OpDecorate %b DescriptorSet 0
OpDecorate %b Binding 0
OpMemberDecorate %Uniforms 0 Offset 0
OpDecorate %Uniforms Block
OpDecorate %u DescriptorSet 0
OpDecorate %u Binding 1
OpMemberDecorate %Push 0 Offset 0
OpMemberDecorate %Push 1 Offset 4
OpDecorate %Push Block
OpDecorate %image DescriptorSet 0
OpDecorate %image Binding 2
OpDecorate %image NonReadable
OpDecorate %texture DescriptorSet 0
OpDecorate %texture Binding 3
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%tf = OpTypeFunction %float %float
%v2 = OpTypeVector %uint 2
%v3 = OpTypeVector %uint 3
%f2v = OpTypeVector %float 2
%f4v = OpTypeVector %float 4
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2scope = OpConstant %uint 2
%u8 = OpConstant %uint 8
%u264 = OpConstant %uint 264
%f1 = OpConstant %float 1
%f2 = OpConstant %float 2
%uv = OpConstantComposite %f2v %f1 %f2
%pi = OpTypePointer Input %v3
%pu = OpTypePointer Input %uint
%array = OpTypeRuntimeArray %uint
%Block = OpTypeStruct %array
%pBlock = OpTypePointer Uniform %Block
%pe = OpTypePointer Uniform %uint
%Uniforms = OpTypeStruct %f4v
%pUniforms = OpTypePointer Uniform %Uniforms
%pf4 = OpTypePointer Uniform %f4v
%Push = OpTypeStruct %uint %uint
%pPush = OpTypePointer PushConstant %Push
%ppu = OpTypePointer PushConstant %uint
%timage = OpTypeImage %float 2D 0 0 0 2 R32f
%pimage = OpTypePointer UniformConstant %timage
%tsampled = OpTypeImage %float 2D 0 0 0 1 Unknown
%tcombined = OpTypeSampledImage %tsampled
%ptexture = OpTypePointer UniformConstant %tcombined
%words = OpTypeArray %uint %u8
%pshared = OpTypePointer Workgroup %words
%pword = OpTypePointer Workgroup %uint
%plocal = OpTypePointer Function %uint
%gid = OpVariable %pi Input
%lids = OpVariable %pi Input
%groups = OpVariable %pi Input
%b = OpVariable %pBlock Uniform
%u = OpVariable %pUniforms Uniform
%push = OpVariable %pPush PushConstant
%image = OpVariable %pimage UniformConstant
%texture = OpVariable %ptexture UniformConstant
)" + globals +
         R"(%main = OpFunction %void None %fn
%entry = OpLabel
)" + locals +
         R"(%pg = OpAccessChain %pu %gid %u0
%g = OpLoad %uint %pg
%pl = OpAccessChain %pu %lids %u0
%lid = OpLoad %uint %pl
%pn = OpAccessChain %pu %groups %u0
%n = OpLoad %uint %pn
%up = OpAccessChain %pf4 %u %u0
%uval = OpLoad %f4v %up
%pp = OpAccessChain %ppu %push %u1
%pval = OpLoad %uint %pp
%tv = OpLoad %tcombined %texture
%texel = OpImageSampleExplicitLod %f4v %tv %uv Lod %f1
%both = OpFAdd %f4v %texel %uval
%iv = OpLoad %timage %image
%at = OpCompositeConstruct %v2 %g %lid
OpImageWrite %iv %at %both
%gn = OpIAdd %uint %g %n
%sum0 = OpIAdd %uint %gn %pval
OpControlBarrier %u2scope %u2scope %u264
)" + body +
         "%p = OpAccessChain %pe %b %u0 %g\nOpStore %p %sum" + std::to_string(names.size()) +
         "\nOpReturn\nOpFunctionEnd\n" + functions;
}

} // namespace tailor::test

#endif
