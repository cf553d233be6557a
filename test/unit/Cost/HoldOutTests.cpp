//===- unit/Cost/HoldOutTests.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Cost/HoldOut.h"

#include "gtest/gtest.h"

#include <string>

namespace tailor {

// The set must never drift: a kernel that was looked at cannot become a held-out one.
TEST(HoldOut, IsTheSameForEver) {
  for (const char *name : {"bilateral", "bitonic_sort", "blur_buffer", "conv3x3", "dct8x8",
                           "find_first", "life", "prefix_scan", "saxpy", "transpose_tiled"})
    EXPECT_TRUE(isHeldOut(name)) << name;
  for (const char *name : {"attention_row", "blur_image", "compaction", "depth_pyramid", "fft",
                           "matmul_naive", "sobel", "softmax", "stencil3d", "transpose_naive"})
    EXPECT_FALSE(isHeldOut(name)) << name;
}

TEST(HoldOut, IsAboutAThird) {
  unsigned count = 0;
  for (unsigned number = 0; number < 3000; ++number)
    count += isHeldOut("kernel" + std::to_string(number));
  EXPECT_GT(count, 900U);
  EXPECT_LT(count, 1100U);
}

} // namespace tailor
