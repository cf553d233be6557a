//===- Analysis/DispatchTests.cpp ----------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/Dispatch.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <random>

using namespace tailor;
using Op = UniformExpr::Op;
using testing::HasSubstr;

namespace {

constexpr Dim3 kAnyGroups{UINT32_MAX, UINT32_MAX, UINT32_MAX};

UniformExpr leaf(Op op, std::array<uint32_t, 4> params) { return {op, params, {}}; }
UniformExpr binary(Op op, UniformExpr a, UniformExpr b) {
  return {op, {}, {std::move(a), std::move(b)}};
}
UniformExpr binary(Op op, uint32_t a, uint32_t b) {
  return binary(op, UniformExpr::constant(a), UniformExpr::constant(b));
}

UniformExpr select(UniformExpr condition, UniformExpr a, UniformExpr b) {
  return {Op::Select, {}, {std::move(condition), std::move(a), std::move(b)}};
}

std::optional<uint32_t> unknownLeaf(const UniformExpr &) { return std::nullopt; }

std::string refusalOf(const Dispatch &dispatch, const Dim3 &groups, const Dim3 &maxGroups) {
  Result<Dim3> counts = variantGroups(dispatch, dispatch.mul, groups, maxGroups);
  return counts ? counts->str() : counts.diagnostic().text;
}

DispatchBound boundOf(uint32_t value, bool isSigned, bool inclusive) {
  return {0, UniformExpr::constant(value), isSigned, inclusive, {}};
}

} // namespace

TEST(DispatchRule, NamesGoBothWays) {
  for (DispatchRule rule :
       {DispatchRule::Same, DispatchRule::Exact, DispatchRule::Cover, DispatchRule::Guarded})
    EXPECT_EQ(parseDispatchRule(nameOf(rule)), rule);
  EXPECT_EQ(nameOf(DispatchRule::Guarded), "guarded");
  EXPECT_EQ(parseDispatchRule("Cover"), std::nullopt);
  for (unsigned op = 0; op <= static_cast<unsigned>(Op::Select); ++op)
    EXPECT_EQ(parseUniformOp(nameOf(static_cast<Op>(op))), static_cast<Op>(op));
  EXPECT_EQ(nameOf(Op::AShr), "ashr");
  EXPECT_EQ(parseUniformOp(""), std::nullopt);
}

TEST(UniformExpr, Text) {
  EXPECT_EQ(leaf(Op::PushConstant, {4, 0, 0, 0}).str(), "push_constant[4]");
  EXPECT_EQ(leaf(Op::ImageSize, {0, 1, 0, 0}).str(), "image_size(0,1).x");
  EXPECT_EQ(leaf(Op::ArrayLength, {2, 3, 16, 4}).str(), "array_length(2,3)[16]");
  EXPECT_EQ(leaf(Op::BufferValue, {0, 1, 8, 0}).str(), "buffer(0,1)[8]");
  EXPECT_EQ(leaf(Op::SpecConstant, {3, 64, 0, 0}).str(), "spec_constant(3)");
  EXPECT_EQ(binary(Op::Mul, binary(Op::Add, 1, 2), UniformExpr::constant(3)).str(),
            "((1 + 2) * 3)");
  EXPECT_EQ(binary(Op::Add, leaf(Op::PushConstant, {0, 0, 0, 0}), UniformExpr::constant(UINT32_MAX))
                .str(),
            "(push_constant[0] - 1)");
  EXPECT_EQ(binary(Op::SDiv, 7, 2).str(), "sdiv(7, 2)");
  EXPECT_EQ(
      select(binary(Op::ULessEqual, 1, 2), UniformExpr::constant(3), binary(Op::SLess, 4, 5)).str(),
      "((1 <= 2) ? 3 : sless(4, 5))");
  EXPECT_EQ((DispatchBound{1, UniformExpr::constant(9), false, true, {}}).str(), "gid.y <= 9");
}

