//===- unit/Analysis/IntegerSetTests.cpp - Sets against all their members --===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Narrow numbers, all of them: whatever an operation makes of members of the
// operands' sets is in the set of its result, and where it is undefined for some of
// them the result may be anything. Wide numbers at their ends.
//
//===----------------------------------------------------------------------===//
#include "Analysis/IntegerTransfer.h"
#include "Analysis/LaneArithmetic.h"

#include "spirv/unified1/GLSL.std.450.h"
#include "gtest/gtest.h"

#include <random>

using namespace tailor;

namespace {

using Numbers = std::mt19937_64;

ConstantValue valueOf(unsigned width, uint64_t bits) {
  return {width == 1 ? ConstantValue::Kind::Bool : ConstantValue::Kind::Int,
          static_cast<uint8_t>(width),
          false,
          bits,
          {}};
}

/// An interval of unsigned numbers, one of signed numbers, what is in one of each, or a list.
IntegerSet randomSet(Numbers &random, unsigned width) {
  auto bits = [&] {
    // Near the ends of the type as often as anywhere.
    uint64_t near = random() % 4, any = random();
    uint64_t half = uint64_t{1} << (width - 1);
    uint64_t picked[] = {
        near, IntegerSet::maxUnsigned(width) - near, half + near, half - 1 - near, any, any, any};
    return picked[random() % std::size(picked)] & IntegerSet::maxUnsigned(width);
  };
  uint64_t a = bits(), b = bits();
  int64_t c = IntegerSet::asSigned(width, bits()), d = IntegerSet::asSigned(width, bits());
  switch (random() % 4) {
  case 0:
    return IntegerSet::ofUnsigned(width, std::min(a, b), std::max(a, b));
  case 1:
    return IntegerSet::ofSigned(width, std::min(c, d), std::max(c, d));
  case 2:
    return IntegerSet::ofBoth(width, std::min(a, b), std::max(a, b), std::min(c, d),
                              std::max(c, d));
  default: {
    std::vector<uint64_t> list(random() % 5);
    for (uint64_t &each : list)
      each = bits();
    return IntegerSet::of(width, list);
  }
  }
}

std::vector<uint64_t> membersOf(const IntegerSet &set) {
  std::vector<uint64_t> members;
  for (uint64_t bits = 0; bits <= IntegerSet::maxUnsigned(set.width()); ++bits)
    if (set.contains(bits))
      members.push_back(bits);
  return members;
}

/// Members at the ends of the intervals, of wide sets.
std::vector<uint64_t> endsOf(const IntegerSet &set) {
  if (set.isListed())
    return set.patterns().vec();
  std::vector<uint64_t> members;
  auto note = [&](uint64_t bits) {
    if (set.contains(bits & IntegerSet::maxUnsigned(set.width())))
      members.push_back(bits & IntegerSet::maxUnsigned(set.width()));
  };
  for (uint64_t off : {0, 1, 5}) {
    note(set.low() + off);
    note(set.high() - off);
    note(static_cast<uint64_t>(set.signedLow()) + off);
    note(static_cast<uint64_t>(set.signedHigh()) - off);
  }
  return members;
}

const std::vector<spv::Op> kBinary = {spv::Op::OpIAdd,
                                      spv::Op::OpISub,
                                      spv::Op::OpIMul,
                                      spv::Op::OpUDiv,
                                      spv::Op::OpSDiv,
                                      spv::Op::OpUMod,
                                      spv::Op::OpSRem,
                                      spv::Op::OpSMod,
                                      spv::Op::OpBitwiseOr,
                                      spv::Op::OpBitwiseAnd,
                                      spv::Op::OpBitwiseXor,
                                      spv::Op::OpShiftLeftLogical,
                                      spv::Op::OpShiftRightLogical,
                                      spv::Op::OpShiftRightArithmetic};
const std::vector<spv::Op> kComparisons = {spv::Op::OpIEqual,       spv::Op::OpINotEqual,
                                           spv::Op::OpULessThan,    spv::Op::OpULessThanEqual,
                                           spv::Op::OpUGreaterThan, spv::Op::OpUGreaterThanEqual,
                                           spv::Op::OpSLessThan,    spv::Op::OpSLessThanEqual,
                                           spv::Op::OpSGreaterThan, spv::Op::OpSGreaterThanEqual};
const std::vector<uint32_t> kExtended = {GLSLstd450UMin,     GLSLstd450SMin,    GLSLstd450UMax,
                                         GLSLstd450SMax,     GLSLstd450UClamp,  GLSLstd450SClamp,
                                         GLSLstd450SAbs,     GLSLstd450SSign,   GLSLstd450FindILsb,
                                         GLSLstd450FindUMsb, GLSLstd450FindSMsb};

size_t operandsOf(uint32_t extended) {
  switch (extended) {
  case GLSLstd450UClamp:
  case GLSLstd450SClamp:
    return 3;
  case GLSLstd450SAbs:
  case GLSLstd450SSign:
  case GLSLstd450FindILsb:
  case GLSLstd450FindUMsb:
  case GLSLstd450FindSMsb:
    return 1;
  default:
    return 2;
  }
}

/// What Vulkan leaves undefined, though it can be computed.
std::optional<ConstantValue> foldDefined(spv::Op op, llvm::ArrayRef<ConstantValue> values,
                                         const ConstantValue &type) {
  bool isRemainder = op == spv::Op::OpSRem || op == spv::Op::OpSMod;
  if (isRemainder && (values[0].asSigned() < 0 || values[1].asSigned() < 0))
    return std::nullopt;
  return foldLane(op, values, type);
}

using Members = std::vector<uint64_t> (*)(const IntegerSet &);

void checkBinary(Numbers &random, unsigned width, Members members) {
  IntegerSet a = randomSet(random, width), b = randomSet(random, width);
  for (spv::Op op : kBinary) {
    IntegerSet result = transfer(op, {a, b}, width);
    for (uint64_t x : members(a))
      for (uint64_t y : members(b)) {
        auto value = foldDefined(op, {valueOf(width, x), valueOf(width, y)}, valueOf(width, 0));
        ASSERT_TRUE(value ? result.contains(value->bits) : result.isAll())
            << nameOf(op) << " of " << a.str() << " and " << b.str() << " at " << x << ", " << y
            << ": " << result.str();
      }
  }
  for (spv::Op op : kComparisons) {
    IntegerSet result = transfer(op, {a, b}, 1);
    IntegerSet left[] = {constrainLeft(op, a, b, false), constrainLeft(op, a, b, true)};
    for (uint64_t x : members(a))
      for (uint64_t y : members(b)) {
        auto value = foldLane(op, {valueOf(width, x), valueOf(width, y)}, valueOf(1, 0));
        ASSERT_TRUE(value && result.contains(value->bits) && left[value->bits].contains(x))
            << nameOf(op) << " of " << a.str() << " and " << b.str() << " at " << x << ", " << y;
        auto other = foldLane(mirrored(op), {valueOf(width, y), valueOf(width, x)}, valueOf(1, 0));
        ASSERT_TRUE(other && *other == *value) << nameOf(op);
      }
  }
}

void checkUnary(Numbers &random, unsigned width, Members members) {
  IntegerSet a = randomSet(random, width);
  for (spv::Op op : {spv::Op::OpSNegate, spv::Op::OpNot, spv::Op::OpUConvert, spv::Op::OpSConvert,
                     spv::Op::OpBitCount})
    for (unsigned to : {3u, 6u, 8u, 16u, 32u, 64u}) {
      bool converts = op == spv::Op::OpUConvert || op == spv::Op::OpSConvert;
      if (!converts && to != width)
        continue;
      IntegerSet result = transfer(op, {a}, to);
      for (uint64_t x : members(a)) {
        auto value = foldLane(op, {valueOf(width, x)}, valueOf(to, 0));
        ASSERT_TRUE(value && result.contains(value->bits))
            << nameOf(op) << " of " << a.str() << " at " << x << ": " << result.str();
      }
    }
}

void checkExtended(Numbers &random, unsigned width, Members members) {
  std::vector<IntegerSet> operands;
  for (unsigned at = 0; at < 3; ++at)
    operands.push_back(randomSet(random, width));
  for (uint32_t which : kExtended) {
    std::vector<IntegerSet> some(operands.begin(), operands.begin() + operandsOf(which));
    IntegerSet result = transferExtended(which, some, width);
    std::vector<uint64_t> lists[3] = {members(operands[0]), {0}, {0}};
    for (size_t at = 1; at < some.size(); ++at)
      lists[at] = members(some[at]);
    for (uint64_t x : lists[0])
      for (uint64_t y : lists[1])
        for (uint64_t z : lists[2]) {
          std::vector<ConstantValue> values = {valueOf(width, x), valueOf(width, y),
                                               valueOf(width, z)};
          values.resize(some.size());
          auto value = foldLaneExtended(which, values, valueOf(width, 0));
          if (!value && width != 32 && operandsOf(which) == 1)
            continue; // defined for 32 bits only
          ASSERT_TRUE(value ? result.contains(value->bits) : result.isAll())
              << which << " of " << operands[0].str() << ", " << operands[1].str() << ", "
              << operands[2].str() << " at " << x << ", " << y << ", " << z << ": " << result.str();
        }
  }
}

} // namespace

