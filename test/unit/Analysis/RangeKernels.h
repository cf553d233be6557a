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

/// GLSL without its #version line, of 24x3 invocations: integers of all widths, in loops whose
/// counters may wrap and change twice, under conditions of every kind. It reads the buffer `b` and
/// an undefined variable, and may run for ever.
std::string rangeKernel(std::mt19937_64 &random);

} // namespace tailor

#endif
