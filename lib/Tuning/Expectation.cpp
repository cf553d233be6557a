//===- Tuning/Expectation.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Expectation.h"

#include "IR/Reader.h"

#include <algorithm>
#include <limits>

namespace tailor {

static Result<VariantFeatures> featuresOf(const DispatchSite &site,
                                          const vulkan::Candidate &candidate, uint32_t width) {
  Result<Module> module = readModule(candidate.words, candidate.name);
  if (!module)
    return module.takeFailure();
  Result<EntryPoint> entry = findComputeEntryPoint(*module, candidate.entryPoint);
  if (!entry)
    return entry.takeFailure();
  DispatchShape shape;
  shape.groups = candidate.groups;
  for (const vulkan::SpecValue &value : candidate.specConstants)
    shape.specConstants[value.specId] = value.bits;
  shape.pushConstants = candidate.pushConstants.value_or(site.instance.pushConstants);
  shape.other = [&](const UniformExpr &leaf) { return leafValue(leaf, site.size, site.instance); };
  return featuresOf(*module, *entry, shape, width);
}

std::vector<Expectation> expectationsOf(const DispatchSite &site,
                                        const std::vector<SelectedVariant> &selected,
                                        const DeviceProfile &profile, uint32_t subgroupWidth) {
  constexpr uint32_t kCommonWidth = 32;
  const uint32_t width =
      subgroupWidth != 0 ? subgroupWidth : profile.subgroupWidth().value_or(kCommonWidth);
  std::vector<Expectation> list;
  for (const SelectedVariant &each : selected) {
    Expectation one;
    const uint32_t required = each.candidate.requiredSubgroupSize;
    Result<VariantFeatures> features =
        featuresOf(site, each.candidate, required != 0 ? required : width);
    if (features) {
      one.estimate = estimate(*features, profile);
      one.features = std::move(*features);
    } else {
      one.whyNot = features.diagnostic().text;
    }
    list.push_back(std::move(one));
  }
  return list;
}

ProblemSize withoutContents(const ProblemSize &size, uint64_t keepBytes) {
  ProblemSize light = size;
  for (WorkloadBinding &binding : light.bindings)
    if (binding.desc.dataBytes() > keepBytes)
      binding.fill = {Fill::Kind::Poison, 0, {}, {}, {}, "", {}};
  return light;
}

static vulkan::DeviceLimits noLimits() {
  constexpr uint32_t kMost = std::numeric_limits<int32_t>::max();
  vulkan::DeviceLimits limits;
  limits.maxLocalSize = limits.maxGroups = {kMost, kMost, kMost};
  limits.maxInvocations = limits.maxSharedBytes = limits.maxPushConstantBytes = kMost;
  limits.maxStorageBufferBytes = limits.maxUniformBufferBytes = UINT64_MAX;
  limits.maxBoundSets = kMost;
  limits.maxImageExtent1D = limits.maxImageExtent2D = limits.maxImageExtent3D = kMost;
  limits.maxImageLayers = kMost;
  return limits;
}

Result<std::unique_ptr<SiteWithoutDevice>> SiteWithoutDevice::create(const Bundle &bundle,
                                                                     const KernelInfo &kernel,
                                                                     const Workload &workload,
                                                                     const ProblemSize &size) {
  std::unique_ptr<SiteWithoutDevice> made(
      new SiteWithoutDevice(bundle, kernel, withoutContents(size)));
  Result<vulkan::KernelInstance> instance = instantiate(workload, made->size);
  if (!instance)
    return instance.takeFailure();
  made->instance = std::move(*instance);
  Result<std::vector<uint32_t>> words = wordsOf(bundle, kernel, kernel.variants.front());
  if (!words)
    return words.takeFailure();
  Result<Reflection> reflection = reflect(*words, kernel.entryPoint, kernel.name);
  if (!reflection)
    return reflection.takeFailure();
  made->reflection = std::move(*reflection);
  made->limits = noLimits();
  Result<Selection> selection = selectVariants(made->site());
  if (!selection)
    return selection.takeFailure();
  made->selection = std::move(*selection);
  return made;
}

} // namespace tailor
