//===- unit/Analysis/BarrierTests.cpp - Barriers, atomics, contention ------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/Barriers.h"

#include "KernelSupport.h"

#include "gmock/gmock.h"

using namespace tailor;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// `29 d1 (expression) dispatch` for each barrier: line, loop depth, trips, scope of control.
std::vector<std::string> barriersOf(const AnalysedKernel &kernel) {
  std::vector<std::string> result;
  for (const BarrierFact &fact : gatherBarriers(*kernel).barriers)
    result.push_back(std::to_string(kernel.lineOf(*fact.inst)) + " d" +
                     std::to_string(fact.loops.depth) + " " + fact.loops.trips.str() + " " +
                     std::string(nameOf(fact.control)) + (fact.isDivergent ? " divergent" : ""));
  return result;
}

std::string textOf(const AtomicFact &fact) {
  std::string text = fact.operation + " " + fact.space + " " + fact.name + ": " +
                     std::string(nameOf(fact.contention));
  if (fact.contention == Contention::OneAddress)
    text += " " + std::string(nameOf(fact.contentionScope));
  if (fact.contention == Contention::PerLane)
    text += fact.distinctInWorkgroup ? " workgroup" : " row";
  return text + ", " + fact.executors.str() + (fact.resultUsed ? ", used" : "");
}

std::vector<std::string> atomicsOf(const AnalysedKernel &kernel) {
  std::vector<std::string> result;
  for (const AtomicFact &fact : gatherBarriers(*kernel).atomics)
    result.push_back(textOf(fact));
  return result;
}

/// The only atomic of a kernel.
std::string atomicOf(const std::string &glsl) {
  std::vector<std::string> all = atomicsOf(analyse(glsl));
  return all.size() == 1 ? all.front() : std::to_string(all.size()) + " atomics";
}

const std::string kHead = R"(
layout(local_size_x = 64) in;
layout(push_constant) uniform P { uint n; uint m; } p;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
shared uint s[64];
#define LX gl_LocalInvocationID.x
#define GX gl_GlobalInvocationID.x
)";
const std::string kHead2 = R"(
layout(local_size_x = 16, local_size_y = 16) in;
layout(push_constant) uniform P { uint n; uint m; } p;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1, r32ui) uniform uimage2D image;
shared uint s[256];
#define L gl_LocalInvocationID
#define G gl_GlobalInvocationID
)";

// --- the kernel suite, by hand ---

TEST(Barriers, InFrontOfATestInTheMiddle) {
  // Ten rounds up to the break, nine behind it.
  EXPECT_THAT(barriersOf(analyse(kHead + R"(void main() {
  uint t = 0u, i = 0u;
  for (;;) {
    s[LX] = i;
    barrier();
    t += s[63u - LX];
    if (i == 9u) break;
    barrier();
    ++i;
  }
  a[GX] = t; })")),
              ElementsAre("14 d1 10 dispatch", "17 d1 9 dispatch"));
  EXPECT_THAT(barriersOf(analyse(kHead + R"(void main() {
  uint i = 0u;
  do {
    barrier();
    ++i;
  } while (i < 10u);
  a[GX] = i; })")),
              ElementsAre("13 d1 10 dispatch"));
}

TEST(Barriers, OfTheTiledMatrixProduct) {
  EXPECT_THAT(barriersOf(analyseBench("matmul_tiled.comp")),
              ElementsAre("29 d1 ((params.k + 15) / 16) dispatch",
                          "32 d1 ((params.k + 15) / 16) dispatch"));
}

