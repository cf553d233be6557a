//===- Report/Words.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Report/Words.h"

#include "Tuning/Report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

namespace tailor::report {

bool isFigure(double value) { return std::isfinite(value) && value > 0; }

std::string fixed(double value, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

std::string figure(double value) {
  if (!std::isfinite(value))
    return "?";
  const double size = std::fabs(value);
  if (size != 0 && (size < 0.000995 || size >= 1e12)) {
    char text[64];
    std::snprintf(text, sizeof text, "%.2e", value);
    return text;
  }
  std::string text = fixed(value, size < 0.0995  ? 4
                                  : size < 0.995 ? 3
                                  : size < 9.995 ? 2
                                  : size < 99.95 ? 1
                                                 : 0);
  const size_t digits = text.find('.') == std::string::npos ? text.size() : text.find('.');
  for (size_t at = digits; at > 3 + static_cast<size_t>(value < 0);) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

/// `1.50` is `1.5`, `2.00` is `2`.
static std::string withoutZeros(std::string number) {
  if (number.find('.') == std::string::npos || number.find('e') != std::string::npos)
    return number;
  number.erase(number.find_last_not_of('0') + 1);
  if (number.ends_with("."))
    number.pop_back();
  return number;
}

std::string shortFigure(double value) { return withoutZeros(figure(value)); }

std::string percent(double fraction, int decimals) {
  return fixed(100 * fraction, decimals) + " %";
}

std::string share(double fraction) {
  return fraction < 0.005 ? "less than 1 %" : percent(fraction, 0);
}

std::string count(size_t number, std::string_view noun) {
  return std::to_string(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

std::string time(double ns) {
  if (!isFigure(ns))
    return "-";
  std::string text = timeText(ns);
  if (text.ends_with(" us"))
    text.replace(text.size() - 2, 1, "µ");
  return text;
}

std::string timeTick(double ns) {
  std::string text = time(ns);
  const size_t end = text.find(' ');
  return end == std::string::npos ? text : withoutZeros(text.substr(0, end)) + text.substr(end);
}

std::string size(const Dim3 &size) {
  std::string text = std::to_string(size.x) + "×" + std::to_string(size.y);
  return size.z == 1 ? text : text + "×" + std::to_string(size.z);
}

std::string times(double ratio) { return isFigure(ratio) ? fixed(ratio, 2) + "×" : "-"; }

/// A step of an id without the size in it: `swizzle-16x4x1-tile4x4` is `swizzle tile4x4`.
static std::string stepOf(std::string_view step) {
  std::string text;
  for (size_t at = 0; at <= step.size();) {
    size_t end = std::min(step.find('-', at), step.size());
    std::string_view part = step.substr(at, end - at);
    const bool isSize = std::count(part.begin(), part.end(), 'x') == 2 &&
                        part.find_first_not_of("0123456789x") == std::string_view::npos;
    if (!isSize && !part.empty())
      text += (text.empty() ? "" : " ") + std::string(part);
    at = end + 1;
  }
  return text;
}

std::string techniqueOf(const StoredCandidate &candidate) {
  std::string_view id = candidate.variantId;
  std::string text;
  for (size_t at = 0; at <= id.size();) {
    size_t end = std::min(id.find('+', at), id.size());
    text += (text.empty() ? "" : " + ") + stepOf(id.substr(at, end - at));
    at = end + 1;
  }
  if (candidate.subgroupSize != 0)
    text += ", subgroups of " + std::to_string(candidate.subgroupSize);
  return text;
}

std::string nameOf(const StoredCandidate &candidate) {
  return candidate.subgroupSize == 0
             ? candidate.variantId
             : candidate.variantId + ", subgroups of " + std::to_string(candidate.subgroupSize);
}

/// From 1, equal values sharing the mean of theirs.
static std::vector<double> ranksOf(std::span<const double> values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t first = 0; first < order.size();) {
    size_t end = first;
    while (end < order.size() && values[order[end]] == values[order[first]])
      ++end;
    for (size_t at = first; at < end; ++at)
      ranks[order[at]] = static_cast<double>(first + end + 1) / 2;
    first = end;
  }
  return ranks;
}

double rankCorrelation(std::span<const double> first, std::span<const double> second) {
  const std::vector<double> a = ranksOf(first), b = ranksOf(second);
  const double mean = (static_cast<double>(a.size()) + 1) / 2;
  double both = 0, ofA = 0, ofB = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    both += (a[i] - mean) * (b[i] - mean);
    ofA += (a[i] - mean) * (a[i] - mean);
    ofB += (b[i] - mean) * (b[i] - mean);
  }
  return ofA > 0 && ofB > 0 ? both / std::sqrt(ofA * ofB) : 0;
}

bool isBad(const StoredCandidate &candidate) {
  return candidate.state == CandidateState::Failed || candidate.state == CandidateState::Wrong;
}

std::string stateOf(const StoredCandidate &candidate) {
  switch (candidate.state) {
  case CandidateState::Measured:
    return "measured";
  case CandidateState::LeftOut:
    return "left out";
  case CandidateState::Dropped:
    return "dropped";
  case CandidateState::Failed:
    return "failed";
  case CandidateState::Wrong:
    return "wrong result";
  }
  return "";
}

} // namespace tailor::report
