//===- Report/Parts.h - The parts of the page ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_REPORT_PARTS_H
#define TAILOR_REPORT_PARTS_H

#include "Report/Gather.h"
#include "Report/Html.h"

#include <string>
#include <string_view>
#include <vector>

namespace tailor::report {

/// The style sheet. Colours are variables, for light and dark; no text stands on a colour with less
/// than 4.5 times its contrast.
std::string_view styleSheet();

// --- HeatMap.cpp ---

/// The style of a time relative to the authored kernel's: h0 (half or less) over h5 (within 2 %) to
/// h10 (twice or more). Empty for what is no figure.
std::string heatStyle(double relative);
/// The colours with what they stand for.
void addHeatLegend(Html &html);
/// Size against time: x against y, the best technique of each size; and below, where a size has
/// several techniques, each technique with its sizes.
void addHeatMap(Html &html, const Site &site);

// --- Model.cpp, Roofline.cpp ---

/// What the cost model expected against what was measured.
void addModel(Html &html, const Site &site);
/// What the variants compute and move, under what the device can.
void addRoofline(Html &html, const Site &site);

// --- KernelTables.cpp: what the bundle tells ---

void addAccesses(Html &html, const KernelPart &part);
void addRefused(Html &html, const KernelPart &part);

// --- SiteTables.cpp ---

void addVerification(Html &html, const Site &site);
void addSearch(Html &html, const Site &site);
/// Everything without a time, and why.
void addUntimed(Html &html, const Site &site);
/// Every variant, the fastest first.
void addVariants(Html &html, const Site &site);
/// What drivers tell of pipelines; nothing where they told nothing.
void addStatistics(Html &html, const Site &site);
void addKnownBad(Html &html, const std::vector<KnownBad> &list);

/// A table that scrolls inside itself where the page is narrower.
class Table {
public:
  /// Columns that begin with `#` hold numbers.
  Table(Html &html, std::string_view name, const std::vector<std::string> &columns);
  ~Table();
  Table(const Table &) = delete;
  Table &operator=(const Table &) = delete;
  void row(const std::vector<std::string> &cells, std::string_view style = "");
  /// A line under the table.
  void note(std::string text) { last = std::move(text); }

private:
  Html &html;
  std::vector<std::string> columns; ///< their styles
  std::string last;
  std::optional<Html::Scope> frame, table;
};

} // namespace tailor::report

#endif
