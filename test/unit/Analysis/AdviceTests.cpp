//===- unit/Analysis/AdviceTests.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/Advice.h"
#include "KernelSupport.h"
#include "Support/Files.h"

#include "gmock/gmock.h"

#include <set>

using namespace tailor;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

namespace {

std::vector<std::string> adviceOf(const AnalysedKernel &kernel, AdviceKind kind,
                                  uint32_t subgroupWidth = 32) {
  std::vector<std::string> texts;
  Findings findings = gatherFindings(*kernel, subgroupWidth);
  for (const Advice &advice : advise(findings))
    if (advice.kind == kind)
      texts.push_back(advice.text);
  return texts;
}

// Two-dimensional, guarded, with x the fast axis of the buffers.
std::string plane(const std::string &size, const std::string &body) {
  return "layout(" + size + ") in;\n" + R"(
    layout(push_constant) uniform Params { uint width; uint height; } params;
    layout(std430, binding = 0) readonly buffer Src { float src[]; };
    layout(std430, binding = 1) writeonly buffer Dst { float dst[]; };
    void main() {
      uvec2 id = gl_GlobalInvocationID.xy;
      if (id.x >= params.width || id.y >= params.height) return;
      )" +
         body + "\n}\n";
}

} // namespace

TEST(Advice, KindsHaveNamesOfTheirOwnAndAPlaceInTheManual) {
  Result<std::string> manual = readFile(TAILOR_SOURCE_DIR "/docs/analysis.md");
  ASSERT_TRUE(manual);
  std::set<std::string_view> names;
  for (unsigned at = 0; at < kNumAdviceKinds; ++at) {
    std::string_view name = nameOf(static_cast<AdviceKind>(at));
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_THAT(*manual, HasSubstr("| `" + std::string(name) + "` |"));
  }
}

// --- strided ---

TEST(Advice, ASizeThatMakesLanesAdjacentIsFoundAndItsFiguresHold) {
  const AnalysedKernel kernel =
      analyse(plane("local_size_y = 64", "uint i = id.y * params.width + id.x;\n"
                                         "dst[i] = 2.0 * src[i];"));
  std::vector<std::string> texts = adviceOf(kernel, AdviceKind::Strided);
  ASSERT_THAT(texts, SizeIs(1));
  EXPECT_THAT(texts[0], StartsWith("lanes walk 4*params.width bytes apart along y on `Src`"));
  EXPECT_THAT(texts[0], HasSubstr("fetches 32 sectors in 32 lines for 128 bytes"));
  EXPECT_THAT(texts[0],
              HasSubstr("with 64x1x1 (resize) a subgroup would fetch 4 sectors in 1 line for it "
                        "instead of 32 in 32, and an invocation 8 bytes in all instead of 64"));
  EXPECT_THAT(texts[0], HasSubstr("(values of the host taken as 1,024)"));
  // The claim is what trafficAt says.
  std::vector<MemoryAccess> accesses = findAccesses(*kernel);
  uint64_t sectors = 0;
  for (const MemoryAccess &access : accesses)
    if (access.space == MemorySpace::StorageBuffer)
      sectors += trafficAt(*kernel, access, {64, 1, 1}, 32)->sectors.least;
  EXPECT_EQ(sectors * kSectorBytes / 32, 8U);
}

TEST(Advice, NothingIsPromisedWhereNoSizeHelps) {
  std::vector<std::string> texts = adviceOf(analyseBench("layernorm.comp"), AdviceKind::Strided);
  ASSERT_THAT(texts, SizeIs(1));
  EXPECT_THAT(texts[0], StartsWith("lanes walk 4*params.columns bytes apart along x on `Src`"));
  EXPECT_THAT(texts[0], HasSubstr("at any size the same lanes are neighbours"));
  EXPECT_THAT(texts[0], Not(HasSubstr("would")));

  texts = adviceOf(analyseBench("transpose_naive.comp"), AdviceKind::Strided);
  ASSERT_THAT(texts, SizeIs(1));
  EXPECT_THAT(texts[0], HasSubstr("other sizes and orders that were tried fetches less in all"));
  EXPECT_THAT(texts[0], HasSubstr("its neighbours lie along y"));
}

