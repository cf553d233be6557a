//===- differential/CoarsenTests.cpp - Several invocations in one ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels of bench/kernels, and small ones for each shape of control flow,
// coarsened along one axis and several, cyclic and blocked: every variant gives
// the bits of the authored kernel.
//
//===----------------------------------------------------------------------===//
#include "BenchKernels.h"
#include "CoarsenedKernels.h"

#include "Analysis/Certificate.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <iostream>

using namespace tailor;
using namespace tailor::differential;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

class CoarsenedSuite : public testing::TestWithParam<std::string> {};

TEST_P(CoarsenedSuite, GivesTheSameBits) {
  if (noDevices())
    GTEST_SKIP() << "no Vulkan device";
  Result<BenchCase> bench = loadBenchCase(GetParam());
  ASSERT_TRUE(bool(bench)) << bench.diagnostic().text;
  const ProblemSize &size = bench->small();
  Result<Certificate> certificate = bench->certificate();
  ASSERT_TRUE(bool(certificate)) << certificate.diagnostic().text;
  TechniqueReport report =
      compareTechniques(bench->compiled, coarsened(certificate->authored.size, true), bench->spec,
                        bench->workload, size);
  leaveOutLacking(report);
  EXPECT_EQ(report.text(), "");
  EXPECT_EQ(report.variants != 0, certificate->verdict(Technique::Coarsen).legal());
  EXPECT_THAT(report.refusals, IsEmpty());
  std::cout << bench->stem << ": " << report.variants << " variants, " << report.ranExact
            << " runs\n";
}

INSTANTIATE_TEST_SUITE_P(All, CoarsenedSuite, testing::ValuesIn(benchKernels()), testName);

//===----------------------------------------------------------------------===//
// Shapes of control flow
//===----------------------------------------------------------------------===//

TEST_F(Coarsened, IdsOfEveryKind) {
  const std::string body =
      "uint h = 17; h = h * 31 + G.x; h = h * 31 + G.y; h = h * 31 + G.z;"
      "h = h * 31 + L.x; h = h * 31 + L.y; h = h * 31 + L.z; h = h * 31 + I;"
      "h = h * 31 + gl_NumWorkGroups.x; h = h * 31 + gl_NumWorkGroups.y * gl_NumWorkGroups.z;"
      "h = h * 31 + gl_WorkGroupSize.x; h += G[p.m % 3] * 7 + L[p.n % 3]; a[place()] = h;";
  for (const std::string &size : {kLine, kPlane, kCube})
    expectSame(kVersion + size + kHead + "void main() { " + body + " }");
}

TEST_F(Coarsened, ReductionInWorkgroupMemory) {
  line("shared uint part[24]; shared uint total;", R"(
  part[I] = b[place()] & 255;
  for (uint s = 12; s > 0; s = s == 3 ? 1 : s >> 1) {
    barrier();
    if (I < s) part[I] += part[I + s];
  }
  barrier();
  if (I == 0) total = part[0] + part[2];
  barrier();
  a[place()] = total * 64 + I;)");
}

TEST_F(Coarsened, ValuesThatLiveAcrossBarriers) {
  plane("shared uint tile[48];", R"(
  uint mine = b[place()], other = mine ^ (I * 77), sum = 0;
  float f = float(mine & 1023);
  vec4 v = vec4(f, I, G.x, 1);
  uint local[4] = uint[](mine, other, I, G.y);
  for (uint i = 0; i < p.n; ++i) {
    tile[I] = mine + i;
    barrier();
    sum += tile[(I + i * 7) % 48];
    v = v.yzwx + float(tile[47 - I] & 3);
    local[(i + I) & 3] += tile[(I * 5) % 48];
    barrier();
    mine = mine * 5 + sum;
  }
  a[place()] = mine + other + sum + uint(dot(v, vec4(1, 2, 3, 4))) + local[0] + local[I & 3];)");
}

TEST_F(Coarsened, NestedUniformControlFlow) {
  line("shared uint tile[24];", R"(
  uint r = b[place()];
  if (G.x > 0) {
    for (uint i = 0; i < G.x + p.n; ++i) {
      if ((i & 1) == 0) {
        tile[I] = r + i;
        barrier();
        r += tile[23 - I];
        barrier();
      } else if (i == 3) {
        tile[(I + 1) % 24] = r;
        barrier();
        r ^= tile[I];
        barrier();
      }
      if (i == p.m) { r += 1; continue; }
      r = r * 3;
    }
  } else {
    switch (p.m) {
    case 1: tile[I] = 1; break;
    case 3: tile[I] = r; barrier(); r += tile[(I * 7) % 24];
    default: r += 9;
    }
  }
  a[place()] = r;)");
}

