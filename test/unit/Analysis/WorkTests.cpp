//===- unit/Analysis/WorkTests.cpp - Counts by hand ------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/Work.h"

#include "Analysis/InstructionWork.h"
#include "KernelSupport.h"

#include "gmock/gmock.h"

using namespace tailor;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

const std::string kHead = R"(layout(local_size_x = 64) in;
layout(push_constant) uniform P { uint n; uint m; float f; } p;
layout(set = 0, binding = 0) buffer A { float a[]; };
layout(set = 0, binding = 1) readonly buffer B { vec4 b[]; };
layout(set = 0, binding = 2, rgba8) uniform image2D image;
layout(set = 0, binding = 3) uniform sampler2D tex;
layout(set = 0, binding = 4) buffer U { uint u[]; };
shared vec4 s[64];
#define LX gl_LocalInvocationID.x
#define GX gl_GlobalInvocationID.x
void main() {
)";

WorkFacts workOf(const std::string &body) {
  const AnalysedKernel kernel = analyse(kHead + body + "\n}");
  return measureWork(*kernel);
}

std::string countOf(const WorkFacts &facts, WorkKind kind) { return facts.counts[kind].str(); }
std::string countOf(const std::string &body, WorkKind kind) { return countOf(workOf(body), kind); }
std::string floatsOf(const std::string &body) { return countOf(body, WorkKind::Float); }

std::string readOf(const WorkFacts &facts, WorkSpace space) {
  return facts.counts.read(space).str();
}
std::string writtenOf(const WorkFacts &facts, WorkSpace space) {
  return facts.counts.written(space).str();
}

// --- sums ---

TEST(TripSum, Text) {
  TripSum n = TripSum::name("n"), m = TripSum::name("m");
  EXPECT_EQ(TripSum().str(), "0");
  EXPECT_EQ((n * 5 + TripSum::number(12)).str(), "12 + 5*n");
  EXPECT_EQ((m * n + n * m * -2).str(), "-1*m*n");
  EXPECT_EQ((n + m * -0.5).str(), "-0.5*m + n");
  EXPECT_EQ((n + n * -1).str(), "0");
  EXPECT_EQ((n * n + m * -1).str(), "-1*m + n*n");
}

TEST(TripSum, Values) {
  TripSum sum = TripSum::name("n") * TripSum::name("n") * 3 + TripSum::number(7);
  EXPECT_EQ(sum.evaluate([](const std::string &) { return 10; }), 307);
  EXPECT_FALSE(sum.constant());
  EXPECT_EQ(TripSum::number(4).constant(), 4);
  EXPECT_EQ(TripSum().constant(), 0);
}

// --- the kernel suite, by hand ---

TEST(Work, OfTheTiledMatrixProduct) {
  AnalysedKernel kernel = analyseBench("matmul_tiled.comp");
  WorkFacts facts = measureWork(*kernel);
  const std::string t = "((params.k + 15) / 16)";
  // 16 products and 16 sums a tile.
  EXPECT_EQ(countOf(facts, WorkKind::Float), "32*" + t);
  // A tile: 3 for each of inA and inB and of the two addresses, 17 tests and 16 steps of the inner
  // loop, a step and a test of the outer one, which is tested once more; 4 at the end.
  EXPECT_EQ(countOf(facts, WorkKind::Integer), "5 + 47*" + t);
  EXPECT_EQ(countOf(facts, WorkKind::ControlBarrier), "2*" + t);
  EXPECT_EQ(countOf(facts, WorkKind::Special), "0");
  EXPECT_EQ(readOf(facts, WorkSpace::Buffer), "8*" + t);
  EXPECT_EQ(writtenOf(facts, WorkSpace::Buffer), "4");
  EXPECT_EQ(readOf(facts, WorkSpace::Workgroup), "128*" + t);
  EXPECT_EQ(writtenOf(facts, WorkSpace::Workgroup), "8*" + t);
  ASSERT_TRUE(facts.intensity);
  EXPECT_THAT(*facts.intensity, DoubleNear(32.0 * 64 / (8 * 64 + 4), 1e-12));
  ASSERT_EQ(facts.names.size(), 1u);
  EXPECT_EQ(facts.names[0].name, t);
  EXPECT_EQ(facts.names[0].assumed, 64); // of a matrix of 1,024 columns
  EXPECT_THAT(facts.names[0].meaning, HasSubstr("matmul_tiled.comp:24"));
}

