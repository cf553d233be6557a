//===- differential/TechniqueIdTests.cpp - Ids computed, bit for bit ------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// remap-ids, guard-grid, swizzle-lanes and swizzle-groups on kernels that write all
// their ids: every variant gives the bits of the authored kernel.
//
//===----------------------------------------------------------------------===//
#include "TechniqueKernels.h"

#include "passes/PassRegistry.h"
#include "gmock/gmock.h"

#include <cstring>

using namespace tailor;
using namespace tailor::differential;
using testing::HasSubstr;

namespace {

using TechniqueIds = TechniqueTest;

//===----------------------------------------------------------------------===//
// remap-ids
//===----------------------------------------------------------------------===//

TEST_F(TechniqueIds, RemapGivesEveryIdAtEverySize) {
  const Dim3 authored{8, 4, 1};
  std::vector<TechniqueVariant> variants;
  for (const Dim3 &size : {Dim3{32, 1, 1}, Dim3{4, 4, 1}, Dim3{1, 1, 1}, Dim3{16, 8, 1},
                           Dim3{2, 8, 2}, Dim3{8, 1, 1}, Dim3{6, 3, 1}, Dim3{3, 12, 2}})
    variants.push_back(remapped(authored, size));
  same(sized(kAllIds, authored), idProblem({12, 6, 2}, authored), variants);
}

TEST_F(TechniqueIds, RemapGivesEveryIdOfOddSizes) {
  const Dim3 authored{6, 5, 3};
  std::vector<TechniqueVariant> variants;
  for (const Dim3 &size : {Dim3{4, 4, 2}, Dim3{9, 1, 1}, Dim3{12, 10, 1}, Dim3{3, 5, 1},
                           Dim3{2, 1, 9}, Dim3{36, 1, 1}})
    variants.push_back(remapped(authored, size));
  same(sized(kAllIds, authored), idProblem({6, 4, 6}, authored), variants);
}

TEST_F(TechniqueIds, RemapOfRemap) {
  const Dim3 authored{6, 4, 1};
  TechniqueVariant twice = remapped(authored, {8, 3, 1});
  twice.pipeline = "remap-ids<size=4x6>,remap-ids<size=16>,remap-ids<size=8x3>";
  same(sized(kAllIds, authored), idProblem({8, 3, 1}, authored), {twice});
}

TEST_F(TechniqueIds, RemapKeepsMemoryOfOneInvocationApart) {
  const std::string text = kIdHead + R"(
shared uint stack[64 * 5];
void main() {
  for (uint i = 0u; i < 5u; ++i)
    stack[I * 5u + i] = b[PLACE] * (i + 1u);
  uint sum = 0u;
  for (uint i = 0u; i < 5u; ++i)
    sum = sum * 3u + stack[I * 5u + (i * 2u) % 5u];
  a[PLACE] = sum;
}
)";
  const Dim3 authored{64, 1, 1};
  same(sized(text, authored), idProblem({6, 1, 1}, authored),
       {remapped(authored, {16, 1, 1}), remapped(authored, {1, 1, 1})});
  TechniqueReport wide =
      run(sized(text, authored), idProblem({6, 1, 1}, authored), {remapped(authored, {96, 1, 1})});
  EXPECT_THAT(wide.refusals,
              testing::ElementsAre(HasSubstr("remap does not make 96x1x1 of 64x1x1")));
}

TEST_F(TechniqueIds, RemapPastTheGridUnderABoundsCheck) {
  const std::string text = kIdHead + R"(
layout(push_constant) uniform P { uint n, m; } p;
void main() {
  if (Q.x < p.n && Q.y < p.m)
    a[Q.y * p.n + Q.x] = b[Q.y * p.n + Q.x] + I * 3u + G.x * 5u + G.y * 7u;
}
)";
  const Dim3 authored{8, 4, 1};
  ProblemSize size = idProblem({3, 5, 1}, authored, 8);
  const uint32_t bounds[] = {21, 18};
  std::memcpy(size.pushConstants[0].data.data(), bounds, sizeof bounds);
  Result<Compiled> compiled = compile(sized(text, authored), InputKind::Glsl);
  ASSERT_TRUE(bool(compiled)) << compiled.diagnostic().text;
  Result<EntryPoint> entry = findComputeEntryPoint(compiled->module, "main");
  Result<Certificate> certificate = certify(compiled->module, *entry);
  ASSERT_TRUE(bool(certificate)) << certificate.diagnostic().text;
  std::vector<TechniqueVariant> variants;
  for (const Dim3 &each : {Dim3{5, 3, 1}, Dim3{7, 1, 1}, Dim3{64, 2, 1}}) {
    variants.push_back(remapped(authored, each));
    Result<Dispatch> dispatch = dispatchOf(*certificate, Technique::Remap, each);
    ASSERT_TRUE(bool(dispatch)) << dispatch.diagnostic().text;
    ASSERT_EQ(dispatch->rule, DispatchRule::Cover);
    variants.back().dispatch = *dispatch;
  }
  same(sized(text, authored), size, variants);
}

