//===- unit/Analysis/UniformityTests.cpp - What is the same, and over whom --===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each kernel stores values to `probe[k]` with a literal k; a test asks over which
// invocations the stored value, and the control flow to the store, are the same.
// Where a rule could claim too much, the kernel in which that would be wrong
// comes first.
//
//===----------------------------------------------------------------------===//
#include "UniformityProbe.h"

using namespace tailor;
using namespace tailor::uniformity;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

const std::string kHead = R"(
layout(local_size_x = 64) in;
layout(push_constant) uniform P { uint n; uint m; } p;
layout(set = 0, binding = 0) buffer Probe { uint probe[]; };
layout(set = 0, binding = 1) buffer W { uint written[]; };
layout(set = 0, binding = 2) readonly buffer R { uint constant[]; };
#define LID gl_LocalInvocationID.x
#define WG gl_WorkGroupID.x
#define GX gl_GlobalInvocationID.x
)";
std::string head(const std::string &size) {
  std::string text = kHead;
  text.replace(text.find("local_size_x = 64"), 17, size);
  return text;
}

// --- ids ---

TEST(Uniformity, IdsByAxis) {
  Kernel kernel(head("local_size_x = 8, local_size_y = 4") + R"(void main() {
    probe[0] = gl_LocalInvocationID.x;
    probe[1] = gl_LocalInvocationID.z;
    probe[2] = gl_WorkGroupID.y;
    probe[3] = gl_GlobalInvocationID.y;
    probe[4] = gl_GlobalInvocationID.z;
    probe[5] = gl_NumWorkGroups.x;
    probe[6] = gl_LocalInvocationIndex;
    probe[7] = p.n;
  })");
  EXPECT_EQ(kernel.text(0), "invocation");
  EXPECT_EQ(kernel.text(1), "dispatch");
  EXPECT_EQ(kernel.text(2), "workgroup, pack x z");
  EXPECT_EQ(kernel.text(3), "invocation");
  EXPECT_EQ(kernel.text(4), "workgroup, pack x y");
  EXPECT_EQ(kernel.text(5), "dispatch");
  EXPECT_EQ(kernel.text(6), "invocation");
  EXPECT_EQ(kernel.text(7), "dispatch");
}

TEST(Uniformity, OneInvocationIsItsOwnWorkgroup) {
  Kernel kernel(head("local_size_x = 1") + R"(void main() {
    probe[0] = GX + atomicAdd(written[0], 1u);
    probe[1] = gl_LocalInvocationIndex;
    if (GX < 5) probe[2] = 1u;
  })");
  EXPECT_EQ(kernel.text(0), "workgroup");
  EXPECT_EQ(kernel.text(1), "dispatch");
  EXPECT_EQ(kernel.controlText(2), "workgroup, pack y z");
}

TEST(Uniformity, AnIdDividedByTheSizeIsTheGroups) {
  Kernel kernel(head("local_size_x = 16") + R"(void main() {
    probe[0] = GX / 15;
    probe[1] = GX / 32 + GX % 16;
    probe[2] = GX / 16;
    probe[3] = GX >> 4;
    probe[4] = GX / 8;
    probe[5] = (GX + 1) / 16;
    probe[6] = GX - LID;
    probe[7] = (LID + p.n) - LID;
    probe[8] = GX / 32;
  })");
  EXPECT_EQ(kernel.text(0), "invocation");
  EXPECT_EQ(kernel.text(1), "invocation");
  EXPECT_EQ(kernel.text(2), "workgroup, pack y z");
  EXPECT_EQ(kernel.text(3), "workgroup, pack y z");
  EXPECT_EQ(kernel.text(4), "invocation");
  EXPECT_EQ(kernel.text(5), "invocation");
  EXPECT_EQ(kernel.text(6), "workgroup, pack y z");
  EXPECT_EQ(kernel.text(7), "dispatch");
}

TEST(Uniformity, ComparisonsLookAtTheDifference) {
  Kernel kernel(kHead + R"(void main() {
    probe[0] = (LID + p.n < LID + p.m) ? 1u : 0u;       // either may wrap
    probe[1] = (LID + p.n == 2 * LID + p.m) ? 1u : 0u;
    probe[2] = (LID + p.n == LID + p.m) ? 1u : 0u;      // equal modulo 2^32
    probe[3] = (LID + 5 < LID + (p.n & 255u)) ? 1u : 0u;
    probe[4] = (int(LID) - 70 < int(LID) + int(p.n & 7u)) ? 1u : 0u;
    probe[5] = (LID - 70u < LID + (p.n & 7u)) ? 1u : 0u; // wraps below 0
  })");
  EXPECT_EQ(kernel.text(0), "invocation");
  EXPECT_EQ(kernel.text(1), "invocation");
  EXPECT_EQ(kernel.text(2), "dispatch");
  EXPECT_EQ(kernel.text(3), "dispatch");
  EXPECT_EQ(kernel.text(4), "dispatch");
  EXPECT_EQ(kernel.text(5), "invocation");
}

