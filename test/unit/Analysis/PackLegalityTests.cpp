//===- unit/Analysis/PackLegalityTests.cpp - Along which axes groups pack --===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ways in which a group can reach a barrier that another group does not, or not
// as often: each must stop pack along the axis on which the two differ, and none
// of their harmless likes may.
//
//===----------------------------------------------------------------------===//
#include "KernelSupport.h"

#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tailor;
using testing::HasSubstr;

namespace {

const std::string kHead = R"(#version 460
layout(local_size_x = 64) in;
layout(push_constant) uniform P { uint n; uint m; } p;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
shared uint tile[64];
shared uint flag;
#define GX gl_GlobalInvocationID.x
#define LX gl_LocalInvocationID.x
#define WX gl_WorkGroupID.x
#define MEET { tile[LX] = b[GX]; barrier(); a[GX] += tile[63 - LX]; barrier(); }
)";

std::string axesOf(const Certificate &certificate) {
  std::string text;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (certificate.verdict(Technique::Pack).legal() &&
        !certificate.verdict(Technique::Pack).axisRefusal[axis])
      text += kAxisName[axis];
  return text.empty() ? "none" : text;
}

/// `xz`: along which axes the kernel can be packed.
std::string axes(const std::string &body, const std::string &functions = "") {
  return axesOf(certificateOf(moduleOf(kHead + functions + "void main() { " + body + " }")));
}
std::string axesOfText(const std::string &text) {
  return axesOf(certificateOf(moduleOf(text, InputKind::SpirvText, "vulkan1.2")));
}

TEST(PackLegality, ReturnsOfAGroup) {
  EXPECT_EQ(axes("if (WX >= p.n) return; MEET"), "yz");
  EXPECT_EQ(axes("if (b[WX] > 3) return; MEET"), "yz");
  EXPECT_EQ(axes("if (p.n > 3) return; MEET"), "xyz");
  EXPECT_EQ(axes("for (uint i = 0; i < 8; ++i) if (i == WX) return; MEET"), "yz");
  EXPECT_EQ(axes("for (uint i = 0; i < 8; ++i) { if (b[WX + i] == 3) return; MEET }"), "yz");
  EXPECT_EQ(axes("MEET if (WX >= p.n) return; a[GX] = 1;"), "xyz");
}

TEST(PackLegality, TripCountsOfAGroup) {
  EXPECT_EQ(axes("for (uint i = 0; i <= WX; ++i) MEET"), "yz");
  EXPECT_EQ(axes("uint i = 0; do { MEET ++i; } while (i < b[WX]);"), "yz");
  EXPECT_EQ(axes("for (uint i = 0; i < 8; ++i) { if (b[WX + i] == 3) break; MEET }"), "yz");
  EXPECT_EQ(axes("for (uint i = 0; i < 8; ++i) { if (b[WX + i] == 3) continue; MEET }"), "yz");
  EXPECT_EQ(axes("for (uint s = 64 >> (WX & 1); s > 0; s >>= 1) MEET"), "yz");
  EXPECT_EQ(axes("bool done = false;"
                 "for (uint i = 0; i < 8 && !done; ++i) { if (b[WX + i] == 1) done = true; MEET }"),
            "yz");
  // Other loops of the group, without barriers in them, are its own business.
  EXPECT_EQ(axes("for (uint i = 0; i < 8; ++i) { for (uint j = 0; j < b[WX]; ++j) a[GX] += j; "
                 "MEET }"),
            "xyz");
}

TEST(PackLegality, TripCountsThatOnlyLookLikeTheGroups) {
  EXPECT_EQ(axes("for (uint i = WX * 4; i < WX * 4 + 4; ++i) MEET"), "xyz");
  // The end may wrap for one group and not for another.
  EXPECT_EQ(axes("for (uint i = WX * 0x10000000u; i < WX * 0x10000000u + 4; ++i) MEET"), "yz");
  EXPECT_EQ(axes("for (uint i = WX * 64; i < WX * 64 + 64; ++i) MEET"), "yz");
  EXPECT_EQ(axes("for (uint i = 0; i < 4u * (WX + 1u); i += WX + 1u) MEET"), "yz");
}

