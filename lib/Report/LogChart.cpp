//===- Report/LogChart.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Report/LogChart.h"

#include "Report/Words.h"

#include <algorithm>
#include <cmath>

namespace tailor::report {

namespace {

// Of the picture, in its own units: it is as wide as its column.
constexpr double kWidth = 380, kHeight = 270;
constexpr double kLeft = 74, kRight = 10, kTop = 10, kBottom = 42;

std::string place(double value) { return fixed(value, 1); }

void addShape(Html &html, LogChart::Place at, std::string_view style, std::string_view tip) {
  auto finish = [&](std::string_view element, Attributes attributes) {
    if (tip.empty())
      return html.leaf(element, attributes);
    const Html::Scope shape = html.in(element, attributes);
    html.add("title", tip);
  };
  const std::string kind = "p " + std::string(style);
  if (style == "winner") {
    constexpr double kSize = 6.5;
    const std::string path = "M" + place(at.x) + " " + place(at.y - kSize) + "L" +
                             place(at.x + kSize) + " " + place(at.y) + "L" + place(at.x) + " " +
                             place(at.y + kSize) + "L" + place(at.x - kSize) + " " + place(at.y) +
                             "Z";
    finish("path", {{"class", kind}, {"d", path}});
  } else if (style == "authored") {
    finish("rect", {{"class", kind},
                    {"x", place(at.x - 4.5)},
                    {"y", place(at.y - 4.5)},
                    {"width", "9"},
                    {"height", "9"}});
  } else {
    finish("circle", {{"class", kind}, {"cx", place(at.x)}, {"cy", place(at.y)}, {"r", "3.5"}});
  }
}

} // namespace

void LogAxis::add(double value) {
  if (!isFigure(value))
    return;
  low = low == 0 ? value : std::min(low, value);
  high = std::max(high, value);
}

void LogAxis::widen() {
  if (low == 0)
    low = high = 1;
  constexpr double kLeast = 0.5; // decades
  const double span = std::log10(high) - std::log10(low);
  const double more = std::max(0.06 * span, (kLeast - span) / 2);
  low = std::pow(10, std::log10(low) - more);
  high = std::pow(10, std::log10(high) + more);
}

std::vector<double> LogAxis::ticks() const {
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::ceil(std::log10(high)));
  const double apart = room * (std::log10(high) - std::log10(low)); // in decades
  // From many digits to few; where even decades are too many, those that have room.
  for (std::string_view digits : {"123456789", "12345", "125", "13", "1"}) {
    std::vector<double> ticks;
    bool areApart = true;
    for (int decade = first; decade <= last; ++decade)
      for (char digit : digits) {
        const double value = (digit - '0') * std::pow(10, decade);
        if (value < low || value > high)
          continue;
        const bool isApart = ticks.empty() || std::log10(value / ticks.back()) >= apart;
        areApart &= isApart;
        if (isApart)
          ticks.push_back(value);
      }
    if (areApart || digits == "1")
      return ticks;
  }
  return {};
}

LogChart::LogChart(Html &html, const LogAxis &xAxis, const LogAxis &yAxis, std::string_view what)
    : html(html), x(xAxis), y(yAxis),
      picture(html.in("svg", {{"viewBox", "0 0 " + fixed(kWidth, 0) + " " + fixed(kHeight, 0)},
                              {"class", "chart"},
                              {"role", "img"},
                              {"aria-label", what}})) {
  const double bottom = kHeight - kBottom, right = kWidth - kRight;
  for (double tick : x.ticks()) {
    const std::string where = place(at(tick, y.low).x);
    html.leaf("line", {{"class", "grid"},
                       {"x1", where},
                       {"x2", where},
                       {"y1", place(kTop)},
                       {"y2", place(bottom)}});
    html.add("text", x.label(tick),
             {{"x", where}, {"y", place(bottom + 14)}, {"text-anchor", "middle"}});
  }
  for (double tick : y.ticks()) {
    const double where = at(x.low, tick).y;
    html.leaf("line", {{"class", "grid"},
                       {"x1", place(kLeft)},
                       {"x2", place(right)},
                       {"y1", place(where)},
                       {"y2", place(where)}});
    html.add("text", y.label(tick),
             {{"x", place(kLeft - 5)}, {"y", place(where + 3.5)}, {"text-anchor", "end"}});
  }
  html.leaf("rect", {{"class", "frame"},
                     {"x", place(kLeft)},
                     {"y", place(kTop)},
                     {"width", place(right - kLeft)},
                     {"height", place(bottom - kTop)}});
  html.add("text", x.title,
           {{"class", "axis"},
            {"x", place((kLeft + right) / 2)},
            {"y", place(kHeight - 8)},
            {"text-anchor", "middle"}});
  const std::string middle = place((kTop + bottom) / 2);
  html.add("text", y.title,
           {{"class", "axis"},
            {"x", "12"},
            {"y", middle},
            {"text-anchor", "middle"},
            {"transform", "rotate(-90 12 " + middle + ")"}});
}

