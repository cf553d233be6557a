//===- unit/Analysis/WaitingTests.cpp - Loops that wait, and those that do not ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/BarrierIntervals.h"
#include "Analysis/Barriers.h"

#include "KernelSupport.h"

#include "gmock/gmock.h"

using namespace tailor;

namespace {

/// `14 by 13`: line of the branch, line of the read; `none`.
std::string waitingOf(const std::string &glsl) {
  const AnalysedKernel kernel = analyse(glsl);
  std::optional<WaitingLoop> found = gatherBarriers(*kernel).waiting;
  return found ? std::to_string(kernel.lineOf(*found->branch)) + " by " +
                     std::to_string(kernel.lineOf(*found->read))
               : "none";
}

const std::string kHead = R"(layout(local_size_x = 64) in;
layout(push_constant) uniform P { uint n; uint m; } p;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(set = 0, binding = 2) volatile buffer V { uint v[]; };
layout(set = 0, binding = 3) coherent buffer C { uint c[]; };
layout(set = 0, binding = 4, r32ui) uniform volatile uimage2D image;
shared uint s[64];
shared uint flag;
#define LX gl_LocalInvocationID.x
#define GX gl_GlobalInvocationID.x
void main() {
)"; // line 14 is the first of the body

std::string of(const std::string &body) { return waitingOf(kHead + body + "\n}"); }

// --- those that wait ---

TEST(Waiting, ASpinLock) {
  EXPECT_EQ(of(R"(while (atomicCompSwap(a[0], 0u, 1u) != 0u) {}
    a[1] += GX;
    atomicExchange(a[0], 0u);)"),
            "14 by 14");
}

TEST(Waiting, ASpinLockWithItsWorkInside) {
  EXPECT_EQ(of(R"(bool done = false;
    while (!done) {
      if (atomicExchange(a[0], 1u) == 0u) {
        a[1] += GX;
        done = true;
        atomicExchange(a[0], 0u);
      }
    })"),
            "15 by 16");
}

TEST(Waiting, ALookBackScan) {
  EXPECT_EQ(of(R"(uint sum = 0u, group = gl_WorkGroupID.x;
    atomicAdd(a[group], 1u);
    for (int before = int(group) - 1; before >= 0; --before) {
      uint state = 0u;
      do {
        state = atomicAdd(a[before], 0u);
      } while (state == 0u);
      sum += state;
    }
    a[p.m + GX] = sum;)"),
            "20 by 19");
}

TEST(Waiting, ALookBackThatGoesThroughWorkgroupMemory) {
  EXPECT_EQ(of(R"(for (;;) {
      if (LX == 0u)
        flag = atomicAdd(a[gl_WorkGroupID.x], 0u);
      barrier();
      uint seen = flag;
      barrier();
      if (seen != 0u)
        break;
    }
    a[p.m + GX] = 1u;)"),
            "20 by 16");
}

TEST(Waiting, AVolatilePoll) {
  EXPECT_EQ(of("while (v[0] == 0u) {}\n a[GX] = 1u;"), "14 by 14");
  EXPECT_EQ(of("uint seen;\n do { seen = v[0]; } while (seen != p.n);\n a[GX] = 1u;"), "15 by 15");
}

TEST(Waiting, ACoherentPoll) {
  EXPECT_EQ(of("while (c[0] == 0u) memoryBarrierBuffer();\n a[GX] = 1u;"), "14 by 14");
}

TEST(Waiting, AnImagePoll) {
  EXPECT_EQ(of("while (imageLoad(image, ivec2(0)).x == 0u) {}\n a[GX] = 1u;"), "14 by 14");
}

TEST(Waiting, APlainPollUnderFences) {
  EXPECT_EQ(of(R"(a[1u + GX] = 1u;
    while (a[0] == 0u)
      memoryBarrierBuffer();)"),
            "15 by 15");
}

