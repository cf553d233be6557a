//===- Passes/LegalizeExtendedArithmeticTests.cpp - What it refuses --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Modules that no validator lets through, which a backend could still be handed.
// What the pass computes is tested in test/interpreter.
//
//===----------------------------------------------------------------------===//
#include "IR/Reader.h"
#include "passes/LegalizeExtendedArithmetic.h"

#include "spirv-tools/libspirv.hpp"

#include "gmock/gmock.h"

using namespace tailor;

namespace {

/// A kernel with one OpUMulExtended of that result type.
Module kernelWith(const std::string &resultType) {
  const std::string text =
      "OpCapability Shader\nOpCapability Int64\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint GLCompute %main \"main\"\n"
      "OpExecutionMode %main LocalSize 1 1 1\n"
      "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
      "%uint = OpTypeInt 32 0\n%ulong = OpTypeInt 64 0\n"
      "%float = OpTypeFloat 32\n%one = OpConstant %uint 1\n%R = " +
      resultType +
      "\n%main = OpFunction %void None %fn\n%label = OpLabel\n"
      "%x = OpUMulExtended %R %one %one\nOpReturn\nOpFunctionEnd\n";
  std::vector<uint32_t> words;
  EXPECT_TRUE(spvtools::SpirvTools(SPV_ENV_UNIVERSAL_1_3).Assemble(text, &words)) << text;
  Result<Module> module = readModule(words, "test.spv");
  EXPECT_TRUE(bool(module));
  return module ? std::move(*module) : Module();
}

TEST(LegalizeExtendedArithmetic, RefusesResultsThatAreNotTwoIntegersOfOneType) {
  for (const char *type : {"OpTypeStruct %uint %ulong", "OpTypeStruct %uint %uint %uint",
                           "OpTypeStruct %float %float", "OpTypeVector %uint 2"}) {
    Module module = kernelWith(type);
    Result<Change> change = legalizeExtendedArithmetic(module);
    ASSERT_FALSE(bool(change)) << type;
    EXPECT_EQ(change.diagnostic().kind, ErrorKind::Refused);
    EXPECT_NE(change.diagnostic().location.word, Location::kUnknownWord);
    EXPECT_EQ(change.diagnostic().text,
              "OpUMulExtended has a result that is not two integers of one type");
  }
}

TEST(LegalizeExtendedArithmetic, TakesTwoIntegersOfOneType) {
  Module module = kernelWith("OpTypeStruct %uint %uint");
  Result<Change> change = legalizeExtendedArithmetic(module);
  ASSERT_TRUE(bool(change)) << change.diagnostic().text;
  EXPECT_EQ(*change, Change::Changed);
}

} // namespace
