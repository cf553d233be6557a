//===- Frontend/GlslangLog.cpp ---------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What glslang 12 writes:
//
//   ERROR: file:12: 'x' : undeclared identifier
//   WARNING: file:3: ...
//   ERROR: 2 compilation errors.  No code generated.
//   file(4): error at column 7, HLSL parsing failed.
//   ERROR: Linking compute stage: Missing entry point: ...
//
//===----------------------------------------------------------------------===//
#include "Frontend/GlslangLog.h"
#include "Support/TextScan.h"

#include <cctype>
#include <optional>

namespace tailor {
namespace {

std::string_view trimmed(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// Takes `file:12: ` off the front: one of the known names, or whatever stands
/// before a `:number:` (a name given by #line).
Location takePlace(std::string_view &text, const std::vector<std::string> &files) {
  auto numbered = [&](std::string_view file, std::string_view rest) -> std::optional<Location> {
    if (!take(rest, ":"))
      return std::nullopt;
    std::optional<uint32_t> line = takeNumber(rest);
    if (!line || !take(rest, ":"))
      return std::nullopt;
    text = trimmed(rest);
    return Location::at(std::string(file), *line);
  };
  for (const std::string &file : files)
    if (text.starts_with(file))
      if (auto where = numbered(file, text.substr(file.size())))
        return *where;
  // Before the first string has a number of its own, glslang calls it 0.
  for (size_t colon = text.find(':'); colon != std::string_view::npos;
       colon = text.find(':', colon + 1)) {
    std::string_view name = text.substr(0, colon);
    if (name.find(' ') != std::string_view::npos)
      break;
    if (auto where =
            numbered(name == "0" && !files.empty() ? files.front() : name, text.substr(colon)))
      return *where;
  }
  return files.empty() ? Location{} : Location::inFile(files.front());
}

/// One sentence as we write them: no full stop, no capital at its head, and no
/// quotes around nothing, single blanks.
std::string sentence(std::string_view text) {
  text = trimmed(text);
  if (take(text, "'' :"))
    text = trimmed(text);
  while (!text.empty() && (text.back() == '.' || text.back() == ' '))
    text.remove_suffix(1);
  // "'declaration' : Expected", "')' : Expected".
  constexpr std::string_view kExpected = "' : Expected";
  if (text.size() > kExpected.size() + 1 && text.front() == '\'' &&
      text.substr(text.size() - kExpected.size()) == kExpected) {
    std::string_view what = text.substr(1, text.size() - kExpected.size() - 1);
    return std::isalpha(static_cast<unsigned char>(what.front())) != 0
               ? "expected " + std::string(what)
               : "expected '" + std::string(what) + "'";
  }
  std::string result;
  auto opensQuote = [&] { // "' temp float'"
    return !result.empty() && result.back() == '\'' &&
           (result.size() == 1 || result[result.size() - 2] == ' ');
  };
  for (char c : text)
    if (c != ' ' || result.empty() || (result.back() != ' ' && !opensQuote()))
      result += c;
  if (result.size() > 1 && std::islower(static_cast<unsigned char>(result[1])) != 0)
    result[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(result[0])));
  return result;
}

/// `2 compilation errors.  No code generated.`
bool isCount(std::string_view text) {
  return takeNumber(text) && text.starts_with(" compilation error");
}

/// `file(4): error at column 7, HLSL parsing failed.`
std::optional<Diagnostic> hlslParseError(std::string_view line,
                                         const std::vector<std::string> &files) {
  constexpr std::string_view middle = "): error at column ";
  size_t at = line.find(middle);
  size_t open = line.rfind('(', at);
  if (at == std::string_view::npos || open == std::string_view::npos)
    return std::nullopt;
  std::string_view lineNumber = line.substr(open + 1), column = line.substr(at + middle.size());
  std::optional<uint32_t> number = takeNumber(lineNumber), columnNumber = takeNumber(column);
  if (!number || !columnNumber)
    return std::nullopt;
  std::string file(line.substr(0, open));
  if ((file.empty() || file == "0") && !files.empty())
    file = files.front();
  return Diagnostic::error(Location::at(file, *number, *columnNumber), "HLSL parsing failed here");
}

/// A plain word about the failure that an error at the same line already names
/// gives that error its column, and is not repeated.
void addParseError(std::vector<Diagnostic> &list, Diagnostic parseError) {
  for (Diagnostic &earlier : list) {
    if (earlier.severity != Severity::Error || earlier.location.column != 0 ||
        earlier.location.file != parseError.location.file ||
        earlier.location.line != parseError.location.line)
      continue;
    earlier.location.column = parseError.location.column;
    return;
  }
  list.push_back(std::move(parseError));
}

} // namespace

std::vector<Diagnostic> parseGlslangLog(std::string_view log,
                                        const std::vector<std::string> &files) {
  std::vector<Diagnostic> list;
  while (!log.empty()) {
    size_t end = log.find('\n');
    std::string_view line = trimmed(log.substr(0, end));
    log.remove_prefix(end == std::string_view::npos ? log.size() : end + 1);
    if (line.empty())
      continue;
    if (std::optional<Diagnostic> parseError = hlslParseError(line, files)) {
      addParseError(list, std::move(*parseError));
      continue;
    }
    Diagnostic message;
    if (take(line, "WARNING: "))
      message.severity = Severity::Warning;
    else if (take(line, "INTERNAL ERROR: "))
      line = trimmed(line);
    else if (take(line, "UNIMPLEMENTED: "))
      line = trimmed(line);
    else if (!take(line, "ERROR: ")) {
      take(line, "NOTE: ");
      Location where = list.empty() ? Location{} : list.back().location;
      if (!list.empty() && !isCount(line))
        list.back().addNote(where, sentence(line));
      continue;
    }
    if (isCount(line))
      continue;
    message.location = takePlace(line, files);
    message.text = sentence(line);
    if (message.text == "compilation terminated")
      continue; // says only that the error before was one
    list.push_back(std::move(message));
  }
  return list;
}

} // namespace tailor
