//===- Frontend/InputKind.cpp ----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/Frontend.h"
#include "Frontend/SourceText.h"
#include "Support/SpirvTools.h"

#include <cctype>
#include <cstring>

namespace tailor {
namespace {

/// Text is looked at this far: what tells the kind stands near the top.
constexpr size_t kLookedAtBytes = size_t{1} << 20;

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

bool endsWith(std::string_view name, std::string_view suffix) {
  if (name.size() < suffix.size())
    return false;
  name.remove_prefix(name.size() - suffix.size());
  for (size_t i = 0; i < suffix.size(); ++i)
    if (lower(name[i]) != suffix[i])
      return false;
  return true;
}

bool isSpace(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

std::string_view skipSpace(std::string_view text) {
  while (!text.empty() && isSpace(text.front()))
    text.remove_prefix(1);
  return text;
}

/// `%1 = OpExtInstImport` without its result.
std::string_view skipResult(std::string_view text) {
  if (!startsWith(text, "%"))
    return text;
  size_t end = 1;
  while (end < text.size() && isWord(text[end]))
    ++end;
  std::string_view rest = skipSpace(text.substr(end));
  return startsWith(rest, "=") ? skipSpace(rest.substr(1)) : text;
}

/// The comment that the disassembler begins with, or one of the instructions that a module can
/// begin with. No other kind of shader begins so.
bool looksLikeSpirvText(std::string_view text) {
  text = skipSpace(text);
  while (startsWith(text, ";")) {
    if (startsWith(skipSpace(text.substr(1)), "SPIR-V"))
      return true;
    size_t end = text.find('\n');
    if (end == std::string_view::npos)
      return false;
    text = skipSpace(text.substr(end));
  }
  text = skipResult(text);
  size_t end = 0;
  while (end < text.size() && isWord(text[end]))
    ++end;
  std::string_view first = text.substr(0, end);
  return first == "OpCapability" || first == "OpExtension" || first == "OpExtInstImport" ||
         first == "OpMemoryModel";
}

/// WGSL's `@compute`, GLSL's `layout(... local_size_x`.
bool hasWord(std::string_view code, std::string_view word) {
  for (size_t at = code.find(word); at != std::string_view::npos; at = code.find(word, at + 1)) {
    size_t end = at + word.size();
    if ((at == 0 || !isWord(code[at - 1])) && (end == code.size() || !isWord(code[end])))
      return true;
  }
  return false;
}

InputKind kindBySuffix(std::string_view name) {
  struct Suffix {
    std::string_view text;
    InputKind kind;
  };
  constexpr Suffix suffixes[] = {
      {".hlsl", InputKind::Hlsl},        {".fx", InputKind::Hlsl},
      {".spv", InputKind::SpirvBinary},  {".spirv", InputKind::SpirvBinary},
      {".spvasm", InputKind::SpirvText}, {".wgsl", InputKind::Wgsl},
      {".comp", InputKind::Glsl},        {".glsl", InputKind::Glsl},
      {".csh", InputKind::Glsl},
  };
  for (const Suffix &suffix : suffixes)
    if (endsWith(name, suffix.text))
      return suffix.kind;
  return InputKind::Auto;
}

} // namespace

std::string_view nameOf(InputKind kind) {
  switch (kind) {
  case InputKind::Auto:
    break;
  case InputKind::Glsl:
    return "GLSL";
  case InputKind::Hlsl:
    return "HLSL";
  case InputKind::SpirvBinary:
    return "SPIR-V binary";
  case InputKind::SpirvText:
    return "SPIR-V text";
  case InputKind::Wgsl:
    return "WGSL";
  }
  return "unknown";
}

InputKind detectInputKind(std::string_view fileName, std::string_view bytes) {
  uint32_t first = 0;
  if (bytes.size() >= sizeof first) {
    std::memcpy(&first, bytes.data(), sizeof first);
    if (first == kSpirvMagic || first == kSpirvMagicSwapped)
      return InputKind::SpirvBinary;
  }
  std::string_view top = bytes.substr(0, kLookedAtBytes);
  if (startsWith(top, "\xEF\xBB\xBF"))
    top.remove_prefix(3);
  if (looksLikeSpirvText(top))
    return InputKind::SpirvText;
  InputKind suffix = kindBySuffix(fileName);
  if (suffix != InputKind::Auto && suffix != InputKind::Glsl)
    return suffix;

  // .comp and .glsl are also what people call their HLSL.
  const std::string code = withoutComments(top);
  if (hasDirective(code, "version"))
    return InputKind::Glsl;
  if (!numthreadsFunctions(code).empty())
    return InputKind::Hlsl;
  if (suffix != InputKind::Auto)
    return suffix;
  if (hasWord(code, "local_size_x") || hasWord(code, "local_size_x_id"))
    return InputKind::Glsl;
  if (code.find("@compute") != std::string::npos)
    return InputKind::Wgsl;
  return InputKind::Auto;
}

} // namespace tailor
