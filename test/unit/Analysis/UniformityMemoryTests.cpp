//===- unit/Analysis/UniformityMemoryTests.cpp - What loads give ------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads, atomics, subgroup operations, and the causes that are told of them.
//
//===----------------------------------------------------------------------===//
#include "UniformityProbe.h"

using namespace tailor;
using namespace tailor::uniformity;
using testing::ElementsAre;

namespace {

const std::string kHead = R"(
layout(local_size_x = 64) in;
layout(push_constant) uniform P { uint n; uint m; } p;
layout(set = 0, binding = 0) buffer Probe { uint probe[]; };
layout(set = 0, binding = 1) buffer W { uint written[]; };
layout(set = 0, binding = 2) readonly buffer R { uint constant[]; };
shared uint tile[64];
shared uint flag;
#define LID gl_LocalInvocationID.x
#define WG gl_WorkGroupID.x
#define GX gl_GlobalInvocationID.x
)";

TEST(UniformityMemory, LoadsByWhoMayWrite) {
  Kernel kernel(kHead + R"(
  layout(set = 0, binding = 3) volatile buffer V { uint vol[]; };
  layout(set = 0, binding = 4) coherent buffer C { uint coh[]; };
  layout(set = 0, binding = 5) buffer T { uint counter[]; };
  layout(set = 0, binding = 6) uniform U { uint table[4]; } u;
  layout(set = 0, binding = 7, r32ui) uniform uimage2D image;
  layout(set = 0, binding = 8, r32ui) uniform readonly uimage2D source;
  layout(set = 0, binding = 9) uniform sampler2D tex;
  layout(set = 0, binding = 10, r32ui) uniform uimage2D counts;
  void main() {
    written[GX] = 1u; vol[GX + 1] = 1u; coh[GX + 1] = 1u;
    atomicAdd(counter[1], 1u);
    imageStore(image, ivec2(GX, 1), uvec4(1u));
    imageAtomicAdd(counts, ivec2(0), 1u);
    barrier();
    probe[0] = vol[0];
    probe[1] = coh[0];
    probe[2] = counter[1];
    probe[3] = written[0];
    probe[4] = written[LID];
    probe[5] = constant[p.n];
    probe[6] = constant[WG];
    probe[7] = constant[LID];
    probe[8] = u.table[p.n];
    probe[9] = imageLoad(image, ivec2(0)).x;
    probe[10] = imageLoad(source, ivec2(p.n)).x;
    probe[11] = imageLoad(source, ivec2(LID)).x;
    probe[12] = uint(textureLod(tex, vec2(0.5), 0.0).x);
    probe[13] = uint(texelFetch(tex, ivec2(WG, 0), 0).x);
    probe[14] = constant.length();
    probe[15] = imageSize(image).x;
    probe[16] = imageLoad(counts, ivec2(0)).x;
    probe[17] = written[WG];
  })");
  EXPECT_EQ(kernel.text(0), "invocation");
  EXPECT_EQ(kernel.text(1), "invocation");
  EXPECT_EQ(kernel.text(2), "invocation");
  EXPECT_EQ(kernel.text(3), "workgroup");
  EXPECT_EQ(kernel.text(4), "invocation");
  EXPECT_EQ(kernel.text(5), "dispatch");
  EXPECT_EQ(kernel.text(6), "workgroup, pack y z");
  EXPECT_EQ(kernel.text(7), "invocation");
  EXPECT_EQ(kernel.text(8), "dispatch");
  EXPECT_EQ(kernel.text(9), "workgroup");
  EXPECT_EQ(kernel.text(10), "dispatch");
  EXPECT_EQ(kernel.text(11), "invocation");
  EXPECT_EQ(kernel.text(12), "dispatch");
  EXPECT_EQ(kernel.text(13), "workgroup, pack y z");
  EXPECT_EQ(kernel.text(14), "dispatch");
  EXPECT_EQ(kernel.text(15), "dispatch");
  EXPECT_EQ(kernel.text(16), "invocation");
  EXPECT_EQ(kernel.text(17), "workgroup");
}

