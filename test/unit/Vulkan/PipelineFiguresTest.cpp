//===- unit/Vulkan/PipelineFiguresTest.cpp - What drivers say of pipelines ===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestDevices.h"

#include "Vulkan/Handles.h"

#include "shaders/nothingWords.h"

#include <cmath>
#include <limits>

using namespace tailor;
using namespace tailor::vulkan;
using namespace tailor::vulkan::test;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace {

/// A driver that has what a test gives it.
struct FakeDriver {
  struct Executable {
    const char *name;
    uint32_t subgroupSize;
    std::vector<VkPipelineExecutableStatisticKHR> statistics;
  };
  std::vector<Executable> executables;
  VkResult result = VK_SUCCESS;
};
FakeDriver fake;

VkPipelineExecutableStatisticKHR statistic(const char *name,
                                           VkPipelineExecutableStatisticFormatKHR format) {
  VkPipelineExecutableStatisticKHR made{};
  std::strncpy(made.name, name, sizeof made.name - 1);
  made.format = format;
  return made;
}
VkPipelineExecutableStatisticKHR whole(const char *name, uint64_t value) {
  auto made = statistic(name, VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR);
  made.value.u64 = value;
  return made;
}

VKAPI_ATTR VkResult VKAPI_CALL fakeProperties(VkDevice, const VkPipelineInfoKHR *, uint32_t *count,
                                              VkPipelineExecutablePropertiesKHR *properties) {
  const auto have = static_cast<uint32_t>(fake.executables.size());
  *count = properties ? std::min(*count, have) : have;
  for (uint32_t i = 0; properties && i != *count; ++i) {
    EXPECT_EQ(properties[i].sType, VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR);
    std::strncpy(properties[i].name, fake.executables[i].name, sizeof properties[i].name - 1);
    properties[i].subgroupSize = fake.executables[i].subgroupSize;
  }
  return fake.result;
}

VKAPI_ATTR VkResult VKAPI_CALL fakeStatistics(VkDevice, const VkPipelineExecutableInfoKHR *info,
                                              uint32_t *count,
                                              VkPipelineExecutableStatisticKHR *statistics) {
  const auto &list = fake.executables.at(info->executableIndex).statistics;
  const auto have = static_cast<uint32_t>(list.size());
  *count = statistics ? std::min(*count, have) : have;
  for (uint32_t i = 0; statistics && i != *count; ++i) {
    EXPECT_EQ(statistics[i].sType, VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR);
    const VkStructureType type = statistics[i].sType;
    statistics[i] = list[i];
    statistics[i].sType = type;
  }
  return fake.result;
}

std::vector<PipelineFigure> figuresOf(std::vector<FakeDriver::Executable> executables,
                                      VkResult result = VK_SUCCESS) {
  fake = {std::move(executables), result};
  return readFigures({fakeProperties, fakeStatistics}, VK_NULL_HANDLE, VK_NULL_HANDLE);
}

TEST(PipelineFigures, EveryFormatBecomesANumber) {
  auto truth = statistic("Uses Barriers", VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR);
  truth.value.b32 = VK_TRUE;
  auto signedOne = statistic("Delta", VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR);
  signedOne.value.i64 = -3;
  auto real = statistic("Occupancy", VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR);
  real.value.f64 = 0.75;
  EXPECT_THAT(figuresOf({{"main", 0, {whole("Register Count", 40), truth, signedOne, real}}}),
              ElementsAre(PipelineFigure{"Register Count", 40}, PipelineFigure{"Uses Barriers", 1},
                          PipelineFigure{"Delta", -3}, PipelineFigure{"Occupancy", 0.75}));
}

TEST(PipelineFigures, WhatIsNoNumberIsLeftOut) {
  auto nothing = statistic("Occupancy", VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR);
  nothing.value.f64 = std::numeric_limits<double>::quiet_NaN();
  auto later = statistic("Later", VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_MAX_ENUM_KHR);
  EXPECT_THAT(figuresOf({{"main", 0, {nothing, later}}}), IsEmpty());
}

TEST(PipelineFigures, TheSubgroupSizeIsSaidOnce) {
  EXPECT_THAT(figuresOf({{"main", 64, {whole("VGPRs", 24)}}}),
              ElementsAre(PipelineFigure{"VGPRs", 24}, PipelineFigure{"Subgroup Size", 64}));
  EXPECT_THAT(figuresOf({{"main", 64, {whole("Subgroup size", 64)}}}),
              ElementsAre(PipelineFigure{"Subgroup size", 64}));
}

TEST(PipelineFigures, SeveralExecutablesAreToldApart) {
  EXPECT_THAT(figuresOf({{"SIMD8", 8, {whole("Spill Count", 0)}},
                         {"SIMD16", 16, {whole("Spill Count", 7)}}}),
              ElementsAre(PipelineFigure{"SIMD8: Spill Count", 0},
                          PipelineFigure{"SIMD8: Subgroup Size", 8},
                          PipelineFigure{"SIMD16: Spill Count", 7},
                          PipelineFigure{"SIMD16: Subgroup Size", 16}));
}

TEST(PipelineFigures, NoneWhereTheDriverDoesNotTell) {
  EXPECT_THAT(figuresOf({}), IsEmpty());
  EXPECT_THAT(figuresOf({{"main", 32, {whole("Registers", 1)}}}, VK_ERROR_OUT_OF_HOST_MEMORY),
              IsEmpty());
  EXPECT_THAT(readFigures({}, VK_NULL_HANDLE, VK_NULL_HANDLE), IsEmpty());
}

class Figures : public OnDevice {};
TAILOR_ON_EVERY_DEVICE(Figures);

TEST_P(Figures, AreThereWhereTheDeviceHasThem) {
  auto runner = runnerOf({});
  auto pipeline = runner->prepare(candidateOf("nothing", nothingWords, {1, 1, 1}, {1, 1, 1}));
  ASSERT_TRUE(bool(pipeline)) << pipeline.diagnostic().text;
  const std::vector<PipelineFigure> figures = runner->figuresOf(*pipeline);
  EXPECT_EQ(figures.empty(), !info().features.pipelineExecutableInfo);
  for (const PipelineFigure &figure : figures)
    EXPECT_TRUE(!figure.name.empty() && std::isfinite(figure.value)) << figure.name;
  runner->release(*pipeline);
  EXPECT_THAT(runner->figuresOf(*pipeline), IsEmpty());
}

TEST_P(Figures, BelongToTheirPipeline) {
  device->impl().executables = {fakeProperties, fakeStatistics};
  auto runner = runnerOf({});
  std::vector<PipelineId> pipelines;
  for (uint64_t registers : {10, 20}) {
    fake = {{{"main", 0, {whole("Registers", registers)}}}};
    auto made = runner->prepare(candidateOf("nothing", nothingWords, {1, 1, 1}, {1, 1, 1}));
    ASSERT_TRUE(bool(made)) << made.diagnostic().text;
    pipelines.push_back(*made);
  }
  EXPECT_THAT(runner->figuresOf(pipelines[0]), ElementsAre(PipelineFigure{"Registers", 10}));
  EXPECT_THAT(runner->figuresOf(pipelines[1]), ElementsAre(PipelineFigure{"Registers", 20}));
}

} // namespace
