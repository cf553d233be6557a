//===- test/unit/Frontend/GlslTests.cpp --------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/Frontend.h"
#include "Support/SpirvTools.h"
#include "TemporaryFolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

using namespace tailor;
using namespace tailor::test;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

namespace {

constexpr uint32_t kOpSourceExtension = 4, kOpString = 7, kOpLine = 8;

Result<FrontendResult> load(const std::string &source, const FrontendOptions &options = {},
                            const std::string &name = "dir/a.comp") {
  Diagnostics diagnostics;
  return loadShaderFromMemory(source, name, options, diagnostics);
}

/// The names in OpString, by id, and the (name, line) of every OpLine.
std::vector<std::pair<std::string, uint32_t>> debugLines(const std::vector<uint32_t> &words) {
  std::map<uint32_t, std::string> names;
  std::vector<std::pair<std::string, uint32_t>> lines;
  for (size_t at = kSpirvHeaderWords; at < words.size(); at += words[at] >> 16) {
    uint32_t op = words[at] & 0xffff;
    if (op == kOpString)
      names[words[at + 1]] = reinterpret_cast<const char *>(&words[at + 2]);
    else if (op == kOpLine)
      lines.emplace_back(names[words[at + 1]], words[at + 2]);
  }
  return lines;
}

const std::string kGood = R"(#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer A { float a[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  {
    float x = a[i];
    a[i] = x * 2.0;
  }
}
)";

TEST(Glsl, CompilesToAValidModule) {
  Result<FrontendResult> result = load(kGood);
  ASSERT_TRUE(result) << result.diagnostic().text;
  EXPECT_EQ(result->kind, InputKind::Glsl);
  EXPECT_EQ(result->fileName, "dir/a.comp");
  EXPECT_EQ(result->words[1], 0x00010300u);
  EXPECT_THAT(result->dependencies, IsEmpty());
  EXPECT_THAT(result->textLines, IsEmpty());
  Status valid = validateSpirv(result->words, "a");
  EXPECT_TRUE(valid) << valid.diagnostic().text;
}

TEST(Glsl, LinesPointIntoTheFileAsGiven) {
  Result<FrontendResult> result = load(kGood);
  ASSERT_TRUE(result);
  EXPECT_THAT(debugLines(result->words), Contains(Pair("dir/a.comp", 8u)));
  for (const auto &[name, line] : debugLines(result->words)) {
    EXPECT_EQ(name, "dir/a.comp");
    EXPECT_TRUE(line >= 4 && line <= 10) << line;
  }
}

TEST(Glsl, WithoutDebugInfoThereAreNoLines) {
  FrontendOptions options;
  options.debugInfo = false;
  Result<FrontendResult> result = load(kGood, options);
  ASSERT_TRUE(result);
  EXPECT_THAT(debugLines(result->words), IsEmpty());
}

TEST(Glsl, TheModuleDoesNotCarryTheSourceText) {
  Result<FrontendResult> result = load(kGood + "// a comment that nobody ships\n");
  ASSERT_TRUE(result);
  std::string bytes(reinterpret_cast<const char *>(result->words.data()), result->words.size() * 4);
  EXPECT_EQ(bytes.find("nobody ships"), std::string::npos);
}

TEST(Glsl, TargetEnvironmentPicksTheVersion) {
  const std::pair<const char *, uint32_t> versions[] = {{"vulkan1.0", 0x00010000},
                                                        {"vulkan1.1", 0x00010300},
                                                        {"vulkan1.2", 0x00010500},
                                                        {"vulkan1.3", 0x00010600}};
  for (const auto &[env, version] : versions) {
    FrontendOptions options;
    options.targetEnv = env;
    Result<FrontendResult> result = load(kGood, options);
    ASSERT_TRUE(result) << env;
    EXPECT_EQ(result->words[1], version) << env;
    EXPECT_TRUE(validateSpirv(result->words, "a")) << env;
  }
}

TEST(Glsl, ErrorsHaveFileAndLine) {
  Result<FrontendResult> result = load("#version 450\nlayout(local_size_x = 1) in;\n"
                                       "void main() {\n  nothing = 1;\n}\n");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.diagnostic().location.str(), "dir/a.comp:4");
  EXPECT_EQ(result.diagnostic().text, "'nothing' : undeclared identifier");
  EXPECT_EQ(result.diagnostic().kind, ErrorKind::Refused);
}

TEST(Glsl, DefinesDoNotMoveTheLines) {
  FrontendOptions options;
  options.defines = {{"SIZE", "16"}, {"TWICE(x)", "((x) * 2)"}, {"EMPTY", ""}};
  Result<FrontendResult> good = load("#version 450\nlayout(local_size_x = SIZE) in;\n"
                                     "layout(binding = 0) buffer A { int a[]; };\n"
                                     "void main() { EMPTY a[0] = TWICE(4); }\n",
                                     options);
  ASSERT_TRUE(good) << good.diagnostic().text;
  Result<FrontendResult> bad = load("#version 450\nvoid main() {\n  nothing = SIZE;\n}\n", options);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.diagnostic().location.str(), "dir/a.comp:3");
}

