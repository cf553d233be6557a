//===- Frontend/KnobPragmaTests.cpp ---------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/Knobs.h"

#include "gtest/gtest.h"

using namespace tailor;

namespace {

/// Knobs and constraints with the place of each, or the place and text of the error.
std::string read(std::string_view source) {
  Result<KnobRequest> request = readKnobPragmas("a.comp", source);
  if (!request) {
    EXPECT_EQ(request.diagnostic().kind, ErrorKind::Refused);
    return request.diagnostic().location.str() + ": " + request.diagnostic().text;
  }
  std::string text;
  for (const Knob &knob : request->knobs) {
    text += knob.location.str() + " " + knob.name + ":";
    for (const std::string &value : knob.values)
      text += " " + value;
    text += "\n";
  }
  for (const KnobExpression &constraint : request->constraints)
    text += constraint.location().str() + " " + constraint.str() + "\n";
  return text;
}

std::string option(const std::string &text) {
  Result<Knob> knob = parseKnobOption(text, "--knob");
  if (!knob) {
    EXPECT_EQ(knob.diagnostic().kind, ErrorKind::Usage);
    return knob.diagnostic().location.str() + ": " + knob.diagnostic().text;
  }
  std::string all = knob->name;
  for (const std::string &value : knob->values)
    all += " " + value;
  return all;
}

} // namespace

TEST(KnobPragmas, AreReadWhereTheyStand) {
  EXPECT_EQ(read("#version 450\n#pragma tailor knob(TILE, 8, 16, 0x20)\n"
                 "  #  pragma\ttailor where( TILE*TILE <= 1024 )\r\nvoid main() {}\n"),
            "a.comp:2:21 TILE: 8 16 0x20\na.comp:3:27 TILE*TILE <= 1024\n");
  EXPECT_EQ(read("#pragma tailor knob(A,1) where(A > 0) knob(B_2, -1, 2u, fast, 1.5)"),
            "a.comp:1:21 A: 1\na.comp:1:44 B_2: -1 2u fast 1.5\na.comp:1:32 A > 0\n");
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(read("#pragma once\n#pragma tailored knob(A)\n# tailor knob(A)\nint tailor;\n#"), "");
}

TEST(KnobPragmas, CommentsAndContinuedLines) {
  EXPECT_EQ(read("// #pragma tailor knob(A, 1)\n/* #pragma tailor knob(B, 1)\n"
                 "#pragma tailor knob(C, 1) */\n#pragma tailor knob(D, 1)"),
            "a.comp:4:21 D: 1\n");
  EXPECT_EQ(read("#pragma tailor /* the tile */ knob(TILE, 8, // small\n 16)"),
            "a.comp:1:35: this '(' has no ')'");
  EXPECT_EQ(read("#pragma tailor \\\n  knob(TILE, \\\r\n    8, 16)\n"), "a.comp:2:8 TILE: 8 16\n");
  EXPECT_EQ(read("#pragma tailor where(A \\\n  == 1 + )"),
            "a.comp:2:9: expected an integer, the name of a knob or '(', found the end");
  // A comment that is continued takes the next line with it, and one over several lines joins them.
  EXPECT_EQ(read("// note \\\n#pragma tailor knob(A, 1)\n#pragma /*\n\n*/ tailor knob(B, 2)"),
            "a.comp:5:16 B: 2\n");
  EXPECT_EQ(read("#include \"http://x\"\n#pragma tailor knob(A, 1)\nstring \"/*\";\n"
                 "#pragma tailor knob(B, 1)"),
            "a.comp:2:21 A: 1\na.comp:4:21 B: 1\n");
  EXPECT_EQ(read("/* never ends\n#pragma tailor knob(A, 1)"), "");
}

