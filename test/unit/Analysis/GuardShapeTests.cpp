//===- unit/Analysis/GuardShapeTests.cpp - Bounds checks in all shapes -----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums that are compared, and addresses that are clamped. The plain comparisons
// are in CertificateTests.cpp.
//
//===----------------------------------------------------------------------===//
#include "KernelSupport.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tailor;
using testing::HasSubstr;

namespace {

/// `reduced`: extended instructions may be computed with 16 bits.
Certificate certificateOf(const std::string &body, const Dim3 &size = {64, 1, 1},
                          bool reduced = false) {
  std::string head = "#version 450\nlayout(local_size_x = " + std::to_string(size.x) +
                     ", local_size_y = " + std::to_string(size.y) + R"() in;
layout(push_constant) uniform P { uint n; uint w; int h; int i; } p;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(set = 0, binding = 2, r32ui) readonly uniform uimage2D src;
#define X gl_GlobalInvocationID.x
#define Y gl_GlobalInvocationID.y
)";
  std::unique_ptr<Module> module = moduleOf(head + "void main() {\n" + body + "\n}\n");
  if (!module)
    return {};
  std::vector<Id> extended;
  module->forEachInstruction([&](Instruction &inst) {
    if (inst.opcode() == spv::Op::OpExtInst)
      extended.push_back(inst.result());
  });
  for (Id id : extended)
    if (reduced)
      module->append(Section::Annotations,
                     Instruction(spv::Op::OpDecorate)
                         .addId(id)
                         .addLiteral(static_cast<uint32_t>(spv::Decoration::RelaxedPrecision)));
  return certificateOf(std::move(module));
}

std::string boundsOf(const Certificate &certificate) {
  std::string text;
  for (unsigned axis = 0; axis < 3; ++axis)
    for (const DispatchBound &bound : certificate.bounds[axis])
      text += std::string(text.empty() ? "" : "; ") + kAxisName[axis] + ": " + bound.str();
  return text.empty() ? "none" : text;
}

constexpr Dim3 kSquare{16, 16, 1};
/// Push constants n, w, h, i.
UniformLeafValue values(std::array<uint32_t, 4> push) {
  return [push](const UniformExpr &leaf) -> std::optional<uint32_t> {
    if (leaf.op != UniformExpr::Op::PushConstant || leaf.params[0] / 4 >= push.size())
      return std::nullopt;
    return push[leaf.params[0] / 4];
  };
}

