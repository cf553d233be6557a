//===- unit/Analysis/OptimizerStepsTests.cpp - Steps that must be undone --===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/OptimizerSteps.h"

#include "Analysis/CanonicalForm.h"
#include "Frontend/Frontend.h"
#include "IR/Reader.h"
#include "IR/WorkgroupSize.h"

#include "spirv-tools/libspirv.hpp"
#include "spirv-tools/optimizer.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tailor;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

namespace {

std::vector<uint32_t> wordsOf(const std::string &glsl, const std::string &env = "vulkan1.1") {
  Diagnostics diagnostics;
  FrontendOptions options;
  options.kind = InputKind::Glsl;
  options.targetEnv = env;
  Result<FrontendResult> shader =
      loadShaderFromMemory("#version 450\n" + glsl, "k.comp", options, diagnostics);
  EXPECT_TRUE(bool(shader));
  return shader ? shader->words : std::vector<uint32_t>();
}

std::vector<uint32_t> assemble(const std::string &text) {
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_3);
  std::vector<uint32_t> words;
  EXPECT_TRUE(tools.Assemble(text, &words));
  return words;
}

const std::string kSpecSized = R"(
layout(local_size_x_id = 3) in;
layout(local_size_x = 64) in;
layout(binding = 0) buffer A { float a[]; };
void main() { a[gl_GlobalInvocationID.x] = 1.0; }
)";
const std::string kLiteral = R"(
layout(local_size_x = 64) in;
layout(binding = 0) buffer A { float a[]; };
float half_(float value) { return 0.5 * value; }
void main() { a[gl_GlobalInvocationID.x] = half_(a[0]); }
)";

OptimizerSteps stepsOf(const std::vector<uint32_t> &words) {
  Result<OptimizerSteps> steps = OptimizerSteps::create(words, "k.comp");
  EXPECT_TRUE(bool(steps));
  return std::move(*steps);
}

TEST(OptimizerSteps, TakeWhatIsValidAndKeepsTheSize) {
  OptimizerSteps steps = stepsOf(wordsOf(kLiteral));
  size_t before = steps.module().functions().size();
  EXPECT_TRUE(steps.run("inlining", [](spvtools::Optimizer &optimizer) {
    optimizer.RegisterPass(spvtools::CreateInlineExhaustivePass())
        .RegisterPass(spvtools::CreateEliminateDeadFunctionsPass());
  }));
  EXPECT_EQ(before, 2u);
  EXPECT_EQ(steps.module().functions().size(), 1u);
  EXPECT_THAT(steps.undone(), IsEmpty());
  Result<Module> reread = readModule(steps.words(), "k.comp");
  ASSERT_TRUE(bool(reread));
  EXPECT_EQ(reread->functions().size(), 1u);
}

// The trap of a decorated size that nothing else uses: it is valid to drop it, and the size of the
// kernel is then the 1x1x1 of its execution mode.
TEST(OptimizerSteps, UndoOneThatLosesTheSize) {
  std::vector<uint32_t> words = assemble(R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %size BuiltIn WorkgroupSize
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%v3 = OpTypeVector %uint 3
%one = OpConstant %uint 1
%x = OpConstant %uint 64
%size = OpConstantComposite %v3 %x %one %one
%main = OpFunction %void None %fn
%label = OpLabel
OpReturn
OpFunctionEnd
)");
  OptimizerSteps steps = stepsOf(words);
  EXPECT_FALSE(steps.run("dead constants", [](spvtools::Optimizer &optimizer) {
    optimizer.RegisterPass(spvtools::CreateEliminateDeadConstantPass());
  }));
  EXPECT_THAT(steps.undone(), ElementsAre("dead constants: the workgroup size was 64x1x1 and "
                                          "became 1x1x1"));
  EXPECT_EQ(steps.words(), words);
  Result<WorkgroupSize> size =
      readWorkgroupSize(steps.module(), steps.module().entryPoints().front());
  ASSERT_TRUE(bool(size));
  EXPECT_EQ(size->size.str(), "64x1x1");
}

