//===- differential/TechniqueIdTests.cpp - Ids computed, bit for bit -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// remap-ids, guard-grid, swizzle-lanes and swizzle-groups on kernels that write all
// their ids, and on those of bench/kernels: every variant gives the bits of the
// authored kernel. And variants that no proof stands behind, which must not.
//
//===----------------------------------------------------------------------===//
#include "BenchKernels.h"
#include "TechniqueKernels.h"

#include "passes/RemapIds.h"
#include "passes/SwizzleGroups.h"
#include "passes/SwizzleLanes.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cstring>
#include <iostream>

using namespace tailor;
using namespace tailor::differential;
using testing::HasSubstr;

namespace {

/// Each invocation writes at PLACE, its number in the grid of the dispatch, which the kernel takes
/// from the ids themselves; `a` has no room for others.
const std::string kHead = R"(#version 460
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
#define G gl_WorkGroupID
#define L gl_LocalInvocationID
#define I gl_LocalInvocationIndex
#define C gl_NumWorkGroups
#define Q gl_GlobalInvocationID
#define PLACE ((Q.z * C.y * gl_WorkGroupSize.y + Q.y) * C.x * gl_WorkGroupSize.x + Q.x)
)";

/// All ids, in several ways of reading them.
const std::string kAllIds = kHead + R"(
uint hash(uvec3 v) { return (v.x * 31u + v.y) * 37u + v.z; }
uint inFunction(uint axis) { return L[axis] * 5u + G[axis]; }
void main() {
  uint sum = I * 7u;
  for (uint axis = 0u; axis < 3u; ++axis)
    sum = sum * 13u + inFunction(axis) + C[axis];
  uvec3 local = L, group = G;
  ivec3 difference = ivec3(gl_GlobalInvocationID) - ivec3(group * gl_WorkGroupSize + local);
  sum = sum * 17u + hash(group) + hash(local.zxy) + uint(difference.x + difference.y + difference.z);
  if ((L.y & 1u) == 1u)
    sum ^= uint(G.x) * 0x10001u;
  a[PLACE] = sum + b[PLACE];
}
)";

std::string sized(const std::string &text, const Dim3 &size) {
  std::string layout = "layout(local_size_x = " + std::to_string(size.x) +
                       ", local_size_y = " + std::to_string(size.y) +
                       ", local_size_z = " + std::to_string(size.z) + ") in;\n";
  std::string whole = text;
  return whole.insert(whole.find('\n') + 1, layout);
}

/// A problem whose buffers end with the grid.
ProblemSize problem(const Dim3 &groups, const Dim3 &authored, uint32_t pushConstantBytes = 0) {
  ProblemSize size;
  size.name = "default";
  size.groups = groups;
  for (uint32_t binding = 0; binding < 2; ++binding) {
    WorkloadBinding buffer;
    buffer.desc.binding = binding;
    buffer.desc.bytes = 4 * authored.product() * groups.product();
    buffer.desc.output = binding == 0;
    buffer.fill.kind = binding == 0 ? Fill::Kind::Poison : Fill::Kind::Random;
    buffer.fill.seed = 7;
    size.bindings.push_back(buffer);
  }
  if (pushConstantBytes != 0) {
    std::vector<std::byte> bytes(pushConstantBytes);
    for (size_t at = 0; at < bytes.size(); ++at)
      bytes[at] = static_cast<std::byte>(at * 11 + 1);
    size.pushConstants.push_back({0, bytes, {}});
  }
  return size;
}

class TechniqueIds : public testing::Test {
protected:
  void SetUp() override {
    if (noDevices())
      GTEST_SKIP() << "no Vulkan device";
  }
  static TechniqueReport run(const std::string &text, const ProblemSize &size,
                             const std::vector<TechniqueVariant> &variants) {
    Result<Compiled> compiled = compile(text, InputKind::Glsl);
    if (!compiled) {
      ADD_FAILURE() << compiled.diagnostic().text << "\n" << text;
      return {};
    }
    Workload workload;
    workload.file = "test";
    workload.sizes.push_back(size);
    TechniqueReport report = compareTechniques(*compiled, variants, {}, workload, size);
    EXPECT_TRUE(report.broken.empty()) << report.text();
    return report;
  }
  /// All of them run, on all devices, and give the same bits.
  static void same(const std::string &text, const ProblemSize &size,
                   const std::vector<TechniqueVariant> &variants) {
    TechniqueReport report = run(text, size, variants);
    EXPECT_EQ(report.text(), "");
    EXPECT_THAT(report.refusals, testing::IsEmpty());
    EXPECT_EQ(report.ranExact + report.ranCover, variants.size() * devices().size());
  }
};

