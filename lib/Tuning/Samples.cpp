//===- Tuning/Samples.cpp --------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One byte for the form of the rest (1), then for each sample the steps from
// the round before (zigzag, seven bits a byte, low ones first) and the eight
// bytes of the IEEE 754 double, low byte first. Samples of one round stand
// together, so that the steps nearly always take one byte.
//
//===----------------------------------------------------------------------===//
#include "Tuning/Samples.h"

#include <bit>
#include <cmath>

namespace tailor {

namespace {

constexpr char kForm = 1;

void putNumber(std::string &bytes, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    bytes.push_back(static_cast<char>(value | 0x80));
  bytes.push_back(static_cast<char>(value));
}

/// Takes what putNumber() put; nothing where the bytes end or go beyond 64 bits.
std::optional<uint64_t> takeNumber(std::string_view &bytes) {
  uint64_t value = 0;
  for (unsigned shift = 0; !bytes.empty() && shift < 64; shift += 7) {
    auto byte = static_cast<uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    value |= uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80)
      return value;
  }
  return std::nullopt;
}

} // namespace

std::string packSamples(std::span<const TimeSample> samples) {
  std::string bytes;
  if (samples.empty())
    return bytes;
  bytes.reserve(1 + samples.size() * 9);
  bytes.push_back(kForm);
  int64_t before = 0;
  for (const TimeSample &sample : samples) {
    int64_t step = int64_t{sample.round} - before;
    before = sample.round;
    putNumber(bytes, (static_cast<uint64_t>(step) << 1) ^ static_cast<uint64_t>(step >> 63));
    auto bits = std::bit_cast<uint64_t>(sample.ns);
    for (unsigned shift = 0; shift < 64; shift += 8)
      bytes.push_back(static_cast<char>(bits >> shift));
  }
  return bytes;
}

std::optional<std::vector<TimeSample>> unpackSamples(std::string_view bytes) {
  std::vector<TimeSample> samples;
  if (bytes.empty())
    return samples;
  if (bytes.front() != kForm)
    return std::nullopt;
  bytes.remove_prefix(1);
  int64_t round = 0;
  while (!bytes.empty()) {
    std::optional<uint64_t> coded = takeNumber(bytes);
    if (!coded || bytes.size() < 8)
      return std::nullopt;
    // Steps between 32-bit numbers fit into 33 bits and a sign: more would wrap below.
    if (*coded >> 34)
      return std::nullopt;
    round += static_cast<int64_t>(*coded >> 1) ^ -static_cast<int64_t>(*coded & 1);
    if (round < 0 || round > int64_t{UINT32_MAX})
      return std::nullopt;
    uint64_t bits = 0;
    for (unsigned i = 0; i < 8; ++i)
      bits |= uint64_t{static_cast<uint8_t>(bytes[i])} << (8 * i);
    bytes.remove_prefix(8);
    auto ns = std::bit_cast<double>(bits);
    if (!std::isfinite(ns))
      return std::nullopt;
    samples.push_back({ns, static_cast<uint32_t>(round)});
  }
  return samples;
}

} // namespace tailor
