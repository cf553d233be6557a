//===- unit/Analysis/CertificateTests.cpp - Proofs and refusals of resize --===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each kernel is the smallest that shows one condition of docs/legality.md,
// the counter-examples first.
//
//===----------------------------------------------------------------------===//
#include "KernelSupport.h"

#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tailor;
using testing::HasSubstr;

namespace {

Certificate certificateOf(const std::string &glsl, const SpecMap &spec = {},
                          const std::string &environment = "vulkan1.1") {
  return certificateOf(moduleOf("#version 450\n" + glsl, InputKind::Glsl, environment), spec);
}

std::string reasonOf(const Certificate &certificate) {
  if (!certificate.resizeRefusal())
    return "legal";
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, *certificate.resizeRefusal());
  return os.str();
}

std::string boundsOf(const Certificate &certificate) {
  std::string text;
  for (unsigned axis = 0; axis < 3; ++axis)
    for (const DispatchBound &bound : certificate.bounds[axis])
      text += std::string(text.empty() ? "" : "; ") + kAxisName[axis] +
              (bound.isSigned ? " s" : " ") + (bound.inclusive ? "<= " : "< ") + bound.bound.str();
  return text;
}

const std::string kHead = R"(
layout(local_size_x = 64) in;
layout(push_constant) uniform P { uint n; uint m; int w; int h; } p;
layout(set = 0, binding = 0) buffer A { float a[]; };
layout(set = 0, binding = 1) readonly buffer B { float b[]; };
#define GX gl_GlobalInvocationID.x
)";
const std::string kHead2 = R"(
layout(local_size_x = 16, local_size_y = 16) in;
layout(push_constant) uniform P { uint n; uint m; int w; int h; } p;
layout(set = 0, binding = 0) buffer A { float a[]; };
layout(set = 0, binding = 1) readonly buffer B { float b[]; };
layout(set = 0, binding = 2, rgba8) writeonly uniform image2D image;
#define GX gl_GlobalInvocationID.x
#define GY gl_GlobalInvocationID.y
)";

// --- refused: what depends on groups ---

TEST(CertificateRefuses, AnIndexByLocalInvocationIndex) {
  Certificate c = certificateOf(kHead + "void main() { a[GX] = b[gl_LocalInvocationIndex]; }");
  EXPECT_THAT(reasonOf(c), HasSubstr("k.comp:8"));
  EXPECT_THAT(reasonOf(c), HasSubstr("depends on how the grid is cut into workgroups"));
  EXPECT_THAT(reasonOf(c), HasSubstr("it comes from LocalInvocationIndex"));
  EXPECT_EQ(c.facts.kernelClass, "local-ids");
}

TEST(CertificateRefuses, AStoreAtALocalId) {
  Certificate c = certificateOf(kHead + "void main() { a[gl_LocalInvocationID.x] = 1.0; }");
  EXPECT_THAT(reasonOf(c), HasSubstr("an address depends on how"));
}

TEST(CertificateRefuses, NumWorkgroupsAsAStride) {
  Certificate c = certificateOf(kHead + R"(void main() {
    for (uint i = GX; i < p.n; i += gl_NumWorkGroups.x * 64u) a[i] = 1.0; })");
  EXPECT_THAT(reasonOf(c), HasSubstr("NumWorkgroups"));
}

TEST(CertificateRefuses, AGroupIdTimesAnotherSize) {
  Certificate c = certificateOf(
      kHead + "void main() { a[gl_WorkGroupID.x * 32u + gl_LocalInvocationID.x] = 1.0; }");
  EXPECT_THAT(reasonOf(c), HasSubstr("an address depends on how"));
}

TEST(CertificateRefuses, AGroupIdOfTheOtherAxis) {
  Certificate c = certificateOf(
      kHead2 + "void main() { a[gl_WorkGroupID.y * 16u + gl_LocalInvocationID.x] = 1.0; }");
  EXPECT_THAT(reasonOf(c), HasSubstr("an address depends on how"));
}

TEST(CertificateRefuses, ABranchOnALocalId) {
  Certificate c =
      certificateOf(kHead + "void main() { if (gl_LocalInvocationID.x == 0u) a[0] = 1.0; }");
  EXPECT_THAT(reasonOf(c), HasSubstr("control flow depends on how"));
}

TEST(CertificateRefuses, ALocalIdThroughALocalArray) {
  Certificate c = certificateOf(kHead + R"(void main() {
    uint t[4]; for (int i = 0; i < 4; ++i) t[i] = gl_LocalInvocationID.x + i;
    a[GX] = float(t[p.n & 3u]); })");
  EXPECT_THAT(reasonOf(c), HasSubstr("the stored value depends on how"));
}