TEST(PackLegality, BranchesOnTheGroupsNumber) {
  EXPECT_EQ(axes("if ((WX & 1) != 0) MEET"), "yz");
  EXPECT_EQ(axes("if ((GX >> 6) == 3) MEET"), "yz");
  EXPECT_EQ(axes("if (GX / 64 / p.m == 0) MEET"), "yz");
  EXPECT_EQ(axes("if (WX < 0xffffffffu) MEET"), "yz"); // true of any, which nobody proves
  EXPECT_EQ(axes("if (gl_WorkGroupID.y == 0) MEET"), "xz");
  EXPECT_EQ(axes("if (gl_WorkGroupID.x == gl_WorkGroupID.y) MEET"), "z");
  EXPECT_EQ(axes("if (gl_WorkGroupID[p.n % 3] == 0) MEET"), "none");
  EXPECT_EQ(axes("if (WX * 0x80000000u == 0u) MEET"), "yz");
  EXPECT_EQ(axes("if (WX * 0x80000000u * 2u == 0u) MEET"), "xyz");
  EXPECT_EQ(axes("switch (WX % 3) { case 0: MEET break; case 1: tile[LX] = 2; break; "
                 "default: MEET }"),
            "yz");
  EXPECT_EQ(axes("if (float(WX) * 0.5 < 1.0) MEET"), "yz");
}

TEST(PackLegality, NumbersOfGroups) {
  EXPECT_EQ(axes("for (uint i = 0; i < gl_NumWorkGroups.x; ++i) MEET"), "xyz");
  EXPECT_EQ(axes("for (uint i = WX; i < p.n; i += gl_NumWorkGroups.x) MEET"), "yz");
}

TEST(PackLegality, ValuesFromMemory) {
  EXPECT_EQ(axes("if (b[WX] != 0) MEET"), "yz");
  EXPECT_EQ(axes("if (b[p.n] != 0) MEET"), "xyz");
  EXPECT_EQ(axes("if (a[0] != 0) MEET"), "none"); // written by the kernel, by whatever group
  EXPECT_EQ(axes("if (LX == 0) flag = b[WX]; barrier(); if (flag != 0) MEET"), "none");
  EXPECT_EQ(axes("if (LX == 0) flag = p.n; barrier(); if (flag != 0) MEET"), "none");
  EXPECT_EQ(axes("if (LX < 1) flag = 0; barrier(); atomicAdd(flag, 1); barrier(); "
                 "if (flag == 64) MEET"),
            "none");
  EXPECT_EQ(axes("if (LX == 0) flag = atomicAdd(a[0], 1) == gl_NumWorkGroups.x - 1 ? 1 : 0; "
                 "barrier(); if (flag != 0) MEET"),
            "none");
}

TEST(PackLegality, ValuesOfTheInvocationsOwn) {
  EXPECT_EQ(axes("uint t[4]; t[0] = WX; t[1] = 3; for (uint i = 0; i < t[p.n & 1]; ++i) MEET"),
            "yz");
  EXPECT_EQ(axes("uint t[4]; t[0] = 0; for (uint i = 0; i < b[WX]; ++i) t[p.n & 1] = i; "
                 "for (uint i = 0; i < t[0]; ++i) MEET"),
            "yz");
  EXPECT_EQ(axes("uint k = 0; for (uint i = 0; i < b[WX]; ++i) k = i * 2; if (k > 4) MEET"), "yz");
  EXPECT_EQ(axes("bool q; if (b[WX] > 3) q = true; else q = false; if (q) MEET"), "yz");
  EXPECT_EQ(axes("uint q = 0, r = 0; for (uint i = 0; i < 8; ++i) { if (r == 5) MEET r = q; "
                 "if (i == 3) q = WX; }"),
            "yz");
  EXPECT_EQ(axes("uint q; if (p.n > 2) q = 1; if (q == 1) MEET"), "none"); // may be anything
  EXPECT_EQ(axes("Two s; s.x = WX; s.y = p.n; if (s.y > 2) MEET", "struct Two { uint x, y; };"),
            "xyz");
}

TEST(PackLegality, Functions) {
  EXPECT_EQ(axes("if (WX < p.n) meet();", "void meet() { barrier(); }"), "yz");
  EXPECT_EQ(axes("init(); if (g > 2) MEET", "uint g; void init() { g = WX; }"), "yz");
  EXPECT_EQ(axes("uint q; f(q); if (q == 1) MEET",
                 "void f(out uint q) { if (WX > 1) q = 2; else q = 1; }"),
            "yz");
}

TEST(PackLegality, MemoryBarriersMeetNobody) {
  EXPECT_EQ(axes("tile[LX] = b[GX]; if (WX == 0) { memoryBarrierShared(); a[GX] = tile[LX]; }"),
            "xyz");
}

//===----------------------------------------------------------------------===//
// Invocations that may rely on their subgroup
//===----------------------------------------------------------------------===//

