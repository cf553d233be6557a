//===- Bundle/VariantFamilies.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/VariantFamiliesImpl.h"
#include "Devices/Fit.h"

#include <algorithm>
#include <bit>

namespace tailor {

using Policy = SizeRequest::Policy;

static constexpr uint64_t kAutoSharedBytes = 32768; ///< that nearly every device has
static constexpr uint32_t kAutoFactors[] = {1, 2, 4, 8};

bool Families::chosen(Technique technique) const {
  const std::vector<Technique> &list = request.techniques;
  return std::find(list.begin(), list.end(), technique) != list.end();
}

/// Whether variants are made by it: it was chosen, it is legal, and nothing that was chosen too
/// does the same better. The order is that of what a variant costs at run time.
bool Families::takes(Technique technique) const {
  if (!chosen(technique))
    return false;
  if (technique == Technique::Respecialize && !request.respecializedBytes)
    return false;
  // Asked for by name, a refusal of respecialize is overruled: it is the author's word anyhow.
  if (!verdict(technique).legal() && !(technique == Technique::Respecialize && request.named))
    return false;
  auto does = [&](Technique other) { return chosen(other) && verdict(other).legal(); };
  if (request.named)
    return true;
  switch (technique) {
  case Technique::Remap:
    return !does(Technique::Resize);
  case Technique::Pack:
  case Technique::Respecialize:
    return !does(Technique::Resize) && !does(Technique::Remap);
  default:
    return true;
  }
}

bool Families::listed(const Dim3 &size) const {
  const std::vector<Dim3> &list = request.sizes.list;
  return std::find(list.begin(), list.end(), size) != list.end();
}

bool Families::fits(const Dim3 &size, uint64_t sharedBytes) const {
  if (size.product() > kMaxCandidateInvocations)
    return false;
  if (request.profiles.empty())
    return sharedBytes <= kAutoSharedBytes;
  return std::any_of(request.profiles.begin(), request.profiles.end(),
                     [&](const DeviceProfile *profile) {
                       return breachesOf(*profile, size, sharedBytes).empty();
                     });
}

bool Families::isWanted(const Dim3 &size, uint64_t sharedBytes) const {
  return request.sizes.policy == Policy::List ? listed(size) : fits(size, sharedBytes);
}

std::vector<Dim3> Families::extentsProduct(const std::array<std::vector<uint32_t>, 3> &axes) const {
  // Three axes of a thousand extents each have a thousand million products.
  const uint64_t most = std::max<uint64_t>(kMaxCandidateInvocations, authored.product());
  std::vector<Dim3> sizes;
  for (uint32_t z : axes[2])
    for (uint32_t y : axes[1]) {
      if (uint64_t{y} * z > most)
        continue;
      for (uint32_t x : axes[0])
        if (Dim3 size{x, y, z}; size != authored && size.product() <= most)
          sizes.push_back(size);
    }
  std::sort(sizes.begin(), sizes.end(), [](const Dim3 &a, const Dim3 &b) {
    double left = unlikeliness(a), right = unlikeliness(b);
    return left != right ? left < right : a < b;
  });
  return sizes;
}

/// Sizes that are multiples of the authored one, or divide it: by 2, 4 or 8 in all for `auto`, by
/// any factor for `all`, those that were listed for a list. Axes that the kernel does not use stay.
std::vector<Dim3> Families::multiples(bool divide) const {
  std::array<std::vector<uint32_t>, 3> axes;
  const bool automatic = request.sizes.policy == Policy::Auto;
  for (unsigned axis = 0; axis < 3; ++axis) {
    const uint32_t size = authored[axis];
    const uint32_t most = divide ? size : kMaxCandidateInvocations / size;
    for (uint32_t factor = 1; factor <= std::max(most, 1U); ++factor) {
      if (factor > 1 && !certificate.usesAxis[axis])
        break;
      if (automatic && std::find(std::begin(kAutoFactors), std::end(kAutoFactors), factor) ==
                           std::end(kAutoFactors))
        continue;
      if (!divide)
        axes[axis].push_back(size * factor);
      else if (size % factor == 0)
        axes[axis].push_back(size / factor);
    }
  }
  if (request.sizes.policy == Policy::List)
    return request.sizes.list; // in the user's order
  std::vector<Dim3> sizes = extentsProduct(axes);
  if (automatic)
    std::erase_if(sizes, [&](const Dim3 &size) {
      uint64_t factor =
          divide ? authored.product() / size.product() : size.product() / authored.product();
      return factor > kLargestFactor;
    });
  return sizes;
}

//===----------------------------------------------------------------------===//
// Single techniques
//===----------------------------------------------------------------------===//

Variants Families::resized(Technique technique) const {
  Variants family;
  if (!takes(technique))
    return family;
  for (const Dim3 &size : candidateSizes(certificate, request.sizes, 0).sizes)
    if (allowsSize(technique, verdict(technique), authored, size) &&
        isWanted(size, certificate.facts.sharedBytes))
      family.push_back({{{technique, size}}});
  return family;
}

Variants Families::packed() const {
  Variants family;
  if (!takes(Technique::Pack))
    return family;
  for (const Dim3 &size : multiples(/*divide=*/false)) {
    uint64_t groups = size.product() / authored.product();
    if (allowsSize(Technique::Pack, verdict(Technique::Pack), authored, size) &&
        isWanted(size, groups * certificate.facts.sharedBytes))
      family.push_back({{{Technique::Pack, size}}});
  }
  return family;
}

Variants Families::coarsened() const {
  Variants family;
  if (!takes(Technique::Coarsen))
    return family;
  for (const char *form : {"cyclic", "blocked"}) // neighbours in neighbouring lanes first
    for (const Dim3 &size : multiples(/*divide=*/true)) {
      bool narrow = request.sizes.policy == Policy::Auto && size.product() < kLeastLanes;
      if (!narrow && allowsSize(Technique::Coarsen, verdict(Technique::Coarsen), authored, size) &&
          isWanted(size, 0)) // the workgroup memory is what it was
        family.push_back({{coarsening(size, form)}});
    }
  return family;
}

/// Orders of the lanes of a workgroup that has two axes.
std::vector<PlannedStep> Families::lanes(const Dim3 &size) const {
  std::vector<PlannedStep> steps;
  if (size.x == 1 || size.y == 1)
    return steps;
  auto add = [&](std::map<std::string, std::string> parameters) {
    steps.push_back({Technique::Swizzle, size, false, std::move(parameters)});
  };
  // The smaller differs more from rows; a tile as wide as the workgroup is the authored order.
  for (uint32_t tile : {4, 8})
    if (size.x % tile == 0 && size.y % tile == 0 && size.x > tile)
      add({{"order", "tile"}, {"tile", std::to_string(tile) + "x" + std::to_string(tile)}});
  if (std::has_single_bit(size.x) && std::has_single_bit(size.y))
    add({{"order", "morton"}});
  add({{"order", "column"}});
  return steps;
}

Variants Families::swizzled() const {
  Variants family;
  if (!takes(Technique::Swizzle))
    return family;
  if (isWanted(authored, 0)) {
    if (certificate.usesAxis[0] && certificate.usesAxis[1])
      family.push_back({{{Technique::Swizzle, authored, false, {{"rows", "8"}}}}});
    for (PlannedStep &step : lanes(authored))
      family.push_back({{std::move(step)}});
  }
  // Other shapes of as many invocations, where they were asked for.
  if (request.sizes.policy == Policy::List)
    for (const Dim3 &size : request.sizes.list)
      if (size != authored && size.product() == authored.product())
        family.push_back({{{Technique::Swizzle, size, false, {{"order", "row"}}}}});
  return family;
}

Variants Families::respecialized() const {
  Variants family;
  if (!takes(Technique::Respecialize))
    return family;
  const bool list = request.sizes.policy == Policy::List;
  for (const Dim3 &size : candidateSizes(certificate, request.sizes, 0).sizes) {
    std::optional<uint64_t> bytes = request.respecializedBytes(size);
    // Of a listed size that its constants cannot give, the pass says why.
    if (list ? listed(size) : bytes && fits(size, *bytes))
      family.push_back({{{Technique::Respecialize, size}}});
  }
  return family;
}

/// Resize or remap with the logical grid at hand, so that any size applies to any dispatch.
Variants Families::guarded(Technique technique) const {
  Variants family;
  if (request.guards == GuardPolicy::None || verdict(technique).dividesOnly)
    return family;
  for (PlannedVariant &variant : resized(technique)) {
    Result<Dispatch> plain = dispatchOf(certificate, technique, variant.size(), request.allowCover);
    bool divides = true;
    for (unsigned axis = 0; axis < 3; ++axis)
      divides &= authored[axis] % variant.size()[axis] == 0;
    if (!plain || divides ||
        (request.guards == GuardPolicy::Auto && plain->rule == DispatchRule::Cover))
      continue;
    variant.steps.front().guarded = true;
    family.push_back(std::move(variant));
  }
  return family;
}

std::string whyNoVariant(const Certificate &certificate, const PlanRequest &request,
                         Technique technique) {
  const Dim3 &authored = certificate.authored.size;
  const bool isAuto = request.sizes.policy == Policy::Auto;
  const std::string group = "a workgroup of " + authored.str();
  const std::string limits =
      request.profiles.empty() ? "1024 invocations and 32 KiB" : "what the profiles allow";
  switch (technique) {
  case Technique::Coarsen:
    if (authored.product() == 1)
      return group + " has one invocation, and nothing to put together";
    if (isAuto && authored.product() < 2 * kLeastLanes)
      return "of " + group + ", half would be fewer than " + std::to_string(kLeastLanes) +
             " invocations, and leave lanes of a subgroup empty; --sizes all, or a list, makes "
             "them all the same";
    return "no axis of " + group +
           " can be divided by 2, 4 or 8; --sizes all, or a list, makes "
           "other divisors";
  case Technique::Pack:
    return "two of " + group + " with " + std::to_string(certificate.facts.sharedBytes) +
           " bytes of workgroup memory each are more than " + limits +
           ", or no axis is used along which they could be put together";
  case Technique::Swizzle:
    return group + " has one axis: its lanes are in the one order there is";
  case Technique::Resize:
  case Technique::Remap:
    return "no other size of " + group + " is within " + limits +
           ", or nothing depends on the ids of any axis";
  case Technique::Respecialize:
    break;
  }
  return "the constants of the size give no other one that is within " + limits;
}

std::vector<VariantFamily> variantFamilies(const Certificate &certificate,
                                           const PlanRequest &request) {
  return Families(certificate, request).all();
}

} // namespace tailor
