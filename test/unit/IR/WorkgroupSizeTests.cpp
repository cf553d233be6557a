//===- unit/IR/WorkgroupSizeTests.cpp - Three spellings, one reader --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IR/WorkgroupSize.h"
#include "IRTestSupport.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tailor {
namespace {

using namespace test;
using ::testing::HasSubstr;

/// A module with the entry points "main" (%main) and, with its mode, "second" (%second).
Module sized(const std::string &modes, const std::string &decorations, const std::string &constants,
             bool hasSecond = false) {
  std::string body = "OpReturn\nOpFunctionEnd\n";
  return readText("OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
                  "OpEntryPoint GLCompute %main \"main\"\n" +
                  std::string(hasSecond ? "OpEntryPoint GLCompute %second \"second\"\n" : "") +
                  modes + decorations +
                  "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n"
                  "%uint = OpTypeInt 32 0\n%v3 = OpTypeVector %uint 3\n"
                  "%c0 = OpConstant %uint 0\n%c2 = OpConstant %uint 2\n%c8 = OpConstant %uint 8\n" +
                  constants + "%main = OpFunction %void None %fn\n%e = OpLabel\n" + body +
                  (hasSecond ? "%second = OpFunction %void None %fn\n%f = OpLabel\n" + body : ""));
}

/// "8x2x1 LocalSize", with "*" where it is specialized, or the message.
std::string sizeOf(const Module &module, const SpecMap &spec = {}, unsigned entry = 0) {
  Result<WorkgroupSize> size = readWorkgroupSize(module, module.entryPoints()[entry], spec);
  if (!size)
    return size.diagnostic().text;
  return size->size.str() + " " + std::string(nameOf(size->spelling)) +
         (size->specialized ? "*" : "");
}

const char *const kLocalSize = "OpExecutionMode %main LocalSize 4 2 1\n";

TEST(WorkgroupSize, literalMode) {
  EXPECT_EQ(sizeOf(sized(kLocalSize, "", "")), "4x2x1 LocalSize");
}

TEST(WorkgroupSize, idMode) {
  EXPECT_EQ(sizeOf(sized("OpExecutionModeId %main LocalSizeId %c8 %c2 %c2\n", "", "")),
            "8x2x2 LocalSizeId");
  Module module =
      sized("OpExecutionModeId %main LocalSizeId %x %y %c2\n", "OpDecorate %x SpecId 5\n",
            "%x = OpSpecConstant %uint 1\n%y = OpSpecConstantOp %uint IMul %x %c2\n");
  EXPECT_EQ(sizeOf(module), "1x2x2 LocalSizeId*");
  EXPECT_EQ(sizeOf(module, {{5, 16}}), "16x32x2 LocalSizeId*");
}

TEST(WorkgroupSize, decoratedConstantOverridesBothForEveryEntryPoint) {
  for (std::string modes :
       {"OpExecutionMode %main LocalSize 4 2 1\nOpExecutionMode %second LocalSize 1 1 1\n",
        "OpExecutionModeId %main LocalSizeId %c8 %c2 %c2\n", ""}) {
    Module module =
        sized(modes, "OpDecorate %wg BuiltIn WorkgroupSize\nOpDecorate %x SpecId 5\n",
              "%x = OpSpecConstant %uint 32\n%wg = OpSpecConstantComposite %v3 %x %c2 %c8\n", true);
    EXPECT_EQ(sizeOf(module), "32x2x8 WorkgroupSize*");
    EXPECT_EQ(sizeOf(module, {}, 1), "32x2x8 WorkgroupSize*");
    EXPECT_EQ(sizeOf(module, {{5, 7}}, 1), "7x2x8 WorkgroupSize*");
    ASSERT_NE(workgroupSizeConstant(module), nullptr);
  }
  EXPECT_EQ(sizeOf(sized(kLocalSize, "OpDecorate %wg BuiltIn WorkgroupSize\n",
                         "%wg = OpConstantComposite %v3 %c8 %c2 %c8\n")),
            "8x2x8 WorkgroupSize");
}

TEST(WorkgroupSize, decorationThroughAGroup) {
  Module module = sized(kLocalSize,
                        "OpDecorate %group BuiltIn WorkgroupSize\n%group = OpDecorationGroup\n"
                        "OpGroupDecorate %group %wg\n",
                        "%wg = OpConstantComposite %v3 %c8 %c8 %c2\n");
  EXPECT_EQ(sizeOf(module), "8x8x2 WorkgroupSize");
}

TEST(WorkgroupSize, otherBuiltInsAreNoSize) {
  Module module = sized(kLocalSize, "OpDecorate %v BuiltIn GlobalInvocationId\n",
                        "%p = OpTypePointer Input %v3\n%v = OpVariable %p Input\n");
  EXPECT_EQ(workgroupSizeConstant(module), nullptr);
  EXPECT_EQ(sizeOf(module), "4x2x1 LocalSize");
}

TEST(WorkgroupSize, eachEntryPointHasItsOwnMode) {
  Module module =
      sized("OpExecutionMode %main LocalSize 4 2 1\nOpExecutionMode %second LocalSize 64 1 1\n", "",
            "", true);
  EXPECT_EQ(sizeOf(module, {}, 0), "4x2x1 LocalSize");
  EXPECT_EQ(sizeOf(module, {}, 1), "64x1x1 LocalSize");
  Module lacking = sized(kLocalSize, "", "", true);
  EXPECT_EQ(sizeOf(lacking, {}, 1), "entry point 'second' has no workgroup size");
}

TEST(WorkgroupSize, zeroAndUnknown) {
  Module zero = sized("OpExecutionMode %main LocalSize 4 0 1\n", "", "");
  EXPECT_EQ(sizeOf(zero), "the workgroup size is zero on the y axis");
  Result<WorkgroupSize> refused = readWorkgroupSize(zero, zero.entryPoints()[0]);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.diagnostic().location.word, Location::kUnknownWord);
  EXPECT_EQ(sizeOf(sized("OpExecutionModeId %main LocalSizeId %c8 %c2 %c0\n", "", "")),
            "the workgroup size is zero on the z axis");
  Module spec =
      sized("", "OpDecorate %wg BuiltIn WorkgroupSize\nOpDecorate %x SpecId 0\n",
            "%x = OpSpecConstant %uint 4\n%wg = OpSpecConstantComposite %v3 %x %c2 %c8\n");
  EXPECT_EQ(sizeOf(spec, {{0, 0}}), "the workgroup size is zero on the x axis");
  std::string divided = "%q = OpSpecConstantOp %uint UDiv %c8 %c0\n";
  EXPECT_THAT(sizeOf(sized("OpExecutionModeId %main LocalSizeId %q %c2 %c2\n", "", divided)),
              HasSubstr("cannot be evaluated"));
  EXPECT_THAT(sizeOf(sized(kLocalSize, "OpDecorate %wg BuiltIn WorkgroupSize\n",
                           divided + "%wg = OpSpecConstantComposite %v3 %q %c2 %c2\n")),
              HasSubstr("cannot be evaluated"));
  // Floats in the place of the size are no numbers of invocations.
  EXPECT_THAT(sizeOf(sized(kLocalSize, "OpDecorate %wg BuiltIn WorkgroupSize\n",
                           "%f = OpTypeFloat 32\n%f3 = OpTypeVector %f 3\n%one = OpConstant %f 1\n"
                           "%wg = OpConstantComposite %f3 %one %one %one\n")),
              HasSubstr("cannot be evaluated"));
}

