//===- Report/Gather.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Report/Gather.h"

#include "Devices/Recognize.h"
#include "IR/Reader.h"
#include "Report/Words.h"

#include <algorithm>
#include <charconv>

namespace tailor::report {

namespace {

/// The value of a limit in the text that a device key ends with; empty where it is not there.
std::string_view limitOf(std::string_view limits, std::string_view name) {
  while (!limits.empty()) {
    const size_t end = std::min(limits.find(';'), limits.size());
    std::string_view one = limits.substr(0, end);
    limits.remove_prefix(std::min(end + 1, limits.size()));
    if (one.size() > name.size() && one.starts_with(name) && one[name.size()] == '=')
      return one.substr(name.size() + 1);
  }
  return {};
}

std::optional<uint32_t> numberOf(std::string_view text) {
  uint32_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

ReportedLimits limitsOf(std::string_view text) {
  ReportedLimits limits;
  limits.maxInvocations = numberOf(limitOf(text, "invocations"));
  limits.maxSharedBytes = numberOf(limitOf(text, "shared"));
  if (std::optional<Dim3> size = parseDim3(limitOf(text, "localSize")))
    limits.maxSize = size->array();
  if (std::optional<Dim3> groups = parseDim3(limitOf(text, "groups")))
    limits.maxGroups = std::min({groups->x, groups->y, groups->z});
  // subgroup=32/32/32: the nominal width, the smallest, the largest
  std::string_view widths = limitOf(text, "subgroup");
  for (std::optional<uint32_t> *each :
       {&limits.subgroupSize, &limits.subgroupMin, &limits.subgroupMax}) {
    const size_t end = std::min(widths.find('/'), widths.size());
    *each = numberOf(widths.substr(0, end));
    widths.remove_prefix(std::min(end + 1, widths.size()));
  }
  return limits;
}

constexpr const char *kPassBundle = "pass the bundle that was tuned to see it";

/// Finds the kernel's module in a bundle.
void findKernel(KernelPart &part, std::span<const Bundle> bundles) {
  bool isOther = false;
  for (const Bundle &bundle : bundles)
    for (const KernelInfo &kernel : bundle.kernels) {
      const bool isSame = kernel.sourceHash == part.moduleHash && !kernel.variants.empty();
      if (isSame && (!part.info || (part.info->name != part.name && kernel.name == part.name))) {
        part.bundle = &bundle;
        part.info = &kernel;
      }
      isOther |= !isSame && kernel.name == part.name;
    }
  if (part.info)
    return;
  part.whyNoInfo = isOther ? "the bundle's kernel of this name is another module than the one that "
                             "was measured"
                           : kPassBundle;
}

Status analyze(KernelPart &part) {
  Result<std::vector<uint32_t>> words =
      wordsOf(*part.bundle, *part.info, part.info->variants.front());
  if (!words)
    return words.takeFailure();
  Result<Module> module = readModule(*words, part.name);
  if (!module)
    return module.takeFailure();
  Result<EntryPoint> entry = findComputeEntryPoint(*module, part.info->entryPoint);
  if (!entry)
    return entry.takeFailure();
  Result<KernelAnalysis> analysis =
      KernelAnalysis::create(*module, *entry, part.info->variants.front().specConstants);
  if (!analysis)
    return analysis.takeFailure();
  part.analysis = std::make_unique<KernelAnalysis>(std::move(*analysis));
  // Of devices whose subgroups differ none speaks for the others: then it is as `analyze` has it.
  constexpr uint32_t kCommonWidth = 32;
  uint32_t width = part.sites.front().profile.subgroupWidth().value_or(kCommonWidth);
  for (const Site &site : part.sites)
    if (site.profile.subgroupWidth().value_or(kCommonWidth) != width)
      width = kCommonWidth;
  part.findings =
      std::make_unique<Findings>(gatherFindings(*part.analysis, std::clamp(width, 1U, 128U)));
  return success();
}

const ProblemSize *findSize(const KernelPart &part, const Site &site,
                            std::span<const Workload> workloads, const Workload *&workload,
                            std::string &whyNot) {
  whyNot = "pass the workload that it was tuned with (--workload) to see it";
  for (const Workload &each : workloads) {
    if (!each.appliesTo(part.name, part.entryPoint))
      continue;
    for (const ProblemSize &size : each.sizes) {
      if (size.hash() == site.outcome().key.sizeHash) {
        workload = &each;
        whyNot.clear();
        return &size;
      }
      if (size.name == site.outcome().sizeName)
        whyNot = "the workload's size of this name is not the one that was measured";
    }
  }
  return nullptr;
}

/// What the cost model sees in each candidate, at this size and on this device.
Status addFeatures(const KernelPart &part, Site &site, const Workload &workload) {
  Result<std::unique_ptr<SiteWithoutDevice>> where =
      SiteWithoutDevice::create(*part.bundle, *part.info, workload, *site.size);
  if (!where)
    return where.takeFailure();
  std::vector<SelectedVariant> &selected = (*where)->selection.selected;
  auto idOf = [&](const SelectedVariant &each) -> const std::string & {
    return part.info->variants[each.variant].id;
  };
  std::erase_if(selected, [&](const SelectedVariant &each) {
    return std::none_of(site.candidates.begin(), site.candidates.end(),
                        [&](const StoredCandidate &c) { return c.variantId == idOf(each); });
  });
  std::vector<Expectation> found = expectationsOf((*where)->site(), selected, site.profile);
  for (size_t at = 0; at < found.size(); ++at)
    for (size_t i = 0; i < site.candidates.size(); ++i) {
      StoredCandidate &candidate = site.candidates[i];
      if (candidate.variantId != idOf(selected[at]))
        continue;
      site.features[i] = found[at].features;
      if (candidate.expectedNs == 0 && candidate.boundNs == 0) {
        candidate.expectedNs = found[at].estimate.expectedNs;
        candidate.boundNs = found[at].estimate.boundNs;
      }
    }
  return success();
}

void completeSite(const KernelPart &part, Site &site, std::span<const Workload> workloads) {
  if (!part.info) {
    site.whyNoFeatures =
        part.whyNoInfo == kPassBundle
            ? "pass the bundle that was tuned and its workload (--workload) to see it"
            : part.whyNoInfo;
  }
  const Workload *workload = nullptr;
  std::string whyNoSize;
  site.size = findSize(part, site, workloads, workload, whyNoSize);
  if (!part.info)
    return;
  site.whyNoFeatures = whyNoSize;
  if (!site.size)
    return;
  if (Status added = addFeatures(part, site, *workload); !added)
    site.whyNoFeatures = "the cost model cannot look at it: " + added.diagnostic().text;
}

Site siteOf(const ReportOutcome &source) {
  Site site;
  site.source = &source;
  site.candidates = source.outcome.candidates;
  site.features.resize(site.candidates.size());
  if (std::optional<DeviceParts> parts = parseDeviceKey(source.outcome.key.deviceKey)) {
    site.profile = profileOf(*parts);
    site.driver = parts->driverInfo;
  }
  return site;
}

} // namespace

DeviceProfile profileOf(const DeviceParts &device) {
  const ReportedLimits limits = limitsOf(device.limits);
  const Recognition recognition = recognize({.vendorId = device.vendorId,
                                             .deviceId = device.deviceId,
                                             .driverId = device.driverId,
                                             .driverVersion = device.driverVersion,
                                             .apiVersion = 0,
                                             .name = device.deviceName},
                                            limits);
  return profileFromLimits(recognition, limits);
}

bool Site::isWinner(const StoredCandidate &candidate) const {
  return source->failure.empty() && candidate.variantId == outcome().winnerId &&
         candidate.subgroupSize == outcome().winnerSubgroupSize;
}

const StoredCandidate *Site::authored() const {
  for (const StoredCandidate &each : candidates)
    if (each.variantId == "authored" && each.subgroupSize == 0)
      return &each;
  return nullptr;
}

double Site::authoredNs() const {
  if (isFigure(outcome().authoredNs))
    return outcome().authoredNs;
  const StoredCandidate *each = authored();
  return each && each->isTimed() && isFigure(each->medianNs) ? each->medianNs : 0;
}

double Site::relative(const StoredCandidate &candidate) const {
  const double base = authoredNs();
  if (!candidate.isTimed() || !isFigure(candidate.medianNs) || base == 0)
    return 0;
  const double ratio = candidate.medianNs / base;
  return isFigure(ratio) ? ratio : 0;
}

std::vector<KernelPart> gather(const ReportInput &input) {
  std::vector<KernelPart> parts;
  for (const ReportOutcome &each : input.outcomes) {
    const StoredWinner &o = each.outcome;
    auto part = std::find_if(parts.begin(), parts.end(), [&](const KernelPart &known) {
      return known.name == o.kernel && known.moduleHash == o.key.moduleHash;
    });
    if (part == parts.end()) {
      parts.emplace_back();
      part = std::prev(parts.end());
      part->name = o.kernel;
      part->entryPoint = o.entryPoint;
      part->moduleHash = o.key.moduleHash;
    }
    part->sites.push_back(siteOf(each));
  }
  std::sort(parts.begin(), parts.end(), [](const KernelPart &a, const KernelPart &b) {
    return a.name != b.name ? a.name < b.name : a.moduleHash < b.moduleHash;
  });
  for (size_t k = 0; k < parts.size(); ++k) {
    KernelPart &part = parts[k];
    part.id = "k" + std::to_string(k + 1);
    findKernel(part, input.bundles);
    if (!part.info)
      part.whyNoFindings = part.whyNoInfo;
    else if (Status done = analyze(part); !done)
      part.whyNoFindings = "the module cannot be looked at: " + done.diagnostic().text;
    for (size_t s = 0; s < part.sites.size(); ++s) {
      part.sites[s].id = part.id + "-" + std::to_string(s + 1);
      completeSite(part, part.sites[s], input.workloads);
    }
  }
  return parts;
}

} // namespace tailor::report