TEST(Advice, IsAboutAWorkgroupInWhichAllLanesAreAtWork) {
  // The second query of causal attention has two keys, the 512th more than there are lanes.
  std::vector<std::string> texts =
      adviceOf(analyseBench("attention_row.comp"), AdviceKind::Strided);
  ASSERT_THAT(texts, SizeIs(1));
  EXPECT_THAT(texts[0], HasSubstr("fetches 32 sectors in 32 lines for 128 bytes"));
}

TEST(Advice, AdjacentLanesNeedNone) {
  EXPECT_THAT(adviceOf(analyseBench("saxpy.comp"), AdviceKind::Strided), IsEmpty());
}

TEST(Advice, AnotherOrderOfTheLanesWhereTheSizeMustStay) {
  const AnalysedKernel kernel = analyse(R"(layout(local_size_x = 16, local_size_y = 16) in;
    layout(push_constant) uniform Params { uint width; } params;
    layout(std430, binding = 0) readonly buffer Src { float src[]; };
    layout(std430, binding = 1) buffer Dst { float dst[]; };
    shared float sum[1];
    void main() {
      uvec2 id = gl_GlobalInvocationID.xy;
      dst[id.x * params.width + id.y] = src[id.x * params.width + id.y];
      barrier();
      if (gl_LocalInvocationIndex == 0) sum[0] = 1.0;
    })");
  std::vector<std::string> texts = adviceOf(kernel, AdviceKind::Strided);
  ASSERT_THAT(texts, SizeIs(1));
  EXPECT_THAT(texts[0], HasSubstr("with lanes that run down y first (swizzle)"));
}

TEST(Advice, ASizeWhoseLanesDoLessOrTheSameTwiceIsNoAnswer) {
  auto strided = [](const std::string &guard) {
    return adviceOf(analyse("layout(local_size_x = 64) in;\n"
                            "layout(push_constant) uniform Params { uint n; uint width; } params;\n"
                            "layout(std430, binding = 0) readonly buffer Src { float src[]; };\n"
                            "layout(std430, binding = 1) buffer Dst { float dst[]; };\n"
                            "void main() {\n"
                            "  uvec3 id = gl_GlobalInvocationID;\n"
                            "  if (id.x >= params.n || " +
                            guard + ") return;\n" + "  dst[id.x] = src[id.x * params.width];\n}"),
                    AdviceKind::Strided);
  };
  // Along z one invocation does something, or all do the same: adjacent there means nothing.
  for (const char *guard : {"id.z >= 1", "id.z >= params.n"}) {
    std::vector<std::string> texts = strided(guard);
    ASSERT_THAT(texts, SizeIs(1)) << guard;
    EXPECT_THAT(texts[0], Not(HasSubstr("would fetch"))) << guard;
  }
}

TEST(Advice, PartsOfAStructureThatAreReadOneByOneWasteNothing) {
  const AnalysedKernel kernel = analyse(R"(layout(local_size_x = 64) in;
    struct Pair { float a; float b; };
    layout(std430, binding = 0) readonly buffer Src { Pair src[]; };
    layout(std430, binding = 1) writeonly buffer Dst { float dst[]; };
    void main() {
      uint i = gl_GlobalInvocationID.x;
      dst[i] = src[i].a * src[i].b;
    })");
  EXPECT_THAT(adviceOf(kernel, AdviceKind::Strided), IsEmpty());
}

TEST(Advice, AddressesThatHangOffADivisionByTheHostAreLeftAlone) {
  const AnalysedKernel kernel = analyse(R"(layout(local_size_x = 64) in;
    layout(push_constant) uniform Params { uint n; uint step; } params;
    layout(std430, binding = 0) buffer B { float b[]; };
    void main() {
      uint i = gl_GlobalInvocationID.x;
      if (i < params.n) b[(i % params.n) * params.step + i / params.n] = 1.0;
    })");
  EXPECT_THAT(adviceOf(kernel, AdviceKind::Strided), IsEmpty());
}

// --- banks ---

/// 32 lanes, each of which walks along a row of its own.
static std::string rows(const std::string &declaration, const std::string &element,
                        const std::string &read) {
  return "layout(local_size_x = 32) in;\n"
         "layout(std430, binding = 0) buffer B { float b[]; };\n"
         "shared float " +
         declaration +
         ";\nvoid main() {\n"
         "  uint x = gl_LocalInvocationID.x;\n"
         "  for (uint k = 0; k < 32; ++k) " +
         element + " = float(k);\n  barrier();\n  b[x] = " + read + ";\n}";
}