TEST(WorkgroupSize, whatTheCompilerWrites) {
  for (const std::string &kernel : benchKernels(".comp")) {
    std::string first;
    for (const char *env : {"vulkan1.0", "vulkan1.3"}) { // LocalSize, LocalSizeId
      Module module = read(compileKernel(kernel, std::string("--target-env ") + env));
      Result<WorkgroupSize> size = readWorkgroupSize(module, module.entryPoints()[0]);
      ASSERT_TRUE(size) << kernel;
      first = first.empty() ? size->size.str() : first;
      EXPECT_EQ(size->size.str(), first) << kernel;
    }
  }
}

TEST(WorkgroupSize, entryPointsByName) {
  Module module = sized(kLocalSize, "", "", true);
  Result<EntryPoint> second = findComputeEntryPoint(module, "second");
  ASSERT_TRUE(second);
  EXPECT_EQ(second->name(), "second");
  Result<EntryPoint> wrong = findComputeEntryPoint(module, "third");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.diagnostic().text, "the module has no compute entry point 'third'");
  ASSERT_EQ(wrong.diagnostic().notes.size(), 2u);
  EXPECT_EQ(wrong.diagnostic().notes[1].text, "there is 'second'");
  Result<EntryPoint> ambiguous = findComputeEntryPoint(module, "");
  ASSERT_FALSE(ambiguous);
  EXPECT_THAT(ambiguous.diagnostic().text, HasSubstr("several compute entry points"));
  EXPECT_EQ(ambiguous.diagnostic().notes.size(), 2u);
  EXPECT_TRUE(findComputeEntryPoint(sized(kLocalSize, "", ""), ""));

  Module fragment =
      readText("OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
               "OpEntryPoint Fragment %f \"paint\"\nOpExecutionMode %f OriginUpperLeft\n"
               "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
               "%f = OpFunction %void None %fn\n%e = OpLabel\nOpReturn\nOpFunctionEnd\n");
  Result<EntryPoint> none = findComputeEntryPoint(fragment, "paint");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.diagnostic().text, "the module has no compute entry point");
  EXPECT_THAT(none.diagnostic().notes.at(0).text, HasSubstr("'paint'"));
}

} // namespace
} // namespace tailor
