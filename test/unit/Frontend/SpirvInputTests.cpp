//===- test/unit/Frontend/SpirvInputTests.cpp --------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/Frontend.h"
#include "Support/Files.h"
#include "Support/SpirvTools.h"
#include "Support/UnknownSpirv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

using namespace tailor;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

namespace {

Result<FrontendResult> load(std::string_view bytes, const std::string &name,
                            const FrontendOptions &options = {}) {
  Diagnostics diagnostics;
  return loadShaderFromMemory(bytes, name, options, diagnostics);
}

const std::string kText = R"(; SPIR-V
; Version: 1.5
               OpCapability Shader
               OpMemoryModel Logical GLSL450 ; "quoted" in a comment
               OpEntryPoint GLCompute %main "ma in;"
               OpExecutionMode %main LocalSize
                               8 1 1
               OpName %main "OpName = \" text"

       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %main =
               OpFunction %void None %fn
          %1 = OpLabel OpReturn
               OpFunctionEnd
)";

std::string asBytes(const std::vector<uint32_t> &words, bool swapped) {
  std::string bytes = bytesOfWords(words);
  if (swapped)
    for (size_t i = 0; i + 3 < bytes.size(); i += 4) {
      std::swap(bytes[i], bytes[i + 3]);
      std::swap(bytes[i + 1], bytes[i + 2]);
    }
  return bytes;
}

std::vector<uint32_t> assembled() {
  Result<FrontendResult> result = load(kText, "a.spvasm");
  return result ? result->words : std::vector<uint32_t>{};
}

TEST(SpirvText, EveryInstructionHasItsLine) {
  Result<FrontendResult> result = load(kText, "a.spvasm");
  ASSERT_TRUE(result) << result.diagnostic().text;
  EXPECT_EQ(result->kind, InputKind::SpirvText);
  std::vector<uint32_t> lines;
  size_t at = kSpirvHeaderWords;
  for (const auto &[word, line] : result->textLines) {
    EXPECT_EQ(word, at);
    at += result->words[at] >> 16;
    lines.push_back(line);
  }
  EXPECT_EQ(at, result->words.size());
  EXPECT_THAT(lines, ElementsAre(3, 4, 5, 6, 8, 10, 11, 12, 14, 14, 15));
}

TEST(SpirvText, TheVersionCommentPicksTheVersionElseTheTarget) {
  Result<FrontendResult> commented = load(kText, "a.spvasm");
  ASSERT_TRUE(commented);
  EXPECT_EQ(commented->words[1], 0x00010500u);

  FrontendOptions options;
  options.targetEnv = "vulkan1.2";
  std::string bare = kText.substr(kText.find("OpCapability"));
  Result<FrontendResult> byTarget = load(bare, "a.spvasm", options);
  ASSERT_TRUE(byTarget);
  EXPECT_EQ(byTarget->words[1], 0x00010500u);
  Result<FrontendResult> byDefault = load(bare, "a.spvasm");
  ASSERT_TRUE(byDefault);
  EXPECT_EQ(byDefault->words[1], 0x00010300u);
}

TEST(SpirvText, NumbersOfIdsAreKept) {
  Result<FrontendResult> result =
      load("OpCapability Shader\nOpMemoryModel Logical GLSL450\n%7 = OpTypeVoid\n", "a.spvasm");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->words.back(), 7u);
}

TEST(SpirvText, ErrorsHaveLineAndColumn) {
  Result<FrontendResult> result = load("OpCapability Shader\n  OpNonsense %1\n", "bad.spvasm");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.diagnostic().location.str(), "bad.spvasm:2:3");
  EXPECT_THAT(result.diagnostic().text, HasSubstr("OpNonsense"));
  EXPECT_EQ(result.diagnostic().kind, ErrorKind::Refused);
  EXPECT_NE(result.diagnostic().text.back(), '.');
}

TEST(SpirvText, AnUnknownNameMayBeNewerThanTheTools) {
  for (const char *text : {"OpCapability FromTomorrow\n", "OpFromTomorrow %1\n",
                           "%1 = OpExtInstImport \"TOMORROW.1\"\n"}) {
    Result<FrontendResult> result = load(text, "a.spvasm");
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.diagnostic().kind, ErrorKind::Refused);
    ASSERT_EQ(result.diagnostic().notes.size(), 1u) << text;
    EXPECT_EQ(result.diagnostic().notes[0].location.line, 1u);
    EXPECT_EQ(result.diagnostic().notes[0].text,
              "misspelt, or newer than this build's SPIR-V tools, " + spirvToolsVersion());
  }
  Result<FrontendResult> garbage = load("OpCapability\n", "a.spvasm");
  ASSERT_FALSE(garbage);
  EXPECT_THAT(garbage.diagnostic().notes, IsEmpty());
}

