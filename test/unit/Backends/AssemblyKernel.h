//===- test/unit/Backends/AssemblyKernel.h - Kernels in SPIR-V text --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TEST_UNIT_BACKENDS_ASSEMBLYKERNEL_H
#define TAILOR_TEST_UNIT_BACKENDS_ASSEMBLYKERNEL_H

#include <string>

namespace tailor::test {

/// A kernel of size 8x1x1 with a buffer %b of unsigned integers at binding 0. %g is the number of
/// the invocation, %p points to its element, and the body, which is to end with OpReturn, may name
/// the types %uint, %int, %float and %bool, the unsigned constants %u0 to %u7, %u100 and %u200,
/// and %std, the GLSL instructions.
inline std::string assemblyKernel(const std::string &body) {
  std::string constants;
  for (unsigned value : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 100U, 200U})
    constants +=
        "%u" + std::to_string(value) + " = OpConstant %uint " + std::to_string(value) + "\n";
  return R"(OpCapability Shader
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
)" + constants +
         R"(%main = OpFunction %void None %fn
%entry = OpLabel
%pg = OpAccessChain %pu %gid %u0
%g = OpLoad %uint %pg
%p = OpAccessChain %pe %b %u0 %g
)" + body +
         "\nOpFunctionEnd\n";
}

} // namespace tailor::test

#endif