TEST(Advice, APaddedRowEndsBankConflicts) {
  std::vector<std::string> texts =
      adviceOf(analyse(rows("tile[32][32]", "tile[x][k]", "tile[0][x]")), AdviceKind::BankConflict);
  ASSERT_THAT(texts, SizeIs(1));
  EXPECT_EQ(texts[0], "32-way bank conflict on `tile` (line 7), where lanes are 128 bytes apart "
                      "along x: with rows of 33 words instead of 32 there is none");
  EXPECT_THAT(
      adviceOf(analyse(rows("tile[32][33]", "tile[x][k]", "tile[0][x]")), AdviceKind::BankConflict),
      IsEmpty());
}

TEST(Advice, AWordLeftFreeInAnArrayOfOneDimension) {
  std::vector<std::string> texts = adviceOf(
      analyse(rows("tile[1024]", "tile[x * 32 + k]", "tile[x]")), AdviceKind::BankConflict);
  ASSERT_THAT(texts, SizeIs(1));
  EXPECT_THAT(texts[0], HasSubstr("with 1 word left free behind every 32 there is none"));
}

// --- the size itself ---

TEST(Advice, LanesThatAWorkgroupLeavesIdle) {
  auto lanes = [](const std::string &size, uint32_t width = 32) {
    return adviceOf(analyse("layout(" + size +
                            ") in;\n"
                            "layout(binding = 0) buffer B { uint b[]; };\n"
                            "void main() { b[gl_GlobalInvocationID.x] = 1; }"),
                    AdviceKind::IdleLanes, width);
  };
  EXPECT_THAT(lanes("local_size_x = 8"),
              ElementsAre("the workgroup of 8 is smaller than a subgroup of 32: 3/4 of the lanes "
                          "idle on such a device"));
  EXPECT_THAT(lanes("local_size_x = 48"),
              ElementsAre("48 invocations are no multiple of 32: the last subgroup of each "
                          "workgroup has 16 idle lanes, 1/4 of all"));
  EXPECT_THAT(lanes("local_size_x = 64"), IsEmpty());
  EXPECT_THAT(lanes("local_size_x = 8", 8), IsEmpty());
}

TEST(Advice, LanesThatTheKernelItselfTurnsAway) {
  auto lanes = [](const std::string &bound) {
    return adviceOf(analyse("layout(local_size_x = 8, local_size_y = 8) in;\n"
                            "layout(binding = 0) buffer B { uint b[]; };\n"
                            "void main() {\n"
                            "  if (gl_GlobalInvocationID.y >= " +
                            bound + ") return;\n" +
                            "  b[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.y;\n}"),
                    AdviceKind::IdleLanes);
  };
  EXPECT_THAT(lanes("1"), ElementsAre("along y the kernel lets 1 of the 8 invocations do anything "
                                      "(gid.y < 1, line 5): the others idle"));
  EXPECT_THAT(lanes("8"), IsEmpty());
}

TEST(Advice, ASizeOfDefaultsIsNotTakenForTheHosts) {
  const std::string source = "layout(local_size_x_id = 0) in;\n"
                             "layout(binding = 0) buffer B { uint b[]; };\n"
                             "void main() { b[gl_GlobalInvocationID.x] = 1; }";
  EXPECT_THAT(adviceOf(analyse(source), AdviceKind::DefaultSize),
              ElementsAre(StartsWith("the size 1x1x1 is the default of specialization constants")));
  EXPECT_THAT(adviceOf(analyse(source), AdviceKind::IdleLanes), IsEmpty());
  std::string literal = source;
  literal.replace(literal.find("local_size_x_id = 0"), 19, "local_size_x = 1");
  EXPECT_THAT(adviceOf(analyse(literal), AdviceKind::DefaultSize), IsEmpty());
  EXPECT_THAT(adviceOf(analyse(literal), AdviceKind::IdleLanes), SizeIs(1));
}

