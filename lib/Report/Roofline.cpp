//===- Report/Roofline.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Report/LogChart.h"
#include "Report/Parts.h"
#include "Report/Words.h"

#include <algorithm>

namespace tailor::report {

namespace {

struct Ceilings {
  double bytesPerNs = 0, operationsPerNs = 0;
  double ridge() const { return operationsPerNs / bytesPerNs; } ///< operations a byte
};

struct Load {
  const StoredCandidate *candidate;
  double operations, bytes; ///< of the dispatch
  double intensity() const { return operations / bytes; }
  double rate() const { return operations / candidate->medianNs; } ///< operations a nanosecond
};

/// Of 32 bits; a fused multiply-add counts as two.
std::optional<Ceilings> ceilingsOf(const DeviceProfile &profile) {
  if (!profile.memoryGBs || !profile.unit.units || !profile.unit.fp32Lanes || !profile.clockMhz)
    return std::nullopt;
  const double lanes = double(*profile.unit.units) * *profile.unit.fp32Lanes;
  const Ceilings ceilings{*profile.memoryGBs, 2 * lanes * *profile.clockMhz / 1000};
  return isFigure(ceilings.bytesPerNs) && isFigure(ceilings.operationsPerNs)
             ? std::optional(ceilings)
             : std::nullopt;
}

std::vector<Load> loadsOf(const Site &site) {
  std::vector<Load> loads;
  for (size_t i = 0; i < site.candidates.size(); ++i) {
    const StoredCandidate &c = site.candidates[i];
    const std::optional<VariantFeatures> &f = site.features[i];
    if (!f || !c.isTimed() || !isFigure(c.medianNs))
      continue;
    const double ofSubgroup = f->floats + f->integers + f->specials + f->conversions;
    const double lanes = f->subgroups * f->totalGroups() * f->subgroupWidth * f->fill;
    const Load load{&c, ofSubgroup * lanes, f->expectedBytes};
    if (isFigure(load.operations) && isFigure(load.bytes))
      loads.push_back(load);
  }
  return loads;
}

/// "1,234 GB/s", "1.23 TB/s"
std::string bandwidth(double bytesPerNs) {
  return bytesPerNs < 9999.5 ? figure(bytesPerNs) + " GB/s" : figure(bytesPerNs / 1000) + " TB/s";
}
std::string rate(double operationsPerNs) {
  return operationsPerNs < 999.5 ? figure(operationsPerNs) + " Gop/s"
                                 : figure(operationsPerNs / 1000) + " Top/s";
}
std::string rateTick(double operationsPerNs) {
  return operationsPerNs < 1000 ? shortFigure(operationsPerNs) + " Gop/s"
                                : shortFigure(operationsPerNs / 1000) + " Top/s";
}

std::string wordsOf(const Load &load, const Ceilings &ceilings, const std::string &who) {
  const double bytes = load.bytes / load.candidate->medianNs;
  std::string text = who + " reaches " + bandwidth(bytes) + " (" +
                     share(bytes / ceilings.bytesPerNs) + " of the memory's peak) and " +
                     rate(load.rate()) + " (" + share(load.rate() / ceilings.operationsPerNs) +
                     " of the arithmetic's)";
  if (bytes > ceilings.bytesPerNs)
    text +=
        "; more than the memory gives, since caches keep the data from one dispatch to the next";
  return text + ".";
}

void addChart(Html &html, const Site &site, const std::vector<Load> &loads,
              const Ceilings &ceilings) {
  LogAxis x{"operations a byte", shortFigure, 0.13}, y{"operations a second", rateTick};
  for (const Load &load : loads) {
    x.add(load.intensity());
    y.add(load.rate());
  }
  // The ridge is always in the picture, with some of both ceilings.
  x.add(ceilings.ridge() / 3);
  x.add(ceilings.ridge() * 3);
  y.add(ceilings.operationsPerNs * 1.5);
  y.add(ceilings.operationsPerNs / 10);
  x.widen();
  y.widen();
  LogChart chart(html, x, y, "roofline of the device with the measured variants");
  chart.line(x.low, x.low * ceilings.bytesPerNs, ceilings.ridge(), ceilings.operationsPerNs,
             "roof");
  chart.line(ceilings.ridge(), ceilings.operationsPerNs, x.high, ceilings.operationsPerNs, "roof");
  const double left = std::max(x.low, y.low / ceilings.bytesPerNs) * 1.2;
  chart.label(left, left * ceilings.bytesPerNs, 5, bandwidth(ceilings.bytesPerNs), true);
  chart.label(x.high, ceilings.operationsPerNs, 5, rate(ceilings.operationsPerNs), false, true);
  for (const int layer : {0, 1}) // the marked ones on top
    for (const Load &load : loads) {
      const StoredCandidate &c = *load.candidate;
      const char *style = site.isWinner(c)            ? "winner"
                          : c.variantId == "authored" ? "authored"
                                                      : "other";
      if ((layer == 1) != (style != std::string_view("other")))
        continue;
      chart.point(load.intensity(), load.rate(), style,
                  nameOf(c) + ": " + figure(load.intensity()) + " operations a byte, " +
                      rate(load.rate()));
    }
}

/// What is said in the place of the picture; empty: it can be drawn.
std::string whyNot(const Site &site, const std::vector<Load> &loads, bool hasCeilings) {
  if (!site.whyNoFeatures.empty())
    return "Left out: " + site.whyNoFeatures + ".";
  if (!hasCeilings)
    return "Left out: the peaks of this device's memory and arithmetic are not known.";
  if (loads.empty())
    return "Left out: of no timed variant both operations and bytes are known.";
  return "";
}

} // namespace

void addRoofline(Html &html, const Site &site) {
  const Html::Scope figureScope = html.in("figure", {{"class", "card"}});
  html.add("h4", "Roofline");
  const std::optional<Ceilings> ceilings = ceilingsOf(site.profile);
  const std::vector<Load> loads = loadsOf(site);
  if (const std::string why = whyNot(site, loads, ceilings.has_value()); !why.empty()) {
    html.add("p", why, {{"class", "hint"}});
    return;
  }
  const Load *marked = nullptr;
  for (const Load &load : loads)
    if (site.isWinner(*load.candidate) || (!marked && load.candidate->variantId == "authored"))
      marked = &load;
  std::string text;
  if (marked) {
    const double intensity = marked->intensity();
    text = figure(intensity) +
           " operations for each byte that must come or go, where the device has "
           "room for " +
           figure(ceilings->ridge()) + ": " +
           (intensity < ceilings->ridge() ? "memory is the nearer limit. "
                                          : "arithmetic is the nearer limit. ") +
           wordsOf(*marked, *ceilings,
                   site.isWinner(*marked->candidate) ? "The winner" : "The authored kernel");
  }
  html.add("p", text);
  addChart(html, site, loads, *ceilings);
  const Html::Scope legend = html.in("figcaption");
  addMarks(html);
  html.text("Ceilings: " + std::string(site.profile.name) +
            ". Operations are the module's, integers counted, a fused multiply-add as two.");
}

} // namespace tailor::report
