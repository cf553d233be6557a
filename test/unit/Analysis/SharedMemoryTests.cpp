//===- unit/Analysis/SharedMemoryTests.cpp - Bytes, sizes, privacy ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/SharedMemory.h"

#include "KernelSupport.h"

#include "gmock/gmock.h"

using namespace tailor;

namespace {

const std::string kSpecSize = "layout(local_size_x_id = 0, local_size_y_id = 1) in;\n"
                              "layout(constant_id = 3) const uint K = 6;\n";
const std::string kUse = "layout(set = 0, binding = 0) buffer A { float a[]; };\n";

struct Kernel {
  AnalysedKernel kernel;
  SharedMemory shared;
  explicit Kernel(const std::string &source, const SpecMap &spec = {},
                  const std::string &environment = "vulkan1.1")
      : kernel(analyse(source, spec, InputKind::Glsl, environment)) {
    if (kernel)
      shared = analyzeSharedMemory(*kernel);
  }
  std::string text() const {
    std::string all;
    for (const SharedVariable &variable : shared.variables) {
      all += variable.name + ": " + variable.type + " " +
             (variable.bytes ? std::to_string(*variable.bytes) : "unknown") + " " +
             variable.expression;
      for (uint32_t id : variable.specIds)
        all += " #" + std::to_string(id);
      all += variable.dependsOnSize ? " follows\n" : "\n";
    }
    return all;
  }
};

/// Workgroup memory `DECLARATION`, used by `body` with lid, gid and a buffer at hand: whether each
/// invocation keeps to its own.
bool isPrivate(const std::string &declaration, const std::string &body,
               const std::string &size = "local_size_x = 64") {
  Kernel kernel("layout(" + size + ") in;\n" + kUse + R"(
layout(push_constant) uniform P { uint n; uint k; } p;
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
shared )" + declaration +
                R"(;
void main() {
  uint lid = gl_LocalInvocationID.x, ly = gl_LocalInvocationID.y, gid = gl_GlobalInvocationID.x;
  uint index = gl_LocalInvocationIndex;
  )" + body + "\n}\n");
  EXPECT_EQ(kernel.shared.variables.size(), 1u);
  return !kernel.shared.variables.empty() && kernel.shared.variables[0].usedAsPrivate;
}

} // namespace

TEST(SharedMemory, CountsByTheRulesOfTheSpecification) {
  Kernel kernel("layout(local_size_x = 8) in;\n" + kUse + R"(
struct S { vec3 v; float f; bool b; };
shared float t[16][17]; shared vec3 u[4]; shared S s[2]; shared bool flag; shared mat3 m;
void main() { t[1][2] = 1.0; u[1] = vec3(1); s[1].f = 2.0; flag = true; m[0] = vec3(1);
              a[0] = t[0][0] + u[0].x + s[0].f + float(flag) + m[0].x; })");
  EXPECT_EQ(kernel.text(), "t: f32[16][17] 1088 1088\n"
                           "u: vec3<f32>[4] 64 64\n"
                           "s: S[2] 64 64\n"
                           "flag: bool 4 4\n"
                           "m: mat3x3<f32> 48 48\n");
  EXPECT_EQ(kernel.shared.totalBytes, 1088u + 64 + 64 + 4 + 12 + 48) << "m starts at 16 bytes";
  EXPECT_FALSE(kernel.shared.dependsOnSize);
}

TEST(SharedMemory, LeavesOutWhatIsNotUsed) {
  Kernel kernel("layout(local_size_x = 8) in;\n" + kUse +
                "shared float used[4]; shared float unused[400];\n"
                "void main() { used[0] = 1.0; a[0] = used[1]; }");
  EXPECT_EQ(kernel.text(), "used: f32[4] 16 16\n");
  EXPECT_EQ(kernel.shared.totalBytes, 16u);
}