TEST(Glsl, BadDefinesAndTargetsAreUsageErrors) {
  for (const char *name : {"", "1x", "a b", "a(b", "a-b"}) {
    FrontendOptions options;
    options.defines = {{name, "1"}};
    Result<FrontendResult> result = load(kGood, options);
    ASSERT_FALSE(result) << name;
    EXPECT_EQ(result.diagnostic().kind, ErrorKind::Usage) << name;
    EXPECT_THAT(result.diagnostic().text, HasSubstr("is not the name of a macro"));
  }
  FrontendOptions lines;
  lines.defines = {{"A", "1\n#error x"}};
  EXPECT_FALSE(load(kGood, lines));
  FrontendOptions env;
  env.targetEnv = "vulkan9";
  Result<FrontendResult> result = load(kGood, env);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.diagnostic().kind, ErrorKind::Usage);
  EXPECT_THAT(result.diagnostic().text, HasSubstr("'vulkan9'"));
}

TEST(Glsl, WarningsStayWarnings) {
  Diagnostics diagnostics;
  Result<FrontendResult> result =
      loadShaderFromMemory("#version 450\n#extension GL_EXT_nonsense : enable\n" + kGood.substr(13),
                           "a.comp", {}, diagnostics);
  ASSERT_TRUE(result) << result.diagnostic().text;
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].severity, Severity::Warning);
  EXPECT_EQ(diagnostics.all()[0].location.str(), "a.comp:2");
  EXPECT_THAT(diagnostics.all()[0].text, HasSubstr("extension not supported: GL_EXT_nonsense"));
  EXPECT_EQ(diagnostics.exitCode(), 0);
}

TEST(Glsl, MissingMainSaysSo) {
  Result<FrontendResult> result = load("#version 450\nlayout(local_size_x = 1) in;\nvoid f() {}\n");
  ASSERT_FALSE(result);
  EXPECT_THAT(result.diagnostic().text, HasSubstr("Missing entry point"));
  ASSERT_FALSE(result.diagnostic().notes.empty());
  EXPECT_THAT(result.diagnostic().notes.back().text, HasSubstr("'main'"));
}

TEST(Glsl, OnlyMainIsAnEntryPoint) {
  FrontendOptions options;
  options.entryPoint = "blur";
  Result<FrontendResult> result = load(kGood, options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.diagnostic().kind, ErrorKind::Usage);
  EXPECT_THAT(result.diagnostic().text, HasSubstr("'blur'"));
  options.entryPoint = "main";
  EXPECT_TRUE(load(kGood, options));
}

//===----------------------------------------------------------------------===//
// Includes
//===----------------------------------------------------------------------===//

const std::string kIncluding = "#version 450\n"
                               "#extension GL_GOOGLE_include_directive : require\n"
                               "#include \"inc/first.glsl\"\n"
                               "#include <second.glsl>\n"
                               "layout(local_size_x = 8) in;\n"
                               "layout(binding = 0) buffer A { float a[]; };\n"
                               "void main() { a[0] = first() + second() + NESTED; }\n";

TEST(GlslInclude, RelativeNestedAndByDirectory) {
  TemporaryFolder folder;
  const std::string shader = folder.write("s/a.comp", kIncluding);
  const std::string first = folder.write(
      "s/inc/first.glsl", "#include \"nested.glsl\"\nfloat first() {\n  return NESTED;\n}\n");
  const std::string nested = folder.write("s/inc/nested.glsl", "#define NESTED 3.0\n");
  const std::string second = folder.write("dirs/second.glsl", "float second() { return 1.0; }\n");
  FrontendOptions options;
  options.includeDirs = {folder.path("nowhere"), folder.path("dirs")};
  Diagnostics diagnostics;
  Result<FrontendResult> result = loadShader(shader, options, diagnostics);
  ASSERT_TRUE(result) << result.diagnostic().location.str() << result.diagnostic().text;
  EXPECT_THAT(result->dependencies, ElementsAre(shader, first, nested, second));
  auto lines = debugLines(result->words);
  EXPECT_THAT(lines, Contains(Pair(shader, 7u)));
  EXPECT_THAT(lines, Contains(Pair(first, 3u)));
  EXPECT_THAT(lines, Contains(Pair(second, 1u)));
}

