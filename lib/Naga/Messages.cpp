//===- Naga/Messages.cpp - naga's messages as ours -------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// naga formats a message for a terminal:
//
//   error: automatic conversions cannot convert `u32` to `f32`
//     ┌─ wgsl:3:14
//     │
//   3 │   let x: f32 = 1u;
//     │          ^^^   ^^ a value of type u32 is assigned here
//     │          │
//     │          an expression of type f32 is expected here
//     = note: ...
//
//===----------------------------------------------------------------------===//
#include "Naga/Naga.h"
#include "Support/TextScan.h"

#include <cctype>
#include <optional>

namespace tailor::naga {
namespace {

constexpr std::string_view kCorner = "\u250c\u2500", kBar = "\u2502";

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// Lower case, no full stop.
std::string sentence(std::string_view text) {
  text = trimmed(text);
  while (!text.empty() && (text.back() == '.' || text.back() == ':'))
    text.remove_suffix(1);
  std::string made(text);
  // An abbreviation stays as it is.
  if (made.size() > 1 && std::islower(static_cast<unsigned char>(made[1])) != 0)
    made[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(made[0])));
  return made;
}

/// `wgsl:3:14` behind the corner.
std::optional<Location> placeIn(std::string_view line, const std::string &fileName) {
  const size_t corner = line.find(kCorner);
  if (corner == std::string_view::npos)
    return std::nullopt;
  line = trimmed(line.substr(corner + kCorner.size()));
  const size_t column = line.rfind(':');
  const size_t row = column == std::string_view::npos || column == 0 ? std::string_view::npos
                                                                     : line.rfind(':', column - 1);
  if (row == std::string_view::npos)
    return std::nullopt;
  std::string_view rows = line.substr(row + 1), columns = line.substr(column + 1);
  std::optional<uint32_t> first = takeNumber(rows), second = takeNumber(columns);
  if (!first || !second)
    return std::nullopt;
  return Location::at(fileName, *first, *second);
}

/// Characters, not bytes.
uint32_t widthOf(std::string_view text) {
  uint32_t width = 0;
  for (char c : text)
    width += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1 : 0;
  return width;
}

/// What stands under a line of the source: its label, and the column (from 1) of what it marks.
std::optional<std::pair<uint32_t, std::string>> labelIn(std::string_view line) {
  if (line.substr(0, 1) == " ")
    line.remove_prefix(1);
  const size_t first = line.find_first_not_of(' ');
  if (first == std::string_view::npos)
    return std::nullopt;
  uint32_t column = widthOf(line.substr(0, first)) + 1;
  std::string_view rest = line.substr(first);
  // Several marks in one line: the label belongs to the last.
  while (!rest.empty()) {
    const size_t marks = rest.find_first_not_of("^-");
    if (marks == 0)
      break;
    if (marks == std::string_view::npos)
      return std::nullopt;
    const size_t next = rest.find_first_not_of(' ', marks);
    if (next == std::string_view::npos)
      return std::nullopt;
    if (rest[next] != '^' && rest[next] != '-') {
      rest = rest.substr(next);
      return std::pair(column, sentence(rest));
    }
    column += widthOf(rest.substr(0, next));
    rest = rest.substr(next);
  }
  // Only lines of the picture itself, or a label under its mark.
  while (rest.substr(0, kBar.size()) == kBar) {
    const size_t next = rest.find_first_not_of(' ', kBar.size());
    if (next == std::string_view::npos)
      return std::nullopt;
    column += widthOf(rest.substr(0, next));
    rest = rest.substr(next);
  }
  return rest.empty() ? std::nullopt : std::optional(std::pair(column, sentence(rest)));
}

void readPicture(std::string_view line, const std::string &fileName, uint32_t &sourceLine,
                 Diagnostic &diagnostic) {
  const size_t bar = line.find(kBar);
  std::string_view margin = trimmed(line.substr(0, bar));
  std::string_view behind = line.substr(bar + kBar.size());
  if (std::optional<uint32_t> number = takeNumber(margin)) {
    sourceLine = *number;
    return;
  }
  if (sourceLine == 0)
    return;
  if (auto label = labelIn(behind))
    diagnostic.addNote(Location::at(fileName, sourceLine, label->first), label->second);
}

} // namespace

Diagnostic diagnosticFrom(std::string_view formatted, const std::string &fileName) {
  Diagnostic diagnostic = Diagnostic::error(Location::inFile(fileName), {});
  uint32_t sourceLine = 0;
  while (!formatted.empty()) {
    const size_t end = formatted.find('\n');
    std::string_view line = formatted.substr(0, end);
    formatted.remove_prefix(end == std::string_view::npos ? formatted.size() : end + 1);
    std::string_view text = trimmed(line);
    if (text.empty())
      continue;
    if (diagnostic.text.empty()) {
      if (text.substr(0, 7) == "error: ")
        text.remove_prefix(7);
      diagnostic.text = sentence(text);
    } else if (std::optional<Location> place = placeIn(line, fileName)) {
      if (diagnostic.location.line == 0)
        diagnostic.location = *place;
    } else if (line.find(kBar) != std::string_view::npos) {
      readPicture(line, fileName, sourceLine, diagnostic);
    } else {
      if (text.substr(0, 2) == "= ")
        text.remove_prefix(2);
      if (text.substr(0, 6) == "note: ")
        text.remove_prefix(6);
      diagnostic.addNote(diagnostic.location, sentence(text));
    }
  }
  if (diagnostic.text.empty())
    diagnostic.text = "naga gives no reason";
  return diagnostic;
}

} // namespace tailor::naga