// The default is the same afterwards, but the host's value would count no longer.
TEST(OptimizerSteps, UndoOneThatFreezesTheSize) {
  OptimizerSteps steps = stepsOf(wordsOf(kSpecSized));
  EXPECT_FALSE(steps.run("freezing", [](spvtools::Optimizer &optimizer) {
    optimizer.RegisterPass(spvtools::CreateFreezeSpecConstantValuePass());
  }));
  EXPECT_THAT(steps.undone(), ElementsAre("freezing: the workgroup size no longer follows its "
                                          "specialization constants"));
}

TEST(OptimizerSteps, UndoOneThatMakesTheSizeUnreadable) {
  OptimizerSteps steps = stepsOf(wordsOf(kSpecSized));
  EXPECT_FALSE(steps.run("defaults", [](spvtools::Optimizer &optimizer) {
    optimizer.RegisterPass(spvtools::CreateSetSpecConstantDefaultValuePass(
        std::unordered_map<uint32_t, std::string>{{3, "0"}}));
  }));
  EXPECT_THAT(steps.undone(),
              ElementsAre("defaults: the workgroup size was 64x1x1 and is lost (the workgroup size "
                          "is zero on the x axis)"));
}

// Robust access refuses unbounded arrays of descriptors, with a message.
TEST(OptimizerSteps, UndoOneThatFails) {
  std::vector<uint32_t> words = wordsOf(R"(
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer A { float a[]; } all[];
void main() { all[gl_WorkGroupID.x].a[gl_LocalInvocationIndex] = 1.0; }
)");
  OptimizerSteps steps = stepsOf(words);
  EXPECT_FALSE(steps.run("robust access", [](spvtools::Optimizer &optimizer) {
    optimizer.RegisterPass(spvtools::CreateGraphicsRobustAccessPass());
  }));
  ASSERT_EQ(steps.undone().size(), 1u);
  EXPECT_THAT(steps.undone().front(), HasSubstr("RuntimeDescriptorArray"));
  EXPECT_EQ(steps.words(), words);
}

TEST(OptimizerSteps, GoBackToAnEarlierState) {
  std::vector<uint32_t> words = wordsOf(kLiteral);
  OptimizerSteps steps = stepsOf(words);
  ASSERT_TRUE(steps.run("names", [](spvtools::Optimizer &optimizer) {
    optimizer.RegisterPass(spvtools::CreateStripDebugInfoPass());
  }));
  ASSERT_NE(steps.words(), words);
  steps.goBack(words);
  EXPECT_EQ(steps.words(), words);
  EXPECT_EQ(steps.module().words(), words);
  EXPECT_THAT(steps.undone(), IsEmpty());
}

TEST(OptimizerSteps, RefuseAModuleOfTwoEntryPoints) {
  std::vector<uint32_t> words = assemble(R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %a "a"
OpEntryPoint GLCompute %a "b"
OpExecutionMode %a LocalSize 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%a = OpFunction %void None %fn
%l = OpLabel
OpReturn
OpFunctionEnd
)");
  Result<OptimizerSteps> steps = OptimizerSteps::create(words, "two.spv");
  ASSERT_FALSE(bool(steps));
  EXPECT_THAT(steps.diagnostic().text, HasSubstr("one entry point"));
}

// Recursion is not valid, but a chain of calls that doubles a kernel at each level is.
TEST(CanonicalForm, SaysThatACallTreeWasTooLargeToInline) {
  std::string glsl = "layout(local_size_x = 64) in;\nlayout(binding = 0) buffer A { float a[]; };\n"
                     "float f0(float v) { return v * 1.5; }\n";
  for (int level = 1; level <= 16; ++level) {
    std::string inner = "f" + std::to_string(level - 1);
    glsl += "float f" + std::to_string(level) + "(float v) { return " + inner + "(v) + " + inner +
            "(v + 1.0); }\n";
  }
  glsl += "void main() { a[gl_GlobalInvocationID.x] = f16(a[0]); }";
  Result<Module> module = readModule(wordsOf(glsl), "k.comp");
  ASSERT_TRUE(bool(module));
  Result<CanonicalForm> form = CanonicalForm::create(*module, *findComputeEntryPoint(*module, ""));
  ASSERT_TRUE(bool(form));
  EXPECT_THAT(form->incomplete(),
              ElementsAre(StartsWith("inlining: it would make more than 64000")));
}

} // namespace
