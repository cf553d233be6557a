//===- Backends/TextNames.h - Names that a text can have --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A name of the module may be a word of the language, of its library, or one
// that SPIRV-Cross 1.3.239 writes for its own ends. SPIRV-Cross knows some of
// these words, each back end of it others.
//
// Here it gets a mark in place of each name, which no word of a language is like.
// Whatever stands in the text without a mark is therefore the text's own, found
// whole and without a list. Names take the place of the marks afterwards, each
// word of the text by one other word and no two by the same: a name that is one
// of the text's own words, or one that the language keeps, ends with an underscore
// then (and with a number, where that is taken too).
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_TEXTNAMES_H
#define TAILOR_BACKENDS_TEXTNAMES_H

#include "Backends/ModuleFacts.h"

#include "spirv_cross/spirv_cross.hpp"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tailor {

/// Words of a language, out of one text that has them between blanks and line ends.
std::set<std::string_view> wordList(std::string_view text);

/// `identifier` as all of the languages take it, without double underscores: GLSL keeps those, and
/// C++.
std::string asIdentifier(std::string_view name);

/// The text with each of its identifiers as `spell` has it.
std::string respelled(std::string_view text,
                      const std::function<std::string(std::string_view)> &spell);

class TextNames {
public:
  /// Whether a language has the word, so that nothing of ours may be called so. No word that ends
  /// with an underscore is taken, unless for how it starts, which one ahead of it changes.
  using IsTaken = bool (*)(std::string_view word);
  /// Whether names of functions end with an underscore: a function of the kernel may else take the
  /// calls of one of the language's own that has other parameters.
  enum class Functions : uint8_t { AsTheyAre, EndWithUnderscore };

  /// Of all that has a name in the module, but the entry point.
  TextNames(spirv_cross::Compiler &compiler, const ModuleFacts &facts, IsTaken isTaken,
            Functions functions);

  /// The text with the names that it can have. `more`: ids that the caller has named. Throws what
  /// SPIRV-Cross throws, with the names of the module.
  std::string compile(const std::vector<uint32_t> &more = {});

  /// How the text spells what SPIRV-Cross calls `name`; before compile, `name`.
  std::string of(const std::string &name) const;

private:
  std::string mark(const std::string &name);
  void markAll(const std::vector<uint32_t> &more);
  bool isMarked(std::string_view word) const;
  std::string named(std::string_view word) const;
  void settle(const std::string &text);
  void settleWord(const std::string &word);

  spirv_cross::Compiler &compiler;
  const ModuleFacts &facts;
  IsTaken isTaken;
  Functions functions;
  std::string prefix;                                      ///< of every mark
  std::vector<std::string> names;                          ///< by the number in the mark
  std::map<std::string, size_t> numbers;                   ///< of the names
  std::set<std::string, std::less<>> used;                 ///< words that the text has by now
  std::map<std::string, std::string, std::less<>> settled; ///< by the word with the mark
};

} // namespace tailor

#endif
