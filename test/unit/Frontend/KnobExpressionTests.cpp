//===- Frontend/KnobExpressionTests.cpp -----------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/KnobExpression.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <map>

using namespace tailor;

namespace {

const std::map<std::string, std::string> kValues = {
    {"A", "6"}, {"B", "4"}, {"ZERO", "0"}, {"NEG", "-7"}, {"HEX", "0x20u"}, {"WORD", "fast"}};

/// The value, or `column: message`.
std::string valueOf(const std::string &text) {
  Result<KnobExpression> expression =
      KnobExpression::parse(LocatedText("--where", text), ErrorKind::Usage);
  auto describe = [](const Diagnostic &diagnostic) {
    EXPECT_EQ(diagnostic.kind, ErrorKind::Usage);
    EXPECT_EQ(diagnostic.location.line, 1u);
    return std::to_string(diagnostic.location.column) + ": " + diagnostic.text;
  };
  if (!expression)
    return describe(expression.diagnostic());
  Result<KnobInteger> value =
      expression->evaluate([](const std::string &name) -> std::optional<std::string> {
        auto at = kValues.find(name);
        return at == kValues.end() ? std::nullopt : std::optional(at->second);
      });
  return value ? value->str() : describe(value.diagnostic());
}

} // namespace

TEST(KnobInteger, ReadsWhatShadersWrite) {
  auto text = [](std::string_view from) {
    std::optional<KnobInteger> value = KnobInteger::parse(from);
    return value ? value->str() : std::string("none");
  };
  EXPECT_EQ(text("16"), "16");
  EXPECT_EQ(text("16u"), "16");
  EXPECT_EQ(text("0x1F"), "31");
  EXPECT_EQ(text("010"), "8");
  EXPECT_EQ(text("0"), "0");
  EXPECT_EQ(text("-0"), "0");
  EXPECT_EQ(text("-3"), "-3");
  EXPECT_EQ(text("+3U"), "3");
  EXPECT_EQ(text("18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(text("-9223372036854775808"), "-9223372036854775808");
  for (const char *wrong : {"", "-", "u", "0x", "08", "1.5", "1uu", "18446744073709551616",
                            "-9223372036854775809", " 1", "1 ", "0x-1", "--1", "fast"})
    EXPECT_EQ(text(wrong), "none") << wrong;
}

TEST(KnobExpression, BindsAsInC) {
  EXPECT_EQ(valueOf("2 + 3 * 4"), "14");
  EXPECT_EQ(valueOf("(2 + 3) * 4"), "20");
  EXPECT_EQ(valueOf("20 - 5 - 3"), "12");
  EXPECT_EQ(valueOf("64 / 4 / 2"), "8");
  EXPECT_EQ(valueOf("1 << 2 + 1"), "8");
  EXPECT_EQ(valueOf("1 << 2 << 1"), "8");
  EXPECT_EQ(valueOf("1 < 2 == 1"), "1");
  EXPECT_EQ(valueOf("3 > 2 > 1"), "0");
  EXPECT_EQ(valueOf("0 && 1 || 1"), "1");
  EXPECT_EQ(valueOf("1 || 1 && 0"), "1");
  EXPECT_EQ(valueOf("!A == 0"), "1");
  EXPECT_EQ(valueOf("-2 - -3"), "1");
  EXPECT_EQ(valueOf("- - 3"), "3");
  EXPECT_EQ(valueOf("!!7"), "1");
  EXPECT_EQ(valueOf("A*A<=1024&&A%B==2"), "1");
  EXPECT_EQ(valueOf("HEX >> 1"), "16");
}

TEST(KnobExpression, ComputesWholeNumbers) {
  EXPECT_EQ(valueOf("NEG / 2"), "-3");
  EXPECT_EQ(valueOf("NEG % 2"), "-1");
  EXPECT_EQ(valueOf("7 % -2"), "1");
  EXPECT_EQ(valueOf("NEG >> 1"), "-4");
  EXPECT_EQ(valueOf("-8 >> 1"), "-4");
  EXPECT_EQ(valueOf("NEG << 2"), "-28");
  EXPECT_EQ(valueOf("-1 < 1u"), "1"); // no wrapping conversion
  EXPECT_EQ(valueOf("-1 == 18446744073709551615"), "0");
  EXPECT_EQ(valueOf("NEG < -6 && -6 < 0 && NEG != 7"), "1");
  EXPECT_EQ(valueOf("A >= 6 && A <= 6 && A > 5"), "1");
  EXPECT_EQ(valueOf("3 - A"), "-3");
  EXPECT_EQ(valueOf("NEG + 9"), "2");
  EXPECT_EQ(valueOf("NEG + NEG"), "-14");
  EXPECT_EQ(valueOf("18446744073709551615 - 18446744073709551615"), "0");
  EXPECT_EQ(valueOf("1 << 63"), "9223372036854775808");
  EXPECT_EQ(valueOf("-1 << 63"), "-9223372036854775808");
  EXPECT_EQ(valueOf("-9223372036854775808 / -1"), "9223372036854775808");
}

TEST(KnobExpression, NothingWraps) {
  EXPECT_EQ(valueOf("18446744073709551615 + 1"), "22: the result does not fit 64 bits");
  EXPECT_EQ(valueOf("4294967296 * 4294967296"), "12: the result does not fit 64 bits");
  EXPECT_EQ(valueOf("-9223372036854775808 - 1"), "22: the result does not fit 64 bits");
  EXPECT_EQ(valueOf("0 - 18446744073709551615"), "3: the result does not fit 64 bits");
  EXPECT_EQ(valueOf("-18446744073709551615"), "1: the result does not fit 64 bits");
  EXPECT_EQ(valueOf("2 << 63"), "3: the result does not fit 64 bits");
  EXPECT_EQ(valueOf("1 << 64"), "3: a shift by 64 is not one of 0 to 63");
  EXPECT_EQ(valueOf("1 >> -1"), "3: a shift by -1 is not one of 0 to 63");
  EXPECT_EQ(valueOf("A / ZERO"), "3: a division by zero");
  EXPECT_EQ(valueOf("A % (B - 4)"), "3: a remainder by zero");
}

TEST(KnobExpression, LooksOnlyWhereItCounts) {
  EXPECT_EQ(valueOf("ZERO != 0 && A / ZERO > 1"), "0");
  EXPECT_EQ(valueOf("ZERO == 0 || A / ZERO > 1"), "1");
  EXPECT_EQ(valueOf("ZERO == 0 && A / ZERO > 1"), "16: a division by zero");
}

TEST(KnobExpression, NamesWhatHasNoValue) {
  EXPECT_EQ(valueOf("A * TIEL"), "5: there is no knob 'TIEL'");
  EXPECT_EQ(valueOf("A == WORD"),
            "6: the knob 'WORD' has the value 'fast', which is no integer of 64 bits");
}

TEST(KnobExpression, LocatesWhatIsWrong) {
  EXPECT_EQ(valueOf(""), "1: expected an integer, the name of a knob or '(', found the end");
  EXPECT_EQ(valueOf("A *"), "4: expected an integer, the name of a knob or '(', found the end");
  EXPECT_EQ(valueOf("* A"), "1: expected an integer, the name of a knob or '(', found '*'");
  EXPECT_EQ(valueOf("A B"), "3: expected an operator, found 'B'");
  EXPECT_EQ(valueOf("A = B"), "3: expected an operator, found '='");
  EXPECT_EQ(valueOf("A & B"), "3: expected an operator, found '&'");
  EXPECT_EQ(valueOf("A ? B : 1"), "3: expected an operator, found '?'");
  EXPECT_EQ(valueOf("(A + B"), "1: this '(' has no ')'");
  EXPECT_EQ(valueOf("(A + B 3)"), "8: expected ')' or an operator, found '3'");
  EXPECT_EQ(valueOf("A + B)"), "6: this ')' has no '('");
  EXPECT_EQ(valueOf("()"), "2: expected an integer, the name of a knob or '(', found ')'");
  EXPECT_EQ(valueOf("A < 08"), "5: '08' is no integer of 64 bits");
  EXPECT_EQ(valueOf("99999999999999999999 > A"),
            "1: '99999999999999999999' is no integer of 64 bits");
  EXPECT_EQ(valueOf("2.5 > A"), "2: expected an operator, found '.'");
  EXPECT_EQ(valueOf("A <\xc3\xa4"),
            "4: expected an integer, the name of a knob or '(', found '\xc3'");
}

TEST(KnobExpression, HasLimitsThatNoAuthorMeets) {
  std::string deep(100, '('), closing(100, ')'), signs(100, '!'), sum = "1";
  EXPECT_EQ(valueOf(deep + "1" + closing), "65: the expression nests too deep");
  EXPECT_EQ(valueOf(signs + "1"), "65: the expression nests too deep");
  EXPECT_EQ(valueOf(std::string(60, '(') + "1" + std::string(60, ')')), "1");
  for (unsigned i = 0; i < 400; ++i)
    sum += "+1";
  EXPECT_EQ(valueOf(sum), "401");
  for (unsigned i = 0; i < 400; ++i)
    sum += "+1";
  EXPECT_THAT(valueOf(sum), testing::HasSubstr("the expression is too long"));
}
