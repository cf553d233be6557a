//===- differential/PackTests.cpp - Several groups in one, bit for bit -----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels of bench/kernels, and small ones for each kind of workgroup memory
// and of its uses, packed along one axis and several: every variant gives the
// bits of the authored kernel.
//
//===----------------------------------------------------------------------===//
#include "BenchKernels.h"
#include "TechniqueKernels.h"

#include "passes/WorkgroupCopies.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <iostream>

using namespace tailor;
using namespace tailor::differential;

namespace {

Dim3 times(const Dim3 &size, const Dim3 &groups) {
  return {size.x * groups.x, size.y * groups.y, size.z * groups.z};
}

/// Compares the variants with these numbers of groups.
TechniqueReport packed(const Compiled &compiled, const std::vector<Dim3> &packs,
                       const SpecMap &spec, const Workload &workload, const ProblemSize &size) {
  Result<EntryPoint> entry = findComputeEntryPoint(compiled.module, compiled.entryPoint);
  Result<WorkgroupSize> authored = entry ? readWorkgroupSize(compiled.module, *entry, spec)
                                         : Result<WorkgroupSize>(entry.takeFailure());
  if (!authored) {
    ADD_FAILURE() << authored.diagnostic().text;
    return {};
  }
  std::vector<TechniqueVariant> variants;
  for (const Dim3 &groups : packs) {
    const Dim3 packedSize = times(authored->size, groups);
    TechniqueVariant variant{"pack-groups<size=" + packedSize.str() + ">",
                             packedSize,
                             {DispatchRule::Exact, authored->size, packedSize, {}}};
    variant.sharedBytes = bytesOfWorkgroupCopies(compiled.module, *entry,
                                                 static_cast<uint32_t>(groups.product()), spec)
                              .value_or(0);
    variants.push_back(std::move(variant));
  }
  return compareTechniques(compiled, variants, spec, workload, size);
}

//===----------------------------------------------------------------------===//
// The suite
//===----------------------------------------------------------------------===//

class PackedSuite : public testing::TestWithParam<std::string> {};

/// So many groups that 2, 3, 4 and 6 divide them, where there are enough; never more than there
/// were, so that nothing runs that the workload is too small for.
uint32_t dividedGroups(uint32_t groups) {
  for (uint32_t multiple : {12u, 4u, 2u})
    if (groups >= multiple)
      return groups / multiple * multiple;
  return groups;
}

std::vector<Dim3> packsFor(const Dim3 &groups) {
  std::vector<Dim3> packs;
  for (const Dim3 &each :
       {Dim3{2, 1, 1}, Dim3{4, 1, 1}, Dim3{3, 1, 1}, Dim3{1, 2, 1}, Dim3{1, 4, 1}, Dim3{2, 2, 1},
        Dim3{3, 2, 1}, Dim3{1, 1, 2}, Dim3{2, 1, 2}, Dim3{2, 2, 2}}) {
    bool divides = true;
    for (unsigned axis = 0; axis < 3; ++axis)
      divides &= groups[axis] % each[axis] == 0;
    if (divides)
      packs.push_back(each);
  }
  return packs;
}

TEST_P(PackedSuite, GivesTheSameBits) {
  if (noDevices())
    GTEST_SKIP() << "no Vulkan device";
  Result<BenchCase> bench = loadBenchCase(GetParam());
  ASSERT_TRUE(bool(bench)) << bench.diagnostic().text;
  ProblemSize size = bench->small();
  Result<Certificate> certificate = bench->certificate();
  ASSERT_TRUE(bool(certificate)) << certificate.diagnostic().text;

  Dim3 groups = size.groupsFor(certificate->authored.size);
  for (unsigned axis = 0; axis < 3; ++axis)
    groups[axis] = dividedGroups(groups[axis]);
  size.grid.reset();
  size.groups = groups;
  const std::vector<Dim3> packs = packsFor(groups);
  TechniqueReport report = packed(bench->compiled, packs, bench->spec, bench->workload, size);
  leaveOutLacking(report);
  EXPECT_EQ(report.text(), "");
  std::cout << bench->stem << ": " << report.variants << " variants, " << report.ranExact
            << " runs, " << report.leftOut << " not admitted\n";
  auto allowed = std::count_if(packs.begin(), packs.end(), [&](const Dim3 &each) {
    return allowsSize(Technique::Pack, certificate->verdict(Technique::Pack),
                      certificate->authored.size, times(certificate->authored.size, each));
  });
  EXPECT_EQ(report.variants, static_cast<size_t>(allowed))
      << testing::PrintToString(report.refusals);
}

INSTANTIATE_TEST_SUITE_P(All, PackedSuite, testing::ValuesIn(benchKernels()), testName);

//===----------------------------------------------------------------------===//
// Kinds of workgroup memory, and of its uses
//===----------------------------------------------------------------------===//

const std::string kHead = R"(#version 460
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(push_constant) uniform P { uint n, m, zero; } p;
#define G gl_WorkGroupID
#define L gl_LocalInvocationID
#define SIZE (gl_NumWorkGroups * gl_WorkGroupSize)
#define Q gl_GlobalInvocationID
#define PLACE ((Q.z * SIZE.y + Q.y) * SIZE.x + Q.x)
)";
const std::string kLine = "layout(local_size_x = 32) in;\n";
const std::string kPlane = "layout(local_size_x = 8, local_size_y = 4) in;\n";
const std::string kCube = "layout(local_size_x = 4, local_size_y = 2, local_size_z = 4) in;\n";

