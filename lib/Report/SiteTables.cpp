//===- Report/SiteTables.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Report/Parts.h"
#include "Report/Words.h"

#include <algorithm>
#include <map>

namespace tailor::report {

// --- Table -------------------------------------------------------------------------------------

Table::Table(Html &html, std::string_view name, const std::vector<std::string> &heads)
    : html(html) {
  frame.emplace(
      html, "div",
      Attributes{{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", name}});
  table.emplace(html, "table", Attributes{{"class", "list"}});
  const Html::Scope row(html, "tr");
  for (const std::string &head : heads) {
    const bool isNumber = head.starts_with("#");
    columns.emplace_back(isNumber ? "n" : "");
    html.add("th", isNumber ? head.substr(1) : head, {{"scope", "col"}, {"class", columns.back()}});
  }
}

Table::~Table() {
  table.reset();
  frame.reset();
  if (!last.empty())
    html.add("p", last, {{"class", "hint"}});
}

void Table::row(const std::vector<std::string> &cells, std::string_view style) {
  const Html::Scope row(html, "tr", {{"class", style}});
  for (size_t at = 0; at < columns.size(); ++at) {
    const std::string cell = at < cells.size() ? cells[at] : "";
    // Long texts get lines of a readable length, whatever the width of the page.
    constexpr size_t kLong = 40;
    html.add("td", cell, {{"class", cell.size() > kLong ? "long" : columns[at]}});
  }
}

namespace {

// --- words -------------------------------------------------------------------------------------

std::string faultText(CandidateFault fault) {
  switch (fault) {
  case CandidateFault::None:
    return "";
  case CandidateFault::Refused:
    return "refused by the driver";
  case CandidateFault::Crashed:
    return "crashed";
  case CandidateFault::Hung:
    return "hung";
  case CandidateFault::DeviceLost:
    return "lost the device";
  case CandidateFault::WroteOutside:
    return "wrote outside";
  case CandidateFault::WrongResult:
    return "wrong result";
  case CandidateFault::TooSlow:
    return "too slow";
  }
  return "";
}

std::string whatHappened(const StoredCandidate &c) {
  if (const std::string fault = faultText(c.fault); !fault.empty())
    return fault;
  return c.state == CandidateState::Measured && !c.verified ? "not verified" : stateOf(c);
}

/// A list of names with what is said of each.
class Facts {
public:
  explicit Facts(Html &html) : html(html), list(html, "dl", {{"class", "facts"}}) {}
  void add(std::string_view name, std::string_view what) {
    if (what.empty())
      return;
    const Html::Scope pair(html, "div");
    html.add("dt", name);
    html.add("dd", what);
  }

private:
  Html &html;
  Html::Scope list;
};

std::string ruleText(const vulkan::CompareRule &rule) {
  switch (rule.mode) {
  case vulkan::CompareMode::Exact:
    return "bit for bit";
  case vulkan::CompareMode::Ulp:
    return "within " + count(rule.ulps, "representable value");
  case vulkan::CompareMode::Absolute:
    return rule.relative == 0   ? "within " + figure(rule.absolute)
           : rule.absolute == 0 ? "within " + figure(rule.relative) + " of the value"
                                : "within " + figure(rule.absolute) + " plus " +
                                      figure(rule.relative) + " of the value";
  }
  return "";
}

std::string toleranceText(const Site &site) {
  if (!site.size)
    return "pass the workload to see it";
  std::string text;
  for (const WorkloadBinding &binding : site.size->bindings)
    if (binding.desc.output)
      text += (text.empty() ? "" : "; ") + std::string("set ") + std::to_string(binding.desc.set) +
              " binding " + std::to_string(binding.desc.binding) + " " + ruleText(binding.compare);
  return text.empty() ? "the workload names no output" : text;
}

std::string seconds(double value) { return value > 0 ? time(value * 1e9) : ""; }

} // namespace

// --- parts -------------------------------------------------------------------------------------

void addVerification(Html &html, const Site &site) {
  const StoredWinner &o = site.outcome();
  size_t agreed = 0, wrong = 0, unchecked = 0;
  for (const StoredCandidate &c : site.candidates) {
    const bool isWrong = c.state == CandidateState::Wrong;
    wrong += isWrong;
    agreed += !isWrong && c.verified;
    unchecked += !isWrong && !c.verified;
  }
  html.add("h4", "Verification");
  Facts facts(html);
  facts.add("outputs agree with the authored kernel's",
            std::to_string(agreed) + " of " + count(site.candidates.size(), "variant"));
  facts.add("outputs differ", wrong == 0 ? "" : count(wrong, "variant"));
  facts.add("never compared", unchecked == 0 ? "" : count(unchecked, "variant"));
  if (site.source->failure.empty()) {
    facts.add("the winner", o.verified ? "verified" : "not verified");
    facts.add("its time is the median of", count(o.samples, "sample"));
  }
  facts.add("tolerance", toleranceText(site));
}

void addSearch(Html &html, const Site &site) {
  const StoredWinner &o = site.outcome();
  const SearchRecord &search = o.search;
  html.add("h4", "Search");
  Facts facts(html);
  facts.add("strategy", search.strategy.empty() ? "not known" : search.strategy);
  facts.add("it ended because", search.ended);
  facts.add("budget", seconds(search.budgetSeconds));
  facts.add("compiling took", seconds(search.compileSeconds));
  facts.add("verifying took", seconds(search.verifySeconds));
  facts.add("measuring took", seconds(search.measureSeconds));
  facts.add("clock", o.hostClock ? "of the host" : "of the device");
  facts.add("groups dispatched", o.groups.str());
  facts.add("measured by", o.tool.empty() ? "an unknown tool" : o.tool);
  facts.add("measured at", o.date);
}

void addUntimed(Html &html, const Site &site) {
  std::vector<const StoredCandidate *> list;
  std::map<std::string, size_t> sums;
  bool isHarmed = false;
  for (const StoredCandidate &c : site.candidates) {
    if (c.state == CandidateState::Measured && c.isTimed())
      continue;
    list.push_back(&c);
    ++sums[whatHappened(c)];
    isHarmed |= isBad(c);
  }
  if (list.empty()) {
    html.add("p", "Every variant was verified and timed to the end.", {{"class", "hint"}});
    return;
  }
  // What did harm first, else as they are stored.
  std::sort(list.begin(), list.end(), [](const auto *a, const auto *b) {
    return isBad(*a) != isBad(*b) ? isBad(*a) : a < b;
  });
  std::string summary;
  for (const auto &[what, number] : sums)
    summary += (summary.empty() ? "" : ", ") + std::to_string(number) + " " + what;
  const Html::Scope details(html, "details", {{"open", isHarmed ? "open" : ""}});
  html.add("summary", "Not timed to the end: " + summary);
  Table table(html, "variants without a time", {"variant", "what happened", "why"});
  for (const StoredCandidate *c : list)
    table.row({nameOf(*c), whatHappened(*c), c->why}, isBad(*c) ? "harm" : "");
}

void addVariants(Html &html, const Site &site) {
  std::vector<const StoredCandidate *> list;
  list.reserve(site.candidates.size());
  for (const StoredCandidate &c : site.candidates)
    list.push_back(&c);
  std::sort(list.begin(), list.end(), [](const auto *a, const auto *b) {
    if (a->isTimed() != b->isTimed())
      return a->isTimed();
    if (a->isTimed() && a->medianNs != b->medianNs)
      return a->medianNs < b->medianNs;
    return a < b; // as they are stored
  });
  const Html::Scope details(html, "details");
  html.add("summary", "All " + count(list.size(), "variant"));
  Table table(html, "all variants",
              {"variant", "#size", "#time", "#of authored", "#spread", "#samples", "#expected",
               "#bound", "evidence", "outcome"});
  for (const StoredCandidate *c : list) {
    const double relative = site.relative(*c);
    const bool hasTime = isFigure(c->medianNs);
    table.row({nameOf(*c), size(c->localSize), time(c->medianNs),
               relative > 0 ? fixed(relative, 3) : "-", hasTime ? percent(c->spread, 2) : "-",
               c->samples == 0 ? "-" : std::to_string(c->samples), time(c->expectedNs),
               time(c->boundNs), c->evidence.empty() ? "-" : c->evidence, whatHappened(*c)},
              site.isWinner(*c)            ? "winner"
              : c->variantId == "authored" ? "authored"
                                           : "");
  }
}

void addStatistics(Html &html, const Site &site) {
  std::vector<std::string> names;
  for (const StoredCandidate &c : site.candidates)
    for (const PipelineStatistic &statistic : c.statistics)
      if (std::find(names.begin(), names.end(), statistic.name) == names.end())
        names.push_back(statistic.name);
  if (names.empty())
    return;
  const Html::Scope details(html, "details");
  html.add("summary", "What the driver says of the pipelines");
  std::vector<std::string> heads = {"variant", "#time"};
  for (const std::string &name : names)
    heads.push_back("#" + name);
  Table table(html, "pipeline statistics", heads);
  for (const StoredCandidate &c : site.candidates) {
    if (c.statistics.empty())
      continue;
    std::vector<std::string> cells = {nameOf(c), time(c.medianNs)};
    for (const std::string &name : names) {
      auto found = std::find_if(c.statistics.begin(), c.statistics.end(),
                                [&](const PipelineStatistic &each) { return each.name == name; });
      cells.push_back(found == c.statistics.end() ? "-" : figure(found->value));
    }
    table.row(cells, site.isWinner(c) ? "winner" : "");
  }
}

void addKnownBad(Html &html, const std::vector<KnownBad> &list) {
  Table table(html, "variants that are not tried again",
              {"kernel", "variant", "device", "what happened", "why", "measured by", "since"});
  for (const KnownBad &bad : list) {
    const std::optional<DeviceParts> device = parseDeviceKey(bad.deviceKey);
    StoredCandidate named;
    named.variantId = bad.variantId;
    named.subgroupSize = bad.subgroupSize;
    table.row({bad.kernel, nameOf(named), device ? device->deviceName : bad.deviceKey,
               faultText(bad.fault), bad.why, bad.tool, bad.date});
  }
}

} // namespace tailor::report
