//===- Bundle/InspectTests.cpp -------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/Inspect.h"
#include "TestBundle.h"

#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tailor;
using namespace tailor::test;
using testing::HasSubstr;
using testing::Not;

static std::string inspect(const Bundle &bundle, unsigned columns = 0) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printInspectText(os, bundle, columns);
  return text;
}

TEST(Inspect, WholeText) {
  EXPECT_EQ(inspect(sampleBundle()),
            "bundle by spirv-tailor 0.1.0: 2 kernels, 3 pieces of code, 72 bytes\n"
            "\n"
            "blur: entry point main, authored size 16x16x1 (LocalSizeId)\n"
            "  class: global-id; uses GlobalInvocationId\n"
            "  workgroup memory: 1296 bytes; control barriers: 2 (1 in loops); atomics: 3\n"
            "  subgroup operations: OpGroupNonUniformFAdd\n"
            "  variants: 4\n"
            "  id                                           size     shared  dispatch        "
            "       evidence  targets\n"
            "  authored                                     16x16x1  1296    same            "
            "       proven    glsl, spirv\n"
            "  resize-64x1x1                                64x1x1   0       cover x*16/64 y*16"
            "     proven    glsl, spirv\n"
            "  remap-8x8x1                                  8x8x1    0       guarded x*16/8 y*16/8"
            "  declared  spirv\n"
            "  remap-8x16x1-guarded+swizzle-8x16x1-tile4x4  8x16x1   0       guarded x*16/8  "
            "       proven    spirv\n"
            "  resize: every side effect is under a bounds check\n"
            "  assumes grid-covers-bound\n"
            "  bound gid.x <= (push_constant[4] - 1)\n"
            "  bound gid.y < image_size(0,1).y\n"
            "  bound (gid.x + (push_constant[4] - 1)*gid.y + 3) / 5 <= 4096\n"
            "  no essl: the format r32f needs an extension\n"
            "  grid in push_constant[16..27]\n"
            "  grid in spec_constant 7, 8, 9\n"
            "  chosen for nvidia-h200 at 256x128x1 authored groups: resize-64x1x1\n"
            "  refused pack: a control barrier is in divergent flow (blur.comp:9:3)\n"
            "    blur.comp:8:5: the branch\n"
            "    blur.comp:7:1: its condition\n"
            "  refused coarsen-4x4x1: too many values live across the barrier\n"
            "\n"
            "copy: entry point copyMain, authored size 16x16x1 (LocalSize)\n"
            "  class: local-ids\n"
            "  variants: 1\n"
            "  id        size     shared  dispatch  evidence  targets\n"
            "  authored  16x16x1  1296    same      proven    glsl, spirv\n");
}

TEST(Inspect, SentencesAreWrappedUnderThemselves) {
  Bundle bundle = sampleBundle();
  VariantInfo &variant = bundle.kernels[0].variants[1];
  variant.why = "behaviour depends on the global id alone, and every side effect stands under a "
                "bounds check on each axis";
  bundle.kernels[0].refused[0].reason = std::string(60, 'a') + " is longer than a line";
  std::string text = inspect(bundle, 40);
  EXPECT_THAT(text, HasSubstr("\n  resize: behaviour depends on the\n"
                              "      global id alone, and every side\n"
                              "      effect stands under a bounds check\n"
                              "      on each axis\n"));
  EXPECT_THAT(text, HasSubstr("\n  refused pack:\n      " + std::string(60, 'a') +
                              "\n      is longer than a line\n      (blur.comp:9:3)\n"
                              "    blur.comp:8:5: the branch\n"));
  EXPECT_THAT(inspect(bundle), HasSubstr(variant.why + "\n")); // for programs
  EXPECT_THAT(inspect(bundle, 1), HasSubstr("behaviour"));     // no terminal is that narrow
}

TEST(Inspect, ControlCharactersAreShownNotObeyed) {
  Bundle bundle = sampleBundle();
  bundle.kernels[0].name = "a\x1b[2J\nb";
  std::string text = inspect(bundle);
  EXPECT_THAT(text, HasSubstr("a\\x1b[2J\\x0ab: entry point"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(Inspect, EmptyBundle) {
  EXPECT_EQ(inspect(Bundle()), "bundle by : 0 kernels, 0 pieces of code, 0 bytes\n");
}