TEST(UniformityMemory, TwoNamesForOneBuffer) {
  Kernel kernel(kHead + R"(
  layout(set = 0, binding = 3) buffer A { uint a[]; };
  layout(set = 0, binding = 3) buffer B { uint b[]; };
  void main() {
    probe[0] = atomicAdd(a[0], 1u);
    probe[1] = b[0];
    probe[2] = b[1];
  })");
  EXPECT_EQ(kernel.text(0), "invocation");
  EXPECT_EQ(kernel.text(1), "invocation");
}

TEST(UniformityMemory, WorkgroupMemory) {
  Kernel kernel(kHead + R"(
  shared uint counter;
  void main() {
    atomicAdd(counter, 1u);
    tile[LID] = GX;
    barrier();
    probe[0] = counter;
    probe[1] = tile[LID];
    probe[2] = tile[3];
    probe[3] = tile[WG & 63];
    probe[4] = tile[tile[0] & 63u];
  })");
  EXPECT_EQ(kernel.text(0), "workgroup"); // its atomics are ordered before all reads, or race
  EXPECT_EQ(kernel.text(1), "invocation");
  EXPECT_EQ(kernel.text(2), "workgroup");
  EXPECT_EQ(kernel.text(3), "workgroup");
  EXPECT_EQ(kernel.text(4), "workgroup");
}

TEST(UniformityMemory, AFlagThatOneInvocationSets) {
  Kernel kernel(kHead + R"(void main() {
    tile[LID] = atomicAdd(written[LID & 3u], 1u);
    if (LID == 0) flag = atomicAdd(written[0], 1u);
    barrier();
    if (tile[LID] > 3u) { probe[0] = 1u; }
    if (flag > 3u) { barrier(); probe[1] = 1u; }
  })");
  EXPECT_EQ(kernel.controlText(0), "invocation");
  EXPECT_EQ(kernel.controlText(1), "workgroup");
  EXPECT_FALSE(kernel.uniformity().synchronizesByAtomics());
  EXPECT_THAT(kernel.causeOfPackControl(*kernel.barriers()[1], 0),
              ElementsAre("k.comp:18: control flow depends on this branch",
                          "k.comp:18: its condition is computed here",
                          "k.comp:18: it comes from workgroup memory: 'flag'"));
}

// --- synchronisation by atomics ---

TEST(UniformityMemory, ALockOrdersMemoryWithoutABarrier) {
  Kernel kernel(kHead + R"(
  layout(set = 0, binding = 3) buffer L { uint lock; };
  void main() {
    for (uint tries = 0u; tries < 1000u; ++tries) {
      if (atomicCompSwap(lock, 0u, 1u) == 0u) {
        memoryBarrier();
        flag = flag + 1u;      // others may come here in the same iteration, one after the other
        probe[0] = flag;
        memoryBarrier();
        atomicExchange(lock, 0u);
        break;
      }
    }
  })");
  EXPECT_TRUE(kernel.uniformity().synchronizesByAtomics());
  EXPECT_EQ(kernel.text(0), "invocation");
}

TEST(UniformityMemory, ASpinOnVolatileMemory) {
  Kernel kernel(kHead + R"(
  layout(set = 0, binding = 3) volatile buffer V { uint ready[]; };
  void main() {
    while (ready[GX] == 0u) {}
    probe[0] = written[0];
    written[GX + 1] = 1u;
  })");
  EXPECT_TRUE(kernel.uniformity().synchronizesByAtomics());
  EXPECT_EQ(kernel.text(0), "invocation");
}

TEST(UniformityMemory, ALockThroughMemoryOfItsOwn) {
  // The atomic's result goes through a slot that only this invocation reads.
  for (const char *slot : {"tile[LID]", "written[GX]", "own[LID & 3u]"}) {
    Kernel kernel(kHead + "void main() { uint own[4]; own[LID & 3u] = 0u; " + slot +
                  R"( = atomicAdd(written[7], 1u);
    memoryBarrier();
    uint w = written[3];
    for (uint i = 0; i < )" +
                  slot + R"(; ++i) w += written[2];
    probe[0] = written[0];
    probe[1] = w;
  })");
    EXPECT_TRUE(kernel.uniformity().synchronizesByAtomics()) << slot;
  }
}

