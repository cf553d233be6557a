//===- Frontend/SourceText.cpp --------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/SourceText.h"

#include <algorithm>
#include <cctype>

namespace tailor {
namespace {

bool isSpace(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool isBlank(char c) { return c == ' ' || c == '\t'; }
bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

size_t skipSpace(std::string_view code, size_t at) {
  while (at < code.size() && isSpace(code[at]))
    ++at;
  return at;
}

/// Where `word` ends, when it stands at `at` in any case; npos when it does not.
size_t matchWord(std::string_view code, size_t at, std::string_view word) {
  for (char c : word) {
    if (at == code.size() || lower(code[at]) != c)
      return std::string_view::npos;
    ++at;
  }
  return at == code.size() || !isWord(code[at]) ? at : std::string_view::npos;
}

/// The function that is declared from `at` on, behind further attributes: the word before the
/// first parenthesis. Without a name where there is none.
SourceFunction functionBehind(std::string_view code, size_t at) {
  for (at = skipSpace(code, at); at < code.size() && code[at] == '['; at = skipSpace(code, at)) {
    size_t end = code.find(']', at);
    at = end == std::string_view::npos ? code.size() : end + 1;
  }
  size_t end = std::min(code.find_first_of("({;", at), code.size());
  if (end == code.size() || code[end] != '(')
    return {};
  while (end > at && isSpace(code[end - 1]))
    --end;
  size_t begin = end;
  while (begin > at && isWord(code[begin - 1]))
    --begin;
  auto line = std::count(code.begin(), code.begin() + static_cast<long>(begin), '\n') + 1;
  return {std::string(code.substr(begin, end - begin)), static_cast<uint32_t>(line)};
}

} // namespace

std::string withoutComments(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "//") {
      while (i < text.size() && text[i] != '\n')
        ++i;
      result += '\n';
    } else if (text.substr(i, 2) == "/*") {
      size_t end = text.find("*/", i + 2);
      result += ' ';
      if (end == std::string_view::npos)
        break;
      for (; i < end; ++i)
        if (text[i] == '\n')
          result += '\n';
      ++i;
    } else {
      result += text[i];
    }
  }
  return result;
}

bool hasDirective(std::string_view code, std::string_view name) {
  for (size_t at = code.find('#'); at != std::string_view::npos; at = code.find('#', at + 1)) {
    size_t before = at;
    while (before > 0 && isBlank(code[before - 1]))
      --before;
    if (before != 0 && code[before - 1] != '\n' && code[before - 1] != '\r')
      continue;
    size_t begin = at + 1;
    while (begin < code.size() && isBlank(code[begin]))
      ++begin;
    size_t end = begin + name.size();
    if (code.substr(begin, name.size()) == name && (end == code.size() || !isWord(code[end])))
      return true;
  }
  return false;
}

std::vector<SourceFunction> numthreadsFunctions(std::string_view code) {
  std::vector<SourceFunction> found;
  for (size_t at = code.find('['); at != std::string_view::npos; at = code.find('[', at + 1)) {
    size_t end = matchWord(code, skipSpace(code, at + 1), "numthreads");
    if (end == std::string_view::npos)
      continue;
    size_t open = skipSpace(code, end);
    if (open == code.size() || code[open] != '(')
      continue;
    size_t close = std::min(code.find(']', open), code.size() - 1);
    found.push_back(functionBehind(code, close + 1));
  }
  return found;
}

} // namespace tailor