TEST(Barriers, OfTheReduction) {
  AnalysedKernel kernel = analyseBench("reduction.comp");
  EXPECT_THAT(barriersOf(kernel), ElementsAre("18 d0 1 dispatch", "22 d1 8 dispatch"));
  BarrierFacts facts = gatherBarriers(*kernel);
  EXPECT_EQ(facts.barriers[0].execution, "Workgroup");
  EXPECT_EQ(facts.barriers[0].memory, "Workgroup");
  EXPECT_EQ(facts.barriers[0].semantics, "AcquireRelease|WorkgroupMemory");
  EXPECT_THAT(facts.barriers[0].packUniform, ElementsAre(true, true, true));
  EXPECT_THAT(facts.barriers[0].cause, IsEmpty());
  EXPECT_THAT(facts.memoryBarriers, IsEmpty());
  EXPECT_THAT(facts.atomics, IsEmpty());
  EXPECT_FALSE(facts.waiting);
}

TEST(Barriers, OfTheSharedHistogram) {
  AnalysedKernel kernel = analyseBench("histogram_shared.comp");
  EXPECT_THAT(barriersOf(kernel), ElementsAre("13 d0 1 dispatch", "20 d0 1 dispatch"));
  EXPECT_THAT(atomicsOf(kernel),
              ElementsAre("add workgroup bins: data-dependent, all invocations",
                          "add buffer Counts: per-lane workgroup, all invocations"));
  BarrierFacts facts = gatherBarriers(*kernel);
  EXPECT_EQ(facts.atomics[0].loops.trips.str(), "4");
  EXPECT_EQ(facts.atomics[1].loops.trips.str(), "1");
  EXPECT_EQ(facts.atomics[0].scope, "Device"); // what glslang writes, also for workgroup memory
  EXPECT_EQ(facts.atomics[0].semantics, "None");
  EXPECT_FALSE(facts.waiting);
}

TEST(Barriers, NoneInKernelsWithoutThem) {
  for (const char *name : {"layernorm.comp", "nbody.comp", "saxpy.comp"}) {
    AnalysedKernel kernel = analyseBench(name);
    BarrierFacts facts = gatherBarriers(*kernel);
    EXPECT_THAT(facts.barriers, IsEmpty()) << name;
    EXPECT_THAT(facts.atomics, IsEmpty()) << name;
    EXPECT_FALSE(facts.waiting) << name;
    EXPECT_THAT(facts.lastGroupCounters, IsEmpty()) << name;
  }
}

// --- control flow to barriers ---

TEST(Barriers, ADivergentOneNamesItsCause) {
  const AnalysedKernel kernel = analyse(kHead + R"(void main() {
  s[LX] = b[GX];
  if (LX < 32u)
    barrier();
  a[GX] = s[63u - LX];
})");
  BarrierFacts facts = gatherBarriers(*kernel);
  ASSERT_EQ(facts.barriers.size(), 1u);
  const BarrierFact &fact = facts.barriers.front();
  EXPECT_TRUE(fact.isDivergent);
  EXPECT_EQ(fact.control, UniformityScope::Invocation);
  ASSERT_GE(fact.cause.size(), 2u);
  EXPECT_EQ(kernel.lineOf(*fact.cause.front().inst), 12u);
  EXPECT_THAT(fact.cause.back().text, HasSubstr("LocalInvocationId"));
}

TEST(Barriers, AGroupsOwnConditionStopsPackAlone) {
  const AnalysedKernel kernel = analyse(kHead + R"(void main() {
  s[LX] = b[GX];
  if (gl_WorkGroupID.x < p.n)
    barrier();
  a[GX] = s[63u - LX];
})");
  BarrierFacts facts = gatherBarriers(*kernel);
  ASSERT_EQ(facts.barriers.size(), 1u);
  const BarrierFact &fact = facts.barriers.front();
  EXPECT_FALSE(fact.isDivergent);
  EXPECT_EQ(fact.control, UniformityScope::Workgroup);
  EXPECT_THAT(fact.packUniform, ElementsAre(false, true, true));
  ASSERT_FALSE(fact.packCause[0].empty());
  EXPECT_EQ(kernel.lineOf(*fact.packCause[0].front().inst), 12u);
  EXPECT_THAT(fact.packCause[0].back().text, HasSubstr("WorkgroupId"));
  EXPECT_THAT(fact.packCause[1], IsEmpty());
}

