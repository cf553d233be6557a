//===- Vulkan/PipelineFigures.cpp - What drivers say of pipelines -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Vulkan/PipelineFigures.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>

namespace tailor::vulkan {

namespace {

/// Reads of one pipeline are no more than this, whatever a driver counts.
constexpr uint32_t kMostExecutables = 64, kMostStatistics = 1024;
constexpr const char *kSubgroupSize = "Subgroup Size";

template <size_t N> std::string textOf(const char (&text)[N]) { return {text, ::strnlen(text, N)}; }

double valueOf(const VkPipelineExecutableStatisticKHR &statistic) {
  switch (statistic.format) {
  case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR:
    return statistic.value.b32 == VK_FALSE ? 0 : 1;
  case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR:
    return static_cast<double>(statistic.value.i64);
  case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR:
    return static_cast<double>(statistic.value.u64);
  case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR:
    return statistic.value.f64;
  default: // a format of a later version
    return NAN;
  }
}

bool sameLetters(const std::string &a, const std::string &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

std::vector<VkPipelineExecutablePropertiesKHR> executablesOf(const ExecutableCalls &calls,
                                                             VkDevice device, VkPipeline pipeline) {
  VkPipelineInfoKHR info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR;
  info.pipeline = pipeline;
  uint32_t count = 0;
  if (calls.properties(device, &info, &count, nullptr) != VK_SUCCESS)
    return {};
  count = std::min(count, kMostExecutables);
  VkPipelineExecutablePropertiesKHR empty{};
  empty.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR;
  std::vector<VkPipelineExecutablePropertiesKHR> list(count, empty);
  const VkResult result = calls.properties(device, &info, &count, list.data());
  if (result != VK_SUCCESS && result != VK_INCOMPLETE)
    return {};
  list.resize(std::min<size_t>(count, list.size()));
  return list;
}

std::vector<PipelineFigure> statisticsOf(const ExecutableCalls &calls, VkDevice device,
                                         VkPipeline pipeline, uint32_t executable) {
  VkPipelineExecutableInfoKHR info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR;
  info.pipeline = pipeline;
  info.executableIndex = executable;
  uint32_t count = 0;
  if (calls.statistics(device, &info, &count, nullptr) != VK_SUCCESS)
    return {};
  count = std::min(count, kMostStatistics);
  VkPipelineExecutableStatisticKHR empty{};
  empty.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
  std::vector<VkPipelineExecutableStatisticKHR> list(count, empty);
  const VkResult result = calls.statistics(device, &info, &count, list.data());
  if (result != VK_SUCCESS && result != VK_INCOMPLETE)
    return {};
  list.resize(std::min<size_t>(count, list.size()));
  std::vector<PipelineFigure> figures;
  for (const VkPipelineExecutableStatisticKHR &statistic : list)
    if (double value = valueOf(statistic); std::isfinite(value))
      figures.push_back({textOf(statistic.name), value});
  return figures;
}

} // namespace

ExecutableCalls ExecutableCalls::of(VkDevice device) {
  ExecutableCalls calls;
  // NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): how Vulkan hands out its functions
  calls.properties = reinterpret_cast<PFN_vkGetPipelineExecutablePropertiesKHR>(
      vkGetDeviceProcAddr(device, "vkGetPipelineExecutablePropertiesKHR"));
  calls.statistics = reinterpret_cast<PFN_vkGetPipelineExecutableStatisticsKHR>(
      vkGetDeviceProcAddr(device, "vkGetPipelineExecutableStatisticsKHR"));
  // NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
  return calls;
}

std::vector<PipelineFigure> readFigures(const ExecutableCalls &calls, VkDevice device,
                                        VkPipeline pipeline) {
  if (!calls.properties || !calls.statistics)
    return {};
  const auto executables = executablesOf(calls, device, pipeline);
  std::vector<PipelineFigure> figures;
  for (uint32_t i = 0; i != executables.size(); ++i) {
    std::vector<PipelineFigure> own = statisticsOf(calls, device, pipeline, i);
    const bool named = std::any_of(own.begin(), own.end(), [](const PipelineFigure &each) {
      return sameLetters(each.name, kSubgroupSize);
    });
    if (!named && executables[i].subgroupSize != 0)
      own.push_back({kSubgroupSize, static_cast<double>(executables[i].subgroupSize)});
    for (PipelineFigure &figure : own) {
      if (executables.size() > 1)
        figure.name = textOf(executables[i].name) + ": " + figure.name;
      figures.push_back(std::move(figure));
    }
  }
  return figures;
}

} // namespace tailor::vulkan
