//===- SamplesTests.cpp - Raw times, packed ------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Samples.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace tailor;

TEST(Samples, ComeBackToTheBit) {
  std::mt19937_64 random(7);
  for (size_t count : {0, 1, 2, 100, 1000}) {
    std::vector<TimeSample> samples;
    for (size_t i = 0; i < count; ++i) {
      double ns = static_cast<double>(random() % 1000000007) / 3;
      samples.push_back({ns, static_cast<uint32_t>(i % 7 == 6 ? random() : i / 10)});
    }
    EXPECT_EQ(unpackSamples(packSamples(samples)), samples);
  }
  std::vector<TimeSample> extremes = {{std::numeric_limits<double>::max(), UINT32_MAX},
                                      {std::numeric_limits<double>::denorm_min(), 0},
                                      {-0.0, UINT32_MAX},
                                      {0, UINT32_MAX}};
  EXPECT_EQ(unpackSamples(packSamples(extremes)), extremes);
}

TEST(Samples, OfOneRoundTakeNineBytes) {
  std::vector<TimeSample> samples(40, {1234.5, 3});
  EXPECT_EQ(packSamples(samples).size(), 1 + 40 * 9U);
  EXPECT_EQ(packSamples({}), "");
}

TEST(Samples, OtherBytesAreRefused) {
  std::string packed = packSamples(std::vector<TimeSample>{{1, 0}, {2, 200}});
  for (size_t keep = 1; keep < packed.size(); ++keep) {
    // Cut between two samples, what is left is whole.
    bool whole = keep == 1 || keep == 10;
    EXPECT_EQ(unpackSamples(packed.substr(0, keep)).has_value(), whole) << keep;
  }
  std::string other = packed;
  other[0] = 2;
  EXPECT_FALSE(unpackSamples(other)) << "a form of the future";
  std::vector<TimeSample> nan = {{std::numeric_limits<double>::quiet_NaN(), 0}};
  EXPECT_FALSE(unpackSamples(packSamples(nan)));
  EXPECT_FALSE(unpackSamples("\x01\x03" + std::string(8, '\0'))) << "a round before the first";
  EXPECT_FALSE(unpackSamples("\x01" + std::string(9, '\xff') + "\x01" + std::string(8, '\0')));
}
