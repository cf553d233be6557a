//===- Vulkan/Device.h - Vulkan devices and what they allow -------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds every device of every installed driver and opens one for compute. No
// Vulkan header is needed to use this interface.
//
//   auto instance = Instance::create(validationWanted());
//   for (const DeviceInfo &info : (*instance)->devices())
//     auto device = Device::open(*instance, info);
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_VULKAN_DEVICE_H
#define TAILOR_VULKAN_DEVICE_H

#include "Support/Dim3.h"
#include "Support/Result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tailor::vulkan {

enum class DeviceType : uint8_t { Other, IntegratedGpu, DiscreteGpu, VirtualGpu, Cpu };
/// "cpu", "discrete-gpu", ...
std::string_view nameOf(DeviceType type);

/// What bounds a dispatch. Names say which quantity they hold; counts are
/// inclusive maxima, sizes are bytes, times are nanoseconds.
struct DeviceLimits {
  Dim3 maxLocalSize;                   ///< invocations a workgroup may have along each axis
  uint32_t maxInvocations = 0;         ///< invocations a workgroup may have in all
  Dim3 maxGroups;                      ///< workgroups a dispatch may have along each axis
  uint32_t maxSharedBytes = 0;         ///< workgroup memory of a workgroup
  uint32_t subgroupSize = 0;           ///< the nominal size: a pipeline may get another
  uint32_t minSubgroupSize = 0;        ///< the smallest and largest that a pipeline may ask for;
  uint32_t maxSubgroupSize = 0;        ///< equal to subgroupSize where there is no choice
  uint32_t maxWorkgroupSubgroups = 0;  ///< of a pipeline that asks for a size; 0: not known
  uint32_t maxPushConstantBytes = 0;   ///< of one pipeline
  uint64_t maxStorageBufferBytes = 0;  ///< of one binding
  uint64_t maxUniformBufferBytes = 0;  ///< of one binding
  uint32_t storageOffsetAlignment = 1; ///< of a storage buffer binding's offset
  uint32_t uniformOffsetAlignment = 1; ///< of a uniform buffer binding's offset
  uint32_t maxBoundSets = 0;           ///< descriptor sets of one pipeline
  uint32_t maxImageExtent1D = 0, maxImageExtent2D = 0, maxImageExtent3D = 0;
  uint32_t maxImageLayers = 0;
  double timestampPeriodNs = 0;    ///< nanoseconds a tick
  uint32_t timestampValidBits = 0; ///< of the compute queue that we use; 0: no timestamps
  uint64_t deviceLocalBytes = 0;   ///< the largest device-local heap
  uint64_t hostVisibleBytes = 0;   ///< the largest heap that the host can map
};

/// Whether the runner takes modules that declare this capability, on devices that have what it
/// needs. No device runs others.
bool mayEnable(uint32_t capability);

/// Features that a compute shader may need. Each is enabled when it is there.
struct DeviceFeatures {
  bool int8 = false, int16 = false, int64 = false;
  bool float16 = false, float64 = false;
  bool storageBuffer8 = false, uniformBuffer8 = false, pushConstant8 = false;
  bool storageBuffer16 = false, uniformBuffer16 = false, pushConstant16 = false;
  bool bufferInt64Atomics = false, sharedInt64Atomics = false;
  bool bufferFloat32AtomicAdd = false, sharedFloat32AtomicAdd = false,
       imageFloat32AtomicAdd = false;
  bool variablePointersStorageBuffer = false, variablePointers = false;
  bool storageImageReadWithoutFormat = false, storageImageWriteWithoutFormat = false;
  bool storageImageExtendedFormats = false;
  bool imageGatherExtended = false, imageCubeArray = false;
  bool uniformBufferArrayIndexing = false, sampledImageArrayIndexing = false;
  bool storageBufferArrayIndexing = false, storageImageArrayIndexing = false;
  bool nonUniformIndexing = false, runtimeDescriptorArray = false;
  bool scalarBlockLayout = false, uniformStandardLayout = false;
  bool workgroupExplicitLayout = false, zeroInitWorkgroupMemory = false;
  bool vulkanMemoryModel = false, vulkanMemoryModelDeviceScope = false;
  bool integerDotProduct = false, shaderClock = false;
  bool localSizeId = false; ///< the LocalSizeId execution mode (maintenance4)
  bool subgroupSizeControl = false, computeFullSubgroups = false;
  bool subgroupExtendedTypes = false;
  /// What the driver says of a pipeline: VK_KHR_pipeline_executable_properties.
  bool pipelineExecutableInfo = false;
  /// Subgroup operations that compute shaders have.
  bool subgroupBasic = false, subgroupVote = false, subgroupArithmetic = false;
  bool subgroupBallot = false, subgroupShuffle = false, subgroupShuffleRelative = false;
  bool subgroupClustered = false, subgroupQuad = false;

