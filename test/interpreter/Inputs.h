//===- interpreter/Inputs.h - What an interpreted kernel is bound to -----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_INTERPRETER_INPUTS_H
#define TAILOR_INTERPRETER_INPUTS_H

#include "IR/Constants.h"
#include "Support/Dim3.h"
#include "Support/Result.h"
#include "Tuning/Workload.h"
#include "Vulkan/Resources.h"

#include <cstddef>
#include <map>
#include <tuple>
#include <vector>

namespace tailor::interp {

/// A descriptor: set, binding, index into an array of descriptors.
using Slot = std::tuple<uint32_t, uint32_t, uint32_t>;

/// A buffer, image or sampler with its contents.
struct Resource {
  std::vector<std::byte> data; ///< a buffer's bytes; an image's texels row by row, packed
  const vulkan::ImageFormat *format = nullptr; ///< images
  Dim3 extent;                                 ///< images: texels; layers in z for arrays
  vulkan::SamplerDesc sampler;                 ///< samplers
};

/// Everything that the host supplies. A run changes `resources`.
struct Inputs {
  std::map<Slot, Resource> resources;
  std::vector<std::byte> pushConstants; ///< from offset 0; what lies behind reads as zero
  SpecMap spec;
  Dim3 numWorkgroups; ///< the built-in
  uint32_t subgroupSize = 32;

  // For resources that the kernel uses and `resources` lacks: all zero.
  uint64_t defaultBufferBytes = 65536;
  Dim3 defaultExtent = {64, 64, 1};
};

/// The resources of a workload with their first contents (zero, values, poison), its push
/// and specialization constants, and the groups for that authored size. Fails where the workload
/// cannot be instantiated.
Result<Inputs> inputsOf(const Workload &workload, const ProblemSize &size,
                        const Dim3 &authoredSize);
/// The same from resources that are ready to run.
Inputs inputsOf(const vulkan::KernelInstance &instance);

} // namespace tailor::interp

#endif