TEST(Uniformity, VectorsByComponent) {
  Kernel kernel(kHead + R"(void main() {
    uvec4 v = uvec4(LID, WG, p.n, 7u);
    uvec4 w = v * 3u + uvec4(1u);
    probe[0] = w.x;
    probe[1] = w.y;
    probe[2] = w.z;
    uvec4 s = w.wzyx;
    s.y = LID;
    probe[3] = s.x;
    probe[4] = s.y;
    probe[5] = s.z;
    probe[6] = uint(dot(vec4(w), vec4(0.0, 1.0, 1.0, 1.0)));
    probe[7] = max(w, uvec4(2u)).y;
    probe[8] = v[p.m & 3u];
    probe[9] = uint(length(vec2(w.yz)));
  })");
  EXPECT_EQ(kernel.text(0), "invocation");
  EXPECT_EQ(kernel.text(1), "workgroup, pack y z");
  EXPECT_EQ(kernel.text(2), "dispatch");
  EXPECT_EQ(kernel.text(3), "dispatch");
  EXPECT_EQ(kernel.text(4), "invocation");
  EXPECT_EQ(kernel.text(5), "workgroup, pack y z");
  EXPECT_EQ(kernel.text(6), "invocation");
  EXPECT_EQ(kernel.text(7), "workgroup, pack y z");
  EXPECT_EQ(kernel.text(8), "invocation");
  EXPECT_EQ(kernel.text(9), "workgroup, pack y z");
}

// --- control flow ---

TEST(Uniformity, JoinsAfterADivergentBranch) {
  Kernel kernel(kHead + R"(void main() {
    uint a = p.n, b = p.n, c = 3u;
    if (LID < 5) { a = p.m; c = 3u; probe[0] = 1u; } else { b = p.n; }
    probe[1] = a;
    probe[2] = c;
    uint d = p.n;
    if (WG < 5) d = p.m;
    probe[3] = d;
    if (p.n < 5) d = 1u;
    probe[4] = d;
  })");
  EXPECT_EQ(kernel.controlText(0), "invocation");
  EXPECT_EQ(kernel.text(0), "dispatch");
  EXPECT_EQ(kernel.text(1), "invocation");
  EXPECT_EQ(kernel.controlText(1), "dispatch");
  EXPECT_EQ(kernel.text(2), "dispatch");
  EXPECT_EQ(kernel.text(3), "workgroup, pack y z");
  EXPECT_EQ(kernel.controlText(3), "dispatch");
}

TEST(Uniformity, LongWaysJoinToo) {
  const std::string ways[] = {
      "x = p.m * 3u + x;",
      "if (p.n < 3) x = p.m; else x = p.m * 2;",
      "if (p.n < 3) x = p.m; else x = p.m * 2; if (p.n < 4) x = x * p.m; else x += p.m * 2;",
      "for (uint k = 0; k < p.n; ++k) x += p.m * 3;",
      "for (uint k = 0; k < p.n; ++k) { if (p.n < 3) x = p.m; else x = p.m * 2; if (p.m == k) "
      "break; }",
      "switch (p.n) { case 0: x = p.m; break; case 1: x = 7u + p.n; default: x += p.m; }",
  };
  for (const std::string &first : ways)
    for (const std::string &second : ways)
      for (const char *behind : {"", "probe[1] = 7u; if (p.n < 9) probe[2] = x;"}) {
        const std::string body =
            "{ x = 3u; " + first + " } else { x = 4u; " + second + " } probe[0] = x; " + behind;
        Kernel apart(kHead + "void main() { uint x = p.n; if (LID < 5) " + body + " }");
        EXPECT_EQ(apart.text(0), "invocation") << body;
        EXPECT_EQ(apart.controlText(0), "dispatch") << body;
        Kernel together(kHead + "void main() { uint x = p.n; if (p.n + p.m < 5) " + body + " }");
        EXPECT_EQ(together.text(0), "dispatch") << body;
      }
}

TEST(Uniformity, WhatIsNestedDependsOnAllBranchesAround) {
  Kernel kernel(kHead + R"(void main() {
    if (LID < 5) { if (p.n < 7) { probe[0] = p.n; } probe[1] = p.n; }
    if (WG < 3) { for (uint i = 0; i < p.n; ++i) { probe[2] = i; } }
    if (GX >= p.n) return;
    probe[3] = 1u;
  })");
  EXPECT_EQ(kernel.controlText(0), "invocation");
  EXPECT_EQ(kernel.controlText(1), "invocation");
  EXPECT_EQ(kernel.controlText(2), "workgroup, pack y z");
  EXPECT_EQ(kernel.text(2), "dispatch");
  EXPECT_EQ(kernel.controlText(3), "invocation");
}

