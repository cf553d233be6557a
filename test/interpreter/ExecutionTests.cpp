//===- interpreter/ExecutionTests.cpp - Control flow, loops, barriers -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/TestSupport.h"

#include "gmock/gmock.h"

using namespace tailor;
using namespace tailor::interp;
using testing::ElementsAre;
using testing::HasSubstr;
using Iterations = std::vector<uint32_t>;

namespace {

const std::string kOut = "layout(set = 0, binding = 0) buffer Out { uint v[]; } o;\n";

std::vector<Iterations> iterationsOf(const std::vector<Recorder::Seen> &list) {
  std::vector<Iterations> all;
  for (const Recorder::Seen &each : list)
    all.push_back(each.iterations);
  return all;
}

TEST(Execution, CountsTheIterationsOfEveryLoopAround) {
  Kernel kernel = Kernel::glsl("layout(local_size_x = 1) in;\n" + kOut +
                               "void main() { for (uint i = 0; i < 2; ++i) {\n"
                               "  for (uint j = 0; j < 3; ++j) o.v[i * 3 + j] = i;\n"
                               "  o.v[10 + i] = 1; }\n"
                               "  o.v[20] = 2; }\n");
  kernel.run({1, 1, 1});
  ASSERT_EQ(kernel.failed, "");
  std::vector<Recorder::Seen> stores = kernel.seen->of("o", 0, AccessKind::Store);
  EXPECT_THAT(iterationsOf(stores),
              ElementsAre(Iterations{0, 0}, Iterations{0, 1}, Iterations{0, 2}, Iterations{0},
                          Iterations{1, 0}, Iterations{1, 1}, Iterations{1, 2}, Iterations{1},
                          Iterations{}));
  std::vector<uint32_t> instances, addresses;
  for (const Recorder::Seen &each : stores) {
    instances.push_back(each.access.instance);
    addresses.push_back(static_cast<uint32_t>(each.access.byteAddress));
  }
  EXPECT_THAT(instances, ElementsAre(0, 1, 2, 0, 3, 4, 5, 1, 0));
  EXPECT_THAT(addresses, ElementsAre(0, 4, 8, 40, 12, 16, 20, 44, 80));
}

TEST(Execution, AnIterationEndsWithContinueAndALoopWithBreak) {
  Kernel kernel = Kernel::glsl("layout(local_size_x = 1) in;\n" + kOut +
                               "void main() { for (uint i = 0; i < 9; ++i) {\n"
                               "  if (i == 1) continue;\n"
                               "  if (i == 4) break;\n"
                               "  o.v[i] = 1; } }\n");
  kernel.run({1, 1, 1});
  EXPECT_THAT(iterationsOf(kernel.seen->of("o", 0)),
              ElementsAre(Iterations{0}, Iterations{2}, Iterations{3}));
}

TEST(Execution, ACallContinuesTheIterationsOfItsCaller) {
  Kernel kernel = Kernel::glsl(
      "layout(local_size_x = 1) in;\n" + kOut +
      "uint f(uint n) { uint s = 0; for (uint k = 0; k < n; ++k) { o.v[k] = n; s += n; } "
      "return s; }\n"
      "void main() { for (uint i = 1; i < 3; ++i) o.v[8 + i] = f(i); }\n");
  kernel.run({1, 1, 1});
  ASSERT_EQ(kernel.failed, "");
  EXPECT_THAT(iterationsOf(kernel.seen->of("o", 0)),
              ElementsAre(Iterations{0, 0}, Iterations{0}, Iterations{1, 0}, Iterations{1, 1},
                          Iterations{1}));
  EXPECT_EQ(kernel.words(0)[9], 1u);
  EXPECT_EQ(kernel.words(0)[10], 4u);
}

TEST(Execution, PhisTakeTheirValuesAllAtOnce) {
  Kernel kernel = Kernel::assembly(R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    OpName %o "o"
    OpDecorate %array ArrayStride 4
    OpDecorate %block BufferBlock
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %o DescriptorSet 0
    OpDecorate %o Binding 0
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %bool = OpTypeBool
    %uint = OpTypeInt 32 0
    %n0 = OpConstant %uint 0
    %n1 = OpConstant %uint 1
    %n3 = OpConstant %uint 3
    %n7 = OpConstant %uint 7
    %n9 = OpConstant %uint 9
    %array = OpTypeRuntimeArray %uint
    %block = OpTypeStruct %array
    %pblock = OpTypePointer Uniform %block
    %puint = OpTypePointer Uniform %uint
    %o = OpVariable %pblock Uniform
    %main = OpFunction %void None %fn
    %entry = OpLabel
    OpBranch %loop
    %loop = OpLabel
    %i = OpPhi %uint %n0 %entry %i1 %loop
    %a = OpPhi %uint %n7 %entry %b %loop
    %b = OpPhi %uint %n9 %entry %a %loop
    %i1 = OpIAdd %uint %i %n1
    %again = OpULessThan %bool %i1 %n3
    OpLoopMerge %done %loop None
    OpBranchConditional %again %loop %done
    %done = OpLabel
    %p = OpAccessChain %puint %o %n0 %n0
    %q = OpAccessChain %puint %o %n0 %n1
    OpStore %p %a
    OpStore %q %b
    OpReturn
    OpFunctionEnd
  )");
  kernel.run({1, 1, 1}, {Dim3{0, 0, 0}}, true);
  ASSERT_EQ(kernel.failed, "");
  EXPECT_EQ(kernel.words(0)[0], 7u);
  EXPECT_EQ(kernel.words(0)[1], 9u);
  std::vector<uint64_t> a;
  std::vector<Iterations> when;
  for (const Recorder::SeenValue &value : kernel.seen->values)
    if (value.op == spv::Op::OpPhi) {
      a.push_back(value.words[0]);
      when.push_back(value.iterations);
    }
  EXPECT_THAT(a, ElementsAre(0, 7, 9, 1, 9, 7, 2, 7, 9));
  EXPECT_EQ(when[3], Iterations{1});
  EXPECT_EQ(kernel.seen->branches, 4u);
}

TEST(Execution, ASwitchFallsThrough) {
  Kernel kernel = Kernel::glsl(
      "layout(local_size_x = 6) in;\n" + kOut +
      "void main() { uint i = gl_LocalInvocationIndex; uint r = 0;\n"
      "  switch (i) { case 0: r = 10; break; case 1: r = 1; case 2: case 3: r += 5; break;\n"
      "  default: r = 99; }\n"
      "  o.v[i] = r; }\n");
  kernel.run({6, 1, 1});
  std::vector<uint32_t> words = kernel.words(0);
  words.resize(6);
  EXPECT_THAT(words, ElementsAre(10, 6, 5, 5, 99, 99));
}

const char *const kReduction = R"(layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint v[]; } o;
shared uint s[8];
void main() {
  uint i = gl_LocalInvocationIndex, own = i * 100;
  s[i] = i + gl_WorkGroupID.x;
  barrier();
  for (uint step = 4; step > 0; step /= 2) {
    if (i < step) s[i] += s[i + step];
    barrier();
  }
  o.v[gl_WorkGroupID.x * 8 + i] = s[0] + own;
})";