TEST(GlslInclude, TheIncludingFolderComesBeforeTheDirectories) {
  TemporaryFolder folder;
  const std::string source = "#version 450\n#extension GL_GOOGLE_include_directive : require\n"
                             "#include \"x.glsl\"\nlayout(local_size_x = WHICH) in;\n"
                             "void main() {}\n";
  const std::string shader = folder.write("s/a.comp", source);
  const std::string mine = folder.write("s/x.glsl", "#define WHICH 2\n");
  folder.write("dirs/x.glsl", "#define WHICH 4\n");
  FrontendOptions options;
  options.includeDirs = {folder.path("dirs")};
  Diagnostics diagnostics;
  Result<FrontendResult> result = loadShader(shader, options, diagnostics);
  ASSERT_TRUE(result);
  EXPECT_THAT(result->dependencies, ElementsAre(shader, mine));
}

TEST(GlslInclude, ErrorsInsideNameTheIncludedFile) {
  TemporaryFolder folder;
  const std::string shader = folder.write("a.comp", kIncluding);
  const std::string first =
      folder.write("inc/first.glsl", "float first() {\n  return unknown;\n}\n");
  Diagnostics diagnostics;
  Result<FrontendResult> result = loadShader(shader, {}, diagnostics);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.diagnostic().location.str(), first + ":2");
  EXPECT_THAT(result.diagnostic().text, HasSubstr("'unknown'"));
}

TEST(GlslInclude, MissingFileIsLocatedAndNamesTheDirectories) {
  FrontendOptions options;
  options.includeDirs = {"no/such/dir", "nor/this"};
  Result<FrontendResult> result = load(kIncluding, options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.diagnostic().location.str(), "dir/a.comp:3");
  EXPECT_THAT(result.diagnostic().text, HasSubstr("cannot find the file"));
  EXPECT_THAT(result.diagnostic().text, HasSubstr("no/such/dir, nor/this"));
  EXPECT_THAT(result.diagnostic().text, HasSubstr("inc/first.glsl"));

  Result<FrontendResult> without = load(kIncluding);
  ASSERT_FALSE(without);
  EXPECT_THAT(without.diagnostic().text, HasSubstr("no include directory is given"));
}

/// The extensions that the source asked for (OpSourceExtension).
std::vector<std::string> sourceExtensions(const std::vector<uint32_t> &words) {
  std::vector<std::string> names;
  for (size_t at = kSpirvHeaderWords; at < words.size(); at += words[at] >> 16)
    if ((words[at] & 0xffff) == kOpSourceExtension)
      names.emplace_back(reinterpret_cast<const char *>(&words[at + 1]));
  return names;
}

TEST(GlslInclude, NeedsNoExtension) {
  TemporaryFolder folder;
  const std::string tail = "#include \"inc/first.glsl\"\nlayout(local_size_x = 8) in;\n"
                           "layout(binding = 0) buffer A { float a[]; };\n"
                           "void main() { a[0] = first(); }\n";
  const std::string first = folder.write(
      "inc/first.glsl", "#include \"nested.glsl\"\nfloat first() { return NESTED; }\n");
  folder.write("inc/nested.glsl", "#define NESTED 3.0\n");
  const std::string extension = "#extension GL_GOOGLE_include_directive : require";
  for (const char *version : {"450", "310 es"}) {
    const std::string head = "#version " + std::string(version) + "\n";
    const std::string shader = folder.path("a.comp");
    Diagnostics diagnostics;
    folder.write("a.comp", head + extension + "\n" + tail);
    Result<FrontendResult> asked = loadShader(shader, {}, diagnostics);
    folder.write("a.comp", head + "\n" + tail);
    Result<FrontendResult> silent = loadShader(shader, {}, diagnostics);
    ASSERT_TRUE(asked) << asked.diagnostic().text;
    ASSERT_TRUE(silent) << silent.diagnostic().text;
    EXPECT_EQ(asked->words, silent->words);
    EXPECT_THAT(sourceExtensions(silent->words), Contains("GL_GOOGLE_include_directive"));
    EXPECT_THAT(debugLines(silent->words), Contains(Pair(shader, 6u)));
    EXPECT_THAT(debugLines(silent->words), Contains(Pair(first, 2u)));
    EXPECT_TRUE(diagnostics.all().empty());
  }
}

TEST(GlslInclude, WithoutIncludesTheModuleSaysNothingOfThem) {
  Result<FrontendResult> plain = load(kGood);
  ASSERT_TRUE(plain);
  EXPECT_THAT(sourceExtensions(plain->words), Not(Contains("GL_GOOGLE_include_directive")));
  Result<FrontendResult> commented = load(kGood + "// #include \"x\"\n/*\n#include \"x\"\n*/\n");
  ASSERT_TRUE(commented) << commented.diagnostic().text;
  EXPECT_EQ(commented->words, plain->words);
}