/// Whether the variant of `size` may run for these groups and values.
bool covers(const Certificate &certificate, const Dim3 &size, const Dim3 &groups,
            std::array<uint32_t, 4> push) {
  Result<Dispatch> dispatch = dispatchOf(certificate, Technique::Resize, size);
  if (!dispatch || dispatch->rule != DispatchRule::Cover)
    return false;
  return static_cast<bool>(checkCover(*dispatch, groups, certificate.authored.size, values(push)));
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

TEST(GuardShapes, MultipleOfTheId) {
  Certificate c = certificateOf("uint i = X * 4; if (i < p.n) a[i] = 1;");
  EXPECT_EQ(boundsOf(c), "x: 4*gid.x < push_constant[0]");
  // ceil(1001/4) = 251 invocations take part; 4 groups have 256, 3 have 192.
  EXPECT_TRUE(covers(c, {48, 1, 1}, {4, 1, 1}, {1001, 0, 0, 0}));
  EXPECT_FALSE(covers(c, {48, 1, 1}, {3, 1, 1}, {1001, 0, 0, 0}));
}

TEST(GuardShapes, MultipleThatWouldWrap) {
  Certificate c = certificateOf("uint i = X * 4; if (i < p.n) a[i] = 1;");
  // 2^30 invocations: 4 times the first id past them is 0 again, and passes the check.
  EXPECT_FALSE(covers(c, {48, 1, 1}, {1u << 24, 1, 1}, {0xffffffff, 0, 0, 0}));
  EXPECT_FALSE(covers(c, {48, 1, 1}, {1u << 24, 1, 1}, {16, 0, 0, 0}));
  EXPECT_TRUE(covers(c, {48, 1, 1}, {(1u << 24) - 64, 1, 1}, {16, 0, 0, 0}));
}

TEST(GuardShapes, OffsetOfTheHost) {
  Certificate c = certificateOf("uint i = X + p.w; if (i < p.n) a[i] = 1;");
  EXPECT_EQ(boundsOf(c), "x: gid.x + push_constant[4] < push_constant[0]");
  EXPECT_TRUE(covers(c, {48, 1, 1}, {1, 1, 1}, {100, 36, 0, 0}));
  EXPECT_FALSE(covers(c, {48, 1, 1}, {1, 1, 1}, {101, 36, 0, 0}));
  // An offset that is a negative number: the sum wraps.
  EXPECT_FALSE(covers(c, {48, 1, 1}, {1, 1, 1}, {10, 0xfffffff0, 0, 0}));
}

TEST(GuardShapes, LinearIndex) {
  Certificate c = certificateOf("uint i = Y * p.w + X; if (i < p.n) a[i] = 1;", kSquare);
  EXPECT_EQ(boundsOf(c), "y: gid.x + push_constant[4]*gid.y < push_constant[0]");
  // y may be rounded up, x may not: past the row's end an index is another row's.
  EXPECT_EQ(dispatchOf(c, Technique::Resize, {16, 3, 1})->rule, DispatchRule::Cover);
  EXPECT_EQ(dispatchOf(c, Technique::Resize, {24, 16, 1})->rule, DispatchRule::Exact);
  EXPECT_TRUE(covers(c, {16, 3, 1}, {2, 2, 1}, {1000, 32, 0, 0}));  // 32 rows of 32 are there
  EXPECT_FALSE(covers(c, {16, 3, 1}, {2, 2, 1}, {1025, 32, 0, 0})); // 33 are needed
  EXPECT_FALSE(covers(c, {16, 3, 1}, {2, 2, 1}, {1000, 0, 0, 0}));  // rows of no length
  EXPECT_FALSE(covers(c, {16, 3, 1}, {2, 2, 1}, {1000, 0x08000000, 0, 0})); // wraps
}

TEST(GuardShapes, LinearIndexAndRow) {
  Certificate c = certificateOf("uint i = Y * p.w + X; if (X < p.w && i < p.n) a[i] = 1;", kSquare);
  EXPECT_EQ(boundsOf(c), "x: gid.x < push_constant[4]; "
                         "y: gid.x + push_constant[4]*gid.y < push_constant[0]");
  EXPECT_EQ(dispatchOf(c, Technique::Resize, {24, 3, 1})->rule, DispatchRule::Cover);
}

TEST(GuardShapes, FlatIndexAgainstAProduct) {
  EXPECT_EQ(boundsOf(certificateOf("if (X < p.n * p.w) a[X] = X % p.w;")),
            "x: gid.x < (push_constant[0] * push_constant[4])");
}

TEST(GuardShapes, QuotientOfTheId) {
  Certificate c = certificateOf("uint y = X / p.w; if (y < p.n) a[X] = y;");
  EXPECT_EQ(boundsOf(c), "x: gid.x / push_constant[4] < push_constant[0]");
  EXPECT_TRUE(covers(c, {48, 1, 1}, {4, 1, 1}, {8, 32, 0, 0}));  // 256 invocations
  EXPECT_FALSE(covers(c, {48, 1, 1}, {4, 1, 1}, {9, 32, 0, 0})); // 288
  EXPECT_FALSE(covers(c, {48, 1, 1}, {4, 1, 1}, {8, 0, 0, 0}));
  // A product that 32 bits do not hold is far away, not near.
  EXPECT_FALSE(covers(c, {48, 1, 1}, {4, 1, 1}, {1u << 31, 2, 0, 0}));
  Certificate sums = certificateOf("uint y = (X * 4 + 3) / p.w; if (y < p.n) a[X] = y;");
  EXPECT_EQ(boundsOf(sums), "x: (4*gid.x + 3) / push_constant[4] < push_constant[0]");
  EXPECT_EQ(boundsOf(certificateOf("if (p.n / X < p.w) a[X] = 1;")), "none");
  EXPECT_EQ(boundsOf(certificateOf("if (X / b[X] < p.w) a[X] = 1;")), "none");
}

TEST(GuardShapes, QuotientsBeforeTheCheck) {
  const char *const nested = "int t = int(X) / p.h; int u = t % p.i; int v = u / p.h; "
                             "if (X < p.n) a[X] = uint(v);";
  EXPECT_EQ(boundsOf(certificateOf(nested)), "x: gid.x < push_constant[0]");
  // The smallest integer over -1 is undefined, and a sum of two ids may be that.
  EXPECT_EQ(
      boundsOf(certificateOf("int t = (int(X) + int(X)) / p.h; if (X < p.n) a[X] = uint(t);")),
      "none");
  EXPECT_EQ(boundsOf(certificateOf("int t = 7 / int(b[0] + X); if (X < p.n) a[X] = uint(t);")),
            "none");
}

TEST(GuardShapes, SumsThatBoundNothing) {
  EXPECT_EQ(boundsOf(certificateOf("if (X * X < p.n) a[X] = 1;")), "none");
  EXPECT_EQ(boundsOf(certificateOf("if (X * b[0] + b[X] < p.n) a[X] = 1;")), "none");
  EXPECT_EQ(boundsOf(certificateOf("if (X % p.w < p.n) a[X] = 1;")), "none");
  EXPECT_EQ(boundsOf(certificateOf("if (p.n - X < 100) a[X] = 1;")), "none");
  EXPECT_EQ(boundsOf(certificateOf("if (X * 4 != p.n) return; a[X] = 1;")), "none");
  EXPECT_EQ(boundsOf(certificateOf("if (X + Y < p.n) a[X] = 1;", kSquare)), "none");
  // The square of the row length grows with neither.
  EXPECT_EQ(boundsOf(certificateOf("if (Y * p.w + X * p.w < p.n) a[X] = 1;", kSquare)), "none");
}

TEST(GuardShapes, NegativeMultiple) {
  EXPECT_EQ(boundsOf(certificateOf("if (int(X) * -4 < p.i) a[X] = 1;")), "none");
  // Of the host's own: the sum wraps.
  Certificate c = certificateOf("if (int(X) * p.h < p.i) a[X] = 1;");
  EXPECT_TRUE(covers(c, {48, 1, 1}, {4, 1, 1}, {0, 0, 1, 100}));
  EXPECT_FALSE(covers(c, {48, 1, 1}, {4, 1, 1}, {0, 0, 0xfffffffc, 100}));
}

TEST(GuardShapes, InCalledFunctionsAndLoops) {
  EXPECT_EQ(boundsOf(certificateOf("for (uint k = 0; k < 4; ++k) { uint i = X * 4 + k; "
                                   "if (i < p.n) a[i] = 1; }")),
            "none"); // the loop itself runs past the grid, and each round has another sum
}

//===----------------------------------------------------------------------===//
// Clamps
//===----------------------------------------------------------------------===//

TEST(GuardShapes, ClampedRead) {
  Certificate c = certificateOf("uint v = b[min(X, p.n - 1)]; if (X < p.w) a[X] = v;");
  EXPECT_EQ(boundsOf(c), "x: gid.x <= (push_constant[0] - 1); x: gid.x < push_constant[4]");
  EXPECT_TRUE(covers(c, {48, 1, 1}, {1, 1, 1}, {64, 64, 0, 0}));
  EXPECT_FALSE(covers(c, {48, 1, 1}, {1, 1, 1}, {65, 64, 0, 0}));
}

TEST(GuardShapes, ClampedNeighbours) {
  EXPECT_EQ(boundsOf(certificateOf("uint v = b[clamp(int(X) + 1, 0, p.h)] + "
                                   "b[clamp(int(X) - 1, 0, p.h)]; if (X < p.n) a[X] = v;")),
            "x: gid.x + 1 <= push_constant[8]; "
            "x: gid.x <= smax(push_constant[8], (push_constant[8] - 4294967295)); "
            "x: gid.x < push_constant[0]");
  EXPECT_EQ(
      boundsOf(certificateOf("uint v = b[min(max(int(X) - 1, 0), 7)]; if (X < p.n) a[X] = v;")),
      "x: gid.x <= smax(7, (7 - 4294967295)); x: gid.x < push_constant[0]");
}

TEST(GuardShapes, ClampedTexel) {
  Certificate c = certificateOf(
      "ivec2 s = imageSize(src) - 1; ivec2 q = clamp(ivec2(gl_GlobalInvocationID.xy), ivec2(0), s);"
      "uint v = imageLoad(src, q).x; if (X < p.n && Y < p.w) a[Y * p.n + X] = v;",
      kSquare);
  EXPECT_EQ(boundsOf(c), "x: gid.x <= (image_size(0,2).x - 1); x: gid.x < push_constant[0]; "
                         "y: gid.y <= (image_size(0,2).y - 1); y: gid.y < push_constant[4]");
}

TEST(GuardShapes, ClampsThatDoNotHelp) {
  // A limit of the invocation's own; memory that is written; a store; a wrapping round; a loop.
  EXPECT_EQ(boundsOf(certificateOf("uint v = b[min(X, b[X & 7u])]; if (X < p.n) a[X] = v;")),
            "none");
  EXPECT_EQ(boundsOf(certificateOf("uint v = a[min(X, p.w)]; if (X < p.n) a[X] = v;")), "none");
  EXPECT_EQ(boundsOf(certificateOf("a[min(X, p.n)] = 1;")), "none");
  EXPECT_EQ(boundsOf(certificateOf("uint v = b[X % p.w]; if (X < p.n) a[X] = v;")), "none");
  EXPECT_EQ(boundsOf(certificateOf("uint v = b[max(X, p.w)]; if (X < p.n) a[X] = v;")), "none");
  EXPECT_EQ(boundsOf(certificateOf("uint v = b[min(X * X, p.w)]; if (X < p.n) a[X] = v;")), "none");
  EXPECT_EQ(boundsOf(certificateOf("uint v = b[min(X, Y)]; if (X < p.n) a[X] = v;")), "none");
  // Clamped only where a branch on the data lets it.
  EXPECT_EQ(boundsOf(certificateOf("uint v = 0; if (b[X] != 0) v = b[min(X, p.w)]; "
                                   "if (X < p.n) a[X] = v;")),
            "none");
}

TEST(GuardShapes, ClampsOfReducedPrecision) {
  // With 16 bits, ids past the limit are below it again.
  for (const char *body : {"uint v = b[min(X, p.w)]; if (X < p.n) a[X] = v;",
                           "uint v = b[min(max(int(X) - 1, 0), p.h)]; if (X < p.n) a[X] = v;",
                           "uint v = b[clamp(X, 0u, p.w)]; if (X < p.n) a[X] = v;"}) {
    EXPECT_NE(boundsOf(certificateOf(body)), "none") << body;
    EXPECT_EQ(boundsOf(certificateOf(body, {64, 1, 1}, true)), "none") << body;
  }
}

TEST(GuardShapes, NegativeLimit) {
  Certificate c = certificateOf("uint v = b[min(int(X), p.h) & 63]; if (X < p.n) a[X] = v;");
  EXPECT_TRUE(covers(c, {48, 1, 1}, {1, 1, 1}, {64, 0, 0xfffffff0, 0}));
}

TEST(GuardShapes, OffsetLimitThatWraps) {
  Certificate c = certificateOf("uint v = b[min(X - 3u, p.w) & 63u]; if (X < p.n) a[X] = v;");
  EXPECT_TRUE(covers(c, {48, 1, 1}, {1, 1, 1}, {64, 60, 0, 0}));
  EXPECT_FALSE(covers(c, {48, 1, 1}, {1, 1, 1}, {64, 61, 0, 0}));
  EXPECT_FALSE(covers(c, {48, 1, 1}, {1, 1, 1}, {64, 0xfffffffe, 0, 0}));
}

} // namespace

TEST(GuardShapes, ChainsOfConditionsTakeNoTime) {
  // Each clause is a phi that hangs off the one before: what follows from it is found out once.
  std::string chain = "bool c = X < p.n";
  for (unsigned at = 0; at < 60; ++at)
    chain += " && (X < p.w + " + std::to_string(at) + "u || X < p.w * " + std::to_string(at) + "u)";
  EXPECT_EQ(boundsOf(certificateOf(chain + "; if (c) a[X] = 1u;")), "x: gid.x < push_constant[0]");
  std::string steps = "bool c = X < p.n;";
  for (unsigned at = 0; at < 60; ++at)
    steps += " c = c && (X < p.w + " + std::to_string(at) + "u || X + p.w > 9u);";
  EXPECT_EQ(boundsOf(certificateOf(steps + " if (c) a[X] = 1u;")), "x: gid.x < push_constant[0]");
  // One value as both operands, time and again.
  std::string both = "bool c = X < p.n;";
  for (unsigned at = 0; at < 40; ++at)
    both += " c = all(bvec2(c, c));";
  EXPECT_EQ(boundsOf(certificateOf(both + " if (c) a[X] = 1u;")), "none"); // given up at some depth
}
