//===- unit/Analysis/RangeKernels.h - Random integer kernels ---------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TEST_RANGEKERNELS_H
#define TAILOR_TEST_RANGEKERNELS_H

#include <cstdint>
#include <random>
#include <string>

namespace tailor {

/// A number that arithmetic may go wrong at.
uint64_t rangeNumber(std::mt19937_64 &random);

struct RangeKernelStyle {
  bool narrow = true;   ///< integers of 8, 16 and 64 bits
  bool defined = false; ///< it ends, and SPIR-V says what each operation gives
};

/// GLSL without its #version line, of 24x3 invocations: integers in loops whose counters may wrap
/// and change twice, under conditions of every kind. It reads `b[0]` to `b[511]`, and writes at the
/// invocation's number in the dispatch in `a`. Unless it is to be defined, it may read an undefined
/// variable and run for ever.
std::string rangeKernel(std::mt19937_64 &random, const RangeKernelStyle &style = {});

} // namespace tailor

#endif
