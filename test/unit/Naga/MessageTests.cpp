//===- unit/Naga/MessageTests.cpp - naga's messages as ours ----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Naga/Naga.h"

#include <gtest/gtest.h>

namespace tailor::naga {
namespace {

TEST(NagaMessage, HasPlaceAndLabels) {
  Diagnostic d = diagnosticFrom("error: automatic conversions cannot convert `u32` to `f32`\n"
                                "  ┌─ wgsl:3:10\n"
                                "  │\n"
                                "3 │   let x: f32 = 1u;\n"
                                "  │          ^^^   ^^ a value of type u32 is assigned here\n"
                                "  │          │\n"
                                "  │          an expression of type f32 is expected here\n"
                                "\n",
                                "a.wgsl");
  EXPECT_EQ(d.text, "automatic conversions cannot convert `u32` to `f32`");
  EXPECT_EQ(d.location.str(), "a.wgsl:3:10");
  ASSERT_EQ(d.notes.size(), 2u);
  EXPECT_EQ(d.notes[0].location.str(), "a.wgsl:3:16");
  EXPECT_EQ(d.notes[0].text, "a value of type u32 is assigned here");
  EXPECT_EQ(d.notes[1].location.str(), "a.wgsl:3:10");
  EXPECT_EQ(d.notes[1].text, "an expression of type f32 is expected here");
}

TEST(NagaMessage, KeepsCauses) {
  Diagnostic d = diagnosticFrom("error: Entry point main at Compute is invalid\n"
                                "  ┌─ wgsl:12:1\n"
                                "  │  \n"
                                "12 │ ╭ fn main() {\n"
                                "  = note: Something about it.\n"
                                "  = Type 3 is wrong\n",
                                "dir/b.wgsl");
  EXPECT_EQ(d.text, "entry point main at Compute is invalid");
  EXPECT_EQ(d.location.str(), "dir/b.wgsl:12:1");
  ASSERT_EQ(d.notes.size(), 2u);
  EXPECT_EQ(d.notes[0].text, "something about it");
  EXPECT_EQ(d.notes[1].text, "type 3 is wrong");
}

TEST(NagaMessage, WithoutPlaceIsLocatedAtTheFile) {
  Diagnostic d = diagnosticFrom("error: unsupported capability Int8", "k.spv");
  EXPECT_EQ(d.text, "unsupported capability Int8");
  EXPECT_EQ(d.location.str(), "k.spv");
  EXPECT_TRUE(d.notes.empty());
}

TEST(NagaMessage, TakesWhateverItIsGiven) {
  for (std::string_view text : {"", "\n\n", "error:", "  ┌─", "  ┌─ wgsl:x:y\n │", "│ ^ │ │\n",
                                "e\n3 │ a\n  │ ^^^^\n  │ │\n", "e\n┌─ :\n┌─ 1:\n"})
    EXPECT_FALSE(diagnosticFrom(text, "f").text.empty()) << text;
}

} // namespace
} // namespace tailor::naga
