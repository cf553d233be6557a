//===- Report/Html.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Report/Html.h"

#include "Support/Printable.h"

#include <algorithm>

namespace tailor::report {

/// Elements that stand inside a line, where a line end would be a blank.
static bool isInline(std::string_view name) {
  static constexpr std::string_view kNames[] = {"a",    "abbr", "b",      "code", "dd", "dt",
                                                "span", "td",   "strong", "text", "th", "title"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : printable(text)) {
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    default:
      out += c;
    }
  }
  return out;
}

void Html::start(std::string_view name, Attributes attributes, bool isEmpty) {
  out += '<';
  out += name;
  for (const auto &[key, value] : attributes) {
    if (value.empty())
      continue;
    out += ' ';
    out += key;
    out += "=\"";
    out += escaped(value);
    out += '"';
  }
  out += isEmpty ? "/>" : ">";
}

void Html::close(std::string_view name) {
  out += "</";
  out += name;
  out += '>';
  if (!isInline(name))
    out += '\n';
}

void Html::add(std::string_view name, std::string_view content, Attributes attributes) {
  start(name, attributes, false);
  out += escaped(content);
  close(name);
}

void Html::leaf(std::string_view name, Attributes attributes) {
  start(name, attributes, true);
  out += '\n';
}

void Html::text(std::string_view content) { out += escaped(content); }

} // namespace tailor::report
