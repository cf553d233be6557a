//===- unit/Analysis/LegalityTests.cpp - Verdicts on every technique -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of the kinds that real shaders are of, and those on which a technique
// would go wrong: the smallest of each.
//
//===----------------------------------------------------------------------===//
#include "KernelSupport.h"

#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tailor;
using testing::HasSubstr;

namespace {

Certificate certificateOfText(const std::string &text, InputKind kind, const SpecMap &spec = {}) {
  return certificateOf(moduleOf(text, kind, "vulkan1.2"), spec);
}

Certificate certificateOf(const std::string &glsl, const SpecMap &spec = {}) {
  return certificateOfText("#version 460\n" + glsl, InputKind::Glsl, spec);
}

/// `resize remap pack:xyz coarsen swizzle`: the techniques that are legal.
std::string legalOf(const Certificate &certificate) {
  std::string text;
  for (Technique technique : kTechniques) {
    const TechniqueVerdict &verdict = certificate.verdict(technique);
    if (!verdict.legal())
      continue;
    text += (text.empty() ? "" : " ") + std::string(nameOf(technique));
    if (technique == Technique::Pack) {
      text += ":";
      for (unsigned axis = 0; axis < 3; ++axis)
        if (!verdict.axisRefusal[axis])
          text += kAxisName[axis];
    }
    if (verdict.dividesOnly)
      text += ":divisors";
  }
  return text.empty() ? "none" : text;
}

std::string textOf(const std::optional<Diagnostic> &refusal) {
  if (!refusal)
    return "legal";
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, *refusal);
  return os.str();
}
std::string reasonOf(const Certificate &certificate, Technique technique) {
  return textOf(certificate.verdict(technique).refusal);
}

const std::string kHead = R"(
layout(local_size_x = 64) in;
layout(push_constant) uniform P { uint n; uint m; } p;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
shared uint tile[64];
shared uint flag;
#define GX gl_GlobalInvocationID.x
#define LX gl_LocalInvocationID.x
#define WX gl_WorkGroupID.x
)";

//===----------------------------------------------------------------------===//
// The plain kinds
//===----------------------------------------------------------------------===//

TEST(Legality, GlobalIdAlone) {
  EXPECT_EQ(legalOf(certificateOf(kHead + "void main() { if (GX < p.n) a[GX] = b[GX]; }")),
            "resize remap pack:xyz coarsen swizzle");
}

TEST(Legality, LocalAndGroupIdsWithoutExchange) {
  Certificate c = certificateOf(kHead + "void main() { a[GX] = b[GX] * LX + WX; }");
  EXPECT_EQ(legalOf(c), "remap pack:xyz coarsen swizzle");
  EXPECT_THAT(reasonOf(c, Technique::Resize), HasSubstr("depends on how the grid is cut"));
}

TEST(Legality, AxisOfOneInvocationIsTheGlobalId) {
  EXPECT_EQ(
      legalOf(certificateOf(
          kHead + "void main() { a[gl_WorkGroupID.y * p.n + GX] = gl_LocalInvocationID.y; }")),
      "resize remap pack:xyz coarsen swizzle");
}

TEST(Legality, TreeReduction) {
  Certificate c = certificateOf(kHead + R"(
void main() {
  tile[LX] = b[GX];
  for (uint s = 32; s > 0; s >>= 1) {
    barrier();
    if (LX < s) tile[LX] += tile[LX + s];
  }
  if (LX == 0) a[WX] = tile[0];
})");
  EXPECT_EQ(legalOf(c), "pack:xyz coarsen swizzle");
  EXPECT_THAT(reasonOf(c, Technique::Remap), HasSubstr("a control barrier makes"));
}

TEST(Legality, TileLargerThanItsGroup) { // 18x18 under 16x16
  EXPECT_EQ(legalOf(certificateOf(R"(
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) buffer A { float a[]; };
layout(set = 0, binding = 1) readonly buffer B { float b[]; };
shared float tile[18][18];
void main() {
  uint first = gl_LocalInvocationIndex;
  for (uint i = first; i < 324; i += 256)
    tile[i / 18][i % 18] = b[(gl_WorkGroupID.y * 16 + i / 18) * 1024 + gl_WorkGroupID.x * 16 + i % 18];
  barrier();
  uvec2 l = gl_LocalInvocationID.xy;
  a[gl_GlobalInvocationID.y * 1024 + gl_GlobalInvocationID.x] =
      tile[l.y][l.x] + tile[l.y + 2][l.x + 2];
})")),
            "pack:xyz coarsen swizzle");
}