TEST(Work, OfTheReduction) {
  AnalysedKernel kernel = analyseBench("reduction.comp");
  WorkFacts facts = measureWork(*kernel);
  EXPECT_EQ(countOf(facts, WorkKind::Float), "8"); // one sum in each of 8 rounds
  // i < n, then 9 tests, 8 halvings, 8 comparisons with the stride, 8 addresses; lane == 0.
  EXPECT_EQ(countOf(facts, WorkKind::Integer), "35");
  EXPECT_EQ(countOf(facts, WorkKind::Load), "19");
  EXPECT_EQ(countOf(facts, WorkKind::Store), "10");
  EXPECT_EQ(countOf(facts, WorkKind::ControlBarrier), "9");
  EXPECT_EQ(readOf(facts, WorkSpace::Buffer), "4");
  EXPECT_EQ(writtenOf(facts, WorkSpace::Buffer), "4");
  EXPECT_EQ(readOf(facts, WorkSpace::Workgroup), "68");
  EXPECT_EQ(writtenOf(facts, WorkSpace::Workgroup), "36");
  EXPECT_EQ(facts.intensity, 1.0);
  // Under a lane's own condition: the load of src, five operations in each round, the last two.
  EXPECT_THAT(facts.divergentInWorkgroup, DoubleNear(43.0 / 72, 1e-12));
  EXPECT_THAT(facts.names, IsEmpty());
}

TEST(Work, OfTheSharedHistogram) {
  AnalysedKernel kernel = analyseBench("histogram_shared.comp");
  WorkFacts facts = measureWork(*kernel);
  EXPECT_EQ(countOf(facts, WorkKind::Float), "0");
  // i < length; 5 tests, and 4 of each step, shift and mask.
  EXPECT_EQ(countOf(facts, WorkKind::Integer), "18");
  EXPECT_EQ(countOf(facts, WorkKind::Atomic), "5");
  EXPECT_EQ(readOf(facts, WorkSpace::Workgroup), "20");    // four atomics, bins[lane]
  EXPECT_EQ(writtenOf(facts, WorkSpace::Workgroup), "20"); // bins[lane] = 0, four atomics
  EXPECT_EQ(readOf(facts, WorkSpace::Buffer), "8");        // src, and the atomic on counts
  EXPECT_EQ(writtenOf(facts, WorkSpace::Buffer), "4");
}

TEST(Work, OfTheLayerNorm) {
  AnalysedKernel kernel = analyseBench("layernorm.comp");
  WorkFacts facts = measureWork(*kernel);
  // 1 to sum, 3 for the squares, 4 to write; the epsilon.
  EXPECT_EQ(countOf(facts, WorkKind::Float), "1 + 8*params.columns");
  EXPECT_EQ(countOf(facts, WorkKind::Special), "3"); // two quotients and a root
  EXPECT_EQ(countOf(facts, WorkKind::Conversion), "2");
  EXPECT_EQ(countOf(facts, WorkKind::Store), "params.columns");
  EXPECT_EQ(readOf(facts, WorkSpace::Buffer), "20*params.columns");
  EXPECT_EQ(writtenOf(facts, WorkSpace::Buffer), "4*params.columns");
  ASSERT_TRUE(facts.intensity);
  EXPECT_THAT(*facts.intensity, DoubleNear((1 + 3 + 8.0 * 1024) / (24 * 1024), 1e-12));
}

TEST(Work, OfTheBodies) {
  AnalysedKernel kernel = analyseBench("nbody.comp");
  WorkFacts facts = measureWork(*kernel);
  // A body: 3 differences, a dot product of 5, softening squared and added, 3 products of scalars,
  // 3 of the vector, 3 sums. At the end four vector operations of 3.
  EXPECT_EQ(countOf(facts, WorkKind::Float), "12 + 19*params.count");
  EXPECT_EQ(countOf(facts, WorkKind::Special), "params.count");
  EXPECT_EQ(readOf(facts, WorkSpace::Buffer), "32 + 16*params.count");
  EXPECT_EQ(writtenOf(facts, WorkSpace::Buffer), "32");
}

