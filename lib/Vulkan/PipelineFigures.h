//===- Vulkan/PipelineFigures.h - What drivers say of pipelines (internal) ===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to lib/Vulkan: VK_KHR_pipeline_executable_properties, read out.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_VULKAN_PIPELINEFIGURES_H
#define TAILOR_VULKAN_PIPELINEFIGURES_H

#include "Vulkan/Runner.h"

#include <vulkan/vulkan.h>

namespace tailor::vulkan {

/// The calls of the extension; null on a device without it. Tests put their own here.
struct ExecutableCalls {
  PFN_vkGetPipelineExecutablePropertiesKHR properties = nullptr;
  PFN_vkGetPipelineExecutableStatisticsKHR statistics = nullptr;

  static ExecutableCalls of(VkDevice device);
};

/// The figures of a pipeline that was made with VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR; none
/// where the calls are not there or fail. See Runner::figuresOf().
std::vector<PipelineFigure> readFigures(const ExecutableCalls &calls, VkDevice device,
                                        VkPipeline pipeline);

} // namespace tailor::vulkan

#endif