//===----------------------------------------------------------------------===//
// Invocations that wait
//===----------------------------------------------------------------------===//

TEST(Legality, SpinLock) {
  Certificate c = certificateOf(kHead + R"(
void main() {
  while (atomicCompSwap(a[0], 0, 1) != 0) {}
  a[1] += GX;
  atomicExchange(a[0], 0);
})");
  EXPECT_EQ(legalOf(c), "none");
  for (Technique technique : {Technique::Resize, Technique::Remap, Technique::Pack,
                              Technique::Coarsen, Technique::Swizzle})
    EXPECT_THAT(reasonOf(c, technique), HasSubstr("invocations may wait on each other"));
}

TEST(Legality, LookBackScan) {
  Certificate c = certificateOf(R"(
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) coherent buffer A { uint state[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
shared uint base;
void main() {
  if (gl_LocalInvocationIndex == 0) {
    uint seen = 0;
    if (gl_WorkGroupID.x > 0)
      do { seen = state[gl_WorkGroupID.x - 1]; } while (seen == 0);
    base = seen;
    memoryBarrierBuffer();
    state[gl_WorkGroupID.x] = seen + 64;
  }
  barrier();
  b[gl_GlobalInvocationID.x] += base;
})");
  EXPECT_EQ(legalOf(c), "none");
  EXPECT_THAT(reasonOf(c, Technique::Coarsen), HasSubstr("wait on each other"));
}

TEST(Legality, PolledWorkgroupFlag) {
  EXPECT_EQ(legalOf(certificateOf(kHead + R"(
void main() {
  if (LX == 0) atomicExchange(flag, 1);
  while (atomicOr(flag, 0) == 0) {}
  a[GX] = flag;
})")),
            "none");
}

TEST(Legality, LastGroupDoneKeepsItsGroups) {
  Certificate c = certificateOf(kHead + R"(
void main() {
  a[GX + 1] = b[GX];
  if (LX == 0)
    flag = atomicAdd(a[0], 1) == gl_NumWorkGroups.x - 1 ? 1 : 0;
  barrier();
  if (flag != 0) a[GX + 1] += 1;
})");
  EXPECT_EQ(legalOf(c), "pack:xyz coarsen swizzle");
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

TEST(Legality, DivergentBarrier) {
  Certificate c = certificateOf(kHead + "void main() { if (LX < 32) barrier(); a[GX] = 1; }");
  EXPECT_FALSE(c.verdict(Technique::Pack).legal());
  std::string why = reasonOf(c, Technique::Pack);
  EXPECT_THAT(why, HasSubstr("whether a control barrier is reached"));
  EXPECT_THAT(why, HasSubstr("LocalInvocationId"));
}

TEST(Legality, BarrierLoopOfTheGroup) {
  Certificate c = certificateOf(kHead + R"(
void main() {
  for (uint i = 0; i < b[WX]; ++i) {
    tile[LX] = b[GX + i];
    barrier();
    a[GX] += tile[63 - LX];
    barrier();
  }
})");
  EXPECT_EQ(legalOf(c), "pack:yz coarsen swizzle");
  std::string why = textOf(c.verdict(Technique::Pack).axisRefusal[0]);
  EXPECT_THAT(why, HasSubstr("between the groups along x"));
  EXPECT_THAT(why, HasSubstr("WorkgroupId"));
}

TEST(Legality, GroupNumberFromTheGlobalId) { // GlobalId/64 at size 64
  Certificate c = certificateOf(kHead + R"(
void main() {
  for (uint i = 0; i < GX / 64; ++i) {
    tile[LX] = b[i];
    barrier();
    a[GX] += tile[63 - LX];
    barrier();
  }
})");
  EXPECT_EQ(legalOf(c), "pack:yz coarsen swizzle");
}

TEST(Legality, LoopFromAndToTheLocalId) {
  EXPECT_EQ(legalOf(certificateOf(kHead + R"(
void main() {
  uint sum = 0;
  for (uint i = LX; i < 256 + LX; i += 64) {
    tile[LX] = b[i];
    barrier();
    sum += tile[63 - LX];
    barrier();
  }
  a[GX] = sum;
})")),
            "pack:xyz coarsen swizzle");
}

TEST(Legality, LoopFromAndToTheLocalIdThatMayWrap) {
  Certificate c = certificateOf(kHead + R"(
void main() {
  uint sum = 0;
  for (uint i = LX; i < p.n + LX; i += 64) {
    tile[LX] = b[i];
    barrier();
    sum += tile[63 - LX];
    barrier();
  }
  a[GX] = sum;
})");
  EXPECT_EQ(legalOf(c), "swizzle"); // p.n + LX may wrap for some invocations only
}

TEST(Legality, BarrierInControlFlowThatIsNotUniform) {
  // Valid where p.n is 0: then nobody reaches the barrier, and the invocations part at `LX < 16`.
  Certificate c = certificateOf(kHead + R"(
void main() {
  tile[LX] = b[GX];
  if (LX < 16) {
    if (p.n > 0) barrier();
    tile[LX] = 1;
  }
  a[GX] = tile[LX];
})");
  EXPECT_EQ(legalOf(c), "swizzle");
  const Diagnostic &refusal = *c.verdict(Technique::Coarsen).refusal;
  EXPECT_THAT(refusal.text, HasSubstr("not proven to be the same for a whole workgroup"));
  EXPECT_FALSE(refusal.notes.empty());
}

TEST(Legality, EarlyExitByAValueBroadcastInWorkgroupMemory) {
  EXPECT_EQ(legalOf(certificateOf(kHead + R"(
shared uint found;
void main() {
  if (LX == 0) found = 0xffffffffu;
  barrier();
  for (uint i = 0; i < p.n; i += 64) {
    if (b[i + LX] == 7) atomicMin(found, i + LX);
    barrier();
    uint place = found;
    barrier();
    if (place != 0xffffffffu) break;
  }
  if (LX == 0) a[GX] = found;
})")),
            "coarsen swizzle");
}

TEST(Legality, FlagBroadcastThroughWorkgroupMemory) {
  // Uniform in a group, but another one in each.
  EXPECT_EQ(legalOf(certificateOf(kHead + R"(
void main() {
  if (LX == 0) flag = b[WX];
  barrier();
  if (flag == 0) return;
  tile[LX] = b[GX];
  barrier();
  a[GX] = tile[63 - LX];
})")),
            "coarsen swizzle");
}

TEST(Legality, ReturnBeforeABarrier) {
  Certificate c = certificateOf(kHead + R"(
void main() {
  if (GX >= p.n) return;
  tile[LX] = b[GX];
  barrier();
  a[GX] = tile[LX ^ 1];
})");
  EXPECT_FALSE(c.verdict(Technique::Pack).legal()); // the return parts invocations of a group
  EXPECT_FALSE(c.resizeLegal());
}

/// A kernel of 32 that leaves a sum in workgroup memory, with `access` in its middle, which reads
/// the place that another invocation writes.
static std::string legalOfAccess(const std::string &access, const std::string &decoration = "") {
  Certificate c = certificateOfText(R"(
               OpCapability Shader
               OpCapability VariablePointers
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %index
               OpExecutionMode %main LocalSize 32 1 1
               OpDecorate %index BuiltIn LocalInvocationIndex
)" + decoration + R"(
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %bool = OpTypeBool
       %uint = OpTypeInt 32 0
      %input = OpTypePointer Input %uint
      %index = OpVariable %input Input
     %n64 = OpConstant %uint 64
     %n16 = OpConstant %uint 16
      %array = OpTypeArray %uint %n64
     %shared = OpTypePointer Workgroup %array
    %element = OpTypePointer Workgroup %uint
      %local = OpTypePointer Function %uint
       %tile = OpVariable %shared Workgroup
      %other = OpVariable %shared Workgroup
       %main = OpFunction %void None %fn
      %label = OpLabel
       %copy = OpVariable %local Function
          %l = OpLoad %uint %index
         %at = OpIAdd %uint %l %n16
        %own = OpAccessChain %element %tile %l
       %next = OpAccessChain %element %tile %at
      %next2 = OpAccessChain %element %other %at
       %half = OpULessThan %bool %l %n16
     %chosen = OpSelect %element %half %next %next2
               OpStore %own %l
)" + access + R"(
               OpReturn
               OpFunctionEnd
)",
                                    InputKind::SpirvText);
  return std::string(c.verdict(Technique::Coarsen).legal() ? "coarsen " : "") +
         (c.verdict(Technique::Swizzle).legal() ? "swizzle" : "");
}

TEST(Legality, LockstepThroughCopiesAndChosenPointers) {
  EXPECT_EQ(legalOfAccess("OpCopyMemory %copy %next"), "coarsen swizzle");
  EXPECT_EQ(legalOfAccess("OpCopyMemory %copy %next Volatile"), "");
  EXPECT_EQ(legalOfAccess("OpCopyMemory %own %copy Volatile|Aligned 4"), "");
  EXPECT_EQ(legalOfAccess("OpCopyMemory %copy %next Aligned 1"), "coarsen swizzle");
  EXPECT_EQ(legalOfAccess("OpCopyMemory %copy %next", "OpDecorate %tile Volatile"), "");
  EXPECT_EQ(legalOfAccess("%v = OpLoad %uint %chosen"), "coarsen swizzle");
  EXPECT_EQ(legalOfAccess("%v = OpLoad %uint %chosen Volatile"), "");
  EXPECT_EQ(legalOfAccess("OpStore %chosen %l Volatile"), "");
  EXPECT_EQ(legalOfAccess("%v = OpLoad %uint %chosen", "OpDecorate %other Coherent"), "");
}

TEST(Legality, LockstepOverVolatileMemory) {
  Certificate c = certificateOfText(R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %index
               OpExecutionMode %main LocalSize 32 1 1
               OpName %tile "tile"
               OpDecorate %index BuiltIn LocalInvocationIndex
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %uint = OpTypeInt 32 0
      %input = OpTypePointer Input %uint
      %index = OpVariable %input Input
     %n64 = OpConstant %uint 64
     %n16 = OpConstant %uint 16
      %array = OpTypeArray %uint %n64
     %shared = OpTypePointer Workgroup %array
    %element = OpTypePointer Workgroup %uint
       %tile = OpVariable %shared Workgroup
       %main = OpFunction %void None %fn
      %label = OpLabel
          %l = OpLoad %uint %index
      %other = OpIAdd %uint %l %n16
        %own = OpAccessChain %element %tile %l
       %next = OpAccessChain %element %tile %other
          %a = OpLoad %uint %own Volatile
          %b = OpLoad %uint %next Volatile
        %sum = OpIAdd %uint %a %b
               OpStore %own %sum Volatile
               OpReturn
               OpFunctionEnd
)",
                                    InputKind::SpirvText);
  EXPECT_EQ(legalOf(c), "pack:xyz");
  EXPECT_THAT(reasonOf(c, Technique::Coarsen), HasSubstr("side by side"));
  EXPECT_THAT(reasonOf(c, Technique::Swizzle), HasSubstr("side by side"));
}

//===----------------------------------------------------------------------===//
// Workgroup memory without barriers
//===----------------------------------------------------------------------===//

TEST(Legality, WorkgroupMemoryAsAStack) {
  Certificate c = certificateOf(R"(
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
shared uint stack[64 * 8];
void main() {
  uint base = gl_LocalInvocationIndex * 8;
  for (uint i = 0; i < 8; ++i)
    stack[base + i] = a[gl_GlobalInvocationID.x] >> i;
  uint sum = 0;
  for (uint i = 0; i < 8; ++i)
    sum += stack[base + i];
  a[gl_GlobalInvocationID.x] = sum;
})");
  EXPECT_EQ(legalOf(c), "remap:divisors pack:xyz coarsen swizzle");
  EXPECT_TRUE(allowsSize(Technique::Remap, c.verdict(Technique::Remap), {64, 1, 1}, {32, 1, 1}));
  EXPECT_FALSE(allowsSize(Technique::Remap, c.verdict(Technique::Remap), {64, 1, 1}, {128, 1, 1}));
}

TEST(Legality, StacksThatOverlap) {
  EXPECT_FALSE(certificateOf(R"(
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
shared uint stack[64 * 8 + 8];
void main() {
  uint base = gl_LocalInvocationIndex * 8;
  for (uint i = 0; i < 9; ++i)
    stack[base + i] = a[i];
  a[gl_GlobalInvocationID.x] = stack[base];
})")
                   .verdict(Technique::Remap)
                   .legal());
}

//===----------------------------------------------------------------------===//
// Specialization
//===----------------------------------------------------------------------===//

TEST(Legality, SizeThatEverythingFollows) {
  EXPECT_EQ(legalOf(certificateOf(R"(
layout(local_size_x_id = 3) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
shared uint tile[gl_WorkGroupSize.x];
void main() {
  tile[gl_LocalInvocationID.x] = a[gl_GlobalInvocationID.x];
  barrier();
  a[gl_GlobalInvocationID.x] = tile[gl_WorkGroupSize.x - 1 - gl_LocalInvocationID.x];
})",
                                  {{3, 64}})),
            "pack:xyz coarsen swizzle respecialize");
}

TEST(Legality, SizeWithLiteralsInTheBody) {
  Certificate c = certificateOf(R"(
layout(local_size_x_id = 3) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
shared uint tile[64];
void main() {
  tile[gl_LocalInvocationID.x] = a[gl_GlobalInvocationID.x];
  barrier();
  a[gl_GlobalInvocationID.x] = tile[63 - gl_LocalInvocationID.x];
})",
                                {{3, 64}});
  EXPECT_EQ(legalOf(c), "pack:xyz coarsen swizzle");
  EXPECT_THAT(reasonOf(c, Technique::Respecialize), HasSubstr("nothing in the body follows it"));
  EXPECT_THAT(reasonOf(c, Technique::Respecialize), HasSubstr("'tile'"));
}

//===----------------------------------------------------------------------===//
// What is refused by name, or not
//===----------------------------------------------------------------------===//

TEST(Legality, SubgroupOperations) {
  Certificate c = certificateOf("#extension GL_KHR_shader_subgroup_arithmetic : require\n" + kHead +
                                "void main() { a[GX] = subgroupAdd(b[GX]); }");
  EXPECT_EQ(legalOf(c), "none");
  EXPECT_THAT(reasonOf(c, Technique::Pack), HasSubstr("OpGroupNonUniformIAdd"));
}

TEST(Legality, SubgroupIdAsAValue) {
  Certificate c = certificateOf("#extension GL_KHR_shader_subgroup_basic : require\n" + kHead +
                                "void main() { a[GX] = gl_SubgroupInvocationID; }");
  EXPECT_EQ(legalOf(c), "none");
  EXPECT_THAT(reasonOf(c, Technique::Swizzle), HasSubstr("SubgroupLocalInvocationId"));
}

TEST(Legality, PhysicalStorageBuffer) {
  Certificate c = certificateOf(R"(
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430) buffer Ref { uint v[]; };
layout(push_constant) uniform P { Ref data; } p;
void main() { p.data.v[gl_GlobalInvocationID.x] = gl_LocalInvocationID.x; }
)");
  EXPECT_EQ(legalOf(c), "remap pack:xyz coarsen swizzle");
  EXPECT_THAT(reasonOf(c, Technique::Resize), HasSubstr("pointer whose variable is not known"));
}

TEST(Legality, RayQuery) {
  Certificate c = certificateOf(R"(
#extension GL_EXT_ray_query : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1) buffer A { uint a[]; };
void main() {
  rayQueryEXT query;
  rayQueryInitializeEXT(query, scene, 0, 0xff, vec3(0), 0.0, vec3(1), 10.0);
  a[gl_GlobalInvocationID.x] = rayQueryProceedEXT(query) ? 1 : 0;
})");
  EXPECT_EQ(legalOf(c), "none");
  EXPECT_THAT(reasonOf(c, Technique::Coarsen), HasSubstr("OpRayQuery"));
}

TEST(Legality, CooperativeMatrix) {
  Certificate c = certificateOf(R"(
#extension GL_NV_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer A { float16_t a[]; };
void main() {
  fcoopmatNV<16, gl_ScopeSubgroup, 16, 16> m;
  coopMatLoadNV(m, a, 0, 16, false);
  coopMatStoreNV(m, a, 256, 16, false);
})");
  EXPECT_EQ(legalOf(c), "none");
  EXPECT_THAT(reasonOf(c, Technique::Coarsen), HasSubstr("OpCooperativeMatrix"));
}

TEST(Legality, SmallAndLargeTypes) {
  EXPECT_EQ(legalOf(certificateOf(R"(
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint8_t a8[64]; uint16_t a16[64]; uint64_t a64[]; };
void main() {
  uint x = gl_GlobalInvocationID.x;
  a64[x] = uint64_t(x) * 5ul + uint64_t(a8[x & 63u]) + uint64_t(a16[x & 63u]);
})")),
            "resize remap pack:xyz coarsen swizzle");
}

TEST(Legality, DescriptorIndexOfTheGroup) {
  Certificate c = certificateOf(R"(
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[]; } bufs[4];
void main() { bufs[gl_WorkGroupID.x & 3u].a[gl_LocalInvocationID.x] = 1; }
)");
  EXPECT_EQ(legalOf(c), "pack:yz coarsen swizzle");
}