// --- arithmetic ---

TEST(Work, OfFloatingPoint) {
  EXPECT_EQ(floatsOf("a[GX] = fma(a[GX], p.f, 1.0);"), "2");
  EXPECT_EQ(floatsOf("a[GX] = -abs(a[GX]);"), "0");
  EXPECT_EQ(floatsOf("vec4 x = b[GX]; a[GX] = dot(x, x);"), "7");
  EXPECT_EQ(floatsOf("vec4 x = b[GX]; s[LX] = x * p.f + x;"), "8");
  EXPECT_EQ(floatsOf("vec4 x = b[GX]; s[LX] = mix(x, x.wzyx, p.f);"), "12");
  EXPECT_EQ(floatsOf("a[GX] = clamp(a[GX], 0.0, 1.0);"), "2");
  EXPECT_EQ(floatsOf("a[GX] = min(a[GX], p.f) > 0.5 ? 1.0 : 2.0;"), "2");
}

TEST(Work, OfMatrices) {
  const std::string m = "mat4 m = mat4(b[0], b[1], b[2], b[3]); ";
  EXPECT_EQ(floatsOf(m + "s[LX] = m * b[GX];"), "28"); // 4 dot products of 4
  EXPECT_EQ(floatsOf(m + "s[LX] = b[GX] * m;"), "28");
  EXPECT_EQ(floatsOf(m + "s[LX] = (m * m)[LX & 3u];"), "112"); // 16 of 4
  EXPECT_EQ(floatsOf("mat4x3 m = mat4x3(b[0].xyz, b[1].xyz, b[2].xyz, b[3].xyz);"
                     "s[LX].xyz = m * b[GX];"),
            "21"); // 3 of 4
  EXPECT_EQ(floatsOf(m + "s[LX] = (m * p.f)[LX & 3u];"), "16");
}

TEST(Work, OfSpecialFunctions) {
  WorkFacts facts = workOf("vec4 x = b[GX]; s[LX] = sqrt(x) / p.f; a[GX] = sin(x.x) * exp(x.y);");
  EXPECT_EQ(countOf(facts, WorkKind::Special), "10"); // 4 roots, 4 quotients, 2
  EXPECT_EQ(countOf(facts, WorkKind::Float), "1");
  EXPECT_EQ(countOf("a[GX] = length(b[GX].xyz);", WorkKind::Special), "1");
  EXPECT_EQ(floatsOf("a[GX] = length(b[GX].xyz);"), "5");
  EXPECT_EQ(floatsOf("s[LX] = normalize(b[GX]);"), "11");
  EXPECT_EQ(floatsOf("s[LX].xyz = cross(b[GX].xyz, b[0].xyz);"), "9");
}

TEST(Work, OfIntegers) {
  EXPECT_EQ(countOf("u[GX] = (u[GX] * 3u + 1u) >> 2;", WorkKind::Integer), "3");
  EXPECT_EQ(countOf("u[GX] = u[GX] / 10u;", WorkKind::Integer), "1");
  EXPECT_EQ(countOf("u[GX] = u[GX] / 10u;", WorkKind::Special), "0");
  EXPECT_EQ(countOf("u[GX] = u[GX] / p.n;", WorkKind::Special), "1");
  EXPECT_EQ(countOf("u[GX] = bitCount(u[GX]) + uint(findMSB(p.n));", WorkKind::Integer), "3");
}

TEST(Work, OfConversions) {
  EXPECT_EQ(countOf("a[GX] = float(u[GX]);", WorkKind::Conversion), "1");
  EXPECT_EQ(countOf("a[GX] = uintBitsToFloat(u[GX]);", WorkKind::Conversion), "0");
  EXPECT_EQ(countOf("u[GX] = packHalf2x16(b[GX].xy);", WorkKind::Conversion), "2");
}

// --- memory ---

