//===- Frontend/WgslLines.cpp -----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/WgslLines.h"

#include "Support/SpirvTools.h"

#include "spirv/unified1/spirv.hpp11"

#include <cstring>
#include <unordered_map>

namespace tailor {
namespace {

bool isWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}

class TokenReader {
public:
  explicit TokenReader(std::string_view text) : text(text) {}

  std::vector<WgslToken> read() {
    std::vector<WgslToken> tokens;
    while (skip()) {
      WgslToken token{{}, line, static_cast<uint32_t>(at - lineStart + 1), at};
      size_t end = at + 1;
      if (isWordCharacter(text[at]))
        while (end < text.size() && isWordCharacter(text[end]))
          ++end;
      token.text = text.substr(at, end - at);
      at = end;
      tokens.push_back(token);
    }
    return tokens;
  }

private:
  void step() {
    if (text[at] == '\n') {
      ++line;
      lineStart = at + 1;
    }
    ++at;
  }
  bool starts(std::string_view word) const { return text.substr(at, word.size()) == word; }

  /// Past blanks and comments; whether something is left. Block comments nest.
  bool skip() {
    while (at < text.size()) {
      if (starts("//")) {
        while (at < text.size() && text[at] != '\n')
          ++at;
      } else if (starts("/*")) {
        int depth = 0;
        do {
          depth += starts("/*") ? 1 : starts("*/") ? -1 : 0;
          const bool isMark = starts("/*") || starts("*/");
          step();
          if (isMark && at < text.size())
            step();
        } while (depth > 0 && at < text.size());
      } else if (std::strchr(" \t\r\n\v\f", text[at])) {
        step();
      } else {
        return true;
      }
    }
    return false;
  }

  std::string_view text;
  size_t at = 0, lineStart = 0;
  uint32_t line = 1;
};

/// Finds where statements begin.
class StatementMarker {
public:
  explicit StatementMarker(std::string_view text) : text(text), tokens(wgslTokens(text)) {}

  std::optional<MarkedWgsl> mark() {
    made.variable = "tailor_line";
    while (text.find(made.variable) != std::string_view::npos)
      made.variable += "_";
    for (const WgslToken &token : tokens)
      if (!visit(token))
        return std::nullopt;
    if (!scopes.empty() || made.places.empty())
      return std::nullopt;
    made.text += text.substr(copied);
    // At the end: the lines of the text stay, and so do directives at its head.
    made.text += "\nvar<private> " + made.variable + ": u32;\n";
    return std::move(made);
  }

private:
  enum class Scope : uint8_t { Block, Switch, Other };

  bool inFunction() const { return !scopes.empty() && scopes.front() == Scope::Block; }

  bool visit(const WgslToken &token) {
    const std::string_view word = token.text;
    if (scopes.empty() && parentheses == 0 && word == "fn")
      functionAhead = true;
    if (atStatement && word != "}")
      begin(token);
    if (word == "(" || word == "[")
      ++parentheses;
    else if (word == ")" || word == "]")
      --parentheses;
    else if (word == "{")
      open();
    else if (word == "}")
      return close();
    else if (word == ";" && parentheses == 0 && inFunction())
      atStatement = scopes.back() == Scope::Block;
    return parentheses >= 0;
  }

  void open() {
    if (scopes.empty())
      scopes.push_back(functionAhead ? Scope::Block : Scope::Other);
    else
      scopes.push_back(keyword == "switch" && scopes.back() == Scope::Block ? Scope::Switch
                                                                            : Scope::Block);
    functionAhead = false;
    keyword = {};
    atStatement = inFunction() && scopes.back() == Scope::Block;
  }

  bool close() {
    if (scopes.empty() || parentheses != 0)
      return false;
    scopes.pop_back();
    atStatement = inFunction() && scopes.back() == Scope::Block;
    return true;
  }