TEST_F(Coarsened, EarlyExitByABroadcast) {
  line("shared uint found; shared uint flag;", R"(
  if (I == 0) { found = 0xffffffffu; flag = 0; }
  barrier();
  uint at = 0xffffffffu, steps = 0;
  for (uint base = 0; base < 96; base += 24) {
    if ((b[(base + I) % 48] & 15) == (G.x * 5 & 15)) atomicMin(found, base + I);
    barrier();
    at = found;
    ++steps;
    barrier();
    if (at != 0xffffffffu) break;
  }
  if (I == 5) flag = at & 1;
  barrier();
  if (flag == 1) { a[place()] = at; return; }
  barrier();
  a[place()] = at * 100 + steps + I;)");
}

TEST_F(Coarsened, ReturnsOfEveryKind) {
  line("", "if (I >= 7) return; a[place()] = I + 1;");
  line("", "if ((I & 1) == 0) { if (I == 4) return; a[place()] = 3; } else if (I > 20) { return; } "
           "a[place()] += I;");
  line("", "if (G.x == 1) return; if (I > 4) { a[place()] = I; return; } a[place()] = 77;");
  line("shared uint t[24];", "t[I] = b[place()]; barrier(); uint r = t[23 - I]; if ((r & 3) == 0) "
                             "return; a[place()] = r; if (I < 3) return; a[place()] += 5;");
  line("", "for (uint i = 0; i < 10; ++i) { a[place()] = i; if (i * 3 > I) return; } a[place()] += "
           "100;");
  line("", "switch (I & 3) { case 0: a[place()] = 9; return; case 1: a[place()] = 8; case 2: "
           "a[place()] += 5; break; default: if (I > 9) return; } a[place()] += 1;");
  line("", "if (I < 5) { a[place()] = 1; return; } else { a[place()] = 2; return; }");
  line("", "if (G.x < 2) { if ((I & 1) == 1) { a[place()] = 5; return; } } else return; "
           "a[place()] = b[I] + 3;");
  line("", "for (;;) { if (I < 5) { a[place()] = 1; return; } else { a[place()] = 2; return; } }");
}

TEST_F(Coarsened, DivergentLoops) {
  line("", R"(
  uint r = b[place()] & 63, n = 0;
  while (r > 3) { r = (r & 1) == 0 ? r / 2 : r - 1; ++n; if (n == I) break; if ((n & 3) == 1) continue; r ^= 1; }
  a[place()] = r * 1000 + n;)");
  line("", R"(
  uint n = 0, q = 0;
  for (uint i = 0; i < p.n + 9; ++i) {
    if (i == I) break;
    for (uint j = 0; j < I; ++j) { if (((b[j] + i) & 7) == 0) { q += j; break; } n += j; if (j > 9) continue; q ^= i; }
  }
  a[place()] = n * 31 + q;)");
  line("", "uint n = 0; do { n += 3; if (n > 40) break; } while (n < I * 2); a[place()] = n;");
  line("", "uint n = I; for (uint i = 0; i < 8; ++i) { uint v = b[(I + i) % 24]; if ((v & 1) == 0) "
           "continue; n += v; } a[place()] = n;");
}

TEST_F(Coarsened, DivergentLoopsBetweenBarriers) {
  plane("shared uint t[48];", R"(
  uint r = b[place()] & 255;
  for (uint k = 0; k < p.m; ++k) {
    uint v = r;
    while ((v & 7) != 0) { v -= 1; r += v; }
    t[I] = r;
    barrier();
    if ((r & 1) == 0) r += t[(I + 1) % 48]; else r ^= t[(I + 2) % 48];
    barrier();
  }
  a[place()] = r;)");
}

/// Some of the workgroup go on with the next iteration early; the loop has barriers before that, so
/// that all go round together.
const std::string kTile = R"(shared uint t[48];
#define ALL (gl_WorkGroupSize.x * gl_WorkGroupSize.y)
#define MEET(v) t[I] = r; barrier(); uint v = t[(I + k * 5 + 7) % ALL]; barrier();
)";

