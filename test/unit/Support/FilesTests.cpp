//===- Support/FilesTests.cpp --------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support/Files.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tailor;
using testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

class Files : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "tailor-files-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root = pattern;
  }
  void TearDown() override {
    fs::permissions(root, fs::perms::owner_all);
    fs::remove_all(root);
  }

  std::string path(const char *name) const { return (root / name).string(); }
  static std::string contents(const std::string &path) {
    Result<std::string> bytes = readFile(path);
    return bytes ? *bytes : "<" + bytes.diagnostic().text + ">";
  }
  static mode_t modeOf(const std::string &path) {
    struct stat info = {};
    EXPECT_EQ(::stat(path.c_str(), &info), 0);
    return info.st_mode & 07777;
  }
  size_t fileCount() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(root), fs::directory_iterator()));
  }

  fs::path root;
};

/// Runs the check in a child process, whose limits and rights it may change; the result is the
/// child's exit status, 0 when the check holds, or 255 when a signal ended it.
template <typename Check> int inChild(Check check) {
  pid_t child = ::fork();
  if (child == 0)
    ::_exit(check());
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || !WIFEXITED(status))
    return 255;
  return WEXITSTATUS(status);
}

} // namespace

TEST_F(Files, WritesAndReadsAnyBytes) {
  std::string bytes("a\0b\xff\n", 5);
  bytes += std::string(200000, 'x'); // more than one read
  ASSERT_TRUE(writeFileAtomically(path("f"), bytes));
  EXPECT_EQ(contents(path("f")), bytes);
  ASSERT_TRUE(writeFileAtomically(path("f"), ""));
  EXPECT_EQ(contents(path("f")), "");
  EXPECT_EQ(fileCount(), 1u) << "no temporary stays";
}

TEST_F(Files, MissingFileIsRefusedWithItsName) {
  Result<std::string> bytes = readFile(path("none"));
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.diagnostic().kind, ErrorKind::Refused);
  EXPECT_EQ(bytes.diagnostic().location.str(), path("none"));
  EXPECT_EQ(bytes.diagnostic().text, "cannot open the file: No such file or directory");
  Result<std::string> folder = readFile(root.string());
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.diagnostic().text, "cannot read the file: Is a directory");
}

TEST_F(Files, NewFilesFollowTheUmask) {
  EXPECT_EQ(inChild([&] {
              ::umask(027);
              if (!writeFileAtomically(path("f"), "x"))
                return 1;
              struct stat info = {};
              return ::stat(path("f").c_str(), &info) == 0 && (info.st_mode & 07777) == 0640 ? 0
                                                                                             : 2;
            }),
            0);
}

TEST_F(Files, ModeIsKept) {
  ASSERT_TRUE(writeFileAtomically(path("f"), "old"));
  ASSERT_EQ(::chmod(path("f").c_str(), 0751), 0);
  ASSERT_TRUE(writeFileAtomically(path("f"), "new"));
  EXPECT_EQ(modeOf(path("f")), 0751u);
  EXPECT_EQ(contents(path("f")), "new");
}

TEST_F(Files, LinkIsKeptAndItsTargetReplaced) {
  fs::create_directory(root / "real");
  std::ofstream(root / "real" / "f") << "old";
  fs::create_symlink("real/f", root / "link");
  ASSERT_TRUE(writeFileAtomically(path("link"), "new"));
  EXPECT_TRUE(fs::is_symlink(root / "link"));
  EXPECT_EQ(contents(path("real/f")), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(root / "real"), fs::directory_iterator()), 1);
}

TEST_F(Files, DanglingLinkMakesItsTarget) {
  fs::create_symlink("later", root / "link");
  ASSERT_TRUE(writeFileAtomically(path("link"), "new"));
  EXPECT_TRUE(fs::is_symlink(root / "link"));
  EXPECT_EQ(contents(path("later")), "new");
}

TEST_F(Files, ReadersSeeTheOldFileOrTheNewOne) {
  // The old file is replaced, never written into: an open descriptor keeps the old bytes.
  ASSERT_TRUE(writeFileAtomically(path("f"), "old"));
  std::ifstream reader(path("f"));
  ASSERT_TRUE(writeFileAtomically(path("f"), "newer bytes"));
  std::string seen;
  std::getline(reader, seen);
  EXPECT_EQ(seen, "old");
}

TEST_F(Files, FullDeviceIsAnEnvironmentFault) {
  if (::access("/dev/full", W_OK) != 0)
    GTEST_SKIP() << "this system has no /dev/full";
  Status status = writeFileAtomically("/dev/full", "x");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.diagnostic().kind, ErrorKind::Environment);
  EXPECT_EQ(status.diagnostic().text, "cannot write the file: No space left on device");
  EXPECT_EQ(status.diagnostic().location.str(), "/dev/full");
}