TEST(UniformExpr, ArithmeticIsThatOfSpirv) {
  const uint32_t minusSeven = static_cast<uint32_t>(-7), intMin = 0x80000000u;
  struct Case {
    Op op;
    uint32_t a, b;
    std::optional<uint32_t> value;
  };
  const Case cases[] = {
      {Op::Add, UINT32_MAX, 2, 1},
      {Op::Sub, 1, 2, UINT32_MAX},
      {Op::Mul, 0x10000, 0x10001, 0x10000},
      {Op::UDiv, 7, 2, 3},
      {Op::UDiv, 7, 0, std::nullopt},
      {Op::SDiv, minusSeven, 2, static_cast<uint32_t>(-3)},
      {Op::SDiv, 7, 0, std::nullopt},
      {Op::SDiv, intMin, UINT32_MAX, std::nullopt},
      {Op::UMod, 7, 4, 3},
      {Op::UMod, 7, 0, std::nullopt},
      {Op::UMin, minusSeven, 2, 2},
      {Op::SMin, minusSeven, 2, minusSeven},
      {Op::UMax, minusSeven, 2, minusSeven},
      {Op::SMax, minusSeven, 2, 2},
      {Op::Shl, 1, 31, intMin},
      {Op::Shl, 1, 32, std::nullopt},
      {Op::LShr, intMin, 31, 1},
      {Op::LShr, 1, 32, std::nullopt},
      {Op::AShr, intMin, 31, UINT32_MAX},
      {Op::AShr, 1, 99, std::nullopt},
      {Op::And, 12, 10, 8},
      {Op::Or, 12, 10, 14},
      {Op::Xor, 12, 10, 6},
      {Op::Equal, 5, 5, 1},
      {Op::Equal, 5, 6, 0},
      {Op::NotEqual, 5, 6, 1},
      {Op::NotEqual, 5, 5, 0},
      {Op::ULess, 2, minusSeven, 1},
      {Op::ULess, 2, 2, 0},
      {Op::ULessEqual, 2, 2, 1},
      {Op::ULessEqual, minusSeven, 2, 0},
      {Op::SLess, minusSeven, 2, 1},
      {Op::SLess, 2, 2, 0},
      {Op::SLessEqual, 2, 2, 1},
      {Op::SLessEqual, 2, minusSeven, 0},
  };
  for (const Case &c : cases)
    EXPECT_EQ(evaluate(binary(c.op, c.a, c.b), unknownLeaf), c.value)
        << nameOf(c.op) << " " << c.a << " " << c.b;
}

TEST(UniformExpr, LeavesComeFromTheHostOrAreUnknown) {
  UniformExpr sum = binary(Op::Add, leaf(Op::PushConstant, {8, 0, 0, 0}), UniformExpr::constant(1));
  EXPECT_EQ(evaluate(sum, unknownLeaf), std::nullopt);
  EXPECT_EQ(evaluate(sum, nullptr), std::nullopt);
  auto host = [](const UniformExpr &asked) -> std::optional<uint32_t> {
    EXPECT_EQ(asked.op, Op::PushConstant);
    return asked.params[0] * 100;
  };
  EXPECT_EQ(evaluate(sum, host), 801u);
}

TEST(UniformExpr, OnlyTheChosenSideOfASelectNeedsAValue) {
  const UniformExpr seven = UniformExpr::constant(7), yes = UniformExpr::constant(2),
                    no = UniformExpr::constant(0), unknown = leaf(Op::PushConstant, {0, 0, 0, 0}),
                    undefined = binary(Op::UDiv, 1, 0);
  EXPECT_EQ(evaluate(select(yes, seven, undefined), unknownLeaf), 7u);
  EXPECT_EQ(evaluate(select(no, unknown, seven), unknownLeaf), 7u);
  EXPECT_EQ(evaluate(select(no, seven, unknown), unknownLeaf), std::nullopt);
  EXPECT_EQ(evaluate(select(unknown, seven, seven), unknownLeaf), std::nullopt);
}