std::string lockstep(const std::string &size) {
  return axesOfText(R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %index
               OpExecutionMode %main LocalSize )" +
                    size + R"(
               OpDecorate %index BuiltIn LocalInvocationIndex
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %uint = OpTypeInt 32 0
      %input = OpTypePointer Input %uint
      %index = OpVariable %input Input
        %n64 = OpConstant %uint 64
      %array = OpTypeArray %uint %n64
     %shared = OpTypePointer Workgroup %array
    %element = OpTypePointer Workgroup %uint
       %tile = OpVariable %shared Workgroup
       %main = OpFunction %void None %fn
      %label = OpLabel
          %l = OpLoad %uint %index
        %own = OpAccessChain %element %tile %l
          %a = OpLoad %uint %own Volatile
               OpStore %own %a Volatile
               OpReturn
               OpFunctionEnd
)");
}

TEST(PackLegality, VolatileMemoryKeepsItsSubgroups) {
  EXPECT_EQ(lockstep("64 1 1"), "xyz");
  EXPECT_EQ(lockstep("8 8 1"), "yz"); // along x, rows of two groups would alternate
  EXPECT_EQ(lockstep("4 4 4"), "z");
  EXPECT_EQ(lockstep("48 1 1"), "none"); // the second group would begin inside a subgroup
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

/// `uniform`: the id that is decorated.
std::string decorated(const std::string &uniform) {
  return axesOfText(R"(
               OpCapability Shader
               OpCapability GroupNonUniform
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %group
               OpExecutionMode %main LocalSize 64 1 1
               OpDecorate %group BuiltIn WorkgroupId
               OpDecorate )" +
                    uniform + R"( Uniform
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %uint = OpTypeInt 32 0
         %v3 = OpTypeVector %uint 3
      %input = OpTypePointer Input %v3
      %group = OpVariable %input Input
          %z = OpConstant %uint 0
        %n64 = OpConstant %uint 64
      %array = OpTypeArray %uint %n64
     %shared = OpTypePointer Workgroup %array
    %element = OpTypePointer Workgroup %uint
       %tile = OpVariable %shared Workgroup
       %main = OpFunction %void None %fn
      %label = OpLabel
          %g = OpLoad %v3 %group
          %y = OpCompositeExtract %uint %g 1
      %first = OpAccessChain %element %tile %z
          %a = OpLoad %uint %first
        %sum = OpIAdd %uint %a %y
               OpReturn
               OpFunctionEnd
)");
}

TEST(PackLegality, ValuesThatAreDecoratedUniform) {
  EXPECT_EQ(decorated("%y"), "xz");
  EXPECT_EQ(decorated("%sum"), "none");
  EXPECT_EQ(decorated("%a"), "none");
  EXPECT_EQ(decorated("%first"), "none"); // each group has a first element of its own
}

TEST(PackLegality, PointersThroughPhiAreRefused) {
  const std::string text = R"(
               OpCapability Shader
               OpCapability VariablePointers
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %index
               OpExecutionMode %main LocalSize 64 1 1
               OpDecorate %index BuiltIn LocalInvocationIndex
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %bool = OpTypeBool
       %uint = OpTypeInt 32 0
      %input = OpTypePointer Input %uint
      %index = OpVariable %input Input
          %z = OpConstant %uint 0
        %n64 = OpConstant %uint 64
      %array = OpTypeArray %uint %n64
     %shared = OpTypePointer Workgroup %array
    %element = OpTypePointer Workgroup %uint
        %one = OpVariable %shared Workgroup
        %two = OpVariable %shared Workgroup
       %main = OpFunction %void None %fn
      %label = OpLabel
          %l = OpLoad %uint %index
          %c = OpIEqual %bool %l %z
               OpSelectionMerge %join None
               OpBranchConditional %c %then %join
       %then = OpLabel
               OpBranch %join
       %join = OpLabel
    %pointer = OpPhi %shared %one %label %two %then
        %own = OpAccessChain %element %pointer %l
               OpStore %own %l
               OpReturn
               OpFunctionEnd
)";
  Certificate c = certificateOf(moduleOf(text, InputKind::SpirvText, "vulkan1.2"));
  EXPECT_EQ(axesOf(c), "none");
  ASSERT_TRUE(c.verdict(Technique::Pack).refusal.has_value());
  EXPECT_THAT(c.verdict(Technique::Pack).refusal->text, HasSubstr("OpPhi makes a pointer"));
}

} // namespace
