//===- passes/RegionVersions.h - Parted stretches, twice -------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where invocations may part, one physical invocation does the work of several one
// after the other, so that no loads overlap and nothing is shared. Most of the time
// they do not part: a bounds check at the head of a kernel comes out alike for all
// but those at the edge. Such a stretch gets a second version in front of which all
// of them ask whether they go the same way (loop versioning and multi-versioning,
// as in Allen and Kennedy, 2001, chapter 9; Moll and Hack, 2018, for the branches):
//
//   if (c) A; else B;      if (all c) A, together; else if (c) A; else B; one by one
//   while (c) A;           while (all c) A, together; while (c) A; one by one
//
// The function stays a program for one invocation, which means the same as before;
// the conditions that stand for those of all invocations are known by their ids.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_REGIONVERSIONS_H
#define TAILOR_PASSES_REGIONVERSIONS_H

#include "Analysis/DivergentRegions.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tailor {

/// What an instruction computes that is repeated in no copy: its operand is one condition.
enum class Agreement : uint8_t {
  All,   ///< OpCopyObject: true in every copy
  Alike, ///< OpLogicalEqual of a condition with itself: the same in every copy
};

/// A function in which some stretches stand twice.
struct RegionVersions {
  llvm::DenseMap<uint32_t, Id> origins;           ///< by label or result of a second version
  llvm::DenseMap<uint32_t, Agreement> agreements; ///< by result
  llvm::DenseSet<uint32_t> together;              ///< labels of blocks that all leave alike

  /// The id in the function as it came.
  Id originOf(Id id) const {
    auto found = origins.find(raw(id));
    return found == origins.end() ? id : found->second;
  }
};

struct VersionRequest {
  unsigned copies = 1; ///< invocations in one: what a stretch costs
  /// As for findDivergentRegions, and blocks of `RegionVersions::together` too.
  llvm::function_ref<bool(const Block &)> isUniform;
  /// Whether a branch on that condition depends on data rather than on where an invocation is:
  /// neighbours then part at random, and to ask first costs more than it brings.
  llvm::function_ref<bool(Id)> followsData;
};

/// Gives stretches that read memory a version in which invocations do not part, outermost first,
/// and again what is inside of that version. Notes in `versions` what it does while it asks
/// `request`. Returns the regions that remain. `function`: as for findDivergentRegions.
Result<std::vector<DivergentRegion>> versionRegions(Module &module, Function &function,
                                                    const VersionRequest &request,
                                                    RegionVersions &versions);

} // namespace tailor

#endif
