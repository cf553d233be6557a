//===- Bundle/VariantPlan.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/VariantPlan.h"

#include "Bundle/VariantFamilies.h"

#include <algorithm>
#include <set>

namespace tailor {

std::string idOf(const PlannedStep &step) {
  std::string id = std::string(nameOf(step.technique)) + "-" + step.size.str();
  if (step.guarded)
    id += "-guarded";
  for (const auto &[name, value] : step.parameters) {
    if (step.technique == Technique::Respecialize) // the name of a knob
      id.append("-").append(name).append("=").append(value);
    else if (name == "rows")
      id += "-groups" + value;
    else if (name == "tile")
      id += value; // behind order=tile
    else if (value != "cyclic")
      id += "-" + value;
  }
  return id;
}

std::string idOf(const PlannedVariant &variant) {
  std::string id;
  for (const PlannedStep &step : variant.steps)
    id += (id.empty() ? "" : "+") + idOf(step);
  return id;
}

std::string techniqueOf(const PlannedVariant &variant) {
  std::string text;
  for (const PlannedStep &step : variant.steps)
    text.append(text.empty() ? "" : "+").append(nameOf(step.technique));
  return text;
}

std::optional<GuardPolicy> parseGuardPolicy(std::string_view name) {
  if (name == "auto")
    return GuardPolicy::Auto;
  if (name == "all")
    return GuardPolicy::All;
  if (name == "none")
    return GuardPolicy::None;
  return std::nullopt;
}

/// Each family in turn gives its next ones: the promising ones of all, then the others.
static std::vector<const PlannedVariant *> inTurn(const std::vector<VariantFamily> &families) {
  std::vector<size_t> taken(families.size(), 0);
  std::vector<const PlannedVariant *> turns;
  for (bool isPromising : {true, false})
    for (size_t before = SIZE_MAX; turns.size() != before;) {
      before = turns.size();
      for (size_t at = 0; at < families.size(); ++at) {
        const VariantFamily &family = families[at];
        const size_t all = isPromising ? family.promising : family.variants.size();
        for (unsigned given = 0; given < family.atATurn && taken[at] < all; ++given)
          turns.push_back(&family.variants[taken[at]++]);
      }
    }
  return turns;
}

/// Techniques of which no family has anything.
static std::vector<std::pair<Technique, std::string>>
idleTechniques(const std::vector<VariantFamily> &families, const Certificate &certificate,
               const PlanRequest &request) {
  std::set<Technique> used;
  for (const VariantFamily &family : families)
    for (const PlannedVariant &variant : family.variants)
      for (const PlannedStep &step : variant.steps)
        used.insert(step.technique);
  std::vector<std::pair<Technique, std::string>> idle;
  if (request.sizes.policy == SizeRequest::Policy::List || (!request.named && !used.empty()))
    return idle;
  for (Technique technique : request.techniques)
    if (certificate.verdict(technique).legal() && !used.contains(technique))
      idle.emplace_back(technique, whyNoVariant(certificate, request, technique));
  return idle;
}

VariantPlan planVariants(const Certificate &certificate, const PlanRequest &request) {
  std::vector<VariantFamily> families = variantFamilies(certificate, request);
  VariantPlan plan;
  std::set<Dim3> made = {certificate.authored.size};
  for (VariantFamily &family : families) {
    for (size_t at = 0; at < family.variants.size();) {
      if (plan.places.try_emplace(idOf(family.variants[at]), plan.places.size()).second) {
        ++at;
        continue;
      }
      family.promising -= at < family.promising;
      family.variants.erase(family.variants.begin() + static_cast<std::ptrdiff_t>(at));
    }
    for (const PlannedVariant &variant : family.variants)
      made.insert(variant.size());
  }
  for (const PlannedVariant *variant : inTurn(families)) {
    const bool isLimited = request.maxVariants != 0 && plan.variants.size() == request.maxVariants;
    (isLimited ? plan.reserve : plan.variants).push_back(*variant);
  }
  auto placeOf = [&](const PlannedVariant &variant) { return plan.places.at(idOf(variant)); };
  std::sort(
      plan.variants.begin(), plan.variants.end(),
      [&](const PlannedVariant &a, const PlannedVariant &b) { return placeOf(a) < placeOf(b); });
  plan.idle = idleTechniques(families, certificate, request);
  if (request.sizes.policy == SizeRequest::Policy::List)
    for (const Dim3 &size : request.sizes.list)
      if (made.insert(size).second)
        plan.unmade.push_back(size);
  return plan;
}

} // namespace tailor
