//===- Frontend/WgslLines.h - Which line an instruction of WGSL is from ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// naga-wasm writes SPIR-V without lines. They are found out by a second text, in
// which each statement is preceded by a store of its number to a private variable
// that nobody reads: in the module of that text, the stores say which instructions
// belong to which statement. The lines then go to the module of the text as it is,
// and only where the two are the same instruction by instruction, stores aside.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_FRONTEND_WGSLLINES_H
#define TAILOR_FRONTEND_WGSLLINES_H

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tailor {

struct WgslPlace {
  uint32_t line = 0, column = 0; ///< from 1; columns in bytes
};

struct MarkedWgsl {
  std::string text;
  std::string variable;          ///< the private variable's name
  std::vector<WgslPlace> places; ///< of the statement with each number
};
/// The second text. Nothing where the text has a form that is not understood.
std::optional<MarkedWgsl> markStatements(std::string_view text);

/// `words` with OpLine by what `markedWords`, the module of the marked text, says. Nothing where
/// the two differ in more than the marks.
std::optional<std::vector<uint32_t>> withLines(std::span<const uint32_t> words,
                                               std::span<const uint32_t> markedWords,
                                               const MarkedWgsl &marked,
                                               const std::string &fileName);

/// A piece of WGSL text that is no blank and no comment.
struct WgslToken {
  std::string_view text;
  uint32_t line = 0, column = 0;
  size_t offset = 0;
};
/// Words, numbers, and single characters of anything else.
std::vector<WgslToken> wgslTokens(std::string_view text);

} // namespace tailor

#endif
