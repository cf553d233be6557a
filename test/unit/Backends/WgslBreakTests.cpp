//===- test/unit/Backends/WgslBreakTests.cpp -------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AssemblyKernel.h"
#include "Shaders.h"

#include "Naga/Naga.h"

#include <gmock/gmock.h>

using namespace tailor;
using namespace tailor::test;
using testing::HasSubstr;

namespace {

class WgslBreaks : public testing::Test {
protected:
  void SetUp() override {
    if (!naga::isAvailable())
      GTEST_SKIP() << naga::whyUnavailable();
  }
};

/// A loop with a switch in it, of which one case goes to CASE.
std::vector<uint32_t> switchInLoop(const std::string &toward) {
  return compile(assemblyKernel(R"(OpBranch %head
%head = OpLabel
%i = OpPhi %uint %u0 %entry %in %cont
%c = OpULessThan %bool %i %u7
OpLoopMerge %merge %cont None
OpBranchConditional %c %body %merge
%body = OpLabel
OpSelectionMerge %join None
OpSwitch %i %other 3 %three
%three = OpLabel
%q = OpAccessChain %pe %b %u0 %u1
OpStore %q %i
OpBranch )" + toward + R"(
%other = OpLabel
OpBranch %join
%join = OpLabel
OpStore %p %i
OpBranch %cont
%cont = OpLabel
%in = OpIAdd %uint %i %u1
OpBranch %head
%merge = OpLabel
OpReturn)"),
                 "k.spvasm");
}

TEST_F(WgslBreaks, ALoopLeftFromInsideASwitchIsRefused) {
  const Diagnostic refused = refusal("wgsl", switchInLoop("%merge"), {8, 1, 1});
  EXPECT_THAT(refused.text, HasSubstr("a loop is left from inside a switch"));
  // The other languages have it.
  for (std::string_view target : {"glsl", "essl", "hlsl", "msl"})
    EXPECT_NE(text(target, switchInLoop("%merge"), {8, 1, 1}), "");
}

TEST_F(WgslBreaks, TheNextRoundAndTheEndOfTheSwitchAreNot) {
  EXPECT_THAT(text("wgsl", switchInLoop("%cont"), {8, 1, 1}), HasSubstr("continue;"));
  EXPECT_THAT(text("wgsl", switchInLoop("%join"), {8, 1, 1}), HasSubstr("switch"));
}

TEST_F(WgslBreaks, ALoopInsideOfASwitchMayBeLeft) {
  const std::vector<uint32_t> words =
      module("#version 450\nlayout(local_size_x = 8) in;\n"
             "layout(binding = 0) buffer B { uint o[]; };\n"
             "void main() { uint i = gl_GlobalInvocationID.x;\n"
             "  switch (i & 3u) { case 1u: for (uint k = 0u; k < i; ++k) if (o[k] == 7u) break;\n"
             "    o[i] = 1u; break; default: o[i] = 2u; } }\n");
  EXPECT_THAT(text("wgsl", words, {8, 1, 1}), HasSubstr("switch"));
}

} // namespace