TEST(SpirvText, RawWordsLeaveTheLinesOut) {
  Result<FrontendResult> result = load("OpCapability !1\n", "a.spvasm");
  ASSERT_TRUE(result) << result.diagnostic().text;
  EXPECT_THAT(result->textLines, IsEmpty());
}

TEST(SpirvText, OnlyCommentsIsRefused) {
  Result<FrontendResult> result = load("; SPIR-V\n; nothing\n", "a.spvasm");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.diagnostic().text, "the SPIR-V text has no instruction");
}

TEST(SpirvBinary, BothByteOrdersKeepTheirWords) {
  const std::vector<uint32_t> words = assembled();
  ASSERT_FALSE(words.empty());
  Result<FrontendResult> native = load(asBytes(words, false), "a.spv");
  ASSERT_TRUE(native) << native.diagnostic().text;
  EXPECT_EQ(native->words, words);
  EXPECT_EQ(native->kind, InputKind::SpirvBinary);

  Result<FrontendResult> swapped = load(asBytes(words, true), "a.spv");
  ASSERT_TRUE(swapped) << swapped.diagnostic().text;
  EXPECT_EQ(swapped->words[0], kSpirvMagicSwapped);
  EXPECT_EQ(swapped->words.size(), words.size());
  EXPECT_TRUE(validateSpirv(swapped->words, "a.spv"));
  EXPECT_EQ(targetEnvOf(swapped->words), SPV_ENV_VULKAN_1_2);
}

TEST(SpirvBinary, EveryTruncationIsRefusedOrEndsAtAnInstruction) {
  const std::vector<uint32_t> words = assembled();
  const std::string bytes = asBytes(words, false);
  std::vector<size_t> boundaries;
  for (size_t at = kSpirvHeaderWords; at <= words.size(); at += words[at] >> 16) {
    boundaries.push_back(at * 4);
    if (at == words.size())
      break;
  }
  for (size_t size = 0; size < bytes.size(); ++size) {
    Result<FrontendResult> result = load(bytes.substr(0, size), "cut.spv");
    bool atBoundary = std::find(boundaries.begin(), boundaries.end(), size) != boundaries.end();
    EXPECT_EQ(static_cast<bool>(result), atBoundary) << size;
    if (!result) {
      EXPECT_EQ(result.diagnostic().kind, ErrorKind::Refused);
      EXPECT_EQ(result.diagnostic().location.file, "cut.spv");
    }
  }
}

TEST(SpirvBinary, MessagesOfDamagedFiles) {
  const std::vector<uint32_t> words = assembled();
  const std::string bytes = asBytes(words, false);

  Result<FrontendResult> half = load(bytes.substr(0, bytes.size() - 2), "a.spv");
  ASSERT_FALSE(half);
  EXPECT_EQ(half.diagnostic().location.str(), "a.spv:word " + std::to_string(words.size() - 1));
  EXPECT_THAT(half.diagnostic().text, HasSubstr("are not whole words"));

  Result<FrontendResult> header = load(bytes.substr(0, 12), "a.spv");
  ASSERT_FALSE(header);
  EXPECT_EQ(header.diagnostic().text, "the file is truncated inside SPIR-V's header of 5 words");

  Result<FrontendResult> inside = load(bytes.substr(0, 24), "a.spv");
  ASSERT_FALSE(inside);
  EXPECT_EQ(inside.diagnostic().location.str(), "a.spv:word 5");
  EXPECT_EQ(inside.diagnostic().text,
            "the file is truncated inside an instruction of 2 words, of which it has 1");

  Result<FrontendResult> garbage = load("this is no module", "a.spv");
  ASSERT_FALSE(garbage);
  EXPECT_EQ(garbage.diagnostic().location.str(), "a.spv:word 0");
  EXPECT_THAT(garbage.diagnostic().text, HasSubstr("magic number"));

  std::vector<uint32_t> zero = words;
  zero[5] = 0;
  Result<FrontendResult> zeroLength = load(asBytes(zero, true), "a.spv");
  ASSERT_FALSE(zeroLength);
  EXPECT_EQ(zeroLength.diagnostic().text, "an instruction has a length of 0 words");
}