TEST(UniformityMemory, TheLastGroupDoneTellsItsInvocationsBehindABarrier) {
  Kernel kernel(kHead + R"(
  layout(set = 0, binding = 3) buffer C { uint done; };
  void main() {
    written[WG] = LID;
    memoryBarrierBuffer();
    if (LID == 0) flag = atomicAdd(done, 1u);
    barrier();
    probe[0] = flag;
    if (flag == gl_NumWorkGroups.x - 1u) { barrier(); probe[1] = written[p.n]; }
  })");
  EXPECT_FALSE(kernel.uniformity().synchronizesByAtomics());
  EXPECT_EQ(kernel.text(0), "workgroup");
  EXPECT_EQ(kernel.controlText(1), "workgroup");
  EXPECT_EQ(kernel.text(1), "workgroup");
}

TEST(UniformityMemory, AtomicsWithoutFencesOrderNothing) {
  Kernel kernel(kHead + R"(
  layout(set = 0, binding = 3) buffer C { uint counter; };
  void main() {
    uint ticket = atomicAdd(counter, 1u);
    if (ticket < 5u) probe[0] = ticket;
    tile[LID] = 1u;
    barrier();
    probe[1] = tile[0];
  })");
  EXPECT_FALSE(kernel.uniformity().synchronizesByAtomics());
  EXPECT_EQ(kernel.text(0), "invocation");
  EXPECT_EQ(kernel.controlText(0), "invocation");
  EXPECT_EQ(kernel.text(1), "workgroup");
}

// --- memory of the invocation's own ---

TEST(UniformityMemory, LocalArraysByTheirStores) {
  Kernel kernel(kHead + R"(void main() {
    uint a[8], b[8], c[8], d[8];
    const uint table[4] = uint[](3u, 1u, 4u, 1u);
    for (int k = 0; k < 8; ++k) { a[k] = p.n; b[k] = p.n; c[k] = p.n; d[k] = p.n; }
    a[p.m & 7u] = LID;                         // a value that differs
    if (LID < 5) { b[p.m & 7u] = 3u; }         // not by all
    c[LID & 7u] = p.m;                         // not at one place
    d[p.m & 7u] = WG;
    probe[0] = a[p.n & 7u];
    probe[1] = b[p.n & 7u];
    probe[2] = c[p.n & 7u];
    probe[3] = d[p.n & 7u];
    probe[4] = d[LID & 7u];
    probe[5] = table[p.n & 3u];
    probe[6] = table[LID & 3u];
  })");
  EXPECT_EQ(kernel.text(0), "invocation");
  EXPECT_EQ(kernel.text(1), "invocation");
  EXPECT_EQ(kernel.text(2), "invocation");
  EXPECT_EQ(kernel.text(3), "workgroup, pack y z");
  EXPECT_EQ(kernel.text(4), "invocation");
  EXPECT_EQ(kernel.text(5), "dispatch");
  EXPECT_EQ(kernel.text(6), "invocation");
}

TEST(UniformityMemory, LocalArraysInLoops) {
  Kernel kernel(kHead + R"(void main() {
    uint a[8], b[8], c[8];
    for (int k = 0; k < 8; ++k) { a[k] = 0u; b[k] = 0u; c[k] = p.n; }
    for (uint i = 0u; i < LID; ++i) a[i & 7u] = i;       // as many times as differ
    for (uint i = 0u; i < p.n; ++i) b[i & 7u] = i + b[(i + 1u) & 7u];
    for (uint i = 0u; i < p.n; ++i) { c[i & 7u] = a[i & 7u]; }
    probe[0] = a[p.m & 7u];
    probe[1] = b[p.m & 7u];
    probe[2] = c[p.m & 7u];
  })");
  EXPECT_EQ(kernel.text(0), "invocation");
  EXPECT_EQ(kernel.text(1), "dispatch");
  EXPECT_EQ(kernel.text(2), "invocation");
}

TEST(UniformityMemory, StoresThroughModfAndCopies) {
  Kernel kernel(kHead + R"(
  struct S { uint v[4]; };
  void main() {
    float whole[4]; int power[4];
    for (int k = 0; k < 4; ++k) { whole[k] = 0.0; power[k] = 0; }
    float x = modf(float(LID) * 0.3, whole[p.n & 3u]);
    float y = frexp(float(p.m), power[p.n & 3u]);
    probe[0] = uint(whole[p.m & 3u] + x);
    probe[1] = uint(power[p.m & 3u]);
  })");
  EXPECT_EQ(kernel.text(0), "invocation");
  EXPECT_EQ(kernel.text(1), "dispatch");
}

