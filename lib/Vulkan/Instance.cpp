//===- Vulkan/Instance.cpp - The loader's instance and its devices ------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Vulkan/Features.h"
#include "Vulkan/Handles.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdlib>
#include <cstring>

namespace tailor::vulkan {

namespace {

constexpr const char *kValidationLayer = "VK_LAYER_KHRONOS_validation";

VKAPI_ATTR VkBool32 VKAPI_CALL onMessage(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                         VkDebugUtilsMessageTypeFlagsEXT,
                                         const VkDebugUtilsMessengerCallbackDataEXT *data,
                                         void *user) {
  auto &impl = *static_cast<Instance::Impl *>(user);
  std::lock_guard lock(impl.mutex);
  impl.messages.emplace_back(data->pMessage ? data->pMessage : "");
  return VK_FALSE;
}

bool hasLayer(const char *name) {
  uint32_t count = 0;
  vkEnumerateInstanceLayerProperties(&count, nullptr);
  std::vector<VkLayerProperties> layers(count);
  vkEnumerateInstanceLayerProperties(&count, layers.data());
  return std::any_of(layers.begin(), layers.end(), [&](const VkLayerProperties &layer) {
    return std::strcmp(layer.layerName, name) == 0;
  });
}

bool hasExtension(const char *layer, const char *name) {
  uint32_t count = 0;
  vkEnumerateInstanceExtensionProperties(layer, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  vkEnumerateInstanceExtensionProperties(layer, &count, extensions.data());
  return std::any_of(extensions.begin(), extensions.end(), [&](const VkExtensionProperties &e) {
    return std::strcmp(e.extensionName, name) == 0;
  });
}

Failure noDevice(const std::string &why) {
  Diagnostic diagnostic =
      Diagnostic::error({}, "no Vulkan device was found: " + why, ErrorKind::Environment);
  const char *files = std::getenv("VK_DRIVER_FILES");
  diagnostic.addNote({}, files
                             ? "VK_DRIVER_FILES is '" + std::string(files) +
                                   "': each file that it names must exist and be a driver manifest"
                             : std::string("install a Vulkan driver (mesa-vulkan-drivers has one "
                                           "for the CPU), or name driver manifests in "
                                           "VK_DRIVER_FILES"));
  return failure(std::move(diagnostic));
}

Status createInstance(Instance::Impl &impl, bool validation) {
  uint32_t loaderVersion = VK_API_VERSION_1_0;
  vkEnumerateInstanceVersion(&loaderVersion);
  if (loaderVersion < VK_API_VERSION_1_1)
    return failure({}, "the Vulkan loader is older than version 1.1", ErrorKind::Environment);
  impl.apiVersion = std::min<uint32_t>(loaderVersion, VK_API_VERSION_1_3);
  if (validation && !hasLayer(kValidationLayer))
    return failure({},
                   "validation was asked for, but " + std::string(kValidationLayer) +
                       " is not installed (the package vulkan-validationlayers has it)",
                   ErrorKind::Environment);
  impl.validating = validation;

  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pApplicationName = "spirv-tailor";
  application.apiVersion = impl.apiVersion;

  VkDebugUtilsMessengerCreateInfoEXT messenger{};
  messenger.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
  messenger.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                              VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                          VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
  messenger.pfnUserCallback = onMessage;
  messenger.pUserData = &impl;

  const VkValidationFeatureEnableEXT synchronization =
      VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  VkValidationFeaturesEXT features{};
  features.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT;
  features.enabledValidationFeatureCount = 1;
  features.pEnabledValidationFeatures = &synchronization;
  features.pNext = &messenger;

  std::vector<const char *> extensions;
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  if (validation) {
    info.pNext = &features;
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &kValidationLayer;
    extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    if (hasExtension(kValidationLayer, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME))
      extensions.push_back(VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
  }
  if (hasExtension(nullptr, "VK_KHR_portability_enumeration")) {
    extensions.push_back("VK_KHR_portability_enumeration");
    info.flags |= VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
  }
  info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  VkResult result = vkCreateInstance(&info, nullptr, &impl.instance);
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
    return noDevice("no driver could be loaded");
  if (result != VK_SUCCESS)
    return vkFailure("creating the Vulkan instance", result);
  if (!validation)
    return success();
  auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
      vkGetInstanceProcAddr(impl.instance, "vkCreateDebugUtilsMessengerEXT"));
  result = create ? create(impl.instance, &messenger, nullptr, &impl.messenger)
                  : VK_ERROR_EXTENSION_NOT_PRESENT;
  if (result != VK_SUCCESS)
    return vkFailure("listening to the validation layer", result);
  return success();
}

int rankOf(DeviceType type) {
  switch (type) {
  case DeviceType::DiscreteGpu:
    return 0;
  case DeviceType::IntegratedGpu:
    return 1;
  case DeviceType::VirtualGpu:
    return 2;
  case DeviceType::Cpu:
    return 3;
  case DeviceType::Other:
    break;
  }
  return 4;
}

/// Sorts, then makes the names unique: the second of one name is "NAME (2)".
void orderDevices(std::vector<DeviceInfo> &devices) {
  auto rank = [](const DeviceInfo &d) {
    return std::make_tuple(rankOf(d.type), std::string_view(d.deviceName), d.vendorId, d.deviceId,
                           d.driverId, d.driverVersion, d.index);
  };
  std::sort(devices.begin(), devices.end(),
            [&](const DeviceInfo &a, const DeviceInfo &b) { return rank(a) < rank(b); });
  for (size_t i = 0; i != devices.size(); ++i) {
    auto equal =
        std::count_if(devices.begin(), devices.begin() + static_cast<std::ptrdiff_t>(i),
                      [&](const DeviceInfo &d) { return d.deviceName == devices[i].deviceName; });
    devices[i].name = devices[i].deviceName;
    if (equal != 0)
      devices[i].name += " (" + std::to_string(equal + 1) + ")";
  }
}

std::string lowerCase(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

} // namespace

bool validationWanted() {
  const char *value = std::getenv("TAILOR_VALIDATION");
  return value && std::string_view(value) == "1";
}

Instance::Impl::~Impl() {
  if (messenger != VK_NULL_HANDLE) {
    auto destroy = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(instance, "vkDestroyDebugUtilsMessengerEXT"));
    if (destroy)
      destroy(instance, messenger, nullptr);
  }
  if (instance != VK_NULL_HANDLE)
    vkDestroyInstance(instance, nullptr);
}

namespace {
std::atomic<unsigned> alive = 0;
} // namespace

Instance::Instance(std::unique_ptr<Impl> impl) : state(std::move(impl)) { ++alive; }
Instance::~Instance() { --alive; }
bool Instance::isAnyAlive() { return alive != 0; }

Result<std::shared_ptr<Instance>> Instance::create(bool validation) {
  auto impl = std::make_unique<Impl>();
  if (Status made = createInstance(*impl, validation || validationWanted()); !made)
    return made.takeFailure();
  uint32_t count = 0;
  VkResult result = vkEnumeratePhysicalDevices(impl->instance, &count, nullptr);
  if (result == VK_SUCCESS) {
    impl->physical.resize(count);
    result = vkEnumeratePhysicalDevices(impl->instance, &count, impl->physical.data());
    impl->physical.resize(count);
  }
  if (result != VK_SUCCESS && result != VK_INCOMPLETE)
    return noDevice(describe(result));
  for (uint32_t i = 0; i != count; ++i) {
    if (!canCompute(impl->physical[i], impl->apiVersion))
      continue;
    DeviceInfo info;
    info.index = i;
    readDeviceInfo(impl->physical[i], impl->apiVersion, info);
    impl->devices.push_back(std::move(info));
  }
  if (impl->devices.empty())
    return noDevice(count == 0 ? "the drivers report none"
                               : "none can compute under Vulkan 1.1 or later");
  orderDevices(impl->devices);
  return std::shared_ptr<Instance>(new Instance(std::move(impl)));
}

const std::vector<DeviceInfo> &Instance::devices() const { return state->devices; }
bool Instance::validating() const { return state->validating; }

Result<DeviceInfo> Instance::find(std::string_view name) const {
  std::string wanted = lowerCase(name);
  std::vector<const DeviceInfo *> matches;
  for (const DeviceInfo &info : state->devices) {
    if (lowerCase(info.name) == wanted)
      return info;
    if (lowerCase(info.name).find(wanted) != std::string::npos)
      matches.push_back(&info);
  }
  if (matches.size() == 1)
    return *matches.front();
  Diagnostic diagnostic = Diagnostic::error(
      {},
      matches.empty() ? "no device is named '" + std::string(name) + "'"
                      : "several devices have '" + std::string(name) + "' in their name",
      ErrorKind::Environment);
  for (const DeviceInfo &info : state->devices)
    diagnostic.addNote({}, "there is '" + info.name + "'");
  return failure(std::move(diagnostic));
}

std::vector<std::string> Instance::validationMessages() const {
  std::lock_guard lock(state->mutex);
  return state->messages;
}

void Instance::clearValidationMessages() {
  std::lock_guard lock(state->mutex);
  state->messages.clear();
}

} // namespace tailor::vulkan
