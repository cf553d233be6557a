//===- tools/spirv-tailor/AnalyzeAccesses.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AnalyzeText.h"

#include "Analysis/AccessRows.h"

#include <algorithm>

namespace tailor {
namespace {

/// `x 4, y 4*params.columns`: the axes along which the address changes.
std::string strideCell(const AccessRow &row, bool full) {
  std::string text;
  for (const auto &[axis, stride] : row.strides)
    text += (text.empty() ? "" : ", ") + std::string(1, axis) + " " +
            (full ? stride : cutText(stride, 18));
  constexpr size_t kWidth = 32;
  if (!text.empty())
    return full ? text : cutText(text, kWidth);
  return row.isStill ? "the same" : "-";
}

Colour colourOf(const AccessRow &row) {
  return row.care == AccessRow::Care::Costly    ? Colour::Bad
         : row.care == AccessRow::Care::Notable ? Colour::Warning
                                                : Colour::Plain;
}

} // namespace

void printAccesses(TextWriter &out, const KernelReport &report) {
  const Findings &findings = report.findings;
  if (findings.accesses.empty())
    return;
  out.title("Memory accesses, worst first", "what a subgroup of " +
                                                std::to_string(findings.subgroupWidth) +
                                                " fetches at " + findings.kernel.size().str());
  constexpr size_t kShown = 12;
  const std::vector<AccessRow> all = accessRows(findings);
  const size_t shown =
      shownOf(static_cast<size_t>(std::count_if(all.begin(), all.end(),
                                                [](const AccessRow &row) { return !row.isPlain; })),
              kShown);
  std::vector<std::vector<std::string>> rows = {{hasLines(findings) ? "line" : "word", "variable",
                                                 "op", "bytes", "pattern", "to the next invocation",
                                                 "sectors (least)", "line use"}};
  std::vector<Colour> colours = {Colour::Faint};
  size_t left = 0, plain = 0;
  bool assumed = false, images = false, idle = false;
  for (const AccessRow &row : all) {
    if (!out.isFull() && row.isPlain) {
      plain += row.count;
      continue;
    }
    if (!out.isFull() && rows.size() > shown) {
      left += row.count;
      continue;
    }
    const MemoryAccess &access = row.finding->access;
    images |= access.isImage();
    idle |= row.isIdle;
    assumed |= row.isAssumed;
    std::string pattern(nameOf(access.pattern));
    rows.push_back({row.place, cutText(access.name, 16), std::string(nameOf(access.op)),
                    access.bytes == 0 ? "?" : numberText(access.bytes),
                    pattern.empty() ? "-" : pattern, strideCell(row, out.isFull()), row.sectors,
                    row.lineUse});
    colours.push_back(colourOf(row));
  }
  if (rows.size() > 1)
    out.table(rows, colours);
  if (left != 0)
    out.paragraph(2, "", "... and " + std::to_string(left) + " more (--full shows all)");
  if (plain != 0)
    out.paragraph(
        2, "", "and " + counted(plain, "load") + " of uniform data, the same for all invocations");
  if (images)
    out.paragraph(2, "", "images: steps in texels; how these lie in memory is the device's own");
  if (assumed)
    out.paragraph(2, "",
                  "values of the host are taken as " +
                      numberText(uint64_t{HostValues::kAssumedInteger}) +
                      (idle ? ", with which some accesses are not run" : ""));
}

} // namespace tailor