TEST(Barriers, InNestedLoopsMultiplyTheirTrips) {
  const AnalysedKernel kernel = analyse(kHead + R"(void main() {
  for (uint i = 0u; i < p.n; ++i)
    for (uint j = 0u; j < 6u; ++j) {
      s[LX] += b[j];
      barrier();
      s[63u - LX] += b[i];
      barrier();
    }
})");
  EXPECT_THAT(barriersOf(kernel), ElementsAre("14 d2 6*p.n dispatch", "16 d2 6*p.n dispatch"));
}

TEST(Barriers, LanesThatStrideOverAFixedLengthMeet) {
  const std::string body = R"(void main() {
  for (uint i = LX; i < LENGTH; i += 64u) {
    s[LX] = b[i];
    barrier();
    a[i] = s[63u - LX];
    barrier();
  }
})";
  auto of = [&](const std::string &length) {
    std::string text = kHead + body;
    return barriersOf(analyse(text.replace(text.find("LENGTH"), 6, length)));
  };
  EXPECT_THAT(of("512u"), ElementsAre("13 d1 8 dispatch", "15 d1 8 dispatch"));
  // Some lanes go round eight times, the others seven or nine times.
  for (const char *length : {"511u", "513u", "p.n"})
    EXPECT_THAT(of(length),
                ElementsAre(HasSubstr(" invocation divergent"), HasSubstr(" invocation divergent")))
        << length;
}

TEST(Barriers, InALoopThatNobodyKnowsSaySo) {
  const AnalysedKernel kernel = analyse(kHead + R"(void main() {
  for (uint i = p.n; i != 1u; i = (i & 1u) == 0u ? i / 2u : 3u * i + 1u) {
    s[LX] += b[i];
    barrier();
  }
})");
  BarrierFacts facts = gatherBarriers(*kernel);
  ASSERT_EQ(facts.barriers.size(), 1u);
  EXPECT_FALSE(facts.barriers[0].loops.trips.constant());
  EXPECT_THAT(facts.barriers[0].loops.trips.str(), HasSubstr("n("));
}

TEST(Barriers, MemoryBarriersByName) {
  const AnalysedKernel kernel = analyse(kHead + R"(void main() {
  a[GX] = 1u;
  memoryBarrierBuffer();
  groupMemoryBarrier();
})");
  BarrierFacts facts = gatherBarriers(*kernel);
  ASSERT_EQ(facts.memoryBarriers.size(), 2u);
  EXPECT_EQ(facts.memoryBarriers[0].scope, "Device");
  EXPECT_EQ(facts.memoryBarriers[0].semantics, "AcquireRelease|UniformMemory");
  EXPECT_EQ(facts.memoryBarriers[1].scope, "Workgroup");
}

TEST(Barriers, NamesOfScopesAndSemantics) {
  EXPECT_EQ(scopeName(3), "Subgroup");
  EXPECT_EQ(scopeName(9), "Scope#9");
  EXPECT_EQ(scopeName(std::nullopt), "unknown");
  EXPECT_EQ(semanticsName(0x108), "AcquireRelease|WorkgroupMemory");
  EXPECT_EQ(semanticsName(0), "None");
  EXPECT_EQ(semanticsName(0x100000), "bits#1048576");
  EXPECT_EQ(semanticsName(std::nullopt), "unknown");
}

// --- contention ---

TEST(Contention, OneCounterForTheDispatch) {
  EXPECT_EQ(atomicOf(kHead + "void main() { atomicAdd(a[0], 1u); }"),
            "add buffer A: one-address dispatch, all invocations");
  EXPECT_EQ(atomicOf(kHead + "void main() { a[GX + 1u] = atomicMax(a[p.n], GX); }"),
            "max buffer A: one-address dispatch, all invocations, used");
}

