//===- Bundle/ProfileRank.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/ProfileRank.h"

#include "Bundle/VariantMaker.h"
#include "Cost/CostModel.h"
#include "Devices/Fit.h"
#include "IR/WorkgroupSize.h"

#include <algorithm>
#include <climits>
#include <limits>
#include <map>
#include <set>

namespace tailor {

namespace {

uint32_t widthFor(const DeviceProfile &profile) {
  constexpr uint32_t kCommonWidth = 32;
  return profile.subgroupWidth().value_or(kCommonWidth);
}

Result<VariantFeatures> look(const Module &module, const std::string &entryName,
                             const DispatchShape &shape, uint32_t width) {
  Result<EntryPoint> entry = findComputeEntryPoint(module, entryName);
  if (!entry)
    return entry.takeFailure();
  return featuresOf(module, *entry, shape, width);
}

DispatchShape shapeOf(const AssumedDispatch &dispatch, const Dim3 &groups, const SpecMap &values) {
  DispatchShape shape;
  shape.groups = groups;
  shape.specConstants = {values.begin(), values.end()};
  shape.other = [&dispatch](const UniformExpr &leaf) { return dispatch.value(leaf); };
  return shape;
}

/// How much of the kernel runs in the middle of the grid: accesses, then lanes at them.
std::pair<size_t, double> reachOf(const Result<VariantFeatures> &features) {
  double lanes = 0;
  if (!features)
    return {0, 0};
  for (const AccessFeatures &access : features->accesses)
    lanes += access.lanes;
  return {features->accesses.size(), lanes};
}

} // namespace

ProfileRank::ProfileRank(Kernel of, AssumedDispatch assumed,
                         std::span<const DeviceProfile *const> profiles)
    : kernel(std::move(of)), dispatch(std::move(assumed)) {
  for (const DeviceProfile *profile : profiles)
    if (!profile->isMinimum && std::find(devices.begin(), devices.end(), profile) == devices.end())
      devices.push_back(profile);
  if (devices.empty())
    return;
  // Of a bound that was not found to be one, the model assumes little, and the middle of the grid
  // would be past it.
  AssumedDispatch grid = dispatch;
  grid.takeAsGrid();
  const uint32_t width = widthFor(*devices.front());
  auto reach = [&](const AssumedDispatch &with) {
    return reachOf(
        look(kernel.base, kernel.entry, shapeOf(with, with.groups(), kernel.values), width));
  };
  if (reach(grid) > reach(dispatch))
    dispatch = std::move(grid);
}

/// The dispatch of a variant; nullopt where it does not apply.
static std::optional<DispatchShape> shapeFor(const MadeVariant &variant,
                                             const AssumedDispatch &dispatch, const Dim3 &authored,
                                             const SpecMap &values) {
  const Dim3 anyCount{INT_MAX, INT_MAX, INT_MAX};
  Result<Dim3> groups = variantGroups(variant.dispatch, authored, dispatch.groups(), anyCount);
  if (!groups)
    return std::nullopt;
  DispatchShape shape = shapeOf(dispatch, *groups, values);
  if (!variant.guard)
    return shape;
  auto gridAt = [&dispatch](unsigned axis) { return static_cast<uint32_t>(dispatch.grid(axis)); };
  for (unsigned axis = 0; axis < 3 && axis < variant.guard->specIds.size(); ++axis)
    shape.specConstants[variant.guard->specIds[axis]] = gridAt(axis);
  if (variant.guard->kind == kGuardPushConstant)
    shape.other = [&dispatch, gridAt, offset = variant.guard->offset](const UniformExpr &leaf) {
      for (unsigned axis = 0; axis < 3; ++axis)
        if (leaf.op == UniformExpr::Op::PushConstant && leaf.params[0] == offset + 4 * axis)
          return std::optional(gridAt(axis));
      return dispatch.value(leaf);
    };
  return shape;
}

std::vector<std::optional<double>> ProfileRank::expect(const MadeVariant &variant) const {
  std::vector<std::optional<double>> expected(devices.size());
  Result<EntryPoint> entry = findComputeEntryPoint(variant.module, kernel.entry);
  Result<WorkgroupSize> size =
      entry ? readWorkgroupSize(variant.module, *entry, kernel.values) : entry.takeFailure();
  std::optional<DispatchShape> shape = shapeFor(variant, dispatch, kernel.size, kernel.values);
  if (!size || !shape)
    return expected;
  std::map<uint32_t, Result<VariantFeatures>> byWidth;
  for (size_t at = 0; at < devices.size(); ++at) {
    if (!breachesOf(*devices[at], size->size, variant.sharedBytes).empty())
      continue;
    const uint32_t width = widthFor(*devices[at]);
    auto features = byWidth.find(width);
    if (features == byWidth.end())
      features = byWidth.emplace(width, look(variant.module, kernel.entry, *shape, width)).first;
    if (features->second)
      expected[at] = estimate(*features->second, *devices[at]).expectedNs;
  }
  return expected;
}

std::vector<ChosenVariant> chooseInTurns(std::span<const RankedVariant> variants, size_t profiles,
                                         size_t most) {
  constexpr size_t kOfAnotherKind = 4;
  std::vector<ChosenVariant> chosen;
  std::vector<bool> taken(variants.size(), false);
  std::set<std::string> techniques;
  /// The fastest that is left; `fresh`: of a technique that is new. Past the end: there is none.
  auto best = [&](size_t profile, bool fresh) {
    size_t found = variants.size();
    double least = std::numeric_limits<double>::infinity();
    for (size_t at = 0; at < variants.size(); ++at) {
      const std::optional<double> &expected = variants[at].expectedNs[profile];
      if (taken[at] || (fresh && (!expected || techniques.contains(variants[at].technique))))
        continue;
      const double ns = expected.value_or(std::numeric_limits<double>::infinity());
      if (found == variants.size() || ns < least) {
        found = at;
        least = ns;
      }
    }
    return found;
  };
  most = std::min(most, variants.size());
  while (chosen.size() < most) {
    const size_t profile = chosen.size() % profiles, round = chosen.size() / profiles;
    const bool isLast = chosen.size() + 1 == most && techniques.size() == 1;
    size_t next = variants.size();
    if (round % kOfAnotherKind == kOfAnotherKind - 1 || isLast)
      next = best(profile, true);
    if (next == variants.size())
      next = best(profile, false);
    taken[next] = true;
    techniques.insert(variants[next].technique);
    chosen.push_back({next, profile});
  }
  return chosen;
}

} // namespace tailor
