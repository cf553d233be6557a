//===- Report/LogChart.h - A chart with two logarithmic axes ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_REPORT_LOGCHART_H
#define TAILOR_REPORT_LOGCHART_H

#include "Report/Html.h"

#include <functional>
#include <string>
#include <vector>

namespace tailor::report {

/// What an axis shows: from the least to the largest of the values that were added, all above 0.
struct LogAxis {
  std::string title;
  std::function<std::string(double)> label; ///< of a tick
  double room = 0.1;                        ///< between ticks, as a share of the axis
  double low = 0, high = 0;

  void add(double value);
  /// Makes room on both sides, and for less than half a decade to at least that.
  void widen();
  /// 1, 10, 100, ...; with others between where there is room for them.
  std::vector<double> ticks() const;
};

/// An inline SVG picture, with its colours from the page's style. Everything that is drawn lies
/// inside the axes, or is left out.
class LogChart {
public:
  /// `what` tells those who do not see it what it shows. The axes are widened already.
  LogChart(Html &html, const LogAxis &x, const LogAxis &y, std::string_view what);

  struct Place {
    double x = 0, y = 0; ///< in units of the picture
  };
  Place at(double x, double y) const;
  /// The part of the line between two places on the axes' scales that lies inside; false where
  /// there is none.
  bool line(double x1, double y1, double x2, double y2, std::string_view style);
  /// `style`: authored, winner, or another; each has its own shape.
  void point(double x, double y, std::string_view style, std::string_view tip);
  /// Text at a place, so many units above it, turned along a line that rises with the axes' scales
  /// (a slope of 1) where asked.
  void label(double x, double y, double above, std::string_view text, bool isTurned = false,
             bool endsThere = false);

private:
  Html &html;
  LogAxis x, y;
  Html::Scope picture;
};

/// What the shapes of points stand for.
void addMarks(Html &html);

} // namespace tailor::report

#endif