//===----------------------------------------------------------------------===//
// Support/SpirvTools.h
//===----------------------------------------------------------------------===//

TEST(Validate, PointsAtTheInstruction) {
  Result<FrontendResult> result = load("; SPIR-V\nOpCapability Shader\n"
                                       "OpMemoryModel Logical GLSL450\n"
                                       "%int = OpTypeInt 32 0\n%c = OpConstant %int 1\n"
                                       "%s = OpTypeStruct %c\n",
                                       "a.spvasm");
  ASSERT_TRUE(result) << result.diagnostic().text;
  Status valid = validateSpirv(result->words, "a.spv");
  ASSERT_FALSE(valid);
  EXPECT_EQ(valid.diagnostic().location.str(),
            "a.spv:word " + std::to_string(result->textLines.back().first));
  EXPECT_THAT(valid.diagnostic().text, HasSubstr("not valid SPIR-V: "));
  ASSERT_FALSE(valid.diagnostic().notes.empty());
  EXPECT_THAT(valid.diagnostic().notes[0].text, HasSubstr("OpTypeStruct"));
}

TEST(Validate, ParserErrorsPointAtTheWord) {
  std::vector<uint32_t> words = assembled();
  words[5] = (2u << 16) | 9999; // no such opcode
  Status valid = validateSpirv(words, "a.spv");
  ASSERT_FALSE(valid);
  EXPECT_EQ(valid.diagnostic().location.str(), "a.spv:word 5");
}

TEST(Validate, AnUnknownSourceLanguageIsNoFault) {
  std::string text = kText;
  text.insert(text.find("OpName"), "OpSource GLSL 450\nOpSource ESSL 310\n");
  Result<FrontendResult> result = load(text, "a.spvasm");
  ASSERT_TRUE(result);
  std::vector<uint32_t> words = result->words;
  EXPECT_EQ(unknownSourceLanguageWord(words), std::nullopt);
  for (size_t at = kSpirvHeaderWords; at < words.size(); at += words[at] >> 16)
    if ((words[at] & 0xffff) == 3)
      words[at + 1] = 11; // Slang
  EXPECT_NE(unknownSourceLanguageWord(words), std::nullopt);
  const std::vector<uint32_t> before = words;
  Status valid = validateSpirv(words, "a.spv");
  EXPECT_TRUE(valid) << valid.diagnostic().text;
  EXPECT_EQ(words, before);
}

TEST(Validate, EnvironmentFollowsTheVersion) {
  auto envOf = [](uint32_t version) {
    return targetEnvOf(std::vector<uint32_t>{kSpirvMagic, version, 0, 1, 0});
  };
  EXPECT_EQ(envOf(0x00010000), SPV_ENV_VULKAN_1_0);
  EXPECT_EQ(envOf(0x00010100), SPV_ENV_VULKAN_1_1);
  EXPECT_EQ(envOf(0x00010300), SPV_ENV_VULKAN_1_1);
  EXPECT_EQ(envOf(0x00010400), SPV_ENV_VULKAN_1_1_SPIRV_1_4);
  EXPECT_EQ(envOf(0x00010500), SPV_ENV_VULKAN_1_2);
  EXPECT_EQ(envOf(0x00010600), SPV_ENV_VULKAN_1_3);
  EXPECT_EQ(targetEnvOf({}), SPV_ENV_VULKAN_1_0);
}

TEST(Validate, EnvironmentNames) {
  EXPECT_EQ(parseTargetEnv("vulkan1.1spv1.4"), SPV_ENV_VULKAN_1_1_SPIRV_1_4);
  EXPECT_EQ(parseTargetEnv("vulkan1.3"), SPV_ENV_VULKAN_1_3);
  EXPECT_EQ(parseTargetEnv("vulkan1.1x"), std::nullopt);
  EXPECT_EQ(parseTargetEnv(""), std::nullopt);
  Status status = validateSpirv(assembled(), "a.spv", "metal");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.diagnostic().kind, ErrorKind::Usage);
  EXPECT_FALSE(validateSpirv(assembled(), "a.spv", "vulkan1.0")); // version 1.5
  EXPECT_FALSE(validateSpirv({}, "a.spv"));
}

} // namespace
