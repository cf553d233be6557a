//===- Vulkan/RunnerImpl.h - The state of a runner (internal) -----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_VULKAN_RUNNERIMPL_H
#define TAILOR_VULKAN_RUNNERIMPL_H

#include "Vulkan/Bindings.h"
#include "Vulkan/Runner.h"

#include <chrono>

namespace tailor::vulkan {

/// A compiled candidate.
struct Prepared {
  std::string name;
  OwnedPipelineLayout layout;
  OwnedPipeline pipeline;
  std::vector<std::byte> pushConstants; ///< padded to whole words
  Dim3 groups;
  std::vector<PipelineFigure> figures;
  double dispatchNs = 0;             ///< as last seen, roughly; 0: it did not run yet
  Ranges checkRanges = Ranges::Wide; ///< for runOnce; times are taken with exact ranges

  /// Binds pipeline, sets and push constants.
  void bind(VkCommandBuffer commands, const Bindings &bindings, Ranges ranges) const;
  void dispatch(VkCommandBuffer commands) const {
    vkCmdDispatch(commands, groups.x, groups.y, groups.z);
  }
};

struct Runner::Impl {
  std::shared_ptr<Device> device; ///< first, so that it goes last
  KernelInstance instance;
  OwnedCommandPool pool;
  std::unique_ptr<Bindings> bindings;
  Submitter submitter;
  /// A pipeline's time a dispatch on the device when it was warm.
  struct WarmMark {
    const Prepared *pipeline = nullptr;
    double dispatchNs = 0;
    std::chrono::steady_clock::time_point seen;
  };
  std::optional<WarmMark> warm;
  std::vector<std::unique_ptr<Prepared>> pipelines; ///< by PipelineId; null: released

  Device::Impl &gpu() { return device->impl(); }
  Prepared *find(PipelineId id) {
    return id.index < pipelines.size() ? pipelines[id.index].get() : nullptr;
  }
};

/// A dispatch's results are visible to the next one.
void dispatchBarrier(VkCommandBuffer commands);

} // namespace tailor::vulkan

#endif