TEST(CertificateRefuses, ALocalIdThroughAPrivateGlobal) {
  Certificate c = certificateOf(kHead + R"(uint g; void f() { a[GX] = float(g); }
    void main() { g = gl_LocalInvocationID.x; f(); })");
  EXPECT_THAT(reasonOf(c), HasSubstr("the stored value depends on how"));
}

TEST(CertificateRefuses, AShiftThatIsNotTheGlobalId) {
  Certificate c = certificateOf(
      kHead + "void main() { a[(gl_WorkGroupID.x << 5) + gl_LocalInvocationID.x] = 1.0; }");
  EXPECT_THAT(reasonOf(c), HasSubstr("an address depends on how"));
}

TEST(CertificateRefuses, ABarrier) {
  Certificate c = certificateOf(kHead + "void main() { a[GX] = 1.0; barrier(); a[GX] = b[GX]; }");
  EXPECT_THAT(reasonOf(c), HasSubstr("a control barrier makes the invocations"));
  EXPECT_EQ(c.facts.controlBarriers, 1u);
}

TEST(CertificateRefuses, WorkgroupMemoryWithoutABarrier) {
  Certificate c = certificateOf(kHead + R"(shared float t[64];
    void main() { t[gl_LocalInvocationIndex] = b[GX]; a[GX] = t[gl_LocalInvocationIndex]; })");
  EXPECT_THAT(reasonOf(c), HasSubstr("workgroup memory 't' is shared inside a workgroup"));
  EXPECT_EQ(c.facts.sharedBytes, 256u);
  EXPECT_EQ(c.facts.kernelClass, "workgroup-memory");
}

TEST(CertificateRefuses, ASubgroupSum) {
  Certificate c = certificateOf("#extension GL_KHR_shader_subgroup_arithmetic : require\n" + kHead +
                                "void main() { a[GX] = subgroupAdd(b[GX]); }");
  EXPECT_THAT(reasonOf(c), HasSubstr("exchanges values inside a subgroup"));
  EXPECT_EQ(c.facts.kernelClass, "subgroup");
}

TEST(CertificateRefuses, ASubgroupIdAsAValue) {
  Certificate c = certificateOf("#extension GL_KHR_shader_subgroup_basic : require\n" + kHead +
                                "void main() { a[GX] = float(gl_SubgroupInvocationID); }");
  EXPECT_THAT(reasonOf(c), HasSubstr("SubgroupLocalInvocationId"));
}

TEST(CertificateRefuses, AMemoryBarrierOfTheGroup) {
  Certificate c = certificateOf(
      kHead + "void main() { a[GX] = 1.0; groupMemoryBarrier(); a[GX + p.n] = 2.0; }");
  EXPECT_THAT(reasonOf(c), HasSubstr("a memory barrier orders memory inside a workgroup"));
}

TEST(CertificateRefuses, ASpinLoop) {
  Certificate c = certificateOf(kHead + R"(
    layout(set = 0, binding = 3) coherent buffer F { uint flag[]; };
    void main() { while (atomicAdd(flag[GX], 0u) == 0u) {} a[GX] = 1.0; })");
  EXPECT_THAT(reasonOf(c), HasSubstr("invocations may wait on each other"));
}

TEST(CertificateRefuses, ALookBackThroughCoherentMemory) {
  Certificate c = certificateOf(kHead + R"(
    layout(set = 0, binding = 3) coherent buffer F { uint flag[]; };
    void main() {
      uint done = 0u;
      for (int i = int(GX) - 1; done == 0u;) { if (flag[i] == 2u) done = 1u; else if (flag[i] == 1u) --i; }
      flag[GX] = 2u; })");
  EXPECT_THAT(reasonOf(c), HasSubstr("invocations may wait on each other"));
}

TEST(CertificateRefuses, ALookBackUnderMemoryBarriers) {
  Certificate c = certificateOf(kHead + R"(
    layout(set = 0, binding = 3) buffer F { uint flag[]; };
    void main() {
      while (flag[GX + 1u] == 0u) { memoryBarrierBuffer(); }
      flag[GX] = 2u; })");
  EXPECT_THAT(reasonOf(c), HasSubstr("invocations may wait on each other"));
}

TEST(CertificateRefuses, ADescriptorIndexThatWasUniformPerGroup) {
  Certificate c = certificateOf(R"(
    layout(local_size_x = 64) in;
    layout(set = 0, binding = 0) buffer A { float a[]; } s[4];
    void main() { s[gl_GlobalInvocationID.x / 64u].a[gl_GlobalInvocationID.x] = 1.0; })");
  EXPECT_THAT(reasonOf(c), HasSubstr("must be uniform in a workgroup"));
}

// Nobody reads these results, but in place of an authored id stands the global id, and an index
// that was in range no longer is.

TEST(CertificateRefuses, ADeadReadAtALocalId) {
  Certificate c = certificateOf(kHead + "void main() { float v = b[gl_LocalInvocationID.x]; "
                                        "a[GX] = 1.0; }");
  EXPECT_THAT(reasonOf(c), HasSubstr("an address depends on how"));
}