//===----------------------------------------------------------------------===//
// Sizes and rules
//===----------------------------------------------------------------------===//

TEST(Legality, SizesByTechnique) {
  TechniqueVerdict any;
  const Dim3 authored{16, 8, 1};
  EXPECT_TRUE(allowsSize(Technique::Resize, any, authored, {3, 5, 7}));
  EXPECT_FALSE(allowsSize(Technique::Resize, any, authored, authored));
  EXPECT_TRUE(allowsSize(Technique::Coarsen, any, authored, {4, 8, 1}));
  EXPECT_FALSE(allowsSize(Technique::Coarsen, any, authored, {32, 8, 1}));
  EXPECT_FALSE(allowsSize(Technique::Coarsen, any, authored, {5, 8, 1}));
  EXPECT_TRUE(allowsSize(Technique::Pack, any, authored, {48, 8, 2}));
  EXPECT_FALSE(allowsSize(Technique::Pack, any, authored, {24, 8, 1}));
  any.axisRefusal[0] = Diagnostic::error({}, "no");
  EXPECT_FALSE(allowsSize(Technique::Pack, any, authored, {32, 8, 1}));
  EXPECT_TRUE(allowsSize(Technique::Pack, any, authored, {16, 16, 1}));
  EXPECT_TRUE(allowsSize(Technique::Swizzle, any, authored, {8, 16, 1}));
  EXPECT_FALSE(allowsSize(Technique::Swizzle, any, authored, {8, 8, 1}));
  any.refusal = Diagnostic::error({}, "no");
  for (Technique technique : kTechniques)
    EXPECT_FALSE(allowsSize(technique, any, authored, {16, 16, 1}));
}