TEST(SharedMemory, FollowsTheSize) {
  Kernel kernel(kSpecSize + kUse + R"(
shared float t[gl_WorkGroupSize.y][gl_WorkGroupSize.x + 1]; shared vec4 u[K]; shared uint w[9];
void main() { t[0][0] = 1.0; u[0] = vec4(2); w[0] = 1u; a[0] = t[0][1] + u[1].x + float(w[1]); })",
                {{0, 16}, {1, 8}});
  EXPECT_EQ(kernel.text(), "t: f32[size.y][size.x + 1] 544 4*size.y*(size.x + 1) #0 #1 follows\n"
                           "u: vec4<f32>[spec(3)] 96 16*spec(3) #3\n"
                           "w: u32[9] 36 36\n");
  EXPECT_EQ(kernel.shared.totalBytes, 676u);
  EXPECT_TRUE(kernel.shared.dependsOnSize);
  EXPECT_EQ(sharedBytesAt(*kernel.kernel, {16, 8, 1}), 676u);
  EXPECT_EQ(sharedBytesAt(*kernel.kernel, {32, 4, 1}), 4u * 4 * 33 + 96 + 36);
}

TEST(SharedMemory, FollowsAnotherConstantUnderTheSizesSpecId) {
  const std::string source = "layout(local_size_x_id = 7) in;\n"
                             "layout(constant_id = 7) const uint N = 1;\n" +
                             kUse +
                             "shared float t[N * 2];\n"
                             "void main() { t[gl_LocalInvocationID.x] = 1.0; a[0] = t[0]; }";
  Kernel kernel(source, {{7, 32}});
  EXPECT_EQ(kernel.text(), "t: f32[size.x*2] 256 4*size.x*2 #7 follows\n");
  EXPECT_EQ(sharedBytesAt(*kernel.kernel, {64, 1, 1}), 512u);
}

TEST(SharedMemory, IsConstantWhereTheSizeIsALiteral) {
  Kernel kernel("layout(local_size_x = 64) in;\n" + kUse + R"(
shared float t[gl_WorkGroupSize.x];
void main() { t[gl_LocalInvocationID.x] = 1.0; a[0] = t[0]; })");
  EXPECT_EQ(kernel.text(), "t: f32[64] 256 256\n");
  EXPECT_EQ(sharedBytesAt(*kernel.kernel, {128, 1, 1}), 256u);
}

TEST(SharedMemory, DoesNotInventWhatASizeCannotBe) {
  // One SpecId for two axes: 32x32 has an answer, 64x16 has none.
  Kernel kernel("layout(local_size_x_id = 0, local_size_y_id = 0) in;\n" + kUse + R"(
shared float t[gl_WorkGroupSize.x];
void main() { t[gl_LocalInvocationID.x] = 1.0; a[0] = t[0]; })",
                {{0, 16}});
  EXPECT_EQ(kernel.shared.totalBytes, 64u);
  EXPECT_EQ(sharedBytesAt(*kernel.kernel, {32, 32, 1}), 128u);
  EXPECT_EQ(sharedBytesAt(*kernel.kernel, {64, 16, 1}), std::nullopt);
  // Lengths that do not hang off the size have one whatever the size is.
  Kernel fixed("layout(local_size_x_id = 0, local_size_y_id = 0) in;\n" + kUse + R"(
shared float t[10];
void main() { t[gl_LocalInvocationID.x] = 1.0; a[0] = t[0]; })",
               {{0, 16}});
  EXPECT_EQ(sharedBytesAt(*fixed.kernel, {64, 16, 1}), 40u);
}

TEST(SharedMemory, CountsAliasedBlocksOnce) {
  Kernel kernel(R"(
#extension GL_EXT_shared_memory_block : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { float a[]; };
shared X { float x[100]; }; shared Y { uvec4 y[10]; };
void main() { x[gl_LocalInvocationID.x] = 1.0; a[0] = float(y[0].x); })",
                {}, "vulkan1.2");
  ASSERT_EQ(kernel.shared.variables.size(), 2u);
  EXPECT_TRUE(kernel.shared.variables[0].aliased);
  EXPECT_EQ(kernel.shared.totalBytes, 400u);
  EXPECT_FALSE(kernel.shared.variables[0].usedAsPrivate) << "the other block is at the same bytes";
}