TEST(UniformExpr, MalformedTreesHaveNoValue) {
  UniformExpr two = binary(Op::Select, 1, 2);
  EXPECT_FALSE(isWellFormed(two));
  EXPECT_EQ(evaluate(two, unknownLeaf), std::nullopt);
  EXPECT_EQ(two.str(), "...");
  UniformExpr three = select(UniformExpr::constant(1), UniformExpr::constant(2), two);
  EXPECT_FALSE(isWellFormed(three));
  three.op = Op::Add;
  EXPECT_FALSE(isWellFormed(three));

  UniformExpr lame = binary(Op::Add, 1, 2);
  EXPECT_TRUE(isWellFormed(lame));
  lame.operands.pop_back();
  EXPECT_FALSE(isWellFormed(lame));
  EXPECT_EQ(evaluate(lame, unknownLeaf), std::nullopt);
  EXPECT_EQ(lame.str(), "...");

  UniformExpr deep = UniformExpr::constant(1);
  for (unsigned i = 1; i < kMaxUniformDepth; ++i)
    deep = binary(Op::Add, std::move(deep), UniformExpr::constant(1));
  EXPECT_EQ(evaluate(deep, unknownLeaf), kMaxUniformDepth);
  deep = binary(Op::Add, std::move(deep), UniformExpr::constant(1));
  EXPECT_FALSE(isWellFormed(deep));
  EXPECT_EQ(evaluate(deep, unknownLeaf), std::nullopt);
}

TEST(DispatchBound, CountsInvocations) {
  const uint32_t minusFive = static_cast<uint32_t>(-5);
  EXPECT_EQ(evaluateBound(boundOf(10, false, false), unknownLeaf), 10u);
  EXPECT_EQ(evaluateBound(boundOf(10, false, true), unknownLeaf), 11u);
  EXPECT_EQ(evaluateBound(boundOf(minusFive, true, false), unknownLeaf), 0u);
  EXPECT_EQ(evaluateBound(boundOf(UINT32_MAX, true, true), unknownLeaf), 0u);
  EXPECT_EQ(evaluateBound(boundOf(0, true, true), unknownLeaf), 1u);
  EXPECT_EQ(evaluateBound(boundOf(minusFive, false, false), unknownLeaf), UINT32_MAX - 4u);
  EXPECT_EQ(evaluateBound(boundOf(UINT32_MAX, false, true), unknownLeaf), uint64_t{1} << 32);
  EXPECT_EQ(evaluateBound(boundOf(INT32_MAX, true, true), unknownLeaf), uint64_t{1} << 31);
  DispatchBound unknown{0, leaf(Op::PushConstant, {0, 0, 0, 0}), false, false, {}};
  EXPECT_EQ(evaluateBound(unknown, unknownLeaf), std::nullopt);
}

TEST(VariantGroups, SameKeepsTheGroups) {
  EXPECT_EQ(refusalOf({DispatchRule::Same, {16, 16, 1}, {64, 1, 1}, {}}, {7, 0, 3}, kAnyGroups),
            "7x0x3");
}

TEST(VariantGroups, EveryRuleNeedsGlobalIdsThatDoNotWrap) {
  const uint32_t groups = 1u << 26; // of 64: 2^32 invocations
  for (DispatchRule rule :
       {DispatchRule::Same, DispatchRule::Exact, DispatchRule::Cover, DispatchRule::Guarded}) {
    Dispatch dispatch{rule, {1, 64, 1}, {1, 32, 1}, {}};
    Result<Dim3> counts = variantGroups(dispatch, {1, 64, 1}, {1, groups + 1, 1}, kAnyGroups);
    ASSERT_FALSE(counts) << nameOf(rule);
    EXPECT_EQ(counts.diagnostic().text, "the grid has 4294967360 invocations on y, proofs speak of "
                                        "4294967296 at most");
  }
  // The last id is 2^32 - 1.
  EXPECT_TRUE(variantGroups({DispatchRule::Same, {1, 1, 1}, {1, 1, 1}, {}}, {64, 1, 1},
                            {groups, 1, 1}, kAnyGroups));
  EXPECT_TRUE(variantGroups({DispatchRule::Exact, {64, 1, 1}, {32, 1, 1}, {}}, {64, 1, 1},
                            {groups, 1, 1}, kAnyGroups));
  // Of two steps in one rule, whose factors say more than the grid has.
  EXPECT_TRUE(variantGroups({DispatchRule::Exact, {2048, 1, 1}, {4096, 1, 1}, {}}, {64, 1, 1},
                            {groups, 1, 1}, kAnyGroups));
}

