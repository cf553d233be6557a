//===- Devices/Recognize.cpp -----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Devices/Recognize.h"

#include "Devices/Words.h"

#include <algorithm>
#include <vector>

namespace tailor {

namespace {

struct DeviceIdRow {
  uint32_t vendorId, deviceId;
  std::string_view profile;
};
struct DeviceNameRow {
  std::string_view words, profile;
};
struct ArchitectureIdRow {
  uint32_t vendorId, mask, id;
  std::string_view architecture;
};
struct ArchitectureNameRow {
  std::string_view words, vendor, architecture;
};
struct VendorRow {
  uint32_t vendorId, driverId;
  std::string_view word, vendor;
};

constexpr DeviceIdRow kDeviceIds[] = {
#define TAILOR_DEVICE_ID(VENDOR_ID, DEVICE_ID, PROFILE) {VENDOR_ID, DEVICE_ID, PROFILE},
#include "Devices/Recognition.def"
};
constexpr DeviceNameRow kDeviceNames[] = {
#define TAILOR_DEVICE_NAME(WORDS, PROFILE) {WORDS, PROFILE},
#include "Devices/Recognition.def"
};
constexpr ArchitectureIdRow kArchitectureIds[] = {
#define TAILOR_ARCHITECTURE_ID(VENDOR_ID, MASK, ID, ARCHITECTURE)                                  \
  {VENDOR_ID, MASK, ID, ARCHITECTURE},
#include "Devices/Recognition.def"
};
constexpr ArchitectureNameRow kArchitectureNames[] = {
#define TAILOR_ARCHITECTURE_NAME(WORDS, VENDOR, ARCHITECTURE) {WORDS, VENDOR, ARCHITECTURE},
#include "Devices/Recognition.def"
};

/// Drivers that one maker's devices have come first: some of them report Mesa's vendor id.
constexpr VendorRow kVendors[] = {
    {0, kDriverHoneykrisp, "", "Apple"},
    {0, kDriverLlvmpipe, "", "Mesa"},
    {0, kDriverSwiftShader, "", "Google"},
    {0x1002, 0, "radeon", "AMD"},
    {0x1010, 0, "powervr", "Imagination"},
    {0x106b, 0, "apple", "Apple"},
    {0x10de, 0, "nvidia", "NVIDIA"},
    {0x13b5, 0, "mali", "Arm"},
    {0x144d, 0, "xclipse", "Samsung"},
    {0x14e4, 0, "v3d", "Broadcom"},
    {0x19e5, 0, "maleoon", "Huawei"},
    {0x1ae0, 0, "swiftshader", "Google"},
    {0x5143, 0, "adreno", "Qualcomm"},
    {0x8086, 0, "intel", "Intel"},
    {0, 0, "immortalis", "Arm"},
    {0, 0, "geforce", "NVIDIA"},
    {0, 0, "llvmpipe", "Mesa"},
    {0, 0, "amd", "AMD"},
};

/// Words that make another product of the words before them.
constexpr std::string_view kVariantWords[] = {
    "2048sp", "d",     "gre", "laptop", "max", "maxq", "mobile",
    "pro",    "super", "ti",  "ultra",  "xt",  "xtx",
};

const DeviceProfile *profileOf(std::string_view key) {
  for (const DeviceProfile &profile : deviceProfiles())
    if (profile.key == key)
      return &profile;
  return nullptr;
}

/// Row of one product with this id; nullptr: there is none.
const DeviceIdRow *deviceIdRow(const DeviceIdentity &identity) {
  for (const DeviceIdRow &row : kDeviceIds)
    if (row.vendorId == identity.vendorId && row.deviceId == identity.deviceId)
      return &row;
  return nullptr;
}

/// By the longest row that matches: `apple m1 max` before `apple m1`.
const DeviceProfile *profileByName(const std::vector<std::string> &words, std::string_view vendor) {
  const DeviceProfile *best = nullptr;
  size_t bestLength = 0;
  for (const DeviceNameRow &row : kDeviceNames) {
    const DeviceProfile *profile = profileOf(row.profile);
    if (!vendor.empty() && vendor != profile->vendor)
      continue;
    std::optional<size_t> end = findWords(words, row.words);
    if (!end || row.words.size() <= bestLength)
      continue;
    if (*end < words.size() && std::find(std::begin(kVariantWords), std::end(kVariantWords),
                                         words[*end]) != std::end(kVariantWords))
      continue;
    best = profile;
    bestLength = row.words.size();
  }
  return best;
}

const DeviceProfile *architectureById(const DeviceIdentity &identity) {
  for (const ArchitectureIdRow &row : kArchitectureIds)
    if (row.vendorId == identity.vendorId && (identity.deviceId & row.mask) == row.id)
      return findArchitecture(row.architecture);
  return nullptr;
}

const DeviceProfile *architectureByName(const std::vector<std::string> &words,
                                        std::string_view vendor) {
  for (const ArchitectureNameRow &row : kArchitectureNames)
    if ((vendor.empty() || row.vendor == vendor) && findWords(words, row.words))
      return findArchitecture(row.architecture);
  return nullptr;
}

bool contradicts(const DeviceProfile &profile, const ReportedLimits &limits) {
  if (!limits.subgroupSize)
    return false;
  return (profile.subgroupMin && *limits.subgroupSize < *profile.subgroupMin) ||
         (profile.subgroupMax && *limits.subgroupSize > *profile.subgroupMax);
}

} // namespace

std::string_view nameOf(RecognizedBy by) {
  switch (by) {
  case RecognizedBy::DeviceId:
    return "device_id";
  case RecognizedBy::Name:
    return "name";
  case RecognizedBy::ArchitectureId:
    return "architecture_id";
  case RecognizedBy::ArchitectureName:
    return "architecture_name";
  case RecognizedBy::Vendor:
    return "vendor";
  case RecognizedBy::Nothing:
    return "nothing";
  }
  return "";
}

std::string_view vendorOf(const DeviceIdentity &identity) {
  for (const VendorRow &row : kVendors)
    if ((row.driverId != 0 && row.driverId == identity.driverId) ||
        (row.vendorId != 0 && row.vendorId == identity.vendorId))
      return row.vendor;
  const std::vector<std::string> words = wordsOf(identity.name);
  for (const VendorRow &row : kVendors)
    if (!row.word.empty() && std::find(words.begin(), words.end(), row.word) != words.end())
      return row.vendor;
  return {};
}

Recognition recognize(const DeviceIdentity &identity, const ReportedLimits &limits) {
  Recognition result;
  result.vendor = vendorOf(identity);
  const std::vector<std::string> words = wordsOf(identity.name);
  auto take = [&](const DeviceProfile *profile, RecognizedBy by) {
    if (result.by != RecognizedBy::Nothing || !profile || contradicts(*profile, limits))
      return;
    result.profile = profile;
    result.architecture = findArchitecture(profile->architectureKey);
    result.vendor = profile->vendor;
    result.by = by;
  };
  auto takeArchitecture = [&](const DeviceProfile *architecture, RecognizedBy by) {
    if (result.by != RecognizedBy::Nothing || !architecture || contradicts(*architecture, limits))
      return;
    result.architecture = architecture;
    result.vendor = architecture->vendor;
    result.by = by;
  };
  const DeviceIdRow *row = deviceIdRow(identity);
  if (row)
    take(profileOf(row->profile), RecognizedBy::DeviceId);
  if (!row || !row->profile.empty())
    take(profileByName(words, result.vendor), RecognizedBy::Name);
  takeArchitecture(architectureById(identity), RecognizedBy::ArchitectureId);
  takeArchitecture(architectureByName(words, result.vendor), RecognizedBy::ArchitectureName);
  if (result.by == RecognizedBy::Nothing && !result.vendor.empty())
    result.by = RecognizedBy::Vendor;
  return result;
}

DeviceProfile profileFromLimits(const Recognition &recognition, const ReportedLimits &limits) {
  DeviceProfile profile;
  if (recognition.profile) {
    profile = *recognition.profile;
  } else if (recognition.architecture) {
    profile = *recognition.architecture;
  } else {
    profile.vendor = recognition.vendor;
    profile.source = "limits that the driver reports";
  }
  if (!recognition.profile) {
    profile.key = "generic";
    profile.name = recognition.architecture ? recognition.architecture->name
                                            : "a device that is not in the table";
  }
  auto take = [](auto &fact, const auto &reported) {
    if (reported)
      fact = reported;
  };
  take(profile.subgroupMin, limits.subgroupMin ? limits.subgroupMin : limits.subgroupSize);
  take(profile.subgroupMax, limits.subgroupMax ? limits.subgroupMax : limits.subgroupSize);
  take(profile.maxInvocations, limits.maxInvocations);
  take(profile.maxSize, limits.maxSize);
  take(profile.maxSharedBytes, limits.maxSharedBytes);
  take(profile.maxGroups, limits.maxGroups);
  return profile;
}

} // namespace tailor