TEST(Work, OfMemory) {
  WorkFacts facts = workOf("s[LX] = b[GX]; barrier(); a[GX] = s[63u - LX].y + p.f;");
  EXPECT_EQ(countOf(facts, WorkKind::Load), "3");
  EXPECT_EQ(countOf(facts, WorkKind::Store), "2");
  EXPECT_EQ(readOf(facts, WorkSpace::Buffer), "16");
  EXPECT_EQ(readOf(facts, WorkSpace::Workgroup), "4"); // one component
  EXPECT_EQ(readOf(facts, WorkSpace::Uniform), "4");
  EXPECT_EQ(writtenOf(facts, WorkSpace::Workgroup), "16");
  EXPECT_EQ(writtenOf(facts, WorkSpace::Buffer), "4");
}

TEST(Work, OfImages) {
  WorkFacts facts = workOf(R"(ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    imageStore(image, at, imageLoad(image, at) + textureLod(tex, vec2(at), 0.0));)");
  EXPECT_EQ(countOf(facts, WorkKind::Image), "3");
  EXPECT_EQ(countOf(facts, WorkKind::Load), "0"); // handles are no loads
  EXPECT_EQ(readOf(facts, WorkSpace::Image), "4");
  EXPECT_EQ(writtenOf(facts, WorkSpace::Image), "4");
  EXPECT_EQ(facts.counts.unsized.str(), "1"); // the sample
}

TEST(Work, StoresThatSsaConstructionLeavesBehindAreFree) {
  WorkFacts facts = workOf("float x = a[GX]; float y = x + 1.0; a[GX] = y;");
  EXPECT_EQ(countOf(facts, WorkKind::Store), "1");
  EXPECT_EQ(facts.privateBytes, 0u);
}

TEST(Work, PrivateArraysAreMemory) {
  WorkFacts facts = workOf("float x[8]; x[u[GX] & 7u] = 1.0; a[GX] = x[p.n & 7u];");
  EXPECT_EQ(facts.privateBytes, 32u);
  EXPECT_EQ(readOf(facts, WorkSpace::Private), "4");
  EXPECT_EQ(writtenOf(facts, WorkSpace::Private), "4");
}

TEST(Work, NoMemoryNoIntensity) { EXPECT_FALSE(workOf("s[LX].x = p.f * 2.0;").intensity); }

TEST(Work, BytesOfTexels) {
  EXPECT_EQ(texelBytes(spv::ImageFormat::Rgba32f), 16u);
  EXPECT_EQ(texelBytes(spv::ImageFormat::R11fG11fB10f), 4u);
  EXPECT_EQ(texelBytes(spv::ImageFormat::R8), 1u);
  EXPECT_EQ(texelBytes(spv::ImageFormat::Unknown), std::nullopt);
}

// --- loops and conditions ---

TEST(Work, NestedLoopsMultiply) {
  EXPECT_EQ(floatsOf(R"(float x = 0.0;
    for (uint i = 0u; i < p.n; ++i)
      for (uint j = 0u; j < 3u; ++j) x += p.f;
    a[GX] = x;)"),
            "3*p.n");
}

TEST(Work, ALoopUpToAnOuterCounterIsSummed) {
  EXPECT_EQ(floatsOf(R"(float x = 0.0;
    for (uint i = 0u; i < 10u; ++i)
      for (uint j = 0u; j < i; ++j) x += p.f;
    a[GX] = x;)"),
            "45");
  EXPECT_EQ(floatsOf(R"(float x = 0.0;
    for (uint i = 0u; i < p.n; ++i)
      for (uint j = 0u; j < i; ++j) x += p.f;
    a[GX] = x;)"),
            "-0.5*p.n + 0.5*p.n*p.n");
}

TEST(Work, ALoopThatNobodyKnowsHasAName) {
  WorkFacts facts = workOf(R"(uint x = u[GX]; float y = 0.0;
    while (x > 1u) { x = (x & 1u) == 0u ? x / 2u : 3u * x + 1u; y += p.f; }
    a[GX] = y;)");
  EXPECT_THAT(countOf(facts, WorkKind::Float), HasSubstr("n(i0)"));
  ASSERT_EQ(facts.names.size(), 1u);
  EXPECT_EQ(facts.names[0].name, "n(i0)");
  EXPECT_THAT(facts.names[0].meaning, HasSubstr("k.comp:14"));
  EXPECT_EQ(facts.names[0].assumed, 1024);
}