TEST(CertificateRefuses, ADeadStoreToALocalArray) {
  Certificate c = certificateOf(kHead + "void main() { float t[64]; "
                                        "t[gl_LocalInvocationID.x] = b[GX]; a[GX] = 1.0; }");
  EXPECT_THAT(reasonOf(c), HasSubstr("an address depends on how"));
}

TEST(CertificateRefuses, ADeadDivisionByALocalId) {
  Certificate c = certificateOf(kHead + "void main() { uint v = p.n / (64u - "
                                        "gl_LocalInvocationID.x); a[GX] = 1.0; }");
  EXPECT_THAT(reasonOf(c), HasSubstr("a divisor depends on how"));
}

TEST(CertificateRefuses, ADeadImageReadAtALocalId) {
  Certificate c = certificateOf(kHead + R"(
    layout(set = 0, binding = 4, r32f) readonly uniform image2D im;
    void main() { vec4 v = imageLoad(im, ivec2(gl_LocalInvocationID.xy)); a[GX] = 1.0; })");
  EXPECT_THAT(reasonOf(c), HasSubstr("an image access depends on how"));
}

TEST(CertificateRefuses, TheSecondIndexOfAnArrayOfArraysOfDescriptors) {
  Certificate c = certificateOf(R"(
    layout(local_size_x = 64) in;
    layout(set = 0, binding = 0) buffer A { float a[]; } s[2][2];
    void main() { s[1][gl_GlobalInvocationID.x / 64u].a[gl_GlobalInvocationID.x] = 1.0; })");
  EXPECT_THAT(reasonOf(c), HasSubstr("must be uniform in a workgroup"));
}

TEST(CertificateRefuses, TheLengthOfADescriptorThatWasUniformPerGroup) {
  Certificate c = certificateOf(kHead + R"(
    layout(set = 0, binding = 4) buffer L { float l[]; } s[4];
    void main() { a[GX] = float(s[GX / 64u].l.length()); })");
  EXPECT_THAT(reasonOf(c), HasSubstr("must be uniform in a workgroup"));
}

/// a[WorkgroupId.x·64 + LocalInvocationId.x] = 1, with more decorations. Ids to decorate: %group,
/// %lane, %base, %index.
Certificate certificateOfSum(const std::string &decorations) {
  const std::string text = R"(
               OpCapability Shader
               OpExtension "SPV_KHR_no_integer_wrap_decoration"
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %wid %lid
               OpExecutionMode %main LocalSize 64 1 1
               OpDecorate %wid BuiltIn WorkgroupId
               OpDecorate %lid BuiltIn LocalInvocationId
               OpDecorate %array ArrayStride 4
               OpDecorate %block BufferBlock
               OpMemberDecorate %block 0 Offset 0
               OpDecorate %a DescriptorSet 0
               OpDecorate %a Binding 0
)" + decorations + R"(
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
          %u = OpTypeInt 32 0
         %u3 = OpTypeVector %u 3
        %inp = OpTypePointer Input %u3
        %wid = OpVariable %inp Input
        %lid = OpVariable %inp Input
       %zero = OpConstant %u 0
         %64 = OpConstant %u 64
      %array = OpTypeRuntimeArray %u
      %block = OpTypeStruct %array
         %bp = OpTypePointer Uniform %block
         %up = OpTypePointer Uniform %u
          %a = OpVariable %bp Uniform
       %main = OpFunction %void None %fn
      %entry = OpLabel
      %group = OpLoad %u3 %wid
       %lane = OpLoad %u3 %lid
          %w = OpCompositeExtract %u %group 0
          %l = OpCompositeExtract %u %lane 0
       %base = OpIMul %u %w %64
      %index = OpIAdd %u %base %l
          %p = OpAccessChain %up %a %zero %index
               OpStore %p %64
               OpReturn
               OpFunctionEnd
)";
  Diagnostics diagnostics;
  FrontendOptions options;
  options.kind = InputKind::SpirvText;
  Result<FrontendResult> shader = loadShaderFromMemory(text, "k.spvasm", options, diagnostics);
  if (!shader) {
    ADD_FAILURE() << shader.diagnostic().text;
    return {};
  }
  Result<Module> module = readModule(shader->words, "k.spvasm");
  Result<EntryPoint> entry = findComputeEntryPoint(*module, "");
  Result<Certificate> certificate = certify(*module, *entry);
  if (!certificate) {
    ADD_FAILURE() << certificate.diagnostic().text;
    return {};
  }
  return std::move(*certificate);
}

