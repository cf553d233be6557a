//===- unit/Analysis/AffineTests.cpp - Sums of symbols ---------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each kernel stores values to `out` in order; what the analysis makes of each is
// compared with what was worked out by hand.
//
//===----------------------------------------------------------------------===//
#include "Analysis/AffineArithmetic.h"

#include "KernelSupport.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <random>

using namespace tailor;
using testing::ElementsAre;

namespace {

/// A kernel of size 16x4x1 whose body is `body`, and the values that it stores to `o.v`, as text.
class Stored {
public:
  explicit Stored(const std::string &body) {
    std::unique_ptr<Module> module =
        moduleOf(
            R"(#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 16, local_size_y = 4) in;
layout(push_constant) uniform P { uint n; uint w; int h; } p;
layout(set = 0, binding = 0) buffer O { uint v[]; } o;
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(constant_id = 7) const uint K = 3;
layout(constant_id = 8) const uint K2 = 5; // 7 as well: see below
#define G gl_GlobalInvocationID
#define L gl_LocalInvocationID
#define W gl_WorkGroupID
void store(uint x) { o.v[0] = x; }
void main() {
)" + body + "\n}\n");
    if (!module)
      return;
    // GLSL does not let one say it.
    for (Instruction &inst : module->section(Section::Annotations))
      if (inst.opcode() == spv::Op::OpDecorate && inst.numOperands() == 3 &&
          inst.literal(1) == static_cast<uint32_t>(spv::Decoration::SpecId) && inst.literal(2) == 8)
        inst.setLiteral(2, 7);
    kernel = analyse(std::move(module));
    if (!kernel)
      return;
    for (const Block &block : kernel->form().function().blocks())
      for (const Instruction &inst : block.instructions()) {
        if (inst.opcode() != spv::Op::OpStore)
          continue;
        auto path = tracePointer(kernel->module(), inst.id(0));
        if (!path || path->space != MemorySpace::StorageBuffer)
          continue;
        const AffineExpr *expr = kernel->affine().expr(inst.id(1));
        texts.push_back(expr ? kernel->affine().str(*expr) : "-");
        ranges.push_back(expr ? kernel->affine().rangeOf(*expr, &block) : IntRange());
      }
  }

  std::vector<std::string> texts;
  std::vector<IntRange> ranges;
  AnalysedKernel kernel;
};

std::string one(const std::string &expression) {
  Stored stored("store(" + expression + ");");
  return stored.texts.size() == 1 ? stored.texts.front() : "?";
}
/// The value is a symbol of its own: nothing but its range is known.
bool isOpaque(const std::string &expression) {
  std::string text = one(expression);
  return text.find("gid") == std::string::npos && text.find("lid") == std::string::npos &&
         text.find("wg") == std::string::npos && text.find('%') == 0;
}

} // namespace

//===----------------------------------------------------------------------===//
// Counter-examples: what must not be concluded
//===----------------------------------------------------------------------===//

TEST(Affine, QuotientsOfWhatMayWrap) {
  EXPECT_TRUE(isOpaque("(G.x + 1) / 16")); // the last id plus one is 0
  EXPECT_TRUE(isOpaque("(G.x - 16) / 16"));
  EXPECT_TRUE(isOpaque("(G.x * 2) / 2"));
  EXPECT_TRUE(isOpaque("(p.n * 16 + L.x) / 16"));
  EXPECT_TRUE(isOpaque("G.x / 5"));
  EXPECT_TRUE(isOpaque("G.x / 32"));
  EXPECT_TRUE(isOpaque("uint(int(G.x) / 16)")); // ids past 2^31 are negative
  EXPECT_TRUE(isOpaque("uint(int(L.x) - 1) / 16"));
}

TEST(Affine, RemaindersOfWhatMayWrap) {
  EXPECT_TRUE(isOpaque("(G.x + 1) % 3"));
  EXPECT_TRUE(isOpaque("(p.n * 3 + L.x % 3) % 3"));
  EXPECT_TRUE(isOpaque("G.x % 32"));
  EXPECT_TRUE(isOpaque("uint((int(L.x) - 20) % 4)"));
}

TEST(Affine, BitsThatOverlap) {
  EXPECT_TRUE(isOpaque("W.x * 8 | L.x"));
  EXPECT_TRUE(isOpaque("G.x | 1"));
  EXPECT_TRUE(isOpaque("p.n << 4 | L.x + 1"));
  EXPECT_TRUE(isOpaque("G.x & 12"));
}