TEST(Advice, AnAxisThatNothingDependsOn) {
  auto axes = [](const std::string &index) {
    return adviceOf(analyse("layout(local_size_x = 8, local_size_y = 8) in;\n"
                            "layout(binding = 0) buffer B { uint b[]; };\n"
                            "void main() { b[" +
                            index + "] = 1; }"),
                    AdviceKind::UnusedAxis);
  };
  EXPECT_THAT(axes("gl_GlobalInvocationID.x"),
              ElementsAre("nothing depends on the id along y, where the size is 8: 8 invocations "
                          "do the same work"));
  EXPECT_THAT(axes("gl_GlobalInvocationID.x + 64 * gl_GlobalInvocationID.y"), IsEmpty());
  EXPECT_THAT(axes("gl_LocalInvocationIndex"), IsEmpty()) << "only where resize is legal";
}

TEST(Advice, NeighboursAlongAnAxisOfOneShareNothing) {
  const char *stencil = R"(
      uint x = clamp(id.x, 1, params.width - 2), y = clamp(id.y, 2, params.height - 3);
      float sum = 0;
      sum += src[(y - 2) * params.width + x] + src[(y - 1) * params.width + x];
      sum += src[y * params.width + x];
      sum += src[(y + 1) * params.width + x] + src[(y + 2) * params.width + x];
      dst[id.y * params.width + id.x] = sum;)";
  std::vector<std::string> texts =
      adviceOf(analyse(plane("local_size_x = 64", stencil)), AdviceKind::AxisOfOne);
  ASSERT_THAT(texts, SizeIs(1));
  EXPECT_THAT(texts[0], StartsWith("the size along y is 1, so that neighbours there share no "
                                   "workgroup: the 64 invocations of one read 40 sectors"));
  EXPECT_THAT(adviceOf(analyse(plane("local_size_x = 8, local_size_y = 8", stencil)),
                       AdviceKind::AxisOfOne),
              IsEmpty());
  EXPECT_THAT(adviceOf(analyseBench("saxpy.comp"), AdviceKind::AxisOfOne), IsEmpty());
}

// --- work ---

TEST(Advice, MemoryBoundIsSaidOfStreamsAlone) {
  std::vector<std::string> texts = adviceOf(analyseBench("saxpy.comp"), AdviceKind::MemoryBound);
  ASSERT_THAT(texts, SizeIs(1));
  EXPECT_THAT(texts[0], StartsWith("0.17 floating-point and"));
  // Read again and again, from caches; atomics; texels.
  for (const char *name : {"nbody.comp", "matmul_naive.comp", "histogram.comp", "grayscale.comp"})
    EXPECT_THAT(adviceOf(analyseBench(name), AdviceKind::MemoryBound), IsEmpty()) << name;
}

TEST(Advice, AtomicsThatMeetAtOneAddress) {
  auto contention = [](const std::string &body) {
    return adviceOf(analyse("layout(local_size_x = 64) in;\n"
                            "layout(binding = 0) buffer Count { uint count; uint bins[]; };\n"
                            "layout(binding = 1) buffer Data { uint data[]; };\n"
                            "void main() { " +
                            body + " }"),
                    AdviceKind::Contention);
  };
  EXPECT_THAT(contention("atomicAdd(count, 1);"),
              ElementsAre(HasSubstr("all invocations of a dispatch that get there meet at one "
                                    "address")));
  EXPECT_THAT(contention("if (gl_LocalInvocationID.x == 0) atomicAdd(count, 1);"), IsEmpty());
  EXPECT_THAT(contention("atomicAdd(bins[gl_GlobalInvocationID.x], 1);"), IsEmpty());
  EXPECT_THAT(contention("atomicAdd(bins[data[gl_GlobalInvocationID.x]], 1);"),
              ElementsAre(HasSubstr("the address comes from data")));
}

// --- what stands against variants ---

TEST(Advice, ADivergentBarrierComesFirstWithItsCauses) {
  const AnalysedKernel kernel = analyse(R"(layout(local_size_x = 8) in;
    layout(binding = 0) buffer B { uint b[]; };
    void main() {
      if (gl_LocalInvocationID.x < 4)
        barrier();
      b[gl_GlobalInvocationID.x] = 1;
    })");
  std::vector<Advice> advice = advise(gatherFindings(*kernel));
  ASSERT_FALSE(advice.empty());
  EXPECT_EQ(advice[0].kind, AdviceKind::DivergentBarrier);
  EXPECT_EQ(advice[0].location.line, 6U);
  EXPECT_THAT(advice[0].text, StartsWith("the barrier at line 6 may not be reached by all"));
  EXPECT_THAT(advice[0].text, HasSubstr("LocalInvocationId"));
  EXPECT_THAT(advice[0].text, HasSubstr("(line 5)"));
}

