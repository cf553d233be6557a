//===- Vulkan/TickClock.h - Ticks of a device clock to nanoseconds (internal) ===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_VULKAN_TICKCLOCK_H
#define TAILOR_VULKAN_TICKCLOCK_H

#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace tailor::vulkan {

/// Turns timestamps of `validBits` bits into spans. Bits above them are noise,
/// a wrap between two timestamps is allowed for, and a span that is zero or
/// negative is no span. Learns the step in which the clock moves.
class TickClock {
public:
  TickClock(double periodNs, uint32_t validBits)
      : period(periodNs), mask(validBits >= 64 ? UINT64_MAX : (uint64_t{1} << validBits) - 1) {}

  /// Nanoseconds from `begin` to `end`, or none.
  std::optional<double> spanNs(uint64_t begin, uint64_t end) {
    uint64_t ticks = (end - begin) & mask;
    // More than half the clock's range forward is a step back.
    if (ticks == 0 || ticks > mask / 2)
      return std::nullopt;
    step = std::gcd(step, ticks);
    return static_cast<double>(ticks) * period;
  }
  /// The largest step that explains every span seen, in nanoseconds; 0: none seen.
  double stepNs() const { return static_cast<double>(step) * period; }

private:
  double period;
  uint64_t mask;
  uint64_t step = 0;
};

/// The median; the mean of the middle two when there is an even number. 0 of none.
double median(std::span<const double> values);
/// The interquartile range over the median; 0 of fewer than two values.
double relativeSpread(std::span<const double> values);

} // namespace tailor::vulkan

#endif
