//===- test/unit/Backends/ReasonTests.cpp - Reasons say names --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AssemblyKernel.h"
#include "Shaders.h"

#include "spirv/unified1/spirv.h"

#include <gmock/gmock.h>

using namespace tailor;
using namespace tailor::test;
using testing::HasSubstr;

namespace {

/// A text says the block and the member by their names, not by numbers of SPIR-V.
TEST(Reasons, NameTheBlockAndTheMember) {
  const std::vector<uint32_t> words =
      module("#version 450\nlayout(local_size_x = 8) in;\n"
             "layout(binding = 0) buffer A { uint a[]; };\n"
             "layout(push_constant) uniform Settings { float rsqrt; float weights[4]; } pc;\n"
             "void main() { a[gl_GlobalInvocationID.x] = uint(pc.weights[2] + pc.rsqrt); }\n");
  EXPECT_EQ(refusal("hlsl", words, {8, 1, 1}).text,
            "hlsl cannot express this kernel: the constant buffer 'Settings', member 'weights' "
            "cannot be expressed with either HLSL packing layout or packoffset");
}

/// At its place.
TEST(Reasons, NameTheInstruction) {
  std::string source =
      assemblyKernel("%yes = OpULessThan %bool %g %u7\nOpAssumeTrueKHR %yes\nOpReturn");
  source.insert(source.find("%std"), "OpCapability ExpectAssumeKHR\n"
                                     "OpExtension \"SPV_KHR_expect_assume\"\n");
  const std::vector<uint32_t> words = compile(source, "k.spvasm");
  size_t place = 5;
  while (place < words.size() && (words[place] & 0xffff) != SpvOpAssumeTrueKHR)
    place += words[place] >> 16;
  for (const char *target : {"glsl", "essl", "hlsl", "msl"}) {
    const Diagnostic refused = refusal(target, words, {8, 1, 1});
    EXPECT_THAT(refused.text, HasSubstr("cannot express OpAssumeTrueKHR")) << target;
    EXPECT_EQ(refused.location.str(), "k.comp:word " + std::to_string(place)) << target;
  }
}

} // namespace