TEST(CertificateRefuses, SumsThatAreNotModulo32Bits) {
  EXPECT_EQ(reasonOf(certificateOfSum("")), "legal");
  // A local id fits 16 bits, the global id that takes its place need not.
  for (const char *relaxed : {"%lane", "%base", "%index"})
    EXPECT_THAT(
        reasonOf(certificateOfSum(std::string("OpDecorate ") + relaxed + " RelaxedPrecision\n")),
        HasSubstr("an address depends on how"))
        << relaxed;
  // A promise about authored values is none about others.
  for (const char *wrap : {"NoSignedWrap", "NoUnsignedWrap"})
    EXPECT_THAT(reasonOf(certificateOfSum(std::string("OpDecorate %base ") + wrap + "\n")),
                HasSubstr("a sum that must not wrap depends on how"))
        << wrap;
}

// --- legal: the global id in all its spellings ---

TEST(CertificateProves, TheGlobalId) {
  Certificate c = certificateOf(kHead + "void main() { if (GX < p.n) a[GX] = b[GX]; }");
  EXPECT_EQ(reasonOf(c), "legal");
  EXPECT_FALSE(c.rewrite.needed);
  EXPECT_EQ(c.facts.kernelClass, "global-id");
  EXPECT_EQ(boundsOf(c), "x < push_constant[0]");
  EXPECT_EQ(c.usesAxis, (std::array<bool, 3>{true, false, false}));
}

TEST(CertificateProves, TheGlobalIdFromItsParts) {
  for (const char *spelling : {"gl_WorkGroupID.x * 64u + gl_LocalInvocationID.x",
                               "gl_LocalInvocationID.x + gl_WorkGroupID.x * gl_WorkGroupSize.x",
                               "(gl_WorkGroupID.x << 6) + gl_LocalInvocationIndex",
                               "(gl_WorkGroupID * gl_WorkGroupSize + gl_LocalInvocationID).x",
                               "uint(int(gl_WorkGroupID.x) * 64 + int(gl_LocalInvocationID.x))"}) {
    Certificate c = certificateOf(kHead + "void main() { uint i = " + spelling +
                                  "; if (i >= p.n) return; a[i] = b[i]; }");
    EXPECT_EQ(reasonOf(c), "legal") << spelling;
    EXPECT_TRUE(c.rewrite.needed) << spelling;
    EXPECT_EQ(boundsOf(c), "x < push_constant[0]") << spelling;
  }
}

TEST(CertificateProves, PartsThatMeetOnlyInTheSum) {
  Certificate c = certificateOf(kHead + R"(void main() {
    uint base = gl_WorkGroupID.x * 64u + p.m; uint i = base + gl_LocalInvocationID.x;
    a[i] = b[i]; })");
  EXPECT_EQ(reasonOf(c), "legal");
}

TEST(CertificateProves, ASumWhoseCoefficientALoopChanges) {
  // 3·v + x has x's coefficient 1 again as soon as v's is given up: the iteration must settle all
  // the same.
  Certificate c = certificateOf(kHead + R"(void main() {
    uint v = p.m * p.n + GX; for (uint i = 0u; i < p.n; ++i) v = v * 3u + GX;
    a[GX] = float(v); })");
  EXPECT_EQ(reasonOf(c), "legal");
}

TEST(CertificateProves, AGroupIdOnAnAxisOfSizeOne) {
  Certificate c = certificateOf(kHead + "void main() { a[gl_WorkGroupID.y * p.n + GX] = 1.0; }");
  EXPECT_EQ(reasonOf(c), "legal");
  EXPECT_EQ(c.usesAxis, (std::array<bool, 3>{true, true, false}));
}

TEST(CertificateProves, IdsThroughCalls) {
  Certificate c = certificateOf(kHead + R"(
    uint id() { return gl_WorkGroupID.x * 64u + gl_LocalInvocationID.x; }
    bool inside(uint i) { if (i >= p.n) { return false; } return true; }
    void body(uint i) { if (!inside(i)) return; a[i] = b[i]; }
    void main() { body(id()); })");
  EXPECT_EQ(reasonOf(c), "legal");
  EXPECT_EQ(boundsOf(c), "x < push_constant[0]");
}

TEST(CertificateProves, ASpecializedSize) {
  std::string kernel = R"(
    layout(local_size_x_id = 3) in;
    layout(set = 0, binding = 0) buffer A { float a[]; };
    void main() { a[gl_WorkGroupID.x * gl_WorkGroupSize.x + gl_LocalInvocationID.x] = 1.0; })";
  Certificate c = certificateOf(kernel, {{3, 128}});
  EXPECT_EQ(reasonOf(c), "legal");
  EXPECT_EQ(c.authored.size, (Dim3{128, 1, 1}));
}

TEST(CertificateRefuses, ALiteralThatIsNotTheSpecializedSize) {
  std::string kernel = R"(
    layout(local_size_x_id = 3) in;
    layout(set = 0, binding = 0) buffer A { float a[]; };
    void main() { a[gl_WorkGroupID.x * 64u + gl_LocalInvocationID.x] = 1.0; })";
  EXPECT_EQ(reasonOf(certificateOf(kernel, {{3, 64}})), "legal");
  EXPECT_THAT(reasonOf(certificateOf(kernel, {{3, 128}})), HasSubstr("an address depends on how"));
}

