//===- Vulkan/Capabilities.cpp - Capabilities against features ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Vulkan/Candidates.h"

#include <spirv/unified1/spirv.hpp11>
#include <vulkan/vulkan.h>

#include <algorithm>

namespace tailor::vulkan {

namespace {

using C = spv::Capability;
using F = DeviceFeatures;

struct CapabilityRow {
  C capability;
  std::string_view name;
  bool F::*feature; ///< null: every Vulkan 1.1 device has it
};

/// Capabilities that a compute module may declare here, from the table
/// "SPIR-V capabilities" of the Vulkan specification. One that is missing is
/// refused, since nothing would have enabled it.
const CapabilityRow kRows[] = {
    {C::Matrix, "Matrix", nullptr},
    {C::Shader, "Shader", nullptr},
    {C::Sampled1D, "Sampled1D", nullptr},
    {C::Image1D, "Image1D", nullptr},
    {C::SampledBuffer, "SampledBuffer", nullptr},
    {C::ImageBuffer, "ImageBuffer", nullptr},
    {C::ImageQuery, "ImageQuery", nullptr},
    {C::DerivativeControl, "DerivativeControl", nullptr},
    {C::DeviceGroup, "DeviceGroup", nullptr},
    {C::Int8, "Int8", &F::int8},
    {C::Int16, "Int16", &F::int16},
    {C::Int64, "Int64", &F::int64},
    {C::Float16, "Float16", &F::float16},
    {C::Float64, "Float64", &F::float64},
    {C::Int64Atomics, "Int64Atomics", nullptr},               // buffer or shared: looked at below
    {C::AtomicFloat32AddEXT, "AtomicFloat32AddEXT", nullptr}, // likewise
    {C::StorageBuffer8BitAccess, "StorageBuffer8BitAccess", &F::storageBuffer8},
    {C::UniformAndStorageBuffer8BitAccess, "UniformAndStorageBuffer8BitAccess", &F::uniformBuffer8},
    {C::StoragePushConstant8, "StoragePushConstant8", &F::pushConstant8},
    {C::StorageBuffer16BitAccess, "StorageBuffer16BitAccess", &F::storageBuffer16},
    {C::UniformAndStorageBuffer16BitAccess, "UniformAndStorageBuffer16BitAccess",
     &F::uniformBuffer16},
    {C::StoragePushConstant16, "StoragePushConstant16", &F::pushConstant16},
    {C::VariablePointersStorageBuffer, "VariablePointersStorageBuffer",
     &F::variablePointersStorageBuffer},
    {C::VariablePointers, "VariablePointers", &F::variablePointers},
    {C::StorageImageReadWithoutFormat, "StorageImageReadWithoutFormat",
     &F::storageImageReadWithoutFormat},
    {C::StorageImageWriteWithoutFormat, "StorageImageWriteWithoutFormat",
     &F::storageImageWriteWithoutFormat},
    {C::StorageImageExtendedFormats, "StorageImageExtendedFormats",
     &F::storageImageExtendedFormats},
    {C::ImageGatherExtended, "ImageGatherExtended", &F::imageGatherExtended},
    {C::UniformBufferArrayDynamicIndexing, "UniformBufferArrayDynamicIndexing",
     &F::uniformBufferArrayIndexing},
    {C::SampledImageArrayDynamicIndexing, "SampledImageArrayDynamicIndexing",
     &F::sampledImageArrayIndexing},
    {C::StorageBufferArrayDynamicIndexing, "StorageBufferArrayDynamicIndexing",
     &F::storageBufferArrayIndexing},
    {C::StorageImageArrayDynamicIndexing, "StorageImageArrayDynamicIndexing",
     &F::storageImageArrayIndexing},
    {C::ShaderNonUniform, "ShaderNonUniform", &F::nonUniformIndexing},
    {C::StorageBufferArrayNonUniformIndexing, "StorageBufferArrayNonUniformIndexing",
     &F::nonUniformIndexing},
    {C::RuntimeDescriptorArray, "RuntimeDescriptorArray", &F::runtimeDescriptorArray},
    {C::VulkanMemoryModel, "VulkanMemoryModel", &F::vulkanMemoryModel},
    {C::VulkanMemoryModelDeviceScope, "VulkanMemoryModelDeviceScope",
     &F::vulkanMemoryModelDeviceScope},
    {C::WorkgroupMemoryExplicitLayoutKHR, "WorkgroupMemoryExplicitLayoutKHR",
     &F::workgroupExplicitLayout},
    {C::ShaderClockKHR, "ShaderClockKHR", &F::shaderClock},
    {C::DotProduct, "DotProduct", &F::integerDotProduct},
    {C::DotProductInputAll, "DotProductInputAll", &F::integerDotProduct},
    {C::DotProductInput4x8Bit, "DotProductInput4x8Bit", &F::integerDotProduct},
    {C::DotProductInput4x8BitPacked, "DotProductInput4x8BitPacked", &F::integerDotProduct},
    {C::GroupNonUniform, "GroupNonUniform", &F::subgroupBasic},
    {C::GroupNonUniformVote, "GroupNonUniformVote", &F::subgroupVote},
    {C::GroupNonUniformArithmetic, "GroupNonUniformArithmetic", &F::subgroupArithmetic},
    {C::GroupNonUniformBallot, "GroupNonUniformBallot", &F::subgroupBallot},
    {C::GroupNonUniformShuffle, "GroupNonUniformShuffle", &F::subgroupShuffle},
    {C::GroupNonUniformShuffleRelative, "GroupNonUniformShuffleRelative",
     &F::subgroupShuffleRelative},
    {C::GroupNonUniformClustered, "GroupNonUniformClustered", &F::subgroupClustered},
    {C::GroupNonUniformQuad, "GroupNonUniformQuad", &F::subgroupQuad},
};

/// The newest SPIR-V that a device of this Vulkan version must take.
uint32_t newestSpirv(uint32_t apiVersion) {
  if (apiVersion >= VK_API_VERSION_1_3)
    return 0x00010600;
  return apiVersion >= VK_API_VERSION_1_2 ? 0x00010500 : 0x00010300;
}

std::string versionText(uint32_t version) {
  return std::to_string(version >> 16 & 0xff) + "." + std::to_string(version >> 8 & 0xff);
}

} // namespace

bool mayEnable(uint32_t capability) {
  return std::any_of(std::begin(kRows), std::end(kRows), [&](const CapabilityRow &row) {
    return row.capability == static_cast<C>(capability);
  });
}

void checkCapabilities(const ModuleScan &scan, const DeviceInfo &device, Diagnostics &diags) {
  uint32_t newest = newestSpirv(device.apiVersion);
  if (scan.version > newest)
    diags.error({}, "the module is SPIR-V " + versionText(scan.version) + ", the device takes " +
                        versionText(newest) + " at most");
  if (scan.localSizeId && !device.features.localSizeId)
    diags.error({}, "the module uses LocalSizeId, which the device does not take");
  for (uint32_t number : scan.capabilities) {
    auto capability = static_cast<C>(number);
    const auto *row = std::find_if(std::begin(kRows), std::end(kRows), [&](const CapabilityRow &r) {
      return r.capability == capability;
    });
    if (row == std::end(kRows)) {
      diags.error({}, "the module declares capability " + std::to_string(number) +
                          ", which the runner does not enable");
      continue;
    }
    bool there = !row->feature || device.features.*row->feature;
    if (capability == C::Int64Atomics)
      there = device.features.bufferInt64Atomics || device.features.sharedInt64Atomics;
    if (capability == C::AtomicFloat32AddEXT)
      there = device.features.bufferFloat32AtomicAdd || device.features.sharedFloat32AtomicAdd ||
              device.features.imageFloat32AtomicAdd;
    if (!there)
      diags.error({}, "the module needs " + std::string(row->name) +
                          ", which the device does not have");
  }
}

} // namespace tailor::vulkan
