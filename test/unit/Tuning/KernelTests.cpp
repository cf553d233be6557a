//===- KernelTests.cpp - bench/kernels and their workloads -------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/Frontend.h"
#include "Support/Files.h"
#include "TestSupport.h"
#include "Tuning/Reflect.h"
#include "Tuning/Workload.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>

using namespace tailor;
using namespace tailor::test;

namespace {

const std::string kFolder = TAILOR_SOURCE_DIR "/bench/kernels/";

/// Every kernel source in bench/kernels, by file name.
std::vector<std::string> kernelFiles() {
  std::vector<std::string> files;
  for (const auto &entry : std::filesystem::directory_iterator(kFolder)) {
    std::string extension = entry.path().extension().string();
    if (extension == ".comp" || extension == ".hlsl")
      files.push_back(entry.path().filename().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class BenchKernel : public testing::TestWithParam<std::string> {};

std::string testName(const testing::TestParamInfo<std::string> &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

} // namespace

TEST_P(BenchKernel, FitsItsWorkload) {
  std::string file = GetParam();
  std::string stem = std::filesystem::path(file).stem().string();
  Diagnostics diags;
  Result<FrontendResult> compiled = loadShader(kFolder + file, FrontendOptions{}, diags);
  ASSERT_TRUE(compiled) << textOf(compiled.diagnostic());
  Result<Reflection> reflection = reflect(compiled->words, "main", file);
  ASSERT_TRUE(reflection) << textOf(reflection.diagnostic());

  std::optional<Workload> workload = readWorkload(kFolder + stem + ".workload.json", diags);
  ASSERT_TRUE(workload) << textOf(diags);
  EXPECT_TRUE(workload->appliesTo(stem, "main"));
  ASSERT_GE(workload->sizes.size(), 2U) << "at two problem sizes at least";
  EXPECT_EQ(workload->sizes.front().name, "small");
  EXPECT_EQ(workload->sizes.back().name, "large");
  for (const ProblemSize &size : workload->sizes) {
    checkWorkload(size, *reflection, stem, diags);
    EXPECT_EQ(textOf(diags), "");
    Dim3 groups = size.groupsFor(reflection->localSize);
    if (size.name == "small") {
      for (uint32_t count : groups.array())
        EXPECT_LE(count, 65535U) << "the small size runs everywhere";
      Result<vulkan::KernelInstance> instance = instantiate(*workload, size);
      EXPECT_TRUE(instance) << textOf(instance.diagnostic());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, BenchKernel, testing::ValuesIn(kernelFiles()), testName);

TEST(BenchKernels, AreListedAndTwoOfThemAreHlsl) {
  std::vector<std::string> files = kernelFiles();
  EXPECT_GE(files.size(), 36U);
  EXPECT_GE(std::count_if(files.begin(), files.end(),
                          [](const std::string &f) { return f.ends_with(".hlsl"); }),
            2);
  Result<std::string> list = readFile(TAILOR_SOURCE_DIR "/bench/README.md");
  ASSERT_TRUE(list);
  for (const std::string &file : files)
    EXPECT_NE(list->find("| `" + std::filesystem::path(file).stem().string() + "` |"),
              std::string::npos)
        << file << " is not in the list of bench/README.md";
}
