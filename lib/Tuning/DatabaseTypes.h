//===- Tuning/DatabaseTypes.h - What the winners database holds -----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The outcome of tuning one kernel at one problem size on one device, with the
// fate of every candidate, and what is remembered of candidates that did harm.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_DATABASETYPES_H
#define TAILOR_TUNING_DATABASETYPES_H

#include "Support/Dim3.h"
#include "Tuning/Samples.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tailor {

/// What a stored winner belongs to. A change in any part makes it another key,
/// so that a winner is never used for what it was not measured on.
struct WinnerKey {
  std::string moduleHash;  ///< KernelInfo::sourceHash
  std::string variantHash; ///< of the variant set: variantSetHash()
  std::string sizeHash;    ///< ProblemSize::hash()
  std::string deviceKey;   ///< vulkan::DeviceInfo::key()
  friend auto operator<=>(const WinnerKey &, const WinnerKey &) = default;
};

/// The parts of a device key. Names are as the driver gives them.
struct DeviceParts {
  uint32_t vendorId = 0, deviceId = 0;
  uint32_t driverId = 0;      ///< VkDriverId
  uint32_t driverVersion = 0; ///< in the driver's own encoding
  std::string driverInfo, deviceName;
  std::string limits; ///< those that bound a variant, as the key writes them

  /// The same hardware, whatever drives it.
  bool sameDevice(const DeviceParts &other) const {
    return vendorId == other.vendorId && deviceId == other.deviceId;
  }
  /// The same driver in the same version.
  bool sameDriver(const DeviceParts &other) const {
    return driverId == other.driverId && driverVersion == other.driverVersion &&
           driverInfo == other.driverInfo;
  }
  /// May a workgroup of this size run, by the limits of the key? True where they do not say.
  bool allows(const Dim3 &localSize) const;
  friend bool operator==(const DeviceParts &, const DeviceParts &) = default;
};
/// Takes a device key apart; nothing for a text that is none.
std::optional<DeviceParts> parseDeviceKey(std::string_view key);

/// What became of one variant.
enum class CandidateState : uint8_t {
  Measured, ///< verified and timed
  LeftOut,  ///< does not apply to this dispatch or device
  Dropped,  ///< verified, and given up while measuring: clearly slower, or out of budget
  Failed,   ///< the driver refused it or lost the device
  Wrong,    ///< its output differs from the authored kernel's
};
std::string_view nameOf(CandidateState state); ///< "measured", "left_out", ...
std::optional<CandidateState> parseCandidateState(std::string_view name);

/// How a variant failed, for those that did.
enum class CandidateFault : uint8_t {
  None,
  Refused,      ///< the driver made no pipeline of it
  Crashed,      ///< the process that ran it ended
  Hung,         ///< it did not come to an end in its time
  DeviceLost,   ///< the device was lost while it ran
  WroteOutside, ///< it wrote outside its resources
  WrongResult,  ///< its output differs from the authored kernel's
  TooSlow,      ///< a part of the grid said that the whole would pass the budget
};
std::string_view nameOf(CandidateFault fault); ///< "none", "refused", "crashed", ...
std::optional<CandidateFault> parseCandidateFault(std::string_view name);
/// Is a variant with this fault not tried again on the same device, driver and tool? So it is where
/// trying does harm or the result cannot be trusted; a refusal costs little, and may be of the day.
bool isRemembered(CandidateFault fault);

/// A figure of a pipeline that the driver gives (registers, spills, shared bytes, ...).
struct PipelineStatistic {
  std::string name;
  double value = 0;
  friend bool operator==(const PipelineStatistic &, const PipelineStatistic &) = default;
};

struct StoredCandidate {
  std::string variantId;
  Dim3 localSize;
  CandidateState state = CandidateState::LeftOut;
  std::string why{};               ///< for every state but Measured
  double medianNs = 0, spread = 0; ///< nanoseconds a dispatch; a fraction of it
  uint32_t samples = 0;            ///< how many the median is of
  bool verified = false;

