//===- languages/LanguageCaseTests.cpp - The cases themselves --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LanguageCases.h"

#include "gmock/gmock.h"

#include <cstring>
#include <set>

namespace tailor::languages {
namespace {

std::vector<std::vector<std::byte>> outputsOf(const LanguageCase &made) {
  std::vector<std::vector<std::byte>> outputs;
  for (const vulkan::OutputData &output : made.problem->expected.outputs)
    outputs.push_back(output.bytes);
  return outputs;
}

TEST(LanguageCases, HaveAVariantOfEachTechniqueAndItsText) {
  Result<std::vector<LanguageCase>> cases = casesOf("blur_buffer.comp", "hlsl");
  ASSERT_TRUE(cases) << cases.diagnostic().text;
  std::set<std::string> techniques;
  for (const LanguageCase &each : *cases) {
    EXPECT_TRUE(each.refusal.empty()) << each.name() << ": " << each.refusal;
    EXPECT_THAT(each.text, testing::HasSubstr("[numthreads(" +
                                              statementOf("hlsl", each.variant.localSize) + ")]"));
    techniques.insert(each.variant.technique);
  }
  EXPECT_THAT(techniques,
              testing::IsSupersetOf({"authored", "resize", "coarsen", "swizzle", "pack"}));
  EXPECT_EQ(cases->front().variant.id, "authored");
}

TEST(LanguageCases, TellAWrongOutputFromARightOne) {
  Result<std::vector<LanguageCase>> cases = casesOf("blur_buffer.comp", "hlsl");
  ASSERT_TRUE(cases) << cases.diagnostic().text;
  const LanguageCase &made = cases->front();
  std::vector<std::vector<std::byte>> outputs = outputsOf(made);
  EXPECT_EQ(check(made, outputs, "nobody"), "");
  EXPECT_THAT(check(made, {}, "nobody"), testing::HasSubstr("0 outputs of 1"));
  float value = 0;
  std::memcpy(&value, outputs[0].data() + 400, sizeof value);
  value += 0.001F;
  std::memcpy(outputs[0].data() + 400, &value, sizeof value);
  EXPECT_THAT(check(made, outputs, "nobody"), testing::HasSubstr("1 of "));
  outputs[0].pop_back();
  EXPECT_NE(check(made, outputs, "nobody"), "");
}

TEST(LanguageCases, IntegersAreComparedExactly) {
  Result<std::vector<LanguageCase>> cases = casesOf("histogram.comp", "hlsl");
  ASSERT_TRUE(cases) << cases.diagnostic().text;
  const LanguageCase &made = cases->front();
  std::vector<std::vector<std::byte>> outputs = outputsOf(made);
  EXPECT_EQ(check(made, outputs, "nobody"), "");
  outputs[0][0] ^= std::byte{1};
  EXPECT_THAT(check(made, outputs, "nobody"), testing::HasSubstr("1 of "));
}

TEST(LanguageCases, AGuardedVariantHasTheGridInItsPushConstants) {
  Result<std::vector<LanguageCase>> cases = casesOf("transpose_naive.comp", "hlsl");
  ASSERT_TRUE(cases) << cases.diagnostic().text;
  size_t guarded = 0;
  for (const LanguageCase &each : *cases) {
    if (!each.variant.guard)
      continue;
    ++guarded;
    EXPECT_EQ(each.pushConstants.size(), each.variant.guard->offset + each.variant.guard->bytes);
  }
  EXPECT_GT(guarded, 0u);
}

} // namespace
} // namespace tailor::languages