class Packed : public testing::Test {
protected:
  void SetUp() override {
    if (noDevices())
      GTEST_SKIP() << "no Vulkan device";
  }

  /// On 12 groups along x and 2 along y and z, packed 2, 3 and 4 times along x, and along other
  /// axes. A device that lacks what the kernel needs is left out, but not all may be.
  TechniqueReport run(const std::string &text, InputKind kind = InputKind::Glsl,
                      const SpecMap &spec = {}, Shape shape = Shape::AsCompiled) {
    Result<Compiled> compiled = compile(text, kind);
    EXPECT_TRUE(bool(compiled)) << text << (compiled ? "" : compiled.diagnostic().text);
    if (!compiled)
      return {};
    EXPECT_TRUE(bool(reshape(*compiled, shape)));
    Workload workload;
    workload.file = "test";
    workload.sizes.push_back(exchangeProblem({12, 2, 2}, 32));
    for (const auto &[id, value] : spec)
      workload.sizes.back().specConstants[id] = {value, 4, {}};
    TechniqueReport report = packed(
        *compiled,
        {{2, 1, 1}, {3, 1, 1}, {4, 1, 1}, {1, 2, 1}, {2, 2, 1}, {1, 1, 2}, {3, 2, 2}, {2, 1, 2}},
        spec, workload, workload.sizes.front());
    leaveOutLacking(report);
    return report;
  }
  void expectSame(const std::string &text, InputKind kind = InputKind::Glsl,
                  const SpecMap &spec = {}) {
    for (Shape shape : {Shape::AsCompiled, Shape::Fast}) {
      TechniqueReport report = run(text, kind, spec, shape);
      EXPECT_EQ(report.text(), "") << text;
      EXPECT_THAT(report.refusals, testing::IsEmpty()) << text;
      EXPECT_EQ(report.variants, 8u);
      EXPECT_GE(report.ranExact, 8u);
    }
  }
  void line(const std::string &globals, const std::string &body) {
    expectSame(kHead + kLine + globals + "void main() { " + body + " }");
  }
};

TEST_F(Packed, IdsOfEveryKind) {
  const std::string body =
      "uint h = 17; h = h * 31 + G.x; h = h * 31 + G.y; h = h * 31 + G.z;"
      "h = h * 31 + L.x; h = h * 31 + L.y; h = h * 31 + L.z; h = h * 31 + gl_LocalInvocationIndex;"
      "h = h * 31 + gl_NumWorkGroups.x; h = h * 31 + gl_NumWorkGroups.y * gl_NumWorkGroups.z;"
      "h = h * 31 + gl_WorkGroupSize.x; h += G[p.m % 3] * 7 + L[p.n % 3]; a[PLACE] = h;";
  for (const std::string &size : {kLine, kPlane, kCube})
    expectSame(kHead + size + "void main() { " + body + " }");
  expectSame(kHead + "layout(local_size_x = 5, local_size_y = 3, local_size_z = 2) in;\n" +
             "void main() { " + body + " }");
}

TEST_F(Packed, TilesOfEveryShape) {
  for (const std::string &size : {kLine, kPlane, kCube})
    expectSame(kHead + size + R"(
shared uint tile[gl_WorkGroupSize.z][gl_WorkGroupSize.y][gl_WorkGroupSize.x + 1];
void main() {
  tile[L.z][L.y][L.x] = b[PLACE] + G.x;
  barrier();
  uvec3 o = gl_WorkGroupSize - 1 - L;
  a[PLACE] = tile[o.z][o.y][o.x] * 3 + tile[L.z][L.y][o.x];
})");
}

