//===- Passes/RespecializeTest.cpp - Values that make a size --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/Respecialize.h"

#include "IR/Reader.h"
#include "IR/WorkgroupSize.h"

#include "llvm/Support/raw_ostream.h"

#include "spirv-tools/libspirv.hpp"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tailor;
using testing::HasSubstr;

namespace {

/// Sizes are `x`, `y` and `z` of: %a (SpecId 4, default 1), %b (SpecId 5, default 2), %c (SpecId 4
/// again, default 7), %two, and %bare, which has no SpecId. `body` stands in the only block.
Module moduleOf(const std::string &size, const std::string &globals = "",
                const std::string &body = "") {
  const std::string text = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %main "main"
OpDecorate %a SpecId 4
OpDecorate %b SpecId 5
OpDecorate %c SpecId 4
OpDecorate %size BuiltIn WorkgroupSize
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%v3 = OpTypeVector %uint 3
%two = OpConstant %uint 2
%a = OpSpecConstant %uint 1
%b = OpSpecConstant %uint 2
%c = OpSpecConstant %uint 7
%bare = OpSpecConstant %uint 3
%ab = OpSpecConstantOp %uint IMul %a %b
%size = OpSpecConstantComposite %v3 )" +
                           size + "\n" + globals + R"(
%main = OpFunction %void None %fn
%label = OpLabel
)" + body + R"(
OpReturn
OpFunctionEnd)";
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_3);
  std::vector<uint32_t> words;
  EXPECT_TRUE(tools.Assemble(text, &words)) << text;
  Result<Module> module = readModule(words, "test.spv");
  EXPECT_TRUE(bool(module));
  return module ? std::move(*module) : Module();
}

Result<SpecMap> solve(const std::string &size, const Dim3 &wanted, const SpecMap &spec = {}) {
  Module module = moduleOf(size);
  return specValuesForSize(module, module.entryPoints().front(), wanted, spec);
}

std::string textOf(const Result<SpecMap> &result) {
  return result ? "solved" : result.diagnostic().text;
}

} // namespace

TEST(SpecValuesForSize, GivesEachAxisItsConstant) {
  Result<SpecMap> values = solve("%a %b %two", {16, 8, 2}, {{5, 3}, {9, 1}});
  ASSERT_TRUE(bool(values)) << textOf(values);
  EXPECT_EQ(*values, (SpecMap{{4, 16}, {5, 8}, {9, 1}}));
  values = solve("%a %c %a", {4, 4, 4});
  ASSERT_TRUE(bool(values)) << textOf(values);
  EXPECT_EQ(*values, (SpecMap{{4, 4}}));
}

TEST(SpecValuesForSize, SaysWhatAnAxisCannotBe) {
  EXPECT_EQ(textOf(solve("%a %c %two", {16, 8, 2})),
            "SpecId 4 is the size on x and on y, which cannot be 16 and 8");
  EXPECT_EQ(textOf(solve("%a %b %two", {16, 8, 4})),
            "the size on z is 2 and no specialization constant, so it cannot be 4");
  EXPECT_EQ(textOf(solve("%bare %b %two", {16, 8, 2})),
            "the size on x is 3 and no specialization constant, so it cannot be 16");
  // What is computed follows the others, and what then comes out may be what was asked for.
  EXPECT_EQ(textOf(solve("%a %b %ab", {16, 8, 2})),
            "the size on z is computed from other constants: it would be 128, not 2");
  EXPECT_TRUE(bool(solve("%a %b %ab", {16, 8, 128})));
}

TEST(Respecialize, TakesAVerdictThatIsThereAlready) {
  Module module = moduleOf("%a %b %two");
  TechniqueVerdict verdict;
  verdict.refusal = Diagnostic::error({}, "said before");
  Respecialize::Options options;
  options.size = Dim3{4, 4, 2};
  options.verdict = &verdict;
  Diagnostics diagnostics;
  const SpecMap host = {{4, 1}}; // %a and %c have different defaults
  PassContext context{diagnostics, llvm::nulls(), host, ""};
  Result<Change> change = Respecialize(options).run(module, context);
  ASSERT_FALSE(bool(change));
  EXPECT_EQ(change.diagnostic().text, "said before");
  options.insist = true;
  EXPECT_TRUE(bool(Respecialize(options).run(module, context)));
  Result<WorkgroupSize> size = readWorkgroupSize(module, module.entryPoints().front());
  ASSERT_TRUE(bool(size));
  EXPECT_EQ(size->size, (Dim3{4, 4, 2}));
  EXPECT_EQ(size->spelling, SizeSpelling::LocalSize);
}

TEST(Respecialize, RefusesALengthThatWouldNotBePositive) {
  // The tile has size.x - 4 elements.
  Module module =
      moduleOf("%a %b %two",
               "%four = OpConstant %uint 4\n%length = OpSpecConstantOp %uint ISub %a %four\n"
               "%tile = OpTypeArray %uint %length\n%pointer = OpTypePointer Workgroup %tile\n"
               "%shared = OpVariable %pointer Workgroup",
               "%load = OpLoad %tile %shared");
  Respecialize::Options options;
  options.size = Dim3{4, 2, 2};
  options.insist = true;
  Diagnostics diagnostics;
  PassContext context{diagnostics, llvm::nulls(), {{4, 8}}, ""};
  Module copy = module.clone();
  Result<Change> change = Respecialize(options).run(copy, context);
  ASSERT_FALSE(bool(change));
  EXPECT_THAT(change.diagnostic().text, HasSubstr("an array would have length 0"));
  options.size = Dim3{8, 2, 2};
  EXPECT_TRUE(bool(Respecialize(options).run(module, context)));
}