TEST_F(Files, DevicesAreWrittenInPlace) {
  ASSERT_TRUE(writeFileAtomically("/dev/null", "x"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

// A disk that fills in the middle of a write: the limit on a file's size stops it the same way.
TEST_F(Files, TornWriteLeavesTheOldFile) {
  ASSERT_TRUE(writeFileAtomically(path("f"), "old"));
  EXPECT_EQ(inChild([&] {
              ::signal(SIGXFSZ, SIG_IGN);
              rlimit limit = {4096, 4096};
              if (::setrlimit(RLIMIT_FSIZE, &limit) != 0)
                return 1;
              Status status = writeFileAtomically(path("f"), std::string(100000, 'x'));
              if (status || status.diagnostic().kind != ErrorKind::Environment)
                return 2;
              return status.diagnostic().text == "cannot write the file: File too large" ? 0 : 3;
            }),
            0);
  EXPECT_EQ(contents(path("f")), "old");
  EXPECT_EQ(fileCount(), 1u) << "the temporary is removed";
}

TEST_F(Files, FolderThatMayNotBeWrittenKeepsTheOldFile) {
  ASSERT_TRUE(writeFileAtomically(path("f"), "old"));
  fs::permissions(root, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
  EXPECT_EQ(inChild([&] {
              // The superuser may write everywhere; nobody may not.
              if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0))
                return 1;
              if (::geteuid() != 65534 && ::chmod(root.c_str(), 0555) != 0)
                return 2;
              Status status = writeFileAtomically(path("f"), "new");
              if (status || status.diagnostic().kind != ErrorKind::Environment)
                return 3;
              return status.diagnostic().text == "cannot write the file: Permission denied" ? 0 : 4;
            }),
            0);
  EXPECT_EQ(contents(path("f")), "old");
}

TEST_F(Files, MissingFolderIsAnEnvironmentFault) {
  Status status = writeFileAtomically(path("no/such/f"), "x");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.diagnostic().kind, ErrorKind::Environment);
  EXPECT_THAT(status.diagnostic().text, HasSubstr("No such file or directory"));
  Status folder = writeFileAtomically(root.string(), "x");
  ASSERT_FALSE(folder);
  EXPECT_THAT(folder.diagnostic().text, HasSubstr("Is a directory"));
}

TEST_F(Files, StandardOutput) {
  EXPECT_EQ(inChild([&] {
              FILE *to = std::freopen(path("out").c_str(), "w", stdout);
              return to && writeFileAtomically("-", "bytes") ? 0 : 1;
            }),
            0);
  EXPECT_EQ(contents(path("out")), "bytes");
}

TEST_F(Files, NamesInTheWorkingFolder) {
  EXPECT_EQ(inChild([&] {
              if (::chdir(root.c_str()) != 0)
                return 1;
              return writeFileAtomically("plain", "x") ? 0 : 2;
            }),
            0);
  EXPECT_EQ(contents(path("plain")), "x");
}

TEST_F(Files, FoldersAreMadeWithTheirParents) {
  ASSERT_TRUE(makeFolder(path("a/b/c")));
  EXPECT_TRUE(fs::is_directory(root / "a/b/c"));
  ASSERT_TRUE(makeFolder(path("a/b/c"))) << "an existing folder is fine";
  std::ofstream(root / "file") << "x";
  Status status = makeFolder(path("file/sub"));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.diagnostic().kind, ErrorKind::Environment);
  EXPECT_THAT(status.diagnostic().text, HasSubstr("cannot make the folder"));
}

TEST_F(Files, AnOutputIsApartFromWhatWasRead) {
  std::ofstream(root / "in") << "x";
  fs::create_symlink("in", root / "link");
  fs::create_directory_symlink(root, root / "again");
  EXPECT_TRUE(checkOutput(path("out"), {path("in")}));
  EXPECT_TRUE(checkOutput("-", {"-"}));
  EXPECT_TRUE(checkOutput(path("no/such/out"), {path("no/such/in")}));
  for (const char *same : {"in", "./in", "link", "again/link"}) {
    Status status = checkOutput(path(same), {path("other"), path("in")});
    ASSERT_FALSE(status) << same;
    EXPECT_EQ(status.diagnostic().kind, ErrorKind::Usage);
    EXPECT_THAT(status.diagnostic().text, HasSubstr("would overwrite the input"));
  }
  // Files that are yet to be made.
  EXPECT_FALSE(checkOutput(path("new"), {path("new")}));
  EXPECT_FALSE(checkOutput(path("again/new"), {path("new")}));
}
