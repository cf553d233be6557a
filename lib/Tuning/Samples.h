//===- Tuning/Samples.h - Raw times, packed -------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every time that was taken of a candidate, in the order in which it was taken,
// as the bytes that the winners database keeps (docs/formats.md, "Winners
// database"). Packing is exact: what comes out is what went in, to the bit.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_SAMPLES_H
#define TAILOR_TUNING_SAMPLES_H

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tailor {

/// One time of one dispatch.
struct TimeSample {
  double ns = 0;      ///< nanoseconds
  uint32_t round = 0; ///< of the measurement, from 0: candidates take turns, a turn each round
  friend bool operator==(const TimeSample &, const TimeSample &) = default;
};

/// The samples as bytes; none give no bytes.
std::string packSamples(std::span<const TimeSample> samples);

/// What packSamples() packed; nothing for bytes that it cannot have made.
std::optional<std::vector<TimeSample>> unpackSamples(std::string_view bytes);

} // namespace tailor

#endif
