//===- Frontend/LocatedText.h - Text that knows where it stands -----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line of a source file whose comments are gone and whose continuations are
// joined, or an option of the command line; each character still has a place.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_FRONTEND_LOCATEDTEXT_H
#define TAILOR_FRONTEND_LOCATEDTEXT_H

#include "Support/Diagnostics.h"

#include <string>
#include <string_view>
#include <vector>

namespace tailor {

class LocatedText {
public:
  LocatedText() = default;
  /// `text` on one line, its first character in column 1: `--where:1:6` is the sixth one.
  LocatedText(std::string file, std::string text);
  /// An empty line of `file`, to be appended to.
  explicit LocatedText(std::string file) : file(std::move(file)) {}

  void append(char c, uint32_t line, uint32_t column);

  const std::string &str() const { return text; }
  size_t size() const { return text.size(); }
  bool empty() const { return text.empty(); }
  char operator[](size_t at) const { return text[at]; }
  /// Of the character at `offset`; past the end the place behind the last one.
  Location at(size_t offset) const;
  /// The characters from `begin` to before `end`, blanks around them left out.
  LocatedText trimmed(size_t begin, size_t end) const;

private:
  /// From `offset` on the characters stand side by side.
  struct Run {
    size_t offset;
    uint32_t line, column;
  };
  std::string file, text;
  std::vector<Run> runs;
};

/// The lines of GLSL or HLSL as its preprocessor sees them: comments are a blank, a backslash at
/// the end of a line joins it with the next, line breaks in comments do so too. Empty lines are
/// left out.
std::vector<LocatedText> logicalLines(const std::string &file, std::string_view source);

} // namespace tailor

#endif