TEST(GlslInclude, ErrorsBehindIncludesKeepTheirLines) {
  TemporaryFolder folder;
  folder.write("good.glsl", "#define ONE 1\n");
  const std::string bad = folder.write("bad.glsl", "\nint f() { return missing; }\n");
  FrontendOptions options;
  options.defines = {{"A", "1"}, {"B", "2"}};
  Diagnostics diagnostics;
  const std::string shader = folder.write(
      "a.comp",
      "// top\n#version 450\n\n#  include \"good.glsl\"\nvoid main() { nothing = ONE; }\n");
  Result<FrontendResult> outside = loadShader(shader, options, diagnostics);
  ASSERT_FALSE(outside);
  EXPECT_EQ(outside.diagnostic().location.str(), shader + ":5");
  folder.write("a.comp", "#version 450\n#include \"bad.glsl\"\nvoid main() {}\n");
  Result<FrontendResult> inside = loadShader(shader, options, diagnostics);
  ASSERT_FALSE(inside);
  EXPECT_EQ(inside.diagnostic().location.str(), bad + ":2");
}

TEST(GlslInclude, AMissingFileIsNamedWhereItIsIncluded) {
  TemporaryFolder folder;
  const std::string first = folder.write("first.glsl", "\n\n#include \"nowhere.glsl\"\n");
  const std::string shader =
      folder.write("a.comp", "#version 450\n#include \"first.glsl\"\nvoid main() {}\n");
  Diagnostics diagnostics;
  Result<FrontendResult> result = loadShader(shader, {}, diagnostics);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.diagnostic().location.str(), first + ":3");
  EXPECT_THAT(result.diagnostic().text, HasSubstr("nowhere.glsl"));
}

TEST(GlslInclude, PathsGoUpAndHoldTheSeparatorsOfOtherSystems) {
  TemporaryFolder folder;
  const std::string up = folder.write("common/up.glsl", "#define SIZE 4\n");
  folder.write("dirs/deep/back.glsl", "#define BACK 1\n");
  const std::string shader =
      folder.write("s/a.comp", "#version 450\n#include \"../common/up.glsl\"\n"
                               "#include \"..\\common\\up.glsl\"\n#include \"deep\\back.glsl\"\n"
                               "layout(local_size_x = SIZE, local_size_y = BACK) in;\n"
                               "void main() {}\n");
  FrontendOptions options;
  options.includeDirs = {folder.path("dirs")};
  Diagnostics diagnostics;
  Result<FrontendResult> result = loadShader(shader, options, diagnostics);
  ASSERT_TRUE(result) << result.diagnostic().text;
  EXPECT_THAT(result->dependencies, ElementsAre(shader, folder.path("s/../common/up.glsl"),
                                                folder.path("dirs/deep/back.glsl")));
}

TEST(GlslInclude, CyclesStopWithOneMessage) {
  TemporaryFolder folder;
  const std::string shader = folder.write("a.comp", kIncluding);
  // Twice each: without a stop this would be 2^64 includes.
  const std::string first =
      folder.write("inc/first.glsl", "#include \"first.glsl\"\n#include \"first.glsl\"\n");
  Diagnostics diagnostics;
  Result<FrontendResult> result = loadShader(shader, {}, diagnostics);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.diagnostic().location.str(), first + ":1");
  EXPECT_THAT(result.diagnostic().text,
              HasSubstr("includes nest deeper than 64, which is a cycle through '" + first + "'"));
  EXPECT_LE(result.diagnostic().notes.size(), 3u);
}

TEST(GlslInclude, ADeepChainIsNoCycle) {
  TemporaryFolder folder;
  const std::string shader = folder.write("a.comp", kIncluding);
  folder.write("inc/twice.glsl", "\n"); // twice, but not inside itself
  folder.write("inc/first.glsl",
               "#include \"twice.glsl\"\n#include \"twice.glsl\"\n#include \"0.glsl\"\n");
  for (int i = 0; i < 70; ++i)
    folder.write("inc/" + std::to_string(i) + ".glsl",
                 "#include \"twice.glsl\"\n#include \"" + std::to_string(i + 1) + ".glsl\"\n");
  Diagnostics diagnostics;
  Result<FrontendResult> result = loadShader(shader, {}, diagnostics);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.diagnostic().text, HasSubstr("includes nest deeper than 64"));
  EXPECT_THAT(result.diagnostic().text, Not(HasSubstr("cycle")));
}

TEST(GlslInclude, AFolderIsNoFile) {
  TemporaryFolder folder;
  const std::string shader = folder.write("a.comp", kIncluding);
  std::filesystem::create_directories(folder.path("inc/first.glsl"));
  Diagnostics diagnostics;
  Result<FrontendResult> result = loadShader(shader, {}, diagnostics);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.diagnostic().text, HasSubstr("cannot find the file"));
}

} // namespace
