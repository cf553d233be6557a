//===- tools/spirv-tailor/AnalyzeText.h - Lines, columns and colours of the report ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TOOLS_SPIRV_TAILOR_ANALYZETEXT_H
#define TAILOR_TOOLS_SPIRV_TAILOR_ANALYZETEXT_H

#include "AnalyzeReport.h"

#include "Support/Printable.h"

#include "llvm/Support/raw_ostream.h"

namespace tailor {

enum class Colour : uint8_t { Plain, Title, Good, Warning, Bad, Faint };

/// Writes text that keeps to kColumns, each as printable() has it.
class TextWriter {
public:
  static constexpr unsigned kColumns = 100;
  /// Width of the labels on the left.
  static constexpr unsigned kLabel = 16;

  TextWriter(llvm::raw_ostream &os, const ReportStyle &style) : os(os), style(style) {}

  /// A section's name on a line of its own, and what belongs to it.
  void title(const std::string &name, const std::string &remark = "");
  /// A label and text, which goes on under itself; an empty label continues the one above.
  void line(const std::string &label, const std::string &text, Colour colour = Colour::Plain);
  /// Text under an indent of `columns`, its first line led by `lead`.
  void paragraph(unsigned columns, const std::string &lead, const std::string &text);
  /// Columns as wide as their widest cell; the first row is the heading. A cell of `colours` that
  /// is there colours its row.
  void table(const std::vector<std::vector<std::string>> &rows,
             const std::vector<Colour> &colours = {});
  void blank() { os << "\n"; }

  bool isFull() const { return style.full; }

private:
  std::string coloured(const std::string &text, Colour colour) const;

  llvm::raw_ostream &os;
  const ReportStyle &style;
};

/// `1,024`; `12.5` with one digit where it is no integer.
std::string numberText(double number);
std::string numberText(uint64_t number);
/// `1 barrier`, `2 barriers`.
std::string counted(uint64_t count, const std::string &noun);
/// `a`, `a and b`, `a, b and c`.
std::string listText(const std::vector<std::string> &words);
/// The printable text, cut to so many columns, with `..` in place of the rest.
std::string cutText(const std::string &text, size_t columns);
/// How many of `count` things to show where `most` are enough: a line that says that one is left
/// out takes the place of the one.
inline size_t shownOf(size_t count, size_t most) { return count <= most + 1 ? count : most; }

// --- the sections ---

void printLegality(TextWriter &out, const KernelReport &report);
void printAccesses(TextWriter &out, const KernelReport &report);
void printLimits(TextWriter &out, const KernelReport &report);

/// How the size may change along an axis under a technique, as dispatchOf says it.
struct AxisRule {
  unsigned axis = 0;
  DispatchRule rule = DispatchRule::Exact;
  std::vector<std::string> bounds; ///< under Cover, with the names of the kernel
  std::string reason;              ///< why not Cover, where that was tried
  Location location;               ///< of the reason
};
/// Of the axes along which the technique changes sizes, but for those of size 1 on which nothing
/// depends; empty where it is refused.
std::vector<AxisRule> axisRules(const Findings &findings, Technique technique);

/// `gid.x < params.rows`: with the names of the kernel for what the host supplies.
std::string boundText(const Module &module, ConstantEvaluator &constants,
                      const DispatchBound &bound);

} // namespace tailor

#endif
