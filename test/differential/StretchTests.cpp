//===- differential/StretchTests.cpp - Together, or one by one -------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stretches that stand twice in a coarsened kernel: the invocations that share a
// lane go through them together where they agree, else one by one.
//
//===----------------------------------------------------------------------===//
#include "CoarsenedKernels.h"

using namespace tailor;
using namespace tailor::differential;

namespace {

using Stretches = Coarsened;

TEST_F(Stretches, BoundsWithSomeInsideAndSomeOutside) {
  // Whole groups inside, whole groups outside, and every cut through a group.
  for (const char *bound : {"29", "p.n * 17 + 3", "G.x * 24 + 12", "G.x * 24 + 23", "1"})
    line("", std::string("if (gl_GlobalInvocationID.x >= ") + bound + R"() return;
  uint r = b[place()], q = b[(place() * 7) % 48];
  a[place()] = r * 3 + (q ^ r);)");
  plane("", R"(
  uvec2 q = gl_GlobalInvocationID.xy;
  if (q.x >= 11 || q.y >= 9 || G.z > 1) return;
  uint sum = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    int y = int(q.y) + dy;
    if (y < 0 || y >= 9) continue;
    for (int dx = -1; dx <= 1; ++dx) {
      int x = int(q.x) + dx;
      if (x < 0 || x >= 11) continue;
      sum += b[(y * 11 + x) % 48] * uint(dx + 2 * dy + 5);
    }
  }
  a[place()] = sum;)");
}

TEST_F(Stretches, BranchesWithMemoryOnBothSides) {
  line("", R"(
  uint r = 5, q = 1;
  if (I < p.n + 9) { r = b[place()]; q = b[I] & 3; } else { r = b[47 - I] ^ 9; q += a[place()]; }
  if (I * 3 > 20) r += b[(r + q) % 48];
  a[place()] = r * 4 + q;)");
  // Nested, with a value from outside, one that skips a level and one that only one side has.
  line("", R"(
  uint r = I, s = 2;
  if (I > 3) {
    r = b[I];
    if (I < 17) { s = b[r % 48]; if ((I & 4) == 0) r ^= b[s % 48]; else s = r; } else r += b[I + 1];
  }
  a[place()] = r * 4 + s;)");
}

TEST_F(Stretches, TailsThatReadMemory) {
  line("shared uint t[24];", R"(
  t[I] = b[place()] & 255;
  barrier();
  uint r = 0;
  for (uint k = 0; k < p.n + 4; ++k) {
    if (I < 5 && k == 1) { a[place()] = t[k]; return; }
    if (I > 20) break;
    r += t[(I + k) % 24] * b[k];
  }
  if (I > 12) { a[place()] = r; return; }
  a[place()] = r + t[23 - I];)");
  line("", R"(
  uint r = b[I];
  switch (p.m) {
  case 3: if (I < 7) break; r += b[I + 1]; if (I > 20) break; r ^= b[I + 2]; break;
  default: r = b[I + 3]; if ((I & 1) == 0) break; r += b[I + 4];
  }
  a[place()] = r;)");
}

TEST_F(Stretches, LoopsThatReadMemory) {
  // Different numbers of turns, none for some; values of the loop are used behind it.
  line("", R"(
  uint sum = 0, i = I / 2, last = 77;
  for (; i < 9; ++i) { last = b[i]; sum += last * (i + 1); }
  a[place()] = sum * 3 + i + last;)");
  // Strided by lanes, with a test that reads memory and is put together from two.
  line("", R"(
  uint n = 0, at = I;
  while (at < 47 && (b[at] & 15) != 3) { n += b[at + 1]; at += 5; }
  a[place()] = n + at;)");
  // Left where the test holds; values that change places.
  line("", R"(
  uint x = b[I], y = b[I + 1], i = 0;
  for (;;) { if (i >= (I & 7)) break; uint z = x; x = y; y = z + b[i]; ++i; }
  a[place()] = x * 3 + y * 5 + i;)");
  // One in another, both of different lengths; a stretch inside that not all go through.
  line("", R"(
  uint sum = 1;
  for (uint i = I; i < 30; i += 7)
    for (uint j = 0; j < (i & 3) + 1; ++j) {
      sum = sum * 3 + b[i + j];
      if (i > 9) sum ^= b[j];
    }
  a[place()] = sum;)");
  // A test that reads memory in front of a body that writes some.
  line("", R"(
  uint at = I, turns = 0;
  a[place()] = 0;
  while ((b[at % 48] & 3) != 0 && turns < 9) { a[place()] += b[at % 48]; at += 3; ++turns; }
  a[place()] += turns;)");
}

TEST_F(Stretches, LoopsWhoseTestIsNoLookAlone) {
  // Run again for those that stay, a test would count twice.
  line("", R"(
  uint sum = 0, count = 0, local[4] = uint[](0, 0, 0, 0);
  while ((local[I & 3] += 1) < I) { sum += b[local[I & 3]]; ++count; }
  a[place()] = sum * 32 + count + local[I & 3];)");
  line("", R"(
  uint sum = 0;
  for (uint k = 0; k < 9; ++k) { if (k == I) break; sum += b[k]; }
  a[place()] = sum;)");
}

TEST_F(Stretches, ValuesThatAreAlikeOnlyWhileAllGoRound) {
  // Inside of a loop its counter is the same for all that are there; behind it, it is not.
  line("", R"(
  if (gl_GlobalInvocationID.x >= 61) return;
  uint k = 0, sum = b[I];
  while (k < (I & 7)) { sum += k; ++k; }
  uint y = k * 4;
  for (uint i = 0; i < p.n; ++i) { if ((I + i) % 3 == 0) continue; sum += b[i + y]; y += i; }
  a[place()] = sum + y + k;)");
  line("", R"(
  if (I < 20) {
    uint i = 0, s = 0;
    for (; i < (I * 3) % 5; ++i) s += b[i];
    uint u = i + 3;
    if (u > 5) s += b[u];
    for (uint j = 0; j < u; ++j) s ^= b[j + i];
    a[place()] = s + u;
  } else a[place()] = b[I] + 1;)");
  // A flag that each turns when it has been there once, and a value of the turn before.
  line("", R"(
  bool first = true;
  uint before = 7, sum = 0;
  for (uint i = 0; i < (I & 3) + 2; ++i) {
    uint v = b[i];
    if (first) sum += v; else sum ^= before;
    first = false;
    before = i * 2;
  }
  a[place()] = first ? 1 : sum + before;)");
}

} // namespace