TEST(KnobPragmas, WhatIfZeroLeavesOutIsLeftOut) {
  EXPECT_EQ(read("#if 0\n#pragma tailor knob(A, 1)\n#if X\n#pragma tailor knob(B, 1)\n#else\n"
                 "#pragma tailor knob(B, 2)\n#endif\n#else\n#pragma tailor knob(C, 1)\n#endif\n"
                 "#ifdef X\n#pragma tailor knob(D, 1)\n#endif\n#pragma tailor knob(E, 1)"),
            "a.comp:9:21 C: 1\na.comp:12:21 D: 1\na.comp:14:21 E: 1\n");
}

TEST(KnobPragmas, ErrorsAreLocated) {
  EXPECT_EQ(read("\n#pragma tailor"),
            "a.comp:2:15: expected knob(NAME, V1, ...) or where(EXPRESSION)");
  EXPECT_EQ(read("#pragma tailor knbo(A, 1)"),
            "a.comp:1:16: there is no pragma tailor 'knbo'; write knob(NAME, V1, ...) or "
            "where(EXPRESSION)");
  EXPECT_EQ(read("#pragma tailor (A, 1)"),
            "a.comp:1:16: expected knob(NAME, V1, ...) or where(EXPRESSION)");
  EXPECT_EQ(read("#pragma tailor knob A, 1"), "a.comp:1:21: expected '(' behind 'knob'");
  EXPECT_EQ(read("#pragma tailor knob"), "a.comp:1:20: expected '(' behind 'knob'");
  EXPECT_EQ(read("#pragma tailor knob(A, 1"), "a.comp:1:20: this '(' has no ')'");
  EXPECT_EQ(read("#pragma tailor knob()"), "a.comp:1:21: expected the name of a macro");
  EXPECT_EQ(read("#pragma tailor knob(3A, 1)"), "a.comp:1:21: '3A' is no name of a macro");
  EXPECT_EQ(read("#pragma tailor knob(A)"),
            "a.comp:1:22: expected ',' and the values of the knob 'A'");
  EXPECT_EQ(read("#pragma tailor knob(A, 1,, 2)"),
            "a.comp:1:26: expected a value for the knob 'A'");
  EXPECT_EQ(read("#pragma tailor knob(A, 1, f(2))"),
            "a.comp:1:27: 'f(2)' is no value for the knob 'A': write integers or words");
  EXPECT_EQ(read("#pragma tailor knob(A, 8, 16, 8)"),
            "a.comp:1:31: the value 8 of the knob 'A' is given twice");
  EXPECT_EQ(read("#pragma tailor knob(A, 8) 3"),
            "a.comp:1:27: there is no pragma tailor '3'; write knob(NAME, V1, ...) or "
            "where(EXPRESSION)");
  EXPECT_EQ(read("#pragma tailor where(A <)"),
            "a.comp:1:25: expected an integer, the name of a knob or '(', found the end");
  EXPECT_EQ(read("#pragma tailor where()"),
            "a.comp:1:22: expected an integer, the name of a knob or '(', found the end");
}

TEST(KnobOption, IsANameAndValues) {
  EXPECT_EQ(option("TILE=8,16,32"), "TILE 8 16 32");
  EXPECT_EQ(option("TILE = 8 , 16"), "TILE 8 16");
  EXPECT_EQ(option("MODE=fast"), "MODE fast");
  EXPECT_EQ(option("TILE"), "--knob:1:5: expected NAME=V1,V2,...");
  EXPECT_EQ(option("TILE="), "--knob:1:6: expected a value for the knob 'TILE'");
  EXPECT_EQ(option("TILE=8,"), "--knob:1:8: expected a value for the knob 'TILE'");
  EXPECT_EQ(option("=8"), "--knob:1:1: expected the name of a macro");
  EXPECT_EQ(option("T-1=8"), "--knob:1:1: 'T-1' is no name of a macro");
  EXPECT_EQ(option("T=8,8"), "--knob:1:5: the value 8 of the knob 'T' is given twice");
  EXPECT_EQ(option("T=8;16"),
            "--knob:1:3: '8;16' is no value for the knob 'T': write integers or words");
}