TEST(Execution, BarriersKeepTheInvocationsTogether) {
  Kernel kernel = Kernel::glsl(kReduction);
  kernel.run({8, 1, 1}, {Dim3{0, 0, 0}, Dim3{1, 0, 0}});
  ASSERT_EQ(kernel.failed, "");
  std::vector<uint32_t> words = kernel.words(0);
  words.resize(16);
  EXPECT_THAT(words, ElementsAre(28, 128, 228, 328, 428, 528, 628, 728, 36, 136, 236, 336, 436, 536,
                                 636, 736));
  EXPECT_EQ(kernel.result.barriers, 8u);
  ASSERT_EQ(kernel.seen->barriers.size(), 8u);
  EXPECT_EQ(kernel.seen->barriers[0].second, Iterations{});
  EXPECT_EQ(kernel.seen->barriers[3].second, Iterations{2});
  EXPECT_EQ(kernel.seen->barriers[3].first, 8u);
}

TEST(Execution, ABarrierThatAnEndedInvocationMissesIsDivergent) {
  Kernel kernel = Kernel::glsl("layout(local_size_x = 4) in;\n" + kOut +
                               "void main() {\n"
                               "  if (gl_LocalInvocationIndex == 2) return;\n"
                               "  barrier();\n"
                               "  o.v[0] = 1; }\n");
  kernel.run({4, 1, 1});
  EXPECT_THAT(kernel.failed, HasSubstr("kernel.comp:6: divergent barrier: invocation 0 waits, and "
                                       "invocation 2 has ended"));
  EXPECT_THAT(kernel.failed, HasSubstr("in workgroup (0, 0, 0), invocation (0, 0, 0)"));
}

TEST(Execution, TwoBarriersAreNotOne) {
  Kernel kernel = Kernel::glsl("layout(local_size_x = 4) in;\n" + kOut +
                               "void main() {\n"
                               "  if (gl_LocalInvocationIndex < 2)\n"
                               "    barrier();\n"
                               "  else\n"
                               "    barrier();\n"
                               "  o.v[0] = 1; }\n");
  kernel.run({4, 1, 1});
  EXPECT_THAT(kernel.failed, HasSubstr(":6: divergent barrier: invocation 0 waits, and invocation "
                                       "2 waits at another barrier"));
  EXPECT_THAT(kernel.failed, HasSubstr(":8: the other barrier"));
}