TEST(Waiting, APolledWorkgroupFlag) {
  EXPECT_EQ(of(R"(if (LX == 0u) flag = 1u;
    while (flag == 0u) {}
    a[GX] = s[LX];)"),
            "15 by 15");
}

TEST(Waiting, AWorkgroupFlagUnderFences) {
  EXPECT_EQ(of(R"(flag = 0u;
    barrier();
    if (LX == 63u) { s[0] = b[GX]; memoryBarrierShared(); atomicExchange(flag, 1u); }
    while (atomicAdd(flag, 0u) == 0u) memoryBarrierShared();
    a[GX] = s[0];)"),
            "17 by 17");
}

TEST(Waiting, ALoopThatEndsByAnEarlyReturn) {
  EXPECT_EQ(of("for (;;) {\n if (atomicOr(a[0], 0u) != 0u)\n return;\n a[1u + GX] += 1u; }"),
            "15 by 15");
}

TEST(Waiting, WhatIsStoredUnderTheFlagDecides) {
  EXPECT_EQ(of(R"(uint mine[4];
    mine[GX & 3u] = 0u;
    while (mine[GX & 3u] == 0u) {
      if (v[0] != 0u)
        mine[GX & 3u] = 1u;
    }
    a[GX] = 1u;)"),
            "16 by 17");
}

TEST(Waiting, ABarrierOnOnePathOnly) {
  EXPECT_EQ(of(R"(if (LX == 0u) flag = b[0];
    uint i = 0u;
    while (flag == 0u) {
      if (p.n > 3u)
        barrier();
      if (LX == 0u) flag = b[++i];
    }
    a[GX] = 1u;)"),
            "16 by 16");
}

TEST(Waiting, ASubgroupBarrierKeepsNothingApart) {
  EXPECT_EQ(waitingOf("#extension GL_KHR_shader_subgroup_basic : require\n" + kHead +
                      "if (LX == 0u) flag = b[0];\nwhile (flag == 0u) subgroupBarrier();\n}"),
            "16 by 16");
}

TEST(Waiting, ForACopyOfWhatAnotherNameWrites) {
  for (const char *marks : {"Volatile", "None", "Aligned 4"})
    for (const char *decoration : {"OpDecorate %b2 Coherent", "OpDecorate %b2 Volatile", ""}) {
      const AnalysedKernel kernel = analyse(std::string(R"(
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
OpDecorate %b2 DescriptorSet 0
OpDecorate %b2 Binding 0
)") + decoration + R"(
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
%b2 = OpVariable %pB StorageBuffer
%pu = OpTypePointer StorageBuffer %uint
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%pf = OpTypePointer Function %uint
%main = OpFunction %void None %fn
%e = OpLabel
%pl = OpVariable %pf Function
%g3 = OpLoad %v3 %gid
%x = OpCompositeExtract %uint %g3 0
%z = OpIEqual %bool %x %c0
%flag = OpAccessChain %pu %b %c0 %c0
%flag2 = OpAccessChain %pu %b2 %c0 %c0
OpSelectionMerge %m None
OpBranchConditional %z %rel %h
%rel = OpLabel
OpAtomicStore %flag %c1 %c0 %c1
OpBranch %m
%h = OpLabel
OpCopyMemory %pl %flag2 )" + marks + R"(
%v = OpLoad %uint %pl
%t = OpIEqual %bool %v %c0
OpLoopMerge %mm %h None
OpBranchConditional %t %h %mm
%mm = OpLabel
OpBranch %m
%m = OpLabel
OpReturn
OpFunctionEnd
)",
                                            {}, InputKind::SpirvText);
      ASSERT_TRUE(kernel);
      EXPECT_TRUE(gatherBarriers(*kernel).waiting) << marks << " " << decoration;
    }
}

// --- those that do not ---