  // Since schema 2; what is unknown stays as it is here.
  std::string technique{}, evidence{}; ///< "resize", "proven"
  std::string moduleHash{};            ///< SHA-256 of the variant's own SPIR-V
  CandidateFault fault = CandidateFault::None;
  double expectedNs = 0,
         boundNs = 0;        ///< of the cost model; boundNs: nothing can be faster; 0: not known
  uint32_t subgroupSize = 0; ///< required of the pipeline; 0: the driver's choice
  double compileSeconds = 0, verifySeconds = 0, measureSeconds = 0; ///< spent on it
  std::vector<TimeSample> times{};                                  ///< every sample, in order
  std::vector<PipelineStatistic> statistics{};                      ///< in the driver's order

  /// Has a time that was taken of a variant whose output was right.
  bool isTimed() const {
    return verified && medianNs > 0 &&
           (state == CandidateState::Measured || state == CandidateState::Dropped);
  }
  friend bool operator==(const StoredCandidate &, const StoredCandidate &) = default;
};

/// Why a candidate was dropped.
inline constexpr std::string_view kBudgetEnded = "the budget ended before its turn";
inline constexpr std::string_view kSearchPassed = "the search did not come to it";
/// Why a candidate has no time, in a word: `unfit` (it does not apply to the dispatch or the
/// device), `search` (which did not come to it), `budget`, `slow`, `refused`, `wrong`, `crashed`,
/// `hung`, `lost` (the device, while it ran), `unverified`. Empty for one that has.
std::string_view whyNotTimed(const StoredCandidate &candidate);

/// The variant's id, with the subgroup size that is required of it: "resize-64x1x1 (subgroups of
/// 32)".
std::string titleOf(const StoredCandidate &candidate);
std::string titleOf(const std::string &variantId, uint32_t subgroupSize);

/// How the candidates were searched.
struct SearchRecord {
  std::string strategy{};   ///< "auto", "exhaustive", ...; empty: not known
  std::string ended{};      ///< why it stopped, in words
  double budgetSeconds = 0; ///< 0: none
  double compileSeconds = 0, verifySeconds = 0, measureSeconds = 0; ///< spent in all
  friend bool operator==(const SearchRecord &, const SearchRecord &) = default;
};

struct StoredWinner {
  WinnerKey key;
  std::string kernel, entryPoint, sizeName, deviceName;
  Dim3 groups; ///< authored group counts
  Dim3 authoredSize;
  std::string winnerId; ///< "authored" when nothing beat it
  Dim3 winnerSize;
  double winnerNs = 0, winnerSpread = 0, authoredNs = 0, authoredSpread = 0;
  uint32_t samples = 0; ///< of the winner
  double ratio = 1;     ///< authoredNs / winnerNs
  bool verified = false;
  std::string tool; ///< "spirv-tailor 0.1.0"
  std::string date; ///< as the caller gives it, ISO 8601 by convention
  std::vector<StoredCandidate> candidates;

  // Since schema 2; what is unknown stays as it is here.
  SearchRecord search{};
  uint32_t winnerSubgroupSize = 0; ///< required of the pipeline; 0: the driver's choice
  double noise = 0;                ///< the fraction that a winner had to gain here
  bool tie = false;                ///< something was faster by less than that
  bool hostClock = false;          ///< timed without device timestamps
  /// Of the device: kept once for all outcomes of a device key, the last ones stored count.
  std::string vendor{}, architecture{}; ///< as lib/Devices calls them
  std::string deviceFacts{};            ///< JSON, as whoever stores it likes

  const StoredCandidate *candidate(std::string_view id, uint32_t subgroupSize = 0) const;
  friend bool operator==(const StoredWinner &, const StoredWinner &) = default;
};

/// A variant that is not tried again on this device, with this driver and tool.
struct KnownBad {
  std::string moduleHash{}; ///< SHA-256 of the variant's own SPIR-V
  std::string deviceKey{};
  uint32_t subgroupSize = 0; ///< required of the pipeline; 0: the driver's choice
  CandidateFault fault = CandidateFault::None;
  std::string why{}, kernel{}, variantId{}, tool{}, date{};
  friend bool operator==(const KnownBad &, const KnownBad &) = default;
};
/// What is to be remembered of an outcome's candidates.
std::vector<KnownBad> badOf(const StoredWinner &outcome);

} // namespace tailor

#endif
