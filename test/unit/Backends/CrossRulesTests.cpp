//===- Backends/CrossRulesTests.cpp - What no text would mean --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AssemblyKernel.h"
#include "Shaders.h"

#include "Backends/Backend.h"

#include <gmock/gmock.h>

using namespace tailor;
using namespace tailor::test;
using testing::HasSubstr;

namespace {

constexpr Dim3 kEight{8, 1, 1};
constexpr std::string_view kCrossed[] = {"glsl", "essl", "hlsl", "msl"};

std::string with(std::string source, const std::string &ahead, const std::string &what) {
  source.insert(source.find(ahead), what);
  return source;
}

/// An assembly kernel with `globals` ahead of main.
std::vector<uint32_t> kernel(const std::string &globals, const std::string &body) {
  return compile(with(assemblyKernel(body), "%main = OpFunction", globals + "\n"), "k.spvasm");
}

TEST(CrossRules, WorkgroupMemoryStartsWithoutAValue) {
  const std::vector<uint32_t> words =
      kernel("%ps = OpTypePointer Workgroup %uint\n%null = OpConstantNull %uint\n"
             "%s = OpVariable %ps Workgroup %null",
             "%v = OpLoad %uint %s\nOpStore %p %v\nOpReturn");
  for (std::string_view target : kCrossed)
    EXPECT_THAT(refusal(target, words, kEight).text,
                HasSubstr("cannot express workgroup memory that starts with a value"))
        << target;
}

/// HLSL went through the operations on integers, without a word; GLSL and Metal lacked an extension
/// and a version.
TEST(CrossRules, AtomicsOnFloats) {
  for (const char *body : {"%v = OpAtomicExchange %float %s %u1 %u0 %f",
                           "%v = OpAtomicLoad %float %s %u1 %u0", "OpAtomicStore %s %u1 %u0 %f"}) {
    const std::vector<uint32_t> words =
        kernel("%ps = OpTypePointer Workgroup %float\n%s = OpVariable %ps Workgroup",
               "%f = OpConvertUToF %float %g\n" + std::string(body) + "\nOpStore %p %g\nOpReturn");
    for (std::string_view target : kCrossed)
      EXPECT_THAT(refusal(target, words, kEight).text, HasSubstr("atomic operations on floats"))
          << target << ": " << body;
  }
}

TEST(CrossRules, ConstantsThatPassesDoNotReach) {
  const std::string minus = "%m9 = OpConstant %int -9\n%i7 = OpConstant %int 7\n";
  for (const char *constant :
       {"%k = OpSpecConstantOp %int SMod %m9 %i7", "%k = OpSpecConstantOp %uint UDiv %m9 %i7",
        "%k = OpSpecConstantOp %int SDiv %u100 %u7",
        "%k = OpSpecConstantOp %int ShiftRightLogical %m9 %i7",
        "%t = OpSpecConstantOp %bool ULessThan %m9 %i7\n%k = OpSpecConstantOp %int Select %t %i7 "
        "%m9"}) {
    const std::vector<uint32_t> words =
        kernel(minus + constant, "%v = OpIAdd %uint %g %k\nOpStore %p %v\nOpReturn");
    for (std::string_view target : kCrossed)
      EXPECT_THAT(refusal(target, words, kEight).text, HasSubstr("of specialization constants"))
          << target << ": " << constant;
  }
  const std::vector<uint32_t> words = kernel(minus + "%k = OpSpecConstantOp %int SDiv %m9 %i7",
                                             "%v = OpIAdd %uint %g %k\nOpStore %p %v\nOpReturn");
  for (std::string_view target : kCrossed)
    EXPECT_THAT(text(target, words, kEight), HasSubstr(" / ")) << target;
}

/// OpQuantizeToF16 gives 0 for what a half has as a denormal; the texts keep it.
TEST(CrossRules, WhatIsNotOnTheList) {
  const std::vector<uint32_t> words =
      kernel("", "%f = OpConvertUToF %float %g\n%h = OpQuantizeToF16 %float %f\n"
                 "%v = OpConvertFToU %uint %h\nOpStore %p %v\nOpReturn");
  for (std::string_view target : kCrossed)
    EXPECT_THAT(refusal(target, words, kEight).text, HasSubstr("cannot express OpQuantizeToF16"))
        << target;
}

TEST(CrossRules, Printf) {
  const std::vector<uint32_t> words =
      module("#version 450\n#extension GL_EXT_debug_printf : enable\n"
             "layout(local_size_x = 8) in;\nlayout(binding = 0) buffer A { uint a[]; };\n"
             "void main() { debugPrintfEXT(\"%u\", a[0]); a[gl_LocalInvocationIndex] = 1; }\n");
  for (std::string_view target : kCrossed)
    EXPECT_THAT(refusal(target, words, kEight).text, HasSubstr("cannot express printf")) << target;
}

/// The numbers of instructions of other sets are others: 24 of the debug information's is no
/// inverse hyperbolic function.
TEST(CrossRules, DebugInformationIsNotTakenForArithmetic) {
  std::string source = assemblyKernel("%x = OpExtInst %void %debug 24\nOpStore %p %g\nOpReturn");
  source = with(source, "%std = ",
                "OpExtension \"SPV_KHR_non_semantic_info\"\n"
                "%debug = OpExtInstImport \"NonSemantic.Tailor.Test\"\n");
  const std::vector<uint32_t> words = compile(source, "k.spvasm");
  for (std::string_view target : kCrossed)
    EXPECT_TRUE(emitAs(target, words, kEight)) << target;
}

TEST(CrossRules, IndicesHave32Bits) {
  std::string source =
      with(assemblyKernel("%l = OpUConvert %ulong %g\n%q = OpAccessChain %pe %b %u0 %l\n"
                          "OpStore %q %g\nOpReturn"),
           "%std = ", "OpCapability Int64\n");
  source = with(source, "%main = OpFunction", "%ulong = OpTypeInt 64 0\n");
  EXPECT_THAT(text("glsl", compile(source, "k.spvasm"), kEight), HasSubstr("[uint("));
}

/// Matrices of two rows are 16 bytes apart in std140, 8 in std430.
TEST(CrossRules, MatricesOfStorageBlocksInStd140) {
  const std::vector<uint32_t> words =
      module("#version 450\nlayout(local_size_x = 8) in;\n"
             "layout(binding = 0, std140) buffer A { mat4x2 m; uint n; } a;\n"
             "void main() { a.n = uint(a.m[gl_LocalInvocationIndex & 3u].x); }\n");
  for (std::string_view target : {"glsl", "essl"})
    EXPECT_THAT(text(target, words, kEight), HasSubstr("std140) buffer")) << target;
  // At the end of a block SPIRV-Cross does not see the difference.
  const std::vector<uint32_t> last =
      module("#version 450\nlayout(local_size_x = 8) in;\n"
             "layout(binding = 0, std140) buffer A { uint n; mat4x2 m; } a;\n"
             "void main() { a.n = uint(a.m[gl_LocalInvocationIndex & 3u].x); }\n");
  for (std::string_view target : {"glsl", "essl"})
    if (Result<std::string> made = emitAs(target, last, kEight)) {
      EXPECT_THAT(*made, HasSubstr("std140) buffer")) << target;
    } else {
      EXPECT_THAT(made.diagnostic().text, HasSubstr("a matrix that does not lie")) << target;
    }
}

TEST(CrossRules, InfiniteHalvesAskMetalForIeee) {
  std::string source =
      with(assemblyKernel("%f = OpConvertUToF %half %g\n%c = OpFOrdLessThan %bool %f %inf\n"
                          "%v = OpSelect %uint %c %u1 %u0\nOpStore %p %v\nOpReturn"),
           "%std = ", "OpCapability Float16\n");
  source = with(source, "%main = OpFunction",
                "%half = OpTypeFloat 16\n%inf = OpConstant %half 0x1p+16\n");
  const std::vector<uint32_t> words = compile(source, "k.spvasm");
  Result<Emitted> made = emit("msl", {words, "main", kEight, "k", {}});
  ASSERT_TRUE(made) << made.diagnostic().text;
  EXPECT_THAT(made->interface.features, testing::Contains("-fno-fast-math"));
}

} // namespace