LogChart::Place LogChart::at(double valueX, double valueY) const {
  const double bottom = kHeight - kBottom, right = kWidth - kRight;
  auto share = [](const LogAxis &axis, double value) {
    return (std::log10(value) - std::log10(axis.low)) /
           (std::log10(axis.high) - std::log10(axis.low));
  };
  return {kLeft + share(x, valueX) * (right - kLeft), bottom - share(y, valueY) * (bottom - kTop)};
}

bool LogChart::line(double x1, double y1, double x2, double y2, std::string_view style) {
  const Place from = at(x1, y1), to = at(x2, y2);
  const double dx = to.x - from.x, dy = to.y - from.y;
  double first = 0, last = 1; // what of it lies inside (Liang and Barsky, 1984)
  auto clip = [&](double toward, double room) {
    if (toward == 0)
      return room >= 0;
    if (toward < 0)
      first = std::max(first, room / toward);
    else
      last = std::min(last, room / toward);
    return true;
  };
  constexpr double kSlack = 0.05;
  if (!clip(-dx, from.x - kLeft + kSlack) || !clip(dx, kWidth - kRight - from.x + kSlack) ||
      !clip(-dy, from.y - kTop + kSlack) || !clip(dy, kHeight - kBottom - from.y + kSlack) ||
      first >= last)
    return false;
  html.leaf("line", {{"class", style},
                     {"x1", place(from.x + first * dx)},
                     {"y1", place(from.y + first * dy)},
                     {"x2", place(from.x + last * dx)},
                     {"y2", place(from.y + last * dy)}});
  return true;
}

void LogChart::point(double valueX, double valueY, std::string_view style, std::string_view tip) {
  if (isFigure(valueX) && isFigure(valueY) && valueX >= x.low && valueX <= x.high &&
      valueY >= y.low && valueY <= y.high)
    addShape(html, at(valueX, valueY), style, tip);
}

void LogChart::label(double valueX, double valueY, double above, std::string_view text,
                     bool isTurned, bool endsThere) {
  const Place where = at(valueX, valueY);
  std::string turn;
  if (isTurned) {
    const Place next = at(valueX * 2, valueY * 2);
    const double angle = std::atan2(next.y - where.y, next.x - where.x) * 180 / std::acos(-1.0);
    turn = "rotate(" + place(angle) + " " + place(where.x) + " " + place(where.y) + ")";
  }
  html.add("text", text,
           {{"class", "note"},
            {"x", place(where.x)},
            {"y", place(where.y - above)},
            {"text-anchor", endsThere ? "end" : "start"},
            {"transform", turn}});
}

void addMarks(Html &html) {
  const Html::Scope marks(html, "div", {{"class", "marks"}});
  for (const auto &[style, what] :
       {std::pair("winner", "winner"), std::pair("authored", "authored"),
        std::pair("other", "other variants")}) {
    const Html::Scope pair(html, "span");
    {
      const Html::Scope mark(
          html, "svg", {{"viewBox", "0 0 16 16"}, {"class", "mark"}, {"aria-hidden", "true"}});
      addShape(html, {8, 8}, style, "");
    }
    html.text(" " + std::string(what));
  }
}

} // namespace tailor::report
