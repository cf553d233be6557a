//===- Frontend/Glslang.cpp - GLSL and HLSL through glslang ----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/CompiledModule.h"
#include "Frontend/GlslangHints.h"
#include "Frontend/GlslangLog.h"
#include "Frontend/HlslEntry.h"
#include "Frontend/Includer.h"
#include "Frontend/Inputs.h"
#include "Frontend/SourceText.h"
#include "Support/SpirvTools.h"

#include "glslang/Include/intermediate.h"
#include "glslang/MachineIndependent/localintermediate.h"
#include "glslang/Public/ResourceLimits.h"
#include "glslang/Public/ShaderLang.h"
#include "glslang/SPIRV/GlslangToSpv.h"
#include "glslang/SPIRV/SpvTools.h"
#include "spirv/unified1/spirv.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <optional>

namespace tailor {
namespace {

/// glslang's process-wide tables: made on first use, by whichever thread is
/// first, and taken down at exit.
class GlslangProcess {
public:
  static bool start() {
    static GlslangProcess process;
    return process.started;
  }

private:
  GlslangProcess() : started(glslang::InitializeProcess()) {}
  ~GlslangProcess() {
    if (started)
      glslang::FinalizeProcess();
  }
  bool started;
};

struct Target {
  glslang::EShTargetClientVersion client;
  glslang::EShTargetLanguageVersion spirv;
};

/// Of a name that Frontend.cpp has checked.
Target targetOf(std::string_view env, InputKind kind) {
  if (env == "vulkan1.0")
    return {glslang::EShTargetVulkan_1_0, glslang::EShTargetSpv_1_0};
  if (env == "vulkan1.1" || kind == InputKind::Hlsl)
    return {glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_3};
  if (env == "vulkan1.2")
    return {glslang::EShTargetVulkan_1_2, glslang::EShTargetSpv_1_5};
  return {glslang::EShTargetVulkan_1_3, glslang::EShTargetSpv_1_6};
}

std::string entryOf(const FrontendOptions &options) {
  return options.entryPoint.empty() ? "main" : options.entryPoint;
}

/// What goes ahead of the source, between its #version line and the rest. Shaders include files
/// without asking for it, since other compilers let them.
std::string preambleOf(std::string_view source, InputKind kind, const FrontendOptions &options) {
  std::string preamble;
  if (kind == InputKind::Glsl && hasDirective(withoutComments(source), "include"))
    preamble = "#extension GL_GOOGLE_include_directive : enable\n";
  for (const auto &[name, value] : options.defines)
    preamble.append("#define ").append(name).append(" ").append(value).append("\n");
  return preamble;
}

/// Sends the warnings of a log on. When the step failed, its first error is the
/// failure and the others, which mostly follow from it, are its notes.
Status report(std::string_view log, bool succeeded, const std::vector<std::string> &files,
              const CompiledSource &source, Diagnostics &diagnostics) {
  std::vector<Diagnostic> messages = parseGlslangLog(log, files);
  auto isError = [](const Diagnostic &message) { return message.severity == Severity::Error; };
  // Some failures are written as warnings alone ("Entry point not found").
  if (!succeeded && !messages.empty() && std::none_of(messages.begin(), messages.end(), isError))
    messages.back().severity = Severity::Error;
  std::optional<Diagnostic> first;
  std::vector<Diagnostic> others;
  for (Diagnostic &message : messages) {
    if (succeeded || !isError(message))
      diagnostics.warning(std::move(message.location), std::move(message.text)).notes =
          std::move(message.notes);
    else if (!first)
      first = std::move(message);
    else
      others.push_back(std::move(message));
  }
  if (succeeded)
    return success();
  if (!first)
    first = Diagnostic::error(Location::inFile(files.front()),
                              glslangVersion() + " does not compile the shader, and does not "
                                                 "say why");
  addHints(*first, source);
  for (Diagnostic &other : others)
    first->addNote(std::move(other.location), std::move(other.text));
  return failure(std::move(*first));
}

void setUp(glslang::TShader &shader, const FrontendOptions &options, InputKind kind) {
  const bool hlsl = kind == InputKind::Hlsl;
  const Target target = targetOf(options.targetEnv, kind);
  shader.setEnvInput(hlsl ? glslang::EShSourceHlsl : glslang::EShSourceGlsl, EShLangCompute,
                     glslang::EShClientVulkan, 100);
  shader.setEnvClient(glslang::EShClientVulkan, target.client);
  shader.setEnvTarget(glslang::EShTargetSpv, target.spirv);
  if (hlsl) {
    shader.setEntryPoint(entryOf(options).c_str());
    shader.setSourceEntryPoint(entryOf(options).c_str());
    shader.setAutoMapBindings(true); // registers are optional in HLSL
  }
}

std::vector<std::string> filesOf(const FrontendResult &result, const Includer &includer) {
  std::vector<std::string> files{result.fileName};
  files.insert(files.end(), includer.filesRead().begin(), includer.filesRead().end());
  return files;
}

/// Two variables of the module that have one set and binding, by name.
std::optional<std::pair<std::string, std::string>>
sharedBinding(const std::vector<uint32_t> &words) {
  struct Place {
    std::optional<uint32_t> set, binding;
    std::string name;
  };
  std::map<uint32_t, Place> places;
  for (size_t at = kSpirvHeaderWords; at < words.size(); at += words[at] >> 16) {
    const uint32_t op = words[at] & 0xffff;
    if (op == SpvOpName)
      places[words[at + 1]].name = reinterpret_cast<const char *>(&words[at + 2]);
    else if (op == SpvOpDecorate && words[at + 2] == SpvDecorationDescriptorSet)
      places[words[at + 1]].set = words[at + 3];
    else if (op == SpvOpDecorate && words[at + 2] == SpvDecorationBinding)
      places[words[at + 1]].binding = words[at + 3];
    else if (op == SpvOpFunction)
      break;
  }
  std::map<std::pair<uint32_t, uint32_t>, std::string> taken;
  for (const auto &[id, place] : places) {
    if (!place.set || !place.binding)
      continue;
    auto [at, free] = taken.try_emplace({*place.set, *place.binding}, place.name);
    if (!free)
      return std::pair(at->second, place.name);
  }
  return std::nullopt;
}

struct RegisterShift {
  glslang::TResourceType type;
  unsigned base;
};
/// Frontend.h promises these.
constexpr RegisterShift kRegisterShifts[] = {
    {glslang::EResTexture, 32}, {glslang::EResUav, 64}, {glslang::EResSampler, 96}};

/// HLSL's fmod and % have the sign of the first operand. glslang 12 writes OpFMod for them, which
/// has that of the second, in place of OpFRem.
void truncateRemainders(std::vector<uint32_t> &words) {
  for (size_t at = kSpirvHeaderWords; at < words.size();) {
    const uint32_t count = words[at] >> 16;
    if (count == 0)
      return;
    if ((words[at] & 0xffff) == SpvOpFMod)
      words[at] = count << 16 | SpvOpFRem;
    at += count;
  }
}

/// Fills result.words.
Status writeSpirv(glslang::TIntermediate &intermediate, const FrontendOptions &options,
                  FrontendResult &result, spv::SpvBuildLogger &logger) {
  // EShMsgDebugInfo would name the file too, but puts its whole text into the module.
  if (options.debugInfo)
    intermediate.setSourceFile(result.fileName.c_str());
  glslang::SpvOptions spvOptions;
  spvOptions.generateDebugInfo = options.debugInfo;
  spvOptions.disableOptimizer = true;
  glslang::GlslangToSpv(intermediate, result.words, &logger, &spvOptions);
  if (result.words.empty())
    return failure(Location::inFile(result.fileName),
                   "glslang wrote no SPIR-V: " + logger.getAllMessages());
  if (result.kind != InputKind::Hlsl)
    return success();
  // HLSL that passes resources around is valid SPIR-V only once it is inlined. What cannot be
  // parsed is not given to the optimizer, which would write to the terminal.
  if (Status read = checkCompiledModule(result.words, result.fileName, ModuleCheck::Parsed); !read)
    return read;
  glslang::SpirvToolsTransform(intermediate, result.words, &logger, &spvOptions);
  truncateRemainders(result.words);
  return success();
}

Status compileOnce(std::string_view source, const FrontendOptions &options, bool shiftRegisters,
                   FrontendResult &result, Diagnostics &diagnostics) {
  const Location file = Location::inFile(result.fileName);
  unsigned rules = EShMsgSpvRules | EShMsgVulkanRules;
  if (result.kind == InputKind::Hlsl)
    rules |= EShMsgReadHlsl | EShMsgHlslOffsets;
  const auto messages = static_cast<EShMessages>(rules);

  // Declared ahead of the shader, which keeps pointers to them.
  const std::string preamble = preambleOf(source, result.kind, options);
  const char *text = source.data(), *name = result.fileName.c_str();
  const int length = static_cast<int>(source.size());
  Includer includer(options.includeDirs, result.fileName);
  glslang::TShader shader(EShLangCompute);
  glslang::TProgram program;
  shader.setStringsWithLengthsAndNames(&text, &length, &name, 1);
  shader.setPreamble(preamble.c_str());
  setUp(shader, options, result.kind);
  if (shiftRegisters) {
    shader.setHlslIoMapping(true);
    for (const RegisterShift &shift : kRegisterShifts)
      shader.setShiftBinding(shift.type, shift.base);
  }

  const CompiledSource compiled{
      source,           result.fileName, result.kind, entryOf(options), !options.entryPoint.empty(),
      options.targetEnv};
  const bool parsed = shader.parse(GetDefaultResources(), 110, false, messages, includer);
  result.dependencies = includer.filesRead();
  const std::vector<std::string> files = filesOf(result, includer);
  if (Status reported = report(shader.getInfoLog(), parsed, files, compiled, diagnostics);
      !reported)
    return reported;

  program.addShader(&shader);
  const bool linked = program.link(messages) && (result.kind != InputKind::Hlsl || program.mapIO());
  if (Status reported = report(program.getInfoLog(), linked, files, compiled, diagnostics);
      !reported) {
    Failure failed = reported.takeFailure();
    if (options.entryPoint.empty())
      failed.diagnostic.addNote(file, "the entry point is taken to be '" + entryOf(options) + "'");
    return failed;
  }

  spv::SpvBuildLogger logger;
  if (Status written =
          writeSpirv(*program.getIntermediate(EShLangCompute), options, result, logger);
      !written)
    return written;
  return report(logger.getAllMessages(), /*succeeded=*/true, files, compiled, diagnostics);
}

/// Blanks and comments from `at` on; counts lines.
size_t skipToCode(std::string_view text, size_t at, uint32_t &line) {
  while (at < text.size()) {
    size_t end = at;
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0)
      end = at + 1;
    else if (text.substr(at, 2) == "//")
      end = std::min(text.find('\n', at), text.size());
    else if (text.substr(at, 2) == "/*")
      end = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    if (end == at)
      return at;
    line += static_cast<uint32_t>(std::count(text.begin() + at, text.begin() + end, '\n'));
    at = end;
  }
  return at;
}

/// glslang 12 dies of `frexp` in HLSL.
Status refuseFrexp(std::string_view source, const std::string &fileName) {
  constexpr std::string_view kName = "frexp";
  const std::string code = withoutComments(source);
  auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (size_t at = code.find(kName); at != std::string::npos; at = code.find(kName, at + 1)) {
    const size_t end = at + kName.size();
    if ((at != 0 && isWord(code[at - 1])) || (end < code.size() && isWord(code[end])))
      continue;
    const auto line = static_cast<uint32_t>(
        std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1);
    return failure(
        Location::at(fileName, line),
        "glslang, which reads HLSL here, dies of frexp; compile the shader to SPIR-V first");
  }
  return success();
}

/// What the preprocessor cannot read, the parser says.
Status refuseUnnamedParameter(std::string_view source, const FrontendOptions &options,
                              const std::string &fileName) {
  const std::string preamble = preambleOf(source, InputKind::Hlsl, options);
  const char *text = source.data(), *name = fileName.c_str();
  const int length = static_cast<int>(source.size());
  Includer includer(options.includeDirs, fileName);
  glslang::TShader shader(EShLangCompute);
  shader.setStringsWithLengthsAndNames(&text, &length, &name, 1);
  shader.setPreamble(preamble.c_str());
  setUp(shader, options, InputKind::Hlsl);
  std::string expanded;
  const auto messages =
      static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules | EShMsgReadHlsl);
  if (!shader.preprocess(GetDefaultResources(), 110, ENoProfile, false, false, messages, &expanded,
                         includer))
    return success();
  if (auto where = unnamedParameter(withoutComments(expanded), entryOf(options), fileName))
    return failure(std::move(*where),
                   "glslang, which reads HLSL here, dies of a parameter of the entry point '" +
                       entryOf(options) + "' that has no name; give it one");
  return success();
}

