//===- Frontend/LocatedText.cpp -------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/LocatedText.h"

#include <algorithm>

namespace tailor {

LocatedText::LocatedText(std::string file, std::string line)
    : file(std::move(file)), text(std::move(line)), runs{{0, 1, 1}} {}

void LocatedText::append(char c, uint32_t line, uint32_t column) {
  bool continues = !runs.empty() && runs.back().line == line &&
                   runs.back().column + (text.size() - runs.back().offset) == column;
  if (!continues)
    runs.push_back({text.size(), line, column});
  text += c;
}

Location LocatedText::at(size_t offset) const {
  auto after = std::upper_bound(runs.begin(), runs.end(), std::min(offset, text.size()),
                                [](size_t wanted, const Run &run) { return wanted < run.offset; });
  if (after == runs.begin())
    return Location::inFile(file);
  const Run &run = *std::prev(after);
  return Location::at(file, run.line,
                      run.column +
                          static_cast<uint32_t>(std::min(offset, text.size()) - run.offset));
}

LocatedText LocatedText::trimmed(size_t begin, size_t end) const {
  auto isBlank = [&](size_t at) { return text[at] == ' ' || text[at] == '\t'; };
  while (begin < end && isBlank(begin))
    ++begin;
  while (end > begin && isBlank(end - 1))
    --end;
  LocatedText part(file);
  Location start = at(begin);
  part.runs.push_back({0, start.line, start.column});
  for (const Run &run : runs)
    if (run.offset > begin && run.offset < end)
      part.runs.push_back({run.offset - begin, run.line, run.column});
  part.text = text.substr(begin, end - begin);
  return part;
}

namespace {

/// Walks over the source and hands out its logical lines.
class LineReader {
public:
  LineReader(const std::string &file, std::string_view source) : file(file), source(source) {}

  std::vector<LocatedText> read() {
    LocatedText current(file);
    while (at < source.size()) {
      if (size_t width = continuation()) {
        skipBreak(width);
      } else if (size_t end = lineBreak(at)) {
        finish(current);
        skipBreak(end);
      } else if (source.substr(at, 2) == "//") {
        skipLineComment();
      } else if (source.substr(at, 2) == "/*") {
        current.append(' ', line, column);
        skipBlockComment();
      } else if (source[at] == '"') {
        takeString(current);
      } else {
        take(current);
      }
    }
    finish(current);
    return std::move(lines);
  }

private:
  /// The bytes of the line break at `where`; 0: there is none.
  size_t lineBreak(size_t where) const {
    if (source.substr(where, 2) == "\r\n")
      return 2;
    return where < source.size() && (source[where] == '\n' || source[where] == '\r') ? 1 : 0;
  }
  /// The bytes of a backslash with the line break behind it.
  size_t continuation() const {
    size_t width = source[at] == '\\' ? lineBreak(at + 1) : 0;
    return width == 0 ? 0 : width + 1;
  }
  void skipBreak(size_t width) {
    at += width;
    ++line;
    column = 1;
  }
  void skip(size_t count = 1) {
    at += count;
    column += static_cast<uint32_t>(count);
  }
  void take(LocatedText &current) {
    current.append(source[at], line, column);
    skip();
  }
  void skipLineComment() {
    while (at < source.size()) {
      if (size_t width = continuation())
        skipBreak(width);
      else if (lineBreak(at))
        return;
      else
        skip();
    }
  }
  void skipBlockComment() {
    skip(2);
    while (at < source.size() && source.substr(at, 2) != "*/") {
      if (size_t width = lineBreak(at))
        skipBreak(width);
      else
        skip();
    }
    if (at < source.size())
      skip(2);
  }
  /// A string ends with its line at the latest.
  void takeString(LocatedText &current) {
    take(current);
    while (at < source.size() && !lineBreak(at) && !continuation()) {
      char c = source[at];
      take(current);
      if (c == '"')
        return;
      if (c == '\\' && at < source.size() && !lineBreak(at))
        take(current);
    }
  }
  void finish(LocatedText &current) {
    if (current.str().find_first_not_of(" \t") != std::string::npos)
      lines.push_back(std::move(current));
    current = LocatedText(file);
  }

  const std::string &file;
  std::string_view source;
  size_t at = 0;
  uint32_t line = 1, column = 1;
  std::vector<LocatedText> lines;
};

} // namespace

std::vector<LocatedText> logicalLines(const std::string &file, std::string_view source) {
  return LineReader(file, source).read();
}

} // namespace tailor
