//===- Analysis/SizeConstants.h - Specialization constants of the size -----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_SIZECONSTANTS_H
#define TAILOR_ANALYSIS_SIZECONSTANTS_H

#include "IR/WorkgroupSize.h"

#include <optional>
#include <set>

namespace tailor {

/// SpecIds that the workgroup size of `entry` is computed from.
std::set<uint32_t> specIdsOfSize(const Module &module, const EntryPoint &entry);

/// Two constants of one SpecId whose defaults differ: the id has no value until a host gives it
/// one.
struct SharedSpecId {
  uint32_t specId;
  const Instruction *first, *second; ///< in the order of the module
};
/// The first such pair for one of `specIds`, of those that `spec` does not give.
std::optional<SharedSpecId>
findDifferingDefaults(const Module &module, const std::set<uint32_t> &specIds, const SpecMap &spec);

/// The values of the constants that the size hangs off: the host's, else the defaults. An id whose
/// defaults differ, and that the host does not give, is left out.
SpecMap sizeSpecialization(const Module &module, const EntryPoint &entry, const SpecMap &spec);

/// A variant has the constants of the size frozen. Where the defaults of one SpecId differ and
/// `spec` does not give it, nobody knows to what: with the defaults the variant would be right for
/// no host but one that sets nothing. nullopt: all are known.
std::optional<Diagnostic> refuseUnknownSizeConstants(const Module &module, const EntryPoint &entry,
                                                     const SpecMap &spec);

} // namespace tailor

#endif