// --- what differs by itself ---

TEST(UniformityMemory, AtomicsTellEachInvocationSomethingElse) {
  Kernel kernel(kHead + R"(void main() {
    uint ticket = atomicAdd(written[0], 1u);
    uint shared_ticket = atomicMax(flag, 5u);
    probe[0] = ticket;
    probe[1] = shared_ticket;
    barrier();
    if (LID == 0) tile[0] = ticket;
    barrier();
    probe[2] = tile[0];
  })");
  EXPECT_EQ(kernel.text(0), "invocation");
  EXPECT_EQ(kernel.text(1), "invocation");
  EXPECT_EQ(kernel.text(2), "workgroup") << "broadcast through workgroup memory";
}

TEST(UniformityMemory, SubgroupOperations) {
  Kernel kernel("#extension GL_KHR_shader_subgroup_arithmetic : require\n"
                "#extension GL_KHR_shader_subgroup_ballot : require\n"
                "#extension GL_KHR_shader_subgroup_shuffle : require\n"
                "#extension GL_KHR_shader_subgroup_vote : require\n" +
                kHead + R"(void main() {
    probe[0] = subgroupInclusiveAdd(LID);
    probe[1] = subgroupShuffle(LID, LID ^ 1u);
    probe[2] = subgroupElect() ? 1u : 0u;
    probe[3] = gl_SubgroupInvocationID;
    probe[4] = gl_SubgroupID;
    probe[5] = gl_SubgroupSize;
    probe[6] = gl_NumSubgroups;
    probe[7] = subgroupAdd(LID);
    probe[8] = subgroupBallot(LID > 3u).x;
    probe[9] = subgroupAny(LID > 3u) ? 1u : 0u;
    probe[10] = subgroupBroadcastFirst(LID);
    probe[11] = subgroupAdd(p.n);
    probe[12] = subgroupBroadcast(LID, 3u);
  })");
  for (unsigned probe : {0u, 1u, 2u, 3u})
    EXPECT_EQ(kernel.text(probe), "invocation") << probe;
  for (unsigned probe : {4u, 5u, 7u, 8u, 9u, 10u, 11u, 12u})
    EXPECT_EQ(kernel.text(probe), "subgroup") << probe;
  EXPECT_EQ(kernel.text(6), "workgroup");
}

TEST(UniformityMemory, UndefinedValuesDiffer) {
  Kernel kernel(kHead + R"(void main() {
    uint x;
    if (p.n < 5u) x = 3u;
    probe[0] = x;
    uint never[4];
    probe[1] = never[p.n & 3u];
    probe[2] = 1u;
  })");
  EXPECT_EQ(kernel.text(0), "invocation");
  EXPECT_EQ(kernel.text(1), "invocation");
  EXPECT_EQ(kernel.text(2), "dispatch");
  EXPECT_THAT(kernel.cause(1, UniformityScope::Workgroup),
              ElementsAre("k.comp:13:11: it comes from 'never', which nothing was written to"));
}

// --- causes ---

TEST(UniformityMemory, CausesAreToldFromTheBranchDown) {
  Kernel kernel(kHead + R"(void main() {
    uint v = written[GX];
    uint k = 0u;
    if (v * 3u + 1u < 7u)
      k = 5u;
    if (k * 2u > 3u) {
      barrier();
    }
    for (uint i = 0u; i < LID; ++i)
      barrier();
    if (WG < 3u)
      barrier();
  })");
  auto barriers = kernel.barriers();
  ASSERT_EQ(barriers.size(), 3u);
  EXPECT_THAT(kernel.causeOfControl(*barriers[0], UniformityScope::Workgroup),
              ElementsAre("k.comp:18: control flow depends on this branch",
                          "k.comp:18: its condition is computed here",
                          "k.comp:18: it joins ways that a divergent branch parted",
                          "k.comp:16: this branch parts them",
                          "k.comp:16: its condition is computed here",
                          "k.comp:14: it is read from 'W' at an address that differs",
                          "k.comp:14: it comes from GlobalInvocationId"));
  EXPECT_THAT(kernel.causeOfControl(*barriers[1], UniformityScope::Workgroup),
              ElementsAre("k.comp:21: control flow depends on this branch",
                          "k.comp:21: its condition is computed here",
                          "k.comp:21: it comes from LocalInvocationId"));
  EXPECT_THAT(kernel.causeOfControl(*barriers[2], UniformityScope::Workgroup), ElementsAre());
  EXPECT_THAT(kernel.causeOfControl(*barriers[2], UniformityScope::Dispatch),
              ElementsAre("k.comp:23: control flow depends on this branch",
                          "k.comp:23: its condition is computed here",
                          "k.comp:23: it comes from WorkgroupId"));
  EXPECT_THAT(kernel.causeOfPackControl(*barriers[2], 1), ElementsAre());
}

