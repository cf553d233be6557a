//===- test/unit/Support/UnknownSpirvTests.cpp -----------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support/UnknownSpirv.h"

#include "Support/SpirvTools.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace tailor;

namespace {

using Words = std::vector<uint32_t>;

Words instruction(uint32_t opcode, Words operands, std::string_view text = {}) {
  if (!text.empty()) {
    std::string bytes(text);
    bytes.resize((text.size() / 4 + 1) * 4, '\0');
    const size_t at = operands.size();
    operands.resize(at + bytes.size() / 4);
    std::memcpy(&operands[at], bytes.data(), bytes.size());
  }
  operands.insert(operands.begin(), static_cast<uint32_t>(operands.size() + 1) << 16 | opcode);
  return operands;
}

/// OpCapability Shader, two extensions of which one is unknown (at word 7), OpMemoryModel, and
/// `last`.
Words moduleWith(const Words &last) {
  Words words{kSpirvMagic, 0x00010300, 0, 10, 0};
  for (const Words &inst :
       {instruction(17, {1}), instruction(10, {}, "SPV_TAILOR_of_tomorrow"),
        instruction(10, {}, "SPV_KHR_storage_buffer_storage_class"), instruction(14, {0, 1}), last})
    words.insert(words.end(), inst.begin(), inst.end());
  return words;
}

Words swapped(Words words) {
  for (uint32_t &word : words)
    word = __builtin_bswap32(word);
  return words;
}

TEST(UnknownSpirv, KindsAreToldFromWhatTheParserSays) {
  EXPECT_EQ(unknownToParser("Invalid capability operand: 4174"), "capability 4174");
  EXPECT_EQ(unknownToParser("Invalid function control operand: 9 has invalid mask component 8."),
            "function control 8");
  EXPECT_EQ(unknownToParser("Invalid opcode: 9999\n"), "opcode 9999");
  EXPECT_EQ(unknownToParser("Invalid OpSpecConstantOp opcode: 9"), "OpSpecConstantOp opcode 9");
  EXPECT_EQ(unknownToParser("Invalid extended instruction import 'X.1'"),
            "the extended instruction set 'X.1'");
  for (const char *other : {"", "Invalid", "Invalid ", "Invalid SPIR-V header.",
                            "Invalid instruction word count: 0", "Id 25 is defined more than once"})
    EXPECT_EQ(unknownToParser(other), std::nullopt) << other;
}

TEST(UnknownSpirv, ExtensionsOfBothByteOrders) {
  const Words words = moduleWith({});
  for (const Words &each : {words, swapped(words)}) {
    std::vector<DeclaredExtension> unknown = unknownExtensions(each);
    ASSERT_EQ(unknown.size(), 1u);
    EXPECT_EQ(unknown[0].name, "SPV_TAILOR_of_tomorrow");
    EXPECT_EQ(unknown[0].word, 7u);
  }
}

TEST(UnknownSpirv, DamagedWordsAreNotReadPastTheirEnd) {
  const Words words = moduleWith({});
  for (size_t count = 0; count < words.size(); ++count)
    EXPECT_LE(unknownExtensions(std::span(words).first(count)).size(), 1u) << count;
  Words endless = words;
  endless[7] = 10; // a length of 0
  EXPECT_TRUE(unknownExtensions(endless).empty());
  EXPECT_TRUE(unknownExtensions({}).empty());
}

TEST(UnknownSpirv, TheValidatorRefusesByNumberWithTheExtension) {
  // The real tools, so that a change of their words shows.
  const std::pair<Words, const char *> cases[] = {
      {instruction(4163, {1, 2}), "opcode 4163"},
      {instruction(71, {1, 9999}), "decoration 9999"},
      {instruction(16, {1, 9999}), "execution mode 9999"},
      {instruction(17, {4174}), "capability 4174"},
      {instruction(11, {1}, "TOSA.9"), "the extended instruction set 'TOSA.9'"},
  };
  for (const auto &[last, name] : cases) {
    const Words words = moduleWith(last);
    Status valid = validateSpirv(words, "a.spv");
    ASSERT_FALSE(valid) << name;
    const Diagnostic &refusal = valid.diagnostic();
    EXPECT_EQ(refusal.kind, ErrorKind::Refused);
    EXPECT_EQ(refusal.text, "this build's SPIR-V tools do not know " + std::string(name));
    EXPECT_EQ(refusal.location.str(), "a.spv:word " + std::to_string(words.size() - last.size()));
    ASSERT_EQ(refusal.notes.size(), 2u) << name;
    EXPECT_EQ(refusal.notes[0].text, "they are " + spirvToolsVersion() +
                                         ", and the module is newer than they are, or damaged");
    EXPECT_EQ(refusal.notes[1].location.str(), "a.spv:word 7");
    EXPECT_EQ(refusal.notes[1].text,
              "the module declares the extension 'SPV_TAILOR_of_tomorrow', which this build's "
              "SPIR-V tools (" +
                  spirvToolsVersion() + ") do not know");
  }
}

TEST(UnknownSpirv, OtherFaultsNameTheUnknownExtensionToo) {
  Status valid = validateSpirv(moduleWith(instruction(17, {5288})), "a.spv");
  ASSERT_FALSE(valid);
  EXPECT_EQ(valid.diagnostic().text.substr(0, 18), "not valid SPIR-V: ");
  ASSERT_FALSE(valid.diagnostic().notes.empty());
  EXPECT_NE(valid.diagnostic().notes.back().text.find("SPV_TAILOR_of_tomorrow"), std::string::npos);
}

TEST(UnknownSpirv, AnUnknownExtensionAloneIsNoFault) {
  Words words{kSpirvMagic, 0x00010000, 0, 10, 0};
  for (const Words &inst : {instruction(17, {1}), instruction(17, {5}), // Linkage: no entry point
                            instruction(10, {}, "SPV_TAILOR_of_tomorrow"), instruction(14, {0, 1})})
    words.insert(words.end(), inst.begin(), inst.end());
  Status valid = validateSpirv(words, "a.spv", "spv1.0");
  EXPECT_TRUE(valid) << valid.diagnostic().text;
}

} // namespace