//===----------------------------------------------------------------------===//
// remap-ids
//===----------------------------------------------------------------------===//

TEST_F(TechniqueIds, RemapGivesEveryIdAtEverySize) {
  const Dim3 authored{8, 4, 1};
  std::vector<TechniqueVariant> variants;
  for (const Dim3 &size : {Dim3{32, 1, 1}, Dim3{4, 4, 1}, Dim3{1, 1, 1}, Dim3{16, 8, 1},
                           Dim3{2, 8, 2}, Dim3{8, 1, 1}, Dim3{6, 3, 1}, Dim3{3, 12, 2}})
    variants.push_back(remapped(authored, size));
  same(sized(kAllIds, authored), problem({12, 6, 2}, authored), variants);
}

TEST_F(TechniqueIds, RemapGivesEveryIdOfOddSizes) {
  const Dim3 authored{6, 5, 3};
  std::vector<TechniqueVariant> variants;
  for (const Dim3 &size : {Dim3{4, 4, 2}, Dim3{9, 1, 1}, Dim3{12, 10, 1}, Dim3{3, 5, 1},
                           Dim3{2, 1, 9}, Dim3{36, 1, 1}})
    variants.push_back(remapped(authored, size));
  same(sized(kAllIds, authored), problem({6, 4, 6}, authored), variants);
}

TEST_F(TechniqueIds, RemapOfRemap) {
  const Dim3 authored{6, 4, 1};
  TechniqueVariant twice = remapped(authored, {8, 3, 1});
  twice.pipeline = "remap-ids<size=4x6>,remap-ids<size=16>,remap-ids<size=8x3>";
  same(sized(kAllIds, authored), problem({8, 3, 1}, authored), {twice});
}

TEST_F(TechniqueIds, RemapKeepsMemoryOfOneInvocationApart) {
  const std::string text = kHead + R"(
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
  same(sized(text, authored), problem({6, 1, 1}, authored),
       {remapped(authored, {16, 1, 1}), remapped(authored, {1, 1, 1})});
  TechniqueReport wide =
      run(sized(text, authored), problem({6, 1, 1}, authored), {remapped(authored, {96, 1, 1})});
  EXPECT_THAT(wide.refusals,
              testing::ElementsAre(HasSubstr("remap does not make 96x1x1 of 64x1x1")));
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
  same(sized(kAllIds, authored), problem({3, 5, 1}, authored), variants);
}

TEST_F(TechniqueIds, GuardedResizeWithStoresInFrontOfTheCheck) {
  // The row length is a constant: a resized kernel does not know its number of groups.
  const std::string text = kHead + R"(
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
  same(sized(text, authored), problem({3, 5, 1}, authored, 32), variants);
}

TEST_F(TechniqueIds, GuardBehindAFullBlock) {
  const Dim3 authored{8, 4, 1};
  for (uint32_t words : {29u, 30u, 32u}) { // 29: the grid ends at 128 bytes
    const std::string text =
        kHead + "layout(push_constant) uniform P { uint v[" + std::to_string(words) + "]; } p;\n" +
        "void main() { a[PLACE] = p.v[I % " + std::to_string(words) + "u] + G.x * C.x; }\n";
    same(sized(text, authored), problem({3, 5, 1}, authored, words * 4),
         {guardedRemap(authored, {5, 3, 1}, GridSource::PushConstants)});
  }
}

