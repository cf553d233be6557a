//===- Frontend/Knobs.cpp - Collecting and enumerating knobs --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/Knobs.h"

#include "Frontend/Inputs.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace tailor {

namespace {

/// The value that the options give a macro by -D.
std::optional<std::string> definedValue(const FrontendOptions &options, std::string_view name) {
  for (const auto &[macro, value] : options.defines)
    if (macro == name)
      return value;
  return std::nullopt;
}

/// Every word of the file that stands outside of our own pragmas.
void collectWords(const std::string &file, std::string_view source, std::set<std::string> &words) {
  auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (const LocatedText &line : logicalLines(file, source)) {
    llvm::StringRef text = llvm::StringRef(line.str()).ltrim();
    if (text.consume_front("#") && text.ltrim().starts_with("pragma"))
      continue;
    const std::string &all = line.str();
    for (size_t at = 0; at < all.size(); ++at) {
      if (!isWord(all[at]))
        continue;
      size_t end = at;
      while (end < all.size() && isWord(all[end]))
        ++end;
      words.insert(all.substr(at, end - at));
      at = end;
    }
  }
}

class KnobCollector {
public:
  explicit KnobCollector(const KnobInput &input) : input(input), request(input.fromOptions) {}

  Result<KnobRequest> collect() {
    for (const Knob &knob : request.knobs)
      if (Status own = checkOption(knob); !own)
        return own.takeFailure();
    if (!isCompiled(input.authored->kind))
      return withoutSource();
    if (Status read = readSources(); !read)
      return read.takeFailure();
    for (const Knob &knob : request.knobs)
      if (!words.contains(knob.name))
        return failure(knob.location,
                       "the shader does not mention the macro '" + knob.name + "'" +
                           suggestion(knob),
                       knob.kind);
    if (Status named = checkNames(); !named)
      return named.takeFailure();
    return std::move(request);
  }

private:
  /// Of the command line.
  Status checkOption(const Knob &knob) const {
    size_t count = static_cast<size_t>(
        std::count_if(request.knobs.begin(), request.knobs.end(),
                      [&](const Knob &other) { return other.name == knob.name; }));
    if (count > 1)
      return failure(knob.location, "the knob '" + knob.name + "' is given twice", knob.kind);
    if (definedValue(input.options, knob.name))
      return failure(knob.location,
                     "'" + knob.name + "' is a knob, and given a value by -D as well", knob.kind);
    return success();
  }

  Result<KnobRequest> withoutSource() const {
    if (request.empty())
      return KnobRequest();
    const Location where = request.knobs.empty() ? request.constraints.front().location()
                                                 : request.knobs.front().location;
    return failure(
        Diagnostic::error(where,
                          "knobs are macros, and " + std::string(nameOf(input.authored->kind)) +
                              " has none",
                          ErrorKind::Usage)
            .withNote(Location::inFile(input.authored->fileName), "they are asked of this input"));
  }

  /// Pragmas and words of the shader and what it includes.
  Status readSources() {
    if (Status read = readSource(input.authored->fileName, input.authored->text); !read)
      return read;
    for (const std::string &file : input.authored->dependencies) {
      if (file == input.authored->fileName)
        continue;
      Result<std::string> text = readInput(file);
      if (!text)
        return text.takeFailure();
      if (Status read = readSource(file, *text); !read)
        return read;
    }
    return success();
  }

  Status readSource(const std::string &file, std::string_view text) {
    Result<KnobRequest> declared = readKnobPragmas(file, text);
    if (!declared)
      return declared.takeFailure();
    collectWords(file, text, words);
    for (Knob &knob : declared->knobs)
      if (Status added = addDeclared(std::move(knob)); !added)
        return added;
    for (KnobExpression &constraint : declared->constraints)
      request.constraints.push_back(std::move(constraint));
    return success();
  }

