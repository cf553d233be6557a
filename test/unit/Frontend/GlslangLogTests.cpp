//===- test/unit/Frontend/GlslangLogTests.cpp --------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/GlslangLog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tailor;
using testing::IsEmpty;

namespace {

TEST(GlslangLog, OneMessageALine) {
  auto list = parseGlslangLog("WARNING: a.comp:2: '#extension' : extension not supported: X\n"
                              "ERROR: a.comp:3: 'x' : undeclared identifier \n"
                              "ERROR: a.comp:3: '' : compilation terminated \n"
                              "ERROR: 2 compilation errors.  No code generated.\n\n\n",
                              {"a.comp"});
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].severity, Severity::Warning);
  EXPECT_EQ(list[0].location.str(), "a.comp:2");
  EXPECT_EQ(list[0].text, "'#extension' : extension not supported: X");
  EXPECT_EQ(list[1].severity, Severity::Error);
  EXPECT_EQ(list[1].location.str(), "a.comp:3");
  EXPECT_EQ(list[1].text, "'x' : undeclared identifier");
}

TEST(GlslangLog, NamesWithColonsAndBlanks) {
  auto list = parseGlslangLog("ERROR: my dir:7:/a b.comp:12: 'x' : bad\n", {"my dir:7:/a b.comp"});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].location.str(), "my dir:7:/a b.comp:12");
  EXPECT_EQ(list[0].text, "'x' : bad");
}

TEST(GlslangLog, NumberZeroIsTheShaderAndOtherNamesAreFromLineDirectives) {
  auto list =
      parseGlslangLog("ERROR: 0:4: 'x' : bad\nERROR: gen.y:99: '' : Syntax error.\n", {"a.comp"});
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].location.str(), "a.comp:4");
  EXPECT_EQ(list[1].location.str(), "gen.y:99");
  EXPECT_EQ(list[1].text, "syntax error");
}

TEST(GlslangLog, WithoutAPlaceTheFileIsTheLocation) {
  auto list = parseGlslangLog("ERROR: Linking compute stage: Missing entry point: Each stage\n",
                              {"a.comp"});
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].location.str(), "a.comp");
  EXPECT_EQ(list[0].text, "linking compute stage: Missing entry point: Each stage");
}

TEST(GlslangLog, TheHlslColumnGoesToTheErrorOfItsLine) {
  auto list = parseGlslangLog("ERROR: k.hlsl:4: 'foo' : unknown variable \n"
                              "ERROR: k.hlsl:4: 'expression' : Expected \n"
                              "k.hlsl(4): error at column 17, HLSL parsing failed.\n"
                              "k.hlsl(9): error at column 2, HLSL parsing failed.\n",
                              {"k.hlsl"});
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].location.str(), "k.hlsl:4:17");
  EXPECT_EQ(list[1].location.str(), "k.hlsl:4");
  EXPECT_EQ(list[2].location.str(), "k.hlsl:9:2");
  EXPECT_EQ(list[2].text, "HLSL parsing failed here");
}

TEST(GlslangLog, WordsAreOnesThatAUserReads) {
  auto list = parseGlslangLog("ERROR: k:1: 'declaration' : Expected \n"
                              "ERROR: k:2: ')' : Expected \n"
                              "ERROR: k:3: '=' : cannot convert from ' temp float' to ' const "
                              "temp int'\n",
                              {"k"});
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].text, "expected declaration");
  EXPECT_EQ(list[1].text, "expected ')'");
  EXPECT_EQ(list[2].text, "'=' : cannot convert from 'temp float' to 'const temp int'");
}

TEST(GlslangLog, OtherLinesAreNotesOfTheMessageBefore) {
  auto list =
      parseGlslangLog("stray\nERROR: a:1: 'f' : no match\n    candidates are f(int).\n", {"a"});
  ASSERT_EQ(list.size(), 1u);
  ASSERT_EQ(list[0].notes.size(), 1u);
  EXPECT_EQ(list[0].notes[0].text, "candidates are f(int)");
  EXPECT_THAT(parseGlslangLog("", {"a"}), IsEmpty());
  EXPECT_THAT(parseGlslangLog("\n\n", {}), IsEmpty());
}

} // namespace
