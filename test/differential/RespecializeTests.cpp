//===- differential/RespecializeTests.cpp - Sizes through constants -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels whose workgroup size is a specialization constant that tiles and loops
// follow: every size gives the bits of the authored one. The defaults are those
// of real kernels, 1, and the host's value is the authored size.
//
//===----------------------------------------------------------------------===//
#include "Harness.h"

#include "passes/Respecialize.h"

#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace tailor;
using namespace tailor::differential;

namespace {

constexpr uint32_t kTile = 16; ///< the authored value of SpecId 0

const char *const kMatmul = R"(#version 450
layout(local_size_x_id = 0, local_size_y_id = 0) in;
layout(constant_id = 0) const uint TILE = 1;
layout(push_constant) uniform P { uint m, n, k; } p;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(set = 0, binding = 2) writeonly buffer C { uint c[]; };
shared uint tileA[TILE * TILE];
shared uint tileB[TILE * TILE];
void main() {
  uvec2 l = gl_LocalInvocationID.xy;
  uint column = gl_GlobalInvocationID.x, row = gl_GlobalInvocationID.y;
  uint sum = 0;
  for (uint first = 0; first < p.k; first += TILE) {
    bool inA = row < p.m && first + l.x < p.k;
    bool inB = column < p.n && first + l.y < p.k;
    tileA[l.y * TILE + l.x] = inA ? a[row * p.k + first + l.x] : 0;
    tileB[l.y * TILE + l.x] = inB ? b[(first + l.y) * p.n + column] : 0;
    barrier();
    for (uint i = 0; i < TILE; ++i)
      sum = sum * 3u + tileA[l.y * TILE + i] * tileB[i * TILE + l.x] - sum * 2u;
    barrier();
  }
  if (row < p.m && column < p.n)
    c[row * p.n + column] = sum;
})";

// Each group adds its sum to one place: another number of groups gives the same total.
const char *const kReduction = R"(#version 450
layout(local_size_x_id = 0) in;
layout(push_constant) uniform P { uint m, n, k; } p;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
shared uint part[gl_WorkGroupSize.x];
void main() {
  uint l = gl_LocalInvocationID.x, x = gl_GlobalInvocationID.x;
  part[l] = x < p.n ? a[x] * b[x & 7u] : 0;
  barrier();
  for (uint step = gl_WorkGroupSize.x / 2u; step > 0u; step /= 2u) {
    if (l < step)
      part[l] += part[l + step];
    barrier();
  }
  if (l == 0)
    atomicAdd(c[0], part[0]);
})";

// The tile holds a literal, so it fits one size alone.
const char *const kBakedIn = R"(#version 450
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
shared uint part[16];
void main() {
  uint l = gl_LocalInvocationIndex;
  part[l & 15u] = a[gl_GlobalInvocationID.x];
  barrier();
  c[gl_GlobalInvocationID.x] = part[15u - (l & 15u)];
})";

ProblemSize problem(const Dim3 &groups) {
  ProblemSize size;
  size.name = "default";
  size.groups = groups;
  for (uint32_t binding = 0; binding < 3; ++binding) {
    WorkloadBinding buffer;
    buffer.desc.binding = binding;
    buffer.desc.bytes = 4 * 64 * 64;
    buffer.desc.output = binding == 2;
    buffer.fill.kind = binding == 2 ? Fill::Kind::Zero : Fill::Kind::Sequence;
    size.bindings.push_back(buffer);
  }
  const uint32_t constants[] = {57, 61, 45};
  std::vector<std::byte> bytes(sizeof constants);
  std::memcpy(bytes.data(), constants, sizeof constants);
  size.pushConstants.push_back({0, bytes, {}});
  size.specConstants[0] = {kTile, 4, {}};
  return size;
}

