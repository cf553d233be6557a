//===- Frontend/KnobPragmas.cpp - Knobs as users write them ---------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/Knobs.h"

#include <algorithm>
#include <cctype>

namespace tailor {

namespace {

bool isBlank(char c) { return c == ' ' || c == '\t'; }
bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isName(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::all_of(text.begin(), text.end(), isWord);
}
bool isValue(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return isWord(c) || c == '.' || c == '+' || c == '-';
  });
}

/// A name and values that are separated by commas, each with its place.
Result<Knob> makeKnob(const LocatedText &name, const std::vector<LocatedText> &values,
                      ErrorKind kind) {
  if (!isName(name.str()))
    return failure(name.at(0),
                   name.empty() ? std::string("expected the name of a macro")
                                : "'" + name.str() + "' is no name of a macro",
                   kind);
  Knob knob{name.str(), {}, name.at(0), kind};
  for (const LocatedText &value : values) {
    if (value.empty())
      return failure(value.at(0), "expected a value for the knob '" + knob.name + "'", kind);
    if (!isValue(value.str()))
      return failure(value.at(0),
                     "'" + value.str() + "' is no value for the knob '" + knob.name +
                         "': write integers or words",
                     kind);
    if (std::find(knob.values.begin(), knob.values.end(), value.str()) != knob.values.end())
      return failure(value.at(0),
                     "the value " + value.str() + " of the knob '" + knob.name + "' is given twice",
                     kind);
    knob.values.push_back(value.str());
  }
  return knob;
}

/// The parts of `text` from `begin` to before `end`, which commas separate.
std::vector<LocatedText> commaParts(const LocatedText &text, size_t begin, size_t end) {
  std::vector<LocatedText> parts;
  while (true) {
    size_t comma = std::min(text.str().find(',', begin), end);
    parts.push_back(text.trimmed(begin, comma));
    if (comma == end)
      return parts;
    begin = comma + 1;
  }
}

} // namespace

Result<Knob> parseKnobOption(const std::string &text, const std::string &option) {
  LocatedText whole(option, text);
  size_t equals = text.find('=');
  if (equals == std::string::npos)
    return failure(whole.at(text.size()), "expected NAME=V1,V2,...", ErrorKind::Usage);
  return makeKnob(whole.trimmed(0, equals), commaParts(whole, equals + 1, text.size()),
                  ErrorKind::Usage);
}

std::string textOf(const KnobValues &values) {
  std::string text;
  for (const auto &[name, value] : values)
    text.append(text.empty() ? "" : ", ").append(name).append("=").append(value);
  return text;
}

namespace {

/// Reads the directives of one file.
class PragmaReader {
public:
  Result<KnobRequest> read(const std::string &file, std::string_view source) {
    for (const LocatedText &line : logicalLines(file, source))
      if (Status status = readLine(line); !status)
        return status.takeFailure();
    return std::move(request);
  }

private:
  static size_t skipBlanks(const LocatedText &line, size_t at) {
    while (at < line.size() && isBlank(line[at]))
      ++at;
    return at;
  }
  static size_t endOfWord(const LocatedText &line, size_t at) {
    while (at < line.size() && isWord(line[at]))
      ++at;
    return at;
  }
  static std::string word(const LocatedText &line, size_t at) {
    return line.str().substr(at, endOfWord(line, at) - at);
  }

  Status readLine(const LocatedText &line) {
    size_t at = skipBlanks(line, 0);
    if (at == line.size() || line[at] != '#')
      return success();
    at = skipBlanks(line, at + 1);
    const std::string directive = word(line, at);
    at = skipBlanks(line, endOfWord(line, at));
    followCondition(directive, line.trimmed(at, line.size()).str());
    bool isSkipped = std::find(skips.begin(), skips.end(), true) != skips.end();
    if (directive != "pragma" || isSkipped || word(line, at) != "tailor")
      return success();
    at = skipBlanks(line, endOfWord(line, at));
    if (at == line.size())
      return failure(line.at(at), "expected knob(NAME, V1, ...) or where(EXPRESSION)");
    while (at < line.size()) {
      Result<size_t> end = readClause(line, at);
      if (!end)
        return end.takeFailure();
      at = skipBlanks(line, *end);
    }
    return success();
  }

  /// Only what `#if 0` leaves out is known to be left out.
  void followCondition(std::string_view directive, std::string_view condition) {
    if (directive == "if" || directive == "ifdef" || directive == "ifndef")
      skips.push_back(directive == "if" && condition == "0");
    else if (directive == "endif" && !skips.empty())
      skips.pop_back();
    else if ((directive == "else" || directive == "elif") && !skips.empty())
      skips.back() = false;
  }

  /// One `knob(...)` or `where(...)`; where it ends.
  Result<size_t> readClause(const LocatedText &line, size_t start) {
    const std::string name = word(line, start);
    if (name != "knob" && name != "where")
      return failure(
          line.at(start),
          (name.empty() ? "expected" : "there is no pragma tailor '" + name + "'; write") +
              std::string(" knob(NAME, V1, ...) or where(EXPRESSION)"));
    const size_t open = skipBlanks(line, endOfWord(line, start));
    if (open == line.size() || line[open] != '(')
      return failure(line.at(open), "expected '(' behind '" + name + "'");
    std::optional<size_t> close = closing(line, open);
    if (!close)
      return failure(line.at(open), "this '(' has no ')'");
    Status status = name == "knob" ? readKnob(line, open + 1, *close)
                                   : readConstraint(line.trimmed(open + 1, *close));
    if (!status)
      return status.takeFailure();
    return *close + 1;
  }

  static std::optional<size_t> closing(const LocatedText &line, size_t open) {
    unsigned depth = 0;
    for (size_t at = open; at < line.size(); ++at) {
      depth += line[at] == '(' ? 1 : 0;
      depth -= line[at] == ')' ? 1 : 0;
      if (depth == 0)
        return at;
    }
    return std::nullopt;
  }

  Status readKnob(const LocatedText &line, size_t begin, size_t end) {
    std::vector<LocatedText> parts = commaParts(line, begin, end);
    LocatedText name = std::move(parts.front());
    parts.erase(parts.begin());
    Result<Knob> knob = makeKnob(name, parts, ErrorKind::Refused);
    if (!knob)
      return knob.takeFailure();
    if (parts.empty())
      return failure(line.at(end), "expected ',' and the values of the knob '" + knob->name + "'");
    request.knobs.push_back(std::move(*knob));
    return success();
  }

  Status readConstraint(LocatedText text) {
    Result<KnobExpression> expression = KnobExpression::parse(std::move(text), ErrorKind::Refused);
    if (!expression)
      return expression.takeFailure();
    request.constraints.push_back(std::move(*expression));
    return success();
  }

  KnobRequest request;
  std::vector<bool> skips; ///< for each open condition: it is `#if 0`
};

} // namespace

Result<KnobRequest> readKnobPragmas(const std::string &file, std::string_view source) {
  return PragmaReader().read(file, source);
}

} // namespace tailor