// --- used as private memory: counter-examples first ---

TEST(SharedPrivacy, RefusesExchange) {
  EXPECT_FALSE(isPrivate("float t[64]", "t[lid] = 1.0; a[gid] = t[63u - lid];"));
  EXPECT_FALSE(isPrivate("float t[64]", "t[lid] = 1.0; a[gid] = t[lid ^ 1u];"));
  EXPECT_FALSE(isPrivate("float t[65]", "t[lid] = 1.0; a[gid] = t[lid + 1u];"));
  EXPECT_FALSE(isPrivate("float t[64]", "t[lid] = 1.0; a[gid] = t[0];"));
  EXPECT_FALSE(isPrivate("float t[64]", "t[lid / 2u] = 1.0; a[gid] = t[lid / 2u];"));
  EXPECT_FALSE(isPrivate("float t[64]", "t[gl_WorkGroupID.x & 63u] = 1.0;"));
}

TEST(SharedPrivacy, RefusesBarriersAndAtomics) {
  EXPECT_FALSE(isPrivate("float t[64]", "t[lid] = 1.0; barrier(); a[gid] = t[lid];"));
  EXPECT_FALSE(isPrivate("uint t[64]", "atomicAdd(t[lid], 1u); a[gid] = float(t[lid]);"));
}

TEST(SharedPrivacy, RefusesPartsThatOverlap) {
  // K = 4 slots an invocation, five are used.
  EXPECT_FALSE(isPrivate("float t[260]", "for (uint j = 0; j < 5u; ++j) t[lid * 4u + j] = 1.0;"));
  EXPECT_FALSE(isPrivate("float t[256]", "for (uint j = 0; j < 4u; ++j) t[lid * 3u + j] = 1.0;"));
  EXPECT_FALSE(isPrivate("float t[256]", "for (uint j = 0; j < p.n; ++j) t[lid * 4u + j] = 1.0;"));
  EXPECT_FALSE(isPrivate("float t[256]", "t[lid * 4u + (b[gid] & 7u)] = 1.0;"));
  EXPECT_FALSE(isPrivate("float t[256]", "t[lid * 4u] = 1.0; a[gid] = t[lid * 4u + 4u];"));
  EXPECT_FALSE(isPrivate("vec4 t[64]", "t[lid].xy = vec2(1); a[gid] = t[lid ^ 1u].z;"));
}

TEST(SharedPrivacy, RefusesTwoLayoutsOfOneVariable) {
  // lid*4 + j here, j*64 + lid there.
  EXPECT_FALSE(isPrivate("float t[256]", "t[lid * 4u + (p.n & 3u)] = 1.0; "
                                         "a[gid] = t[(p.k & 3u) * 64u + lid];"));
}

TEST(SharedPrivacy, RefusesAxesThatShare) {
  const std::string square = "local_size_x = 8, local_size_y = 8";
  EXPECT_FALSE(isPrivate("float t[64]", "t[lid] = 1.0;", square)) << "y shares";
  EXPECT_FALSE(isPrivate("float t[64]", "t[lid + ly] = 1.0;", square));
  EXPECT_FALSE(isPrivate("float t[64]", "t[lid * 7u + ly] = 1.0;", square));
  EXPECT_FALSE(isPrivate("float t[128]", "t[lid + ly * 4u] = 1.0;", square));
}

TEST(SharedPrivacy, RefusesARowThatIsShorterThanTheGroup) {
  // Rows of 32 under a group of 64: lane 32 of row 0 is lane 0 of row 1.
  EXPECT_FALSE(isPrivate("float t[256]", "t[(b[gid] & 3u) * 32u + lid] = 1.0;"));
  // The bits do not add up: 96 is no power of two, and the row number may wrap.
  EXPECT_FALSE(isPrivate("float t[960]", "t[(b[gid] * 3u) * 96u + lid] = 1.0;"));
}

