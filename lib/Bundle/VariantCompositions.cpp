//===- Bundle/VariantCompositions.cpp - One technique after another ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/VariantFamiliesImpl.h"

namespace tailor {

using Policy = SizeRequest::Policy;

/// Of the single variants of a technique, so many are also the ground of another order.
static constexpr size_t kSwizzled = 3;
/// Sizes and factors multiply: of a composition with coarsen, so many are planned at most.
static constexpr size_t kMostCoarsened = 24;

/// By how much a lane may be made to do the work of others: 2, 4 or 8 in all, along one axis or
/// two; along one where the sizes were listed.
std::vector<Dim3> Families::coarsenings() const {
  std::vector<Dim3> factors;
  for (uint32_t factor : {4, 2, 8})
    for (unsigned axis = 0; axis < 3; ++axis)
      if (certificate.usesAxis[axis]) {
        Dim3 along;
        along[axis] = factor;
        factors.push_back(along);
      }
  if (request.sizes.policy == Policy::List)
    return factors;
  constexpr std::array<std::pair<uint32_t, uint32_t>, 3> kPairs = {{{2, 2}, {2, 4}, {4, 2}}};
  for (const auto &[one, other] : kPairs)
    for (unsigned first = 0; first < 3; ++first)
      for (unsigned second = first + 1; second < 3; ++second)
        if (certificate.usesAxis[first] && certificate.usesAxis[second]) {
          Dim3 along;
          along[first] = one;
          along[second] = other;
          factors.push_back(along);
        }
  return factors;
}

/// A larger workgroup, whose invocations then do the work of several: the variant's size is one
/// that was asked for, the larger one exists on paper only.
Variants Families::thenCoarsened(Technique technique) const {
  Variants family;
  if (!takes(technique) || !takes(Technique::Coarsen) || verdict(technique).dividesOnly)
    return family;
  std::vector<Dim3> sizes;
  if (isWanted(authored, 0))
    sizes.push_back(authored);
  for (const PlannedVariant &variant : resized(technique))
    sizes.push_back(variant.size());
  const bool isList = request.sizes.policy == Policy::List;
  for (const Dim3 &factor : coarsenings())
    for (const Dim3 &size : sizes) {
      const Dim3 larger{size.x * factor.x, size.y * factor.y, size.z * factor.z};
      if (larger != authored && (isList || size.product() >= kLeastLanes))
        family.push_back({{{technique, larger}, coarsening(size, "cyclic")}});
    }
  return family;
}

Variants Families::packedThenCoarsened() const {
  Variants family;
  if (!takes(Technique::Pack) || !takes(Technique::Coarsen))
    return family;
  const uint64_t bytes = certificate.facts.sharedBytes;
  for (uint32_t groups : {2, 4})
    for (unsigned along = 0; along < 3; ++along) {
      Dim3 packedSize = authored;
      packedSize[along] *= groups;
      if (!certificate.usesAxis[along] ||
          !allowsSize(Technique::Pack, verdict(Technique::Pack), authored, packedSize))
        continue;
      for (const Dim3 &factor : coarsenings()) {
        Dim3 size = packedSize;
        bool divides = true;
        for (unsigned axis = 0; axis < 3; ++axis) {
          divides &= size[axis] % factor[axis] == 0;
          size[axis] /= factor[axis];
        }
        if (divides && size.product() >= kLeastLanes && isWanted(size, groups * bytes))
          family.push_back({{{Technique::Pack, packedSize}, coarsening(size, "cyclic")}});
      }
    }
  return family;
}

/// The most promising of another family, its lanes and groups in another order.
Variants Families::thenSwizzled(const Variants &grounds) const {
  Variants family;
  if (!takes(Technique::Swizzle))
    return family;
  for (size_t at = 0; at < std::min(grounds.size(), kSwizzled); ++at) {
    const Dim3 size = grounds[at].size();
    std::vector<PlannedStep> orders = lanes(size);
    if (certificate.usesAxis[0] && certificate.usesAxis[1])
      orders.insert(orders.begin(), {Technique::Swizzle, size, false, {{"rows", "8"}}});
    for (PlannedStep &step : orders) {
      PlannedVariant variant = grounds[at];
      variant.steps.push_back(std::move(step));
      family.push_back(std::move(variant));
    }
  }
  return family;
}

/// Whether groups of another size can be had without more workgroup memory.
bool Families::movesInvocations() const {
  for (Technique technique : {Technique::Resize, Technique::Remap})
    if (takes(technique) && !verdict(technique).dividesOnly)
      return true;
  return false;
}

/// How many variants of that kind are given at a time: of what has many sizes more than of what
/// has few.
unsigned Families::shareOf(const PlannedVariant &variant) const {
  const Technique first = variant.steps.front().technique, last = variant.steps.back().technique;
  if (variant.guarded())
    return 1;
  if (last == Technique::Swizzle) // where texels lie is the device's: no order can be left out
    return order.knowsLayout() || variant.steps.size() > 1 ? 1 : 2;
  if (variant.steps.size() > 1) // and coarsened
    return 3;
  if (first == Technique::Coarsen) // of the authored size, one of many where others can be had
    return movesInvocations() ? 1 : 3;
  return first == Technique::Pack ? 1 : 3;
}

std::vector<VariantFamily> Families::all() const {
  std::vector<VariantFamily> families;
  // Returns them in their order.
  auto add = [&](Variants variants, size_t most = SIZE_MAX) {
    const size_t promising = order.sort(variants);
    if (request.sizes.policy != Policy::List && variants.size() > most)
      variants.erase(variants.begin() + static_cast<std::ptrdiff_t>(most), variants.end());
    VariantFamily family{std::move(variants), 1, 0};
    family.promising = std::min(promising, family.variants.size());
    if (!family.variants.empty())
      family.atATurn = shareOf(family.variants.front());
    families.push_back(std::move(family));
    return families.size() - 1;
  };
  const std::array<size_t, 4> grounds = {add(resized(Technique::Resize)),
                                         add(resized(Technique::Remap)), add(packed()),
                                         add(coarsened())};
  add(swizzled());
  add(respecialized());
  add(guarded(Technique::Resize));
  add(guarded(Technique::Remap));
  add(thenCoarsened(Technique::Resize), kMostCoarsened);
  add(thenCoarsened(Technique::Remap), kMostCoarsened);
  add(packedThenCoarsened(), kMostCoarsened);
  for (size_t ground : grounds)
    add(thenSwizzled(families[ground].variants));
  return families;
}

} // namespace tailor