TEST_F(Coarsened, ContinuesInLoopsWithBarriers) {
  plane(kTile, R"(
  uint r = b[place()] & 255, q = 0, last = 9;
  for (uint k = 0; k < p.n; ++k) {
    MEET(v)
    q += v;
    if ((v & 3) == 1) continue;
    r = r * 3 + v;
    if (r > 5000) { r &= 1023; if ((q & 1) == 0) continue; q ^= 5; } else if (v == 17) { continue; }
    r ^= q; last = k;
  }
  a[place()] = r * 7 + q * 3 + last;)");
  line(kTile, R"(
  uint r = b[place()] & 255, k = 0;
  do { MEET(v) if (((v + I) & 3) == 1) continue; r = r * 3 + v; } while (++k < p.n);
  a[place()] = r;)");
  line(kTile + "uint next(uint k) { barrier(); t[I] += k; barrier(); return k + 1; }",
       R"(
  uint r = b[place()] & 255;
  for (uint k = 0; k < p.n; k = next(k)) { MEET(v) if ((v & 1) == 1) continue; r += v; }
  a[place()] = r * 5 + t[(I + 1) % ALL];)");
}

TEST_F(Coarsened, ContinuesFromSwitches) {
  plane(kTile, R"(
  uint r = b[place()] & 255, q = 1;
  for (uint k = 0; k < p.n; ++k) {
    MEET(v)
    switch (v & 3) {
    case 0: r += 1; continue;
    case 1: r ^= v; break;
    case 2: if (v > 100) continue; r += 7;
    default: if ((r & 1) == 0) break; r -= v;
    }
    r = r * 5 + v;
    switch (r & 7) { case 3: for (uint i = 0; i < I; ++i) { if (i == 5) break; q += r; } continue; case 4: q ^= 1; }
    q = q * 3 + r;
  }
  a[place()] = r * 31 + q;)");
}

TEST_F(Coarsened, ContinuesInNestedLoops) {
  plane(kTile, R"(
  uint r = b[place()] & 255, q = 0;
  for (uint j = 0; j < p.m; ++j) {
    for (uint k = 0; k < p.n; ++k) {
      MEET(v)
      if ((v & 1) == 1) continue;
      for (uint i = 0; i < (v & 7); ++i) { if (i == I) break; if (((r + i) & 1) == 0) continue; q += r; }
      if ((q & 3) == 2) continue;
      r = r * 3 + q;
    }
    uint k = j;
    MEET(w)
    if (w > 99) { q += 3; continue; }
    r ^= w;
    if ((r & 1) == 1) { while ((r & 6) != 0) { --r; if (r == q) break; } continue; }
    q += r;
  }
  a[place()] = r * 7 + q;)");
}

TEST_F(Coarsened, ContinuesUnderUniformBranches) {
  plane(kTile, R"(
  uint r = b[place()] & 255, q = 0;
  for (uint k = 0; k < p.n + 4; ++k) {
    if ((k & 1) == p.zero) { MEET(v) if ((v & 3) == 2) continue; r = r * 3 + v; continue; }
    if (k + G.x == 3) continue;
    switch (k & 3) {
    case 1: { MEET(v) if (v > r) continue; q += v; continue; }
    case 2: r += 1; break;
    default: { MEET(v) q ^= v; if (k == 7) { a[place()] = r + q; return; } }
    }
    if ((r & 3) == 1) continue;
    q = q * 5 + r;
  }
  a[place()] = r * 7 + q;)");
}

TEST_F(Coarsened, Switches) {
  line("", R"(
  uint r = 1;
  switch (b[place()] & 7) {
  case 0: r = 5; break;
  case 1: r = 6;
  case 2: r += I; break;
  case 3: { if (I > 5) break; r = 11; }
  case 4: for (uint i = 0; i < I; ++i) { r += i; if (r > 50) break; } break;
  default: r = 99;
  }
  a[place()] = r;)");
}

TEST_F(Coarsened, FunctionsWithBarriersAndReturns) {
  expectSame(kVersion + kLine + kHead + R"(
shared uint t[24];
uint exchange(uint value, uint by) {
  t[I] = value;
  barrier();
  uint got = t[(I + by) % 24];
  barrier();
  return got;
}
uint collatz(uint x) {
  for (uint i = 0; i < 20; ++i) {
    if (x <= 1) return i;
    x = (x & 1) == 0 ? x / 2 : 3 * x + 1;
  }
  return 20;
}
void add(inout uint x, uint y) { if (y == 0) return; x += y; }
void main() {
  uint r = b[place()] & 31;
  r = exchange(r, 5) + collatz(r);
  add(r, I & 3);
  r = exchange(r * 3, G.x + 1);
  a[place()] = r;
})");
}

TEST_F(Coarsened, Atomics) {
  // Results of atomics are used, in a way that does not depend on their order.
  line("shared uint count, bits[2], slot[24];", R"(
  if (I < 2) bits[I] = 0;
  if (I == 0) count = 0;
  barrier();
  uint ticket = atomicAdd(count, 1);
  slot[ticket] = 1;
  atomicOr(bits[I & 1], 1u << (b[place()] & 31));
  barrier();
  uint sum = 0;
  for (uint i = 0; i < 24; ++i) sum += slot[i];
  a[place()] = sum + count * 100 + bits[0] + bits[1] * 3;)");
  line("", R"(atomicAdd(a[0], I + 1); atomicMax(a[1], b[place()]);
  if ((I & 1) == 0) atomicXor(a[2], b[place()]);)");
}

