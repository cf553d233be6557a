//===- test/unit/Frontend/HlslEntryTests.cpp -------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/Frontend.h"

#include <gmock/gmock.h>

#include <string>

using namespace tailor;
using testing::HasSubstr;

namespace {

Result<FrontendResult> load(const std::string &text, const FrontendOptions &options = {}) {
  Diagnostics diagnostics;
  return loadShaderFromMemory("RWStructuredBuffer<uint> o : register(u0);\n" + text, "k.hlsl",
                              options, diagnostics);
}

/// glslang 12 dies of each.
TEST(HlslEntry, AParameterWithoutANameIsRefusedWhereItStands) {
  for (const char *parameters :
       {"uint3 : SV_DispatchThreadID", "uint3 i : SV_GroupID,\n    in uint3 : SV_DispatchThreadID",
        "S", "const uint : SV_GroupIndex", "RWStructuredBuffer<uint>", "ID3 : SV_GroupID"}) {
    const std::string text = "#define ID3 uint3\nstruct S { uint3 i : SV_DispatchThreadID; };\n"
                             "[numthreads(8, 1, 1)]\nvoid main(" +
                             std::string(parameters) + ") { o[0] = 1; }\n";
    const Result<FrontendResult> made = load(text);
    ASSERT_FALSE(made) << parameters;
    EXPECT_THAT(made.diagnostic().text, HasSubstr("entry point 'main' that has no name"));
    EXPECT_EQ(made.diagnostic().location.str(),
              std::string(parameters).find('\n') == std::string::npos ? "k.hlsl:5" : "k.hlsl:6");
  }
}

TEST(HlslEntry, OthersMayHaveNone) {
  const Result<FrontendResult> made =
      load("uint f(uint, uint b) { return b; }\n"
           "struct S { uint m(uint) { return 1; } };\n"
           "[numthreads(8, 1, 1)]\n"
           "void main(/* uint3 : SV_GroupID */ in uint3 i : SV_DispatchThreadID,\n"
           "          const uint n : SV_GroupIndex) {\n"
           "  S s; o[i.x] = f(1, n) + s.m(i.y); }\n");
  EXPECT_TRUE(made) << made.diagnostic().text;
  FrontendOptions options;
  options.entryPoint = "other";
  EXPECT_TRUE(load("void f(uint3) { o[1] = 1; }\n"
                   "[numthreads(8, 1, 1)] void other(void) { f(1); o[0] = 1; }\n",
                   options));
}

} // namespace