TEST(NotWaiting, AFlagBroadcastWithABarrierInEveryIteration) {
  EXPECT_EQ(of(R"(for (uint round = 0u;; ++round) {
      if (LX == 0u)
        flag = b[round];
      barrier();
      bool last = flag == 0u;
      barrier();
      if (last)
        break;
      a[GX] += flag;
    })"),
            "none");
}

TEST(NotWaiting, ACountThatWasFinishedBeforeABarrier) {
  EXPECT_EQ(of(R"(if (LX == 0u) flag = 0u;
    barrier();
    if (b[GX] > p.n) s[atomicAdd(flag, 1u)] = GX;
    barrier();
    uint sum = 0u;
    for (uint i = 0u; i < flag; ++i) sum += s[i];
    a[GX] = sum;)"),
            "none");
}

TEST(NotWaiting, AnAtomicInALoopThatCountsOnItsOwn) {
  EXPECT_EQ(of(R"(for (uint i = 0u; i < p.n; ++i) {
      uint at = atomicAdd(a[0], 1u);
      if (at < p.m)
        a[1u + at] = b[i];
    })"),
            "none");
}

TEST(NotWaiting, AContinueByAnAtomic) {
  EXPECT_EQ(of(R"(for (uint i = 0u; i < p.n; ++i) {
      if (atomicAdd(a[0], 1u) > p.m)
        continue;
      c[1u + i] = b[i];
    })"),
            "none");
}

TEST(NotWaiting, ALoopThatRunsAsOftenAsAnAtomicSaidBefore) {
  EXPECT_EQ(of(R"(uint count = atomicAdd(a[0], 1u) & 15u;
    for (uint i = 0u; i < count; ++i)
      c[1u + GX * 16u + i] = b[i];)"),
            "none");
}

TEST(NotWaiting, AnInnerLoopThatReadsNothingItself) {
  EXPECT_EQ(of(R"(for (uint i = 0u; i < p.n; ++i) {
      uint count = v[i] & 15u;
      for (uint j = 0u; j < count; ++j)
        a[GX * 16u + j] += b[j];
    })"),
            "none");
}

TEST(NotWaiting, ABinarySearchInWorkgroupMemory) {
  EXPECT_EQ(of(R"(s[LX] = b[LX];
    barrier();
    uint low = 0u, high = 64u;
    while (low < high) {
      uint middle = (low + high) / 2u;
      if (s[middle] < b[GX]) low = middle + 1u; else high = middle;
    }
    a[GX] = low;)"),
            "none");
}

TEST(NotWaiting, AStackOfTheInvocationsOwn) {
  EXPECT_EQ(waitingOf(R"(
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
shared uint stack[64][32];
#define LX gl_LocalInvocationID.x
void main() {
  uint top = 0u, sum = 0u;
  stack[LX][top++] = 1u;
  while (top != 0u) {
    uint node = stack[LX][--top];
    sum += node;
    if (b[node] != 0u)
      stack[LX][top++] = b[node];
  }
  a[gl_GlobalInvocationID.x] = sum;
})"),
            "none");
}

TEST(NotWaiting, ALoopWithoutMemoryOfOthers) {
  EXPECT_EQ(of("uint x = b[GX];\nwhile (x > 1u) x = (x & 1u) == 0u ? x / 2u : 3u * x + 1u;\n"
               "a[GX] = x;"),
            "none");
}

// --- what control barriers keep apart ---