TEST_F(Packed, SeveralBarriersAndAReduction) {
  line("shared uint part[32]; shared uint total;", R"(
  part[L.x] = b[PLACE] & 255;
  for (uint s = 16; s > 0; s >>= 1) { barrier(); if (L.x < s) part[L.x] += part[L.x + s]; }
  if (L.x == 0) total = part[0] + G.y;
  barrier();
  a[PLACE] = total * 64 + L.x;)");
}

TEST_F(Packed, StructuresAndNestedArrays) {
  line("struct In { vec3 v; uint n[3]; }; struct S { In in2[2]; float f; mat3 m; bool q; };"
       "shared S s; shared S many[32];",
       R"(
  many[L.x].in2[1].v = vec3(L.x, G.x, b[PLACE] & 7);
  many[L.x].in2[L.x & 1].n[L.x % 3] = b[PLACE];
  many[L.x].in2[(L.x & 1) ^ 1].n[L.x % 3] = G.x;
  many[L.x].m = mat3(L.x); many[L.x].m[1][2] = float(G.x); many[L.x].q = (L.x & 3) == 1;
  many[L.x].f = float(G.y);
  if (L.x == 3) { s.in2[0].v = vec3(G.xyz); s.in2[0].n[2] = G.x * 5; s.m = mat3(G.x); s.q = G.x > 3; }
  barrier();
  uint o = 31 - L.x;
  a[PLACE] = many[o].in2[o & 1].n[o % 3] + uint(many[o].in2[1].v.y) * 100 +
      uint(many[o].m[1][2] + many[o].m[0][0]) + (many[o].q ? 7u : 9u) + s.in2[0].n[2] * 1000 +
      uint(s.m[2].z) + (s.q ? 1u : 0u) + uint(s.in2[0].v.z);)");
}

TEST_F(Packed, WholeLoadsAndStores) {
  line("struct S { uint x; uint y[4]; }; shared S s; shared uint t[4]; shared uint z; shared mat2 "
       "m;",
       R"(
  S mine; mine.x = G.x; mine.y = uint[](1u, 2u, G.x, 4u);
  if (L.x == 5) { s = mine; t = mine.y; z = G.x + 11; m = mat2(G.x); }
  barrier();
  S all = s; uint v[4] = t; mat2 n = m * 2.0;
  a[PLACE] = all.x + all.y[L.x & 3] * 10 + v[(L.x + 1) & 3] * 100 + z * 1000 + uint(n[1].y);)");
}

TEST_F(Packed, Booleans) {
  line("shared bool any2[32]; shared bvec3 q;", R"(
  any2[L.x] = (b[PLACE] & 1) != 0;
  if (L.x == 7) q = bvec3(G.x > 2, G.y > 0, true);
  barrier();
  uint n = 0; for (uint i = 0; i < 32; ++i) n += any2[i] ? 1 : 0;
  a[PLACE] = n * 8 + (q.x ? 1 : 0) + (q.y ? 2 : 0) + (q.z ? 4 : 0);)");
}

TEST_F(Packed, SmallAndLargeTypes) {
  line("#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
       "shared uint8_t c[32]; shared u16vec3 h[32]; shared f16vec2 f[32]; shared uint64_t w;",
       R"(
  c[L.x] = uint8_t(b[PLACE]); h[L.x] = u16vec3(b[PLACE], G.x, L.x);
  f[L.x] = f16vec2(L.x, G.x); if (L.x == 0) w = uint64_t(G.x) << 33;
  barrier();
  uint o = 31 - L.x;
  a[PLACE] = uint(c[o]) + uint(h[o].x) * 3 + uint(h[o].y) * 5 + uint(f[o].x + f[o].y) + uint(w >> 32);)");
}

TEST_F(Packed, AtomicsOnSharedMemory) {
  line("shared uint bins[16]; shared uint count; shared int low;", R"(
  if (L.x < 16) bins[L.x] = 0; if (L.x == 0) { count = 0; low = 1000; }
  barrier();
  atomicAdd(bins[b[PLACE] & 15], 1); atomicMax(count, b[PLACE] & 1023);
  atomicMin(low, int(b[PLACE] & 511) - int(G.x));
  uint old = atomicCompSwap(bins[0], 0xffffffffu, 5u);
  barrier();
  a[PLACE] = bins[L.x & 15] + count * 64 + uint(low) * 7 + (old > 64 ? 1 : 0);)");
}