TEST(CertificateRefuses, ALengthWhoseIndexAloneIsNonUniform) {
  // glslang decorates the index of length(), and nothing else; drivers look at the pointer.
  std::string head = R"(
    #extension GL_EXT_nonuniform_qualifier : enable
    layout(local_size_x = 16) in;
    layout(set = 0, binding = 0) buffer A { uint a[]; };
    layout(set = 0, binding = 1) buffer D { uint d[]; } ds[];
    void main() { uint x = gl_GlobalInvocationID.x; a[x] = )";
  EXPECT_EQ(reasonOf(certificateOf(head + "ds[nonuniformEXT(x)].d[0]; }")), "legal");
  EXPECT_THAT(reasonOf(certificateOf(head + "ds[nonuniformEXT(x)].d.length(); }")),
              HasSubstr("the index is decorated, the pointer that is made with it is not"));
}

TEST(CertificateRefuses, ASpecIdWithTwoDefaults) {
  // glslang gives each declaration a constant of its own; without the host they differ.
  std::string kernel = R"(
    layout(local_size_x_id = 3) in;
    layout(local_size_x = 32) in;
    layout(constant_id = 3) const uint factor = 96u;
    layout(set = 0, binding = 0) buffer A { float a[]; };
    void main() { a[gl_WorkGroupID.x * factor + gl_LocalInvocationID.x] = 1.0; })";
  EXPECT_THAT(reasonOf(certificateOf(kernel)), HasSubstr("specialization constant 3, whose"));
  EXPECT_EQ(reasonOf(certificateOf(kernel, {{3, 64}})), "legal");
}

TEST(CertificateRefuses, FreezingASpecIdWithTwoDefaults) {
  // A variant would keep 64 for F, whatever the host says: also where the size is the default.
  std::string kernel = R"(
    layout(local_size_x_id = 3) in;
    layout(constant_id = 3) const uint F = 64;
    layout(set = 0, binding = 0) buffer A { uint a[]; };
    void main() { if (gl_GlobalInvocationID.x < 4000u) a[gl_GlobalInvocationID.x] = F; })";
  Certificate open = certificateOf(kernel);
  for (Technique technique : kTechniques)
    EXPECT_FALSE(open.verdict(technique).legal()) << nameOf(technique);
  EXPECT_THAT(reasonOf(open), HasSubstr("give the host's value with --spec 3=VALUE"));
  EXPECT_THAT(reasonOf(open), HasSubstr("'F' has the default 64"));
  Certificate given = certificateOf(kernel, {{3, 1}});
  EXPECT_EQ(reasonOf(given), "legal");
  EXPECT_TRUE(given.verdict(Technique::Remap).legal());
  EXPECT_TRUE(given.verdict(Technique::Respecialize).legal());
}

TEST(CertificateRefuses, ASpecializationConstantThatOnlyHappensToBeTheSize) {
  std::string kernel = R"(
    layout(local_size_x = 64) in;
    layout(constant_id = 5) const uint S = 64u;
    layout(set = 0, binding = 0) buffer A { float a[]; };
    void main() { a[gl_WorkGroupID.x * S + gl_LocalInvocationID.x] = 1.0; })";
  EXPECT_THAT(reasonOf(certificateOf(kernel)), HasSubstr("an address depends on how"));
}

TEST(CertificateProves, AtomicsOfTheDevice) {
  Certificate c = certificateOf(kHead + R"(layout(set = 0, binding = 3) buffer H { uint h[]; };
    void main() { if (GX < p.n) atomicAdd(h[uint(b[GX])], 1u); })");
  EXPECT_EQ(reasonOf(c), "legal");
  EXPECT_EQ(boundsOf(c), "x < push_constant[0]");
  EXPECT_EQ(c.facts.atomics, 1u);
}

// --- bounds ---

TEST(CertificateBounds, TwoAxesByEveryHabit) {
  for (const char *guard :
       {"if (GX >= p.n || GY >= p.m) return; a[GY * p.n + GX] = 1.0;",
        "if (GX < p.n && GY < p.m) a[GY * p.n + GX] = 1.0;",
        "if (GX >= p.n) return; if (p.m <= GY) return; a[GY * p.n + GX] = 1.0;",
        "if (any(greaterThanEqual(gl_GlobalInvocationID.xy, uvec2(p.n, p.m)))) return; a[GX] = "
        "1.0;",
        "if (all(lessThan(gl_GlobalInvocationID.xy, uvec2(p.n, p.m)))) { a[GX] = 1.0; }",
        "bool ok = GX < p.n; ok = ok && GY < p.m; if (!ok) return; a[GX] = 1.0;"}) {
    Certificate c = certificateOf(kHead2 + "void main() { " + guard + " }");
    EXPECT_EQ(reasonOf(c), "legal") << guard;
    EXPECT_EQ(boundsOf(c), "x < push_constant[0]; y < push_constant[4]") << guard;
  }
}

