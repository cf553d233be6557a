//===- interpreter/Inputs.cpp ---------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Inputs.h"

namespace tailor::interp {

Inputs inputsOf(const vulkan::KernelInstance &instance) {
  Inputs inputs;
  inputs.pushConstants = instance.pushConstants;
  for (const vulkan::ResourceDesc &desc : instance.resources) {
    Resource resource;
    resource.format = vulkan::isImage(desc.kind) ? vulkan::findImageFormat(desc.format) : nullptr;
    resource.extent = desc.extent;
    resource.sampler = desc.sampler;
    resource.data = desc.initial;
    resource.data.resize(desc.dataBytes());
    if (desc.fill == vulkan::InitialFill::Poison)
      for (size_t at = 0; at < resource.data.size(); ++at)
        resource.data[at] = vulkan::poisonByte(at);
    inputs.resources[{desc.set, desc.binding, desc.element}] = std::move(resource);
  }
  return inputs;
}

Result<Inputs> inputsOf(const Workload &workload, const ProblemSize &size,
                        const Dim3 &authoredSize) {
  Result<vulkan::KernelInstance> instance = instantiate(workload, size);
  if (!instance)
    return instance.takeFailure();
  Inputs inputs = inputsOf(*instance);
  inputs.numWorkgroups = size.groupsFor(authoredSize);
  for (const auto &[id, value] : size.specConstants)
    inputs.spec[id] = value.bits;
  return inputs;
}

} // namespace tailor::interp
