//===- Support/DiagnosticsTests.cpp --------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support/Diagnostics.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace tailor;

template <typename T> static std::string printed(const T &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, value);
  return text;
}

template <typename T> static std::string printedJson(const T &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os);
  printJson(json, value);
  return text;
}

TEST(Location, Text) {
  EXPECT_EQ(Location::at("a.comp", 3, 7).str(), "a.comp:3:7");
  EXPECT_EQ(Location::at("a.comp", 3).str(), "a.comp:3");
  EXPECT_EQ(Location::atWord("a.spv", 0).str(), "a.spv:word 0");
  EXPECT_EQ(Location::atWord("", 12).str(), "word 12");
  EXPECT_EQ(Location::inFile("a.spv").str(), "a.spv");
  EXPECT_EQ(Location().str(), "");
  EXPECT_FALSE(Location().known());
  EXPECT_TRUE(Location::atWord("", 0).known());
}

TEST(Diagnostics, PrintsErrorAndNotes) {
  Diagnostics diagnostics;
  diagnostics.error(Location::at("a.comp", 3, 7), "the barrier is in divergent flow")
      .addNote(Location::at("a.comp", 2, 1), "the branch")
      .addNote({}, "nothing else is known");
  diagnostics.warning(Location::inFile("b.comp"), "nothing to do");
  EXPECT_EQ(printed(diagnostics), "a.comp:3:7: error: the barrier is in divergent flow\n"
                                  "a.comp:2:1: note: the branch\n"
                                  "spirv-tailor: note: nothing else is known\n"
                                  "b.comp: warning: nothing to do\n");
}

TEST(Diagnostics, InternalFaultsAskForAReport) {
  std::string text = printed(Diagnostic::error({}, "the pass broke", ErrorKind::Internal));
  EXPECT_EQ(text, "spirv-tailor: error: the pass broke\n"
                  "spirv-tailor: note: this is a fault of spirv-tailor itself; please report it "
                  "with the input\n");
}

TEST(Diagnostics, Json) {
  Diagnostic diagnostic = Diagnostic::error(Location::atWord("a.spv", 9), "bad \"word\"\n")
                              .withNote(Location::at("a.comp", 1), "from here");
  EXPECT_EQ(printedJson(diagnostic),
            R"({"severity":"error","location":"a.spv:word 9","text":"bad \"word\"\n",)"
            R"("notes":[{"location":"a.comp:1","text":"from here"}]})");
  Diagnostics none;
  EXPECT_EQ(printedJson(none), "[]");
  Diagnostics two;
  two.warning({}, "a");
  two.error({}, "b");
  EXPECT_EQ(printedJson(two), R"([{"severity":"warning","location":"","text":"a","notes":[]},)"
                              R"({"severity":"error","location":"","text":"b","notes":[]}])");
}

TEST(Diagnostics, JsonOfAnyBytesIsValid) {
  Diagnostic diagnostic = Diagnostic::error(Location::inFile("caf\xe9"), "\xff\xfe\x01");
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(printedJson(diagnostic));
  ASSERT_TRUE(static_cast<bool>(value)) << llvm::toString(value.takeError());
  EXPECT_TRUE(value->getAsObject()->getString("location")->starts_with("caf"));
}

TEST(Diagnostics, ExitCodeIsTheWorstError) {
  Diagnostics diagnostics;
  EXPECT_EQ(diagnostics.exitCode(), 0);
  diagnostics.warning({}, "only a warning");
  EXPECT_EQ(diagnostics.exitCode(), 0);
  EXPECT_FALSE(diagnostics.hasErrors());
  diagnostics.error({}, "no device", ErrorKind::Environment);
  diagnostics.error({}, "refused");
  EXPECT_EQ(diagnostics.exitCode(), 3);
  EXPECT_TRUE(diagnostics.hasErrors());
  EXPECT_EQ(diagnostics.all().size(), 3u);
}