TEST(CertificateBounds, SignedComparisons) {
  Certificate c = certificateOf(kHead2 + R"(void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy); if (at.x >= p.w || at.y > p.h - 1) return;
    imageStore(image, at, vec4(1.0)); })");
  EXPECT_EQ(boundsOf(c), "x s< push_constant[8]; y s<= (push_constant[12] - 1)");
}

TEST(CertificateBounds, TheSizeOfAnImage) {
  Certificate c = certificateOf(kHead2 + R"(void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy); ivec2 size = imageSize(image);
    if (any(greaterThanEqual(at, size))) return;
    imageStore(image, at, vec4(1.0)); })");
  EXPECT_EQ(boundsOf(c), "x s< image_size(0,2).x; y s< image_size(0,2).y");
}

TEST(CertificateBounds, TheLengthOfAnArray) {
  Certificate c = certificateOf(kHead + "void main() { if (GX < a.length()) a[GX] = 1.0; }");
  EXPECT_THAT(boundsOf(c), HasSubstr("array_length(0,0"));
}

TEST(CertificateBounds, GuardOnOneAxisCoversThatAxisOnly) {
  Certificate c = certificateOf(kHead2 + "void main() { if (GX < p.n) a[GY * p.n + GX] = 1.0; }");
  EXPECT_EQ(reasonOf(c), "legal");
  EXPECT_EQ(boundsOf(c), "x < push_constant[0]");
  ASSERT_TRUE(c.coverRefusal[1].has_value());
  EXPECT_THAT(c.coverRefusal[1]->text, HasSubstr("without a bounds check on the y axis"));
}

TEST(CertificateBounds, AStoreOutsideTheGuardDefeatsIt) {
  for (const char *body : {"if (GX < p.n) a[GX] = 1.0; a[GX + p.m] = 2.0;",
                           "a[GX] = 2.0; if (GX >= p.n) return; a[GX] = 1.0;",
                           "if (GX < p.n) a[GX] = 1.0; else a[0] = 2.0;",
                           "if (GX >= p.n) { if (p.m > 3u) return; } a[GX] = 1.0;",
                           "if (GX < p.n || p.m > 3u) a[GX] = 1.0;", "if (GX > p.n) a[GX] = 1.0;",
                           "if (p.n < GX) a[GX] = 1.0;", "if (GX - 1u < p.n) a[GX] = 1.0;",
                           "if (GX < b[0]) a[GX] = 1.0;", "if (GX < p.n + GX) a[GX] = 1.0;",
                           "if (GX < a[0]) a[GX] = 1.0;"}) {
    Certificate c = certificateOf(kHead + "void main() { " + body + " }");
    EXPECT_EQ(reasonOf(c), "legal") << body;
    EXPECT_EQ(boundsOf(c), "") << body;
    EXPECT_TRUE(c.coverRefusal[0].has_value()) << body;
  }
}

TEST(CertificateBounds, AReadOutsideTheGuardDefeatsIt) {
  Certificate c =
      certificateOf(kHead + "void main() { float v = b[GX]; if (GX < p.n) a[GX] = v; }");
  EXPECT_EQ(boundsOf(c), "");
  ASSERT_TRUE(c.coverRefusal[0].has_value());
  EXPECT_THAT(c.coverRefusal[0]->text, HasSubstr("memory is read at an address"));
}

TEST(CertificateBounds, ADeadReadOutsideTheGuardDefeatsItToo) {
  Certificate c =
      certificateOf(kHead + "void main() { float v = b[GX]; if (GX < p.n) a[GX] = 1.0; }");
  EXPECT_EQ(boundsOf(c), "");
}

TEST(CertificateBounds, ALoopOutsideTheGuardDefeatsIt) {
  Certificate c = certificateOf(kHead + "void main() { uint i = GX; while ((i & 1u) != 0u) i = i * "
                                        "3u; if (GX < p.n) a[GX] = float(i); }");
  EXPECT_EQ(boundsOf(c), "");
  ASSERT_TRUE(c.coverRefusal[0].has_value());
  EXPECT_THAT(c.coverRefusal[0]->text, HasSubstr("a loop runs"));
}

TEST(CertificateBounds, AGridStrideLoopIsNotCovered) {
  Certificate c =
      certificateOf(kHead + "void main() { for (uint i = GX; i < p.n; i += p.m) a[i] = b[i]; }");
  EXPECT_EQ(reasonOf(c), "legal");
  EXPECT_EQ(boundsOf(c), "");
}

