//===- Backends/TextNames.cpp ----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/TextNames.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace tailor {
namespace {

constexpr std::string_view kMark = "NaMeD"; ///< and the number, and
constexpr char kMarkEnd = 'Q';

bool isWordChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Calls `visit(word, isMember)` for each identifier of a text; `other` for what stands between.
template <typename Visit, typename Other>
void forEachWord(std::string_view text, Visit visit, Other other) {
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && isWordChar(text[end]))
      ++end;
    if (end != at && !isDigit(text[at])) {
      visit(text.substr(at, end - at), at != 0 && text[at - 1] == '.');
    } else {
      end = std::max(end, at + 1);
      other(text.substr(at, end - at));
    }
    at = end;
  }
}

} // namespace

std::set<std::string_view> wordList(std::string_view text) {
  std::set<std::string_view> words;
  constexpr std::string_view kBlanks = " \n";
  for (size_t at = text.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    words.insert(text.substr(at, end - at));
    at = text.find_first_not_of(kBlanks, end);
  }
  return words;
}

std::string respelled(std::string_view text,
                      const std::function<std::string(std::string_view)> &spell) {
  std::string result;
  result.reserve(text.size());
  forEachWord(
      text, [&](std::string_view word, bool) { result += spell(word); },
      [&](std::string_view other) { result += other; });
  return result;
}

std::string asIdentifier(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const char next = isWordChar(c) ? c : '_';
    if (next != '_' || !result.ends_with('_'))
      result += next;
  }
  if (result.empty() || isDigit(result.front()))
    result.insert(result.begin(), '_');
  return result;
}

TextNames::TextNames(spirv_cross::Compiler &compiler, const ModuleFacts &facts, IsTaken isTaken,
                     Functions functions)
    : compiler(compiler), facts(facts), isTaken(isTaken), functions(functions), prefix(kMark) {
  for (const spirv_cross::EntryPoint &entry : compiler.get_entry_points_and_stages())
    while (entry.name.find(prefix) != std::string::npos)
      prefix += kMark;
}

std::string TextNames::mark(const std::string &name) {
  auto [at, isNew] = numbers.try_emplace(name, names.size());
  if (isNew)
    names.push_back(name);
  return prefix + std::to_string(at->second) + kMarkEnd;
}

void TextNames::markAll(const std::vector<uint32_t> &more) {
  std::set<uint32_t> ofFunctions;
  std::vector<uint32_t> ids;
  std::vector<std::pair<uint32_t, uint32_t>> members;
  facts.forEachInstruction([&](SpvOp op, std::span<const uint32_t> operands, uint32_t) {
    if (op == SpvOpFunction)
      ofFunctions.insert(operands[1]);
    else if (op == SpvOpName)
      ids.push_back(operands[0]);
    else if (op == SpvOpMemberName)
      members.emplace_back(operands[0], operands[1]);
  });
  ids.insert(ids.end(), more.begin(), more.end());
  for (const uint32_t id : ids) {
    std::string name = compiler.get_name(id);
    const bool isFunction = ofFunctions.contains(id);
    if (isFunction) // glslang's names have the types of the parameters: `rsqrt(f1;`
      name.resize(std::min(name.find('('), name.size()));
    if (id == facts.entryId() || name.empty())
      continue;
    name = mark(name);
    if (isFunction && functions == Functions::EndWithUnderscore)
      name += '_';
    compiler.set_name(id, name);
  }
  for (const auto &[structure, member] : members)
    if (const std::string name = compiler.get_member_name(structure, member); !name.empty())
      compiler.set_member_name(structure, member, mark(name));
}

bool TextNames::isMarked(std::string_view word) const {
  return word.find(prefix) != std::string_view::npos;
}

/// A word, or a message, with the names for the marks.
std::string TextNames::named(std::string_view word) const {
  std::string result;
  for (size_t at = word.find(prefix); at != std::string_view::npos; at = word.find(prefix)) {
    result += word.substr(0, at);
    word.remove_prefix(at + prefix.size());
    size_t number = 0;
    auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    const auto length = static_cast<size_t>(end - word.data());
    if (error != std::errc() || number >= names.size() || length == word.size())
      break;
    result += names[number];
    word.remove_prefix(length + 1);
  }
  return result + std::string(word);
}

void TextNames::settleWord(const std::string &word) {
  if (settled.contains(word))
    return;
  std::string base = asIdentifier(named(word));
  if (isTaken(base) && isTaken(base + '_')) // for how it starts: `gl_`
    base.insert(base.begin(), '_');
  const std::string stem = base.ends_with('_') ? base : base + '_';
  std::string free = base;
  for (unsigned number = 1; isTaken(free) || used.contains(free); ++number)
    free = number == 1 ? stem : stem + std::to_string(number) + '_';
  used.insert(free);
  settled.emplace(word, free);
}

/// First what is called as in the module, so that what SPIRV-Cross makes of names gives way.
void TextNames::settle(const std::string &text) {
  std::vector<std::string> made;
  std::set<std::string, std::less<>> seen;
  forEachWord(
      text,
      [&](std::string_view word, bool isMember) {
        if (!isMarked(word)) {
          if (!isMember) // `v.x` does not keep anyone from being called x
            used.emplace(word);
        } else if (seen.emplace(word).second) {
          made.emplace_back(word);
        }
      },
      [](std::string_view) {});
  for (size_t number = 0; number < names.size(); ++number)
    if (std::string word = prefix + std::to_string(number) + kMarkEnd; seen.contains(word))
      settleWord(word);
  for (const std::string &word : made)
    settleWord(word);
}

std::string TextNames::compile(const std::vector<uint32_t> &more) {
  markAll(more);
  std::string text;
  try {
    text = compiler.compile();
  } catch (const spirv_cross::CompilerError &error) {
    throw spirv_cross::CompilerError(named(error.what()));
  }
  settle(text);
  return respelled(text, [&](std::string_view word) { return of(std::string(word)); });
}

std::string TextNames::of(const std::string &name) const {
  auto at = settled.find(name);
  return at != settled.end() ? at->second : isMarked(name) ? asIdentifier(named(name)) : name;
}

} // namespace tailor
