//===- Vulkan/Features.cpp - Which features there are -------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Vulkan/Features.h"

namespace tailor::vulkan {

namespace {

/// One line per feature that sits in a structure. `get` finds its switch in a
/// chain; `since` is the version from which that structure is there.
struct FeatureRow {
  std::string_view name;
  bool DeviceFeatures::*flag;
  VkBool32 *(*get)(FeatureChain &, bool atLeast12);
};

// NOLINTBEGIN(bugprone-macro-parentheses): these stand for whole functions of member names
#define TAILOR_CORE(member)                                                                        \
  [](FeatureChain &c, bool) -> VkBool32 * { return &c.core.features.member; }
#define TAILOR_IN(structure, member)                                                               \
  [](FeatureChain &c, bool) -> VkBool32 * { return &c.structure.member; }
#define TAILOR_11(older, member)                                                                   \
  [](FeatureChain &c, bool atLeast12) -> VkBool32 * {                                              \
    return atLeast12 ? &c.v11.member : &c.older.member;                                            \
  }
// NOLINTEND(bugprone-macro-parentheses)

using F = DeviceFeatures;
const FeatureRow kRows[] = {
    {"int8", &F::int8, TAILOR_IN(v12, shaderInt8)},
    {"int16", &F::int16, TAILOR_CORE(shaderInt16)},
    {"int64", &F::int64, TAILOR_CORE(shaderInt64)},
    {"float16", &F::float16, TAILOR_IN(v12, shaderFloat16)},
    {"float64", &F::float64, TAILOR_CORE(shaderFloat64)},
    {"storage-buffer-8", &F::storageBuffer8, TAILOR_IN(v12, storageBuffer8BitAccess)},
    {"uniform-buffer-8", &F::uniformBuffer8, TAILOR_IN(v12, uniformAndStorageBuffer8BitAccess)},
    {"push-constant-8", &F::pushConstant8, TAILOR_IN(v12, storagePushConstant8)},
    {"storage-buffer-16", &F::storageBuffer16, TAILOR_11(storage16, storageBuffer16BitAccess)},
    {"uniform-buffer-16", &F::uniformBuffer16,
     TAILOR_11(storage16, uniformAndStorageBuffer16BitAccess)},
    {"push-constant-16", &F::pushConstant16, TAILOR_11(storage16, storagePushConstant16)},
    {"buffer-int64-atomics", &F::bufferInt64Atomics, TAILOR_IN(v12, shaderBufferInt64Atomics)},
    {"shared-int64-atomics", &F::sharedInt64Atomics, TAILOR_IN(v12, shaderSharedInt64Atomics)},
    {"buffer-float32-atomic-add", &F::bufferFloat32AtomicAdd,
     TAILOR_IN(atomicFloat, shaderBufferFloat32AtomicAdd)},
    {"shared-float32-atomic-add", &F::sharedFloat32AtomicAdd,
     TAILOR_IN(atomicFloat, shaderSharedFloat32AtomicAdd)},
    {"image-float32-atomic-add", &F::imageFloat32AtomicAdd,
     TAILOR_IN(atomicFloat, shaderImageFloat32AtomicAdd)},
    {"variable-pointers-storage-buffer", &F::variablePointersStorageBuffer,
     TAILOR_11(varPointers, variablePointersStorageBuffer)},
    {"variable-pointers", &F::variablePointers, TAILOR_11(varPointers, variablePointers)},
    {"storage-image-read-without-format", &F::storageImageReadWithoutFormat,
     TAILOR_CORE(shaderStorageImageReadWithoutFormat)},
    {"storage-image-write-without-format", &F::storageImageWriteWithoutFormat,
     TAILOR_CORE(shaderStorageImageWriteWithoutFormat)},
    {"storage-image-extended-formats", &F::storageImageExtendedFormats,
     TAILOR_CORE(shaderStorageImageExtendedFormats)},
    {"image-gather-extended", &F::imageGatherExtended, TAILOR_CORE(shaderImageGatherExtended)},
    {"image-cube-array", &F::imageCubeArray, TAILOR_CORE(imageCubeArray)},
    {"uniform-buffer-array-indexing", &F::uniformBufferArrayIndexing,
     TAILOR_CORE(shaderUniformBufferArrayDynamicIndexing)},
    {"sampled-image-array-indexing", &F::sampledImageArrayIndexing,
     TAILOR_CORE(shaderSampledImageArrayDynamicIndexing)},
    {"storage-buffer-array-indexing", &F::storageBufferArrayIndexing,
     TAILOR_CORE(shaderStorageBufferArrayDynamicIndexing)},
    {"storage-image-array-indexing", &F::storageImageArrayIndexing,
     TAILOR_CORE(shaderStorageImageArrayDynamicIndexing)},
    {"non-uniform-indexing", &F::nonUniformIndexing,
     TAILOR_IN(v12, shaderStorageBufferArrayNonUniformIndexing)},
    {"runtime-descriptor-array", &F::runtimeDescriptorArray,
     TAILOR_IN(v12, runtimeDescriptorArray)},
    {"scalar-block-layout", &F::scalarBlockLayout, TAILOR_IN(v12, scalarBlockLayout)},
    {"uniform-standard-layout", &F::uniformStandardLayout,
     TAILOR_IN(v12, uniformBufferStandardLayout)},
    {"workgroup-explicit-layout", &F::workgroupExplicitLayout,
     TAILOR_IN(explicitLayout, workgroupMemoryExplicitLayout)},
    {"zero-init-workgroup-memory", &F::zeroInitWorkgroupMemory,
     TAILOR_IN(v13, shaderZeroInitializeWorkgroupMemory)},
    {"vulkan-memory-model", &F::vulkanMemoryModel, TAILOR_IN(v12, vulkanMemoryModel)},
    {"vulkan-memory-model-device-scope", &F::vulkanMemoryModelDeviceScope,
     TAILOR_IN(v12, vulkanMemoryModelDeviceScope)},
    {"integer-dot-product", &F::integerDotProduct, TAILOR_IN(v13, shaderIntegerDotProduct)},
    {"shader-clock", &F::shaderClock, TAILOR_IN(clock, shaderSubgroupClock)},
    {"local-size-id", &F::localSizeId, TAILOR_IN(v13, maintenance4)},
    {"subgroup-size-control", &F::subgroupSizeControl, TAILOR_IN(v13, subgroupSizeControl)},
    {"compute-full-subgroups", &F::computeFullSubgroups, TAILOR_IN(v13, computeFullSubgroups)},
    {"subgroup-extended-types", &F::subgroupExtendedTypes,
     TAILOR_IN(v12, shaderSubgroupExtendedTypes)},
    {"pipeline-executable-info", &F::pipelineExecutableInfo,
     TAILOR_IN(executables, pipelineExecutableInfo)},
};
#undef TAILOR_CORE
#undef TAILOR_IN
#undef TAILOR_11

struct SubgroupRow {
  std::string_view name;
  bool DeviceFeatures::*flag;
  VkSubgroupFeatureFlags bit;
};
const SubgroupRow kSubgroupRows[] = {
    {"subgroup-basic", &F::subgroupBasic, VK_SUBGROUP_FEATURE_BASIC_BIT},
    {"subgroup-vote", &F::subgroupVote, VK_SUBGROUP_FEATURE_VOTE_BIT},
    {"subgroup-arithmetic", &F::subgroupArithmetic, VK_SUBGROUP_FEATURE_ARITHMETIC_BIT},
    {"subgroup-ballot", &F::subgroupBallot, VK_SUBGROUP_FEATURE_BALLOT_BIT},
    {"subgroup-shuffle", &F::subgroupShuffle, VK_SUBGROUP_FEATURE_SHUFFLE_BIT},
    {"subgroup-shuffle-relative", &F::subgroupShuffleRelative,
     VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT},
    {"subgroup-clustered", &F::subgroupClustered, VK_SUBGROUP_FEATURE_CLUSTERED_BIT},
    {"subgroup-quad", &F::subgroupQuad, VK_SUBGROUP_FEATURE_QUAD_BIT},
};

/// Hangs `structure` into the chain behind `head`.
template <typename T>
void link(VkPhysicalDeviceFeatures2 &head, T &structure, VkStructureType type) {
  structure.sType = type;
  structure.pNext = head.pNext;
  head.pNext = &structure;
}

} // namespace

FeatureChain::FeatureChain(uint32_t apiVersion, const std::set<std::string> &extensions) {
  core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  if (apiVersion < VK_API_VERSION_1_2) {
    link(core, storage16, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES);
    link(core, varPointers, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VARIABLE_POINTERS_FEATURES);
  } else {
    link(core, v11, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
    link(core, v12, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  }
  if (apiVersion >= VK_API_VERSION_1_3)
    link(core, v13, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
  if (extensions.contains(VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME))
    link(core, atomicFloat, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT);
  if (extensions.contains(VK_KHR_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_EXTENSION_NAME))
    link(core, explicitLayout,
         VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR);
  if (extensions.contains(VK_KHR_SHADER_CLOCK_EXTENSION_NAME))
    link(core, clock, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR);
  if (extensions.contains(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME))
    link(core, executables,
         VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR);
}

std::vector<const char *> wantedExtensions(uint32_t apiVersion,
                                           const std::set<std::string> &available) {
  std::vector<const char *> wanted = {
      VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME,
      VK_KHR_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_EXTENSION_NAME,
      VK_KHR_SHADER_CLOCK_EXTENSION_NAME,
      VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME,
      "VK_KHR_portability_subset", // must be enabled where it exists
  };
  if (apiVersion < VK_API_VERSION_1_3)
    wanted.push_back(VK_KHR_SHADER_NON_SEMANTIC_INFO_EXTENSION_NAME);
  std::erase_if(wanted, [&](const char *name) { return !available.contains(name); });
  return wanted;
}

DeviceFeatures readFeatures(VkPhysicalDevice device, uint32_t apiVersion,
                            const std::set<std::string> &extensions) {
  FeatureChain chain(apiVersion, extensions);
  vkGetPhysicalDeviceFeatures2(device, &chain.core);
  DeviceFeatures features;
  for (const FeatureRow &row : kRows)
    features.*row.flag = *row.get(chain, apiVersion >= VK_API_VERSION_1_2) == VK_TRUE;

  VkPhysicalDeviceSubgroupProperties subgroup{};
  subgroup.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = &subgroup;
  vkGetPhysicalDeviceProperties2(device, &properties);
  bool inCompute = subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT;
  for (const SubgroupRow &row : kSubgroupRows)
    features.*row.flag = inCompute && (subgroup.supportedOperations & row.bit);
  return features;
}

void enableFeatures(const DeviceFeatures &features, uint32_t apiVersion, FeatureChain &chain) {
  for (const FeatureRow &row : kRows)
    *row.get(chain, apiVersion >= VK_API_VERSION_1_2) = features.*row.flag ? VK_TRUE : VK_FALSE;
}

std::vector<std::string_view> DeviceFeatures::names() const {
  std::vector<std::string_view> list;
  for (const FeatureRow &row : kRows)
    if (this->*row.flag)
      list.push_back(row.name);
  for (const SubgroupRow &row : kSubgroupRows)
    if (this->*row.flag)
      list.push_back(row.name);
  return list;
}

} // namespace tailor::vulkan
