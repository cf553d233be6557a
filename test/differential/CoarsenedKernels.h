//===- differential/CoarsenedKernels.h - Small kernels, coarsened ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_DIFFERENTIAL_COARSENEDKERNELS_H
#define TAILOR_DIFFERENTIAL_COARSENEDKERNELS_H

#include "TechniqueKernels.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tailor::differential {

/// Every combination of factors up to 8 that divides the size, in both forms; or the `some` of them
/// that differ most.
inline std::vector<TechniqueVariant> coarsened(const Dim3 &authored, bool some = false) {
  std::vector<TechniqueVariant> variants;
  unsigned count = 0;
  for (uint32_t z : {1u, 2u, 4u})
    for (uint32_t y : {1u, 2u, 3u, 4u})
      for (uint32_t x : {1u, 2u, 3u, 4u, 8u}) {
        if (x * y * z == 1 || x * y * z > 8 || authored.x % x || authored.y % y || authored.z % z)
          continue;
        Dim3 size{authored.x / x, authored.y / y, authored.z / z};
        if (some && x * y * z > 4)
          continue;
        for (const char *form : {"cyclic", "blocked"})
          if (!some || (count++ % 3) != 2)
            variants.push_back(
                reordered("coarsen-threads<size=" + size.str() + ",form=" + form + ">", size));
      }
  return variants;
}

inline const std::string kVersion = "#version 460\n";
inline const std::string kHead = R"(
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(push_constant) uniform P { uint n, m, zero; } p;
#define G gl_WorkGroupID
#define L gl_LocalInvocationID
#define I gl_LocalInvocationIndex
uint place() { uvec3 size = gl_NumWorkGroups * gl_WorkGroupSize, q = gl_GlobalInvocationID;
  return (q.z * size.y + q.y) * size.x + q.x; }
)";
inline const std::string kLine = "layout(local_size_x = 24) in;\n";
inline const std::string kPlane = "layout(local_size_x = 8, local_size_y = 6) in;\n";
inline const std::string kCube =
    "layout(local_size_x = 4, local_size_y = 2, local_size_z = 4) in;\n";

class Coarsened : public testing::Test {
protected:
  void SetUp() override {
    if (noDevices())
      GTEST_SKIP() << "no Vulkan device";
  }

  TechniqueReport run(const std::string &text, Shape shape) {
    Result<Compiled> compiled = compile(text, InputKind::Glsl);
    EXPECT_TRUE(bool(compiled)) << text << (compiled ? "" : compiled.diagnostic().text);
    if (!compiled)
      return {};
    EXPECT_TRUE(bool(reshape(*compiled, shape)));
    Result<EntryPoint> entry = findComputeEntryPoint(compiled->module, compiled->entryPoint);
    Result<WorkgroupSize> authored = readWorkgroupSize(compiled->module, *entry);
    Workload workload;
    workload.file = "test";
    workload.sizes.push_back(exchangeProblem({3, 2, 2}, 48));
    return compareTechniques(*compiled, coarsened(authored->size), {}, workload,
                             workload.sizes.front());
  }
  void expectSame(const std::string &text) {
    for (Shape shape : {Shape::AsCompiled, Shape::Fast, Shape::Small}) {
      TechniqueReport report = run(text, shape);
      EXPECT_EQ(report.text(), "") << text;
      EXPECT_THAT(report.refusals, testing::IsEmpty()) << text;
      EXPECT_GE(report.variants, 4u);
      EXPECT_EQ(report.ranExact, devices().size() * report.variants);
    }
  }
  void line(const std::string &globals, const std::string &body) {
    expectSame(kVersion + kLine + kHead + globals + "\nvoid main() {\n" + body + "\n}");
  }
  void plane(const std::string &globals, const std::string &body) {
    expectSame(kVersion + kPlane + kHead + globals + "\nvoid main() {\n" + body + "\n}");
  }
  void expectRefused(const std::string &globals, const std::string &body, const char *why) {
    TechniqueReport report = run(
        kVersion + kLine + kHead + globals + "\nvoid main() {\n" + body + "\n}", Shape::AsCompiled);
    EXPECT_EQ(report.variants, 0u);
    ASSERT_FALSE(report.refusals.empty());
    EXPECT_THAT(report.refusals, testing::Each(testing::HasSubstr(why)));
  }
};
} // namespace tailor::differential

#endif
