//===- Frontend/SpirvInput.cpp - SPIR-V as binary and as text --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/Inputs.h"
#include "Support/SpirvTools.h"
#include "Support/UnknownSpirv.h"

#include <cctype>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

namespace tailor {
namespace {

bool isSpace(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// Goes through assembly text word by word, as the assembler does: words end at
/// white space, `;` comments out the rest of a line, quotes hold white space.
class TextWords {
public:
  explicit TextWords(std::string_view text) : text(text) {}

  /// The next word, empty at the end.
  std::string_view next() {
    skip();
    const size_t begin = at;
    bool quoted = false;
    for (; at < text.size(); ++at) {
      const char c = text[at];
      if (c == '\\' && at + 1 < text.size())
        ++at;
      else if (c == '"')
        quoted = !quoted;
      else if (!quoted && (isSpace(c) || c == ';'))
        break;
      if (text[at] == '\n')
        ++line;
    }
    return text.substr(begin, at - begin);
  }

  /// The line on which the next word stands.
  uint32_t nextLine() {
    skip();
    return line;
  }

private:
  void skip() {
    for (; at < text.size(); ++at) {
      if (text[at] == ';')
        while (at < text.size() && text[at] != '\n')
          ++at;
      if (at == text.size() || !isSpace(text[at]))
        return;
      if (text[at] == '\n')
        ++line;
    }
  }

  std::string_view text;
  size_t at = 0;
  uint32_t line = 1;
};

/// The line of every instruction, in order; nothing for text with raw words,
/// whose instructions cannot be told apart.
std::optional<std::vector<uint32_t>> linesOfInstructions(std::string_view text) {
  std::vector<uint32_t> lines;
  TextWords words(text);
  // `%id = OpX ...` starts at the id: the last two words are remembered.
  std::string_view before, last;
  uint32_t beforeLine = 0, lastLine = 0;
  while (true) {
    const uint32_t line = words.nextLine();
    std::string_view word = words.next();
    if (word.empty())
      return lines;
    if (word.front() == '!')
      return std::nullopt;
    if (word.substr(0, 2) == "Op")
      lines.push_back(last == "=" && before.substr(0, 1) == "%" ? beforeLine : line);
    before = last;
    beforeLine = lastLine;
    last = word;
    lastLine = line;
  }
}

/// The environment of the version that the disassembler wrote into the text's
/// head (`; Version: 1.5`), else of the options.
spv_target_env envOfText(std::string_view text, const FrontendOptions &options) {
  while (!text.empty()) {
    while (!text.empty() && isSpace(text.front()))
      text.remove_prefix(1);
    if (text.empty() || text.front() != ';')
      break;
    std::string_view comment = text.substr(0, text.find('\n'));
    text.remove_prefix(comment.size());
    unsigned major = 0, minor = 0;
    if (std::sscanf(std::string(comment).c_str(), "; Version: %u.%u", &major, &minor) == 2)
      if (auto env = parseTargetEnv("spv" + std::to_string(major) + "." + std::to_string(minor)))
        return *env;
  }
  return parseTargetEnv(options.targetEnv).value_or(SPV_ENV_VULKAN_1_1);
}

uint32_t byteSwapped(uint32_t word) {
  return (word >> 24) | ((word >> 8) & 0xff00) | ((word << 8) & 0xff0000) | (word << 24);
}

void fillTextLines(std::string_view text, FrontendResult &result) {
  std::optional<std::vector<uint32_t>> lines = linesOfInstructions(text);
  if (!lines)
    return;
  std::vector<std::pair<uint32_t, uint32_t>> found;
  size_t next = 0;
  for (size_t at = kSpirvHeaderWords; at < result.words.size(); ++next) {
    const uint32_t length = result.words[at] >> 16;
    if (length == 0 || next == lines->size())
      return;
    found.emplace_back(static_cast<uint32_t>(at), (*lines)[next]);
    at += length;
  }
  if (next == lines->size())
    result.textLines = std::move(found);
}

} // namespace

Status readSpirvBinary(std::string_view bytes, FrontendResult &result) {
  const std::string &file = result.fileName;
  uint32_t magic = 0;
  if (bytes.size() >= sizeof magic)
    std::memcpy(&magic, bytes.data(), sizeof magic);
  if (magic != kSpirvMagic && magic != kSpirvMagicSwapped)
    return failure(Location::atWord(file, 0),
                   "the file does not start with SPIR-V's magic number 0x07230203");
  if (bytes.size() % 4 != 0)
    return failure(Location::atWord(file, static_cast<uint32_t>(bytes.size() / 4)),
                   "the file is truncated: its " + std::to_string(bytes.size()) +
                       " bytes are not whole words");
  result.words.resize(bytes.size() / 4);
  std::memcpy(result.words.data(), bytes.data(), bytes.size());
  const std::vector<uint32_t> &words = result.words;
  if (words.size() < kSpirvHeaderWords)
    return failure(Location::atWord(file, static_cast<uint32_t>(words.size())),
                   "the file is truncated inside SPIR-V's header of 5 words");
  for (size_t at = kSpirvHeaderWords; at < words.size();) {
    const uint32_t length = (magic == kSpirvMagic ? words[at] : byteSwapped(words[at])) >> 16;
    const Location where = Location::atWord(file, static_cast<uint32_t>(at));
    if (length == 0)
      return failure(where, "an instruction has a length of 0 words");
    if (length > words.size() - at)
      return failure(where, "the file is truncated inside an instruction of " +
                                std::to_string(length) + " words, of which it has " +
                                std::to_string(words.size() - at));
    at += length;
  }
  return success();
}

Status readSpirvText(std::string_view text, const FrontendOptions &options,
                     FrontendResult &result) {
  struct Deleter {
    void operator()(spv_context context) const { spvContextDestroy(context); }
    void operator()(spv_binary binary) const { spvBinaryDestroy(binary); }
    void operator()(spv_diagnostic diagnostic) const { spvDiagnosticDestroy(diagnostic); }
  };
  std::unique_ptr<spv_context_t, Deleter> context(spvContextCreate(envOfText(text, options)));
  spv_binary rawBinary = nullptr;
  spv_diagnostic rawDiagnostic = nullptr;
  spv_result_t code = spvTextToBinaryWithOptions(context.get(), text.data(), text.size(),
                                                 SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS,
                                                 &rawBinary, &rawDiagnostic);
  std::unique_ptr<spv_binary_t, Deleter> binary(rawBinary);
  std::unique_ptr<spv_diagnostic_t, Deleter> diagnostic(rawDiagnostic);
  if (code != SPV_SUCCESS) {
    if (!diagnostic || !diagnostic->error)
      return failure(Location::inFile(result.fileName), "the SPIR-V text cannot be assembled");
    std::string message = diagnostic->error;
    while (!message.empty() && (isSpace(message.back()) || message.back() == '.'))
      message.pop_back();
    if (message.size() > 1 && std::islower(static_cast<unsigned char>(message[1])) != 0)
      message[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(message[0])));
    const Location where =
        Location::at(result.fileName, static_cast<uint32_t>(diagnostic->position.line + 1),
                     static_cast<uint32_t>(diagnostic->position.column + 1));
    Diagnostic error = Diagnostic::error(where, message);
    // A name: "invalid capability 'x'", "invalid Opcode name 'OpX'".
    if (message.substr(0, 8) == "invalid " && message.find('\'') != std::string::npos)
      error.addNote(where,
                    "misspelt, or newer than this build's SPIR-V tools, " + spirvToolsVersion());
    return failure(std::move(error));
  }
  result.words.assign(binary->code, binary->code + binary->wordCount);
  if (result.words.size() <= kSpirvHeaderWords)
    return failure(Location::inFile(result.fileName), "the SPIR-V text has no instruction");
  fillTextLines(text, result);
  return success();
}

} // namespace tailor
