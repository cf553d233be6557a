//===- unit/Naga/TranslationTests.cpp - WGSL to SPIR-V and back ------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Naga/Naga.h"

#include "Support/SpirvTools.h"

#include <gtest/gtest.h>

#include <thread>

namespace tailor::naga {
namespace {

constexpr std::string_view kDouble = R"(
@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@compute @workgroup_size(8, 4, 2)
fn twice(@builtin(global_invocation_id) id: vec3<u32>) {
  data[id.x] = data[id.x] * 2u;
}
)";

class NagaTranslation : public testing::Test {
protected:
  void SetUp() override {
    if (!isAvailable())
      GTEST_SKIP() << whyUnavailable();
  }
};

TEST_F(NagaTranslation, WgslBecomesValidSpirv) {
  Result<std::vector<uint32_t>> words = spirvFromWgsl(kDouble, "d.wgsl");
  ASSERT_TRUE(words) << words.diagnostic().text;
  Status valid = validateSpirv(*words, "d.wgsl");
  EXPECT_TRUE(valid) << valid.diagnostic().text;
}

bool hasName(const std::vector<uint32_t> &words, const std::string &name) {
  const std::string bytes(reinterpret_cast<const char *>(words.data()), words.size() * 4);
  return bytes.find(name + '\0') != std::string::npos;
}

TEST_F(NagaTranslation, NamesStayEachTime) {
  std::string text(kDouble);
  text.insert(0, "var<private> counterOfMine: u32;\n");
  for (int i = 0; i < 5; ++i) {
    Result<std::vector<uint32_t>> words = spirvFromWgsl(text, "d.wgsl");
    ASSERT_TRUE(words) << words.diagnostic().text;
    EXPECT_TRUE(hasName(*words, "counterOfMine")) << i;
    EXPECT_FALSE(spirvFromWgsl("fn f() { let x = y; }", "e.wgsl"));
  }
}

TEST_F(NagaTranslation, GoesThereAndBack) {
  Result<std::vector<uint32_t>> words = spirvFromWgsl(kDouble, "d.wgsl");
  ASSERT_TRUE(words) << words.diagnostic().text;
  Result<std::string> text = wgslFromSpirv(*words, "d.spv");
  ASSERT_TRUE(text) << text.diagnostic().text;
  EXPECT_NE(text->find("@compute @workgroup_size(8, 4, 2)"), std::string::npos) << *text;
  EXPECT_NE(text->find("fn twice("), std::string::npos) << *text;
  Result<std::vector<uint32_t>> again = spirvFromWgsl(*text, "d2.wgsl");
  EXPECT_TRUE(again) << again.diagnostic().text;
}

TEST_F(NagaTranslation, IsTheSameEachTime) {
  Result<std::vector<uint32_t>> first = spirvFromWgsl(kDouble, "d.wgsl");
  ASSERT_TRUE(first);
  for (int i = 0; i < 20; ++i) {
    Result<std::vector<uint32_t>> next = spirvFromWgsl(kDouble, "d.wgsl");
    ASSERT_TRUE(next);
    ASSERT_EQ(*next, *first);
  }
}

TEST_F(NagaTranslation, SaysWhereTheTextIsWrong) {
  Result<std::vector<uint32_t>> words =
      spirvFromWgsl("@compute @workgroup_size(1)\nfn main() {\n  let x = y + 1;\n}\n", "e.wgsl");
  ASSERT_FALSE(words);
  EXPECT_EQ(words.diagnostic().kind, ErrorKind::Refused);
  EXPECT_EQ(words.diagnostic().location.str(), "e.wgsl:3:11");
  EXPECT_EQ(words.diagnostic().text, "no definition in scope for identifier: `y`");
}

TEST_F(NagaTranslation, SaysWhereTheTextIsInvalid) {
  // Parses, and does not validate.
  Result<std::vector<uint32_t>> words =
      spirvFromWgsl("@group(0) @binding(0) var<uniform> a: array<u32>;\n"
                    "@compute @workgroup_size(1)\nfn main() { let x = a[0]; }\n",
                    "e.wgsl");
  ASSERT_FALSE(words);
  EXPECT_EQ(words.diagnostic().kind, ErrorKind::Refused);
  EXPECT_NE(words.diagnostic().location.line, 0u) << words.diagnostic().text;
}

TEST_F(NagaTranslation, AnErrorLeavesTheNextTextAlone) {
  Result<std::vector<uint32_t>> first = spirvFromWgsl(kDouble, "d.wgsl");
  ASSERT_TRUE(first);
  for (int i = 0; i < 50; ++i) {
    EXPECT_FALSE(spirvFromWgsl("fn f() { let x = y; }", "e.wgsl"));
    EXPECT_FALSE(wgslFromSpirv(std::vector<uint32_t>{kSpirvMagic, 0, 0, 0, 0, 7}, "e.spv"));
  }
  Result<std::vector<uint32_t>> next = spirvFromWgsl(kDouble, "d.wgsl");
  ASSERT_TRUE(next);
  EXPECT_EQ(*next, *first);
}

TEST_F(NagaTranslation, DeepNestingIsAMessage) {
  for (size_t depth : {size_t{100}, size_t{1000}, size_t{100000}}) {
    std::string text =
        "@compute @workgroup_size(1)\nfn main() {\n  let x = " + std::string(depth, '(') + "1" +
        std::string(depth, ')') + ";\n}\n";
    Result<std::vector<uint32_t>> words = spirvFromWgsl(text, "deep.wgsl");
    if (!words) {
      EXPECT_EQ(words.diagnostic().kind, ErrorKind::Refused) << words.diagnostic().text;
    }
    text = "@compute @workgroup_size(1)\nfn main() {\n";
    for (size_t i = 0; i < depth; ++i)
      text += "if true {\n";
    text += std::string(depth, '}') + "\n}\n";
    words = spirvFromWgsl(text, "deep.wgsl");
    if (!words) {
      EXPECT_EQ(words.diagnostic().kind, ErrorKind::Refused) << words.diagnostic().text;
    }
  }
  EXPECT_TRUE(spirvFromWgsl(kDouble, "d.wgsl"));
}

TEST_F(NagaTranslation, WorksInSmallThreads) {
  std::string text =
      "@compute @workgroup_size(1)\nfn main() {\n  let x = " + std::string(120, '-') + "1;\n}\n";
  std::vector<std::thread> threads;
  std::vector<std::vector<uint32_t>> made(4);
  for (size_t i = 0; i < made.size(); ++i)
    threads.emplace_back([&, i] {
      for (int n = 0; n < 5; ++n) {
        static_cast<void>(spirvFromWgsl(text, "t.wgsl"));
        Result<std::vector<uint32_t>> words = spirvFromWgsl(kDouble, "d.wgsl");
        if (words)
          made[i] = *words;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::vector<uint32_t> &words : made)
    EXPECT_EQ(words, made[0]);
  EXPECT_FALSE(made[0].empty());
}

TEST_F(NagaTranslation, DamagedModulesAreMessages) {
  Result<std::vector<uint32_t>> words = spirvFromWgsl(kDouble, "d.wgsl");
  ASSERT_TRUE(words);
  for (size_t at = 0; at < words->size(); ++at)
    for (uint32_t value : {0u, 1u, 0xffffffffu, (*words)[at] ^ 0x10000u}) {
      std::vector<uint32_t> damaged = *words;
      damaged[at] = value;
      Result<std::string> text = wgslFromSpirv(damaged, "x.spv");
      if (!text) {
        EXPECT_FALSE(text.diagnostic().text.empty());
      }
    }
  EXPECT_TRUE(wgslFromSpirv(*words, "d.spv"));
}

TEST(NagaAvailability, IsSaid) {
  EXPECT_EQ(isAvailable(), whyUnavailable().empty());
  EXPECT_EQ(isAvailable(), !version().empty());
  if (!isAvailable()) {
    Result<std::string> text = wgslFromSpirv({}, "x.spv");
    ASSERT_FALSE(text);
    EXPECT_EQ(text.diagnostic().kind, ErrorKind::Environment);
  }
}

} // namespace
} // namespace tailor::naga