/// Below version 150 glslang looks for built-ins that it does not have, and prints them all. What
/// it can judge itself is left to it.
Status checkGlslVersion(std::string_view text, const std::string &fileName) {
  constexpr std::string_view kDirective = "version";
  constexpr const char *kNeeded = "compute shaders need #version 310 es, or 420 and above";
  uint32_t line = 1;
  size_t at = skipToCode(text, 0, line);
  size_t name = at < text.size() && text[at] == '#' ? text.find_first_not_of(" \t", at + 1) : at;
  name = std::min(name, text.size());
  if (at == text.size() || text[at] != '#' || text.substr(name, kDirective.size()) != kDirective)
    return failure(Location::at(fileName, line),
                   std::string("the shader does not begin with a #version line; ") + kNeeded);
  size_t digits = std::min(text.find_first_not_of(" \t", name + kDirective.size()), text.size());
  int version = 0;
  std::from_chars(text.data() + digits, text.data() + text.size(), version);
  if (version < 150)
    return failure(Location::at(fileName, line), kNeeded);
  return success();
}

} // namespace

Status compileWithGlslang(std::string_view source, const FrontendOptions &options,
                          FrontendResult &result, Diagnostics &diagnostics) {
  const Location file = Location::inFile(result.fileName);
  if (!GlslangProcess::start())
    return failure(file, "glslang does not start", ErrorKind::Environment);
  if (result.kind == InputKind::Glsl) {
    if (entryOf(options) != "main")
      return failure(Diagnostic::error(file, noEntryPoint(entryOf(options)), ErrorKind::Usage)
                         .withNote(file, "there is 'main'"));
    if (Status version = checkGlslVersion(source, result.fileName); !version)
      return version;
    Status compiled = compileOnce(source, options, /*shiftRegisters=*/false, result, diagnostics);
    return compiled ? checkTargetEnvironment(result.words, result.fileName) : compiled;
  }

  if (Status harmless = refuseFrexp(source, result.fileName); !harmless)
    return harmless;
  if (Status named = refuseUnnamedParameter(source, options, result.fileName); !named)
    return named;
  // HLSL numbers its registers by kind, Vulkan its bindings across all kinds.
  Diagnostics first;
  Status compiled = compileOnce(source, options, /*shiftRegisters=*/false, result, first);
  auto shared = compiled ? sharedBinding(result.words) : std::nullopt;
  if (!shared) {
    for (const Diagnostic &message : first.all())
      diagnostics.emit(message);
    return compiled ? checkCompiledModule(result.words, result.fileName, ModuleCheck::Valid)
                    : compiled;
  }
  result.words.clear();
  if (Status again = compileOnce(source, options, /*shiftRegisters=*/true, result, diagnostics);
      !again)
    return again;
  if (auto still = sharedBinding(result.words))
    return failure(file, "'" + still->first + "' and '" + still->second +
                             "' have one set and binding, which [[vk::binding]] can set apart");
  diagnostics.warning(file,
                      "'" + shared->first + "' and '" + shared->second +
                          "' have registers of one number, and their bindings are now the "
                          "number of the register plus 0 for b, 32 for t, 64 for u, 96 for s");
  return checkCompiledModule(result.words, result.fileName, ModuleCheck::Valid);
}

} // namespace tailor
