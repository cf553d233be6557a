//===- test/unit/Backends/NumbersTests.cpp ---------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AssemblyKernel.h"
#include "Shaders.h"

#include "Naga/Naga.h"

#include <gmock/gmock.h>

using namespace tailor;
using namespace tailor::test;
using testing::HasSubstr;
using testing::Not;

namespace {

constexpr Dim3 kEight{8, 1, 1};

/// A kernel that stores the %r that the body makes of the unsigned %u, the signed %i and the float
/// %f.
std::vector<uint32_t> kernel(const std::string &body) {
  return compile(assemblyKernel("%u = OpLoad %uint %p\n%i = OpBitcast %int %u\n"
                                "%f = OpBitcast %float %u\n" +
                                body + "\nOpStore %p %r\nOpReturn"),
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
    const std::string cast = target == "wgsl" ? "i32[>(]" : "[^us]int\\(";
    for (const char *body :
         {"%r = OpSDiv %uint %u %u5", "%r = OpSRem %uint %u %u5",
          "%r = OpShiftRightArithmetic %uint %u %u1", "%r = OpExtInst %uint %std SMax %u %u5",
          "%r = OpExtInst %uint %std SAbs %u", "%r = OpBitFieldSExtract %uint %u %u1 %u5",
          "%r = OpSNegate %uint %u", "%r = OpConvertFToS %uint %f",
          "%c = OpSLessThan %bool %u %u5\n%r = OpSelect %uint %c %u1 %u0",
          "%c = OpConvertSToF %float %u\n%r = OpBitcast %uint %c"})
      EXPECT_THAT(text(target, kernel(body), kEight), testing::ContainsRegex(cast))
          << target << ": " << body;
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

TEST(Numbers, UnorderedComparisonsAreTheOppositeOfOrderedOnes) {
  for (std::string_view target : textLanguages())
    for (auto [op, opposite] :
         {std::pair("LessThan", ">="), std::pair("LessThanEqual", ">"),
          std::pair("GreaterThan", "<="), std::pair("GreaterThanEqual", "<")}) {
      const std::string made = text(target,
                                    kernel("%c = OpFUnord" + std::string(op) +
                                           " %bool %f %f\n"
                                           "%r = OpSelect %uint %c %u1 %u0"),
                                    kEight);
      EXPECT_THAT(made, HasSubstr(" " + std::string(opposite) + " ")) << target << ": " << op;
      EXPECT_THAT(made, HasSubstr("!(")) << target << ": " << op;
    }
}

TEST(Numbers, AModuloTakesTheDivisorsSign) {
  for (std::string_view target : textLanguages()) {
    const std::string made = text(target, kernel("%r = OpSMod %uint %u %u5"), kEight);
    EXPECT_THAT(made, HasSubstr("^")) << target;
    EXPECT_THAT(made, testing::ContainsRegex(target == "wgsl" ? "i32[>(]" : "[^us]int\\("))
        << target;
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
