//===- test/unit/Backends/BackendTableTests.cpp ----------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/Backend.h"
#include "Support/Files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

using namespace tailor;
using testing::HasSubstr;

namespace {

TEST(BackendTable, NamesAndSuffixesAreUnique) {
  std::set<std::string_view> names, suffixes;
  for (const Backend &backend : backends()) {
    EXPECT_TRUE(names.insert(backend.name).second) << backend.name;
    EXPECT_TRUE(suffixes.insert(backend.suffix).second) << backend.suffix;
    EXPECT_EQ(findBackend(backend.name), &backend);
    EXPECT_FALSE(backend.limits.source.empty()) << backend.name;
  }
  EXPECT_EQ(names, (std::set<std::string_view>{"spirv", "glsl", "essl", "hlsl", "msl", "wgsl"}));
  EXPECT_EQ(findBackend("metal"), nullptr);
  EXPECT_EQ(findBackend(""), nullptr);
}

struct LimitCase {
  std::string_view language;
  Dim3 largest; ///< product is the most invocations
  Dim3 maxSize;
  uint64_t sharedBytes;
};

class BackendLimits : public testing::TestWithParam<LimitCase> {};

TEST_P(BackendLimits, TheFigureItselfFitsAndOneMoreDoesNot) {
  const LimitCase &limit = GetParam();
  const Backend *backend = findBackend(limit.language);
  ASSERT_NE(backend, nullptr);
  EXPECT_TRUE(checkLimits(*backend, limit.largest, limit.sharedBytes));
  EXPECT_FALSE(checkLimits(*backend, limit.largest, limit.sharedBytes + 1));
  for (unsigned axis = 0; axis < 3; ++axis) {
    Dim3 size;
    size[axis] = limit.maxSize[axis];
    EXPECT_TRUE(checkLimits(*backend, size, 0)) << size.str();
    ++size[axis];
    Status tooLong = checkLimits(*backend, size, 0);
    ASSERT_FALSE(tooLong) << size.str();
    EXPECT_EQ(tooLong.diagnostic().kind, ErrorKind::Refused);
    EXPECT_THAT(tooLong.diagnostic().text,
                HasSubstr(std::to_string(size[axis]) + " invocations along " + kAxisName[axis]));
  }
  Dim3 twice = limit.largest;
  twice.y *= 2;
  EXPECT_FALSE(checkLimits(*backend, twice, 0));
}

INSTANTIATE_TEST_SUITE_P(Languages, BackendLimits,
                         testing::Values(LimitCase{"glsl", {32, 32, 1}, {1024, 1024, 64}, 32768},
                                         LimitCase{"essl", {16, 8, 1}, {128, 128, 64}, 16384},
                                         LimitCase{"hlsl", {32, 32, 1}, {1024, 1024, 64}, 32768},
                                         LimitCase{"msl", {32, 32, 1}, {1024, 1024, 1024}, 32768}),
                         [](const auto &each) { return std::string(each.param.language); });

TEST(BackendTable, MessagesHoldBothFiguresAndTheSource) {
  Status status = checkLimits(*findBackend("hlsl"), {64, 32, 1}, 0, Location::inFile("a.comp"));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.diagnostic().text, "workgroup has 2048 invocations, hlsl allows 1024");
  EXPECT_EQ(status.diagnostic().location.str(), "a.comp");
  ASSERT_EQ(status.diagnostic().notes.size(), 1u);
  EXPECT_THAT(status.diagnostic().notes[0].text, HasSubstr("Direct3D 11.3"));

  Status memory = checkLimits(*findBackend("glsl"), {64, 1, 1}, 80 * 1024);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.diagnostic().text, "workgroup memory has 81920 bytes, glsl guarantees 32768");
}

TEST(BackendTable, SpirvHasNoLimitsOfItsOwn) {
  EXPECT_TRUE(checkLimits(*findBackend("spirv"), {65536, 65536, 65536}, uint64_t{1} << 40));
}

/// What docs/languages.md says of the limits.
std::string limitsTable() {
  std::string table = "| | strength | invocations | size | workgroup memory, bytes | source |\n"
                      "|---|---|---|---|---|---|\n";
  for (const Backend &backend : backends()) {
    const LanguageLimits &limits = backend.limits;
    table += "| `" + std::string(backend.name) + "` | ";
    if (limits.strength == LimitStrength::None)
      table += "none | | | | ";
    else
      table += std::string(limits.strength == LimitStrength::Hard ? "hard" : "guaranteed") + " | " +
               std::to_string(limits.maxInvocations) + " | " + std::to_string(limits.maxSize.x) +
               ", " + std::to_string(limits.maxSize.y) + ", " + std::to_string(limits.maxSize.z) +
               " | " + std::to_string(limits.maxSharedBytes) + " | ";
    table += std::string(limits.source) + " |\n";
  }
  return table;
}

TEST(BackendTable, DocumentationHasTheLimits) {
  Result<std::string> docs = readFile(TAILOR_SOURCE_DIR "/docs/languages.md");
  ASSERT_TRUE(docs) << docs.diagnostic().text;
  EXPECT_NE(docs->find(limitsTable()), std::string::npos)
      << "docs/languages.md lacks this table, made of lib/Backends/Backends.def:\n"
      << limitsTable();
}

} // namespace
