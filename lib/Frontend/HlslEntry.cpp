//===- Frontend/HlslEntry.cpp ----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/HlslEntry.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>
#include <vector>

namespace tailor {
namespace {

struct Token {
  std::string_view text;
  size_t place; ///< index into Tokens::places
};

struct Tokens {
  std::vector<Token> list;
  std::vector<Location> places; ///< of the lines that have tokens
};

bool isWordChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isWord(std::string_view token) { return isWordChar(token.front()); }

/// Takes `#line 3 "a.h"`; the number is that of the line behind it.
void followLine(std::string_view directive, uint32_t &line, std::string &file) {
  const size_t at = directive.find_first_of("0123456789");
  if (directive.find("line") == std::string_view::npos || at == std::string_view::npos)
    return;
  std::from_chars(directive.data() + at, directive.data() + directive.size(), line);
  --line;
  const size_t open = directive.find('"'), close = directive.rfind('"');
  if (open != close)
    file = directive.substr(open + 1, close - open - 1);
}

Tokens tokensOf(std::string_view text, const std::string &fileName) {
  Tokens tokens;
  std::string file = fileName;
  uint32_t line = 0;
  while (!text.empty()) {
    const std::string_view now = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(now.size() + 1, text.size()));
    ++line;
    const size_t first = std::min(now.find_first_not_of(" \t\r"), now.size());
    if (first < now.size() && now[first] == '#') {
      followLine(now, line, file);
      continue;
    }
    if (first < now.size())
      tokens.places.push_back(Location::at(file, line));
    for (size_t at = first; at < now.size();) {
      size_t end = at;
      while (end < now.size() && isWordChar(now[end]))
        ++end;
      end = std::max(end, at + 1);
      if (std::isspace(static_cast<unsigned char>(now[at])) == 0)
        tokens.list.push_back({now.substr(at, end - at), tokens.places.size() - 1});
      at = end;
    }
  }
  return tokens;
}

bool opens(std::string_view token) {
  return token == "(" || token == "[" || token == "<" || token == "{";
}
bool closes(std::string_view token) {
  return token == ")" || token == "]" || token == ">" || token == "}";
}

/// Whether a parameter, `in uint3 i : SV_GroupID`, has a name: two words, qualifiers and what
/// stands in brackets aside.
bool hasName(const std::vector<std::string_view> &parameter) {
  static const std::set<std::string_view> qualifiers = {
      "in",     "out",     "inout",           "uniform",       "const",  "precise",
      "linear", "sample",  "nointerpolation", "noperspective", "static", "centroid",
      "point",  "line",    "triangle",        "row_major",     "unorm",  "column_major",
      "snorm",  "volatile"};
  unsigned words = 0, depth = 0;
  for (const std::string_view token : parameter) {
    if (depth == 0 && (token == ":" || token == "="))
      break;
    depth += opens(token) ? 1 : 0;
    depth -= closes(token) && depth != 0 ? 1 : 0;
    if (depth != 0 || !isWord(token) || qualifiers.contains(token))
      continue;
    ++words;
  }
  return words != 1;
}

} // namespace

std::optional<Location> unnamedParameter(std::string_view text, std::string_view entryPoint,
                                         const std::string &fileName) {
  const Tokens tokens = tokensOf(text, fileName);
  const std::vector<Token> &list = tokens.list;
  for (size_t at = 1; at + 1 < list.size(); ++at) {
    if (list[at].text != entryPoint || list[at + 1].text != "(" || !isWord(list[at - 1].text))
      continue;
    std::optional<Location> found;
    std::vector<std::string_view> parameter;
    unsigned depth = 1;
    size_t next = at + 2;
    for (; next < list.size() && depth != 0; ++next) {
      const std::string_view token = list[next].text;
      depth += opens(token) ? 1 : 0;
      depth -= closes(token) ? 1 : 0;
      if (depth != 0 && (depth != 1 || token != ",")) {
        parameter.push_back(token);
        continue;
      }
      const bool isNone = parameter.empty() || parameter == std::vector<std::string_view>{"void"};
      if (!found && !isNone && !hasName(parameter))
        found = tokens.places[list[next - 1].place];
      parameter.clear();
    }
    // A declaration does no harm.
    const bool isDefinition =
        next < list.size() && (list[next].text == "{" || list[next].text == ":");
    if (found && isDefinition)
      return found;
  }
  return std::nullopt;
}

} // namespace tailor