TEST_F(Coarsened, PrivateMemory) {
  line("uint counter = 3; uint table[5];\nvoid bump(uint by) { counter += by; table[by % 5] = "
       "counter; }",
       R"(
  uint mine[6];
  for (uint i = 0; i < 6; ++i) mine[i] = i * I;
  for (uint i = 0; i < 5; ++i) table[i] = i;
  bump(I);
  if ((I & 1) == 0) bump(2);
  mine[I % 6] += counter;
  a[place()] = mine[(I * 5) % 6] + mine[0] + table[I % 5] * 7 + counter;)");
}

TEST_F(Coarsened, VectorsMatricesAndPhis) {
  plane("shared mat4 m; shared vec4 rows[48];", R"(
  vec4 v = vec4(I, G.x, 1, 2);
  if (I < 4) m[I] = vec4(I, I + 1, G.y, 1);
  rows[I] = v;
  barrier();
  vec4 r = (I & 1) == 0 ? m * v : rows[47 - I] * 2.0;
  uvec4 u = uvec4(r);
  bool odd = (u.x & 1) == 1 && (I > 3 || u.y > 2);
  u = odd ? u.wzyx : u + 1;
  a[place()] = u.x + u.y * 3 + u.z * 5 + u.w * 7 + uint(fract(r.x * 0.37) * 100.0);)");
}

TEST_F(Coarsened, MathWithResultsThroughPointers) {
  line("", R"(
  float whole; int e;
  float x = float(b[place()] & 4095) * 0.37 - 100.0;
  float f = modf(x, whole);
  float g = frexp(x, e);
  uint hi, lo; umulExtended(b[place()], 2654435761u, hi, lo);
  a[place()] = uint(int(whole)) + uint(f * 64.0) + uint(e) * 3 + uint(g * 8.0) + hi + lo;)");
}

TEST_F(Coarsened, EverythingMayBeUniformWithoutAConstant) {
  line("shared uint t[24];", R"(
  uint base = b[G.x] & 7;
  t[I] = I * base;
  barrier();
  uint n = t[1] + 1;
  for (uint i = 0; i < n; ++i) {
    t[(I + i) % 24] += i;
    barrier();
  }
  if (b[G.x + 1] > 5) { barrier(); t[I] += 3; barrier(); }
  a[place()] = t[23 - I];)");
}

TEST_F(Coarsened, RefusesBarriersThatMayDiffer) {
  expectRefused("shared uint t[24];", R"(
  t[I] = I;
  if (I < 12) { if (p.zero > 0) barrier(); t[I] = 5; }
  a[place()] = t[I];)",
                "not proven to be the same for a whole workgroup");
  expectRefused("shared uint t[24];", R"(
  for (uint i = I; i < p.n + I; ++i) { t[I] = i; barrier(); }
  a[place()] = t[I];)",
                "not proven to be the same for a whole workgroup");
}

TEST_F(Coarsened, RefusesBarriersBehindContinues) {
  const char *unproven = "not proven to be the same for a whole workgroup";
  expectRefused(kTile, R"(
  uint r = I;
  for (uint k = 0; k < p.n; ++k) { if ((r & 1) == 1) continue; MEET(v) r += v; }
  a[place()] = r;)",
                unproven);
  expectRefused(kTile, R"(
  uint r = I;
  for (uint k = 0; k < p.n; ++k) { MEET(v) r += v; if (r > 50) continue; if (p.m > 2) { MEET(w) r ^= w; } }
  a[place()] = r;)",
                unproven);
  expectRefused(kTile, R"(
  uint r = I;
  for (uint k = 0; k < p.n; ++k) { MEET(v) r += v; if (r > 50) break; }
  a[place()] = r;)",
                unproven);
  // All reach the barriers. But what follows them for some is what the others come to without.
  expectRefused(kTile, R"(
  uint r = I;
  for (uint k = 0; k < p.n; ++k) { if ((k & 1) == 1) { MEET(v) if (v > 50) continue; r += v; } r ^= 5; }
  a[place()] = r;)",
                "a control barrier stands in a part of the kernel");
}

TEST_F(Coarsened, RefusesInvocationsThatWait) {
  expectRefused("", R"(
  if (I == 3) atomicExchange(a[0], 1);
  while (atomicAdd(a[0], 0) == 0) {}
  a[place()] = 1;)",
                "wait");
}

} // namespace
