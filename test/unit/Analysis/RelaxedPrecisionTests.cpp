//===- unit/Analysis/RelaxedPrecisionTests.cpp - What may have 16 bits -----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value that goes through a variable, member, parameter or function of
// reduced precision may come out with 16 bits. A local id fits them, the global
// id that takes its place need not; a bound that the host computes has 32.
//
//===----------------------------------------------------------------------===//
#include "KernelSupport.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tailor;
using testing::HasSubstr;

namespace {

Certificate certificateOfEs(const std::string &text) {
  return certificateOf(moduleOf("#version 310 es\nprecision highp int;\n"
                                "layout(local_size_x = 64) in;\n"
                                "layout(binding = 0) buffer B { uint a[]; };\n"
                                "layout(binding = 1) uniform U { uint n, w; };\n"
                                "#define GX gl_GlobalInvocationID.x\n"
                                "#define LX gl_LocalInvocationID.x\n"
                                "#define WX gl_WorkGroupID.x\n" +
                                text));
}

std::string reasonOf(const Certificate &certificate) {
  return certificate.resizeRefusal() ? certificate.resizeRefusal()->text : "legal";
}

std::string boundsOf(const Certificate &certificate) {
  std::string text;
  for (const DispatchBound &bound : certificate.bounds[0])
    text += (text.empty() ? "" : "; ") + bound.str();
  return text;
}

/// SPIR-V text that stores 1 at the global id, below a value of the host.
Certificate certificateOfBound(const std::string &decoration, const std::string &globals = "",
                               const std::string &variables = "",
                               const std::string &bound = "%n = OpLoad %uint %np\n") {
  return certificateOf(moduleOf(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %gid
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %gid BuiltIn GlobalInvocationId
OpDecorate %rt ArrayStride 4
OpMemberDecorate %B 0 Offset 0
OpDecorate %B Block
OpDecorate %b DescriptorSet 0
OpDecorate %b Binding 0
OpMemberDecorate %U 0 Offset 0
OpDecorate %U Block
)" + decoration + R"(
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%v3 = OpTypeVector %uint 3
%pv3 = OpTypePointer Input %v3
%gid = OpVariable %pv3 Input
%rt = OpTypeRuntimeArray %uint
%B = OpTypeStruct %rt
%pB = OpTypePointer StorageBuffer %B
%b = OpVariable %pB StorageBuffer
%pu = OpTypePointer StorageBuffer %uint
%U = OpTypeStruct %uint
%pU = OpTypePointer PushConstant %U
%u = OpVariable %pU PushConstant
%ppu = OpTypePointer PushConstant %uint
%pfu = OpTypePointer Function %uint
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%c100000 = OpConstant %uint 100000
)" + globals + R"(
%main = OpFunction %void None %fn
%e = OpLabel
)" + variables + R"(
%g3 = OpLoad %v3 %gid
%x = OpCompositeExtract %uint %g3 0
%np = OpAccessChain %ppu %u %c0
)" + bound + R"(
%t = OpULessThan %bool %x %n
OpSelectionMerge %m None
OpBranchConditional %t %y %m
%y = OpLabel
%dst = OpAccessChain %pu %b %c0 %x
OpStore %dst %c1
OpBranch %m
%m = OpLabel
OpReturn
OpFunctionEnd
)",
                                InputKind::SpirvText));
}

} // namespace

TEST(RelaxedPrecision, ALocalIdThroughIsCut) {
  for (const char *body : {
           "mediump uint l = LX; a[WX * 64u + l] = 1u;",
           "mediump uvec3 l = gl_LocalInvocationID; a[WX * 64u + l.x] = 1u;",
           "mediump uint l[2]; l[0] = LX; a[WX * 64u + l[0]] = 1u;",
           "mediump uint l = 0u; if (n > 3u) l = LX; a[n > 3u ? WX * 64u + l : 0u] = 1u;",
           "S s; s.l = LX; a[WX * 64u + s.l] = 1u;",
           "S s = S(LX, 1u); S t = s; a[WX * 64u + t.l] = 1u;",
           "a[WX * 64u + S(LX, 1u).l] = 1u;",
           "a[WX * 64u + f(LX)] = 1u;",
           "a[WX * 64u + g(LX)] = 1u;",
           "uint l; h(l); a[WX * 64u + l] = 1u;",
           "global = LX; a[WX * 64u + global] = 1u;",
       }) {
    Certificate c = certificateOfEs("struct S { mediump uint l; uint m; };\n"
                                    "mediump uint global;\n"
                                    "mediump uint f(uint v) { return v; }\n"
                                    "uint g(mediump uint v) { return v; }\n"
                                    "void h(out mediump uint v) { v = LX; }\n"
                                    "void main() { " +
                                    std::string(body) + " }");
    EXPECT_THAT(reasonOf(c), HasSubstr("depends on how the grid is cut")) << body;
  }
}

