//===- Analysis/LegalityRelaxation.h - Conditions left out, for tests ------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A test that wants to know whether it would notice a condition that is missing
// from the proofs asks for a certificate without it. Nothing else names these:
// no option, no environment variable and no pass leads here.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_LEGALITYRELAXATION_H
#define TAILOR_ANALYSIS_LEGALITYRELAXATION_H

#include <cstdint>
#include <initializer_list>

namespace tailor {

/// The conditions of docs/legality.md that can be left out, one by one.
enum class LegalityCondition : uint8_t {
  Opcodes,            ///< subgroup operations and whatever else is not on the list of opcodes
  SubgroupInputs,     ///< built-ins that tell how invocations are put into subgroups
  Scopes,             ///< scopes of barriers, atomics and accesses
  Waiting,            ///< loops that wait for another invocation
  ExchangeBarrier,    ///< remap: control barriers
  ExchangeOrdering,   ///< remap: memory ordering inside a workgroup
  WorkgroupMemory,    ///< remap: workgroup memory that is not proven to be used as private memory
  DividesOnly,        ///< remap: with such memory, sizes that divide the authored one
  GroupCount,         ///< remap: no rounding up where the number of groups is read
  Descriptors,        ///< descriptor indices that must be uniform
  UniformDecorations, ///< values decorated Uniform
  PackControl,        ///< pack: barriers that the packed groups reach alike
  WorkgroupPointers,  ///< pack: pointers into workgroup memory are known by form
  Lockstep,           ///< volatile and coherent workgroup memory
  Meetings,           ///< coarsen: barriers in control flow that is proven uniform
  Regions,            ///< coarsen: no barrier in a repeated stretch; asked again when it is made
  GroupIndependence,  ///< resize: all of its proof
  Guards,             ///< cover: all of its proof
};
inline constexpr unsigned kNumLegalityConditions = 18;

class LegalityRelaxation {
public:
  constexpr LegalityRelaxation() = default;
  constexpr LegalityRelaxation(std::initializer_list<LegalityCondition> without) {
    for (LegalityCondition condition : without)
      bits |= uint32_t{1} << static_cast<unsigned>(condition);
  }
  /// Whether the proofs hold the kernel to the condition: all of them, unless a test says not.
  constexpr bool checks(LegalityCondition condition) const {
    return (bits >> static_cast<unsigned>(condition) & 1) == 0;
  }

private:
  uint32_t bits = 0;
};

} // namespace tailor

#endif
