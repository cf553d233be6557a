//===- Devices/Quirks.h - Faults of drivers that a tuner has to know ------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quirks.def has them, each with the place where it is reported. Facts alone;
// what to do about an effect is for the tuner to say.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_DEVICES_QUIRKS_H
#define TAILOR_DEVICES_QUIRKS_H

#include "Devices/Recognize.h"

#include <vector>

namespace tailor {

/// What a fault means for measuring and choosing sizes: bits of a set.
using QuirkEffects = uint32_t;
/// Timestamps of the device are zero, late or in a wrong unit: time with the host's clock.
inline constexpr QuirkEffects kNoDeviceTimestamps = 1u << 0;
/// Copies of query results into buffers get lost: read them on the host.
inline constexpr QuirkEffects kReadQueriesOnHost = 1u << 1;
/// Results are wrong in some runs, or only at some sizes: check a winner more often than once.
inline constexpr QuirkEffects kVerifyRepeatedly = 1u << 2;
/// A dispatch can do nothing at all and report no error: look for writes that are missing.
inline constexpr QuirkEffects kCheckWrites = 1u << 3;
/// Loops that invocations of a subgroup leave at different times compute wrong values.
inline constexpr QuirkEffects kDivergentLoopsWrong = 1u << 4;
/// Fewer or more invocations than the reported subgroup size run together.
inline constexpr QuirkEffects kSubgroupSizeUnreliable = 1u << 5;
/// Subgroups are full only where the pipeline asks for full subgroups.
inline constexpr QuirkEffects kRequireFullSubgroups = 1u << 6;
/// Subgroup operations give wrong values or crash the compiler.
inline constexpr QuirkEffects kSubgroupOperationsUnreliable = 1u << 7;
/// Atomics on workgroup memory give wrong values.
inline constexpr QuirkEffects kWorkgroupAtomicsUnreliable = 1u << 8;
/// Workgroup memory with an initializer does not start as zero.
inline constexpr QuirkEffects kZeroInitUnreliable = 1u << 9;
/// Specialization constants in sizes or array lengths are ignored or misread: write literals.
inline constexpr QuirkEffects kLiteralSizesOnly = 1u << 10;
/// 16-bit members of storage buffers, or arithmetic on them, are wrong.
inline constexpr QuirkEffects kStorage16Unreliable = 1u << 11;
/// Storage buffers of more than `value` bytes: their length is misread.
inline constexpr QuirkEffects kCapBufferBytes = 1u << 12;
/// Workgroups of more than `value` invocations, though the driver allows them.
inline constexpr QuirkEffects kCapInvocations = 1u << 13;
/// The driver's version never changes: it says nothing about stale winners.
inline constexpr QuirkEffects kVersionIsConstant = 1u << 14;
/// Pipeline caches are incomplete or corrupt: build each pipeline anew.
inline constexpr QuirkEffects kNoPipelineCache = 1u << 15;
/// Valid modules fail to compile: a candidate that fails is not a fault of its own.
inline constexpr QuirkEffects kCompilerFails = 1u << 16;

/// no_device_timestamps, read_queries_on_host, ...: in the order of the bits.
std::vector<std::string_view> namesOf(QuirkEffects effects);

/// Parts of a driver's version, the first one the most significant.
using DriverVersion = std::array<uint32_t, 4>;

/// `raw` is VkPhysicalDeviceProperties::driverVersion, which vendors encode in their own ways.
/// Intel's driver for Windows has only the last two parts of its version in it, as the first two
/// here; MoltenVK's is decimal.
DriverVersion decodeDriverVersion(uint32_t vendorId, uint32_t driverId, uint32_t raw);

/// VK_MAKE_API_VERSION(0, major, minor, patch).
constexpr uint32_t apiVersion(uint32_t major, uint32_t minor, uint32_t patch) {
  return (major << 22) | (minor << 12) | patch;
}

/// Of a device that all given conditions hold for. 0, empty and nullopt: no condition.
struct Quirk {
  std::string_view key; ///< `moltenvk-zero-timestamps`
  uint32_t vendorId = 0, driverId = 0;
  std::string_view architecture{};       ///< key of an architecture that it is recognized as
  std::string_view words{};              ///< in a row in its name
  std::optional<DriverVersion> since{};  ///< first version with the fault
  std::optional<DriverVersion> before{}; ///< first version without it
  std::optional<uint32_t> apiBefore{};   ///< first Vulkan version without it
  QuirkEffects effects = 0;
  uint64_t value = 0;    ///< of a cap
  std::string_view what; ///< one sentence
  std::string_view link; ///< where it is reported, or worked around
};

std::span<const Quirk> quirks();

/// A device whose version is 0 (not known) has the faults of all versions.
std::vector<const Quirk *> quirksOf(const DeviceIdentity &identity);

/// Effects of all of them.
QuirkEffects effectsOf(const std::vector<const Quirk *> &found);

/// The smallest value of a cap among them; nullopt: none has it.
std::optional<uint64_t> capOf(const std::vector<const Quirk *> &found, QuirkEffects cap);

} // namespace tailor

#endif
