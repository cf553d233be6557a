//===- differential/TechniquePlan.cpp - Variants by chance -----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TechniqueCampaign.h"

#include <algorithm>

namespace tailor::differential {

namespace {

/// Enough for every device.
constexpr uint64_t kMostInvocations = 128;

bool onEveryAxis(const std::function<bool(unsigned)> &holds) {
  return holds(0) && holds(1) && holds(2);
}

class Planner {
public:
  Planner(const Certificate &certificate, const Dim3 &groups, Random &random)
      : certificate(certificate), authored(certificate.authored.size), groups(groups),
        random(random) {}

  std::vector<PlannedVariant> plan(size_t most) {
    for (Technique technique : {Technique::Resize, Technique::Remap})
      if (legal(technique))
        resized(technique);
    if (legal(Technique::Pack))
      packed();
    if (legal(Technique::Coarsen))
      coarsened();
    if (legal(Technique::Swizzle))
      swizzled();
    compositions();
    for (size_t at = variants.size(); at > 1; --at)
      std::swap(variants[at - 1], variants[random.below(static_cast<uint32_t>(at))]);
    if (variants.size() > most)
      variants.resize(most);
    return std::move(variants);
  }

private:
  bool legal(Technique technique) const { return certificate.verdict(technique).legal(); }
  void add(std::vector<PlannedStep> steps) {
    PlannedVariant variant{std::move(steps)};
    if (variant.size().product() <= kMostInvocations &&
        std::find(variants.begin(), variants.end(), variant) == variants.end())
      variants.push_back(std::move(variant));
  }
  bool allows(Technique technique, const Dim3 &size) const {
    return size != authored &&
           allowsSize(technique, certificate.verdict(technique), authored, size);
  }

  void resized(Technique technique) {
    static const uint32_t lengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32};
    for (unsigned tries = 0; tries < 10; ++tries) {
      Dim3 size{1, 1, 1};
      for (unsigned axis = 0; axis < 3; ++axis) {
        const uint32_t grid = authored[axis] * groups[axis];
        if (grid == 1)
          continue;
        uint32_t length = lengths[random.below(std::size(lengths))];
        size[axis] = random.chance(40) && grid % length != 0 ? grid / groups[axis] : length;
        if (random.chance(30))
          size[axis] = authored[axis] * (1 + random.below(2));
      }
      if (!allows(technique, size))
        continue;
      const bool isEven = onEveryAxis(
          [&](unsigned axis) { return authored[axis] * groups[axis] % size[axis] == 0; });
      const bool divides =
          onEveryAxis([&](unsigned axis) { return authored[axis] % size[axis] == 0; });
      Result<Dispatch> rule = dispatchOf(certificate, technique, size);
      if (isEven || (rule && rule->rule == DispatchRule::Cover))
        add({{technique, size}});
      if (!divides && random.chance(60))
        add({{technique, size, true}});
    }
  }

  /// Sizes of whole groups that the dispatch comes out even for.
  std::vector<Dim3> packs() const {
    std::vector<Dim3> sizes;
    for (uint32_t z : {1u, 2u, 4u})
      for (uint32_t y : {1u, 2u, 4u})
        for (uint32_t x : {1u, 2u, 3u, 4u, 6u}) {
          const Dim3 size{authored.x * x, authored.y * y, authored.z * z};
          if (groups.x % x == 0 && groups.y % y == 0 && groups.z % z == 0 &&
              size.product() <= kMostInvocations && allows(Technique::Pack, size))
            sizes.push_back(size);
        }
    return sizes;
  }
  void packed() {
    for (const Dim3 &size : some(packs(), 4))
      add({{Technique::Pack, size}});
  }

  static std::vector<Dim3> divisors(const Dim3 &of) {
    std::vector<Dim3> sizes;
    for (uint32_t z = 1; z <= of.z; ++z)
      for (uint32_t y = 1; y <= of.y; ++y)
        for (uint32_t x = 1; x <= of.x; ++x) {
          const Dim3 size{x, y, z};
          if (of.x % x == 0 && of.y % y == 0 && of.z % z == 0 && size != of &&
              of.product() / size.product() <= 8)
            sizes.push_back(size);
        }
    return sizes;
  }
  PlannedStep coarsening(const Dim3 &of) {
    std::vector<Dim3> sizes = divisors(of);
    PlannedStep step{Technique::Coarsen, of};
    if (!sizes.empty())
      step.size = random.pick(sizes);
    step.parameters["form"] = random.chance(50) ? "cyclic" : "blocked";
    return step;
  }
  void coarsened() {
    if (authored.product() == 1)
      return;
    for (unsigned at = 0; at < 6; ++at)
      add({coarsening(authored)});
  }

  PlannedStep lanes(const Dim3 &of) {
    PlannedStep step{Technique::Swizzle, of};
    auto isPower = [](uint32_t n) { return (n & (n - 1)) == 0; };
    const uint32_t kind = random.below(4);
    step.parameters["order"] = "column";
    if (kind == 1 && isPower(of.x) && isPower(of.y))
      step.parameters["order"] = "morton";
    if (kind == 2) {
      Dim3 tile{of.x % 2 == 0 ? 2u : 1u, of.y % 2 == 0 ? 2u : of.y, 1};
      step.parameters["order"] = "tile";
      step.parameters["tile"] = std::to_string(tile.x) + "x" + std::to_string(tile.y);
    }
    if (kind == 3)
      step.parameters["order"] = "row";
    if (kind == 3 || random.chance(30)) // another shape of as many
      step.size = random.chance(50) ? Dim3{static_cast<uint32_t>(of.product()), 1, 1}
                                    : Dim3{of.y, of.x, of.z};
    return step;
  }
  PlannedStep bands(const Dim3 &of) {
    PlannedStep step{Technique::Swizzle, of};
    step.parameters["rows"] = std::to_string(1 + random.below(3));
    return step;
  }
  void swizzled() {
    for (unsigned at = 0; at < 3; ++at)
      add({lanes(authored)});
    if (groups.y > 1 || random.chance(20))
      add({bands(authored)});
  }

  void compositions() {
    if (legal(Technique::Pack))
      for (const Dim3 &size : some(packs(), 2)) {
        if (legal(Technique::Coarsen))
          add({{Technique::Pack, size}, coarsening(size)});
        add({{Technique::Pack, size}, lanes(size)});
      }
    if (!legal(Technique::Coarsen) || authored.product() == 1)
      return;
    PlannedStep first = coarsening(authored);
    add({first, random.chance(60) ? lanes(first.size) : bands(first.size)});
    PlannedStep swizzle = lanes(authored);
    add({swizzle, coarsening(swizzle.size)});
  }

  template <typename T> std::vector<T> some(std::vector<T> all, size_t most) {
    while (all.size() > most)
      all.erase(all.begin() + random.below(static_cast<uint32_t>(all.size())));
    return all;
  }

  const Certificate &certificate;
  const Dim3 authored, groups;
  Random &random;
  std::vector<PlannedVariant> variants;
};

} // namespace

std::vector<PlannedVariant> planForKernel(const Certificate &certificate, const Dim3 &groups,
                                          Random &random, size_t most) {
  return Planner(certificate, groups, random).plan(most);
}

} // namespace tailor::differential