TEST(Work, ATestAtTheEndRunsAsOftenAsTheBody) {
  // 4 steps and 4 tests; at the beginning it would be 5 tests.
  EXPECT_EQ(countOf("uint i = 0u; do { u[GX] = i; ++i; } while (i < 4u);", WorkKind::Integer), "8");
  EXPECT_EQ(countOf("for (uint i = 0u; i < 4u; ++i) u[GX] = i;", WorkKind::Integer), "9");
}

TEST(Work, DivergentShare) {
  // Two operations for all (the load of p.n and the comparison), two under it.
  WorkFacts uniform = workOf("if (p.n > 4u) a[GX] = p.f;");
  EXPECT_EQ(uniform.divergentInSubgroup, 0);
  EXPECT_EQ(uniform.divergentInWorkgroup, 0);
  WorkFacts divergent = workOf("if (LX > 4u) a[GX] = p.f;");
  EXPECT_THAT(divergent.divergentInWorkgroup, DoubleNear(2.0 / 3, 1e-12));
  EXPECT_THAT(divergent.divergentInSubgroup, DoubleNear(2.0 / 3, 1e-12));
  EXPECT_EQ(workOf("if (gl_WorkGroupID.x > 4u) a[GX] = p.f;").divergentInWorkgroup, 0);
}

// --- live values ---

struct Live {
  unsigned components = 0, line = 0;
};
Live liveOf(const std::string &body) {
  const AnalysedKernel kernel = analyse(kHead + body + "\n}");
  std::optional<LivePressure> pressure = measurePressure(*kernel);
  if (!pressure || !pressure->at)
    return {};
  return {pressure->components, kernel.lineOf(*pressure->at)};
}

// Line 13 is the first of the body.
TEST(LivePressure, OfStraightCode) {
  // x, y, z and the id; then the address, with the sum of all.
  Live live = liveOf(R"(uint i = GX;
    vec4 x = b[i];
    vec4 y = b[i + 1u];
    vec4 z = b[i + 2u];
    s[i] = x + y + z;)");
  EXPECT_EQ(live.components, 13u); // 12 components of the vectors, and i
  EXPECT_EQ(live.line, 16u);
}

TEST(LivePressure, AcrossALoop) {
  // In the loop: keep (4), x (4), i, the id, and at the load its address or its result.
  Live live = liveOf(R"(uint i = GX;
    vec4 keep = b[i], x = vec4(0.0);
    for (uint j = 0u; j < p.n; ++j) {
      vec4 y = b[j];
      x += y;
    }
    s[i] = x * keep;)");
  EXPECT_EQ(live.components, 14u); // i, j, keep, x, y
  EXPECT_EQ(live.line, 16u);
}

TEST(LivePressure, WhatNobodySeesTakesNoRegister) {
  EXPECT_EQ(liveOf("vec4 x = b[0]; vec4 y = x * x;").components, 0u);
  EXPECT_EQ(liveOf("vec4 x = b[0]; float y[4]; y[p.n & 3u] = x.x; u[0] = 1u;").components, 1u);
}

TEST(LivePressure, AnAtomicsResultIsWrittenThoughUnused) {
  // The id, which is the address too; then the result beside nothing.
  EXPECT_EQ(liveOf("atomicAdd(u[0], 1u);").components, 1u);
}

TEST(LivePressure, WideAndNarrowTypes) {
  // The id, and both components of x beside the first of them, which is taken out.
  EXPECT_EQ(liveOf("dvec2 x = dvec2(b[0].xy); a[GX] = float(x.x * x.y);").components, 7u);
}

TEST(LivePressure, OfAnEmptyKernel) { EXPECT_EQ(liveOf("").components, 0u); }

} // namespace

// --- counts that are not below zero ---