TEST(IntegerSet, UnitesIntersectsAndWidens) {
  Numbers random(1);
  for (unsigned round = 0; round < 3000 && !HasFatalFailure(); ++round) {
    unsigned width = 5 + round % 3;
    IntegerSet a = randomSet(random, width), b = randomSet(random, width);
    IntegerSet both = a.intersect(b), either = a.unite(b), wide = a.widen(b);
    uint64_t gone = random() & IntegerSet::maxUnsigned(width);
    IntegerSet without = a.without(gone);
    for (uint64_t bits = 0; bits <= IntegerSet::maxUnsigned(width); ++bits) {
      bool inA = a.contains(bits), inB = b.contains(bits);
      ASSERT_TRUE(!(inA || inB) || (either.contains(bits) && wide.contains(bits)))
          << a.str() << " " << b.str() << " " << bits;
      ASSERT_EQ(both.contains(bits), inA && inB) << a.str() << " " << b.str() << " " << bits;
      ASSERT_TRUE(!inA || bits == gone || without.contains(bits)) << a.str() << " " << gone;
      ASSERT_TRUE(inA || !without.contains(bits)) << a.str() << " " << gone;
    }
    ASSERT_EQ(a.isEmpty(), membersOf(a).empty());
    ASSERT_EQ(a.isAll(), membersOf(a).size() == IntegerSet::maxUnsigned(width) + 1) << a.str();
    if (!a.isEmpty()) {
      std::vector<uint64_t> members = membersOf(a);
      ASSERT_LE(a.low(), members.front());
      ASSERT_GE(a.high(), members.back());
    }
  }
}