//===----------------------------------------------------------------------===//
// guard-grid
//===----------------------------------------------------------------------===//

const std::vector<Dim3> kOddSizes = {{5, 3, 1}, {7, 1, 1}, {32, 1, 1}, {3, 7, 2}, {64, 2, 1}};

TEST_F(TechniqueIds, GuardedRemapAtSizesThatDivideNothing) {
  const Dim3 authored{8, 4, 1};
  std::vector<TechniqueVariant> variants;
  for (const Dim3 &size : kOddSizes)
    for (GridSource source : {GridSource::PushConstants, GridSource::SpecConstants})
      variants.push_back(guardedRemap(authored, size, source));
  same(sized(kAllIds, authored), idProblem({3, 5, 1}, authored), variants);
}

TEST_F(TechniqueIds, GuardedResizeWithStoresInFrontOfTheCheck) {
  // The row length is a constant: a resized kernel does not know its number of groups.
  const std::string text = kIdHead + R"(
layout(push_constant) uniform P { uint n; vec3 v; uint w; } p;
void main() {
  uint at = Q.y * 24u + Q.x;
  a[at] = b[at] * p.n;
  if (Q.x >= 20u) return;
  a[at] += uint(Q.x == G.x * 8u + L.x) + p.w;
}
)";
  const Dim3 authored{8, 4, 1};
  std::vector<TechniqueVariant> variants;
  for (const Dim3 &size : kOddSizes)
    for (GridSource source : {GridSource::PushConstants, GridSource::SpecConstants})
      variants.push_back(guardedResize(authored, size, source));
  same(sized(text, authored), idProblem({3, 5, 1}, authored, 32), variants);
}

TEST_F(TechniqueIds, GuardBehindAFullBlock) {
  const Dim3 authored{8, 4, 1};
  for (uint32_t words : {29u, 30u, 32u}) { // 29: the grid ends at 128 bytes
    const std::string text = kIdHead + "layout(push_constant) uniform P { uint v[" +
                             std::to_string(words) + "]; } p;\n" +
                             "void main() { a[PLACE] = p.v[I % " + std::to_string(words) +
                             "u] + G.x * C.x; }\n";
    same(sized(text, authored), idProblem({3, 5, 1}, authored, words * 4),
         {guardedRemap(authored, {5, 3, 1}, GridSource::PushConstants)});
  }
}

TEST_F(TechniqueIds, GuardedGridStride) {
  // Past the grid, or with another number of groups, it would do other invocations' work.
  const std::string text = kIdHead + R"(
void main() {
  uint n = 96u * C.y, sum = 0u;
  for (uint at = Q.x; at < n; at += C.x * 8u)
    sum = sum * 3u + b[at] + G.y;
  a[Q.y * C.x * 8u + Q.x] = sum;
}
)";
  const Dim3 authored{8, 1, 1};
  same(sized(text, authored), idProblem({12, 5, 1}, authored),
       {guardedRemap(authored, {5, 2, 1}, GridSource::PushConstants),
        guardedRemap(authored, {64, 1, 1}, GridSource::SpecConstants),
        guardedRemap(authored, {7, 3, 1}, GridSource::PushConstants)});
}

//===----------------------------------------------------------------------===//
// swizzle
//===----------------------------------------------------------------------===//

TEST_F(TechniqueIds, LanesInEveryOrder) {
  const Dim3 authored{16, 4, 2};
  const ProblemSize size = idProblem({3, 2, 2}, authored);
  std::vector<TechniqueVariant> variants;
  for (const char *order : {"column", "morton", "tile,tile=4x2", "tile,tile=16x4", "tile,tile=1x4"})
    variants.push_back(reordered("swizzle-lanes<order=" + std::string(order) + ">", authored));
  for (const Dim3 &shape : {Dim3{128, 1, 1}, Dim3{8, 16, 1}, Dim3{2, 1, 64}})
    for (const char *order : {"row", "column", "tile,tile=8x2"})
      variants.push_back(reordered(
          "swizzle-lanes<order=" + std::string(order) + ",size=" + shape.str() + ">", shape));
  same(meetingKernel(authored), size, variants);
  same(sized(kAllIds, authored), size, variants);
}

