//===- Vulkan/Candidates.cpp - Checks before any call of the driver -----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Vulkan/Candidates.h"

#include <spirv/unified1/spirv.hpp11>

#include <algorithm>

namespace tailor::vulkan {

void checkLimits(const Candidate &candidate, size_t instancePushConstantBytes,
                 const DeviceLimits &limits, Diagnostics &diags) {
  auto over = [&](const std::string &has, uint64_t allowed) {
    diags.error({}, has + ", the device allows " + std::to_string(allowed));
  };
  for (unsigned axis = 0; axis != 3; ++axis) {
    std::string along = std::string(" along ") + kAxisName[axis];
    uint32_t size = candidate.localSize[axis], groups = candidate.groups[axis];
    if (size == 0)
      diags.error({}, "workgroup has no invocations" + along);
    if (size > limits.maxLocalSize[axis])
      over("workgroup has " + std::to_string(size) + " invocations" + along,
           limits.maxLocalSize[axis]);
    if (groups == 0)
      diags.error({}, "dispatch has no workgroups" + along);
    if (groups > limits.maxGroups[axis])
      over("dispatch has " + std::to_string(groups) + " workgroups" + along,
           limits.maxGroups[axis]);
  }
  if (candidate.localSize.product() > limits.maxInvocations)
    over("workgroup has " + std::to_string(candidate.localSize.product()) + " invocations",
         limits.maxInvocations);
  if (candidate.sharedBytes > limits.maxSharedBytes)
    over("workgroup memory takes " + std::to_string(candidate.sharedBytes) + " bytes",
         limits.maxSharedBytes);
  uint64_t given =
      candidate.pushConstants ? candidate.pushConstants->size() : instancePushConstantBytes;
  if (std::max<uint64_t>(given, candidate.requiredPushConstantBytes) > limits.maxPushConstantBytes)
    over("push constants take " +
             std::to_string(std::max<uint64_t>(given, candidate.requiredPushConstantBytes)) +
             " bytes",
         limits.maxPushConstantBytes);
  if (given < candidate.requiredPushConstantBytes)
    diags.error({}, "the module reads " + std::to_string(candidate.requiredPushConstantBytes) +
                        " bytes of push constants, but " + std::to_string(given) + " are given");
  uint32_t subgroup = candidate.requiredSubgroupSize;
  if (subgroup != 0 && (subgroup < limits.minSubgroupSize || subgroup > limits.maxSubgroupSize ||
                        (subgroup & (subgroup - 1)) != 0))
    diags.error({}, "the candidate needs subgroups of " + std::to_string(subgroup) +
                        " invocations, the device has " + std::to_string(limits.minSubgroupSize) +
                        " to " + std::to_string(limits.maxSubgroupSize));
  if (subgroup != 0 && limits.maxWorkgroupSubgroups != 0 &&
      candidate.localSize.product() > uint64_t{subgroup} * limits.maxWorkgroupSubgroups)
    over("workgroup has " +
             std::to_string((candidate.localSize.product() + subgroup - 1) / subgroup) +
             " subgroups of " + std::to_string(subgroup) + " invocations",
         limits.maxWorkgroupSubgroups);
}

namespace {

/// Whether the module's image view matches the resource's.
bool sameDim(const ScannedBinding &binding, ImageDim dim) {
  switch (static_cast<spv::Dim>(binding.dim)) {
  case spv::Dim::Dim1D:
    return dim == (binding.arrayed ? ImageDim::D1Array : ImageDim::D1);
  case spv::Dim::Dim2D:
    return dim == (binding.arrayed ? ImageDim::D2Array : ImageDim::D2);
  case spv::Dim::Dim3D:
    return dim == ImageDim::D3;
  case spv::Dim::Cube:
    return dim == ImageDim::Cube && !binding.arrayed;
  default:
    return false;
  }
}

bool sameTexel(const ScannedBinding &binding, ComponentType type) {
  if (!binding.integerTexel)
    return type != ComponentType::Uint && type != ComponentType::Sint;
  return type == (binding.signedTexel ? ComponentType::Sint : ComponentType::Uint);
}

std::string formatName(uint32_t spirvFormat) {
  if (const ImageFormat *format = findImageFormat(spirvFormat))
    return std::string(format->name);
  return "number " + std::to_string(spirvFormat);
}

void checkImageBinding(const ScannedBinding &binding, const ResourceDesc &desc,
                       Diagnostics &diags) {
  if (binding.multisampled)
    diags.error({}, desc.str() + " is a multisampled image in the module, which cannot be bound");
  if (!sameDim(binding, desc.dim))
    diags.error({}, desc.str() + " is a " + std::string(nameOf(desc.dim)) +
                        " image, the module wants another dimension");
  const ImageFormat *format = findImageFormat(desc.format);
  if (binding.kind == ResourceKind::StorageImage && binding.format != 0 &&
      binding.format != format->spirvFormat)
    diags.error({}, desc.str() + " has the format " + desc.format + ", the module wants " +
                        formatName(binding.format));
  else if (!sameTexel(binding, format->type))
    diags.error({}, desc.str() + " has the format " + desc.format +
                        ", whose component type is not the module's");
}

void checkBinding(const ScannedBinding &binding, const KernelInstance &instance,
                  Diagnostics &diags) {
  const ResourceDesc *desc = nullptr;
  uint32_t count = 0;
  for (const ResourceDesc &resource : instance.resources)
    if (resource.set == binding.set && resource.binding == binding.binding) {
      desc = &resource;
      ++count;
    }
  std::string place =
      "set " + std::to_string(binding.set) + " binding " + std::to_string(binding.binding);
  if (!desc) {
    diags.error({}, "the module uses " + place + ", which the workload does not bind");
    return;
  }
  if (!binding.kind) {
    diags.error({}, place + " is a resource of a kind that cannot be bound");
    return;
  }
  if (!serves(desc->kind, *binding.kind)) {
    diags.error({}, desc->str() + " is a " + std::string(nameOf(desc->kind)) +
                        ", the module wants a " + std::string(nameOf(*binding.kind)));
    return;
  }
  if (binding.count && *binding.count > count)
    diags.error({}, place + " is an array of " + std::to_string(*binding.count) +
                        " in the module, the workload binds " + std::to_string(count));
  if (isImage(*binding.kind))
    checkImageBinding(binding, *desc, diags);
}

} // namespace

void checkBindings(const ModuleScan &scan, const KernelInstance &instance, Diagnostics &diags) {
  for (const ScannedBinding &binding : scan.bindings)
    checkBinding(binding, instance, diags);
}

Result<ModuleScan> checkCandidate(const Candidate &candidate, const KernelInstance &instance,
                                  const DeviceInfo &device) {
  Diagnostics diags;
  checkLimits(candidate, instance.pushConstants.size(), device.limits, diags);
  auto scan = scanModule(candidate.words);
  if (!scan) {
    diags.emit(scan.takeFailure().diagnostic);
  } else {
    const auto &entries = scan->computeEntryPoints;
    if (std::find(entries.begin(), entries.end(), candidate.entryPoint) == entries.end())
      diags.error({}, "the module has no compute entry point named '" + candidate.entryPoint + "'");
    checkCapabilities(*scan, device, diags);
    checkBindings(*scan, instance, diags);
  }
  if (!diags.hasErrors())
    return scan;
  Diagnostic first = diags.all().front();
  first.text =
      "candidate '" + candidate.name + "' cannot run on '" + device.name + "': " + first.text;
  for (size_t i = 1; i != diags.all().size(); ++i)
    first.addNote({}, diags.all()[i].text);
  return failure(std::move(first));
}

} // namespace tailor::vulkan