TEST(CertificateBounds, ABoundThatTheKernelWritesIsNone) {
  Certificate c = certificateOf(kHead + R"(layout(set = 0, binding = 3) buffer N { uint count; };
    void main() { if (GX < count) { a[GX] = 1.0; count = 7u; } })");
  EXPECT_EQ(boundsOf(c), "");
}

TEST(CertificateBounds, ABoundThatTheKernelWritesByAnotherNameIsNone) {
  Certificate c = certificateOf(kHead + R"(
    layout(set = 0, binding = 3) readonly buffer N { uint count; };
    layout(set = 0, binding = 3) buffer M { uint again; };
    void main() { if (GX < count) { a[GX] = 1.0; again = 7u; } })");
  EXPECT_EQ(boundsOf(c), "");
}

TEST(CertificateBounds, AReadOfWrittenMemoryBesideTheGuardDefeatsIt) {
  // Defined where the authored grid is one invocation, a race where it is two.
  Certificate c = certificateOf(kHead + "void main() { float v = a[0]; if (GX < p.n) a[GX] = v; }");
  EXPECT_EQ(boundsOf(c), "");
}

TEST(CertificateBounds, DivisionsBesideTheGuard) {
  for (const char *body : {"int d = int(GX) / p.w;", "uint d = GX / p.n;", "uint d = GX % 3u;",
                           "int d = (int(GX) - 5) / 7;", "int d = int(GX) / -1;"})
    EXPECT_EQ(boundsOf(certificateOf(kHead + "void main() { " + body +
                                     " if (GX < p.m) a[GX] = float(d); }")),
              "x < push_constant[4]")
        << body;
  for (const char *body : {"uint d = p.n / GX;", "int d = (int(GX) - 5) / p.w;",
                           "int d = (int(GX) - 5) / -1;", "uint d = 7u / (p.n - GX);"})
    EXPECT_EQ(boundsOf(certificateOf(kHead + "void main() { " + body +
                                     " if (GX < p.m) a[GX] = float(d); }")),
              "")
        << body;
}

TEST(CertificateBounds, AnUndefinedFlagIsNotContradicted) {
  // It may be false where it is asked first and true where it is asked again.
  Certificate c = certificateOf(kHead + R"(void main() {
    bool u; if (u) return;
    bool ok = GX < p.n; if (p.m == 0u) ok = u;
    if (ok) a[GX] = 1.0; })");
  EXPECT_EQ(reasonOf(c), "legal");
  EXPECT_EQ(boundsOf(c), "");
}

TEST(CertificateBounds, ABoundOfTooManyTermsIsNone) {
  std::string doubled;
  for (unsigned times = 0; times < 23; ++times)
    doubled += "n += n;";
  Certificate c = certificateOf(kHead + "void main() { uint n = p.n; " + doubled +
                                " if (GX < n) a[GX] = 1.0; }");
  EXPECT_EQ(reasonOf(c), "legal");
  EXPECT_EQ(boundsOf(c), "");
}

TEST(CertificateBounds, ABoundInAUniformBuffer) {
  Certificate c =
      certificateOf(kHead + R"(layout(set = 1, binding = 3) uniform N { vec4 pad; uvec2 size[2]; };
    void main() { if (GX < size[1].y) { a[GX] = 1.0; } })");
  EXPECT_EQ(boundsOf(c), "x < buffer(1,3)[36]");
}

TEST(CertificateBounds, AVolatileBoundIsNone) {
  for (const char *qualifier : {"volatile", "coherent"}) {
    Certificate c = certificateOf(kHead + "layout(set = 1, binding = 3) " + qualifier +
                                  " readonly buffer N { uint count; };\n"
                                  "void main() { if (GX < count) a[GX] = 1.0; }");
    EXPECT_EQ(reasonOf(c), "legal") << qualifier;
    EXPECT_EQ(boundsOf(c), "") << qualifier;
  }
}

TEST(CertificateBounds, ABoundOfReducedPrecisionIsNone) {
  Certificate c = certificateOf(
      kHead +
      "layout(set = 1, binding = 3) uniform N { mediump uint n; mediump uint m; } u;\n"
      "void main() { mediump uint bound = (u.n * u.m) % 1000u; if (GX < bound) a[GX] = 1.0; }");
  EXPECT_EQ(reasonOf(c), "legal");
  EXPECT_EQ(boundsOf(c), "");
}