TEST(UniformityMemory, CausesThroughMemoryAndLoops) {
  Kernel kernel(kHead + R"(void main() {
    uint a[4];
    for (int k = 0; k < 4; ++k) a[k] = p.n;
    if (LID < 3u)
      a[p.m & 3u] = 1u;
    probe[0] = a[p.n & 3u];
    uint i = 0u;
    while (constant[i + GX] != 0u) ++i;
    probe[1] = i;
    probe[2] = atomicAdd(written[0], 1u);
  })");
  EXPECT_THAT(kernel.cause(0, UniformityScope::Workgroup),
              ElementsAre("k.comp:13:11: it comes from the variable 'a'",
                          "k.comp:17: some invocations store here, and others do not",
                          "k.comp:16: this branch parts them",
                          "k.comp:16: its condition is computed here",
                          "k.comp:16: it comes from LocalInvocationId"));
  EXPECT_THAT(kernel.cause(2, UniformityScope::Workgroup),
              ElementsAre("k.comp:22: it comes from an atomic operation"));
}

// --- control flow that no structure holds ---

const std::string kAssemblyHead = R"(
               OpCapability Shader
               OpCapability VariablePointersStorageBuffer
               OpExtension "SPV_KHR_storage_buffer_storage_class"
               OpExtension "SPV_KHR_variable_pointers"
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %lid
               OpExecutionMode %main LocalSize 64 1 1
               OpDecorate %lid BuiltIn LocalInvocationId
               OpDecorate %array ArrayStride 4
               OpDecorate %block Block
               OpMemberDecorate %block 0 Offset 0
               OpDecorate %fixed ArrayStride 4
               OpDecorate %host Block
               OpMemberDecorate %host 0 Offset 0
               OpDecorate %probe DescriptorSet 0
               OpDecorate %probe Binding 0
               OpDecorate %other DescriptorSet 0
               OpDecorate %other Binding 1
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %uint = OpTypeInt 32 0
       %bool = OpTypeBool
         %v3 = OpTypeVector %uint 3
         %c0 = OpConstant %uint 0
         %c1 = OpConstant %uint 1
         %c2 = OpConstant %uint 2
         %c4 = OpConstant %uint 4
      %undef = OpUndef %uint
       %part = OpConstantComposite %v3 %c1 %undef %c1
        %pv3 = OpTypePointer Input %v3
        %lid = OpVariable %pv3 Input
      %array = OpTypeRuntimeArray %uint
      %block = OpTypeStruct %array
      %fixed = OpTypeArray %uint %c4
       %host = OpTypeStruct %fixed
     %pblock = OpTypePointer StorageBuffer %block
      %puint = OpTypePointer StorageBuffer %uint
      %phost = OpTypePointer PushConstant %host
       %pcui = OpTypePointer PushConstant %uint
        %pfa = OpTypePointer Function %uint
       %pfar = OpTypePointer Function %fixed
      %probe = OpVariable %pblock StorageBuffer
      %other = OpVariable %pblock StorageBuffer
       %push = OpVariable %phost PushConstant
       %main = OpFunction %void None %fn
      %entry = OpLabel
          %a = OpVariable %pfar Function
          %b = OpVariable %pfar Function
          %l = OpLoad %v3 %lid
          %x = OpCompositeExtract %uint %l 0
         %p0 = OpAccessChain %puint %probe %c0 %c0
         %p1 = OpAccessChain %puint %probe %c0 %c1
         %p2 = OpAccessChain %puint %probe %c0 %c2
)";