TEST(VariantGroups, ExactNeedsAnEvenDivision) {
  Dispatch dispatch{DispatchRule::Exact, {16, 16, 1}, {64, 1, 1}, {}};
  EXPECT_EQ(refusalOf(dispatch, {8, 5, 2}, kAnyGroups), "2x80x2");
  EXPECT_EQ(refusalOf(dispatch, {7, 5, 2}, kAnyGroups),
            "the variant's size does not divide the grid on x: 7*16 is not a multiple of 64");
  EXPECT_EQ(refusalOf(dispatch, {0, 5, 2}, kAnyGroups), "0x80x2");
  EXPECT_THAT(refusalOf({DispatchRule::Exact, {1, 1, 3}, {1, 1, 2}, {}}, {1, 1, 1}, kAnyGroups),
              HasSubstr("on z"));
}

TEST(VariantGroups, CoverAndGuardedRoundUp) {
  for (DispatchRule rule : {DispatchRule::Cover, DispatchRule::Guarded}) {
    Dispatch dispatch{rule, {16, 16, 1}, {64, 1, 1}, {}};
    EXPECT_EQ(refusalOf(dispatch, {7, 5, 2}, kAnyGroups), "2x80x2");
    EXPECT_EQ(refusalOf(dispatch, {1, 1, 1}, kAnyGroups), "1x16x1");
    EXPECT_EQ(refusalOf(dispatch, {0, 0, 0}, kAnyGroups), "0x0x0");
  }
}

TEST(VariantGroups, DeviceLimitNamesAxisAndFigures) {
  Dispatch dispatch{DispatchRule::Exact, {1, 64, 1}, {1, 1, 1}, {}};
  EXPECT_EQ(refusalOf(dispatch, {1, 1024, 1}, {65535, 65535, 65535}),
            "the dispatch has 65536 workgroups on y, the device allows 65535");
  EXPECT_EQ(refusalOf(dispatch, {1, 1023, 1}, {65535, 65535, 65535}), "1x65472x1");
  // 2^32 groups do not wrap to none.
  EXPECT_THAT(refusalOf(dispatch, {1, 1u << 26, 1}, kAnyGroups),
              HasSubstr("4294967296 workgroups"));
  EXPECT_THAT(refusalOf({DispatchRule::Same, {1, 1, 1}, {1, 1, 1}, {}}, {9, 1, 1}, {8, 8, 8}),
              HasSubstr("9 workgroups on x, the device allows 8"));
}

TEST(VariantGroups, CoverStaysWhereSignedComparisonsHold) {
  Dispatch dispatch{DispatchRule::Cover, {64, 1, 1}, {48, 1, 1}, {}};
  const uint32_t half = 1u << 25; // 2^31 invocations, which 48 does not divide
  EXPECT_THAT(refusalOf(dispatch, {half, 1, 1}, kAnyGroups),
              HasSubstr("the grid has 2147483664 invocations on x"));
  Dispatch even{DispatchRule::Cover, {64, 1, 1}, {128, 1, 1}, {}};
  EXPECT_EQ(refusalOf(even, {half, 1, 1}, kAnyGroups), "16777216x1x1");
  EXPECT_THAT(refusalOf(even, {half + 1, 1, 1}, kAnyGroups), HasSubstr("the cover rule allows"));
  EXPECT_EQ(
      refusalOf({DispatchRule::Exact, {64, 1, 1}, {128, 1, 1}, {}}, {half * 2, 1, 1}, kAnyGroups),
      "33554432x1x1");
}

TEST(VariantGroups, ZeroFactorsAreRefused) {
  EXPECT_THAT(refusalOf({DispatchRule::Cover, {1, 1, 1}, {1, 0, 1}, {}}, {1, 1, 1}, kAnyGroups),
              HasSubstr("zero factor on y"));
}

