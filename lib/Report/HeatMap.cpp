//===- Report/HeatMap.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Report/Parts.h"
#include "Report/Words.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace tailor::report {

namespace {

/// What lies between the colours, as times over the authored kernel's.
constexpr double kBorders[] = {1 / 2.0, 1 / 1.5, 1 / 1.25, 1 / 1.1, 1 / 1.02,
                               1.02,    1.1,     1.25,     1.5,     2.0};
constexpr const char *kColourTexts[] = {"≤.5", ".67",  ".8",  ".9", ".98", "1",
                                        "1.1", "1.25", "1.5", "2",  ">2"};

/// `0.87`; `12` where more digits say nothing.
std::string relativeText(double relative) {
  return fixed(relative, relative < 9.995 ? 2 : relative < 99.5 ? 1 : 0);
}

std::string tipOf(const Site &site, const StoredCandidate &candidate) {
  std::string text = nameOf(candidate) + ": ";
  if (const double relative = site.relative(candidate); relative > 0)
    return text + time(candidate.medianNs) + ", " + relativeText(relative) +
           " of the authored kernel's time" +
           (candidate.state == CandidateState::Dropped ? " when it was dropped" : "");
  return text + stateOf(candidate) + (candidate.why.empty() ? "" : ", " + candidate.why);
}

/// What a cell shows, and its classes.
struct Look {
  std::string text, style;
};

Look lookOf(const Site &site, const StoredCandidate &candidate) {
  Look look;
  if (const double relative = site.relative(candidate); relative > 0)
    look = {relativeText(relative), heatStyle(relative)};
  else if (isFigure(candidate.medianNs) && candidate.isTimed())
    look = {time(candidate.medianNs), "off"};
  else
    look = isBad(candidate) ? Look{"✕", "bad"} : Look{"–", "off"};
  if (site.isWinner(candidate))
    look.style += " win";
  else if (candidate.variantId == "authored")
    look.style += " own";
  return look;
}

/// Those with a time first, the fastest first; then what went wrong; each by its name.
bool isBefore(const Site &site, const StoredCandidate &a, const StoredCandidate &b) {
  auto rankOf = [&](const StoredCandidate &each) {
    return each.isTimed() ? 0 : isBad(each) ? 1 : 2;
  };
  if (rankOf(a) != rankOf(b))
    return rankOf(a) < rankOf(b);
  if (rankOf(a) == 0 && site.isWinner(a) != site.isWinner(b))
    return site.isWinner(a); // a tie keeps the authored size
  if (rankOf(a) == 0 && a.medianNs != b.medianNs)
    return a.medianNs < b.medianNs;
  return nameOf(a) < nameOf(b);
}

using Candidates = std::vector<const StoredCandidate *>;

Candidates sorted(const Site &site, Candidates list) {
  std::sort(list.begin(), list.end(),
            [&](const auto *a, const auto *b) { return isBefore(site, *a, *b); });
  return list;
}

/// One plane of the sizes: x against y.
void addPlane(Html &html, const Site &site, uint32_t z, bool isOnly) {
  std::set<uint32_t> columns, rows;
  std::map<std::pair<uint32_t, uint32_t>, Candidates> cells;
  for (const StoredCandidate &each : site.candidates)
    if (each.localSize.z == z) {
      columns.insert(each.localSize.x);
      rows.insert(each.localSize.y);
      cells[{each.localSize.y, each.localSize.x}].push_back(&each);
    }
  const Html::Scope table = html.in("table", {{"class", "heat"}});
  html.add("caption", "Size of a workgroup, x across and y down" +
                          (isOnly ? std::string() : ", with z " + std::to_string(z)));
  {
    const Html::Scope row = html.in("tr");
    html.add("th", "y \\ x", {{"scope", "col"}, {"class", "corner"}});
    for (uint32_t x : columns)
      html.add("th", std::to_string(x), {{"scope", "col"}});
  }
  for (uint32_t y : rows) {
    const Html::Scope row = html.in("tr");
    html.add("th", std::to_string(y), {{"scope", "row"}});
    for (uint32_t x : columns) {
      auto cell = cells.find({y, x});
      if (cell == cells.end()) {
        html.add("td", "");
        continue;
      }
      const Candidates here = sorted(site, cell->second);
      Look look = lookOf(site, *here.front());
      std::string tip;
      for (const StoredCandidate *each : here) {
        tip += (tip.empty() ? "" : "; ") + tipOf(site, *each);
        if (each->variantId == "authored" && each != here.front())
          look.style += " own";
      }
      html.add("td", look.text, {{"class", look.style}, {"title", tip}});
    }
  }
}

void addTechniques(Html &html, const Site &site) {
  std::vector<std::pair<std::string, Candidates>> techniques;
  for (const StoredCandidate &each : site.candidates) {
    const std::string name = techniqueOf(each);
    auto row = std::find_if(techniques.begin(), techniques.end(),
                            [&](const auto &known) { return known.first == name; });
    if (row == techniques.end())
      row = techniques.insert(techniques.end(), {name, {}});
    row->second.push_back(&each);
  }
  for (auto &[name, list] : techniques)
    list = sorted(site, std::move(list));
  std::sort(techniques.begin(), techniques.end(), [&](const auto &a, const auto &b) {
    return isBefore(site, *a.second.front(), *b.second.front());
  });
  const Html::Scope table = html.in("table", {{"class", "tiles"}});
  html.add("caption", "Each technique with the sizes that it ends with, the fastest first");
  for (const auto &[name, list] : techniques) {
    const Html::Scope row = html.in("tr");
    html.add("th", name, {{"scope", "row"}});
    const Html::Scope cell = html.in("td");
    for (const StoredCandidate *each : list) {
      const Look look = lookOf(site, *each);
      const Html::Scope tile =
          html.in("span", {{"class", "tile " + look.style}, {"title", tipOf(site, *each)}});
      html.add("b", look.text);
      html.text(" ");
      html.add("span", size(each->localSize));
    }
  }
}

bool hasSeveralTechniques(const Site &site) {
  std::set<std::string> names;
  for (const StoredCandidate &each : site.candidates)
    if (each.variantId != "authored")
      names.insert(techniqueOf(each));
  return names.size() > 1;
}

} // namespace

