//===- Tuning/Statistics.cpp -------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Statistics.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tailor {

namespace {

constexpr unsigned kResamples = 2000;

double middleOf(std::vector<double> &values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Marsaglia's xorshift: the same on every machine.
class Random {
public:
  size_t below(size_t bound) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<size_t>(state % bound);
  }

private:
  uint64_t state = 0x9e3779b97f4a7c15;
};

} // namespace

Gain gainOf(std::span<const double> theirs, std::span<const double> mine) {
  std::vector<double> gains;
  for (size_t i = 0; i < std::min(theirs.size(), mine.size()); ++i) {
    if (!(theirs[i] > 0) || !(mine[i] > 0))
      return {0, -1, 1};
    gains.push_back(1 - mine[i] / theirs[i]);
  }
  if (gains.size() < 2)
    return {gains.empty() ? 0 : gains[0], -1, 1};
  Random random;
  std::vector<double> middles, resample(gains.size());
  middles.reserve(kResamples);
  for (unsigned turn = 0; turn != kResamples; ++turn) {
    for (double &value : resample)
      value = gains[random.below(gains.size())];
    middles.push_back(middleOf(resample));
  }
  std::sort(middles.begin(), middles.end());
  return {middleOf(gains), middles[kResamples / 40], middles[kResamples - 1 - kResamples / 40]};
}

} // namespace tailor