TEST(UniformityMemory, CopiesAreStores) {
  Kernel kernel(kAssemblyHead + R"(
         %a1 = OpAccessChain %pfa %a %c1
         %b1 = OpAccessChain %pfa %b %c1
         %h1 = OpAccessChain %pcui %push %c0 %c2
         %hl = OpAccessChain %pcui %push %c0 %x
               OpCopyMemory %a1 %h1
               OpCopyMemory %b1 %hl
         %va = OpLoad %uint %a1
         %vb = OpLoad %uint %b1
               OpStore %p0 %va
               OpStore %p1 %vb
               OpReturn
               OpFunctionEnd
  )",
                true);
  EXPECT_EQ(kernel.text(0), "dispatch");
  EXPECT_EQ(kernel.text(1), "invocation");
}

TEST(UniformityMemory, APointerThatIsChosenIsNotFollowed) {
  Kernel kernel(kAssemblyHead + R"(
         %h1 = OpAccessChain %pcui %push %c0 %c2
          %n = OpLoad %uint %h1
          %c = OpULessThan %bool %n %c4
         %o1 = OpAccessChain %puint %other %c0 %c1
         %o2 = OpAccessChain %puint %other %c0 %c2
          %s = OpSelect %puint %c %o1 %o2
          %v = OpLoad %uint %s
               OpStore %p0 %v
               OpStore %p1 %n
               OpReturn
               OpFunctionEnd
  )",
                true);
  EXPECT_EQ(kernel.text(0), "invocation");
  EXPECT_EQ(kernel.text(1), "dispatch");
}

TEST(UniformityMemory, PartsOfConstantsMayBeUndefined) {
  Kernel kernel(kAssemblyHead + R"(
         %e0 = OpCompositeExtract %uint %part 0
         %e1 = OpCompositeExtract %uint %part 1
         %s1 = OpIAdd %uint %undef %c1
         %s2 = OpIAdd %uint %c4 %c1
               OpStore %p0 %e1
               OpStore %p1 %s1
               OpStore %p2 %s2
               OpReturn
               OpFunctionEnd
  )",
                true);
  EXPECT_EQ(kernel.text(0), "invocation");
  EXPECT_EQ(kernel.text(1), "invocation");
  EXPECT_EQ(kernel.text(2), "dispatch");
}

/// Two ways into a cycle: not valid for a shader, but nothing may be claimed of it that is wrong.
TEST(UniformityMemory, ACycleWithTwoEntries) {
  Kernel kernel(R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %lid
               OpExecutionMode %main LocalSize 64 1 1
               OpDecorate %lid BuiltIn LocalInvocationId
               OpDecorate %array ArrayStride 4
               OpDecorate %block BufferBlock
               OpMemberDecorate %block 0 Offset 0
               OpDecorate %probe DescriptorSet 0
               OpDecorate %probe Binding 0
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %uint = OpTypeInt 32 0
       %bool = OpTypeBool
         %v3 = OpTypeVector %uint 3
        %pv3 = OpTypePointer Input %v3
        %lid = OpVariable %pv3 Input
      %array = OpTypeRuntimeArray %uint
      %block = OpTypeStruct %array
     %pblock = OpTypePointer Uniform %block
      %puint = OpTypePointer Uniform %uint
      %probe = OpVariable %pblock Uniform
         %c0 = OpConstant %uint 0
         %c1 = OpConstant %uint 1
         %c9 = OpConstant %uint 9
       %main = OpFunction %void None %fn
      %entry = OpLabel
          %l = OpLoad %v3 %lid
          %x = OpCompositeExtract %uint %l 0
          %c = OpULessThan %bool %x %c9
               OpBranchConditional %c %left %right
       %left = OpLabel
          %i = OpPhi %uint %c0 %entry %j2 %right
         %i2 = OpIAdd %uint %i %c1
         %p0 = OpAccessChain %puint %probe %c0 %c0
               OpStore %p0 %i2
               OpBranch %right
      %right = OpLabel
          %j = OpPhi %uint %c1 %entry %i2 %left
         %j2 = OpIAdd %uint %j %c1
         %p1 = OpAccessChain %puint %probe %c0 %c1
               OpStore %p1 %j2
          %d = OpULessThan %bool %j2 %c9
               OpBranchConditional %d %left %done
       %done = OpLabel
               OpReturn
               OpFunctionEnd
  )",
                true);
  EXPECT_EQ(kernel.text(0), "invocation");
  EXPECT_EQ(kernel.text(1), "invocation");
}

} // namespace