// The arithmetic against its definition: D is the least count with D·div >= G·mul.
TEST(VariantGroups, LeastCountThatCoversTheGrid) {
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    Dim3 groups{uint32_t(random() % 5000), 1, 1};
    Dim3 mul{uint32_t(1 + random() % 1024), 1, 1}, div{uint32_t(1 + random() % 1024), 1, 1};
    Result<Dim3> cover =
        variantGroups({DispatchRule::Cover, mul, div, {}}, mul, groups, kAnyGroups);
    ASSERT_TRUE(cover);
    uint64_t grid = uint64_t{groups.x} * mul.x;
    ASSERT_GE(uint64_t{cover->x} * div.x, grid);
    ASSERT_TRUE(cover->x == 0 || uint64_t{cover->x - 1} * div.x < grid);
    Result<Dim3> exact =
        variantGroups({DispatchRule::Exact, mul, div, {}}, mul, groups, kAnyGroups);
    ASSERT_EQ(static_cast<bool>(exact), uint64_t{cover->x} * div.x == grid);
  }
}

TEST(CheckCover, GridMustReachEveryBound) {
  Dispatch dispatch{DispatchRule::Cover, {16, 16, 1}, {64, 3, 1}, {}};
  dispatch.bounds.push_back(
      {0, leaf(Op::PushConstant, {0, 0, 0, 0}), false, false, Location::at("k.comp", 5, 9)});
  dispatch.bounds.push_back({1, UniformExpr::constant(32), false, false, {}});
  auto host = [](uint32_t width) {
    return [width](const UniformExpr &) { return std::optional<uint32_t>(width); };
  };
  EXPECT_TRUE(checkCover(dispatch, {7, 2, 1}, {16, 16, 1}, host(112)));
  Status shortOnX = checkCover(dispatch, {7, 2, 1}, {16, 16, 1}, host(113));
  ASSERT_FALSE(shortOnX);
  EXPECT_EQ(shortOnX.diagnostic().text, "the grid has 112 invocations on x, the bound "
                                        "gid.x < push_constant[0] lets 113 take part");
  ASSERT_EQ(shortOnX.diagnostic().notes.size(), 1u);
  EXPECT_EQ(shortOnX.diagnostic().notes[0].location.str(), "k.comp:5:9");
  Status shortOnY = checkCover(dispatch, {7, 1, 1}, {16, 16, 1}, host(112));
  ASSERT_FALSE(shortOnY);
  EXPECT_THAT(shortOnY.diagnostic().text, HasSubstr("16 invocations on y"));
}

TEST(CheckCover, UnknownBoundsAreNotGuessed) {
  Dispatch dispatch{DispatchRule::Cover, {16, 1, 1}, {64, 1, 1}, {}};
  dispatch.bounds.push_back({0, leaf(Op::BufferValue, {0, 1, 8, 0}), true, false, {}});
  Status status = checkCover(dispatch, {1000, 1, 1}, {16, 1, 1}, unknownLeaf);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.diagnostic().text,
            "the bound gid.x < buffer(0,1)[8] is not known from the values of this dispatch");
}

TEST(CheckCover, OtherRulesAndEmptyDispatchesRestOnNothing) {
  Dispatch dispatch{DispatchRule::Exact, {16, 1, 1}, {64, 1, 1}, {boundOf(1000, false, false)}};
  EXPECT_TRUE(checkCover(dispatch, {1, 1, 1}, {16, 1, 1}, unknownLeaf));
  dispatch.rule = DispatchRule::Cover;
  EXPECT_FALSE(checkCover(dispatch, {1, 1, 1}, {16, 1, 1}, unknownLeaf));
  EXPECT_TRUE(checkCover(dispatch, {1, 0, 1}, {16, 1, 1}, unknownLeaf));
  // Grids past 32 bits do not wrap.
  EXPECT_TRUE(checkCover(dispatch, {1u << 28, 1, 1}, {16, 1, 1}, unknownLeaf));
}
