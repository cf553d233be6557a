//===- test/unit/Backends/EmitTests.cpp --------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Shaders.h"
#include "Support/Files.h"
#include "Support/SpirvTools.h"

#include <gmock/gmock.h>

using namespace tailor;
using namespace tailor::test;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

namespace {

const Dim3 kSize{8, 4, 1};

TEST(Emit, SpirvIsTheWordsInLittleEndian) {
  const std::vector<uint32_t> words = module(kKernel);
  EXPECT_EQ(text("spirv", words, kSize), bytesOfWords(words));
}

TEST(Emit, GlslIsOpenGlAndCompiles) {
  const std::string glsl = text("glsl", module(kKernel), kSize);
  EXPECT_THAT(glsl, HasSubstr("#version 450\n"));
  EXPECT_THAT(glsl, HasSubstr("layout(local_size_x = 8, local_size_y = 4, local_size_z = 1) in;"));
  // Behind the kernel's own uniform block at 2.
  EXPECT_THAT(glsl, HasSubstr("layout(binding = 3, std140) uniform PushConstants"));
  EXPECT_THAT(glsl, HasSubstr("layout(binding = 1, std430) readonly buffer B"));
  EXPECT_THAT(glsl, Not(HasSubstr("set =")));
  EXPECT_TRUE(validateSpirv(compile(glsl, "out.comp"), "out"));
}

TEST(Emit, GlslForVulkanKeepsSetsAndPushConstants) {
  EmitOptions options;
  options.vulkanGlsl = true;
  const std::string glsl = text("glsl", module(kKernel), kSize, options);
  EXPECT_THAT(glsl, HasSubstr("layout(set = 0, binding = 1, std430) readonly buffer B"));
  EXPECT_THAT(glsl, HasSubstr("layout(push_constant, std430) uniform P"));
  EXPECT_TRUE(validateSpirv(compile(glsl, "out.comp"), "out"));
}

TEST(Emit, HlslCompilesInEveryShaderModel) {
  for (uint32_t model : {50u, 51u, 60u, 61u}) {
    EmitOptions options;
    options.hlslShaderModel = model;
    const std::string hlsl = text("hlsl", module(kKernel), kSize, options);
    EXPECT_THAT(hlsl, HasSubstr("[numthreads(8, 4, 1)]")) << model;
    EXPECT_TRUE(validateSpirv(compile(hlsl, "out.hlsl"), "out")) << model;
  }
  // From 6.2 on loads are templates, which glslang does not read.
  EmitOptions options;
  options.hlslShaderModel = 62;
  EXPECT_THAT(text("hlsl", module(kKernel), kSize, options), HasSubstr(".Load<float>("));
}

TEST(Emit, HlslPlacesWhatTheHostFills) {
  EmitOptions options;
  options.hlslShaderModel = 51;
  const std::string hlsl = text("hlsl", module(kKernel), kSize, options);
  EXPECT_THAT(hlsl, HasSubstr("cbuffer P : register(b0, space30)"));
  EXPECT_THAT(hlsl, HasSubstr("cbuffer SPIRV_Cross_NumWorkgroups : register(b0, space31)"));
  EXPECT_THAT(hlsl, HasSubstr("register(b2, space0)"));
  const std::string old = text("hlsl", module(kKernel), kSize);
  EXPECT_THAT(old, HasSubstr("cbuffer U : register(b2)"));
  EXPECT_THAT(old, HasSubstr("cbuffer P : register(b3)"));
  EXPECT_THAT(old, HasSubstr("cbuffer SPIRV_Cross_NumWorkgroups : register(b4)"));
}

TEST(Emit, MslHasTheThreadLimitAndNumbersItsArguments) {
  const std::string msl = text("msl", module(kKernel), kSize);
  EXPECT_THAT(msl, HasSubstr("[[max_total_threads_per_threadgroup(32)]]\nkernel void main0("));
  EXPECT_THAT(msl, ContainsRegex("device A& [A-Za-z0-9_]+ \\[\\[buffer\\(0\\)\\]\\]"));
  EXPECT_THAT(msl, ContainsRegex("const device B& [A-Za-z0-9_]+ \\[\\[buffer\\(1\\)\\]\\]"));
  EXPECT_THAT(msl, ContainsRegex("constant U& [A-Za-z0-9_]+ \\[\\[buffer\\(2\\)\\]\\]"));
  EXPECT_THAT(msl, HasSubstr("constant P& pc [[buffer(3)]]"));
}

TEST(Emit, AnotherSizeThanTheModulesIsAnInternalFault) {
  const std::vector<uint32_t> words = module(kKernel);
  for (const Backend &backend : backends()) {
    Diagnostic diagnostic = refusal(backend.name, words, {8, 8, 1});
    EXPECT_EQ(diagnostic.kind, ErrorKind::Internal) << backend.name;
    EXPECT_THAT(diagnostic.text, HasSubstr("workgroup size 8x4x1 where 8x8x1 was asked for"));
  }
}

TEST(Emit, AModuleWithTwoSpellingsIsAnInternalFault) {
  const std::vector<uint32_t> words = compile(kKernel);
  for (const Backend &backend : backends()) {
    Diagnostic diagnostic = refusal(backend.name, words, kSize);
    EXPECT_EQ(diagnostic.kind, ErrorKind::Internal) << backend.name;
    EXPECT_THAT(diagnostic.text, HasSubstr("one literal LocalSize alone"));
  }
}

TEST(Emit, TheEntryPointIsChosenByName) {
  const std::vector<uint32_t> words = module(kKernel);
  Result<Emitted> none = emit("glsl", {words, "blur", kSize, "k.comp", {}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.diagnostic().kind, ErrorKind::Usage);
  EXPECT_EQ(none.diagnostic().text, "there is no compute entry point 'blur'");
}

TEST(Emit, OtherEntryPointsLeaveNothingBehind) {
  for (const char *version : {"1.3", "1.4"}) {
    const bool listed = std::string_view(version) == "1.4";
    const std::string source = std::string("; SPIR-V\n; Version: ") + version + R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %lid)" +
                               (listed ? " %small" : "") + R"(
OpEntryPoint GLCompute %other "other" %lid)" +
                               (listed ? " %big" : "") + R"(
OpExecutionMode %main LocalSize 8 1 1
OpExecutionMode %other LocalSize 16 2 1
OpName %big "big"
OpName %small "small"
OpDecorate %lid BuiltIn LocalInvocationIndex
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%n = OpConstant %uint 20000
%m = OpConstant %uint 16
%arr = OpTypeArray %uint %n
%arr2 = OpTypeArray %uint %m
%parr = OpTypePointer Workgroup %arr
%parr2 = OpTypePointer Workgroup %arr2
%pu = OpTypePointer Workgroup %uint
%pin = OpTypePointer Input %uint
%lid = OpVariable %pin Input
%big = OpVariable %parr Workgroup
%small = OpVariable %parr2 Workgroup
%other = OpFunction %void None %fn
%l2 = OpLabel
%i2 = OpLoad %uint %lid
%p2 = OpAccessChain %pu %big %i2
OpStore %p2 %m
OpReturn
OpFunctionEnd
%main = OpFunction %void None %fn
%l1 = OpLabel
%i = OpLoad %uint %lid
%p = OpAccessChain %pu %small %i
OpStore %p %m
OpReturn
OpFunctionEnd
)";
    const std::vector<uint32_t> words = compile(source, "two.spvasm");
    ASSERT_TRUE(validateSpirv(words, "two.spvasm"));
    for (std::string_view target : {"glsl", "hlsl", "msl"}) {
      const std::string one = text(target, words, {8, 1, 1});
      EXPECT_THAT(one, HasSubstr("small[16]")) << target << version;
      EXPECT_THAT(one, Not(HasSubstr("big"))) << target << version;
      Result<Emitted> two = emit(target, {words, "other", {16, 2, 1}, "two", {}});
      ASSERT_FALSE(two) << target << version;
      EXPECT_THAT(two.diagnostic().text, HasSubstr("workgroup memory has 80000 bytes"));
    }
    EXPECT_TRUE(emit("spirv", {words, "other", {16, 2, 1}, "two", {}}));
  }
}