TEST_F(TechniqueIds, GuardedGridStride) {
  // Past the grid, or with another number of groups, it would do other invocations' work.
  const std::string text = kHead + R"(
void main() {
  uint n = 96u * C.y, sum = 0u;
  for (uint at = Q.x; at < n; at += C.x * 8u)
    sum = sum * 3u + b[at] + G.y;
  a[Q.y * C.x * 8u + Q.x] = sum;
}
)";
  const Dim3 authored{8, 1, 1};
  same(sized(text, authored), problem({12, 5, 1}, authored),
       {guardedRemap(authored, {5, 2, 1}, GridSource::PushConstants),
        guardedRemap(authored, {64, 1, 1}, GridSource::SpecConstants),
        guardedRemap(authored, {7, 3, 1}, GridSource::PushConstants)});
}

//===----------------------------------------------------------------------===//
// swizzle
//===----------------------------------------------------------------------===//

/// All ids, and values that cross the workgroup.
const std::string kMeeting = kHead + R"(
shared uint t[SIZE];
void main() {
  t[I] = b[PLACE] + L.x * 3u + L.y * 5u + L.z * 7u + G.x * 11u + G.y * 13u;
  barrier();
  uint sum = t[SIZE - 1u - I] * 3u + C.x;
  for (uint step = SIZE / 2u; step > 0u; step /= 2u) {
    barrier();
    uint other = t[(I + step) % SIZE];
    barrier();
    t[I] += other * step;
  }
  barrier();
  a[PLACE] = sum + t[(I * 5u) % SIZE] + I;
}
)";

std::string meeting(const Dim3 &size) {
  std::string text = sized(kMeeting, size);
  const std::string number = std::to_string(size.product()) + "u";
  for (size_t at = 0; (at = text.find("SIZE", at)) != std::string::npos;) {
    const bool alone = at == 0 || (text[at - 1] != 'p' && text[at - 1] != '_');
    if (alone)
      text.replace(at, 4, number);
    else
      at += 4;
  }
  return text;
}

TEST_F(TechniqueIds, LanesInEveryOrder) {
  const Dim3 authored{16, 4, 2};
  const ProblemSize size = problem({3, 2, 2}, authored);
  std::vector<TechniqueVariant> variants;
  for (const char *order : {"column", "morton", "tile,tile=4x2", "tile,tile=16x4", "tile,tile=1x4"})
    variants.push_back(reordered("swizzle-lanes<order=" + std::string(order) + ">", authored));
  for (const Dim3 &shape : {Dim3{128, 1, 1}, Dim3{8, 16, 1}, Dim3{2, 1, 64}})
    for (const char *order : {"row", "column", "tile,tile=8x2"})
      variants.push_back(reordered(
          "swizzle-lanes<order=" + std::string(order) + ",size=" + shape.str() + ">", shape));
  same(meeting(authored), size, variants);
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
  same(meeting(authored), problem({3, 2, 2}, authored), variants);
}

TEST_F(TechniqueIds, GroupsInBands) {
  const Dim3 authored{8, 4, 1};
  std::vector<TechniqueVariant> variants;
  for (const char *rows : {"2", "3", "4", "7", "8", "100", "65535"})
    variants.push_back(reordered("swizzle-groups<rows=" + std::string(rows) + ">", authored));
  for (const Dim3 &groups : {Dim3{5, 7, 2}, Dim3{1, 9, 1}, Dim3{9, 1, 1}, Dim3{4, 8, 1}}) {
    same(meeting(authored), problem(groups, authored), variants);
    same(sized(kAllIds, authored), problem(groups, authored), variants);
  }
}