TEST(Work, OfInnerLoopsThatSomeRoundsDoWithout) {
  // Rounds of 0, 0, 2 and 6: no sum of 4*i - 6.
  WorkFacts facts = workOf("float t = 0.0; for (int i = 0; i < 4; ++i) for (int j = 6; j < 4 * i; "
                           "++j) t += 1.5; a[GX] = t;");
  EXPECT_THAT(countOf(facts, WorkKind::Float), HasSubstr("4*max(0, "));
  auto total = [](const WorkFacts &of) {
    return of.counts[WorkKind::Float].evaluate([&](const std::string &name) {
      for (const TripName &each : of.names)
        if (each.name == name)
          return each.assumed;
      return -1.0;
    });
  };
  EXPECT_EQ(total(facts), 8);
  EXPECT_EQ(total(workOf("float t = 0.0; for (int i = 0; i < 8; ++i) for (int j = i; j < 4; ++j) "
                         "t += 1.5; a[GX] = t;")),
            4 + 3 + 2 + 1);
  EXPECT_EQ(total(workOf("float t = 0.0; for (uint i = 0u; i < 8u; ++i) for (uint j = 5u; j < i; "
                         "++j) t += 1.5; a[GX] = t;")),
            1 + 2);
  // These have a round each time, or none as the host has it.
  EXPECT_EQ(floatsOf("float t = 0.0; for (int i = 0; i < 8; ++i) for (int j = i; j < 8; ++j) "
                     "t += 1.5; a[GX] = t;"),
            "36");
  EXPECT_EQ(floatsOf("float t = 0.0; for (uint i = 5u; i < p.n; ++i) t += 1.5; a[GX] = t;"),
            "-5 + p.n");
}

// --- counts by running the counters ---

/// What the figures take the only name of the kernel as.
static double assumedOf(const std::string &body) {
  WorkFacts facts = workOf(body);
  EXPECT_EQ(facts.names.size(), 1u);
  return facts.names.empty() ? -1 : facts.names[0].assumed;
}

TEST(Work, LanesThatWalkOverMoreThanTheyAre) {
  // 64 lanes over 81 elements: 17 lanes have two rounds. Of 8 lanes that are looked at, two.
  EXPECT_EQ(assumedOf("for (uint i = LX; i < 81u; i += 64u) a[i] = p.f;"), 1.25);
  // One value for all from a buffer that nobody writes is the host's, one for each lane is not
  // known.
  EXPECT_EQ(assumedOf("for (uint i = LX; i < u[0]; i += 64u) a[i] = p.f;"), 16);
  EXPECT_EQ(assumedOf("for (uint i = LX; i < u[LX]; i += 64u) a[i] = p.f;"), 1024);
}

TEST(Work, CountersThatAreHalvedAndDoubled) {
  EXPECT_EQ(assumedOf("for (uint i = 512u; i > 0u; i >>= 1) { a[i] = p.f; if (u[i] == p.n) break; "
                      "}"),
            1024); // several ends: nobody knows
  // 2, 4, ... 1024, and for each as many rounds as it is halvings: 1 to 10, 5.5 on average.
  WorkFacts facts = workOf("float t = 0.0; for (uint l = 2u; l <= 1024u; l *= 2u) for (uint s = l "
                           "/ 2u; s > 0u; s /= 2u) t += p.f; a[GX] = t;");
  double all = facts.counts[WorkKind::Float].evaluate([&](const std::string &name) {
    for (const TripName &each : facts.names)
      if (each.name == name)
        return each.assumed;
    return -1.0;
  });
  EXPECT_THAT(all, DoubleNear(55, 1e-9));
}

TEST(Work, LoopsThatGrowWithTheNumberOfTheWorkgroup) {
  // In the middle of a grid of 1,024 workgroups.
  EXPECT_EQ(assumedOf("for (uint i = 0u; i < min(gl_WorkGroupID.x, 700u); i += 3u) a[i] = p.f;"),
            171);
  // A grid-stride loop: past the first rounds nobody is left in the middle of so large a grid.
  EXPECT_GE(assumedOf("for (uint i = GX; i < p.n; i += 64u * gl_NumWorkGroups.x) a[i] = p.f;"), 1);
}

TEST(Work, ADivisorThatIsPutTogetherFromConstantsIsOne) {
  EXPECT_EQ(countOf("uvec2 v = uvec2(GX, LX) % 3u; u[GX] = v.x + v.y;", WorkKind::Special), "0");
  EXPECT_EQ(
      countOf("uvec2 v = uvec2(GX, LX) % uvec2(3u, p.n); u[GX] = v.x + v.y;", WorkKind::Special),
      "2");
}
