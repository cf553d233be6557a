//===- test/unit/Backends/NameTests.cpp - Names in every language ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NamedKernel.h"
#include "Shaders.h"
#include "Support/SpirvTools.h"

#include <gmock/gmock.h>

#include <utility>

using namespace tailor;
using namespace tailor::test;
using testing::Contains;

namespace {

constexpr Dim3 kSize{8, 1, 1};

Emitted made(std::string_view target, const std::vector<uint32_t> &words,
             const EmitOptions &options = {}, Dim3 size = kSize) {
  Result<Emitted> each = emit(target, {words, "main", size, "k.comp", options});
  if (each)
    return std::move(*each);
  ADD_FAILURE() << target << ": " << each.diagnostic().text;
  return {};
}

/// What stands between identifiers, and identifiers.
std::vector<std::string> wordsOf(const std::string &text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_')
      word += c;
    else if (!word.empty())
      words.push_back(std::exchange(word, {}));
  }
  return words;
}

class Names : public testing::TestWithParam<std::vector<std::string>> {};

/// glslang takes each, and the validator what comes of it.
TEST_P(Names, MayBeAnythingsInGlsl) {
  const std::vector<uint32_t> words = compile(namedKernel(GetParam()), "names.spvasm");
  for (const char *target : {"glsl", "essl"})
    for (const bool isNewest : {false, true}) {
      EmitOptions options;
      options.glslVersion = isNewest ? 460 : 430;
      options.esslVersion = isNewest ? 320 : 310;
      const Emitted each = made(target, words, options);
      EXPECT_TRUE(validateSpirv(compile(each.code, "out.comp"), "out")) << each.code;
    }
  EmitOptions vulkan;
  vulkan.vulkanGlsl = true;
  const Emitted each = made("glsl", words, vulkan);
  EXPECT_TRUE(validateSpirv(compile(each.code, "out.comp"), "out")) << each.code;
}

TEST_P(Names, MayBeAnythingsInHlsl) {
  const Emitted each = made("hlsl", compile(namedKernel(GetParam()), "names.spvasm"));
  EXPECT_TRUE(validateSpirv(compile(each.code, "out.hlsl"), "out")) << each.code;
}

/// No text has a double underscore or one of the marks that stood for names.
TEST_P(Names, AreIdentifiersEverywhere) {
  const std::vector<uint32_t> words = compile(namedKernel(GetParam()), "names.spvasm");
  for (const char *target : {"glsl", "essl", "hlsl", "msl"}) {
    const Emitted each = made(target, words);
    for (const std::string &word : wordsOf(each.code))
      EXPECT_TRUE(word == "__attribute__" || word.find("__") == std::string::npos) << word;
    for (const PlacedResource &resource : each.interface.resources)
      EXPECT_THAT(wordsOf(each.code), Contains(resource.name)) << target << each.code;
    for (const PlacedValues &values : each.interface.values)
      EXPECT_THAT(wordsOf(each.code), Contains(values.name)) << target << each.code;
  }
}

/// Two sizes of one kernel are one text, but for the size.
TEST_P(Names, DoNotHangOnTheSize) {
  std::vector<uint32_t> words = compile(namedKernel(GetParam()), "names.spvasm");
  for (const char *target : {"glsl", "essl", "hlsl", "msl"}) {
    const Emitted small = made(target, words);
    std::vector<uint32_t> other = words;
    for (size_t at = 5; at < other.size(); at += other[at] >> 16)
      if ((other[at] & 0xffff) == 16) // OpExecutionMode
        other[at + 3] = 64;
    const Emitted large = made(target, other, {}, {64, 1, 1});
    EXPECT_TRUE(findSize(target, small.code, kSize, large.code, {64, 1, 1})) << target;
    EXPECT_EQ(small.interface, large.interface) << target;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Names, testing::ValuesIn(hardNameParts(12)));

} // namespace
