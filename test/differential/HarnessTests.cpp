//===- differential/HarnessTests.cpp - A wrong proof is caught ------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Certificates that claim too much, written by hand: the harness must see what
// the variants made from them do. A harness that does not would pass anything.
//
//===----------------------------------------------------------------------===//
#include "Harness.h"

#include "passes/CanonicalizeWorkgroupSize.h"
#include "passes/PassManager.h"
#include "passes/Resize.h"

#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cstring>

using namespace tailor;
using namespace tailor::differential;
using testing::HasSubstr;

namespace {

const std::string kHead = R"(#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(push_constant) uniform P { uint nx, ny, stride; } p;
layout(set = 0, binding = 0) buffer A { uint a[]; };
#define GX gl_GlobalInvocationID.x
#define GY gl_GlobalInvocationID.y
)";
constexpr uint32_t kStride = 16, kRows = 12; ///< groups 2x3

Workload workloadFor(const std::vector<uint32_t> &pushConstants) {
  ProblemSize size;
  size.name = "default";
  size.groups = Dim3{2, 3, 1};
  WorkloadBinding out;
  out.desc.bytes = 4 * kStride * kRows;
  out.desc.output = true;
  out.fill.kind = Fill::Kind::Poison;
  size.bindings.push_back(out);
  std::vector<std::byte> bytes(4 * pushConstants.size());
  std::memcpy(bytes.data(), pushConstants.data(), bytes.size());
  size.pushConstants.push_back({0, bytes, {}});
  Workload workload;
  workload.file = "test";
  workload.sizes.push_back(std::move(size));
  return workload;
}

std::string bytesOf(const std::vector<uint32_t> &words) {
  std::string bytes(words.size() * 4, '\0');
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

/// Runs the variant of `size` that follows from the certificate after `lie` has been at it.
template <typename Lie> Report reportOf(const std::string &body, const Dim3 &size, Lie lie) {
  Report report;
  Result<Compiled> compiled = compile(kHead + "void main() { " + body + " }", InputKind::Glsl);
  if (!compiled) {
    ADD_FAILURE() << compiled.diagnostic().text;
    return report;
  }
  Result<EntryPoint> entry = findComputeEntryPoint(compiled->module, "main");
  Result<Certificate> certificate = certify(compiled->module, *entry);
  if (!certificate) {
    ADD_FAILURE() << certificate.diagnostic().text;
    return report;
  }
  lie(*certificate);
  Result<Dispatch> dispatch = resizeDispatch(*certificate, size);
  Result<KernelInfo> kernel = describeKernel(compiled->module, *entry, "kernel", *certificate);
  if (!dispatch || !kernel) {
    ADD_FAILURE() << "the certificate makes no variant";
    return report;
  }
  Bundle bundle;
  kernel->variants.front().code["spirv"] = bundle.addBlob(bytesOf(compiled->module.words()));
  Module made = compiled->module.clone();
  Diagnostics diagnostics;
  PassContext context{diagnostics, llvm::nulls(), {}, "main"};
  PassManager manager;
  manager.add(std::make_unique<CanonicalizeWorkgroupSize>(CanonicalizeWorkgroupSize::Options{}));
  manager.add(std::make_unique<Resize>(Resize::Options{size, "main", &*certificate}));
  Result<Change> ran = manager.run(made, context);
  EXPECT_TRUE(bool(ran)) << (ran ? "" : ran.diagnostic().text);
  VariantInfo variant;
  variant.id = "lie";
  variant.technique = "resize";
  variant.localSize = size;
  variant.dispatch = *dispatch;
  variant.code["spirv"] = bundle.addBlob(bytesOf(made.words()));
  kernel->variants.push_back(variant);
  Workload workload = workloadFor({13, 11, kStride});
  compareVariants(bundle, *kernel, workload, workload.sizes.front(), report);
  EXPECT_TRUE(report.broken.empty()) << report.text();
  return report;
}

class Harness : public testing::Test {
protected:
  void SetUp() override {
    if (noDevices())
      GTEST_SKIP() << "no Vulkan device";
  }
};

TEST_F(Harness, PassesAVariantThatIsRight) {
  Report report = reportOf("if (GX < p.nx && GY < p.ny) a[GY * p.stride + GX] = GX * 7u + GY;",
                           {5, 3, 1}, [](Certificate &) {});
  EXPECT_EQ(report.text(), "");
  EXPECT_EQ(report.ranCover, devices().size());
}

TEST_F(Harness, SeesAnUnguardedAxis) {
  Report report = reportOf("if (GX < p.nx) a[GY * p.stride + GX] = GX * 7u + GY;", {5, 5, 1},
                           [](Certificate &c) {
                             c.bounds[1] = c.bounds[0];
                             c.bounds[1][0].axis = 1;
                             c.bounds[1][0].bound = UniformExpr::constant(kRows);
                           });
  EXPECT_EQ(report.ranCover, devices().size());
  EXPECT_EQ(report.wrong.size(), devices().size());
  EXPECT_THAT(report.text(), HasSubstr("written"));
}

TEST_F(Harness, SeesRowsThatRunIntoEachOther) {
  Report report = reportOf("if (GY < p.ny) a[GY * p.stride + GX] = GX * 7u + GY;", {5, 4, 1},
                           [](Certificate &c) {
                             c.bounds[0] = c.bounds[1];
                             c.bounds[0][0].axis = 0;
                             c.bounds[0][0].bound = UniformExpr::constant(kStride);
                           });
  EXPECT_FALSE(report.wrong.empty());
}

TEST_F(Harness, SeesABoundThatTheGridDoesNotReach) {
  // The kernel's bound is 13; the lie says 1: a grid of one group would be let through.
  Report report = reportOf("if (GX < p.nx * 2u) a[GY * p.stride + (GX & 15u)] = GX;", {7, 4, 1},
                           [](Certificate &c) {
                             for (DispatchBound &bound : c.bounds[0])
                               bound.bound = UniformExpr::constant(1);
                           });
  EXPECT_FALSE(report.wrong.empty());
}

TEST_F(Harness, SeesALocalId) {
  Report report =
      reportOf("a[GY * p.stride + GX] = gl_LocalInvocationID.x;", {4, 4, 1}, [](Certificate &c) {
        ASSERT_FALSE(c.resizeLegal());
        c.verdict(Technique::Resize).refusal.reset();
        c.rewrite.needed = false;
      });
  EXPECT_GE(report.wrong.size(), devices().size());
}

TEST_F(Harness, SeesTheNumberOfGroups) {
  Report report = reportOf("a[GY * p.stride + GX] = gl_NumWorkGroups.x;", {4, 4, 1},
                           [](Certificate &c) { c.verdict(Technique::Resize).refusal.reset(); });
  EXPECT_THAT(report.text(), HasSubstr("elements differ"));
}

TEST_F(Harness, SeesIdsThatWereNotRewritten) {
  Report report =
      reportOf("a[GY * p.stride + gl_WorkGroupID.x * 8u + gl_LocalInvocationID.x] = GX;", {4, 4, 1},
               [](Certificate &c) {
                 ASSERT_TRUE(c.resizeLegal());
                 c.rewrite.needed = false;
               });
  EXPECT_FALSE(report.wrong.empty());
}

} // namespace
