//===- Report/Model.cpp ---===//
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

struct Pair {
  const StoredCandidate *candidate;
  double expected, measured; ///< nanoseconds
};

/// How good an order by the model is, in words.
std::string verdictOf(double correlation) {
  return correlation >= 0.9   ? "it orders the variants nearly as they are"
         : correlation >= 0.7 ? "it orders the variants well"
         : correlation >= 0.4 ? "it tells good variants from bad ones roughly"
         : correlation >= 0.1 ? "it says little here"
         : correlation > -0.1 ? "it says nothing here"
                              : "it is misleading here";
}

/// What following the model without a measurement would have given.
std::string choiceText(const Site &site, const std::vector<Pair> &pairs) {
  const auto choice =
      std::min_element(pairs.begin(), pairs.end(),
                       [](const Pair &a, const Pair &b) { return a.expected < b.expected; });
  const auto best = std::min_element(pairs.begin(), pairs.end(), [](const Pair &a, const Pair &b) {
    return a.measured < b.measured;
  });
  const std::string name = nameOf(*choice->candidate);
  if (choice->measured == best->measured)
    return "The variant that it expects most of, " + name + ", is the fastest.";
  return "The variant that it expects most of, " + name + ", takes " +
         times(choice->measured / best->measured) + " the time of the fastest" +
         (site.isWinner(*choice->candidate) ? " and is the winner." : ".");
}

std::string boundText(const Site &site, double bound) {
  if (bound == 0 || !isFigure(site.outcome().winnerNs))
    return "";
  return " Moving the kernel's data takes " + time(bound) + " at least, which is " +
         share(bound / site.outcome().winnerNs) + " of the winner's time.";
}

/// Whether the line of equal times is in the picture.
bool addChart(Html &html, const Site &site, const std::vector<Pair> &pairs, double bound) {
  LogAxis x{"expected", timeTick, 0.18}, y{"measured", timeTick};
  for (const Pair &pair : pairs) {
    x.add(pair.expected);
    y.add(pair.measured);
  }
  // The bound belongs into the picture where it is not far off.
  if (bound > 0 && bound * 30 > y.low)
    y.add(bound);
  x.widen();
  y.widen();
  LogChart chart(html, x, y,
                 "expected against measured times of " + count(pairs.size(), "variant"));
  const double most = std::max(x.high, y.high), least = std::min(x.low, y.low);
  const bool hasEqual = chart.line(least, least, most, most, "equal");
  if (bound > 0) {
    chart.line(x.low, bound, x.high, bound, "bound");
    if (bound >= y.low)
      chart.label(x.high, bound, 4, "bound", false, true);
  }
  for (const int layer : {0, 1}) // the marked ones on top
    for (const Pair &pair : pairs) {
      const StoredCandidate &c = *pair.candidate;
      const char *style = site.isWinner(c)            ? "winner"
                          : c.variantId == "authored" ? "authored"
                                                      : "other";
      if ((layer == 1) != (style != std::string_view("other")))
        continue;
      chart.point(pair.expected, pair.measured, style,
                  nameOf(c) + ": " + time(pair.expected) + " expected, " + time(pair.measured) +
                      " measured");
    }
  return hasEqual;
}

} // namespace

void addModel(Html &html, const Site &site) {
  const Html::Scope figure = html.in("figure", {{"class", "card"}});
  html.add("h4", "Model against measurement");
  std::vector<Pair> pairs;
  double bound = 0;
  for (const StoredCandidate &c : site.candidates) {
    if (!c.isTimed() || !isFigure(c.medianNs) || !isFigure(c.expectedNs))
      continue;
    pairs.push_back({&c, c.expectedNs, c.medianNs});
    if (isFigure(c.boundNs))
      bound = bound == 0 ? c.boundNs : std::min(bound, c.boundNs);
  }
  constexpr size_t kFew = 3;
  if (pairs.size() < kFew) {
    const std::string why =
        pairs.empty() && !site.whyNoFeatures.empty() ? ": " + site.whyNoFeatures : "";
    html.add("p", "Fewer than three variants have both an expected and a measured time" + why + ".",
             {{"class", "hint"}});
    return;
  }
  std::vector<double> expected, measured;
  for (const Pair &pair : pairs) {
    expected.push_back(pair.expected);
    measured.push_back(pair.measured);
  }
  const double correlation = rankCorrelation(expected, measured);
  html.add("p", "The rank correlation of the cost model's times with the measured ones is " +
                    fixed(correlation, 2) + " over " + count(pairs.size(), "variant") + ": " +
                    verdictOf(correlation) + ". " + choiceText(site, pairs) +
                    boundText(site, bound));
  const bool hasEqual = addChart(html, site, pairs, bound);
  const Html::Scope legend = html.in("figcaption");
  addMarks(html);
  if (hasEqual)
    html.text("On the dotted line both are the same.");
}

} // namespace tailor::report
