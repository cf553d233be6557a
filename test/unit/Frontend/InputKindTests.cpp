//===- test/unit/Frontend/InputKindTests.cpp -------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/Frontend.h"

#include <gtest/gtest.h>

using namespace tailor;

namespace {

TEST(InputKind, SuffixDecidesWhereTheContentSaysNothing) {
  EXPECT_EQ(detectInputKind("a.comp", "void main() {}"), InputKind::Glsl);
  EXPECT_EQ(detectInputKind("a.GLSL", ""), InputKind::Glsl);
  EXPECT_EQ(detectInputKind("a.comp.glsl", ""), InputKind::Glsl);
  EXPECT_EQ(detectInputKind("a.hlsl", "void main() {}"), InputKind::Hlsl);
  EXPECT_EQ(detectInputKind("a.comp.hlsl", ""), InputKind::Hlsl);
  EXPECT_EQ(detectInputKind("a.spv", "garbage"), InputKind::SpirvBinary);
  EXPECT_EQ(detectInputKind("a.spvasm", "%1 = OpTypeVoid"), InputKind::SpirvText);
  EXPECT_EQ(detectInputKind("a.wgsl", ""), InputKind::Wgsl);
  EXPECT_EQ(detectInputKind("a.txt", "hello"), InputKind::Auto);
  EXPECT_EQ(detectInputKind("hlsl", "hello"), InputKind::Auto);
}

TEST(InputKind, MagicWinsOverTheSuffix) {
  EXPECT_EQ(detectInputKind("a.comp", "\x03\x02\x23\x07"), InputKind::SpirvBinary);
  EXPECT_EQ(detectInputKind("a", "\x07\x23\x02\x03"), InputKind::SpirvBinary);
}

TEST(InputKind, SpirvTextIsKnownByItsHeadAlsoAsSpv) {
  EXPECT_EQ(detectInputKind("a.spv", "; SPIR-V\n; Version: 1.3\n"), InputKind::SpirvText);
  EXPECT_EQ(detectInputKind("x", "\n;hello\n  ;SPIR-V\n"), InputKind::SpirvText);
  EXPECT_EQ(detectInputKind("x", " ; by hand\n OpCapability Shader\n"), InputKind::SpirvText);
  EXPECT_EQ(detectInputKind("x", "; nothing here"), InputKind::Auto);
}

TEST(InputKind, SpirvTextWinsOverEverySuffix) {
  for (const char *name : {"x.comp", "x.asm.comp", "x.glsl", "x.hlsl", "x.wgsl", "x.fx"}) {
    EXPECT_EQ(detectInputKind(name, "; SPIR-V\n; Version: 1.0\n"), InputKind::SpirvText) << name;
    EXPECT_EQ(detectInputKind(name, "; mine\n\tOpCapability Shader\n"), InputKind::SpirvText)
        << name;
    EXPECT_EQ(detectInputKind(name, "OpExtension \"SPV_A\"\n"), InputKind::SpirvText) << name;
    EXPECT_EQ(detectInputKind(name, "%glsl = OpExtInstImport \"GLSL.std.450\"\n"),
              InputKind::SpirvText)
        << name;
    EXPECT_EQ(detectInputKind(name, "\xEF\xBB\xBFOpMemoryModel Logical GLSL450\n"),
              InputKind::SpirvText)
        << name;
  }
  // Words that only look like it.
  EXPECT_EQ(detectInputKind("x.comp", "OpCapabilityOf(x)\n"), InputKind::Glsl);
  EXPECT_EQ(detectInputKind("x.comp", "; a comment of some other language\n"), InputKind::Glsl);
  EXPECT_EQ(detectInputKind("x.comp", "// ; SPIR-V\n"), InputKind::Glsl);
  EXPECT_EQ(detectInputKind("x.comp", "%x = 3"), InputKind::Glsl);
  EXPECT_EQ(detectInputKind("x.comp", "%"), InputKind::Glsl);
}

TEST(InputKind, HlslInACompFileIsKnownByNumthreads) {
  EXPECT_EQ(detectInputKind("a.comp", "[ NumThreads (8,8,1)]\nvoid main() {}"), InputKind::Hlsl);
  EXPECT_EQ(detectInputKind("a.comp", "// [numthreads(8,1,1)]\nvoid main() {}"), InputKind::Glsl);
  EXPECT_EQ(detectInputKind("a.comp", "#version 450\n#define X [numthreads(1,1,1)]\n"),
            InputKind::Glsl);
}

TEST(InputKind, TextWithoutASuffix) {
  EXPECT_EQ(detectInputKind("x", "/* top */\n # version 450\n"), InputKind::Glsl);
  EXPECT_EQ(detectInputKind("x", "\xEF\xBB\xBF#version 450\n"), InputKind::Glsl);
  EXPECT_EQ(detectInputKind("x", "// #version 450\n"), InputKind::Auto);
  EXPECT_EQ(detectInputKind("x", "a #version 450\n"), InputKind::Auto);
  EXPECT_EQ(detectInputKind("x", "layout(local_size_x = 4) in;"), InputKind::Glsl);
  EXPECT_EQ(detectInputKind("x", "int my_local_size_x;"), InputKind::Auto);
  EXPECT_EQ(detectInputKind("x", "@compute @workgroup_size(64) fn main() {}"), InputKind::Wgsl);
  EXPECT_EQ(detectInputKind("x", "/* never closed #version 450"), InputKind::Auto);
}

TEST(InputKind, NamesAreForMessages) {
  EXPECT_EQ(nameOf(InputKind::Hlsl), "HLSL");
  EXPECT_EQ(nameOf(InputKind::Auto), "unknown");
}

} // namespace