TEST_F(TechniqueIds, LanesOfOddSizes) {
  const Dim3 authored{6, 5, 3};
  std::vector<TechniqueVariant> variants;
  for (const char *order : {"column", "tile,tile=3x5", "tile,tile=2x1", "row,size=90",
                            "column,size=1x90", "column,size=5x6x3"})
    variants.push_back(reordered("swizzle-lanes<order=" + std::string(order) + ">", authored));
  for (size_t at : {3u, 4u, 5u})
    variants[at].size = at == 3 ? Dim3{90, 1, 1} : at == 4 ? Dim3{1, 90, 1} : Dim3{5, 6, 3};
  same(meetingKernel(authored), idProblem({3, 2, 2}, authored), variants);
}

TEST_F(TechniqueIds, GroupsInBands) {
  const Dim3 authored{8, 4, 1};
  std::vector<TechniqueVariant> variants;
  for (const char *rows : {"2", "3", "4", "7", "8", "100", "65535"})
    variants.push_back(reordered("swizzle-groups<rows=" + std::string(rows) + ">", authored));
  for (const Dim3 &groups : {Dim3{5, 7, 2}, Dim3{1, 9, 1}, Dim3{9, 1, 1}, Dim3{4, 8, 1}}) {
    same(meetingKernel(authored), idProblem(groups, authored), variants);
    same(sized(kAllIds, authored), idProblem(groups, authored), variants);
  }
}

TEST_F(TechniqueIds, OnePassAfterTheOther) {
  const Dim3 authored{8, 4, 1};
  const ProblemSize size = idProblem({8, 4, 2}, authored);
  same(meetingKernel(authored), size,
       {reordered("swizzle-groups<rows=3>,swizzle-lanes<order=morton>", authored),
        reordered("swizzle-lanes<order=column>,swizzle-groups<rows=3>", authored),
        reordered("swizzle-groups<rows=3>,swizzle-groups<rows=2>", authored),
        reordered("swizzle-lanes<order=column,size=16x2>,swizzle-lanes<order=morton>,"
                  "swizzle-lanes<order=tile,tile=2x2,size=32>",
                  {32, 1, 1})});
  TechniqueVariant remap = remapped(authored, {32, 2, 1});
  remap.pipeline = "remap-ids<size=16x2>,swizzle-lanes<order=column,size=32>,"
                   "remap-ids<size=32x2>,swizzle-lanes<order=morton>";
  remap.dispatch.div = {16, 4, 1}; // 16x2 makes 4x8 groups, the other shape keeps them, 32x2 halves
  same(sized(kAllIds, authored), size, {remap});
}

TEST_F(TechniqueIds, AfterPacking) {
  const Dim3 authored{8, 4, 1}, packed{16, 8, 1};
  TechniqueVariant variant{"pack-groups<size=16x8>,swizzle-lanes<order=tile,tile=4x4>,"
                           "swizzle-groups<rows=2>",
                           packed,
                           {DispatchRule::Exact, authored, packed, {}}};
  variant.sharedBytes = 4 * packed.product();
  same(meetingKernel(authored), idProblem({6, 6, 2}, authored), {variant});
}

TEST_F(TechniqueIds, BeforePacking) {
  const Dim3 authored{8, 4, 1}, packed{12, 10, 1};
  TechniqueVariant variant{
      "remap-ids<size=6x5>,swizzle-lanes<order=column>,pack-groups<size=12x10>",
      packed,
      {DispatchRule::Exact, authored, packed, {}}};
  same(sized(kAllIds, authored), idProblem({6, 5, 2}, authored), {variant});
}

TEST_F(TechniqueIds, AroundCoarsening) {
  if (!PassRegistry().find("coarsen-threads"))
    GTEST_SKIP() << "no pass coarsen-threads";
  const Dim3 authored{16, 4, 1};
  same(meetingKernel(authored), idProblem({6, 4, 2}, authored),
       {reordered("coarsen-threads<size=8x4>,swizzle-lanes<order=column>,swizzle-groups<rows=2>",
                  {8, 4, 1}),
        reordered("coarsen-threads<size=4x4,form=blocked>,swizzle-lanes<order=morton,size=16>",
                  {16, 1, 1}),
        reordered("swizzle-groups<rows=3>,swizzle-lanes<order=morton>,coarsen-threads<size=4x4>",
                  {4, 4, 1}),
        reordered("swizzle-lanes<order=column,size=64>,coarsen-threads<size=16,form=blocked>",
                  {16, 1, 1})});
}

} // namespace
