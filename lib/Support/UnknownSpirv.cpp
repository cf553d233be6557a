//===- Support/UnknownSpirv.cpp --------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support/UnknownSpirv.h"

#include "Support/SpirvTools.h"

#include "spirv-tools/libspirv.hpp"

#include <algorithm>
#include <cstring>

namespace tailor {
namespace {

constexpr uint32_t kOpExtension = 10, kOpMemoryModel = 14, kOpCapability = 17, kOpFunction = 54;
constexpr uint32_t kCapabilityShader = 1, kLogical = 0, kGlsl450 = 1;

bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

std::string_view withoutEnd(std::string_view text) {
  size_t last = text.find_last_not_of(" .\r\n");
  return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

/// Of a literal string, in this machine's byte order.
std::string stringOf(std::span<const uint32_t> words) {
  std::string bytes(words.size() * sizeof(uint32_t), '\0');
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes.substr(0, bytes.find('\0'));
}

/// A module that has nothing but these OpExtensions.
std::vector<uint32_t> bareModule(const std::vector<std::vector<uint32_t>> &extensions) {
  std::vector<uint32_t> words{kSpirvMagic, 0x00010000, 0, 1, 0};
  words.insert(words.end(), {2u << 16 | kOpCapability, kCapabilityShader});
  for (const std::vector<uint32_t> &extension : extensions)
    words.insert(words.end(), extension.begin(), extension.end());
  words.insert(words.end(), {3u << 16 | kOpMemoryModel, kLogical, kGlsl450});
  return words;
}

/// The names that the validator warns of.
std::vector<std::string> unrecognized(const std::vector<uint32_t> &module) {
  constexpr std::string_view kWarning = "Found unrecognized extension ";
  std::vector<std::string> names;
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_0);
  tools.SetMessageConsumer(
      [&](spv_message_level_t, const char *, const spv_position_t &, const char *message) {
        std::string_view text = message ? message : "";
        if (startsWith(text, kWarning))
          names.emplace_back(
              withoutEnd(text.substr(kWarning.size(), text.find('\n') - kWarning.size())));
      });
  (void)tools.Validate(module); // whether it is valid does not matter
  return names;
}

} // namespace

std::string spirvToolsVersion() { return std::string("SPIRV-Tools ") + spvSoftwareVersionString(); }

std::optional<std::string> unknownToParser(std::string_view said) {
  constexpr std::string_view kInvalid = "Invalid ", kOperand = " operand: ";
  said = withoutEnd(said);
  if (!startsWith(said, kInvalid))
    return std::nullopt;
  said.remove_prefix(kInvalid.size());
  // "capability operand: 4174", "function control operand: 9 has invalid mask component 8".
  if (size_t at = said.find(kOperand); at != std::string_view::npos) {
    std::string_view what = said.substr(0, at), value = said.substr(at + kOperand.size());
    constexpr std::string_view kMask = " has invalid mask component ";
    if (size_t mask = value.find(kMask); mask != std::string_view::npos)
      value.remove_prefix(mask + kMask.size());
    return std::string(what) + " " + std::string(value);
  }
  // "opcode: 9999", "extended instruction number: 9999", "OpSpecConstantOp opcode: 9999".
  for (std::string_view what : {"opcode", "extended instruction number", "OpSpecConstantOp opcode"})
    if (startsWith(said, std::string(what) + ": "))
      return std::string(what) + " " + std::string(said.substr(what.size() + 2));
  // "extended instruction import 'TOSA.001000.1'".
  constexpr std::string_view kImport = "extended instruction import '";
  if (startsWith(said, kImport))
    return "the extended instruction set " + std::string(said.substr(kImport.size() - 1));
  return std::nullopt;
}

std::vector<DeclaredExtension> unknownExtensions(std::span<const uint32_t> words) {
  if (words.size() <= kSpirvHeaderWords)
    return {};
  const bool swapped = words[0] == kSpirvMagicSwapped;
  auto wordAt = [&](size_t at) { return swapped ? __builtin_bswap32(words[at]) : words[at]; };
  std::vector<DeclaredExtension> declared;
  std::vector<std::vector<uint32_t>> instructions;
  for (size_t at = kSpirvHeaderWords; at < words.size();) {
    const uint32_t length = wordAt(at) >> 16, opcode = wordAt(at) & 0xffff;
    if (length == 0 || length > words.size() - at || opcode == kOpFunction)
      break;
    if (opcode == kOpExtension && length > 1) {
      std::vector<uint32_t> &copy = instructions.emplace_back();
      for (uint32_t i = 0; i < length; ++i)
        copy.push_back(wordAt(at + i));
      declared.push_back({stringOf(std::span(copy).subspan(1)), static_cast<uint32_t>(at)});
    }
    at += length;
  }
  if (declared.empty())
    return {};
  const std::vector<std::string> unknown = unrecognized(bareModule(instructions));
  std::erase_if(declared, [&](const DeclaredExtension &extension) {
    return std::find(unknown.begin(), unknown.end(), extension.name) == unknown.end();
  });
  return declared;
}

void noteUnknownExtensions(Diagnostic &diagnostic, const std::string &file,
                           std::span<const uint32_t> words) {
  for (const DeclaredExtension &extension : unknownExtensions(words))
    diagnostic.addNote(Location::atWord(file, extension.word),
                       "the module declares the extension '" + extension.name +
                           "', which this build's SPIR-V tools (" + spirvToolsVersion() +
                           ") do not know");
}

Failure parserFailure(const Location &where, std::string_view said, std::span<const uint32_t> words,
                      std::string_view otherwise) {
  const std::string file = where.file;
  std::optional<std::string> unknown = unknownToParser(said);
  if (!unknown) {
    Diagnostic malformed =
        Diagnostic::error(where, std::string(otherwise) + ": " + std::string(withoutEnd(said)));
    noteUnknownExtensions(malformed, file, words);
    return failure(std::move(malformed));
  }
  Diagnostic newer =
      Diagnostic::error(where, "this build's SPIR-V tools do not know " + *unknown)
          .withNote(where, "they are " + spirvToolsVersion() +
                               ", and the module is newer than they are, or damaged");
  noteUnknownExtensions(newer, file, words);
  return failure(std::move(newer));
}

} // namespace tailor