TEST(Contention, OneCounterForAWorkgroup) {
  EXPECT_EQ(atomicOf(kHead + "void main() { atomicAdd(a[gl_WorkGroupID.x], 1u); }"),
            "add buffer A: one-address workgroup, all invocations");
  // Each workgroup has its own memory.
  EXPECT_EQ(atomicOf(kHead + "void main() { atomicOr(s[0], 1u); }"),
            "or workgroup s: one-address workgroup, all invocations");
}

TEST(Contention, EachLaneItsOwn) {
  EXPECT_EQ(atomicOf(kHead + "void main() { atomicAdd(a[GX], 1u); }"),
            "add buffer A: per-lane workgroup, all invocations");
  EXPECT_EQ(atomicOf(kHead2 + "void main() { atomicAdd(s[L.y * 16u + L.x], 1u); }"),
            "add workgroup s: per-lane workgroup, all invocations");
  // Rows of a width that is not known: neighbours along x are apart all the same.
  EXPECT_EQ(atomicOf(kHead2 + "void main() { atomicAdd(a[G.y * p.n + G.x], 1u); }"),
            "add buffer A: per-lane row, all invocations");
}

TEST(Contention, SharedByLanesThoughMadeOfIds) {
  EXPECT_EQ(atomicOf(kHead2 + "void main() { atomicAdd(s[L.x + L.y], 1u); }"),
            "add workgroup s: per-lane row, all invocations");
  EXPECT_EQ(atomicOf(kHead + "void main() { atomicAdd(s[LX & 7u], 1u); }"),
            "add workgroup s: by-ids, all invocations");
}

TEST(Contention, ByWhatIsReadFromMemory) {
  EXPECT_EQ(atomicOf(kHead + "void main() { atomicAdd(a[b[GX]], 1u); }"),
            "add buffer A: data-dependent, all invocations");
  EXPECT_EQ(atomicOf(kHead + "void main() { atomicAdd(a[b[GX] & 255u], 1u); }"),
            "add buffer A: data-dependent, all invocations");
}

TEST(Contention, OnImages) {
  EXPECT_EQ(atomicOf(kHead2 + "void main() { imageAtomicAdd(image, ivec2(0, 1), 1u); }"),
            "add image image: one-address dispatch, all invocations");
  EXPECT_EQ(atomicOf(kHead2 + "void main() { imageAtomicMin(image, ivec2(a[G.x], 1), 1u); }"),
            "min image image: data-dependent, all invocations");
}

TEST(Contention, NamesOfOperations) {
  EXPECT_EQ(atomicOf(kHead + "void main() { a[GX + 1u] = atomicCompSwap(a[0], 0u, 1u); }"),
            "cas buffer A: one-address dispatch, all invocations, used");
  EXPECT_EQ(atomicOf(kHead + "void main() { a[GX + 1u] = atomicExchange(a[0], 1u); }"),
            "exchange buffer A: one-address dispatch, all invocations, used");
}

// --- who executes ---

TEST(Executors, OneInvocationOfAWorkgroup) {
  const char *kConditions[] = {
      "LX == 0u", "gl_LocalInvocationIndex == 5u", "!(LX != 0u)",
      "LX < 1u",  "LX == 0u && p.n > 4u",          "p.n > 4u && LX == p.m"};
  for (const char *condition : kConditions)
    EXPECT_EQ(atomicOf(kHead + "void main() { if (" + condition + ") atomicAdd(a[0], 1u); }"),
              "add buffer A: one-address dispatch, one invocation per workgroup")
        << condition;
}

TEST(Executors, AnEarlyReturnOfTheOthers) {
  EXPECT_EQ(atomicOf(kHead + "void main() { if (LX > 0u) return; atomicAdd(a[0], 1u); }"),
            "add buffer A: one-address dispatch, one invocation per workgroup");
}