TEST(RelaxedPrecision, HighPrecisionBesideItIsKept) {
  Certificate c = certificateOfEs("struct S { mediump uint l; uint m; };\n"
                                  "void main() { S s; s.m = LX; mediump uint other = n; "
                                  "uint l = LX; uint x = WX * 64u + l; if (x < n) a[x] = other; }");
  EXPECT_EQ(reasonOf(c), "legal");
  EXPECT_EQ(boundsOf(c), "gid.x < buffer(0,1)[0]");
}

TEST(RelaxedPrecision, ABoundThatIsCutIsNone) {
  for (const char *body : {
           "mediump uint x = GX; if (x < n) a[x] = 1u;",
           "mediump uint m = n; if (GX < m) a[GX] = 1u;",
           "x = GX; if (x * w < n) a[x] = 1u;",
           "f(GX);",
           "S s; s.x = GX; if (s.x < n) a[s.x] = 1u;",
           "if (GX < g(n)) a[GX] = 1u;",
       }) {
    Certificate c = certificateOfEs("mediump uint x;\n"
                                    "struct S { mediump uint x; };\n"
                                    "void f(mediump uint v) { if (v < n) a[v] = 1u; }\n"
                                    "mediump uint g(uint v) { return v; }\n"
                                    "void main() { " +
                                    std::string(body) + " }");
    EXPECT_EQ(reasonOf(c), "legal") << body;
    EXPECT_EQ(boundsOf(c), "") << body;
  }
}

TEST(RelaxedPrecision, OfWhatIsReadWhereItStands) {
  EXPECT_EQ(boundsOf(certificateOfBound("")), "gid.x < push_constant[0]");
  for (const char *decoration :
       {"OpMemberDecorate %U 0 RelaxedPrecision", "OpDecorate %u RelaxedPrecision",
        "OpDecorate %np RelaxedPrecision", "OpDecorate %n RelaxedPrecision",
        "OpDecorate %gid RelaxedPrecision", "OpDecorate %x RelaxedPrecision",
        "OpDecorate %t RelaxedPrecision"}) {
    Certificate c = certificateOfBound(decoration);
    EXPECT_EQ(reasonOf(c), "legal") << decoration;
    EXPECT_EQ(boundsOf(c), "") << decoration;
  }
}

TEST(RelaxedPrecision, OfInitializersCopiesAndConstants) {
  const std::string read = "%n = OpLoad %uint %v\n";
  const std::string variable = "%v = OpVariable %pfu Function %c100000\n";
  EXPECT_EQ(boundsOf(certificateOfBound("", "", variable, read)), "gid.x < 100000");
  EXPECT_EQ(boundsOf(certificateOfBound("OpDecorate %v RelaxedPrecision", "", variable, read)), "");
  const std::string global = "%ppr = OpTypePointer Private %uint\n"
                             "%v = OpVariable %ppr Private %c100000\n";
  EXPECT_EQ(boundsOf(certificateOfBound("OpDecorate %v RelaxedPrecision", global, "", read)), "");
  const std::string copy = "OpCopyMemory %v %from\n" + read;
  const std::string two = "%v = OpVariable %pfu Function\n"
                          "%from = OpVariable %pfu Function %c100000\n";
  for (const char *decoration :
       {"OpDecorate %v RelaxedPrecision", "OpDecorate %from RelaxedPrecision"})
    EXPECT_EQ(boundsOf(certificateOfBound(decoration, "", two, copy)), "") << decoration;
  const std::string spec = "%n = OpSpecConstant %uint 100000\n";
  EXPECT_EQ(boundsOf(certificateOfBound("OpDecorate %n SpecId 7", spec, "", "")),
            "gid.x < spec_constant(7)");
  EXPECT_EQ(boundsOf(certificateOfBound("OpDecorate %n SpecId 7\nOpDecorate %n RelaxedPrecision",
                                        spec, "", "")),
            "");
}

TEST(RelaxedPrecision, ACounterOfReducedPrecisionIsNotCounted) {
  AnalysedKernel kernel = analyse(
      moduleOf("#version 310 es\nprecision highp int;\nlayout(local_size_x = 64) in;\n"
               "layout(binding = 0) buffer B { uint a[]; };\n"
               "void main() { uint s = 0u; for (mediump uint i = 0u; i < 100000u; ++i) s += a[i];\n"
               "for (uint i = 0u; i < 100000u; ++i) s += a[i]; a[gl_GlobalInvocationID.x] = s; }"));
  ASSERT_TRUE(kernel);
  ASSERT_EQ(kernel->affine().loops().size(), 2u);
  EXPECT_EQ(kernel->affine().loops()[0]->tripCount, std::nullopt);
  EXPECT_EQ(kernel->affine().loops()[1]->tripCount, 100000u);
}
