//===- Report/ReportPage.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Report/ReportPage.h"

#include "Report/Parts.h"
#include "Report/Words.h"
#include "Tuning/Portfolio.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace tailor::report {

namespace {

struct Device {
  std::string key, name, driver;
};

/// Of all outcomes, by name, driver and key.
std::vector<Device> devicesOf(const std::vector<KernelPart> &parts) {
  std::vector<Device> devices;
  for (const KernelPart &part : parts)
    for (const Site &site : part.sites) {
      const StoredWinner &o = site.outcome();
      if (std::none_of(devices.begin(), devices.end(),
                       [&](const Device &known) { return known.key == o.key.deviceKey; }))
        devices.push_back({o.key.deviceKey, o.deviceName, site.driver});
    }
  std::sort(devices.begin(), devices.end(), [](const Device &a, const Device &b) {
    return std::tie(a.name, a.driver, a.key) < std::tie(b.name, b.driver, b.key);
  });
  return devices;
}

bool isHarmed(const StoredCandidate &c) {
  return c.state == CandidateState::Wrong || c.state == CandidateState::Failed;
}

/// The gain of an outcome; 0 where there is none.
double gainOf(const Site &site) {
  return site.source->failure.empty() && isFigure(site.outcome().ratio) ? site.outcome().ratio : 0;
}

class Mean { // geometric
public:
  void add(double value) {
    if (value > 0) {
      sum += std::log(value);
      ++number;
    }
  }
  double value() const { return number == 0 ? 0 : std::exp(sum / static_cast<double>(number)); }

private:
  double sum = 0;
  size_t number = 0;
};

class Page {
public:
  explicit Page(const ReportInput &input)
      : input(input), parts(gather(input)), devices(devicesOf(parts)) {}
  std::string write();

private:
  void addHead();
  void addTitle();
  void addSummary();
  void addOverview();
  void addOverviewRow(const KernelPart &part, const std::vector<const Site *> &row);
  void addOverviewCell(const Site &site);
  void addIndex();
  void addKernel(const KernelPart &part);
  void addForAll(const KernelPart &part);
  void addSite(const Site &site);
  void addVerdict(const Site &site);
  void addBadges(const Site &site);
  std::string deviceTitle(const StoredWinner &outcome) const;

