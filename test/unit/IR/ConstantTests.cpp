//===- unit/IR/ConstantTests.cpp - A value or unknown, never a guess -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IR/Constants.h"
#include "IRTestSupport.h"

#include "spirv-tools/optimizer.hpp"
#include "gtest/gtest.h"

#include <algorithm>
#include <functional>
#include <random>

namespace tailor {
namespace {

using namespace test;
__extension__ typedef __int128 Wide; // NOLINT(modernize-use-using): no alias takes __extension__
__extension__ typedef unsigned __int128 UnsignedWide; // NOLINT(modernize-use-using)
using Reference = std::function<std::optional<Wide>(Wide, Wide)>;

Id named(const Module &module, const std::string &name) {
  for (const Instruction &inst : module.section(Section::Debug))
    if (inst.opcode() == spv::Op::OpName && inst.string(1) == name)
      return inst.id(0);
  ADD_FAILURE() << "nothing is called " << name;
  return Id::None;
}

uint64_t maskOf(unsigned width) { return width == 64 ? UINT64_MAX : (uint64_t{1} << width) - 1; }

Wide signedValue(uint64_t bits, unsigned width) {
  Wide value = bits;
  return (bits >> (width - 1) & 1) != 0 ? value - (Wide{1} << width) : value;
}

/// An operation over mathematical integers: what it makes of its operands, or nothing.
struct Operation {
  const char *name;
  bool isSigned; ///< operands are read as two's complement
  bool isTruth;  ///< the result is a bool
  Reference reference;
};

std::vector<Operation> operationsOfWidth(unsigned width) {
  Wide least = -(Wide{1} << (width - 1));
  auto quotient = [least](auto fold) {
    return [least, fold](Wide a, Wide b) -> std::optional<Wide> {
      if (b == 0 || (b == -1 && a == least))
        return std::nullopt;
      return fold(a, b);
    };
  };
  auto floorMod = [](Wide a, Wide b) { // the definition: a - b·floor(a/b)
    Wide q = a / b;
    if (q * b != a && ((a < 0) != (b < 0)))
      --q;
    return a - b * q;
  };
  auto shift = [width](auto fold) {
    return [width, fold](Wide a, Wide b) -> std::optional<Wide> {
      return b < 0 || b >= static_cast<Wide>(width) ? std::nullopt
                                                    : std::optional<Wide>(fold(a, b));
    };
  };
  auto power = [](Wide b) { return Wide{1} << static_cast<int>(b); };
  return {
      {"IAdd", false, false, [](Wide a, Wide b) { return a + b; }},
      {"ISub", false, false, [](Wide a, Wide b) { return a - b; }},
      {"IMul", false, false,
       [](Wide a, Wide b) { // 128 bits wrap, as the width does
         return static_cast<Wide>(static_cast<UnsignedWide>(a) * static_cast<UnsignedWide>(b));
       }},
      {"UDiv", false, false, quotient([](Wide a, Wide b) { return a / b; })},
      {"UMod", false, false, quotient([](Wide a, Wide b) { return a % b; })},
      {"SDiv", true, false, quotient([](Wide a, Wide b) { return a / b; })},
      {"SRem", true, false, quotient([](Wide a, Wide b) { return a - b * (a / b); })},
      {"SMod", true, false, quotient(floorMod)},
      {"ShiftLeftLogical", false, false, shift([=](Wide a, Wide b) { return a * power(b); })},
      {"ShiftRightLogical", false, false, shift([=](Wide a, Wide b) { return a / power(b); })},
      {"BitwiseAnd", false, false, [](Wide a, Wide b) { return a & b; }},
      {"BitwiseOr", false, false, [](Wide a, Wide b) { return a | b; }},
      {"BitwiseXor", false, false, [](Wide a, Wide b) { return a ^ b; }},
      {"IEqual", false, true, [](Wide a, Wide b) { return a == b; }},
      {"INotEqual", false, true, [](Wide a, Wide b) { return a != b; }},
      {"ULessThan", false, true, [](Wide a, Wide b) { return a < b; }},
      {"ULessThanEqual", false, true, [](Wide a, Wide b) { return a <= b; }},
      {"UGreaterThan", false, true, [](Wide a, Wide b) { return a > b; }},
      {"UGreaterThanEqual", false, true, [](Wide a, Wide b) { return a >= b; }},
      {"SLessThan", true, true, [](Wide a, Wide b) { return a < b; }},
      {"SLessThanEqual", true, true, [](Wide a, Wide b) { return a <= b; }},
      {"SGreaterThan", true, true, [](Wide a, Wide b) { return a > b; }},
      {"SGreaterThanEqual", true, true, [](Wide a, Wide b) { return a >= b; }},
  };
}

std::vector<uint64_t> interestingBits(unsigned width) {
  uint64_t top = uint64_t{1} << (width - 1), all = maskOf(width);
  std::vector<uint64_t> list = {0,     1,       2,   3,       7,       width - 1,
                                width, top - 1, top, top + 1, all - 1, all};
  std::mt19937_64 random(width);
  for (unsigned more = 0; more < 4; ++more)
    list.push_back(random() & all);
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

/// Header and the integer types of every width, %u8 to %i64.
std::string typesText(const std::string &annotations) {
  std::string text = "OpCapability Shader\nOpCapability Int8\nOpCapability Int16\n"
                     "OpCapability Int64\nOpCapability Float16\nOpCapability Float64\n"
                     "OpCapability Linkage\nOpMemoryModel Logical GLSL450\n" +
                     annotations + "%bool = OpTypeBool\n";
  for (unsigned width : {8, 16, 32, 64})
    for (bool isSigned : {false, true})
      text += std::string(isSigned ? "%i" : "%u") + std::to_string(width) + " = OpTypeInt " +
              std::to_string(width) + (isSigned ? " 1\n" : " 0\n");
  return text;
}

std::string literalText(uint64_t bits, unsigned width, bool isSigned) {
  if (isSigned)
    return std::to_string(static_cast<int64_t>(signedValue(bits, width)));
  return std::to_string(bits);
}

TEST(Constants, everyBinaryOperationAgainstItsDefinition) {
  for (unsigned width : {8u, 16u, 32u, 64u})
    for (bool signedType : {false, true}) {
      std::string type = (signedType ? "%i" : "%u") + std::to_string(width);
      std::vector<uint64_t> bits = interestingBits(width);
      std::string text;
      for (size_t at = 0; at < bits.size(); ++at)
        text += "%c" + std::to_string(at) + " = OpSpecConstant " + type + " " +
                literalText(bits[at], width, signedType) + "\n";
      std::vector<Operation> operations = operationsOfWidth(width);
      uint32_t next = 1000;
      for (const Operation &operation : operations)
        for (size_t a = 0; a < bits.size(); ++a)
          for (size_t b = 0; b < bits.size(); ++b)
            text += "%" + std::to_string(next++) + " = OpSpecConstantOp " +
                    (operation.isTruth ? "%bool" : type) + " " + operation.name + " %c" +
                    std::to_string(a) + " %c" + std::to_string(b) + "\n";
      Module module = readText(typesText("") + text);
      ConstantEvaluator constants(module);
      next = 1000;
      for (const Operation &operation : operations)
        for (uint64_t a : bits)
          for (uint64_t b : bits) {
            auto value = [&](uint64_t raw) {
              return operation.isSigned ? signedValue(raw, width) : static_cast<Wide>(raw);
            };
            std::optional<Wide> expected = operation.reference(value(a), value(b));
            std::optional<ConstantValue> got = constants.evaluate(static_cast<Id>(next++));
            ASSERT_EQ(got.has_value(), expected.has_value())
                << operation.name << width << " " << a << " " << b;
            if (!got)
              continue;
            ASSERT_EQ(got->bits, static_cast<uint64_t>(*expected) & maskOf(width))
                << operation.name << width << " " << a << " " << b;
            EXPECT_EQ(got->kind,
                      operation.isTruth ? ConstantValue::Kind::Bool : ConstantValue::Kind::Int);
            EXPECT_EQ(got->width, operation.isTruth ? 1 : width);
            EXPECT_EQ(got->isSigned, !operation.isTruth && signedType);
          }
    }
}

TEST(Constants, arithmeticShiftsConversionsAndUnaryOperations) {
  std::vector<std::pair<uint32_t, std::optional<uint64_t>>> expected;
  std::string text;
  uint32_t next = 1000;
  auto expect = [&](const std::string &type, const std::string &operation,
                    std::optional<uint64_t> value) {
    text += "%" + std::to_string(next) + " = OpSpecConstantOp " + type + " " + operation + "\n";
    expected.emplace_back(next++, value);
  };
  for (unsigned width : {8u, 16u, 32u, 64u}) {
    std::string type = "%i" + std::to_string(width);
    for (uint64_t bits : interestingBits(width)) {
      std::string constant = "%k" + std::to_string(width) + "_" + std::to_string(bits);
      text += constant + " = OpConstant " + type + " " + literalText(bits, width, true) + "\n";
      expect(type, "SNegate " + constant, (0 - bits) & maskOf(width));
      expect(type, "Not " + constant, ~bits & maskOf(width));
      expect("%u" + std::to_string(width), "Bitcast " + constant, bits);
      for (unsigned to : {8u, 16u, 32u, 64u}) {
        if (to == width)
          continue;
        uint64_t extended = static_cast<uint64_t>(signedValue(bits, width)) & maskOf(to);
        expect("%i" + std::to_string(to), "SConvert " + constant, extended);
        expect("%u" + std::to_string(to), "UConvert " + constant, bits & maskOf(to));
      }
      for (unsigned by : {0u, 1u, width - 1, width, width + 1}) {
        std::string amount = "%s" + std::to_string(next);
        text += amount + " = OpConstant %u32 " + std::to_string(by) + "\n";
        std::optional<uint64_t> shifted;
        if (by < width) { // floor division
          Wide divisor = Wide{1} << by, value = signedValue(bits, width);
          Wide quotient = value / divisor - (value % divisor != 0 && value < 0 ? 1 : 0);
          shifted = static_cast<uint64_t>(quotient) & maskOf(width);
        }
        expect(type, "ShiftRightArithmetic " + constant + " " + amount, shifted);
      }
    }
  }
  Module module = readText(typesText("") + text);
  ConstantEvaluator constants(module);
  for (auto [id, value] : expected)
    ASSERT_EQ(constants.evaluateInt(static_cast<Id>(id)), value) << id;
}

TEST(Constants, booleans) {
  for (bool a : {false, true})
    for (bool b : {false, true}) {
      std::string text = std::string("%a = OpConstant") + (a ? "True" : "False") +
                         " %bool\n%b = OpSpecConstant" + (b ? "True" : "False") + " %bool\n" +
                         "%1000 = OpSpecConstantOp %bool LogicalAnd %a %b\n"
                         "%1001 = OpSpecConstantOp %bool LogicalOr %a %b\n"
                         "%1002 = OpSpecConstantOp %bool LogicalEqual %a %b\n"
                         "%1003 = OpSpecConstantOp %bool LogicalNotEqual %a %b\n"
                         "%1004 = OpSpecConstantOp %bool LogicalNot %b\n"
                         "%1005 = OpSpecConstantOp %bool Select %a %b %a\n";
      Module module = readText(typesText("OpDecorate %b SpecId 0\n") + text);
      ConstantEvaluator constants(module), flipped(module, {{0, b ? 0u : 7u}});
      auto truth = [&](ConstantEvaluator &with, uint32_t id) {
        std::optional<ConstantValue> value = with.evaluate(static_cast<Id>(id));
        EXPECT_TRUE(value && value->kind == ConstantValue::Kind::Bool);
        return value && value->bits == 1;
      };
      for (auto [with, c] : {std::pair(&constants, b), std::pair(&flipped, !b)}) {
        EXPECT_EQ(truth(*with, 1000), a && c);
        EXPECT_EQ(truth(*with, 1001), a || c);
        EXPECT_EQ(truth(*with, 1002), a == c);
        EXPECT_EQ(truth(*with, 1003), a != c);
        EXPECT_EQ(truth(*with, 1004), !c);
        EXPECT_EQ(truth(*with, 1005), a ? c : a);
      }
      EXPECT_FALSE(constants.evaluateInt(static_cast<Id>(1000))) << "a bool is no integer";
    }
}

TEST(Constants, vectorsAndComposites) {
  Module module = readText(typesText("OpName %v \"v\"\nOpDecorate %x SpecId 1\n") + R"(
    %v3 = OpTypeVector %u32 3
    %v2 = OpTypeVector %u32 2
    %b3 = OpTypeVector %bool 3
    %s = OpTypeStruct %v3 %u32
    %x = OpSpecConstant %u32 5
    %c1 = OpConstant %u32 1
    %c0 = OpConstant %u32 0
    %c9 = OpConstant %u32 9
    %v = OpSpecConstantComposite %v3 %x %c1 %c9
    %w = OpConstantComposite %v3 %c1 %c1 %c1
    %z = OpConstantNull %v3
    %t = OpSpecConstantComposite %s %v %c9
    %u = OpUndef %u32
    %half = OpSpecConstantComposite %v3 %x %u %c9
    %100 = OpSpecConstantOp %v3 IAdd %v %w
    %101 = OpSpecConstantOp %u32 CompositeExtract %t 0 2
    %102 = OpSpecConstantOp %v3 CompositeInsert %c0 %v 1
    %103 = OpSpecConstantOp %v2 VectorShuffle %v %w 2 3
    %104 = OpSpecConstantOp %b3 UGreaterThan %v %w
    %105 = OpSpecConstantOp %v3 Select %104 %v %z
    %106 = OpSpecConstantOp %v3 UDiv %v %z
    %107 = OpSpecConstantOp %v2 VectorShuffle %v %w 2 0xFFFFFFFF
    %108 = OpSpecConstantOp %u32 CompositeExtract %half 0
    %109 = OpSpecConstantOp %s CompositeInsert %c0 %t 0 0
    %110 = OpSpecConstantOp %u32 CompositeExtract %109 0 0
    %true = OpConstantTrue %bool
    %111 = OpSpecConstantOp %v3 Select %true %v %z
  )");
  ConstantEvaluator constants(module);
  auto bits = [&](uint32_t id) {
    std::vector<uint64_t> list;
    if (std::optional<ConstantValue> value = constants.evaluate(static_cast<Id>(id)))
      for (const ConstantValue &element : value->elements)
        list.push_back(element.bits);
    return list;
  };
  using List = std::vector<uint64_t>;
  EXPECT_EQ(bits(100), (List{6, 2, 10}));
  EXPECT_EQ(constants.evaluateInt(static_cast<Id>(101)), 9u);
  EXPECT_EQ(bits(102), (List{5, 0, 9}));
  EXPECT_EQ(bits(103), (List{9, 1}));
  EXPECT_EQ(bits(104), (List{1, 0, 1}));
  EXPECT_EQ(bits(105), (List{5, 0, 9}));
  EXPECT_FALSE(constants.evaluate(static_cast<Id>(106)));
  EXPECT_FALSE(constants.evaluate(static_cast<Id>(107)));
  EXPECT_FALSE(constants.evaluate(static_cast<Id>(108))) << "an undefined member";
  EXPECT_EQ(constants.evaluateInt(static_cast<Id>(110)), 0u);
  EXPECT_EQ(bits(111), (List{5, 1, 9}));
  EXPECT_TRUE(dependsOnSpecConstant(module, named(module, "v")));
}

TEST(Constants, oneSpecIdOnTwoConstants) {
  Module module = readText(typesText("OpDecorate %100 SpecId 3\nOpDecorate %101 SpecId 3\n") + R"(
    %100 = OpSpecConstant %u32 16
    %101 = OpSpecConstant %u32 8
    %102 = OpSpecConstantOp %u32 IAdd %100 %101
    %103 = OpConstant %u32 4
    %104 = OpSpecConstantOp %u32 IMul %103 %103
  )");
  Id sum = static_cast<Id>(102);
  EXPECT_EQ(ConstantEvaluator(module).evaluateInt(sum), 24u);
  EXPECT_EQ(ConstantEvaluator(module, {{3, 32}}).evaluateInt(sum), 64u);
  EXPECT_EQ(ConstantEvaluator(module, {{4, 32}}).evaluateInt(sum), 24u);
  EXPECT_FALSE(ConstantEvaluator(module, {}, false).evaluateInt(sum));
  EXPECT_EQ(ConstantEvaluator(module, {}, false).evaluateInt(static_cast<Id>(104)), 16u);
  EXPECT_TRUE(dependsOnSpecConstant(module, sum));
  EXPECT_FALSE(dependsOnSpecConstant(module, static_cast<Id>(103)));
  EXPECT_FALSE(dependsOnSpecConstant(module, static_cast<Id>(104)));
  EXPECT_FALSE(dependsOnSpecConstant(module, static_cast<Id>(9999)));
}

TEST(Constants, floatsAreBitsAndTheirArithmeticIsUnknown) {
  Module module = readText(typesText("OpDecorate %100 SpecId 0\n") + R"(
    %half = OpTypeFloat 16
    %float = OpTypeFloat 32
    %double = OpTypeFloat 64
    %100 = OpSpecConstant %float 1.5
    %101 = OpConstant %double 1.5
    %102 = OpConstant %half 1.5
    %103 = OpSpecConstantOp %u32 Bitcast %100
    %104 = OpSpecConstantOp %float FAdd %100 %100
    %105 = OpSpecConstantOp %i32 ConvertFToS %100
    %106 = OpSpecConstantOp %float FNegate %100
    %107 = OpSpecConstantOp %float QuantizeToF16 %100
    %108 = OpSpecConstantOp %double FConvert %100
  )");
  ConstantEvaluator constants(module);
  std::optional<ConstantValue> value = constants.evaluate(static_cast<Id>(100));
  ASSERT_TRUE(value);
  EXPECT_EQ(value->kind, ConstantValue::Kind::Float);
  EXPECT_EQ(value->bits, 0x3fc00000u);
  EXPECT_EQ(constants.evaluate(static_cast<Id>(101))->bits, 0x3ff8000000000000u);
  EXPECT_EQ(constants.evaluate(static_cast<Id>(102))->bits, 0x3e00u);
  EXPECT_EQ(constants.evaluateInt(static_cast<Id>(103)), 0x3fc00000u);
  EXPECT_EQ(ConstantEvaluator(module, {{0, 0x40000000}}).evaluateInt(static_cast<Id>(103)),
            0x40000000u);
  for (uint32_t id = 104; id <= 108; ++id)
    EXPECT_FALSE(constants.evaluate(static_cast<Id>(id))) << id;
  EXPECT_FALSE(constants.evaluateInt(static_cast<Id>(100))) << "a float is no integer";
}

TEST(Constants, whatIsNoNumber) {
  std::string doubling = "%d0 = OpSpecConstantComposite %pair0 %1000 %1000\n";
  std::string types = "%pair0 = OpTypeStruct %u32 %u32\n";
  for (unsigned level = 1; level < 40; ++level) {
    std::string inner = std::to_string(level - 1), outer = std::to_string(level);
    types += "%pair" + outer + " = OpTypeStruct %pair" + inner + " %pair" + inner + "\n";
    doubling +=
        "%" + std::to_string(2000 + level) + " = OpSpecConstantComposite %pair" + outer + " " +
        (level == 1 ? "%d0 %d0"
                    : "%" + std::to_string(1999 + level) + " %" + std::to_string(1999 + level)) +
        "\n";
  }
  std::string chain = "%3000 = OpSpecConstantOp %u32 IAdd %1000 %1000\n";
  for (unsigned level = 1; level < 200; ++level) {
    std::string inner = std::to_string(2999 + level);
    chain += "%" + std::to_string(3000 + level) + " = OpSpecConstantOp %u32 IAdd %" + inner + " %" +
             inner + "\n";
  }
  Module module = readText(typesText("OpDecorate %1009 SpecId 1\n") + types + R"(
    %1000 = OpConstant %u32 3
    %1001 = OpUndef %u32
    %1002 = OpSpecConstantOp %u32 IAdd %1000 %1001
    %1003 = OpSpecConstantOp %u32 IAdd %1003 %1003
    %big = OpConstant %u32 65536
    %array = OpTypeArray %u32 %big
    %arrays = OpTypeArray %array %big
    %1004 = OpConstantNull %arrays
    %1005 = OpConstantNull %array
    %zero = OpConstant %u32 0
    %none = OpTypeArray %u32 %zero
    %1006 = OpConstantNull %none
    %1007 = OpConstantNull %pair39
    %1009 = OpSpecConstant %u32 4
    %sized = OpTypeArray %u32 %1009
    %1010 = OpConstantNull %sized
  )" + doubling + chain);
  ConstantEvaluator constants(module);
  for (uint32_t id : {0u, 1001u, 1002u, 1003u, 1004u, 1006u, 1007u, 2039u, 4'000'000'000u})
    EXPECT_FALSE(constants.evaluate(static_cast<Id>(id))) << id;
  EXPECT_EQ(constants.evaluate(static_cast<Id>(1005))->elements.size(), 65536u);
  EXPECT_EQ(constants.evaluate(static_cast<Id>(1010))->elements.size(), 4u);
  EXPECT_TRUE(dependsOnSpecConstant(module, static_cast<Id>(1010))) << "its length does";
  EXPECT_FALSE(dependsOnSpecConstant(module, static_cast<Id>(1003)));
  EXPECT_TRUE(constants.evaluate(static_cast<Id>(3199))) << "each constant is evaluated once";
  EXPECT_FALSE(dependsOnSpecConstant(module, static_cast<Id>(3199)));
}

/// Random expressions over 32-bit integers, folded by SPIRV-Tools' optimizer as well. Without
/// OpSMod: the optimizer's sum of remainder and divisor overflows for large operands.
TEST(Constants, agreesWithTheOptimizersFolding) {
  static const char *const operators[] = {"IAdd",
                                          "ISub",
                                          "IMul",
                                          "UDiv",
                                          "UMod",
                                          "SDiv",
                                          "SRem",
                                          "BitwiseAnd",
                                          "BitwiseOr",
                                          "BitwiseXor",
                                          "ShiftLeftLogical",
                                          "ShiftRightLogical"};
  std::mt19937 random(99);
  unsigned compared = 0;
  for (unsigned round = 0; round < 40; ++round) {
    std::string names, decorations, text;
    for (uint32_t id = 100; id < 108; ++id) {
      uint32_t value = random() % 3 == 0 ? static_cast<uint32_t>(random()) : random() % 40;
      decorations += "OpDecorate %" + std::to_string(id) + " SpecId " + std::to_string(id) + "\n";
      text += "%" + std::to_string(id) + " = OpSpecConstant %i32 " +
              std::to_string(static_cast<int32_t>(value)) + "\n";
    }
    for (uint32_t id = 108; id < 148; ++id) {
      auto any = [&] { return " %" + std::to_string(100 + random() % (id - 100)); };
      std::string a = any(), b = any();
      text += "%" + std::to_string(id) + " = OpSpecConstantOp %i32 " +
              operators[random() % std::size(operators)] + a + b + "\n";
    }
    for (uint32_t id = 100; id < 148; ++id)
      names += "OpName %" + std::to_string(id) + " \"n" + std::to_string(id) + "\"\n";
    Words words = assemble(typesText(names + decorations) + text);
    spvtools::Optimizer optimizer(SPV_ENV_UNIVERSAL_1_6);
    optimizer.RegisterPass(spvtools::CreateFreezeSpecConstantValuePass())
        .RegisterPass(spvtools::CreateFoldSpecConstantOpAndCompositePass());
    Words folded;
    ASSERT_TRUE(optimizer.Run(words.data(), words.size(), &folded));
    Module module = read(words), result = read(folded);
    ConstantEvaluator constants(module);
    for (uint32_t id = 108; id < 148; ++id) {
      const Instruction *constant = result.def(named(result, "n" + std::to_string(id)));
      std::optional<uint64_t> ours = constants.evaluateInt(static_cast<Id>(id));
      if (!ours || !constant || constant->opcode() != spv::Op::OpConstant)
        continue; // the optimizer folds what SPIR-V leaves undefined, to zero
      EXPECT_EQ(*ours, constant->literal(0))
          << round << " "
          << nameOf(static_cast<spv::Op>(module.def(static_cast<Id>(id))->literal(0))) << " "
          << *constants.evaluateInt(module.def(static_cast<Id>(id))->id(1)) << " "
          << *constants.evaluateInt(module.def(static_cast<Id>(id))->id(2));
      ++compared;
    }
  }
  EXPECT_GT(compared, 300u);
}

} // namespace
} // namespace tailor
