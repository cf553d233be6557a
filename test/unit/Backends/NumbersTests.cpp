//===- test/unit/Backends/NumbersTests.cpp ---------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Shaders.h"

#include "Naga/Naga.h"

#include <gmock/gmock.h>

using namespace tailor;
using namespace tailor::test;
using testing::HasSubstr;
using testing::Not;

namespace {

constexpr Dim3 kEight{8, 1, 1};

/// A kernel that stores what BODY makes of the unsigned %u, the signed %i and the float %f.
std::vector<uint32_t> kernel(const std::string &body) {
  return compile(R"(OpCapability Shader
%std = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %gid
OpExecutionMode %main LocalSize 8 1 1
OpDecorate %gid BuiltIn GlobalInvocationId
OpDecorate %array ArrayStride 4
OpMemberDecorate %Block 0 Offset 0
OpDecorate %Block BufferBlock
OpDecorate %b DescriptorSet 0
OpDecorate %b Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%bool = OpTypeBool
%v3 = OpTypeVector %uint 3
%pi = OpTypePointer Input %v3
%pu = OpTypePointer Input %uint
%array = OpTypeRuntimeArray %uint
%Block = OpTypeStruct %array
%pBlock = OpTypePointer Uniform %Block
%pe = OpTypePointer Uniform %uint
%gid = OpVariable %pi Input
%b = OpVariable %pBlock Uniform
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u5 = OpConstant %uint 5
%main = OpFunction %void None %fn
%entry = OpLabel
%pg = OpAccessChain %pu %gid %u0
%g = OpLoad %uint %pg
%p = OpAccessChain %pe %b %u0 %g
%u = OpLoad %uint %p
%i = OpBitcast %int %u
%f = OpBitcast %float %u
)" + body + R"(
OpStore %p %r
OpReturn
OpFunctionEnd
)",
                 "k.spvasm");
}

std::vector<std::string_view> textLanguages() {
  std::vector<std::string_view> all = {"glsl", "essl", "hlsl", "msl"};
  if (naga::isAvailable())
    all.push_back("wgsl");
  return all;
}

TEST(Numbers, SignedOperationsOnUnsignedIntegersStaySigned) {
  for (std::string_view target : textLanguages()) {
    const bool isWgsl = target == "wgsl";
    const std::string cast = isWgsl ? "bitcast<i32>(" : "int(";
    for (const char *body :
         {"%r = OpSDiv %uint %u %u5", "%r = OpSRem %uint %u %u5",
          "%r = OpShiftRightArithmetic %uint %u %u1", "%r = OpExtInst %uint %std SMax %u %u5",
          "%r = OpExtInst %uint %std SAbs %u", "%r = OpBitFieldSExtract %uint %u %u1 %u5",
          "%c = OpConvertSToF %float %u\n%r = OpBitcast %uint %c"})
      EXPECT_THAT(text(target, kernel(body), kEight), HasSubstr(cast)) << target << ": " << body;
  }
}

TEST(Numbers, UnsignedOperationsOnSignedIntegersStayUnsigned) {
  for (std::string_view target : textLanguages()) {
    const std::string cast = target == "wgsl" ? "bitcast<u32>(" : "uint(";
    for (const char *body : {"%s = OpShiftRightLogical %int %i %u1\n%r = OpBitcast %uint %s",
                             "%s = OpExtInst %int %std UMin %i %i\n%r = OpBitcast %uint %s",
                             "%c = OpConvertUToF %float %i\n%r = OpBitcast %uint %c"})
      EXPECT_THAT(text(target, kernel(body), kEight), HasSubstr(cast)) << target << ": " << body;
  }
}

TEST(Numbers, ComparisonsTellNanAsTheyDo) {
  for (std::string_view target : {"glsl", "essl", "hlsl", "msl"}) {
    const std::string ordered = text(
        target, kernel("%c = OpFOrdNotEqual %bool %f %f\n%r = OpSelect %uint %c %u1 %u0"), kEight);
    EXPECT_THAT(ordered, Not(HasSubstr("!="))) << target;
    EXPECT_THAT(ordered, HasSubstr(" < ")) << target;
    EXPECT_THAT(ordered, HasSubstr(" > ")) << target;
    const std::string unordered = text(
        target, kernel("%c = OpFUnordEqual %bool %f %f\n%r = OpSelect %uint %c %u1 %u0"), kEight);
    EXPECT_THAT(unordered, Not(HasSubstr("=="))) << target;
    EXPECT_THAT(unordered, Not(HasSubstr("!="))) << target;
    EXPECT_THAT(unordered, HasSubstr("!(")) << target;
  }
}

TEST(Numbers, AtomicsOnTheOtherSignAreRefused) {
  for (std::string_view target : {"glsl", "essl", "hlsl"})
    EXPECT_THAT(refusal(target, kernel("%r = OpAtomicSMin %uint %p %u1 %u0 %u5"), kEight).text,
                HasSubstr("OpAtomicSMin on memory of unsigned integers"))
        << target;
}

TEST(Numbers, FunctionsOfTheKernelDoNotTakeTheLanguagesCalls) {
  const std::vector<uint32_t> words =
      module("#version 450\nlayout(local_size_x = 8) in;\n"
             "layout(binding = 0) buffer B { float o[]; };\n"
             "float rsqrt(float x) { return x * 42.0; }\n"
             "void main() { uint i = gl_GlobalInvocationID.x;\n"
             "  o[i] = inversesqrt(abs(o[i]) + 1.0) + rsqrt(o[i]); }\n");
  for (std::string_view target : {"hlsl", "msl"})
    EXPECT_THAT(text(target, words, kEight), HasSubstr("float rsqrt_(")) << target;
}

TEST(Numbers, MatricesWithAnotherStrideAreRefusedInGlsl) {
  const std::string head = "#version 450\n#extension GL_EXT_scalar_block_layout : enable\n"
                           "layout(local_size_x = 8) in;\n"
                           "layout(binding = 0) buffer B { float o[]; };\n";
  const std::vector<uint32_t> scalar =
      module(head + "layout(binding = 1, scalar) readonly buffer U { mat3 m; };\n"
                    "void main() { o[gl_GlobalInvocationID.x] = m[1][2]; }\n");
  EXPECT_THAT(refusal("glsl", scalar, kEight).text, HasSubstr("a matrix with 12 bytes"));
  // std430 has what std140 has not: the push constants become a storage block.
  const std::vector<uint32_t> pushed =
      module(head + "layout(push_constant) uniform P { mat2 m; } p;\n"
                    "void main() { o[gl_GlobalInvocationID.x] = p.m[1][1]; }\n");
  EXPECT_THAT(text("glsl", pushed, kEight), HasSubstr("std430) readonly buffer PushConstants"));
}

} // namespace