TEST(Executors, OneInvocationOnTwoAxes) {
  const char *kConditions[] = {"L.x == 0u && L.y == 0u", "gl_LocalInvocationIndex == 0u",
                               "L.xy == uvec2(0u)", "L.x + L.y * 16u == p.n",
                               "all(equal(L.xy, uvec2(3u, 4u)))"};
  for (const char *condition : kConditions)
    EXPECT_EQ(atomicOf(kHead2 + "void main() { if (" + condition + ") atomicAdd(a[0], 1u); }"),
              "add buffer A: one-address dispatch, one invocation per workgroup")
        << condition;
}

TEST(Executors, NotOneWhereTheGuardLeavesSeveral) {
  const char *kConditions[] = {"L.x == 0u",
                               "L.x == L.y",
                               "L.x + L.y == 3u",
                               "L.x == 0u || L.y == 0u",
                               "L.x < 2u && L.y == 0u",
                               "(L.x & 1u) == 0u && L.y == 0u",
                               "L.x == a[G.x] && L.y == 0u"};
  for (const char *condition : kConditions)
    EXPECT_THAT(atomicOf(kHead2 + "void main() { if (" + condition + ") atomicAdd(a[0], 1u); }"),
                HasSubstr("dispatch, all invocations"))
        << condition;
}

TEST(Executors, OneOfTheWholeDispatchAlongAnAxis) {
  EXPECT_EQ(atomicOf(kHead + "void main() { if (GX == 0u) atomicAdd(a[0], 1u); }"),
            "add buffer A: one-address dispatch, one invocation per workgroup, of one workgroup "
            "along x");
}

TEST(Executors, OneOfASubgroup) {
  for (const char *condition : {"subgroupElect()", "gl_SubgroupInvocationID == 0u"})
    EXPECT_EQ(atomicOf("#extension GL_KHR_shader_subgroup_basic : require\n" + kHead +
                       "void main() { if (" + condition + ") atomicAdd(a[0], 1u); }"),
              "add buffer A: one-address dispatch, one invocation per subgroup")
        << condition;
}

// --- "last group done" ---

std::vector<std::string> countersOf(const std::string &body) {
  const AnalysedKernel kernel =
      analyse(kHead + "shared bool isLast;\nvoid main() {\n" + body + "\n}");
  std::vector<std::string> result;
  for (const LastGroupCounter &counter : gatherBarriers(*kernel).lastGroupCounters)
    result.push_back(std::to_string(kernel.lineOf(*counter.comparison)) +
                     (counter.byNumWorkgroups ? " groups " : " host ") +
                     atomicName(counter.atomic->opcode()));
  return result;
}

TEST(LastGroup, ComparedWithTheNumberOfGroups) {
  EXPECT_THAT(countersOf(R"(if (LX == 0u)
    isLast = atomicAdd(a[0], 1u) == gl_NumWorkGroups.x - 1u;
  barrier();
  if (isLast) a[1u + LX] = b[LX];)"),
              ElementsAre("13 groups add"));
}

TEST(LastGroup, TheTicketGoesThroughWorkgroupMemory) {
  EXPECT_THAT(countersOf(R"(if (LX == 0u) s[0] = atomicAdd(a[0], 1u);
  barrier();
  if (s[0] >= gl_NumWorkGroups.x * gl_NumWorkGroups.y - 1u) a[1u + LX] = b[LX];)"),
              ElementsAre("14 groups add"));
}

TEST(LastGroup, ComparedWithAValueOfTheHost) {
  EXPECT_THAT(countersOf("if (atomicAdd(a[0], 1u) == p.n - 1u) a[1] = 0u;"),
              ElementsAre("12 host add"));
}

TEST(LastGroup, AppendingToAListIsNone) {
  EXPECT_THAT(countersOf("uint at = atomicAdd(a[0], 1u); if (at < p.n) a[1u + at] = GX;"),
              IsEmpty());
  EXPECT_THAT(countersOf("if (atomicAdd(a[0], 1u) == 0u) a[1] = GX;"), IsEmpty());
  // A counter of the workgroup's own counts no groups.
  EXPECT_THAT(countersOf("if (atomicAdd(s[0], 1u) == p.n) a[1] = GX;"), IsEmpty());
}

} // namespace
