//===- test/unit/Frontend/InputFilesTests.cpp --------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/Frontend.h"
#include "TemporaryFolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <unistd.h>

using namespace tailor;
using namespace tailor::test;
using testing::HasSubstr;

namespace {

Diagnostic refused(const std::string &path, const FrontendOptions &options = {}) {
  Diagnostics diagnostics;
  Result<FrontendResult> result = loadShader(path, options, diagnostics);
  if (result) {
    ADD_FAILURE() << path << " was taken";
    return {};
  }
  EXPECT_EQ(result.diagnostic().location.file, path);
  EXPECT_EQ(result.diagnostic().kind, ErrorKind::Refused);
  return result.diagnostic();
}

TEST(InputFiles, MissingEmptyAndFolder) {
  TemporaryFolder folder;
  EXPECT_THAT(refused(folder.path("none.comp")).text, HasSubstr("No such file"));
  EXPECT_EQ(refused(folder.write("empty.comp", "")).text, "the file is empty");
  EXPECT_EQ(refused(folder.path("")).text, "this is a folder, not a shader");
}

TEST(InputFiles, Unreadable) {
  if (::geteuid() == 0)
    GTEST_SKIP() << "root reads everything";
  TemporaryFolder folder;
  const std::string path = folder.write("a.comp", "x");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  EXPECT_THAT(refused(path).text, HasSubstr("cannot open the file"));
}

TEST(InputFiles, TooLarge) {
  TemporaryFolder folder;
  const std::string path = folder.write("a.comp", "x");
  std::filesystem::resize_file(path, kMaxInputBytes + 1); // takes no room on the disk
  EXPECT_THAT(refused(path).text, HasSubstr("larger than the 128 MiB"));
  EXPECT_THAT(refused("/dev/zero").text, HasSubstr("larger than the 128 MiB"));
}

TEST(InputFiles, UnknownKindNamesTheSuffixes) {
  TemporaryFolder folder;
  Diagnostic diagnostic = refused(folder.write("a.txt", "hello\n"));
  EXPECT_EQ(diagnostic.text, "cannot tell what kind of shader this is");
  ASSERT_EQ(diagnostic.notes.size(), 1u);
  EXPECT_THAT(diagnostic.notes[0].text, HasSubstr(".comp"));
}

TEST(InputFiles, BytesThatAreNoTextAreLocated) {
  TemporaryFolder folder;
  Diagnostic zero = refused(folder.write("a.comp", std::string_view("#version 450\nab\0c\n", 18)));
  EXPECT_EQ(zero.location.line, 2u);
  EXPECT_EQ(zero.location.column, 3u);
  EXPECT_EQ(zero.text, "the file is taken for GLSL, but the byte 0x00 is not text");
  Diagnostic wide = refused(folder.write("b.hlsl", std::string_view("\xFF\xFE[\0n\0", 6)));
  EXPECT_THAT(wide.text, HasSubstr("UTF-16"));
  Diagnostic high = refused(folder.write("c.comp", "#version 450\nvoid \xC3\x28\xFE main() {}\n"));
  EXPECT_EQ(high.location.line, 2u);
}

TEST(InputFiles, AByteOrderMarkIsNoFault) {
  Diagnostics diagnostics;
  Result<FrontendResult> result = loadShaderFromMemory(
      "\xEF\xBB\xBF#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n", "a.comp", {},
      diagnostics);
  EXPECT_TRUE(result) << result.diagnostic().text;
}

TEST(InputFiles, TheKindCanBeForced) {
  TemporaryFolder folder;
  FrontendOptions options;
  options.kind = InputKind::Glsl;
  const std::string path =
      folder.write("a.txt", "#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n");
  Diagnostics diagnostics;
  Result<FrontendResult> result = loadShader(path, options, diagnostics);
  ASSERT_TRUE(result) << result.diagnostic().text;
  EXPECT_THAT(result->dependencies, testing::ElementsAre(path));
  options.kind = InputKind::SpirvBinary;
  EXPECT_THAT(refused(path, options).text, HasSubstr("magic number"));
}

TEST(InputFiles, ManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  std::vector<std::vector<uint32_t>> words(4);
  for (std::vector<uint32_t> &out : words)
    threads.emplace_back([&out] {
      for (int round = 0; round < 5; ++round) {
        Diagnostics diagnostics;
        Result<FrontendResult> result =
            loadShaderFromMemory("#version 450\nlayout(local_size_x = 4) in;\n"
                                 "layout(binding = 0) buffer A { float a[]; };\n"
                                 "void main() { a[gl_GlobalInvocationID.x] += 1.0; }\n",
                                 "a.comp", {}, diagnostics);
        if (result)
          out = result->words;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_FALSE(words[0].empty());
  for (const std::vector<uint32_t> &out : words)
    EXPECT_EQ(out, words[0]);
}

} // namespace
