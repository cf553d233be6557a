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

/// Each family in turn gives its next ones, until there are `most`: the promising ones of all, then
/// the others.
static std::vector<size_t> shareOut(const std::vector<VariantFamily> &families, size_t most) {
  std::vector<size_t> taken(families.size(), 0);
  size_t total = 0;
  for (bool isPromising : {true, false})
    for (size_t before = SIZE_MAX; total < most && total != before;) {
      before = total;
      for (size_t at = 0; at < families.size() && total < most; ++at) {
        const VariantFamily &family = families[at];
        const size_t all = isPromising ? family.promising : family.variants.size();
        const size_t given = std::min({all - taken[at], most - total, size_t{family.atATurn}});
        taken[at] += given;
        total += given;
      }
    }
  return taken;
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
  size_t all = 0;
  std::set<std::string> ids;
  std::set<Dim3> made = {certificate.authored.size};
  for (VariantFamily &family : families) {
    for (size_t at = 0; at < family.variants.size();) {
      if (ids.insert(idOf(family.variants[at])).second) {
        ++at;
        continue;
      }
      family.promising -= at < family.promising;
      family.variants.erase(family.variants.begin() + static_cast<std::ptrdiff_t>(at));
    }
    for (const PlannedVariant &variant : family.variants)
      made.insert(variant.size());
    all += family.variants.size();
  }
  std::vector<size_t> taken =
      shareOut(families, request.maxVariants == 0 ? all : std::min(all, request.maxVariants));
  for (size_t at = 0; at < families.size(); ++at)
    plan.variants.insert(plan.variants.end(), families[at].variants.begin(),
                         families[at].variants.begin() + static_cast<std::ptrdiff_t>(taken[at]));
  plan.dropped = all - plan.variants.size();
  plan.idle = idleTechniques(families, certificate, request);
  if (request.sizes.policy == SizeRequest::Policy::List)
    for (const Dim3 &size : request.sizes.list)
      if (made.insert(size).second)
        plan.unmade.push_back(size);
  return plan;
}

} // namespace tailor