/// The module as `pass` leaves it, as a variant of the kernel.
Status addVariant(const Compiled &compiled, const Dim3 &size, const Dim3 &authored, bool insist,
                  Bundle &bundle, KernelInfo &kernel) {
  Module module = compiled.module.clone();
  Diagnostics diagnostics;
  PassContext context{diagnostics, llvm::nulls(), {{0, kTile}}, compiled.entryPoint};
  Respecialize::Options options;
  options.size = size;
  options.insist = insist;
  if (Result<Change> ran = Respecialize(options).run(module, context); !ran)
    return ran.takeFailure();
  VariantInfo variant;
  variant.id = "respecialize-" + size.str();
  variant.technique = "respecialize";
  variant.localSize = size;
  variant.dispatch = {DispatchRule::Exact, authored, size, {}};
  variant.evidence = Evidence::Declared;
  std::vector<uint32_t> words = module.words();
  std::string bytes(words.size() * 4, '\0');
  std::memcpy(bytes.data(), words.data(), bytes.size());
  variant.code["spirv"] = bundle.addBlob(std::move(bytes));
  kernel.variants.push_back(std::move(variant));
  return success();
}

Report reportOf(const char *text, const std::vector<Dim3> &sizes, const Dim3 &authored,
                const Dim3 &groups, bool insist = false) {
  Report report;
  Result<Compiled> compiled = compile(text, InputKind::Glsl);
  EXPECT_TRUE(bool(compiled));
  if (!compiled)
    return report;
  SizeRequest none;
  none.policy = SizeRequest::Policy::List;
  Bundle bundle;
  Result<KernelInfo> kernel = buildVariants(*compiled, none, {{0, kTile}}, bundle);
  EXPECT_TRUE(bool(kernel));
  if (!kernel)
    return report;
  EXPECT_EQ(kernel->authoredSize, authored);
  kernel->variants.resize(1);
  for (const Dim3 &size : sizes)
    if (Status added = addVariant(*compiled, size, authored, insist, bundle, *kernel); !added)
      report.refusal = added.diagnostic().text;
  std::string refusal = report.refusal;
  Workload workload;
  workload.file = "test";
  workload.sizes.push_back(problem(groups));
  compareVariants(bundle, *kernel, workload, workload.sizes.front(), report);
  report.refusal = refusal;
  return report;
}

class Respecialized : public testing::Test {
protected:
  void SetUp() override {
    if (noDevices())
      GTEST_SKIP() << "no Vulkan device";
  }
};

TEST_F(Respecialized, TiledProductGivesTheSameBitsAtEveryTile) {
  // 64x64 invocations whatever the size.
  Report report = reportOf(kMatmul, {{8, 8, 1}, {32, 32, 1}, {4, 4, 1}, {2, 2, 1}},
                           {kTile, kTile, 1}, {4, 4, 1});
  EXPECT_EQ(report.text(), "");
  EXPECT_EQ(report.refusal, "");
  EXPECT_GE(report.ranExact, 3u);
  // 3 does not divide 64: the rule does not admit the dispatch.
  Report odd = reportOf(kMatmul, {{3, 3, 1}}, {kTile, kTile, 1}, {4, 4, 1});
  EXPECT_EQ(odd.ranExact, 0u);
  EXPECT_GE(odd.leftOut, 1u);
}

TEST_F(Respecialized, ReductionGivesTheSameTotalAtEverySize) {
  Report report = reportOf(kReduction, {{8, 1, 1}, {32, 1, 1}, {64, 1, 1}, {1, 1, 1}},
                           {kTile, 1, 1}, {4, 1, 1});
  EXPECT_EQ(report.text(), "");
  EXPECT_EQ(report.refusal, "");
  EXPECT_GE(report.ranExact, 4u);
}

TEST_F(Respecialized, LiteralsThatFitOneSizeAreRefused) {
  Report report = reportOf(kBakedIn, {{8, 1, 1}}, {kTile, 1, 1}, {4, 1, 1});
  EXPECT_FALSE(report.proven);
  EXPECT_NE(report.refusal.find("nothing in the body follows it"), std::string::npos);
}

// What the refusal is for: made all the same, the results differ, and the comparison sees it.
TEST_F(Respecialized, InsistingOnLiteralsGivesOtherResults) {
  Report report = reportOf(kBakedIn, {{8, 1, 1}}, {kTile, 1, 1}, {4, 1, 1}, /*insist=*/true);
  EXPECT_TRUE(report.broken.empty()) << report.text();
  EXPECT_FALSE(report.wrong.empty());
}

} // namespace