  /// The names of the features that are there, in the order above.
  std::vector<std::string_view> names() const;
};

struct DeviceInfo {
  std::string name;       ///< unique in the list: the second device of one name is "NAME (2)"
  std::string deviceName; ///< as the driver gives it
  uint32_t vendorId = 0, deviceId = 0;
  uint32_t driverId = 0;      ///< VkDriverId; 0: unknown
  uint32_t driverVersion = 0; ///< in the driver's own encoding
  std::string driverName, driverInfo;
  uint32_t apiVersion = 0; ///< as Vulkan packs it
  DeviceType type = DeviceType::Other;
  DeviceLimits limits;
  DeviceFeatures features;
  uint32_t index = 0; ///< position in the instance's own enumeration, for Device::open

  std::string apiVersionText() const; ///< "1.3.239"
  /// What a stored winner belongs to: vendorID, deviceID, driverID,
  /// driverVersion, driverInfo, deviceName and the limits that bound a variant,
  /// as one readable line. (Some drivers never change driverVersion.)
  std::string key() const;
  bool isCpu() const { return type == DeviceType::Cpu; }
};

/// True when the environment asks for the validation layer: TAILOR_VALIDATION=1.
bool validationWanted();

/// The loader's instance. Devices live no longer than it does.
class Instance {
public:
  /// Fails with ErrorKind::Environment when there is no driver or no device
  /// (the message names VK_DRIVER_FILES), or when `validation` is asked for and
  /// VK_LAYER_KHRONOS_validation is not installed. TAILOR_VALIDATION=1 turns
  /// validation on too. Synchronization validation is part of it.
  static Result<std::shared_ptr<Instance>> create(bool validation = validationWanted());
  ~Instance();
  /// Whether this process holds one: then drivers have threads in it, which a fork does not take
  /// along.
  static bool isAnyAlive();
  Instance(const Instance &) = delete;
  Instance &operator=(const Instance &) = delete;

  /// Every device that can compute under Vulkan 1.1 or later, sorted by type
  /// (discrete, integrated, virtual, CPU, other), then name, then ids: the same
  /// order every time.
  const std::vector<DeviceInfo> &devices() const;
  /// The device of this name, or of this unambiguous part of a name, whatever
  /// the case; the failure (ErrorKind::Environment) lists what there is.
  Result<DeviceInfo> find(std::string_view name) const;

  bool validating() const;
  /// What the validation layer said so far (errors, warnings), in order. Thread-safe.
  std::vector<std::string> validationMessages() const;
  void clearValidationMessages();

  struct Impl;
  Impl &impl() { return *state; }

private:
  explicit Instance(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> state;
};

/// An open device with one compute queue and every feature of
/// DeviceInfo::features enabled; robust buffer access stays off.
class Device {
public:
  static Result<std::shared_ptr<Device>> open(std::shared_ptr<Instance> instance,
                                              const DeviceInfo &info);
  ~Device();
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  const DeviceInfo &info() const;
  /// The device was lost or stopped answering; only closing it makes sense.
  bool lost() const;
  /// For tests: from now on it is lost, as when a driver says so.
  void simulateLoss();

  struct Impl;
  Impl &impl() { return *state; }

private:
  explicit Device(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> state;
};

} // namespace tailor::vulkan

#endif
