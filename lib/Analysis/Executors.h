//===- Analysis/Executors.h - How many invocations run a block ------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_EXECUTORS_H
#define TAILOR_ANALYSIS_EXECUTORS_H

#include "Analysis/KernelAnalysis.h"

#include <array>
#include <string>

namespace tailor {

/// Which invocations run a block at most, as its guards tell: equality of ids with values that are
/// the same for the workgroup, or the election of one invocation of a subgroup.
struct Executors {
  std::array<bool, 3> localFixed{}; ///< one local id on that axis
  std::array<bool, 3> groupFixed{}; ///< one workgroup on that axis
  bool oneOfSubgroup = false;
  bool oneOfWorkgroup = false; ///< localFixed on every axis that is longer than 1

  /// `one invocation per workgroup`, `one invocation per workgroup, of one workgroup along x`,
  /// `one invocation per subgroup`, `all invocations`.
  std::string str() const;
};

/// What the conditions say that every path to the block has met.
Executors executorsOf(const KernelAnalysis &kernel, const Block &block);

} // namespace tailor

#endif