std::string heatStyle(double relative) {
  if (!isFigure(relative))
    return "";
  const auto *border = std::find_if(std::begin(kBorders), std::end(kBorders),
                                    [&](double each) { return relative <= each; });
  return "h" + std::to_string(border - std::begin(kBorders));
}

void addHeatLegend(Html &html) {
  const Html::Scope legend = html.in("div", {{"class", "legend"}});
  html.add("span", "faster", {{"class", "end"}});
  {
    const Html::Scope scale = html.in("span", {{"class", "scale"}});
    for (size_t at = 0; at < std::size(kColourTexts); ++at)
      html.add("span", kColourTexts[at], {{"class", "h" + std::to_string(at)}});
  }
  html.add("span", "slower", {{"class", "end"}});
}

void addHeatMap(Html &html, const Site &site) {
  const Html::Scope figure = html.in("figure", {{"class", "heatmap"}});
  html.add("h4", "Size against time");
  if (site.candidates.empty()) {
    html.add("p", "No variant is recorded.", {{"class", "hint"}});
    return;
  }
  {
    const Html::Scope note = html.in("p", {{"class", "hint"}});
    html.text(site.authoredNs() > 0
                  ? "Times over the authored kernel's: 0.50 is half its time. A frame marks the "
                    "winner, a dashed one the authored size; – has no time, ✕ failed."
                  : "The authored kernel has no time here: nothing can be compared with it.");
  }
  addHeatLegend(html);
  std::set<uint32_t> planes;
  for (const StoredCandidate &each : site.candidates)
    planes.insert(each.localSize.z);
  const Html::Scope sides(html, "div", {{"class", "sides"}});
  {
    const Html::Scope frame(
        html, "div",
        {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", "sizes"}});
    for (uint32_t z : planes)
      addPlane(html, site, z, planes.size() == 1);
  }
  if (hasSeveralTechniques(site))
    addTechniques(html, site);
}

} // namespace tailor::report
