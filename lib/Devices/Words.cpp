//===- Devices/Words.cpp ---------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Devices/Words.h"

#include "llvm/ADT/StringExtras.h"

namespace tailor {

std::vector<std::string> wordsOf(std::string_view name) {
  std::vector<std::string> words;
  std::string word;
  auto finish = [&] {
    if (!word.empty() && word != "r" && word != "tm" && word != "c")
      words.push_back(word);
    word.clear();
  };
  for (char character : name) {
    if (llvm::isAlnum(character))
      word += llvm::toLower(character);
    else
      finish();
  }
  finish();
  return words;
}

static bool matches(std::string_view word, std::string_view pattern) {
  if (word.size() != pattern.size())
    return false;
  for (size_t at = 0; at < word.size(); ++at)
    if (pattern[at] != '?' && pattern[at] != word[at])
      return false;
  return true;
}

std::optional<size_t> findWords(const std::vector<std::string> &words, std::string_view pattern) {
  std::vector<std::string_view> wanted;
  for (size_t begin = 0; begin < pattern.size();) {
    size_t end = std::min(pattern.find(' ', begin), pattern.size());
    wanted.push_back(pattern.substr(begin, end - begin));
    begin = end + 1;
  }
  for (size_t first = 0; first + wanted.size() <= words.size(); ++first) {
    size_t matched = 0;
    while (matched < wanted.size() && matches(words[first + matched], wanted[matched]))
      ++matched;
    if (matched == wanted.size() && !wanted.empty())
      return first + matched;
  }
  return std::nullopt;
}

} // namespace tailor