TEST_F(TechniqueIds, OnePassAfterTheOther) {
  const Dim3 authored{8, 4, 1};
  const ProblemSize size = problem({8, 4, 2}, authored);
  same(meeting(authored), size,
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
  same(meeting(authored), problem({6, 6, 2}, authored), {variant});
}

//===----------------------------------------------------------------------===//
// What no proof stands behind
//===----------------------------------------------------------------------===//

TEST_F(TechniqueIds, RefusesWhatInvocationsExchange) {
  const Dim3 authored{16, 4, 1};
  TechniqueReport report = run(meeting(authored), problem({3, 2, 1}, authored),
                               {remapped(authored, {32, 1, 1}), remapped(authored, {8, 4, 1}),
                                guardedRemap(authored, {5, 3, 1}, GridSource::PushConstants)});
  EXPECT_EQ(report.variants, 0u);
  EXPECT_EQ(report.refusals.size(), 3u);
}

/// Certificates that claim everything.
Certificate everything(const std::string &text) {
  Result<Compiled> compiled = compile(text, InputKind::Glsl);
  EXPECT_TRUE(bool(compiled));
  Result<EntryPoint> entry = findComputeEntryPoint(compiled->module, "main");
  Result<Certificate> certificate = certify(compiled->module, *entry);
  EXPECT_TRUE(bool(certificate));
  for (Technique technique : kTechniques)
    certificate->verdict(technique) = {};
  return std::move(*certificate);
}

TEST_F(TechniqueIds, SeesARemapOfGroupsThatMeet) {
  const Dim3 authored{16, 4, 1}, size{8, 4, 1};
  const Certificate lie = everything(meeting(authored));
  TechniqueVariant variant = remapped(authored, size);
  variant.lie = [&](PassManager &manager) {
    manager.add(std::make_unique<RemapIds>(RemapIds::Options{size, "", &lie}));
  };
  EXPECT_FALSE(run(meeting(authored), problem({3, 2, 1}, authored), {variant}).wrong.empty());
}

TEST_F(TechniqueIds, SeesAPrivateStackThatTwoInvocationsShare) {
  // Both write their slot, then read it behind a barrier of the test's making.
  const std::string text = kHead + R"(
shared uint slot[32];
void main() {
  slot[I] = b[PLACE];
  barrier();
  a[PLACE] = slot[I];
}
)";
  const Dim3 authored{32, 1, 1}, size{64, 1, 1};
  const Certificate lie = everything(sized(text, authored));
  TechniqueVariant variant = remapped(authored, size);
  variant.lie = [&](PassManager &manager) {
    manager.add(std::make_unique<RemapIds>(RemapIds::Options{size, "", &lie}));
  };
  EXPECT_FALSE(run(sized(text, authored), problem({4, 1, 1}, authored), {variant}).wrong.empty());
}

TEST_F(TechniqueIds, SeesGridsThatAreRoundedUpWithoutAGuard) {
  const Dim3 authored{8, 4, 1};
  TechniqueVariant variant = guardedRemap(authored, {5, 3, 1}, GridSource::PushConstants);
  variant.guard.reset();
  EXPECT_GE(run(sized(kAllIds, authored), problem({3, 5, 1}, authored), {variant}).wrong.size(),
            devices().size());
}

TEST_F(TechniqueIds, SeesAGuardOnTheWrongAxis) {
  const Dim3 authored{8, 4, 1};
  TechniqueVariant variant = guardedRemap(authored, {5, 4, 1}, GridSource::PushConstants);
  variant.axes = {false, true, false};
  EXPECT_GE(run(sized(kAllIds, authored), problem({3, 5, 1}, authored), {variant}).wrong.size(),
            devices().size());
}

TEST_F(TechniqueIds, SeesCountsOfAGuardBehindARemap) {
  // The number of groups is computed by remap-ids already, from what the device dispatches.
  const std::string text = kHead + "void main() { a[Q.x] = C.x * 16u + G.x; }\n";
  const Dim3 authored{64, 1, 1}, size{100, 1, 1};
  TechniqueVariant right = guardedRemap(authored, size, GridSource::PushConstants);
  same(sized(text, authored), problem({5, 1, 1}, authored), {right});
  TechniqueVariant wrong = guardedRemap(authored, {24, 1, 1}, GridSource::SpecConstants);
  wrong.guard.reset();
  wrong.pipeline = "remap-ids<size=24>";
  EXPECT_FALSE(run(sized(text, authored), problem({5, 1, 1}, authored), {wrong}).wrong.empty());
}