TEST(IntegerSet, ChainsOfWideningsAreShort) {
  Numbers random(2);
  for (unsigned round = 0; round < 200; ++round) {
    unsigned width = 8u << random() % 4;
    IntegerSet set = randomSet(random, width);
    unsigned moved = 0;
    for (unsigned step = 0; step < 100; ++step) {
      IntegerSet next = set.widen(randomSet(random, width));
      moved += next != set;
      set = next;
    }
    EXPECT_LE(moved, IntegerSet::kMaxListed + 8) << set.str();
  }
}

TEST(IntegerTransfer, HoldsEveryResultOfNarrowNumbers) {
  Numbers random(3);
  for (unsigned round = 0; round < 300 && !HasFatalFailure(); ++round) {
    checkBinary(random, 6, membersOf);
    checkUnary(random, 6, membersOf);
    if (round % 4 == 0)
      checkExtended(random, 6, membersOf);
  }
}

TEST(IntegerTransfer, HoldsResultsOfWideNumbers) {
  Numbers random(4);
  for (unsigned round = 0; round < 2000 && !HasFatalFailure(); ++round) {
    unsigned width = 8u << round % 4;
    checkBinary(random, width, endsOf);
    checkUnary(random, width, endsOf);
    checkExtended(random, width, endsOf);
  }
}