TEST(Affine, WideningOfWhatMayWrap) {
  EXPECT_TRUE(isOpaque("uint(uint64_t(G.x * 2) >> 1)"));
  EXPECT_EQ(one("uint(uint64_t(G.x) * 2)"), "2*gid.x"); // the low half of the product
}

TEST(Affine, MemoryThatIsWritten) {
  Stored stored("store(o.v[3]); store(o.v[3]); store(b[3] - b[3]);");
  ASSERT_EQ(stored.texts.size(), 3u);
  EXPECT_NE(stored.texts[0], stored.texts[1]);
  EXPECT_EQ(stored.texts[2], "0");
}

TEST(Affine, ConstantsOfOneSpecIdThatDiffer) {
  // The host may leave them alone: then one is 3 and the other 5.
  EXPECT_EQ(one("K * L.x - K2 * L.x"), "lid.x*K - lid.x*K2");
  EXPECT_EQ(one("K * L.x - K * L.x"), "0");
}

TEST(Affine, ChoicesAreNotSums) {
  EXPECT_TRUE(isOpaque("p.n > 3 ? L.x : L.x + 1"));
  EXPECT_EQ(one("p.n > 3 ? L.x : L.x"), "lid.x");
}

//===----------------------------------------------------------------------===//
// What is known
//===----------------------------------------------------------------------===//

TEST(Affine, Ids) {
  EXPECT_EQ(one("G.x"), "gid.x");
  EXPECT_EQ(one("W.x * 16 + L.x"), "gid.x");
  EXPECT_EQ(one("W.x * 16 | L.x"), "gid.x");
  EXPECT_EQ(one("(W.y << 2) ^ L.y"), "gid.y");
  EXPECT_EQ(one("gl_WorkGroupSize.x * W.x + L.x"), "gid.x");
  EXPECT_EQ(one("G.x - L.x"), "16*wg.x");
  EXPECT_EQ(one("gl_LocalInvocationIndex"), "lid.x + 16*lid.y");
  EXPECT_EQ(one("L.z"), "0"); // the size is 1
  EXPECT_EQ(one("W.z"), "gid.z");
  EXPECT_EQ(one("G.zyx.z + G[1]"), "gid.x + gid.y");
}

TEST(Affine, PartsOfTheGlobalId) {
  EXPECT_EQ(one("G.x / 16"), "wg.x");
  EXPECT_EQ(one("G.x >> 4"), "wg.x");
  EXPECT_EQ(one("G.x % 16"), "lid.x");
  EXPECT_EQ(one("G.x & 15"), "lid.x");
  EXPECT_EQ(one("G.x & ~15u"), "16*wg.x");
  EXPECT_EQ(one("bitfieldExtract(G.x, 0, 4)"), "lid.x");
  EXPECT_EQ(one("gl_LocalInvocationIndex / 16"), "lid.y");
  EXPECT_EQ(one("gl_LocalInvocationIndex % 16"), "lid.x");
  EXPECT_EQ(one("(L.x * 6 + 5) / 3"), "2*lid.x + 1");
  EXPECT_EQ(one("(p.n * 16 + L.x) % 16"), "lid.x"); // modulo a power of two wraps do not matter
  EXPECT_EQ(one("uint(int(L.x) * 4 / 4)"), "lid.x");
}

TEST(Affine, ValuesOfTheHost) {
  EXPECT_EQ(one("G.y * p.w + G.x"), "gid.x + gid.y*p.w");
  EXPECT_EQ(one("(G.y + 1) * p.w - p.w"), "gid.y*p.w");
  EXPECT_EQ(one("b[4] * K + uint(p.h)"), "b[4]*K + p.h");
  EXPECT_EQ(one("gl_NumWorkGroups.x * 16"), "16*groups.x");
  EXPECT_EQ(one("uint(b.length())"), "length(B)");
}