  void begin(const WgslToken &token) {
    atStatement = false;
    keyword = token.text;
    // These go on with what stands before them, and a lone `;` is nothing.
    if (keyword == "else" || keyword == "continuing" || keyword == ";")
      return;
    made.text += text.substr(copied, token.offset - copied);
    made.text += made.variable + "=" + std::to_string(made.places.size()) + "u;";
    made.places.push_back({token.line, token.column});
    copied = token.offset;
  }

  std::string_view text;
  std::vector<WgslToken> tokens;
  MarkedWgsl made;
  std::vector<Scope> scopes;
  std::string_view keyword; ///< that the statement at hand began with
  size_t copied = 0;
  int parentheses = 0;
  bool functionAhead = false, atStatement = false;
};

spv::Op opAt(std::span<const uint32_t> words, size_t at) {
  return static_cast<spv::Op>(words[at] & 0xffff);
}

std::string stringAt(std::span<const uint32_t> words, size_t at, size_t end) {
  const char *bytes = reinterpret_cast<const char *>(words.data() + at);
  return {bytes, strnlen(bytes, (end - at) * sizeof(uint32_t))};
}

class LineWriter {
public:
  LineWriter(std::span<const uint32_t> words, std::span<const uint32_t> marked,
             const MarkedWgsl &text)
      : plain(words), marked(marked), text(text) {}

  std::optional<std::vector<uint32_t>> write(const std::string &fileName) {
    if (!findMarks())
      return std::nullopt;
    file = plain[3];
    std::vector<uint32_t> header(plain.begin(), plain.begin() + kSpirvHeaderWords);
    header[3] = file + 1;
    out = std::move(header);
    size_t at = kSpirvHeaderWords, other = kSpirvHeaderWords;
    bool hasString = false;
    for (; at < plain.size() && opAt(plain, at) != spv::Op::OpFunction; at += plain[at] >> 16) {
      if (!hasString && isBehindModes(opAt(plain, at))) {
        writeString(fileName);
        hasString = true;
      }
      copy(at);
    }
    while (other < marked.size() && opAt(marked, other) != spv::Op::OpFunction)
      other += marked[other] >> 16;
    if (!hasString || !writeFunctions(at, other))
      return std::nullopt;
    return std::move(out);
  }

private:
  static bool isBehindModes(spv::Op op) {
    switch (op) {
    case spv::Op::OpCapability:
    case spv::Op::OpExtension:
    case spv::Op::OpExtInstImport:
    case spv::Op::OpMemoryModel:
    case spv::Op::OpEntryPoint:
    case spv::Op::OpExecutionMode:
      return false;
    default:
      return true;
    }
  }

  /// The variable's id, and the numbers that constants stand for.
  bool findMarks() {
    for (size_t at = kSpirvHeaderWords; at < marked.size(); at += marked[at] >> 16) {
      const size_t length = marked[at] >> 16;
      if (length == 0 || length > marked.size() - at)
        return false;
      if (opAt(marked, at) == spv::Op::OpName &&
          stringAt(marked, at + 2, at + length) == text.variable)
        variable = marked[at + 1];
      if (opAt(marked, at) == spv::Op::OpConstant && length == 4)
        constants[marked[at + 2]] = marked[at + 3];
      if (opAt(marked, at) == spv::Op::OpFunction)
        break;
    }
    return variable != 0;
  }

  void copy(size_t at) {
    out.insert(out.end(), plain.begin() + static_cast<std::ptrdiff_t>(at),
               plain.begin() + static_cast<std::ptrdiff_t>(at + (plain[at] >> 16)));
  }

  void writeString(const std::string &fileName) {
    const size_t count = fileName.size() / sizeof(uint32_t) + 1;
    std::vector<uint32_t> packed(count);
    std::memcpy(packed.data(), fileName.data(), fileName.size());
    out.push_back(static_cast<uint32_t>(count + 2) << 16 |
                  static_cast<uint32_t>(spv::Op::OpString));
    out.push_back(file);
    out.insert(out.end(), packed.begin(), packed.end());
  }