TEST(IntegerTransfer, ExtractsBits) {
  Numbers random(5);
  for (unsigned round = 0; round < 2000; ++round) {
    IntegerSet a = randomSet(random, 6);
    uint64_t offset = random() % 8, count = random() % 8;
    IntegerSet result = transfer(spv::Op::OpBitFieldUExtract,
                                 {a, IntegerSet::of(32, offset), IntegerSet::of(32, count)}, 6);
    for (uint64_t x : membersOf(a)) {
      auto value =
          foldLane(spv::Op::OpBitFieldUExtract,
                   {valueOf(6, x), valueOf(32, offset), valueOf(32, count)}, valueOf(6, 0));
      ASSERT_TRUE(value ? result.contains(value->bits) : result.isAll())
          << a.str() << " " << offset << " " << count << ": " << result.str();
    }
  }
}

TEST(IntegerTransfer, IsAsTightAsIntervalsAre) {
  auto of = [](uint64_t low, uint64_t high) { return IntegerSet::ofUnsigned(32, low, high); };
  auto make = [&](spv::Op op, const IntegerSet &a, const IntegerSet &b) {
    return transfer(op, {a, b}, isIntegerComparison(op) ? 1 : 32).str();
  };
  EXPECT_EQ(make(spv::Op::OpIAdd, of(0, 127), of(128, 128)), "[128, 255]");
  EXPECT_EQ(make(spv::Op::OpIAdd, of(0, 127), of(0xFFFFFFFF, 0xFFFFFFFF)), "[-1, 126] signed");
  EXPECT_EQ(make(spv::Op::OpIAdd, of(1, 127), of(0xFFFFFFFF, 0xFFFFFFFF)), "[0, 126]");
  EXPECT_EQ(make(spv::Op::OpIAdd, of(0, 0x80000000), of(0, 0x80000000)), "all");
  EXPECT_EQ(make(spv::Op::OpISub, of(128, 255), of(0, 128)), "[0, 255]");
  EXPECT_EQ(make(spv::Op::OpIMul, of(0, 127), of(4, 4)), "[0, 508]");
  EXPECT_EQ(make(spv::Op::OpUDiv, of(0, 255), of(64, 64)), "{0, 1, 2, 3}");
  EXPECT_EQ(make(spv::Op::OpUMod, of(0, 63), of(64, 64)), "[0, 63]");
  EXPECT_EQ(make(spv::Op::OpBitwiseAnd, IntegerSet::all(32), of(63, 63)), "[0, 63]");
  EXPECT_EQ(make(spv::Op::OpBitwiseAnd, of(10, 60), of(63, 63)), "[10, 60]");
  EXPECT_EQ(make(spv::Op::OpShiftRightLogical, of(0, 255), of(6, 6)), "{0, 1, 2, 3}");
  EXPECT_EQ(make(spv::Op::OpULessThan, of(128, 255), of(1, 128)), "{0}");
  EXPECT_EQ(make(spv::Op::OpULessThan, of(128, 255), of(1, 129)), "all");
  // -1 is small for one opcode and large for the other.
  EXPECT_EQ(make(spv::Op::OpSLessThan, of(0xFFFFFFFF, 0xFFFFFFFF), of(0, 5)), "{1}");
  EXPECT_EQ(make(spv::Op::OpULessThan, of(0xFFFFFFFF, 0xFFFFFFFF), of(0, 5)), "{0}");
}
