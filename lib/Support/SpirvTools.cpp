//===- Support/SpirvTools.cpp ----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support/SpirvTools.h"

#include "Support/UnknownSpirv.h"

#include <memory>
#include <vector>

namespace tailor {
namespace {

constexpr uint32_t kOpSource = 3;
constexpr uint32_t kOpFunction = 54;
/// spv::SourceLanguage::CPP_for_OpenCL, the last one that SPIRV-Tools 2023.1 parses.
constexpr uint32_t kLastKnownLanguage = 6;

struct ContextDeleter {
  void operator()(spv_context context) const { spvContextDestroy(context); }
};
struct OptionsDeleter {
  void operator()(spv_validator_options options) const { spvValidatorOptionsDestroy(options); }
};
struct DiagnosticDeleter {
  void operator()(spv_diagnostic diagnostic) const { spvDiagnosticDestroy(diagnostic); }
};
using ContextPtr = std::unique_ptr<std::remove_pointer_t<spv_context>, ContextDeleter>;
using OptionsPtr = std::unique_ptr<std::remove_pointer_t<spv_validator_options>, OptionsDeleter>;
using DiagnosticPtr = std::unique_ptr<std::remove_pointer_t<spv_diagnostic>, DiagnosticDeleter>;

uint32_t byteSwapped(uint32_t word) {
  return (word >> 24) | ((word >> 8) & 0xff00) | ((word << 8) & 0xff0000) | (word << 24);
}

/// What is wrong with a module, or no diagnostic and SPV_SUCCESS.
struct Verdict {
  spv_result_t code = SPV_SUCCESS;
  DiagnosticPtr diagnostic;
};

Verdict runValidator(spv_const_context context, std::span<const uint32_t> words,
                     bool friendlyNames) {
  OptionsPtr options(spvValidatorOptionsCreate());
  spvValidatorOptionsSetScalarBlockLayout(options.get(), true);
  spvValidatorOptionsSetWorkgroupScalarBlockLayout(options.get(), true);
  spvValidatorOptionsSetAllowLocalSizeId(options.get(), true);
  spvValidatorOptionsSetFriendlyNames(options.get(), friendlyNames);
  spv_const_binary_t binary{words.data(), words.size()};
  spv_diagnostic diagnostic = nullptr;
  Verdict verdict;
  verdict.code = spvValidateWithOptions(context, options.get(), &binary, &diagnostic);
  verdict.diagnostic.reset(diagnostic);
  return verdict;
}

/// The word at which the `number`-th instruction (from 1) starts.
std::optional<uint32_t> wordOfInstruction(std::span<const uint32_t> words, size_t number) {
  const bool swapped = words[0] == kSpirvMagicSwapped;
  size_t at = kSpirvHeaderWords;
  if (number == 0)
    return std::nullopt;
  for (size_t current = 1; at < words.size(); ++current) {
    if (current == number)
      return static_cast<uint32_t>(at);
    uint32_t length = (swapped ? byteSwapped(words[at]) : words[at]) >> 16;
    if (length == 0)
      return std::nullopt;
    at += length;
  }
  return std::nullopt;
}

std::string trimmed(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos)
    return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1));
}

/// SPIRV-Tools' words in our form: the first line is the message, what follows
/// (the disassembled instruction) are notes.
Failure asFailure(std::span<const uint32_t> words, const std::string &fileName,
                  const spv_diagnostic_t *found) {
  if (!found || !found->error)
    return failure(Location::inFile(fileName), "the module is not valid SPIR-V");

  // Parser and validator both count instructions, from 1.
  Location where = Location::inFile(fileName);
  if (auto word = wordOfInstruction(words, found->position.index))
    where.word = *word;

  std::string_view text = found->error;
  if (unknownToParser(text))
    return parserFailure(where, text, words, "not valid SPIR-V");
  size_t lineEnd = text.find('\n');
  Diagnostic diagnostic =
      Diagnostic::error(where, "not valid SPIR-V: " + trimmed(text.substr(0, lineEnd)));
  while (lineEnd != std::string_view::npos) {
    text.remove_prefix(lineEnd + 1);
    lineEnd = text.find('\n');
    if (std::string line = trimmed(text.substr(0, lineEnd)); !line.empty())
      diagnostic.addNote(where, std::move(line));
  }
  noteUnknownExtensions(diagnostic, fileName, words);
  return failure(std::move(diagnostic));
}

} // namespace

std::optional<spv_target_env> parseTargetEnv(std::string_view name) {
  spv_target_env env;
  if (!spvParseTargetEnv(std::string(name).c_str(), &env))
    return std::nullopt;
  // SPIRV-Tools compares prefixes: "vulkan1.1x" is no name.
  for (std::string_view known :
       {"vulkan1.0", "vulkan1.1", "vulkan1.1spv1.4", "vulkan1.2", "vulkan1.3", "spv1.0", "spv1.1",
        "spv1.2", "spv1.3", "spv1.4", "spv1.5", "spv1.6"})
    if (name == known)
      return env;
  return std::nullopt;
}

spv_target_env targetEnvOf(std::span<const uint32_t> words) {
  if (words.size() < 2)
    return SPV_ENV_VULKAN_1_0;
  uint32_t version = words[0] == kSpirvMagicSwapped ? byteSwapped(words[1]) : words[1];
  switch ((version >> 8) & 0xff) {
  case 0:
    return SPV_ENV_VULKAN_1_0;
  case 1:
  case 2:
  case 3:
    return SPV_ENV_VULKAN_1_1;
  case 4:
    return SPV_ENV_VULKAN_1_1_SPIRV_1_4;
  case 5:
    return SPV_ENV_VULKAN_1_2;
  default:
    return SPV_ENV_VULKAN_1_3;
  }
}

std::optional<size_t> unknownSourceLanguageWord(std::span<const uint32_t> words) {
  // OpSource stands before the first function.
  for (size_t at = kSpirvHeaderWords; at < words.size();) {
    uint32_t opcode = words[at] & 0xffff, length = words[at] >> 16;
    if (length == 0 || length > words.size() - at || opcode == kOpFunction)
      return std::nullopt;
    if (opcode == kOpSource && length >= 2 && words[at + 1] > kLastKnownLanguage)
      return at + 1;
    at += length;
  }
  return std::nullopt;
}

Status validateSpirv(std::span<const uint32_t> words, const std::string &fileName,
                     std::string_view targetEnv) {
  spv_target_env env = targetEnvOf(words);
  if (!targetEnv.empty()) {
    std::optional<spv_target_env> named = parseTargetEnv(targetEnv);
    if (!named)
      return failure({}, "unknown target environment '" + std::string(targetEnv) + "'",
                     ErrorKind::Usage);
    env = *named;
  }
  if (words.empty())
    return failure(Location::inFile(fileName), "the module is empty");

  std::vector<uint32_t> neutral;
  while (std::optional<size_t> language = unknownSourceLanguageWord(words)) {
    if (neutral.empty()) {
      neutral.assign(words.begin(), words.end());
      words = neutral;
    }
    neutral[*language] = 0; // SourceLanguage Unknown
  }

  ContextPtr context(spvContextCreate(env));
  if (runValidator(context.get(), words, /*friendlyNames=*/false).code == SPV_SUCCESS)
    return success();
  // Names cost another parse of the module: they are made for the message alone.
  Verdict verdict = runValidator(context.get(), words, /*friendlyNames=*/true);
  return asFailure(words, fileName, verdict.diagnostic.get());
}

} // namespace tailor