TEST(Emit, UnknownTargetsAndOptionsAreUsageErrors) {
  const std::vector<uint32_t> words = module(kKernel);
  Diagnostic target = refusal("ptx", words, kSize);
  EXPECT_EQ(target.kind, ErrorKind::Usage);
  std::string names;
  for (const Backend &backend : backends())
    names += (names.empty() ? "" : ", ") + std::string(backend.name);
  EXPECT_EQ(target.text, "unknown target 'ptx' (there are " + names + ")");
  EmitOptions glsl, hlsl, msl;
  glsl.glslVersion = 330;
  hlsl.hlslShaderModel = 40;
  msl.mslVersion = 10200;
  for (const EmitOptions &options : {glsl, hlsl, msl})
    EXPECT_EQ(refusal("glsl", words, kSize, options).kind, ErrorKind::Usage);
}

TEST(Emit, GarbageIsRefused) {
  for (const Backend &backend : backends()) {
    EXPECT_EQ(refusal(backend.name, {}, kSize).kind, ErrorKind::Refused);
    EXPECT_EQ(refusal(backend.name, {1, 2, 3, 4, 5, 6}, kSize).kind, ErrorKind::Refused);
    EXPECT_EQ(refusal(backend.name, {0x07230203, 0x10300, 0, 0xffffffff, 0}, kSize).kind,
              ErrorKind::Refused);
    std::vector<uint32_t> cut = module(kKernel);
    cut.pop_back(); // OpFunctionEnd
    EXPECT_EQ(refusal(backend.name, cut, kSize).text, "the module ends inside a function");
    cut = module(kKernel);
    cut.push_back((9u << 16) | 253);
    EXPECT_EQ(refusal(backend.name, cut, kSize).text, "the module ends inside an instruction");
  }
}

TEST(Emit, TheSameInputGivesTheSameBytes) {
  const std::vector<uint32_t> words = module(kKernel);
  for (const Backend &backend : backends())
    EXPECT_EQ(text(backend.name, words, kSize), text(backend.name, words, kSize));
}

TEST(Emit, EverySizeIsReadBack) {
  for (Dim3 size : {Dim3{1, 1, 1}, Dim3{1024, 1, 1}, Dim3{1, 1024, 1}, Dim3{4, 4, 64}}) {
    const std::string source = "#version 450\nlayout(local_size_x = " + std::to_string(size.x) +
                               ", local_size_y = " + std::to_string(size.y) +
                               ", local_size_z = " + std::to_string(size.z) +
                               ") in;\nlayout(binding = 0) buffer A { uint a[]; };\n"
                               "void main() { a[gl_GlobalInvocationID.x] = 1; }\n";
    const std::vector<uint32_t> words = module(source);
    for (const Backend &backend : backends())
      EXPECT_EQ(static_cast<bool>(emitAs(backend.name, words, size)),
                static_cast<bool>(checkLimits(backend, size, 0)))
          << backend.name << " " << size.str();
  }
}

} // namespace
