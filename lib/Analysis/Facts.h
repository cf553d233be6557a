//===- Analysis/Facts.h - What a kernel does ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_FACTS_H
#define TAILOR_ANALYSIS_FACTS_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tailor {

/// One load, store, atomic or image access of a kernel.
struct AccessFact {
  std::string variable;                 ///< OpName, or the id
  std::optional<uint32_t> set, binding; ///< descriptor, where there is one
  std::string op;                       ///< load, store, atomic
  std::string space;                    ///< buffer, image, uniform, workgroup
  uint32_t bytes = 0;                   ///< per access; 0: not known (images without a format)
  std::string location;                 ///< Location::str()
  /// Over neighbouring invocations: uniform, unit, strided, gather; empty: not determined. An index
  /// that min, max or clamp holds is taken as if it met no bound.
  std::string pattern{};
  /// Bytes from one invocation to the next on each axis; nullopt: not one number.
  std::array<std::optional<int64_t>, 3> strideBytes{};
  friend bool operator==(const AccessFact &, const AccessFact &) = default;
};

struct KernelFacts {
  std::string kernelClass;  ///< global-id, local-ids, workgroup-memory, subgroup: the strongest
                            ///< dependence found
  uint64_t sharedBytes = 0; ///< workgroup memory at the authored size, in bytes
  uint32_t controlBarriers = 0, barriersInLoops = 0, atomics = 0;
  std::vector<std::string> subgroupOps; ///< opcode names, sorted, without duplicates
  std::vector<std::string> ids;         ///< built-in inputs used, sorted
  std::vector<AccessFact> accesses;     ///< in the order of the module
  friend bool operator==(const KernelFacts &, const KernelFacts &) = default;
};

} // namespace tailor

#endif
