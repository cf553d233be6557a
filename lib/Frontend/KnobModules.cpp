//===- Frontend/KnobModules.cpp - A module for each combination -----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/HostInterface.h"
#include "Frontend/Knobs.h"
#include "IR/Reader.h"
#include "Support/SpirvTools.h"

#include <algorithm>
#include <map>
#include <set>

namespace tailor {

namespace {

class KnobCompiler {
public:
  KnobCompiler(const KnobInput &input, const KnobRequest &request, Diagnostics &diagnostics)
      : input(input), request(request), diagnostics(diagnostics), authored(*input.authored) {}

  Result<KnobModules> run(const std::vector<KnobValues> &combinations,
                          const std::function<void(size_t, size_t)> &progress) {
    Result<Module> module = moduleOf(authored.words);
    if (!module)
      return module.takeFailure();
    for (const KnobValues &values : combinations) {
      compileOne(values, *module);
      ++done;
      if (progress)
        progress(done, combinations.size());
    }
    if (problem)
      return failure(std::move(*problem));
    warnOfIdleKnobs(combinations);
    result.dependencies.assign(files.begin(), files.end());
    return std::move(result);
  }

private:
  Result<Module> moduleOf(const std::vector<uint32_t> &words) const {
    return readModule(words, ModuleSource{authored.fileName, {}, /*isCompiled=*/true});
  }

  void compileOne(const KnobValues &values, const Module &authoredModule) {
    FrontendOptions options = input.options;
    options.kind = authored.kind;
    options.defines.insert(options.defines.end(), values.begin(), values.end());
    Diagnostics messages;
    Result<FrontendResult> shader =
        loadShaderFromMemory(authored.text, authored.fileName, options, messages);
    forward(messages);
    if (!shader)
      return fail(values, shader.takeFailure().diagnostic);
    files.insert(shader->dependencies.begin(), shader->dependencies.end());
    wordsOf[values] = shader->words;
    if (shader->words == authored.words) {
      if (!result.authored)
        result.authored = values;
      return;
    }
    if (!seen.insert(shader->words).second)
      return;
    if (Status valid = validateSpirv(shader->words, authored.fileName); !valid)
      return fail(values, valid.takeFailure().diagnostic);
    Result<Module> module = moduleOf(shader->words);
    if (!module)
      return fail(values, module.takeFailure().diagnostic);
    if (Status same = checkSameInterface(authoredModule, *module); !same)
      return fail(values, same.takeFailure().diagnostic);
    result.modules.push_back({values, std::move(*module)});
  }

  /// Warnings that were not said before, of the authored shader or of another combination.
  void forward(const Diagnostics &messages) {
    for (const Diagnostic &message : messages.all()) {
      auto same = [&](const Diagnostic &said) {
        return said.location == message.location && said.text == message.text;
      };
      if (std::none_of(diagnostics.all().begin(), diagnostics.all().end(), same))
        diagnostics.emit(message);
    }
  }

  /// The first combination that fails is the error; the others are named beside it.
  void fail(const KnobValues &values, Diagnostic diagnostic) {
    constexpr size_t kMaxNamed = 8;
    ++failures;
    if (problem) {
      if (failures <= kMaxNamed + 1)
        problem->addNote(diagnostic.location, "so does " + textOf(values) + ": " + diagnostic.text);
      return;
    }
    diagnostic.text = "with " + textOf(values) + ": " + diagnostic.text;
    for (const Knob &knob : request.knobs)
      addDefinition(knob, diagnostic);
    diagnostic.addNote(request.knobs.front().location, "the knob is declared here");
    problem = std::move(diagnostic);
  }

  /// A definition that is not left out where the macro is given already.
  void addDefinition(const Knob &knob, Diagnostic &diagnostic) const {
    std::optional<Location> place = bareDefinition(knob.name);
    if (place)
      diagnostic.addNote(
          *place, "'" + knob.name + "' is defined here whatever value it was given: put '#ifndef " +
                      knob.name + "' around it");
  }

  /// A `#define NAME` of the shader that stands under no condition at all.
  std::optional<Location> bareDefinition(const std::string &name) const {
    unsigned depth = 0;
    for (const LocatedText &line : logicalLines(authored.fileName, authored.text)) {
      std::vector<std::string> words = directiveWords(line);
      if (words.empty())
        continue;
      if (words[0].starts_with("if"))
        ++depth;
      else if (words[0] == "endif" && depth > 0)
        --depth;
      else if (words[0] == "define" && depth == 0 && words.size() > 1 && words[1] == name)
        return line.at(line.str().find('#'));
    }
    return std::nullopt;
  }

  /// The directive and the word behind it; nothing where the line is none.
  static std::vector<std::string> directiveWords(const LocatedText &line) {
    const std::string &text = line.str();
    size_t at = text.find_first_not_of(" \t");
    if (at == std::string::npos || text[at] != '#')
      return {};
    std::vector<std::string> words;
    for (size_t begin = text.find_first_not_of(" \t", at + 1);
         begin != std::string::npos && words.size() < 2;) {
      size_t end = std::min(text.find_first_of(" \t(", begin), text.size());
      words.push_back(text.substr(begin, end - begin));
      begin = end == begin ? std::string::npos : text.find_first_not_of(" \t", end);
    }
    return words;
  }

  /// Knobs whose values make no difference, whatever the others are.
  void warnOfIdleKnobs(const std::vector<KnobValues> &combinations) {
    for (size_t at = 0; at < request.knobs.size(); ++at) {
      const Knob &knob = request.knobs[at];
      std::map<KnobValues, std::set<std::vector<uint32_t>>> modulesOf; // by the other knobs
      size_t compared = 0;
      bool isIdle = true;
      for (const KnobValues &values : combinations) {
        KnobValues others = values;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(at));
        auto [group, isNew] = modulesOf.try_emplace(others);
        compared += isNew ? 0 : 1;
        group->second.insert(wordsOf[values]);
        isIdle &= group->second.size() == 1;
      }
      if (compared == 0) // one value alone: all that can be said is that nothing changed
        isIdle = combinations.size() == 1 && result.authored.has_value();
      if (isIdle)
        diagnostics.warning(knob.location, "the knob '" + knob.name +
                                               "' has no effect: the module is the same with " +
                                               valuesText(knob));
    }
  }

  static std::string valuesText(const Knob &knob) {
    if (knob.values.size() == 1)
      return knob.name + "=" + knob.values.front() + " and without";
    std::string text = "each of ";
    for (const std::string &value : knob.values)
      text += (&value == knob.values.data() ? "" : ", ") + value;
    return text;
  }

  const KnobInput &input;
  const KnobRequest &request;
  Diagnostics &diagnostics;
  const FrontendResult &authored;
  KnobModules result;
  std::map<KnobValues, std::vector<uint32_t>> wordsOf;
  std::set<std::vector<uint32_t>> seen; ///< of result.modules
  std::set<std::string> files;
  std::optional<Diagnostic> problem;
  size_t done = 0, failures = 0;
};

} // namespace

Result<KnobModules> compileKnobs(const KnobInput &input, Diagnostics &diagnostics,
                                 const std::function<void(size_t, size_t)> &progress) {
  Result<KnobRequest> request = collectKnobs(input);
  if (!request)
    return request.takeFailure();
  if (request->knobs.empty())
    return KnobModules();
  Result<std::vector<KnobValues>> combinations =
      enumerateKnobs(*request, input.options, input.maxCombinations);
  if (!combinations)
    return combinations.takeFailure();
  return KnobCompiler(input, *request, diagnostics).run(*combinations, progress);
}

} // namespace tailor