TEST_F(Packed, PointersPassedToFunctions) {
  line("shared uint t[32]; shared uint u[32]; shared uint z;\n"
       "uint at(uint i) { return t[i] + u[31 - i]; }\n"
       "void put(inout uint w[32], uint v) { w[L.x] = v; }\n",
       R"(
  t[L.x] = b[PLACE]; u[L.x] = G.x * L.x; barrier();
  a[PLACE] = at(31 - L.x);)");
  // HLSL style: the pointer itself is the argument.
  const std::string text = R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %index %global %count
               OpExecutionMode %main LocalSize 32 1 1
               OpDecorate %index BuiltIn LocalInvocationIndex
               OpDecorate %global BuiltIn GlobalInvocationId
               OpDecorate %count BuiltIn NumWorkgroups
               OpDecorate %words ArrayStride 4
               OpDecorate %buffer Block
               OpMemberDecorate %buffer 0 Offset 0
               OpDecorate %out DescriptorSet 0
               OpDecorate %out Binding 0
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %uint = OpTypeInt 32 0
         %v3 = OpTypeVector %uint 3
      %input = OpTypePointer Input %uint
     %input3 = OpTypePointer Input %v3
      %index = OpVariable %input Input
     %global = OpVariable %input3 Input
      %count = OpVariable %input3 Input
      %words = OpTypeRuntimeArray %uint
     %buffer = OpTypeStruct %words
    %pbuffer = OpTypePointer StorageBuffer %buffer
      %pword = OpTypePointer StorageBuffer %uint
        %out = OpVariable %pbuffer StorageBuffer
         %n0 = OpConstant %uint 0
         %n2 = OpConstant %uint 2
        %n31 = OpConstant %uint 31
        %n32 = OpConstant %uint 32
       %n264 = OpConstant %uint 264
      %array = OpTypeArray %uint %n32
     %shared = OpTypePointer Workgroup %array
    %element = OpTypePointer Workgroup %uint
       %bool = OpTypeBool
      %putfn = OpTypeFunction %void %shared %uint
      %getfn = OpTypeFunction %uint %shared %element
        %one = OpVariable %shared Workgroup
        %two = OpVariable %shared Workgroup
     %scalar = OpVariable %element Workgroup
        %put = OpFunction %void None %putfn
         %pw = OpFunctionParameter %shared
         %pv = OpFunctionParameter %uint
         %pl = OpLabel
         %pi = OpLoad %uint %index
        %own = OpAccessChain %element %pw %pi
               OpStore %own %pv
               OpReturn
               OpFunctionEnd
        %get = OpFunction %uint None %getfn
         %gw = OpFunctionParameter %shared
         %gs = OpFunctionParameter %element
         %gl = OpLabel
         %gi = OpLoad %uint %index
      %other = OpISub %uint %n31 %gi
         %gp = OpAccessChain %element %gw %other
         %gv = OpLoad %uint %gp
         %sv = OpLoad %uint %gs
       %gsum = OpIAdd %uint %gv %sv
               OpReturnValue %gsum
               OpFunctionEnd
      %outer = OpFunction %uint None %getfn
         %ow = OpFunctionParameter %shared
         %os = OpFunctionParameter %element
         %ol = OpLabel
         %ov = OpFunctionCall %uint %get %ow %os
      %whole = OpLoad %array %ow
      %first = OpCompositeExtract %uint %whole 3
       %osum = OpIAdd %uint %ov %first
               OpReturnValue %osum
               OpFunctionEnd
       %main = OpFunction %void None %fn
      %label = OpLabel
          %g = OpLoad %v3 %global
         %gx = OpCompositeExtract %uint %g 0
        %sqr = OpIMul %uint %gx %gx
          %p = OpFunctionCall %void %put %one %gx
          %q = OpFunctionCall %void %put %two %sqr
          %i = OpLoad %uint %index
        %is0 = OpIEqual %bool %i %n0
               OpSelectionMerge %met None
               OpBranchConditional %is0 %lone %met
       %lone = OpLabel
               OpStore %scalar %n31
               OpBranch %met
        %met = OpLabel
               OpControlBarrier %n2 %n2 %n264
          %r = OpFunctionCall %uint %get %one %scalar
          %s = OpFunctionCall %uint %outer %two %scalar
        %sum = OpIAdd %uint %r %s
         %gy = OpCompositeExtract %uint %g 1
         %gz = OpCompositeExtract %uint %g 2
         %cs = OpLoad %v3 %count
         %cx = OpCompositeExtract %uint %cs 0
         %cy = OpCompositeExtract %uint %cs 1
         %zy = OpIMul %uint %gz %cy
        %row = OpIAdd %uint %zy %gy
      %width = OpIMul %uint %cx %n32
       %base = OpIMul %uint %row %width
      %place = OpIAdd %uint %base %gx
         %to = OpAccessChain %pword %out %n0 %place
               OpStore %to %sum
               OpReturn
               OpFunctionEnd
)";
  expectSame(text, InputKind::SpirvText);
}

