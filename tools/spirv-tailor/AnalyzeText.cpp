//===- tools/spirv-tailor/AnalyzeText.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AnalyzeText.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/Unicode.h"

#include <algorithm>
#include <cmath>

namespace tailor {

/// Columns on a terminal; bytes where the text is no UTF-8.
static size_t widthOf(const std::string &text) {
  int columns = llvm::sys::unicode::columnWidthUTF8(text);
  return columns < 0 ? text.size() : static_cast<size_t>(columns);
}

std::string TextWriter::coloured(const std::string &text, Colour colour) const {
  if (!style.colours || colour == Colour::Plain || text.empty())
    return text;
  const char *code = colour == Colour::Title     ? "\033[1m"
                     : colour == Colour::Good    ? "\033[32m"
                     : colour == Colour::Warning ? "\033[33m"
                     : colour == Colour::Bad     ? "\033[31m"
                                                 : "\033[2m";
  return code + text + "\033[0m";
}

void TextWriter::title(const std::string &name, const std::string &remark) {
  os << "\n" << coloured(printable(name), Colour::Title);
  if (!remark.empty())
    os << "  " << coloured(printable(remark), Colour::Faint);
  os << "\n";
}

/// The text in lines of at most `columns`, cut at blanks.
static std::vector<std::string> wrapped(const std::string &text, size_t columns) {
  std::vector<std::string> lines;
  std::string line;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find(' ', at);
    end = end == std::string::npos ? text.size() : end;
    std::string word = text.substr(at, end - at);
    if (!line.empty() && widthOf(line) + 1 + widthOf(word) > columns) {
      lines.push_back(std::move(line));
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    at = end + 1;
  }
  lines.push_back(std::move(line));
  return lines;
}

void TextWriter::line(const std::string &label, const std::string &text, Colour colour) {
  std::string left = printable(label);
  for (const std::string &part : wrapped(printable(text), kColumns - 2 - kLabel)) {
    os << "  " << left;
    size_t width = widthOf(left);
    os.indent(width < kLabel ? static_cast<unsigned>(kLabel - width) : 1);
    os << coloured(part, colour) << "\n";
    left.clear();
  }
}

void TextWriter::paragraph(unsigned columns, const std::string &lead, const std::string &text) {
  std::string left = lead;
  for (const std::string &part : wrapped(printable(text), kColumns - columns - lead.size())) {
    os.indent(columns) << left << part << "\n";
    left.assign(lead.size(), ' ');
  }
}

void TextWriter::table(const std::vector<std::vector<std::string>> &cells,
                       const std::vector<Colour> &colours) {
  std::vector<std::vector<std::string>> rows = cells;
  for (std::vector<std::string> &row : rows)
    for (std::string &cell : row)
      cell = printable(cell);
  std::vector<size_t> widths;
  for (const std::vector<std::string> &row : rows)
    for (size_t at = 0; at < row.size(); ++at) {
      if (at == widths.size())
        widths.push_back(0);
      widths[at] = std::max(widths[at], widthOf(row[at]));
    }
  for (size_t number = 0; number < rows.size(); ++number) {
    std::string text;
    for (size_t at = 0; at < rows[number].size(); ++at) {
      text += "  " + rows[number][at];
      text.append(widths[at] - widthOf(rows[number][at]), ' ');
    }
    text.erase(text.find_last_not_of(' ') + 1);
    Colour colour = number == 0               ? Colour::Faint
                    : number < colours.size() ? colours[number]
                                              : Colour::Plain;
    os << coloured(text, colour) << "\n";
  }
}

std::string numberText(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

std::string numberText(double number) {
  constexpr double kReadable = 1e9; // above: so many digits say nothing
  if (number >= kReadable) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%.1e", number);
    return text;
  }
  if (number >= 0 && number == std::floor(number))
    return numberText(static_cast<uint64_t>(number));
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format("%.1f", number);
  return os.str();
}

std::string counted(uint64_t count, const std::string &noun) {
  return numberText(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string listText(const std::vector<std::string> &words) {
  std::string text;
  for (size_t at = 0; at < words.size(); ++at)
    text += (at == 0 ? "" : at + 1 == words.size() ? " and " : ", ") + words[at];
  return text;
}

std::string cutText(const std::string &whole, size_t columns) {
  std::string text = printable(whole);
  if (widthOf(text) <= columns)
    return text;
  size_t end = columns - 2;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
    --end; // not inside a character
  return text.substr(0, end) + "..";
}

} // namespace tailor
