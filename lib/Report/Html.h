//===- Report/Html.h - Well-formed HTML and SVG ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_REPORT_HTML_H
#define TAILOR_REPORT_HTML_H

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace tailor::report {

/// Name and value; one whose value is empty is left out.
using Attributes = std::initializer_list<std::pair<std::string_view, std::string_view>>;

/// Writes a document that an XML parser takes as well: every element is closed by what opened it,
/// names are ours, and texts and values are shown as printable() has them, with what is markup
/// escaped.
class Html {
public:
  /// An element that is open as long as this lives.
  class Scope {
  public:
    Scope(Html &html, std::string_view name, Attributes attributes = {}) : html(html), name(name) {
      html.start(name, attributes, false);
    }
    ~Scope() { html.close(name); }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    Html &html;
    std::string_view name;
  };

  /// `name` is a literal.
  [[nodiscard]] Scope in(std::string_view name, Attributes attributes = {}) {
    return {*this, name, attributes};
  }
  /// An element with text alone.
  void add(std::string_view name, std::string_view content, Attributes attributes = {});
  /// An element without contents: meta, br, and those of SVG.
  void leaf(std::string_view name, Attributes attributes = {});
  void text(std::string_view content);
  /// A part of the page that is our own, as it is.
  void raw(std::string_view markup) { out += markup; }

  std::string take() { return std::move(out); }

private:
  void start(std::string_view name, Attributes attributes, bool isEmpty);
  void close(std::string_view name);
  std::string out;
};

/// As it may stand in text and between double quotes.
std::string escaped(std::string_view text);

} // namespace tailor::report

#endif