TEST_F(Packed, LengthsFromSpecializationConstants) {
  expectSame(kHead + kLine + "layout(constant_id = 4) const uint N = 1;\n" + R"(
shared uint t[N][2];
void main() {
  t[L.x][L.x & 1] = b[PLACE]; t[L.x][(L.x & 1) ^ 1] = G.x;
  barrier();
  a[PLACE] = t[31 - L.x][0] + t[31 - L.x][1] * 5 + N;
})",
             InputKind::Glsl, {{4, 40}});
}

TEST_F(Packed, SizesThatAreSpecializationConstants) {
  expectSame(kHead + "layout(local_size_x_id = 4) in;\n" + R"(
shared uint t[gl_WorkGroupSize.x];
void main() {
  t[L.x] = b[PLACE] + G.x;
  barrier();
  a[PLACE] = t[gl_WorkGroupSize.x - 1 - L.x];
})",
             InputKind::Glsl, {{4, 32}});
}

TEST_F(Packed, ZeroInitialisedMemory) {
  expectSame("#version 460\n#extension GL_EXT_null_initializer : require\n" + kHead.substr(13) +
             kLine + R"(
shared uint t[32] = {}; shared uint n = {};
void main() {
  if (L.x > 3) atomicAdd(t[L.x & 7], b[PLACE] & 15);
  atomicAdd(n, G.x);
  barrier();
  a[PLACE] = t[L.x] * 100 + n;
})");
}

TEST_F(Packed, BarriersUnderUniformFlow) {
  line("shared uint t[32];", R"(
  uint sum = 0;
  for (uint i = 0; i < p.n; ++i) {
    t[L.x] = b[(PLACE + i) % b.length()];
    barrier();
    for (uint j = 0; j < (G.x & 3); ++j) sum += t[(L.x + j) & 31];
    if (p.m == 3) { barrier(); sum = sum * 3 + t[31 - L.x]; }
    barrier();
  }
  if (G.x == 5) return;
  a[PLACE] = sum;)");
}

TEST_F(Packed, EarlyExitsInsideAGroupWithoutBarriersBehind) {
  line("shared uint t[32]; shared uint stop;", R"(
  t[L.x] = b[PLACE] & 255; if (L.x == 0) stop = b[PLACE] & 1;
  barrier();
  if (stop == 1) return;
  a[PLACE] = t[31 - L.x] + 1;)");
}

TEST_F(Packed, CountersOverAllGroups) { // the authored number of groups is what it sees
  line("shared uint last;", R"(
  if (L.x == 0) {
    uint all = gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_NumWorkGroups.z;
    last = atomicAdd(a[a.length() - 1], 1) + 1 <= all ? 1 : 0;
  }
  barrier();
  if (PLACE < 32 * 47) a[PLACE] = last * 10 + L.x;)");
}

//===----------------------------------------------------------------------===//
// Counter-examples
//===----------------------------------------------------------------------===//

// What the refusals are for: each is refused along x, and right along the others.
TEST_F(Packed, GroupsThatReachBarriersUnlikeAreRefusedAlongX) {
  const std::string meet = "{ t[L.x] = b[PLACE]; barrier(); a[PLACE] += t[31 - L.x]; barrier(); }";
  for (const std::string &body :
       {std::string("if (G.x >= 7) return;" + meet), "for (uint i = 0; i <= G.x; ++i) " + meet,
        "if ((b[G.x] & 1) != 0) " + meet, "if ((G.x & 1) != 0) " + meet}) {
    TechniqueReport report = run(kHead + kLine + "shared uint t[32]; void main() { " + body + " }");
    EXPECT_EQ(report.text(), "") << body;
    ASSERT_FALSE(report.refusals.empty());
    EXPECT_THAT(report.refusals.back(), testing::HasSubstr("groups along x"));
    EXPECT_EQ(report.variants, 2u) << body; // {1,2,1} and {1,1,2}
  }
}

} // namespace
