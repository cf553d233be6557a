//===- Tuning/DatabaseTypes.cpp --------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/DatabaseTypes.h"

#include "Support/TextScan.h"

#include <utility>

namespace tailor {

namespace {

constexpr std::pair<CandidateState, std::string_view> kStates[] = {
    {CandidateState::Measured, "measured"}, {CandidateState::LeftOut, "left_out"},
    {CandidateState::Dropped, "dropped"},   {CandidateState::Failed, "failed"},
    {CandidateState::Wrong, "wrong"},
};

constexpr std::pair<CandidateFault, std::string_view> kFaults[] = {
    {CandidateFault::None, "none"},
    {CandidateFault::Refused, "refused"},
    {CandidateFault::Crashed, "crashed"},
    {CandidateFault::Hung, "hung"},
    {CandidateFault::DeviceLost, "device_lost"},
    {CandidateFault::WroteOutside, "wrote_outside"},
    {CandidateFault::WrongResult, "wrong_result"},
    {CandidateFault::TooSlow, "too_slow"},
};

template <typename T, size_t N>
std::string_view nameIn(const std::pair<T, std::string_view> (&table)[N], T value) {
  for (const auto &[known, name] : table)
    if (known == value)
      return name;
  return "";
}

template <typename T, size_t N>
std::optional<T> parseIn(const std::pair<T, std::string_view> (&table)[N], std::string_view name) {
  for (const auto &[value, known] : table)
    if (known == name)
      return value;
  return std::nullopt;
}

/// What stands behind `name` in `;`-separated limits; empty where it is not there.
std::string_view limitOf(std::string_view limits, std::string_view name) {
  for (size_t at = 0; at < limits.size();) {
    size_t end = std::min(limits.find(';', at), limits.size());
    std::string_view part = limits.substr(at, end - at);
    if (take(part, name) && take(part, "="))
      return part;
    at = end + 1;
  }
  return {};
}

} // namespace

std::string_view nameOf(CandidateState state) { return nameIn(kStates, state); }
std::optional<CandidateState> parseCandidateState(std::string_view name) {
  return parseIn(kStates, name);
}
std::string_view nameOf(CandidateFault fault) { return nameIn(kFaults, fault); }
std::optional<CandidateFault> parseCandidateFault(std::string_view name) {
  return parseIn(kFaults, name);
}

bool isRemembered(CandidateFault fault) {
  switch (fault) {
  case CandidateFault::None:
  case CandidateFault::Refused:
  case CandidateFault::TooSlow:
    return false;
  case CandidateFault::Crashed:
  case CandidateFault::Hung:
  case CandidateFault::DeviceLost:
  case CandidateFault::WroteOutside:
  case CandidateFault::WrongResult:
    return true;
  }
  return false;
}

std::optional<DeviceParts> parseDeviceKey(std::string_view key) {
  DeviceParts parts;
  auto number = [&key](std::string_view name, uint32_t &value) {
    if (!take(key, name))
      return false;
    std::optional<uint32_t> read = takeNumber(key);
    value = read.value_or(0);
    return read.has_value();
  };
  if (!number("vendor=", parts.vendorId) || !number(";device=", parts.deviceId) ||
      !number(";driver=", parts.driverId) || !number(";driverVersion=", parts.driverVersion) ||
      !take(key, ";driverInfo="))
    return std::nullopt;
  // Drivers write what they like into the two texts; the limits after them are ours.
  size_t limits = key.rfind(";localSize=");
  size_t name = key.find(";name=");
  if (limits == std::string_view::npos || name >= limits)
    return std::nullopt;
  parts.driverInfo = key.substr(0, name);
  size_t begin = name + std::string_view(";name=").size();
  if (begin > limits)
    return std::nullopt;
  parts.deviceName = key.substr(begin, limits - begin);
  parts.limits = key.substr(limits + 1);
  return parts;
}

bool DeviceParts::allows(const Dim3 &localSize) const {
  if (std::optional<Dim3> most = parseDim3(limitOf(limits, "localSize")))
    for (unsigned axis = 0; axis < 3; ++axis)
      if (localSize[axis] > (*most)[axis])
        return false;
  std::string_view invocations = limitOf(limits, "invocations");
  std::optional<uint32_t> most = takeNumber(invocations);
  return !most || localSize.product() <= *most;
}

std::string_view whyNotTimed(const StoredCandidate &candidate) {
  if (candidate.isTimed())
    return "";
  switch (candidate.fault) {
  case CandidateFault::None:
    break;
  case CandidateFault::Refused:
    return "refused";
  case CandidateFault::Crashed:
    return "crashed";
  case CandidateFault::Hung:
    return "hung";
  case CandidateFault::DeviceLost:
    return "lost";
  case CandidateFault::WroteOutside:
  case CandidateFault::WrongResult:
    return "wrong";
  case CandidateFault::TooSlow:
    return "slow";
  }
  switch (candidate.state) {
  case CandidateState::LeftOut:
    return "unfit";
  case CandidateState::Dropped:
    return candidate.why == kSearchPassed ? "search" : "budget";
  case CandidateState::Failed:
    return "refused";
  case CandidateState::Measured:
    return "unverified";
  case CandidateState::Wrong:
    return "wrong";
  }
  return "";
}

std::string titleOf(const std::string &variantId, uint32_t subgroupSize) {
  if (subgroupSize == 0)
    return variantId;
  return variantId + " (subgroups of " + std::to_string(subgroupSize) + ")";
}

std::string titleOf(const StoredCandidate &candidate) {
  return titleOf(candidate.variantId, candidate.subgroupSize);
}

const StoredCandidate *StoredWinner::candidate(std::string_view id, uint32_t subgroupSize) const {
  for (const StoredCandidate &each : candidates)
    if (each.variantId == id && each.subgroupSize == subgroupSize)
      return &each;
  return nullptr;
}

std::vector<KnownBad> badOf(const StoredWinner &outcome) {
  std::vector<KnownBad> bad;
  for (const StoredCandidate &candidate : outcome.candidates) {
    CandidateFault fault = candidate.fault;
    if (fault == CandidateFault::None && candidate.state == CandidateState::Wrong)
      fault = CandidateFault::WrongResult;
    if (candidate.moduleHash.empty() || !isRemembered(fault))
      continue;
    bad.push_back({candidate.moduleHash, outcome.key.deviceKey, candidate.subgroupSize, fault,
                   candidate.why, outcome.kernel, candidate.variantId, outcome.tool, outcome.date});
  }
  return bad;
}

} // namespace tailor
