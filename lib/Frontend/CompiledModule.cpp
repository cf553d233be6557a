//===- Frontend/CompiledModule.cpp -----------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/CompiledModule.h"

#include "Frontend/GlslangHints.h"
#include "Support/SpirvTools.h"

#include "spirv/unified1/spirv.h"

#include <cstring>
#include <map>
#include <optional>
#include <vector>

namespace tailor {
namespace {

/// The string operand of an instruction, which starts at its word `first`.
std::string stringAt(std::span<const uint32_t> instruction, size_t first) {
  if (instruction.size() <= first)
    return {};
  std::string bytes((instruction.size() - first) * sizeof(uint32_t), '\0');
  std::memcpy(bytes.data(), &instruction[first], bytes.size());
  return bytes.substr(0, bytes.find('\0'));
}

bool endsBlock(uint32_t opcode) {
  return (opcode >= SpvOpBranch && opcode <= SpvOpUnreachable) || opcode == SpvOpFunctionEnd;
}

/// The source line that holds at a word, by the last OpLine before it.
Location lineAt(std::span<const uint32_t> words, uint32_t word, const std::string &fileName) {
  Location where = Location::inFile(fileName);
  std::map<uint32_t, std::string> names;
  for (size_t at = kSpirvHeaderWords; at < words.size() && at <= word;) {
    const uint32_t opcode = words[at] & 0xffff, length = words[at] >> 16;
    if (length == 0 || length > words.size() - at)
      break;
    std::span<const uint32_t> instruction = words.subspan(at, length);
    if (opcode == SpvOpString && length > 2)
      names[instruction[1]] = stringAt(instruction, 2);
    else if (opcode == SpvOpLine && length == 4)
      where = Location::at(names[instruction[1]], instruction[2], instruction[3]);
    else if (opcode == SpvOpNoLine || (endsBlock(opcode) && at != word))
      where = Location::inFile(fileName);
    at += length;
  }
  return where;
}

/// Without the validator's rules: what every reader of SPIR-V needs. By the grammar of the
/// environment that the header's version stands for.
Status parseSpirv(std::span<const uint32_t> words, const std::string &fileName) {
  uint32_t word = kSpirvHeaderWords; // behind the instructions that were read
  auto count = [](void *counter, const spv_parsed_instruction_t *parsed) {
    *static_cast<uint32_t *>(counter) += parsed->num_words;
    return SPV_SUCCESS;
  };
  spv_context context = spvContextCreate(targetEnvOf(words));
  spv_diagnostic diagnostic = nullptr;
  spv_result_t code =
      spvBinaryParse(context, &word, words.data(), words.size(), nullptr, count, &diagnostic);
  std::string said = diagnostic && diagnostic->error ? diagnostic->error : "it cannot be read";
  spvDiagnosticDestroy(diagnostic);
  spvContextDestroy(context);
  if (code == SPV_SUCCESS)
    return success();
  return failure(Location::atWord(fileName, word), "not valid SPIR-V: " + said);
}

Status checkAs(ModuleCheck check, std::span<const uint32_t> words, const std::string &fileName) {
  return check == ModuleCheck::Parsed ? parseSpirv(words, fileName)
                                      : validateSpirv(words, fileName);
}

/// The first newer target environment in which the same module would pass.
std::optional<std::string> newerEnvironment(std::span<const uint32_t> words, ModuleCheck check) {
  constexpr std::pair<uint32_t, const char *> kNewer[] = {
      {0x10300, "vulkan1.1"}, {0x10500, "vulkan1.2"}, {0x10600, "vulkan1.3"}};
  std::vector<uint32_t> copy(words.begin(), words.end());
  for (const auto &[version, name] : kNewer) {
    if (words.size() < kSpirvHeaderWords || words[1] >= version)
      continue;
    copy[1] = version;
    if (checkAs(check, copy, ""))
      return name;
  }
  return std::nullopt;
}

Failure tooOld(const Location &where, const std::string &newer, const std::string &said) {
  return failure(Diagnostic::error(where, "this shader needs a newer target environment: give "
                                          "--target-env " +
                                              newer)
                     .withNote(where, said));
}

} // namespace

Status checkTargetEnvironment(std::span<const uint32_t> words, const std::string &fileName) {
  Status read = parseSpirv(words, fileName);
  if (read)
    return read;
  std::optional<std::string> newer = newerEnvironment(words, ModuleCheck::Parsed);
  return newer ? Status(tooOld(Location::inFile(fileName), *newer, read.diagnostic().text))
               : success(); // whoever reads it says what is wrong
}

Status checkCompiledModule(std::span<const uint32_t> words, const std::string &fileName,
                           ModuleCheck check) {
  Status valid = checkAs(check, words, fileName);
  if (valid)
    return valid;
  const Diagnostic &found = valid.diagnostic();
  // Words count in a module that nobody has on disk.
  auto inSource = [&](const Location &where) {
    return where.word == Location::kUnknownWord ? Location::inFile(fileName)
                                                : lineAt(words, where.word, fileName);
  };
  const Location where = inSource(found.location);
  if (std::optional<std::string> newer = newerEnvironment(words, check))
    return tooOld(where, *newer, found.text);
  Diagnostic refusal = Diagnostic::error(where, "the compiler, " + glslangVersion() +
                                                    ", wrote an invalid module for this shader")
                           .withNote(where, found.text);
  for (const Note &note : found.notes)
    refusal.addNote(inSource(note.location), note.text);
  refusal.addNote(Location::inFile(fileName),
                  "SPIR-V from another compiler can be given in place of the source");
  return failure(std::move(refusal));
}

} // namespace tailor
