//===- unit/Vulkan/TestDevices.h - Every device, one after the other ----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tests run on every device that the loader finds (VK_DRIVER_FILES names the
// drivers), under the validation layer, and fail on any message of it. Without
// a device they fail when CI=true, and are skipped with a reason otherwise.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_UNIT_VULKAN_TESTDEVICES_H
#define TAILOR_UNIT_VULKAN_TESTDEVICES_H

#include "Vulkan/Device.h"
#include "Vulkan/Runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <cstring>
#include <ostream>
#include <span>
#include <string_view>

namespace tailor::vulkan {
/// How a failing test names its device.
inline void PrintTo(const DeviceInfo &info, std::ostream *os) { *os << info.name; }
} // namespace tailor::vulkan

namespace tailor::vulkan::test {

inline bool inCi() {
  const char *ci = std::getenv("CI");
  return ci && std::string_view(ci) == "true";
}

/// One instance for the process; its failure is a Result that the tests print.
inline const Result<std::shared_ptr<Instance>> &instance() {
  static const Result<std::shared_ptr<Instance>> made = [] {
    auto validated = Instance::create(true);
    return validated || inCi() ? std::move(validated) : Instance::create(false);
  }();
  return made;
}

inline std::vector<DeviceInfo> allDevices() {
  return instance() ? (*instance())->devices() : std::vector<DeviceInfo>{};
}

inline std::string testName(const ::testing::TestParamInfo<DeviceInfo> &info) {
  std::string name = std::to_string(info.index) + "_";
  for (char c : info.param.name)
    name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

#define TAILOR_ON_EVERY_DEVICE(suite)                                                              \
  GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(suite);                                            \
  INSTANTIATE_TEST_SUITE_P(Every, suite, ::testing::ValuesIn(allDevices()), testName)

class OnDevice : public ::testing::TestWithParam<DeviceInfo> {
protected:
  void SetUp() override {
    (*instance())->clearValidationMessages();
    auto opened = Device::open(*instance(), GetParam());
    ASSERT_TRUE(bool(opened)) << opened.diagnostic().text;
    device = *std::move(opened);
  }
  void TearDown() override {
    device.reset();
    EXPECT_THAT((*instance())->validationMessages(), ::testing::IsEmpty());
  }

  std::unique_ptr<Runner> runnerOf(KernelInstance kernel) {
    auto made = Runner::create(device, std::move(kernel));
    EXPECT_TRUE(bool(made)) << (made ? "" : made.diagnostic().text);
    return made ? *std::move(made) : nullptr;
  }
  const DeviceInfo &info() const { return GetParam(); }

  std::shared_ptr<Device> device;
};

/// A candidate without push or specialization constants.
inline Candidate candidateOf(std::string name, std::span<const uint32_t> words, Dim3 groups,
                             Dim3 localSize) {
  Candidate candidate;
  candidate.name = std::move(name);
  candidate.words.assign(words.begin(), words.end());
  candidate.groups = groups;
  candidate.localSize = localSize;
  return candidate;
}

inline ResourceDesc bufferAt(uint32_t binding, uint64_t bytes) {
  ResourceDesc desc;
  desc.binding = binding;
  desc.bytes = bytes;
  return desc;
}

template <typename T> ResourceDesc bufferAt(uint32_t binding, const std::vector<T> &contents) {
  ResourceDesc desc = bufferAt(binding, contents.size() * sizeof(T));
  auto bytes = std::as_bytes(std::span(contents));
  desc.initial.assign(bytes.begin(), bytes.end());
  desc.fill = InitialFill::Bytes;
  return desc;
}

/// An output whose elements all start as poison.
inline ResourceDesc outputAt(uint32_t binding, uint64_t bytes) {
  ResourceDesc desc = bufferAt(binding, bytes);
  desc.fill = InitialFill::Poison;
  desc.output = true;
  return desc;
}

template <typename T> std::vector<T> valuesOf(const std::vector<std::byte> &bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

template <typename T> std::vector<std::byte> bytesOfValue(T value) {
  std::vector<std::byte> bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

/// Prepares and runs once; fails the test on any failure.
inline RunResult ranOnce(Runner &runner, const Candidate &candidate) {
  auto pipeline = runner.prepare(candidate);
  EXPECT_TRUE(bool(pipeline)) << (pipeline ? "" : pipeline.diagnostic().text);
  if (!pipeline)
    return {};
  auto result = runner.runOnce(*pipeline);
  EXPECT_TRUE(bool(result)) << (result ? "" : result.diagnostic().text);
  return result ? *std::move(result) : RunResult{};
}

} // namespace tailor::vulkan::test

#endif