TEST(Affine, Ranges) {
  auto rangeOf = [](const std::string &expression) {
    Stored stored("store(" + expression + ");");
    return stored.ranges.empty() ? IntRange() : stored.ranges.front();
  };
  EXPECT_EQ(rangeOf("L.x * 3 + 1"), (IntRange{1, 46}));
  EXPECT_EQ(rangeOf("G.x"), (IntRange{0, 4294967295}));
  EXPECT_EQ(rangeOf("p.n % 7"), (IntRange{0, 6}));
  EXPECT_EQ(rangeOf("p.n & 12"), (IntRange{0, 12}));
  EXPECT_EQ(rangeOf("min(p.n, 9u)"), (IntRange{0, 9}));
  EXPECT_EQ(rangeOf("clamp(p.n, 2u, 9u)"), (IntRange{2, 9}));
  EXPECT_EQ(rangeOf("p.n >> 28"), (IntRange{0, 15}));
  EXPECT_EQ(rangeOf("L.x / 3"), (IntRange{0, 5}));
  EXPECT_EQ(rangeOf("uint(int(L.x) - 4)"), (IntRange{-4, 11}));
  EXPECT_EQ(rangeOf("p.n > 3 ? L.x : 40u"), (IntRange{0, 40}));
  EXPECT_EQ(one("min(L.x, 15u)"), "lid.x");
  EXPECT_EQ(one("min(L.x, 20u)"), "lid.x");
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {

std::vector<std::string> tripsOf(const std::string &body) {
  Stored stored(body);
  std::vector<std::string> trips;
  if (stored.kernel)
    for (const auto &loop : stored.kernel->affine().loops())
      trips.push_back((loop->tripText.empty() ? "?" : loop->tripText) + (loop->trips ? ""
                                                                         : loop->tripText.empty()
                                                                             ? ""
                                                                             : " unproven"));
  return trips;
}

} // namespace

TEST(AffineLoops, TripCountsThatAreNotProven) {
  // A step of two may pass the bound at the end of the type, and go on.
  EXPECT_THAT(tripsOf("for (uint i = 0; i < p.n; i += 2) store(i);"),
              ElementsAre("(p.n + 1) / 2 unproven"));
  EXPECT_THAT(tripsOf("for (uint i = 0; i <= p.n; ++i) store(i);"),
              ElementsAre("p.n + 1 unproven"));
  EXPECT_THAT(tripsOf("for (uint i = 3; i != p.n; ++i) store(i);"),
              ElementsAre("p.n - 3 unproven"));
  EXPECT_THAT(tripsOf("for (uint i = 0; i < b[i]; ++i) store(i);"), ElementsAre("?"));
  EXPECT_THAT(tripsOf("for (uint i = 0; i < p.n; ++i) { if (b[i] == 3) break; store(i); }"),
              ElementsAre("?"));
  EXPECT_THAT(tripsOf("for (uint i = 0; i < p.n; i += b[i]) store(i);"), ElementsAre("?"));
  EXPECT_THAT(tripsOf("uint m = p.n; for (uint i = 0; i < m; ++i) { m += b[i]; store(i); }"),
              ElementsAre("?"));
  EXPECT_THAT(tripsOf("for (uint i = 0; i != 7; i += 2) store(i);"), ElementsAre("?"));
  // 128 + 128 is 0 in 8 bits: 127 rounds, not 383.
  EXPECT_THAT(
      tripsOf("for (uint8_t i = uint8_t(128); uint8_t(i + uint8_t(128)) != uint8_t(127); ++i)"
              " store(uint(i));"),
      ElementsAre("127"));
  EXPECT_THAT(tripsOf("for (uint i = 10; i < 5; --i) store(i);"), ElementsAre("?"));
}

TEST(AffineLoops, CountersThatAreWidenedForTheTest) {
  // 10, 7, 4, 1, 254, ...: no number that is not positive comes before 0 in 8 bits.
  EXPECT_THAT(tripsOf("for (uint8_t i = uint8_t(10); int(i) > 0; i -= uint8_t(3)) store(1);"),
              ElementsAre("?"));
  EXPECT_THAT(tripsOf("for (uint16_t i = uint16_t(10); int(i) > 0; i -= uint16_t(3)) store(1);"),
              ElementsAre("?"));
  EXPECT_THAT(tripsOf("for (uint8_t i = uint8_t(0); uint(i) < 300; ++i) store(1);"),
              ElementsAre("?"));
  EXPECT_THAT(tripsOf("for (int8_t i = int8_t(0); int(i) < 200; ++i) store(1);"), ElementsAre("?"));
  EXPECT_THAT(tripsOf("for (uint8_t i = uint8_t(W.x + 1); int(i) > int(W.x); i -= uint8_t(1))"
                      " store(1);"),
              ElementsAre("?"));
  EXPECT_THAT(tripsOf("for (uint8_t i = uint8_t(0); uint(i) < p.n; ++i) store(1);"),
              ElementsAre("?"));
  EXPECT_THAT(tripsOf("for (uint8_t i = uint8_t(250); uint(i) != 4; ++i) store(1);"),
              ElementsAre("?"));
  EXPECT_THAT(tripsOf("for (uint8_t i = uint8_t(9); int(i) > 0; i -= uint8_t(3)) store(1);"),
              ElementsAre("3"));
  EXPECT_THAT(tripsOf("for (uint8_t i = uint8_t(200); uint(i) < 250; i += uint8_t(5)) store(1);"),
              ElementsAre("10"));
}

TEST(AffineLoops, TripCounts) {
  EXPECT_THAT(tripsOf("for (uint i = 0; i < 10; ++i) store(i);"), ElementsAre("10"));
  EXPECT_THAT(tripsOf("for (int i = 9; i >= 0; --i) store(uint(i));"), ElementsAre("10"));
  EXPECT_THAT(tripsOf("for (uint i = L.x; i < 64 + L.x; i += 16) store(i);"), ElementsAre("4"));
  EXPECT_THAT(tripsOf("for (uint i = 1; i < 100; i *= 3) store(i);"), ElementsAre("5"));
  EXPECT_THAT(tripsOf("for (uint i = 128; i > 0; i >>= 1) store(i);"), ElementsAre("8"));
  EXPECT_THAT(tripsOf("for (uint i = 0; i < p.n; ++i) store(i);"), ElementsAre("p.n"));
  EXPECT_THAT(tripsOf("for (int i = 2; i < p.h; ++i) store(uint(i));"), ElementsAre("p.h - 2"));
  EXPECT_THAT(tripsOf("for (uint i = 0; i != 8; i += 2) store(i);"), ElementsAre("4"));
  EXPECT_THAT(tripsOf("for (uint i = 5; i > 5; --i) store(i);"), ElementsAre("0"));
  EXPECT_THAT(tripsOf("for (uint i = 0; i < 3000000000u; i += 1000000000u) store(i);"),
              ElementsAre("3"));
  EXPECT_THAT(tripsOf("for (uint i = 4000000000u; i > 1000000000u; i -= 100000000u) store(i);"),
              ElementsAre("30"));
  EXPECT_THAT(
      tripsOf("for (uint8_t i = uint8_t(0); i < uint8_t(250); i += uint8_t(7)) store(uint(i));"),
      ElementsAre("36"));
  EXPECT_THAT(
      tripsOf("for (uint8_t i = uint8_t(0); i < uint8_t(250); i += uint8_t(100)) store(uint(i));"),
      ElementsAre("3 unproven")); // 200 and 100 are 44: it goes on
  EXPECT_THAT(tripsOf("uint i = 0; do { store(i); ++i; } while (i < 5);"), ElementsAre("5"));
  EXPECT_THAT(
      tripsOf("for (uint i = 0; i < p.n; ++i) for (uint j = i; j < 4 + i; ++j) store(i + j);"),
      ElementsAre("p.n", "4 unproven")); // 4 + i may wrap
}

TEST(AffineLoops, TripCountsOfLanesThatStride) {
  EXPECT_THAT(tripsOf("for (uint i = L.x; i < 64; i += 16) store(i);"), ElementsAre("4"));
  EXPECT_THAT(tripsOf("for (int i = int(L.x); i <= 47; i += 16) store(uint(i));"),
              ElementsAre("3"));
  EXPECT_THAT(tripsOf("for (uint i = gl_LocalInvocationIndex; i < 256; i += 64) store(i);"),
              ElementsAre("4"));
  EXPECT_THAT(tripsOf("for (uint i = 63 - L.x; i >= 16; i -= 16) store(i);"), ElementsAre("3"));
  EXPECT_THAT(tripsOf("uint i = L.x; do { store(i); i += 16; } while (i < 64);"), ElementsAre("4"));
  EXPECT_THAT(tripsOf("for (uint i = L.x; i < 12; i += 16) store(i);"),
              ElementsAre("(-lid.x + 27) / 16 unproven"));
  EXPECT_THAT(tripsOf("for (uint i = L.x; i < 65; i += 16) store(i);"),
              ElementsAre("(-lid.x + 80) / 16 unproven"));
  // 134217728 steps for all, if the last one did not lead to 2^32.
  EXPECT_THAT(tripsOf("for (uint i = L.x; i < 4294967295u; i += 32) store(i);"),
              ElementsAre(testing::HasSubstr("unproven")));
  EXPECT_THAT(tripsOf("for (uint i = L.x; i < p.n; i += 16) store(i);"),
              ElementsAre("(p.n - lid.x + 15) / 16 unproven"));
}

TEST(AffineLoops, CountersAreSpelledOut) {
  EXPECT_THAT(Stored("for (uint i = 3; i < 10; i += 2) store(i);").texts, ElementsAre("2*i0 + 3"));
  EXPECT_THAT(Stored("for (uint i = L.x; i < 1024; i += 16) store(i * 4);").texts,
              ElementsAre("64*i0 + 4*lid.x"));
  EXPECT_THAT(
      Stored("for (uint i = 0; i < p.n; ++i) for (uint j = 0; j < 4; ++j) store(i * 4 + j);").texts,
      ElementsAre("4*i0 + i1"));
  EXPECT_THAT(Stored("for (uint i = 0; i < p.n; i += p.w) store(i);").texts, ElementsAre("i0*p.w"));
  EXPECT_THAT(Stored("uint s = 7; for (uint i = 0; i < 4; ++i) { store(s); s -= 2; }").texts,
              ElementsAre("-2*i0 + 7"));
}

TEST(AffineLoops, RangesInTheBodyAndBehind) {
  Stored stored("uint i; for (i = 0; i < 10; ++i) store(i); store(i);");
  EXPECT_THAT(stored.ranges, ElementsAre(IntRange{0, 9}, IntRange{0, 10}));
  Stored halves("for (uint s = 32; s > 0; s >>= 1) store(s);");
  EXPECT_THAT(halves.ranges, ElementsAre(IntRange{0, 32}));
}

//===----------------------------------------------------------------------===//
// Arithmetic, against numbers
//===----------------------------------------------------------------------===//

namespace {

int64_t valueOf(const AffineExpr &expr, const std::vector<int64_t> &symbols) {
  uint64_t sum = static_cast<uint64_t>(expr.constant);
  for (const AffineTerm &term : expr.terms) {
    uint64_t product = static_cast<uint64_t>(term.coefficient);
    for (unsigned at = 0; at < term.degree(); ++at)
      product *= static_cast<uint64_t>(symbols[term.symbols[at]]);
    sum += product;
  }
  return static_cast<int64_t>(sum);
}

} // namespace

TEST(AffineArithmetic, AgreesWithNumbers) {
  std::mt19937_64 random(1);
  auto number = [&] { return static_cast<int64_t>(random() >> (random() % 64)); };
  for (unsigned round = 0; round < 5000; ++round) {
    std::vector<int64_t> symbols = {number(), number(), number()};
    auto expr = [&] {
      AffineExpr sum = affine::constant(affine::wrapTo(static_cast<uint64_t>(number()), 32));
      for (unsigned left = random() % 4; left != 0; --left)
        sum = *affine::add(sum, affine::scale(affine::symbol(random() % 3), number(), 32), 32);
      return sum;
    };
    AffineExpr a = expr(), b = expr();
    auto low = [](uint64_t value) { return static_cast<uint32_t>(value); };
    auto bits = [&](const AffineExpr &value) {
      return static_cast<uint64_t>(valueOf(value, symbols));
    };
    auto sum = affine::add(a, b, 32), product = affine::multiply(a, b, 32);
    ASSERT_TRUE(sum && product);
    EXPECT_EQ(low(bits(*sum)), low(bits(a) + bits(b)));
    EXPECT_EQ(low(bits(*product)), low(bits(a) * bits(b)));
    int64_t divisor = 1 + static_cast<int64_t>(random() % 1000);
    affine::Split split = affine::splitBy(a, divisor);
    EXPECT_EQ(static_cast<uint64_t>(valueOf(split.quotient, symbols)) *
                      static_cast<uint64_t>(divisor) +
                  static_cast<uint64_t>(valueOf(split.remainder, symbols)),
              static_cast<uint64_t>(valueOf(a, symbols)));
    EXPECT_TRUE(split.remainder.constant >= 0 && split.remainder.constant < divisor);
  }
}

TEST(AffineArithmetic, RangesHoldTheirNumbers) {
  std::mt19937_64 random(2);
  auto range = [&] {
    int64_t x = static_cast<int64_t>(random()) >> (random() % 63);
    int64_t y = static_cast<int64_t>(random()) >> (random() % 63);
    return IntRange{std::min(x, y), std::max(x, y)};
  };
  auto inside = [&](const IntRange &r) {
    switch (random() % 3) {
    case 0:
      return r.lo;
    case 1:
      return r.hi;
    default:
      return r.lo + static_cast<int64_t>(random() % 7) % std::max<int64_t>(1, r.hi / 2 - r.lo / 2);
    }
  };
  for (unsigned round = 0; round < 20000; ++round) {
    IntRange a = range(), b = range();
    __extension__ typedef __int128 Wide;
    Wide x = inside(a), y = inside(b);
    auto holds = [](const IntRange &r, Wide value) {
      return (r.lo == IntRange::kMin || value >= r.lo) && (r.hi == IntRange::kMax || value <= r.hi);
    };
    EXPECT_TRUE(holds(affine::add(a, b), x + y));
    EXPECT_TRUE(holds(affine::multiply(a, b), x * y));
    EXPECT_TRUE(holds(affine::unite(a, b), x));
  }
}
