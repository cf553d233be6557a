//===- Support/Diagnostics.h - Located messages with cause notes ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the project says to its users. A message is one lower-case sentence
// without a full stop, at a place in a file, followed by notes that name its
// causes. It is printed as
//
//   file:line:col: error: text        (source text)
//   file:word N: error: text          (a SPIR-V binary without debug lines)
//   file:line:col: note: text
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_SUPPORT_DIAGNOSTICS_H
#define TAILOR_SUPPORT_DIAGNOSTICS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class raw_ostream;
namespace json {
class OStream;
}
} // namespace llvm

namespace tailor {

/// A place in an input. Every part may be unknown.
struct Location {
  std::string file;             ///< path as the user wrote it; empty: no file
  uint32_t line = 0;            ///< 1-based; 0: unknown
  uint32_t column = 0;          ///< 1-based; 0: unknown
  uint32_t word = kUnknownWord; ///< 0-based word index into a SPIR-V binary, header included

  static constexpr uint32_t kUnknownWord = UINT32_MAX;

  static Location inFile(std::string file) { return {std::move(file), 0, 0, kUnknownWord}; }
  static Location at(std::string file, uint32_t line, uint32_t column = 0) {
    return {std::move(file), line, column, kUnknownWord};
  }
  static Location atWord(std::string file, uint32_t word) { return {std::move(file), 0, 0, word}; }

  bool known() const { return !file.empty() || line != 0 || word != kUnknownWord; }
  /// `file:line:col`, `file:word N`, `file`, or "" when nothing is known.
  std::string str() const;
  friend bool operator==(const Location &, const Location &) = default;
};

enum class Severity { Error, Warning, Note };

/// What went wrong, in terms of the process's exit code (docs: command line).
enum class ErrorKind : uint8_t {
  Refused = 1,     ///< the input was refused
  Usage = 2,       ///< the command line is wrong
  Environment = 3, ///< no device, no library, a file that cannot be written
  Internal = 4,    ///< our own fault; the message asks for a report
};

struct Note {
  Location location;
  std::string text;
};

struct Diagnostic {
  Severity severity = Severity::Error;
  ErrorKind kind = ErrorKind::Refused;
  Location location;
  std::string text;
  std::vector<Note> notes;

  static Diagnostic error(Location where, std::string text, ErrorKind kind = ErrorKind::Refused) {
    return {Severity::Error, kind, std::move(where), std::move(text), {}};
  }
  static Diagnostic warning(Location where, std::string text) {
    return {Severity::Warning, ErrorKind::Refused, std::move(where), std::move(text), {}};
  }
  Diagnostic &&withNote(Location where, std::string noteText) && {
    notes.push_back({std::move(where), std::move(noteText)});
    return std::move(*this);
  }
  Diagnostic &addNote(Location where, std::string noteText) {
    notes.push_back({std::move(where), std::move(noteText)});
    return *this;
  }
};

/// Collects diagnostics in the order they were emitted.
class Diagnostics {
public:
  Diagnostic &emit(Diagnostic diagnostic);
  Diagnostic &error(Location where, std::string text, ErrorKind kind = ErrorKind::Refused) {
    return emit(Diagnostic::error(std::move(where), std::move(text), kind));
  }
  Diagnostic &warning(Location where, std::string text) {
    return emit(Diagnostic::warning(std::move(where), std::move(text)));
  }

  bool hasErrors() const { return numErrors != 0; }
  const std::vector<Diagnostic> &all() const { return list; }
  /// The exit code that these diagnostics ask for: 0 without errors, else the
  /// largest kind among the errors.
  int exitCode() const;

private:
  std::vector<Diagnostic> list;
  unsigned numErrors = 0;
};

/// Prints `location: severity: text` and its notes, a line each.
void print(llvm::raw_ostream &os, const Diagnostic &diagnostic);
void print(llvm::raw_ostream &os, const Diagnostics &diagnostics);

/// Writes {"severity","location","text","notes":[{"location","text"}]}.
void printJson(llvm::json::OStream &json, const Diagnostic &diagnostic);
void printJson(llvm::json::OStream &json, const Diagnostics &diagnostics);

} // namespace tailor

#endif