TEST(Execution, ABarrierInAnotherIterationIsDivergent) {
  Kernel kernel = Kernel::glsl("layout(local_size_x = 2) in;\n" + kOut +
                               "void main() { for (uint i = 0; i < 2; ++i) {\n"
                               "  if (i == gl_LocalInvocationIndex) barrier();\n"
                               "  o.v[i] = 1; } }\n");
  kernel.run({2, 1, 1});
  EXPECT_THAT(kernel.failed, HasSubstr("invocation 1 waits in another iteration or call"));
}

TEST(Execution, ALoopWithoutEndMeetsTheLimit) {
  Kernel kernel = Kernel::glsl("layout(local_size_x = 1) in;\n" + kOut +
                               "void main() {\n  while (o.v[0] == 0)\n    o.v[1] = 1; }\n");
  Limits limits;
  limits.maxSteps = 1000;
  kernel.run({1, 1, 1}, {Dim3{0, 0, 0}}, false, limits);
  EXPECT_THAT(kernel.failed, HasSubstr("more than 1000 instructions were executed"));
}

TEST(Execution, WhatIsUnsupportedIsNamedWhereItIsReached) {
  Kernel kernel = Kernel::glsl(
      "layout(local_size_x = 1) in;\n" + kOut +
      "layout(set = 0, binding = 1) uniform sampler2DMS m;\n"
      "void main() { if (o.v[1] != 0)\n    o.v[0] = uint(texelFetch(m, ivec2(0), 1).x); }\n");
  kernel.run({1, 1, 1});
  EXPECT_EQ(kernel.failed, "");
  kernel.setWords(0, {0, 1});
  kernel.run({1, 1, 1});
  EXPECT_THAT(kernel.failed, HasSubstr("kernel.comp:6: unsupported OpImageFetch"));
}

TEST(Execution, BuiltInsNameTheInvocation) {
  Kernel kernel =
      Kernel::glsl("layout(local_size_x = 2, local_size_y = 3, local_size_z = 2) in;\n" + kOut +
                   "void main() { uint i = gl_LocalInvocationIndex * 16;\n"
                   "  o.v[i] = gl_GlobalInvocationID.x; o.v[i + 1] = gl_GlobalInvocationID.y;\n"
                   "  o.v[i + 2] = gl_GlobalInvocationID.z; o.v[i + 3] = gl_LocalInvocationID.y;\n"
                   "  o.v[i + 4] = gl_WorkGroupID.z; o.v[i + 5] = gl_NumWorkGroups.y;\n"
                   "  o.v[i + 6] = gl_WorkGroupSize.y; }\n");
  kernel.inputs.numWorkgroups = {7, 8, 9};
  kernel.run({2, 3, 2}, {Dim3{4, 5, 6}});
  ASSERT_EQ(kernel.failed, "");
  std::vector<uint32_t> words = kernel.words(0);
  words.erase(words.begin(), words.begin() + 9 * 16); // (1, 1, 1) in the group
  words.resize(7);
  EXPECT_THAT(words, ElementsAre(9, 16, 13, 1, 6, 8, 3));
}

TEST(Execution, AnotherSizeGivesAnotherWorkgroupSize) {
  Kernel kernel = Kernel::glsl("layout(local_size_x = 8, local_size_x_id = 3) in;\n" + kOut +
                               "void main() { o.v[gl_LocalInvocationIndex] = "
                               "gl_WorkGroupSize.x * 2; }\n");
  kernel.inputs.spec[3] = 5;
  kernel.run({5, 1, 1});
  EXPECT_EQ(kernel.words(0)[4], 10u);
  EXPECT_EQ(kernel.words(0)[5], 0u);
}

TEST(Execution, TheCanonicalFormGivesTheLocationsOfTheAuthoredModule) {
  Kernel kernel = Kernel::glsl("layout(local_size_x = 4) in;\n" + kOut +
                               "void f(uint i) {\n"
                               "  o.v[i * 1000000] = 1;\n"
                               "}\n"
                               "void main() { f(gl_LocalInvocationIndex); }\n");
  CanonicalForm form =
      *CanonicalForm::create(kernel.compiled.module, kernel.compiled.module.entryPoints().front());
  Observer nobody;
  auto ran = interp::run(form, {4, 1, 1}, {Dim3{0, 0, 0}}, kernel.inputs, nobody);
  ASSERT_FALSE(bool(ran));
  EXPECT_THAT(textOf(ran.diagnostic()),
              HasSubstr("kernel.comp:5: store of 4 bytes at byte 4000000 of 'o'"));
}

} // namespace