  bool writeFunctions(size_t at, size_t other) {
    while (at < plain.size()) {
      if (other >= marked.size())
        return false;
      const size_t length = marked[other] >> 16;
      if (length == 0 || length > marked.size() - other)
        return false;
      if (opAt(marked, other) == spv::Op::OpStore && marked[other + 1] == variable) {
        auto number = constants.find(marked[other + 2]);
        if (number == constants.end() || number->second >= text.places.size())
          return false;
        now = number->second;
        other += length;
        continue;
      }
      if (plain[at] != marked[other])
        return false;
      follow(at);
      copy(at);
      at += length;
      other += length;
    }
    return other == marked.size();
  }

  /// Whose statement a block begins in: where a construct ends, and where a loop goes on, the
  /// construct's own; elsewhere that of the branch to it.
  void follow(size_t at) {
    const size_t length = plain[at] >> 16;
    switch (opAt(plain, at)) {
    case spv::Op::OpFunction:
      now = written = kNone;
      starts.clear();
      return;
    case spv::Op::OpFunctionParameter:
    case spv::Op::OpFunctionEnd:
    case spv::Op::OpVariable:
      return;
    case spv::Op::OpLabel:
      if (auto start = starts.find(plain[at + 1]); start != starts.end())
        now = start->second;
      written = kNone; // OpLine holds to the end of its block
      return;
    case spv::Op::OpLoopMerge:
      starts[plain[at + 2]] = now;
      [[fallthrough]];
    case spv::Op::OpSelectionMerge:
      starts[plain[at + 1]] = now;
      break;
    case spv::Op::OpBranch:
      starts.try_emplace(plain[at + 1], now);
      break;
    case spv::Op::OpBranchConditional:
      starts.try_emplace(plain[at + 2], now);
      starts.try_emplace(plain[at + 3], now);
      break;
    case spv::Op::OpSwitch:
      starts.try_emplace(plain[at + 2], now);
      for (size_t i = 4; i < length; i += 2)
        starts.try_emplace(plain[at + i], now);
      break;
    default:
      break;
    }
    if (now == kNone || now == written || afterMerge)
      written = now == kNone ? written : now;
    else
      writeLine();
    afterMerge =
        opAt(plain, at) == spv::Op::OpLoopMerge || opAt(plain, at) == spv::Op::OpSelectionMerge;
  }

  void writeLine() {
    const WgslPlace &place = text.places[now];
    out.insert(out.end(),
               {4u << 16 | static_cast<uint32_t>(spv::Op::OpLine), file, place.line, place.column});
    written = now;
  }

  static constexpr uint32_t kNone = UINT32_MAX;
  std::span<const uint32_t> plain, marked;
  const MarkedWgsl &text;
  std::vector<uint32_t> out;
  std::unordered_map<uint32_t, uint32_t> constants;
  std::unordered_map<uint32_t, uint32_t> starts; ///< by label: the statement
  uint32_t variable = 0, file = 0;
  uint32_t now = kNone, written = kNone;
  bool afterMerge = false; ///< no OpLine between a merge instruction and its branch
};

} // namespace

std::vector<WgslToken> wgslTokens(std::string_view text) { return TokenReader(text).read(); }

std::optional<MarkedWgsl> markStatements(std::string_view text) {
  return StatementMarker(text).mark();
}

std::optional<std::vector<uint32_t>> withLines(std::span<const uint32_t> words,
                                               std::span<const uint32_t> markedWords,
                                               const MarkedWgsl &marked,
                                               const std::string &fileName) {
  if (words.size() < kSpirvHeaderWords || markedWords.size() < kSpirvHeaderWords)
    return std::nullopt;
  return LineWriter(words, markedWords, marked).write(fileName);
}

} // namespace tailor
