//===- Bundle/VariantFamiliesImpl.h - Behind VariantFamilies.h (internal) ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BUNDLE_VARIANTFAMILIESIMPL_H
#define TAILOR_BUNDLE_VARIANTFAMILIESIMPL_H

#include "Bundle/VariantFamilies.h"
#include "Bundle/VariantOrder.h"

namespace tailor {

using Variants = std::vector<PlannedVariant>;

inline constexpr uint64_t kLeastLanes = 32;   ///< a coarsened workgroup keeps so many invocations
inline constexpr uint32_t kLargestFactor = 8; ///< of groups in one, and of invocations in one

/// The step that leaves `size`; `form` as CoarsenForm is called.
inline PlannedStep coarsening(const Dim3 &size, const char *form) {
  return {Technique::Coarsen, size, false, {{"form", form}}};
}

class Families {
public:
  Families(const Certificate &certificate, const PlanRequest &request)
      : certificate(certificate), request(request), authored(certificate.authored.size),
        order(certificate, request) {}

  std::vector<VariantFamily> all() const; ///< see variantFamilies

private:
  const TechniqueVerdict &verdict(Technique technique) const {
    return certificate.verdict(technique);
  }
  bool chosen(Technique technique) const;
  bool takes(Technique technique) const;
  bool listed(const Dim3 &size) const;
  bool fits(const Dim3 &size, uint64_t sharedBytes) const;
  bool isWanted(const Dim3 &size, uint64_t sharedBytes) const;
  std::vector<Dim3> multiples(bool divide) const;
  std::vector<Dim3> extentsProduct(const std::array<std::vector<uint32_t>, 3> &axes) const;

  // VariantFamilies.cpp
  Variants resized(Technique technique) const;
  Variants packed() const;
  Variants coarsened() const;
  Variants swizzled() const;
  Variants respecialized() const;
  Variants guarded(Technique technique) const;
  // VariantCompositions.cpp
  std::vector<Dim3> coarsenings() const;
  Variants thenCoarsened(Technique technique) const;
  Variants packedThenCoarsened() const;
  Variants thenSwizzled(const Variants &grounds) const;
  std::vector<PlannedStep> lanes(const Dim3 &size) const;
  bool movesInvocations() const;
  unsigned shareOf(const PlannedVariant &variant) const;

  const Certificate &certificate;
  const PlanRequest &request;
  Dim3 authored;
  VariantOrder order;
};

} // namespace tailor

#endif
