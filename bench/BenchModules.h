//===- bench/BenchModules.h - Modules of a wanted length -------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BENCH_BENCHMODULES_H
#define TAILOR_BENCH_BENCHMODULES_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tailor::bench {

/// A valid Vulkan 1.0 compute module of about `words` words (at least 300), the same in every run:
/// entry point "main" of size 64x1x1, which returns where GlobalInvocationId.x is not below a
/// push constant and else stores to element GlobalInvocationId.x of a buffer what functions of
/// about 1,600 words compute, each a chain of selections. It depends on the global id only.
std::vector<uint32_t> makeKernel(size_t words);

} // namespace tailor::bench

#endif
