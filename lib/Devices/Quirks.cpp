//===- Devices/Quirks.cpp --------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Devices/Quirks.h"

#include "Devices/Words.h"

#include <algorithm>

namespace tailor {

static constexpr Quirk kQuirks[] = {
#define TAILOR_QUIRK(...) {__VA_ARGS__},
#include "Devices/Quirks.def"
};

std::span<const Quirk> quirks() { return kQuirks; }

std::vector<std::string_view> namesOf(QuirkEffects effects) {
  static constexpr std::string_view kNames[] = {
      "no_device_timestamps",
      "read_queries_on_host",
      "verify_repeatedly",
      "check_writes",
      "divergent_loops_wrong",
      "subgroup_size_unreliable",
      "require_full_subgroups",
      "subgroup_operations_unreliable",
      "workgroup_atomics_unreliable",
      "zero_init_unreliable",
      "literal_sizes_only",
      "storage16_unreliable",
      "cap_buffer_bytes",
      "cap_invocations",
      "version_is_constant",
      "no_pipeline_cache",
      "compiler_fails",
  };
  std::vector<std::string_view> names;
  for (size_t bit = 0; bit < std::size(kNames); ++bit)
    if (effects >> bit & 1)
      names.push_back(kNames[bit]);
  return names;
}

DriverVersion decodeDriverVersion(uint32_t vendorId, uint32_t driverId, uint32_t raw) {
  if (driverId == kDriverMoltenVk)
    return {raw / 10000, raw / 100 % 100, raw % 100, 0};
  if (driverId == kDriverIntelWindows)
    return {raw >> 14, raw & 0x3fff, 0, 0};
  // Mesa's driver for NVIDIA's devices counts as all of Mesa's do.
  if (driverId == kDriverNvidia || (driverId == kDriverUnknown && vendorId == 0x10de))
    return {raw >> 22, raw >> 14 & 0xff, raw >> 6 & 0xff, raw & 0x3f};
  return {raw >> 22, raw >> 12 & 0x3ff, raw & 0xfff, 0};
}

std::vector<const Quirk *> quirksOf(const DeviceIdentity &identity) {
  const Recognition recognition = recognize(identity);
  const std::vector<std::string> words = wordsOf(identity.name);
  const DriverVersion version =
      decodeDriverVersion(identity.vendorId, identity.driverId, identity.driverVersion);
  auto has = [&](const Quirk &quirk) {
    if (quirk.vendorId != 0 && quirk.vendorId != identity.vendorId)
      return false;
    if (quirk.driverId != 0 && quirk.driverId != identity.driverId)
      return false;
    if (!quirk.architecture.empty() &&
        (!recognition.architecture || recognition.architecture->key != quirk.architecture))
      return false;
    if (!quirk.words.empty() && !findWords(words, quirk.words))
      return false;
    if (identity.driverVersion != 0 &&
        ((quirk.since && version < *quirk.since) || (quirk.before && version >= *quirk.before)))
      return false;
    // The lowest bits are the version; the variant above them is none of Vulkan's versions here.
    return !quirk.apiBefore || identity.apiVersion == 0 ||
           (identity.apiVersion & 0x1fffffff) < *quirk.apiBefore;
  };
  std::vector<const Quirk *> found;
  for (const Quirk &quirk : kQuirks)
    if (has(quirk))
      found.push_back(&quirk);
  return found;
}

QuirkEffects effectsOf(const std::vector<const Quirk *> &found) {
  QuirkEffects effects = 0;
  for (const Quirk *quirk : found)
    effects |= quirk->effects;
  return effects;
}

std::optional<uint64_t> capOf(const std::vector<const Quirk *> &found, QuirkEffects cap) {
  std::optional<uint64_t> smallest;
  for (const Quirk *quirk : found)
    if (quirk->effects & cap)
      smallest = std::min(smallest.value_or(quirk->value), quirk->value);
  return smallest;
}

} // namespace tailor