TEST(Legality, RulesByTechnique) {
  Certificate c = certificateOf(kHead + R"(
void main() { if (GX < p.n) a[GX] = LX; }
)");
  Result<Dispatch> remap = dispatchOf(c, Technique::Remap, {48, 1, 1});
  ASSERT_TRUE(remap);
  EXPECT_EQ(remap->rule, DispatchRule::Cover);
  EXPECT_EQ(dispatchOf(c, Technique::Remap, {48, 1, 1}, false)->rule, DispatchRule::Exact);
  Result<Dispatch> pack = dispatchOf(c, Technique::Pack, {128, 1, 1});
  ASSERT_TRUE(pack);
  EXPECT_EQ(pack->rule, DispatchRule::Exact);
  EXPECT_EQ(variantGroups(*pack, pack->mul, {6, 1, 1}, {1024, 1024, 64})->x, 3u);
  EXPECT_FALSE(variantGroups(*pack, pack->mul, {7, 1, 1}, {1024, 1024, 64}));
  EXPECT_EQ(dispatchOf(c, Technique::Coarsen, {16, 1, 1})->rule, DispatchRule::Same);
  EXPECT_FALSE(dispatchOf(c, Technique::Coarsen, {48, 1, 1}));
}

TEST(Legality, GridStrideLoopReadsTheGroupCount) {
  Certificate c = certificateOf(kHead + R"(
void main() {
  for (uint i = GX; i < p.n; i += gl_NumWorkGroups.x * 64)
    a[i] = b[i];
})");
  EXPECT_FALSE(c.resizeLegal());
  ASSERT_TRUE(c.verdict(Technique::Remap).legal());
  EXPECT_TRUE(c.verdict(Technique::Remap).readsGroupCount);
  EXPECT_EQ(dispatchOf(c, Technique::Remap, {48, 1, 1})->rule, DispatchRule::Exact);
}

} // namespace