  const ReportInput &input;
  std::vector<KernelPart> parts;
  std::vector<Device> devices;
  Html html;
};

/// With its driver where another one of that name is there.
std::string Page::deviceTitle(const StoredWinner &outcome) const {
  size_t sameName = 0;
  std::string driver;
  for (const Device &each : devices) {
    sameName += each.name == outcome.deviceName;
    if (each.key == outcome.key.deviceKey)
      driver = each.driver;
  }
  return sameName > 1 && !driver.empty() ? outcome.deviceName + ", driver " + driver
                                         : outcome.deviceName;
}

void Page::addHead() {
  const Html::Scope head(html, "head");
  html.leaf("meta", {{"charset", "utf-8"}});
  html.leaf("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  html.leaf("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
  html.leaf("meta", {{"name", "generator"}, {"content", input.tool}});
  html.add("title", "Tuning report");
  const Html::Scope style(html, "style");
  html.raw(styleSheet());
}

void Page::addTitle() {
  std::string first, last;
  for (const KernelPart &part : parts)
    for (const Site &site : part.sites) {
      const std::string date = site.outcome().date.substr(0, 10);
      if (date.empty())
        continue;
      first = first.empty() ? date : std::min(first, date);
      last = std::max(last, date);
    }
  const Html::Scope header(html, "header");
  html.add("h1", "Tuning report");
  std::string text = "Workgroup sizes that were proven, checked and measured by SPIRV-Tailor";
  if (!first.empty())
    text += first == last ? ", on " + first : ", from " + first + " to " + last;
  html.add("p", text + ".");
}

void Page::addSummary() {
  size_t outcomes = 0, kept = 0, harmed = 0, timed = 0;
  Mean mean;
  const Site *best = nullptr;
  for (const KernelPart &part : parts)
    for (const Site &site : part.sites) {
      ++outcomes;
      const double gain = gainOf(site);
      mean.add(gain);
      kept += gain > 0 && site.outcome().winnerId == "authored";
      if (gain > 0 && (!best || gain > gainOf(*best)))
        best = &site;
      for (const StoredCandidate &c : site.candidates) {
        harmed += isHarmed(c);
        timed += c.isTimed();
      }
    }
  const Html::Scope summary(html, "div", {{"class", "figures"}});
  auto add = [&](const std::string &number, const std::string &what) {
    const Html::Scope one(html, "div");
    html.add("b", number);
    html.add("span", what);
  };
  add(std::to_string(parts.size()), parts.size() == 1 ? "kernel" : "kernels");
  add(std::to_string(devices.size()), devices.size() == 1 ? "device" : "devices");
  add(times(mean.value()), "as fast, on geometric average of " + count(outcomes, "outcome"));
  if (best)
    add(times(gainOf(*best)),
        "at best: " + best->outcome().kernel + " on " + best->outcome().deviceName);
  add(std::to_string(kept), "keep the authored size");
  add(std::to_string(timed), "variants verified and timed");
  add(std::to_string(harmed), "failed or were wrong");
}

void Page::addOverviewCell(const Site &site) {
  const StoredWinner &o = site.outcome();
  const double gain = gainOf(site);
  const Html::Scope link(
      html, "a",
      {{"href", "#" + site.id}, {"class", "gain " + heatStyle(gain > 0 ? 1 / gain : 0)}});
  if (!site.source->failure.empty()) {
    html.add("b", "–");
    html.add("span", "nothing measured");
    return;
  }
  html.add("b", times(gain));
  std::string what = o.winnerId == "authored" ? o.tie ? "authored (tie)" : "authored" : o.winnerId;
  if (o.winnerSubgroupSize != 0)
    what += ", subgroups of " + std::to_string(o.winnerSubgroupSize);
  html.add("span", what);
  const auto harmed = std::count_if(site.candidates.begin(), site.candidates.end(), isHarmed);
  if (harmed != 0)
    html.add("span", std::to_string(harmed) + " failed or wrong", {{"class", "warn"}});
}

void Page::addOverviewRow(const KernelPart &part, const std::vector<const Site *> &row) {
  const Html::Scope tr(html, "tr");
  {
    const Html::Scope head(html, "th", {{"scope", "row"}});
    html.add("a", part.name, {{"href", "#" + part.id}});
    html.add("span", row.front()->outcome().sizeName);
  }
  for (const Device &device : devices) {
    const Html::Scope cell(html, "td");
    for (const Site *site : row)
      if (site->outcome().key.deviceKey == device.key)
        addOverviewCell(*site);
  }
}

void Page::addOverview() {
  const Html::Scope section(html, "section", {{"id", "overview"}});
  html.add("h2", "Overview");
  html.add("p",
           "How many times as fast as the authored kernel the winner is, and which variant it is. "
           "The colours are those of its time over the authored one's:",
           {{"class", "hint"}});
  addHeatLegend(html);
  const Html::Scope frame(
      html, "div",
      {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", "overview"}});
  const Html::Scope table(html, "table", {{"class", "overview"}});
  std::map<std::string, Mean> means;
  {
    const Html::Scope tr(html, "tr");
    html.add("th", "kernel", {{"scope", "col"}});
    for (const Device &device : devices) {
      const Html::Scope head(html, "th", {{"scope", "col"}});
      html.text(device.name);
      html.add("span", device.driver.empty() ? "" : "driver " + device.driver);
    }
  }
  for (const KernelPart &part : parts) {
    std::vector<std::pair<std::string, std::vector<const Site *>>> rows; // by problem size
    for (const Site &site : part.sites) {
      means[site.outcome().key.deviceKey].add(gainOf(site));
      const std::string key = site.outcome().sizeName + "\n" + site.outcome().key.sizeHash;
      auto row = std::find_if(rows.begin(), rows.end(),
                              [&](const auto &known) { return known.first == key; });
      if (row == rows.end())
        row = rows.insert(rows.end(), {key, {}});
      row->second.push_back(&site);
    }
    for (const auto &[key, row] : rows)
      addOverviewRow(part, row);
  }
  const Html::Scope tr(html, "tr", {{"class", "mean"}});
  html.add("th", "geometric mean", {{"scope", "row"}});
  for (const Device &device : devices)
    html.add("td", times(means[device.key].value()));
}

void Page::addIndex() {
  const Html::Scope nav(html, "nav", {{"aria-label", "kernels"}});
  html.add("a", "Overview", {{"href", "#overview"}});
  for (const KernelPart &part : parts)
    html.add("a", part.name, {{"href", "#" + part.id}});
  if (!input.knownBad.empty())
    html.add("a", "Not tried again", {{"href", "#bad"}});
}

/// Which one variant serves all places of the kernel best, where there are several.
void Page::addForAll(const KernelPart &part) {
  std::vector<StoredWinner> outcomes;
  for (const Site &site : part.sites)
    if (site.source->failure.empty())
      outcomes.push_back(site.outcome());
  const std::vector<PortfolioTable> tables = portfolioTables(outcomes);
  if (tables.size() != 1 || tables.front().places.size() < 2)
    return;
  PortfolioOptions options;
  options.variants = 1;
  const VariantSet best = choosePortfolio(tables.front(), options).best;
  if (best.chosen.size() != 1)
    return;
  const std::string name = tables.front().variants[best.chosen.front()];
  const std::string where = "all " + std::to_string(tables.front().places.size()) +
                            " places (a device and a problem size)";
  html.add("p", best.uncovered != 0
                    ? "No variant has a time at " + where + "."
                    : "One variant for " + where + ": " + name + " is within " +
                          percent(best.worstLoss - 1) + " of the best everywhere, " +
                          percent(best.meanLoss - 1) + " on average.");
}

void Page::addKernel(const KernelPart &part) {
  const Html::Scope section(html, "section", {{"id", part.id}, {"class", "kernel"}});
  html.add("h2", part.name);
  {
    const Html::Scope about(html, "p", {{"class", "hint"}});
    html.text("Entry point " + part.entryPoint + ", authored size " +
              size(part.sites.front().outcome().authoredSize));
    if (part.info) {
      const KernelFacts &facts = part.info->facts;
      html.text(", " + count(facts.controlBarriers, "control barrier") + ", " +
                count(facts.atomics, "atomic") + ", " + std::to_string(facts.sharedBytes) +
                " bytes of workgroup memory, " + count(part.info->variants.size(), "variant"));
    }
    html.text(". Module ");
    html.add("code", part.moduleHash.substr(0, 16));
    html.text(".");
  }
  addForAll(part);
  for (const Site &site : part.sites)
    addSite(site);
  addAccesses(html, part);
  addRefused(html, part);
}

void Page::addBadges(const Site &site) {
  const StoredWinner &o = site.outcome();
  auto badge = [&](std::string_view text, std::string_view style) {
    html.add("span", text, {{"class", "badge " + std::string(style)}});
  };
  const Html::Scope badges(html, "p", {{"class", "badges"}});
  if (!site.source->failure.empty())
    return badge("nothing measured", "bad");
  badge(o.verified ? "✓ verified" : "not verified", o.verified ? "good" : "bad");
  if (o.winnerId == "authored")
    badge(o.tie ? "tie" : "authored size stays", "");
  const StoredCandidate *winner = o.candidate(o.winnerId, o.winnerSubgroupSize);
  if (winner && !winner->evidence.empty())
    badge(winner->evidence, winner->evidence == "declared" ? "notable" : "good");
  if (o.hostClock)
    badge("clock of the host", "notable");
  if (site.source->standing.isStale())
    badge("stale", "notable");
}

void Page::addVerdict(const Site &site) {
  const StoredWinner &o = site.outcome();
  if (!site.source->failure.empty()) {
    html.add("p", "Nothing was measured here: " + site.source->failure + ".",
             {{"class", "verdict"}});
    return;
  }
  const Html::Scope verdict(html, "p", {{"class", "verdict"}});
  const std::string authored = size(o.authoredSize);
  const std::string margin = isFigure(o.noise) ? percent(o.noise) : "";
  if (o.winnerId != "authored") {
    html.add("strong", times(o.ratio));
    html.text(" as fast with ");
    html.add("code", o.winnerId);
    if (o.winnerSubgroupSize != 0)
      html.text(" and subgroups of " + std::to_string(o.winnerSubgroupSize));
    html.text(": " + time(o.winnerNs) + " where the authored " + authored + " takes " +
              time(o.authoredNs) + ".");
    if (!margin.empty())
      html.text(" A gain of more than " + margin + " was needed to tell it from noise.");
  } else if (o.tie) {
    html.add("strong", "A tie");
    html.text(": something was faster than the authored " + authored + " (" + time(o.authoredNs) +
              "), but by no more than the noise" + (margin.empty() ? "" : " of " + margin) +
              ". The authored size stays.");
  } else {
    html.add("strong", "The authored size stays");
    html.text(": nothing was faster than " + authored + " with its " + time(o.authoredNs) + ".");
  }
  if (site.source->standing.isStale())
    html.text(" Stale: " + site.source->standing.why + ".");
}

void Page::addSite(const Site &site) {
  const Html::Scope article(html, "article", {{"id", site.id}});
  {
    const Html::Scope head(html, "div", {{"class", "head"}});
    html.add("h3", site.outcome().kernel + " (" + site.outcome().sizeName + ") on " +
                       deviceTitle(site.outcome()));
    addBadges(site);
  }
  addVerdict(site);
  addHeatMap(html, site);
  {
    const Html::Scope pair(html, "div", {{"class", "pair"}});
    addModel(html, site);
    addRoofline(html, site);
  }
  {
    const Html::Scope pair(html, "div", {{"class", "pair"}});
    {
      const Html::Scope left(html, "div");
      addVerification(html, site);
    }
    const Html::Scope right(html, "div");
    addSearch(html, site);
  }
  addUntimed(html, site);
  addVariants(html, site);
  addStatistics(html, site);
  html.add("a", "back to the overview", {{"href", "#overview"}, {"class", "back"}});
}

std::string Page::write() {
  html.raw("<!DOCTYPE html>\n");
  {
    const Html::Scope root(html, "html", {{"lang", "en"}});
    addHead();
    const Html::Scope body(html, "body");
    addIndex();
    const Html::Scope main(html, "main");
    addTitle();
    addSummary();
    addOverview();
    for (const KernelPart &part : parts)
      addKernel(part);
    if (!input.knownBad.empty()) {
      const Html::Scope section(html, "section", {{"id", "bad"}, {"class", "kernel"}});
      html.add("h2", "Not tried again");
      html.add("p",
               "These variants did harm on a device. They are left alone there until its driver or "
               "the tool changes.",
               {{"class", "hint"}});
      addKnownBad(html, input.knownBad);
    }
    html.add("footer", "Written by " + input.tool + ".");
  }
  return html.take();
}

} // namespace

std::string reportPage(const ReportInput &input) { return Page(input).write(); }

} // namespace tailor::report