TEST(CertificateBounds, AnAddressFormedOutsideTheGuardDefeatsIt) {
  const char *text = R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %gid
               OpExecutionMode %main LocalSize 64 1 1
               OpDecorate %gid BuiltIn GlobalInvocationId
               OpDecorate %array ArrayStride 4
               OpMemberDecorate %block 0 Offset 0
               OpDecorate %block BufferBlock
               OpDecorate %out DescriptorSet 0
               OpDecorate %out Binding 0
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %bool = OpTypeBool
       %uint = OpTypeInt 32 0
         %v3 = OpTypeVector %uint 3
        %pv3 = OpTypePointer Input %v3
        %pin = OpTypePointer Input %uint
        %gid = OpVariable %pv3 Input
         %c0 = OpConstant %uint 0
        %c90 = OpConstant %uint 90
      %array = OpTypeRuntimeArray %uint
      %block = OpTypeStruct %array
     %pblock = OpTypePointer Uniform %block
      %puint = OpTypePointer Uniform %uint
        %out = OpVariable %pblock Uniform
       %main = OpFunction %void None %fn
      %entry = OpLabel
         %px = OpAccessChain %pin %gid %c0
          %x = OpLoad %uint %px
         %at = OpAccessChain %puint %out %c0 %x
     %inside = OpULessThan %bool %x %c90
               OpSelectionMerge %end None
               OpBranchConditional %inside %then %end
       %then = OpLabel
               OpStore %at %x
               OpBranch %end
        %end = OpLabel
               OpReturn
               OpFunctionEnd
)";
  Diagnostics diagnostics;
  FrontendOptions options;
  options.kind = InputKind::SpirvText;
  Result<FrontendResult> shader = loadShaderFromMemory(text, "k.spvasm", options, diagnostics);
  ASSERT_TRUE(shader) << shader.diagnostic().text;
  Result<Module> module = readModule(shader->words, "k.spvasm");
  ASSERT_TRUE(module);
  Result<Certificate> c = certify(*module, module->entryPoints().front());
  ASSERT_TRUE(c);
  EXPECT_EQ(reasonOf(*c), "legal");
  EXPECT_EQ(boundsOf(*c), "");
}

TEST(CertificateRefuses, CallsThatMultiply) {
  std::string kernel = kHead + "uint f0(uint i) { a[i] += 1.0; return i * 3u; }\n";
  for (int level = 1; level <= 20; ++level) {
    std::string below = "f" + std::to_string(level - 1);
    kernel += "uint f" + std::to_string(level) + "(uint i) { return " + below + "(i) + " + below +
              "(i + 1u); }\n";
  }
  Certificate c = certificateOf(kernel + "void main() { a[GX] = float(f20(GX)); }");
  EXPECT_THAT(reasonOf(c), HasSubstr("a function call could not be inlined"));
  EXPECT_THAT(reasonOf(c), HasSubstr("would make more than 64000 instructions"));
}

TEST(CertificateBounds, AnEqualityIsABound) {
  Certificate c = certificateOf(kHead + "void main() { if (GX == 0u) a[0] = 1.0; }");
  EXPECT_EQ(boundsOf(c), "x <= 0");
}

TEST(CertificateBounds, DifferentEffectsUnderDifferentBounds) {
  Certificate c = certificateOf(
      kHead + "void main() { if (GX < p.n) a[GX] = 1.0; if (GX < p.m) a[GX + p.n] = 2.0; }");
  EXPECT_EQ(boundsOf(c), "x < push_constant[0]; x < push_constant[4]");
}

TEST(CertificateBounds, AConditionComputedInALoopIsNotContradicted) {
  // The flag of one turn must not be taken for the flag of the next.
  Certificate c = certificateOf(kHead + R"(void main() {
    bool go = true;
    for (uint k = 0u; k < p.m; ++k) { bool inside = GX + k < p.n; go = go || inside; if (go) a[GX + k] = 1.0; } })");
  EXPECT_EQ(reasonOf(c), "legal");
  EXPECT_EQ(boundsOf(c), "");
}

// --- the dispatch rule of one size ---

TEST(ResizeDispatch, DividingSizesAreExactAndOthersCover) {
  Certificate c = certificateOf(kHead2 + "void main() { if (GX < p.n) a[GY * p.n + GX] = 1.0; }");
  Result<Dispatch> smaller = resizeDispatch(c, {8, 4, 1});
  ASSERT_TRUE(smaller);
  EXPECT_EQ(smaller->rule, DispatchRule::Exact);
  EXPECT_EQ(smaller->mul, (Dim3{16, 16, 1}));
  EXPECT_EQ(smaller->div, (Dim3{8, 4, 1}));
  Result<Dispatch> wide = resizeDispatch(c, {64, 2, 1});
  ASSERT_TRUE(wide);
  EXPECT_EQ(wide->rule, DispatchRule::Cover);
  EXPECT_EQ(wide->bounds.size(), 1u);
  Result<Dispatch> tall = resizeDispatch(c, {64, 64, 1});
  ASSERT_TRUE(tall);
  EXPECT_EQ(tall->rule, DispatchRule::Exact) << "y is not guarded";
  EXPECT_TRUE(tall->bounds.empty());
  Result<Dispatch> unassuming = resizeDispatch(c, {64, 2, 1}, /*allowCover=*/false);
  ASSERT_TRUE(unassuming);
  EXPECT_EQ(unassuming->rule, DispatchRule::Exact);
}

} // namespace
