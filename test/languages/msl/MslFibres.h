//===- languages/msl/MslFibres.h - A dispatch on the processor ------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a kernel with one fibre per invocation, on one thread. Workgroups run one
// after another, with their threadgroup memory poisoned in between. An invocation
// runs until it waits at a barrier; when all of a workgroup wait at the same
// one, they go on. Whoever relies on another invocation without a barrier
// meets poison, in one of two orders: every second workgroup runs its invocations
// from the last to the first.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_LANGUAGES_MSL_MSLFIBRES_H
#define TAILOR_LANGUAGES_MSL_MSLFIBRES_H

#include "Support/Dim3.h"
#include "msl/ShimRuntime.h"

#include <cstddef>
#include <span>
#include <string>

namespace tailor::languages {

struct MslKernel {
  void (*run)(const MslInvocation *) = nullptr;
  void (**barrier)(unsigned line) = nullptr; ///< where the library looks for it
  std::span<std::byte> shared;               ///< threadgroup memory
  bool waits = false;                        ///< has barriers
};

/// Empty, or what went wrong: `workgroup (1, 0, 0): invocation 3 waits at line 40, invocation 0 has
/// ended`. `bound` has the resources.
std::string dispatch(const MslKernel &kernel, const MslInvocation &bound, const Dim3 &groups,
                     const Dim3 &localSize);

} // namespace tailor::languages

#endif
