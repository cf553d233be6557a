//===- differential/BenchKernels.h - The suite as test parameters ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_DIFFERENTIAL_BENCHKERNELS_H
#define TAILOR_DIFFERENTIAL_BENCHKERNELS_H

#include "gtest/gtest.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace tailor {

/// File names in bench/kernels, sorted.
inline std::vector<std::string> benchKernels() {
  std::vector<std::string> files;
  for (const auto &entry : std::filesystem::directory_iterator(TAILOR_SOURCE_DIR "/bench/kernels"))
    if (entry.path().extension() == ".comp" || entry.path().extension() == ".hlsl")
      files.push_back(entry.path().filename().string());
  std::sort(files.begin(), files.end());
  return files;
}

/// The name of a test with such a parameter.
inline std::string testName(const testing::TestParamInfo<std::string> &info) {
  std::string name = info.param.substr(0, info.param.find('.'));
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

/// A number that the environment may set.
inline uint64_t numberFrom(const char *variable, uint64_t otherwise) {
  const char *text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

} // namespace tailor

#endif
