//===- test/unit/Backends/RefusalTests.cpp -----------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Shaders.h"
#include "Support/SpirvTools.h"

#include <gmock/gmock.h>

using namespace tailor;
using namespace tailor::test;
using testing::ContainsRegex;
using testing::HasSubstr;

namespace {

/// A kernel with `declarations` ahead of main and `body` in it, of 8 invocations.
std::vector<uint32_t> kernel(const std::string &declarations, const std::string &body,
                             const std::string &size = "local_size_x = 8") {
  return module("#version 450\n"
                "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
                "#extension GL_EXT_shader_16bit_storage : require\n"
                "#extension GL_EXT_shader_8bit_storage : require\n"
                "layout(" +
                size +
                ") in;\n"
                "layout(binding = 0) buffer A { uint n; uint m; uint a[]; };\n" +
                declarations + "\nvoid main() {\n  uint i = gl_GlobalInvocationID.x;\n" + body +
                "\n}\n");
}

TEST(Refusals, OverTheInvocationLimit) {
  const std::vector<uint32_t> words =
      kernel("", "a[i] = 1;", "local_size_x = 64, local_size_y = 32");
  Diagnostic hlsl = refusal("hlsl", words, {64, 32, 1});
  EXPECT_EQ(hlsl.kind, ErrorKind::Refused);
  EXPECT_EQ(hlsl.text, "workgroup has 2048 invocations, hlsl allows 1024");
  EXPECT_EQ(hlsl.location.str(), "k.comp");
  EXPECT_EQ(refusal("msl", words, {64, 32, 1}).text,
            "workgroup has 2048 invocations, msl allows 1024");
  EXPECT_EQ(refusal("glsl", words, {64, 32, 1}).text,
            "workgroup has 2048 invocations, glsl guarantees 1024");
  EXPECT_TRUE(emitAs("spirv", words, {64, 32, 1}));
}

TEST(Refusals, OverTheMemoryLimit) {
  const std::vector<uint32_t> words =
      kernel("shared float t[20480];", "t[i] = 1; barrier(); a[i] = uint(t[n]);");
  for (std::string_view target : {"hlsl", "msl", "glsl"})
    EXPECT_THAT(refusal(target, words, {8, 1, 1}).text,
                HasSubstr("workgroup memory has 81920 bytes"))
        << target;
  EXPECT_TRUE(emitAs("spirv", words, {8, 1, 1}));
}

TEST(Refusals, MetalCountsAVectorOfThreeAsFour) {
  // 2048 * 12 = 24,576 bytes; Metal takes 2048 * 16 = 32,768, and 2049 * 16.
  auto words = [](const char *count) {
    return kernel("shared vec3 t[" + std::string(count) + "];",
                  "t[i] = vec3(1); barrier(); a[i] = uint(t[n].x);");
  };
  EXPECT_TRUE(emitAs("msl", words("2048"), {8, 1, 1}));
  EXPECT_TRUE(emitAs("hlsl", words("2049"), {8, 1, 1}));
  EXPECT_EQ(refusal("msl", words("2049"), {8, 1, 1}).text,
            "workgroup memory has 32784 bytes, msl allows 32768");
}

TEST(Refusals, MemoryOfStructuresAndMatrices) {
  const std::vector<uint32_t> words =
      kernel("struct S { vec3 p; float w; double d; mat2x3 m; bool b; };\nshared S t[700];",
             "t[i].w = 1; barrier(); a[i] = uint(t[n].w);");
  // 12 + 4 + 8 + 24 + 4, rounded up to the double: 56 a structure.
  EXPECT_EQ(refusal("hlsl", words, {8, 1, 1}).text,
            "workgroup memory has 39200 bytes, hlsl allows 32768");
}

TEST(Refusals, MemoryOfASpecializedLength) {
  const std::vector<uint32_t> words =
      kernel("layout(constant_id = 0) const uint kLength = 8;\nshared float t[kLength];",
             "t[i] = 1; barrier(); a[i] = uint(t[n]);");
  for (std::string_view target : {"glsl", "hlsl", "msl"})
    EXPECT_THAT(refusal(target, words, {8, 1, 1}).text,
                HasSubstr("an array here has a specialization constant as length"))
        << target;
  EXPECT_TRUE(emitAs("spirv", words, {8, 1, 1}));
}

TEST(Refusals, MetalHasNoDoubles) {
  EXPECT_THAT(refusal("msl",
                      kernel("layout(binding = 1) buffer B { double b[]; };", "b[i] += 1.0LF;"),
                      {8, 1, 1})
                  .text,
              HasSubstr("msl cannot express this kernel: double"));
}

TEST(Refusals, SetsThatShareABindingInALanguageWithoutSets) {
  const std::vector<uint32_t> words =
      kernel("layout(set = 1, binding = 0) buffer B { uint b[]; };", "b[i] = a[i];");
  EmitOptions options;
  options.hlslShaderModel = 50;
  EXPECT_EQ(refusal("hlsl", words, {8, 1, 1}, options).text,
            "hlsl cannot express that 'A' (set 0, binding 0) and 'B' (set 1, binding 0) have one "
            "register, u0, below shader model 5.1");
  EXPECT_TRUE(emitAs("hlsl", words, {8, 1, 1}));
  // Metal numbers them one after the other.
  const std::string msl = text("msl", words, {8, 1, 1});
  EXPECT_THAT(msl, ContainsRegex("A& [A-Za-z0-9_]+ \\[\\[buffer\\(0\\)\\]\\]"));
  EXPECT_THAT(msl, ContainsRegex("B& [A-Za-z0-9_]+ \\[\\[buffer\\(1\\)\\]\\]"));
}

TEST(Refusals, MoreBuffersThanMetalHas) {
  std::string declarations, body = "uint s = 0;";
  for (int binding = 1; binding < 32; ++binding) {
    const std::string n = std::to_string(binding);
    declarations += "layout(binding = " + n + ") buffer B" + n + " { uint b" + n + "[]; };\n";
    body += "s += b" + n + "[i];";
  }
  EXPECT_THAT(refusal("msl", kernel(declarations, body + "a[i] = s;"), {8, 1, 1}).text,
              HasSubstr("the kernel has 32 buffers"));
}

} // namespace