TEST(Uniformity, ValuesThatLeaveALoopAtDifferentTimes) {
  Kernel kernel(kHead + R"(void main() {
    uint last = 0u, found = 0u, i = 0u;
    for (; i < LID; ++i) { last = i * 3u; probe[0] = last; }
    probe[1] = last;
    probe[2] = i;
    for (uint k = 0u; k < p.n; ++k) {
      found = k * 5u;
      probe[3] = found;
      if (constant[k + LID] == 7u) break;
    }
    probe[4] = found;
    uint after = 0u;
    for (uint k = 0u; k < p.n; ++k) { after = k; }
    probe[5] = after;
    uint inside = 0u;
    uint j = 0u;
    do { inside = p.m * 3u; ++j; } while (j < LID);
    probe[6] = inside;
    probe[7] = j;
  })");
  EXPECT_EQ(kernel.text(0), "dispatch");
  EXPECT_EQ(kernel.controlText(0), "invocation");
  EXPECT_EQ(kernel.text(1), "invocation");
  EXPECT_EQ(kernel.text(2), "invocation");
  EXPECT_EQ(kernel.text(3), "dispatch");
  EXPECT_EQ(kernel.controlText(3), "invocation");
  EXPECT_EQ(kernel.text(4), "invocation");
  EXPECT_EQ(kernel.text(5), "dispatch");
  EXPECT_EQ(kernel.text(6), "dispatch") << "computed in the loop, and no other in any iteration";
  EXPECT_EQ(kernel.text(7), "invocation");
}

TEST(Uniformity, LoopsFromTheLocalId) {
  Kernel kernel(kHead + R"(void main() {
    for (uint i = LID; i < p.n + LID; i += 64) { probe[0] = i; }   // may wrap
    for (uint i = LID; i < p.n; i += 64) { probe[1] = i; }
    for (uint i = LID; i < 1000; i += 64) { probe[2] = i; }        // 40 lanes have one more
    for (uint i = LID; i < 1024 + LID; i += 64) { probe[3] = i; }
    for (uint i = LID; i < 1024; i += 64) { probe[4] = i; }        // equally often, by luck
    for (uint i = LID; i != p.n * 64 + LID; i += 64) { probe[5] = i - LID; }
  })");
  EXPECT_EQ(kernel.controlText(0), "invocation");
  EXPECT_EQ(kernel.controlText(1), "invocation");
  EXPECT_EQ(kernel.controlText(2), "invocation");
  EXPECT_EQ(kernel.controlText(3), "dispatch");
  EXPECT_EQ(kernel.text(3), "invocation");
  EXPECT_EQ(kernel.controlText(5), "dispatch") << "!= asks only modulo 2^32";
  EXPECT_EQ(kernel.text(5), "dispatch");
}

TEST(Uniformity, LoopsOverTheGroupsOwnCount) {
  Kernel kernel(kHead + R"(shared uint tile[64];
  void main() {
    uint sum = 0u;
    for (uint i = 0u; i <= WG; ++i) {
      tile[LID] = i;
      barrier();
      sum += tile[0];
      barrier();
    }
    probe[0] = sum;
  })");
  ASSERT_EQ(kernel.barriers().size(), 2u);
  EXPECT_EQ(kernel.controlText(*kernel.barriers()[0]), "workgroup, pack y z");
  EXPECT_EQ(kernel.text(0), "workgroup");
}

TEST(Uniformity, ADivergentBranchInTheLoopDoesNotEndIt) {
  Kernel kernel(kHead + R"(void main() {
    uint a = 0u, b = 0u;
    for (uint i = 0u; i < p.n; ++i) {
      if (constant[LID] == i) { a += 1u; continue; }
      b = i;
    }
    probe[0] = a;
    probe[1] = p.n;
    switch (LID & 3u) { case 0u: a = p.n; break; case 1u: a = p.n; break; default: a = p.m; }
    probe[2] = a;
    probe[3] = 1u;
  })");
  EXPECT_EQ(kernel.text(0), "invocation");
  EXPECT_EQ(kernel.controlText(1), "dispatch");
  EXPECT_EQ(kernel.text(2), "invocation");
  EXPECT_EQ(kernel.controlText(3), "dispatch");
}

// --- taking back what rested on a symbol ---

TEST(Uniformity, AnExpressionIsNoBetterThanTheValuesInIt) {
  Kernel kernel(kHead + R"(void main() {
    uint v = written[0], w = p.n, x = written[LID];
    for (uint i = 0u; i < p.n; ++i) {
      probe[0] = (LID + v * p.m) - LID; // the same while v is
      v = v * v + constant[i];
    }
    for (uint i = 0u; i < p.n; ++i) {
      probe[1] = (LID + x * p.m) - LID;
      x = x * x + constant[i];
    }
    for (uint i = 0u; i < LID; ++i) { probe[2] = (LID + w) - LID; w = w * w + 1u; }
    probe[3] = (LID + w) - LID;
    probe[4] = (LID + v) - LID;
    written[GX] = 1u;
  })");
  EXPECT_EQ(kernel.text(0), "workgroup");
  EXPECT_EQ(kernel.text(1), "invocation");
  EXPECT_EQ(kernel.text(2), "dispatch") << "for those who are still in the loop";
  EXPECT_EQ(kernel.text(3), "invocation");
  EXPECT_EQ(kernel.text(4), "invocation") << "the symbol is not followed out of its loop";
}

} // namespace