  Status addDeclared(Knob knob) {
    auto same = [&](const Knob &other) { return other.name == knob.name; };
    auto before = std::find_if(request.knobs.begin(), request.knobs.end(), same);
    if (before == request.knobs.end()) {
      if (!definedValue(input.options, knob.name))
        request.knobs.push_back(std::move(knob));
      return success();
    }
    if (before->kind == ErrorKind::Usage) // the command line's values count
      return success();
    return failure(
        Diagnostic::error(knob.location, "the knob '" + knob.name + "' is declared twice")
            .withNote(before->location, "the first one is here"));
  }

  std::string suggestion(const Knob &knob) const {
    std::string best;
    unsigned bestDistance = std::max<unsigned>(1, static_cast<unsigned>(knob.name.size()) / 3) + 1;
    for (const std::string &word : words) {
      unsigned distance = llvm::StringRef(knob.name).edit_distance(word, true, bestDistance);
      if (distance < bestDistance) {
        bestDistance = distance;
        best = word;
      }
    }
    return best.empty() ? "" : "; did you mean '" + best + "'?";
  }

  Status checkNames() const {
    for (const KnobExpression &constraint : request.constraints)
      for (const KnobExpression::Name &name : constraint.names()) {
        auto same = [&](const Knob &knob) { return knob.name == name.name; };
        if (std::any_of(request.knobs.begin(), request.knobs.end(), same) ||
            definedValue(input.options, name.name))
          continue;
        Diagnostic unknown = Diagnostic::error(
            name.location, "there is no knob '" + name.name + "'", constraint.errorKind());
        for (const Knob &knob : request.knobs)
          unknown.addNote(knob.location, "there is the knob '" + knob.name + "'");
        return failure(std::move(unknown));
      }
    return success();
  }

  const KnobInput &input;
  KnobRequest request;
  std::set<std::string> words;
};

/// All constraints hold of the values.
Result<bool> holds(const KnobRequest &request, const FrontendOptions &options,
                   const KnobValues &values) {
  auto lookup = [&](const std::string &name) -> std::optional<std::string> {
    for (const auto &[knob, value] : values)
      if (knob == name)
        return value;
    return definedValue(options, name);
  };
  for (const KnobExpression &constraint : request.constraints) {
    Result<KnobInteger> value = constraint.evaluate(lookup);
    if (!value) {
      Failure failed = value.takeFailure();
      failed.diagnostic.addNote(constraint.location(), "with " + textOf(values));
      return failed;
    }
    if (value->magnitude == 0)
      return false;
  }
  return true;
}

} // namespace

Result<KnobRequest> collectKnobs(const KnobInput &input) { return KnobCollector(input).collect(); }

Result<std::vector<KnobValues>> enumerateKnobs(const KnobRequest &request,
                                               const FrontendOptions &options, size_t max) {
  std::vector<KnobValues> list;
  if (request.knobs.empty())
    return list;
  const Knob &first = request.knobs.front();
  constexpr uint64_t kMaxProduct = uint64_t{1} << 20; // that the constraints are asked about
  uint64_t product = 1;
  for (const Knob &knob : request.knobs)
    if (product *= knob.values.size(); product > kMaxProduct)
      return failure(first.location, "the knobs have more than a million combinations of values",
                     first.kind);
  size_t found = 0;
  for (uint64_t number = 0; number < product; ++number) {
    KnobValues values(request.knobs.size());
    uint64_t rest = number;
    for (size_t at = request.knobs.size(); at-- > 0;) {
      const Knob &knob = request.knobs[at];
      values[at] = {knob.name, knob.values[rest % knob.values.size()]};
      rest /= knob.values.size();
    }
    Result<bool> admitted = holds(request, options, values);
    if (!admitted)
      return admitted.takeFailure();
    found += *admitted ? 1 : 0;
    if (*admitted && found <= max)
      list.push_back(std::move(values));
  }
  if (found > max)
    return failure(first.location,
                   "the knobs have " + std::to_string(found) + " combinations of values, and " +
                       std::to_string(max) +
                       " are compiled at most: constrain them, or allow more with "
                       "--max-combinations",
                   first.kind);
  if (found == 0)
    return failure(request.constraints.front().location(),
                   "no combination of the knobs' values satisfies every constraint",
                   request.constraints.front().errorKind());
  return list;
}

} // namespace tailor
