//===- Bundle/ExtractTests.cpp -------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/Extract.h"
#include "Support/Files.h"
#include "TestBundle.h"

#include "llvm/Support/JSON.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

using namespace tailor;
using namespace tailor::test;
using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

class Extract : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "tailor-extract-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root = pattern;
  }
  void TearDown() override { fs::remove_all(root); }

  /// Every file under the root, relative to it.
  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto &entry : fs::recursive_directory_iterator(root))
      if (!entry.is_directory())
        names.insert(fs::relative(entry.path(), root).string());
    return names;
  }

  fs::path root;
};

} // namespace

TEST_F(Extract, WritesEveryFileAndTheManifest) {
  Bundle bundle = sampleBundle();
  ASSERT_TRUE(extractBundle(bundle, (root / "new" / "out").string()));
  EXPECT_THAT(files(),
              ElementsAre("new/out/blur.authored.comp.glsl", "new/out/blur.authored.spv",
                          "new/out/blur.remap-8x16x1-guarded_swizzle-8x16x1-tile4x4.spv",
                          "new/out/blur.remap-8x8x1.spv", "new/out/blur.resize-64x1x1.comp.glsl",
                          "new/out/blur.resize-64x1x1.spv", "new/out/copy.authored.comp.glsl",
                          "new/out/copy.authored.spv", "new/out/manifest.json"));
  Result<std::string> code = readFile((root / "new/out/blur.resize-64x1x1.spv").string());
  ASSERT_TRUE(code);
  EXPECT_EQ(*code, bundle.blobs[1]);
  Result<std::string> manifest = readFile((root / "new/out/manifest.json").string());
  ASSERT_TRUE(manifest);
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(*manifest);
  ASSERT_TRUE(static_cast<bool>(parsed)) << llvm::toString(parsed.takeError());
  EXPECT_EQ(parsed->getAsObject()->getInteger("schema"), 1);
  // Each file that the manifest names exists.
  for (const auto &kernel : *parsed->getAsObject()->getArray("kernels"))
    for (const auto &variant : *kernel.getAsObject()->getArray("variants"))
      for (const auto &file : *variant.getAsObject()->getObject("files"))
        EXPECT_TRUE(fs::exists(root / "new/out" / file.second.getAsString()->str()));
}

TEST_F(Extract, AgainGivesTheSameFiles) {
  ASSERT_TRUE(extractBundle(sampleBundle(), root.string()));
  std::set<std::string> before = files();
  Result<std::string> manifest = readFile((root / "manifest.json").string());
  ASSERT_TRUE(extractBundle(sampleBundle(), root.string() + "/"));
  EXPECT_EQ(files(), before);
  Result<std::string> again = readFile((root / "manifest.json").string());
  ASSERT_TRUE(manifest && again);
  EXPECT_EQ(*manifest, *again);
}

TEST_F(Extract, NamesCannotLeaveTheFolder) {
  Bundle bundle = sampleBundle();
  bundle.kernels[0].name = "../../escape";
  bundle.kernels[0].variants[1].id = "/tmp/absolute";
  bundle.kernels[1].variants[0].code = {{"../up", 0}, {"..", 1}};
  fs::path folder = root / "a" / "b" / "c";
  ASSERT_TRUE(extractBundle(bundle, folder.string()));
  for (const std::string &name : files())
    EXPECT_TRUE(name.starts_with("a/b/c/") && name.find('/', 6) == std::string::npos) << name;
  EXPECT_EQ(files().size(), 9u);
}

TEST_F(Extract, CollisionsAreRefusedBeforeAnythingIsWritten) {
  Bundle bundle = sampleBundle();
  bundle.kernels[0].name = "a/b";
  bundle.kernels[1].name = "a:b";
  Status status = extractBundle(bundle, (root / "out").string());
  ASSERT_FALSE(status);
  EXPECT_EQ(status.diagnostic().kind, ErrorKind::Refused);
  EXPECT_THAT(status.diagnostic().text, HasSubstr("would be named 'a_b.authored.comp.glsl'"));
  EXPECT_TRUE(files().empty());
  EXPECT_FALSE(fs::exists(root / "out"));
}

TEST_F(Extract, MissingCodeIsRefused) {
  Bundle bundle = sampleBundle();
  bundle.kernels[0].variants[0].code["spirv"] = 99;
  Status status = extractBundle(bundle, root.string());
  ASSERT_FALSE(status);
  EXPECT_TRUE(files().empty());
}

TEST_F(Extract, AFileInTheWayOfTheFolderIsAnEnvironmentFault) {
  std::ofstream(root / "file") << "x";
  Status status = extractBundle(sampleBundle(), (root / "file").string());
  ASSERT_FALSE(status);
  EXPECT_EQ(status.diagnostic().kind, ErrorKind::Environment);
}
