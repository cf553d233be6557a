//===- Tuning/Lookup.h - What the database knows of a device --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which stored outcome speaks for a kernel on a device, and how well: one of
// exactly this device and driver, of the same device with another driver, of a
// device of its architecture, of its vendor, or none. And whether an outcome
// still stands: drivers and tools change.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_LOOKUP_H
#define TAILOR_TUNING_LOOKUP_H

#include "Tuning/Database.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tailor {

/// Who made a device, and after which plan. Empty: not known.
struct DeviceFamily {
  std::string vendor, architecture;
};
/// Recognizes a device by its ids and its name.
using Recognizer = std::function<DeviceFamily(const DeviceParts &)>;
/// By lib/Devices' recognition.
DeviceFamily recognizeDevice(const DeviceParts &device);

enum class LookupTier : uint8_t {
  Exact,        ///< this device, driver and limits
  OtherDriver,  ///< this device with another driver, or another version of it
  Architecture, ///< another device of its architecture
  Vendor,       ///< another device of its vendor
  Model,        ///< nothing that was measured speaks for it
};
std::string_view nameOf(LookupTier tier); ///< "exact", "other_driver", ...

struct LookupAnswer {
  LookupTier tier = LookupTier::Model;
  bool toolChanged = false;            ///< another version of the tool measured it
  std::optional<StoredWinner> outcome; ///< nothing for Model
  std::string why;                     ///< the tier, in words

  /// Nothing has changed since: there is no need to measure again.
  bool isCurrent() const { return tier == LookupTier::Exact && !toolChanged; }
};

/// The best answer for this key: the first tier that has an outcome whose winner the device's
/// limits allow, and in it the one measured last. Only outcomes of the same module, variant set and
/// problem size count. In the tiers below Exact a winner is advice: whether it applies to the
/// dispatch and the device is still to be checked.
Result<LookupAnswer> lookUp(Database &database, const WinnerKey &key, const std::string &tool,
                            const Recognizer &recognize = recognizeDevice);
/// The same among outcomes that are at hand.
LookupAnswer lookUp(std::span<const StoredWinner> outcomes, const WinnerKey &key,
                    const std::string &tool, const Recognizer &recognize = recognizeDevice);

/// How far a dispatch is from one that was measured, in authored groups: first by the ratio of the
/// numbers of groups, then by the ratios of the axes, both as logarithms. Equal ones are 0, 0.
std::pair<double, double> sizeDistance(const Dim3 &groups, const Dim3 &measured);
/// Of each module, variant set and device only the outcome whose problem size is the nearest to
/// `groups`; of two that are as near, the larger one, then the one measured later. Keeps the order.
void keepNearestSizes(std::vector<StoredWinner> &outcomes, const Dim3 &groups);

/// Whether an outcome still stands.
struct Standing {
  bool driverChanged = false, toolChanged = false;
  std::string why; ///< in words; empty where it stands

  bool isStale() const { return driverChanged || toolChanged; }
};

/// The driver that each device has now.
class CurrentDrivers {
public:
  /// `here`: the keys of the devices at hand, which count most. Of a device that is not at hand the
  /// driver of the latest outcome counts, driver by driver.
  CurrentDrivers(std::span<const std::string> here, std::span<const StoredWinner> outcomes);

  Standing standingOf(const StoredWinner &outcome, const std::string &tool) const;
  Standing standingOf(const KnownBad &bad, const std::string &tool) const;

private:
  struct Known {
    std::string key, date;
    DeviceParts parts;
  };
  Standing judge(const std::string &deviceKey, const std::string &madeBy,
                 const std::string &tool) const;
  std::vector<Known> devicesHere, devicesSeen;
};

} // namespace tailor

#endif