TEST_F(TechniqueIds, SeesAnotherOrderOfASubgroup) {
  const std::string text = "#version 460\n#extension GL_KHR_shader_subgroup_vote : require\n" +
                           kHead.substr(kHead.find('\n') + 1) +
                           "void main() { a[PLACE] = subgroupAny(L.x == 0u) ? 1u : 0u; }\n";
  const Dim3 authored{16, 4, 1};
  const Certificate lie = everything(sized(text, authored));
  TechniqueVariant variant = reordered("swizzle-lanes<order=column>", authored);
  TechniqueReport refused = run(sized(text, authored), problem({2, 2, 1}, authored), {variant});
  EXPECT_THAT(refused.refusals, testing::ElementsAre(HasSubstr("inside a subgroup")));
  variant.lie = [&](PassManager &manager) {
    SwizzleLanes::Options options;
    options.swizzle.order = LaneOrder::Column;
    options.certificate = &lie;
    manager.add(std::make_unique<SwizzleLanes>(std::move(options)));
  };
  EXPECT_FALSE(run(sized(text, authored), problem({2, 2, 1}, authored), {variant}).wrong.empty());
}

//===----------------------------------------------------------------------===//
// The suite
//===----------------------------------------------------------------------===//

class TechniqueIdSuite : public testing::TestWithParam<std::string> {};

std::vector<TechniqueVariant> variantsFor(const Certificate &certificate) {
  std::vector<TechniqueVariant> variants;
  const Dim3 authored = certificate.authored.size;
  if (certificate.verdict(Technique::Swizzle).legal()) {
    if (authored.product() != authored.x) {
      variants.push_back(reordered("swizzle-lanes<order=column>", authored));
      if (checkSwizzle({LaneOrder::Morton, {}}, authored))
        variants.push_back(reordered("swizzle-lanes<order=morton>", authored));
      if (checkSwizzle({LaneOrder::Tile, {4, 4, 1}}, authored))
        variants.push_back(reordered("swizzle-lanes<order=tile,tile=4x4>", authored));
    }
    variants.push_back(reordered("swizzle-groups<rows=3>", authored));
  }
  const TechniqueVerdict &remap = certificate.verdict(Technique::Remap);
  for (const Dim3 &size : {Dim3{32, 1, 1}, Dim3{4, 8, 1}, Dim3{24, 5, 1}}) {
    if (!allowsSize(Technique::Remap, remap, authored, size))
      continue;
    bool divides = true;
    for (unsigned axis = 0; axis < 3; ++axis)
      divides &= authored[axis] % size[axis] == 0;
    variants.push_back(divides ? remapped(authored, size)
                               : guardedRemap(authored, size, GridSource::PushConstants));
    if (certificate.resizeLegal() && !divides)
      variants.push_back(guardedResize(authored, size, GridSource::SpecConstants));
  }
  return variants;
}

TEST_P(TechniqueIdSuite, GivesTheSameBits) {
  if (noDevices())
    GTEST_SKIP() << "no Vulkan device";
  const std::string folder = TAILOR_SOURCE_DIR "/bench/kernels/";
  const std::string stem = GetParam().substr(0, GetParam().find('.'));
  Result<Compiled> compiled = compileFile(folder + GetParam());
  ASSERT_TRUE(bool(compiled)) << compiled.diagnostic().text;
  Diagnostics diagnostics;
  std::optional<Workload> workload = readWorkload(folder + stem + ".workload.json", diagnostics);
  ASSERT_TRUE(workload.has_value());
  const ProblemSize &size = workload->sizes.front();
  SpecMap spec;
  for (const auto &[id, value] : size.specConstants)
    spec[id] = value.bits;
  Result<EntryPoint> entry = findComputeEntryPoint(compiled->module, compiled->entryPoint);
  ASSERT_TRUE(bool(entry));
  Result<Certificate> certificate = certify(compiled->module, *entry, spec);
  ASSERT_TRUE(bool(certificate)) << certificate.diagnostic().text;
  const std::vector<TechniqueVariant> variants = variantsFor(*certificate);
  TechniqueReport report = compareTechniques(*compiled, variants, spec, *workload, size);
  leaveOutLacking(report);
  EXPECT_EQ(report.text(), "");
  EXPECT_THAT(report.refusals, testing::IsEmpty());
  std::cout << stem << ": " << report.variants << " variants, " << report.ranExact << " runs, "
            << report.leftOut << " not admitted\n";
}

INSTANTIATE_TEST_SUITE_P(All, TechniqueIdSuite, testing::ValuesIn(benchKernels()), testName);

} // namespace
