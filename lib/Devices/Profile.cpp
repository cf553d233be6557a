//===- Devices/Profile.cpp -------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Devices/Profile.h"

#include "llvm/ADT/StringRef.h"

#include <climits>

namespace tailor {

static constexpr uint64_t kKiB = 1024;
static constexpr uint64_t kMiB = 1024 * kKiB;

static constexpr DeviceProfile kArchitectures[] = {
#define TAILOR_ARCHITECTURE(KEY, NAME, VENDOR, ...)                                                \
  {.key = KEY,                                                                                     \
   .name = NAME,                                                                                   \
   .vendor = VENDOR,                                                                               \
   .architecture = NAME,                                                                           \
   .architectureKey = KEY,                                                                         \
   __VA_ARGS__},
#include "Devices/Architectures.def"
};

template <typename Fact> static constexpr void fill(Fact &fact, const Fact &other) {
  if (!fact)
    fact = other;
}

static constexpr void fill(UnitFacts &unit, const UnitFacts &other) {
  fill(unit.units, other.units);
  fill(unit.invocations, other.invocations);
  fill(unit.groups, other.groups);
  fill(unit.sharedBytes, other.sharedBytes);
  fill(unit.reservedBytesPerGroup, other.reservedBytesPerGroup);
  fill(unit.registers, other.registers);
  fill(unit.registersPerInvocation, other.registersPerInvocation);
  fill(unit.fp32Lanes, other.fp32Lanes);
}

/// `profile` with its architecture's facts where it has none. Does not compile where there is no
/// architecture of this key.
static consteval DeviceProfile withArchitecture(std::string_view key, DeviceProfile profile) {
  if (key.empty())
    return profile;
  const DeviceProfile *found = nullptr;
  for (const DeviceProfile &architecture : kArchitectures)
    if (architecture.key == key)
      found = &architecture;
  const DeviceProfile &shared = *found;
  profile.vendor = shared.vendor;
  profile.architecture = shared.name;
  profile.architectureKey = shared.key;
  fill(profile.subgroupMin, shared.subgroupMin);
  fill(profile.subgroupMax, shared.subgroupMax);
  fill(profile.maxInvocations, shared.maxInvocations);
  fill(profile.maxSize, shared.maxSize);
  fill(profile.maxSharedBytes, shared.maxSharedBytes);
  fill(profile.maxGroups, shared.maxGroups);
  fill(profile.unit, shared.unit);
  return profile;
}

static constexpr DeviceProfile kProfiles[] = {
#define TAILOR_DEVICE(ARCHITECTURE, ...) withArchitecture(ARCHITECTURE, DeviceProfile{__VA_ARGS__}),
#include "Devices/Devices.def"
};

std::span<const DeviceProfile> deviceProfiles() { return kProfiles; }
std::span<const DeviceProfile> architectures() { return kArchitectures; }

const DeviceProfile *findArchitecture(std::string_view key) {
  for (const DeviceProfile &architecture : kArchitectures)
    if (architecture.key == key)
      return &architecture;
  return nullptr;
}

Result<const DeviceProfile *> findProfile(std::string_view key) {
  const DeviceProfile *nearest = nullptr;
  unsigned distance = UINT_MAX;
  for (const DeviceProfile &profile : kProfiles) {
    if (profile.key == key)
      return &profile;
    unsigned edits = llvm::StringRef(profile.key).edit_distance(llvm::StringRef(key));
    if (edits < distance) {
      distance = edits;
      nearest = &profile;
    }
  }
  Failure unknown =
      failure({}, "there is no device profile '" + std::string(key) + "'", ErrorKind::Usage);
  if (nearest && distance <= key.size() / 2)
    unknown.diagnostic.addNote({}, "did you mean '" + std::string(nearest->key) + "'?");
  unknown.diagnostic.addNote({}, "`--profile list` lists them");
  return unknown;
}

} // namespace tailor