TEST(SharedPrivacy, RefusesASymbolicStride) {
  EXPECT_FALSE(
      isPrivate("float t[1024]", "for (uint j = 0; j < p.k; ++j) t[lid * p.k + j] = 1.0;"));
}

TEST(SharedPrivacy, RefusesALengthThatTheHostMayChange) {
  // Rows of K, a specialization constant that defaults to 64.
  Kernel kernel("layout(local_size_x = 64) in;\nlayout(constant_id = 3) const uint K = 64;\n" +
                kUse + R"(
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
shared float t[4][K];
void main() { t[b[0]][gl_LocalInvocationID.x] = 1.0; a[0] = t[b[1]][gl_LocalInvocationID.x]; })");
  ASSERT_EQ(kernel.shared.variables.size(), 1u);
  EXPECT_FALSE(kernel.shared.variables[0].usedAsPrivate);
}

TEST(SharedPrivacy, ProvesASlotAnInvocation) {
  EXPECT_TRUE(isPrivate("float t[64]", "t[lid] = 1.0; a[gid] = t[lid];"));
  EXPECT_TRUE(isPrivate("vec4 t[64]", "t[lid] = vec4(1); a[gid] = t[lid].z;"));
  EXPECT_TRUE(isPrivate("float t[64]", "t[63u - lid] = 1.0; a[gid] = t[63u - lid];"));
  EXPECT_TRUE(isPrivate("float t[64]", "if (gid < p.n) t[lid] = 1.0; else a[gid] = t[lid];"));
}

TEST(SharedPrivacy, ProvesAStackAnInvocation) {
  EXPECT_TRUE(isPrivate("float t[256]", "for (uint j = 0; j < 4u; ++j) t[lid * 4u + j] = 1.0;"
                                        "a[gid] = t[lid * 4u + 3u];"));
  EXPECT_TRUE(isPrivate("float t[256]", "t[lid * 4u + (b[gid] & 3u)] = 1.0;"));
  // A stack pointer that data moves: it is inside of its row, or undefined.
  EXPECT_TRUE(isPrivate("float t[64][16]", R"(
    uint top = 0u;
    while (b[gid + top] > 3u) { t[lid][top] = 1.0; ++top; }
    a[gid] = t[lid][top - 1u];)"));
}

TEST(SharedPrivacy, ProvesAStackAcrossTheGroup) {
  const std::string body = R"(
    uint top = 0u;
    while (b[gid + top] > 3u) { t[INDEX] = 1.0; top = top * 3u + b[top]; }
    a[gid] = t[INDEX];)";
  auto with = [&](std::string index) {
    std::string text = body;
    for (size_t at; (at = text.find("INDEX")) != std::string::npos;)
      text.replace(at, 5, index);
    return text;
  };
  EXPECT_TRUE(isPrivate("float t[16][64]", with("top][lid")));
  EXPECT_TRUE(isPrivate("float t[1024]", with("top * 64u + lid")));
  EXPECT_TRUE(isPrivate("float t[1920]", with("top * 128u + lid"))) << "longer rows";
  EXPECT_TRUE(isPrivate("float t[16][96]", with("top][lid"))) << "no power of two, no wrap";
}

TEST(SharedPrivacy, ProvesGroupsOfMoreAxes) {
  const std::string square = "local_size_x = 8, local_size_y = 8";
  EXPECT_TRUE(isPrivate("float t[64]", "t[index] = 1.0; a[gid] = t[index];", square));
  EXPECT_TRUE(isPrivate("float t[8][8]", "t[ly][lid] = 1.0;", square));
  EXPECT_TRUE(isPrivate("float t[8][8]", "t[lid][ly] = 1.0;", square));
  EXPECT_TRUE(isPrivate("float t[8][8][4]", "t[lid][ly][b[gid]] = 1.0;", square));
  EXPECT_TRUE(isPrivate("float t[8][9]", "t[lid][ly] = 1.0;", square));
}
