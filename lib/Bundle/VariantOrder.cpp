//===- Bundle/VariantOrder.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/VariantOrder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <tuple>

namespace tailor {

namespace {

/// What a variant is, for those who order it.
struct Shape {
  Dim3 size;                              ///< that a device sees
  uint64_t copies = 1;                    ///< authored invocations of each lane
  std::array<uint64_t, 3> along{1, 1, 1}; ///< the same by axis
  uint64_t packed = 1;                    ///< authored groups of each workgroup
  bool isBlocked = false;
  uint64_t order = 0; ///< of lanes or groups, as a number; 0: as they were
};

Shape shapeOf(const PlannedVariant &variant, const Dim3 &authored) {
  Shape shape;
  Dim3 before = authored;
  for (const PlannedStep &step : variant.steps) {
    if (step.technique == Technique::Coarsen) {
      for (unsigned axis = 0; axis < 3; ++axis)
        shape.along[axis] = std::max<uint64_t>(1, before[axis] / std::max(1U, step.size[axis]));
      shape.copies = shape.along[0] * shape.along[1] * shape.along[2];
      auto form = step.parameters.find("form");
      shape.isBlocked = form != step.parameters.end() && form->second == "blocked";
    } else if (step.technique == Technique::Pack) {
      shape.packed = std::max<uint64_t>(1, step.size.product() / before.product());
    } else if (step.technique == Technique::Swizzle) {
      for (const auto &[name, value] : step.parameters)
        for (char letter : name + value)
          shape.order = shape.order * 31 + static_cast<unsigned char>(letter);
    }
    before = step.size;
  }
  shape.size = before;
  return shape;
}

double log2Of(uint64_t value) {
  return std::log2(static_cast<double>(std::max<uint64_t>(1, value)));
}

/// Lanes side by side along x, of a subgroup of 32.
uint64_t widthOf(const Dim3 &size) { return std::bit_floor(std::min(32U, size.x)); }

/// Few lanes leave a subgroup empty, or start more groups than there is work in each; many wait for
/// their slowest and end with idle units. Lanes that do the work of several need fewer of them.
double distanceOfLanes(uint64_t lanes, bool isCoarsened) {
  const double doublings = log2Of(lanes);
  const double least = isCoarsened ? 6 : 7;
  if (doublings < 5)
    return 0.5 * (least - 5) + (5 - doublings);
  if (doublings < least)
    return 0.5 * (least - doublings);
  return 0.35 * std::max(0.0, doublings - 8);
}

/// What two variants may have in common.
using Traits = std::array<uint64_t, 7>;
Traits traitsOf(const Shape &shape) {
  return {std::bit_width(shape.size.product()),
          widthOf(shape.size),
          std::bit_width(uint64_t{shape.size.z}),
          std::bit_width(shape.copies),
          (shape.along[0] > 1 ? 1U : 0U) + (shape.along[1] > 1 ? 2U : 0U) +
              (shape.along[2] > 1 ? 4U : 0U),
          std::bit_width(shape.packed),
          shape.order};
}
/// What having each of them in common with one that is taken already adds to the distance.
constexpr std::array<double, 7> kAlike = {0.15, 0.25, 0.1, 0.15, 0.1, 0.1, 0.25};

} // namespace

VariantOrder::VariantOrder(const Certificate &certificate, const PlanRequest &request)
    : request(request), authored(certificate.authored.size) {
  for (const AccessFact &access : certificate.facts.accesses)
    readsImages |= access.space == "image";
}

std::optional<double> VariantOrder::fetched(const PlannedVariant &variant) const {
  return request.fetchedBytes ? request.fetchedBytes(variant) : std::nullopt;
}

double VariantOrder::distance(const PlannedVariant &variant) const {
  const Shape shape = shapeOf(variant, authored);
  double sum = distanceOfLanes(shape.size.product(), shape.copies > 1);
  // Two to eight loads in flight at once; registers for as many.
  if (shape.copies > 1)
    sum += shape.copies == 4 ? 0 : shape.copies == 2 ? 0.15 : 0.25 * (log2Of(shape.copies) - 2);
  // Along x the copies share what hangs off a row: its address, its check against the end.
  if (shape.along[1] > 1 || shape.along[2] > 1)
    sum += 0.1;
  if (shape.isBlocked)
    sum += 0.75;
  // The shape that suits the data is often the author's.
  if (variant.steps.size() > 1 && shape.size == authored)
    sum -= 0.25;
  if (shape.packed > 1)
    sum += 0.5 * (log2Of(shape.packed) - 1);
  if (variant.steps.back().parameters.contains("rows"))
    sum += 0.5; // tells only where the grid is larger than a cache
  const double narrow = log2Of(32) - log2Of(widthOf(shape.size));
  std::optional<double> bytes = fetched(variant);
  if (bytes)
    sum += std::log2(*bytes);
  // Rows of lanes fill lines on wider devices too; of images any shape may be the good one.
  sum += (bytes || readsImages ? 0.05 : 0.5) * narrow;
  sum += 0.1 * log2Of(shape.size.z); // the axis that devices allow least of
  return sum;
}

/// Where what it does to the lanes is worth a share, whatever they fetch.
bool VariantOrder::hasPurpose(const PlannedVariant &variant) const {
  const PlannedStep &first = variant.steps.front(), &last = variant.steps.back();
  if (last.parameters.contains("rows") && variant.steps.size() > 1)
    return false; // an order of groups is tried alone first
  if (first.technique == Technique::Pack)
    for (unsigned axis = 0; axis < 3; ++axis)
      if (first.size[axis] > authored[axis] && !request.hasGroups[axis])
        return false;
  if (auto form = last.parameters.find("form");
      form != last.parameters.end() && form->second == "blocked") {
    // In the other form neighbours stay neighbours.
    PlannedVariant cyclic = variant;
    cyclic.steps.back().parameters["form"] = "cyclic";
    std::optional<double> here = fetched(variant), there = fetched(cyclic);
    return here && there && *here < *there;
  }
  return true;
}

/// `best`: bytes of the variant of its kind that fetches least.
bool VariantOrder::mayPay(const PlannedVariant &variant, double bytes, double best) const {
  if (readsImages)
    return true;
  if (bytes > 2 * best)
    return false;
  const PlannedStep &last = variant.steps.back();
  if (last.technique != Technique::Swizzle || last.parameters.contains("rows"))
    return true;
  PlannedVariant before = variant;
  before.steps.pop_back();
  std::optional<double> ground = fetched(before);
  const bool isSame = ground && std::abs(bytes - *ground) < 1e-6 * *ground;
  return !isSame && (!ground || bytes < 1.5 * *ground);
}

size_t VariantOrder::sort(std::vector<PlannedVariant> &variants) const {
  if (request.sizes.policy == SizeRequest::Policy::List || variants.empty())
    return variants.size();
  /// Past so many the order is that of the distance alone.
  constexpr size_t kMostChosen = 128;
  struct Entry {
    size_t at = 0;
    double distance = 0;
    Traits traits{};
    bool mayPay = true;
  };
  std::vector<Entry> entries;
  std::optional<double> best;
  for (size_t at = 0; at < variants.size(); ++at) {
    const PlannedVariant &variant = variants[at];
    entries.push_back(
        {at, distance(variant), traitsOf(shapeOf(variant, authored)), hasPurpose(variant)});
    std::optional<double> bytes = fetched(variant);
    if (entries.back().mayPay && bytes && (!best || *bytes < *best))
      best = bytes;
  }
  for (Entry &entry : entries)
    if (std::optional<double> bytes = fetched(variants[entry.at]); bytes && best)
      entry.mayPay &= mayPay(variants[entry.at], *bytes, *best);
  auto isBefore = [](const Entry &a, const Entry &b) {
    return std::tuple(!a.mayPay, a.distance, a.at) < std::tuple(!b.mayPay, b.distance, b.at);
  };
  std::sort(entries.begin(), entries.end(), isBefore);
  for (size_t next = 0; next < std::min(entries.size(), kMostChosen); ++next) {
    auto chosen = std::min_element(entries.begin() + static_cast<std::ptrdiff_t>(next),
                                   entries.end(), isBefore);
    std::rotate(entries.begin() + static_cast<std::ptrdiff_t>(next), chosen, chosen + 1);
    for (size_t other = next + 1; other < entries.size(); ++other)
      for (size_t trait = 0; trait < entries[next].traits.size(); ++trait)
        if (entries[other].traits[trait] == entries[next].traits[trait])
          entries[other].distance += kAlike[trait];
  }
  std::vector<PlannedVariant> sorted;
  sorted.reserve(variants.size());
  for (const Entry &entry : entries)
    sorted.push_back(std::move(variants[entry.at]));
  variants = std::move(sorted);
  const auto promising = std::count_if(entries.begin(), entries.end(),
                                       [](const Entry &entry) { return entry.mayPay; });
  return std::max<size_t>(1, static_cast<size_t>(promising)); // facts can be wrong
}

} // namespace tailor
