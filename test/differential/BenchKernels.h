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
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

namespace tailor {

/// A number that the environment may set.
inline uint64_t numberFrom(const char *variable, uint64_t otherwise) {
  const char *text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// File names in bench/kernels, sorted.
inline std::vector<std::string> allBenchKernels() {
  std::vector<std::string> files;
  for (const auto &entry : std::filesystem::directory_iterator(TAILOR_SOURCE_DIR "/bench/kernels"))
    if (entry.path().extension() == ".comp" || entry.path().extension() == ".hlsl")
      files.push_back(entry.path().filename().string());
  std::sort(files.begin(), files.end());
  return files;
}

/// The same; with TAILOR_SUITE_EVERY=N every Nth of them, others each day of N. The names of the
/// tests say which; TAILOR_SUITE_FROM=K says where to begin.
inline std::vector<std::string> benchKernels() {
  const std::vector<std::string> files = allBenchKernels();
  const uint64_t every = std::max<uint64_t>(1, numberFrom("TAILOR_SUITE_EVERY", 1));
  const uint64_t today = static_cast<uint64_t>(std::time(nullptr)) / 86400;
  std::vector<std::string> chosen;
  for (uint64_t i = numberFrom("TAILOR_SUITE_FROM", today) % every; i < files.size(); i += every)
    chosen.push_back(files[i]);
  return chosen;
}

/// The name of a test with such a parameter.
inline std::string testName(const testing::TestParamInfo<std::string> &info) {
  std::string name = info.param.substr(0, info.param.find('.'));
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

} // namespace tailor

#endif
