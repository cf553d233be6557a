//===- unit/Bundle/LaneFetchTests.cpp - What lanes fetch before a variant is made ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/LaneFetch.h"

#include "Frontend/Frontend.h"
#include "IR/Reader.h"

#include "gtest/gtest.h"

using namespace tailor;

namespace {

/// Figures of one kernel, from GLSL without its #version line.
class Kernel {
public:
  explicit Kernel(const std::string &source) {
    Diagnostics diagnostics;
    Result<FrontendResult> shader =
        loadShaderFromMemory("#version 450\n" + source, "k.comp", {}, diagnostics);
    EXPECT_TRUE(shader);
    module = std::make_unique<Module>(std::move(*readModule(shader->words, "k.comp")));
    analysis = std::make_unique<KernelAnalysis>(
        std::move(*KernelAnalysis::create(*module, *findComputeEntryPoint(*module, ""))));
    fetch = std::make_unique<LaneFetch>(*analysis);
  }
  std::optional<double> operator()(std::vector<PlannedStep> steps) {
    return fetch->bytes({std::move(steps)});
  }

private:
  std::unique_ptr<Module> module;
  std::unique_ptr<KernelAnalysis> analysis;
  std::unique_ptr<LaneFetch> fetch;
};

PlannedStep resize(Dim3 size) { return {Technique::Resize, size}; }
PlannedStep coarsen(Dim3 size, const char *form = "cyclic") {
  return {Technique::Coarsen, size, false, {{"form", form}}};
}
PlannedStep swizzle(Dim3 size, std::map<std::string, std::string> parameters) {
  return {Technique::Swizzle, size, false, std::move(parameters)};
}

const std::string kBuffers = R"(
layout(push_constant) uniform P { uint width, height; } p;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) buffer B { float b[]; };
)";

} // namespace

TEST(LaneFetch, CountsTheSectorsOfEachShape) {
  Kernel transpose("layout(local_size_x = 8, local_size_y = 8) in;" + kBuffers + R"(
void main() {
  uvec2 at = gl_GlobalInvocationID.xy;
  if (at.x >= p.width || at.y >= p.height) return;
  b[at.x * p.height + at.y] = a[at.y * p.width + at.x];
})");
  // Lanes of 8 by 4: four rows of a sector, eight columns of a sector each.
  EXPECT_EQ(transpose({}), 12.0);
  EXPECT_EQ(transpose({resize({8, 32, 1})}), 12.0);
  EXPECT_EQ(transpose({resize({16, 16, 1})}), 4.0 + 16);
  EXPECT_EQ(transpose({resize({32, 8, 1})}), 4.0 + 32);
  EXPECT_EQ(transpose({resize({128, 1, 1})}), 4.0 + 32);
  EXPECT_EQ(transpose({resize({1, 128, 1})}), 32.0 + 4);
  EXPECT_EQ(transpose({resize({16, 1, 1})}), 2 * (2.0 + 16)); // half a subgroup
  // Orders of lanes: a square of 4 by 8 by columns, tiles that are the same rows.
  EXPECT_EQ(transpose({swizzle({8, 8, 1}, {{"order", "column"}})}), 12.0);
  EXPECT_EQ(transpose({resize({32, 4, 1}), swizzle({32, 4, 1}, {{"order", "column"}})}), 12.0);
  EXPECT_EQ(transpose({resize({32, 8, 1}), swizzle({32, 8, 1}, {{"order", "row"}})}), 36.0);
}

TEST(LaneFetch, CopiesShareWhatIsTheSameForThem) {
  Kernel row("layout(local_size_x = 32, local_size_y = 8) in;" + kBuffers + R"(
void main() {
  uvec2 at = gl_GlobalInvocationID.xy;
  b[at.y * p.width + at.x] = a[at.x];
})");
  EXPECT_EQ(row({}), 8.0);
  EXPECT_EQ(row({coarsen({32, 2, 1})}), 4.0 + 4.0 / 4); // a[x] is the same along y
  EXPECT_EQ(row({coarsen({8, 8, 1})}), 4.0 + 1);        // and not along x
  EXPECT_EQ(row({resize({32, 32, 1}), coarsen({32, 4, 1})}), 4.0 + 4.0 / 8);
  // Lanes of a blocked form are four elements apart, two to a sector.
  EXPECT_EQ(row({coarsen({8, 8, 1}, "blocked")}), 4 * (4.0 + 1));
}

TEST(LaneFetch, CountsLoopsAndWhatNobodyKnows) {
  Kernel loop("layout(local_size_x = 64) in;" + kBuffers + R"(
void main() {
  float sum = 0;
  for (uint i = 0; i < 10; ++i) sum += a[i * 4096 + gl_GlobalInvocationID.x];
  b[gl_GlobalInvocationID.x] = sum;
})");
  EXPECT_EQ(loop({}), 10 * 4.0 + 4);
  Kernel gather("layout(local_size_x = 64) in;" + kBuffers + R"(
void main() { b[uint(a[gl_GlobalInvocationID.x])] = 1; }
)");
  EXPECT_EQ(gather({}), 4.0 + 32); // each store in a sector of its own
  Kernel none("layout(local_size_x = 64) in; shared uint s[64];"
              "void main() { s[gl_LocalInvocationID.x] = 1; }");
  EXPECT_EQ(none({}), std::nullopt);
  EXPECT_EQ(loop({{Technique::Respecialize, {32, 1, 1}}}), std::nullopt);
}

TEST(LaneFetch, GivesUpPastSoManyArrangements) {
  Kernel copy("layout(local_size_x = 8, local_size_y = 8) in;" + kBuffers + R"(
void main() { b[gl_GlobalInvocationID.y * p.width + gl_GlobalInvocationID.x] = 1; }
)");
  size_t known = 0;
  for (uint32_t x = 1; x <= 31; ++x)
    for (uint32_t y = 1; y <= 31; ++y)
      known += copy({resize({x, y, 1})}).has_value();
  EXPECT_GE(known, LaneFetch::kMaxArrangements);
  EXPECT_LT(known, 31u * 31);
  EXPECT_TRUE(copy({resize({1, 1, 1})})); // what is known stays known
}