TEST(Advice, AxesWithOneReasonAreNamedTogether) {
  const AnalysedKernel kernel = analyse(R"(layout(local_size_x = 8, local_size_y = 8) in;
    layout(binding = 0) buffer B { uint b[]; };
    void main() {
      b[gl_GlobalInvocationID.x + 64 * gl_GlobalInvocationID.y] = 1;
    })");
  EXPECT_THAT(adviceOf(kernel, AdviceKind::Guard),
              ElementsAre("sizes along x and y must divide the grid: memory is written without a "
                          "bounds check (line 5); returning early where gl_GlobalInvocationID.x is "
                          "past the end would lift that"));
  EXPECT_THAT(adviceOf(analyseBench("saxpy.comp"), AdviceKind::Guard), IsEmpty());
}

TEST(Advice, WhatStandsAgainstEveryTechnique) {
  const AnalysedKernel kernel = analyse(R"(#extension GL_KHR_shader_subgroup_arithmetic : require
    layout(local_size_x = 64) in;
    layout(binding = 0) buffer B { uint b[]; };
    void main() {
      b[gl_GlobalInvocationID.x] = subgroupAdd(b[gl_GlobalInvocationID.x]);
    })");
  EXPECT_THAT(adviceOf(kernel, AdviceKind::FewTechniques),
              ElementsAre(StartsWith("no technique is proven: OpGroupNonUniformIAdd")));
  EXPECT_THAT(adviceOf(analyseBench("reduction.comp"), AdviceKind::FewTechniques), IsEmpty());
}

TEST(Advice, AWaitingLoopIsNamedOnce) {
  const AnalysedKernel kernel = analyse(R"(layout(local_size_x = 64) in;
    layout(binding = 0) buffer B { uint flag; uint b[]; };
    void main() {
      while (atomicAdd(flag, 0) == 0) {
      }
      b[gl_GlobalInvocationID.x] = 1;
    })");
  EXPECT_THAT(adviceOf(kernel, AdviceKind::Waiting),
              ElementsAre(HasSubstr("waits for what other invocations write (read at line 5)")));
  EXPECT_THAT(adviceOf(kernel, AdviceKind::FewTechniques), IsEmpty());
}

// --- findings ---

TEST(Findings, AccessesThatDifferInTheirPlaceAloneAreOneGroupWorstFirst) {
  AnalysedKernel kernel = analyseBench("layernorm.comp");
  Findings findings = gatherFindings(*kernel);
  std::vector<AccessGroup> groups = groupAccesses(findings);
  ASSERT_GE(groups.size(), 4U);
  EXPECT_EQ(findings.accesses[groups[0].front()].access.name, "Src");
  EXPECT_THAT(placesOf(findings, groups[0]), testing::EndsWith("layernorm.comp:25 and 2 more"))
      << "the module is named after another file";
  EXPECT_EQ(findings.accesses[groups[1].front()].access.name, "Dst");
  EXPECT_THAT(placesOf(findings, groups[1]), testing::EndsWith("layernorm.comp:36"));
  double last = findings.accesses[groups[0].front()].excessBytes();
  EXPECT_EQ(last, 1024.0 * (32 - 4) * kSectorBytes) << "in each of params.columns iterations";
  size_t members = 0;
  for (const AccessGroup &group : groups)
    members += group.size();
  EXPECT_EQ(members, findings.accesses.size());
}

TEST(Findings, PlacesAreLinesOfTheKernelsFile) {
  const AnalysedKernel kernel = analyse(R"(layout(local_size_x = 64) in;
    layout(binding = 0) buffer B { uint b[]; };
    void main() {
      uint i = gl_GlobalInvocationID.x;
      uint v = b[i];
      v += b[i];
      v += b[i];
      b[i] = v;
    })");
  Findings findings = gatherFindings(*kernel);
  std::vector<AccessGroup> groups = groupAccesses(findings);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(placesOf(findings, groups[0]), "lines 6, 7 and 8");
  EXPECT_EQ(placesOf(findings, groups[1]), "line 9");
}