TEST(BarrierIntervals, OfAFlagBroadcast) {
  const AnalysedKernel kernel = analyse(kHead + R"(for (uint round = 0u; round < p.n; ++round) {
      if (LX == 0u)
        flag = b[round];
      barrier();
      a[GX] = flag;
      barrier();
    }
    s[0] = 1u;
})");
  BarrierIntervals intervals(kernel->form(), kernel->flow(), kernel->constants());
  std::map<unsigned, const Instruction *> storeAt;
  const Instruction *load = nullptr;
  for (const Block &block : kernel->form().function().blocks())
    for (const Instruction &inst : block.instructions()) {
      if (inst.opcode() == spv::Op::OpStore)
        storeAt[kernel.lineOf(inst)] = &inst;
      if (inst.opcode() == spv::Op::OpLoad && kernel.lineOf(inst) == 18)
        if (auto path = tracePointer(kernel->module(), inst.id(0));
            path && path->space == MemorySpace::Workgroup)
          load = &inst;
    }
  ASSERT_TRUE(load && storeAt[16] && storeAt[18] && storeAt[21]);
  EXPECT_EQ(intervals.numBarriers(), 2u);
  EXPECT_FALSE(intervals.canMeet(*load, *storeAt[16]));
  EXPECT_TRUE(intervals.canMeet(*load, *storeAt[18]));
  EXPECT_TRUE(intervals.canMeet(*storeAt[16], *storeAt[21])); // both behind the second barrier
  EXPECT_FALSE(intervals.repeatsWithoutBarrier(*load));
  EXPECT_FALSE(intervals.repeatsWithoutBarrier(*storeAt[21]));
}

//===----------------------------------------------------------------------===//
// Retry loops
//===----------------------------------------------------------------------===//

TEST(RetryLoops, LocksAndTheirLikeWait) {
  // A value of the invocation's own choice; one read elsewhere; a place that moves; success that
  // does not leave the loop; a test of the old value besides.
  for (const char *body :
       {"while (atomicCompSwap(a[0], 0, 1) != 0) {}",
        "uint o; do { o = atomicAdd(a[1], 0); } while (atomicCompSwap(a[0], o, o + 1) != o);",
        "uint o = 0, i = GX; for (;;) { uint r = atomicCompSwap(a[i], o, 7); if (r == o) break; "
        "o = r; i = i + 1; }",
        "uint o; do { o = atomicAdd(a[0], 0); } while (atomicCompSwap(a[0], o, o + 1) == o);",
        "uint o; do { o = atomicAdd(a[0], 0); } "
        "while (o != 0 || atomicCompSwap(a[0], o, 1) != o);",
        "uint o = b[3]; while (atomicCompSwap(a[0], o, o + 1) != o) {}",
        // Rounds that make their own swap fail, until another invocation keeps them from it.
        "uint o; do { o = atomicOr(a[0], 0); if ((o & 2) == 0) atomicXor(a[0], 1); } "
        "while (atomicCompSwap(a[0], o, o) != o);",
        "uint o = 0; for (;;) { uint r = atomicCompSwap(a[0], o, o); if (r == o) break; o = r; "
        "if ((o & 2) == 0) atomicXor(a[0], 1); }",
        "uint o; do { o = atomicXor(a[0], 1); } while (atomicCompSwap(a[0], o, o) != o);",
        "uint o; do { o = atomicOr(a[0], 0); c[0] = o; } while (atomicCompSwap(a[0], o, o) != o);"})
    EXPECT_NE(waitingOf(kHead + body + "}"), "none") << body;
}

TEST(RetryLoops, RoundsThatFailBecauseOthersSucceeded) {
  for (const char *body :
       {"uint o; do { o = atomicCompSwap(a[GX / 2], 0, 0); } "
        "while (atomicCompSwap(a[GX / 2], o, o + 1) != o);",
        "uint o; do { o = atomicOr(a[3], 0); } while (!(atomicCompSwap(a[3], o, o * 3) == o));",
        "uint o = b[GX]; for (;;) { uint r = atomicCompSwap(a[GX], o, o + 5); if (r == o) break; "
        "o = r; }",
        "for (;;) { uint o = atomicAdd(a[GX & 7], 0); uint r = atomicCompSwap(a[GX & 7], o, o ^ "
        "1); "
        "if (r == o) break; if (p.n == 3) break; }"})
    EXPECT_EQ(waitingOf(kHead + body + "}"), "none") << body;
}

} // namespace
