//===- Support/Diagnostics.cpp --------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support/Diagnostics.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace tailor {

std::string Location::str() const {
  std::string text = file;
  if (line != 0) {
    text += ":" + std::to_string(line);
    if (column != 0)
      text += ":" + std::to_string(column);
  } else if (word != kUnknownWord) {
    text += (text.empty() ? "word " : ":word ") + std::to_string(word);
  }
  return text;
}

Diagnostic &Diagnostics::emit(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::Error)
    ++numErrors;
  return list.emplace_back(std::move(diagnostic));
}

int Diagnostics::exitCode() const {
  int code = 0;
  for (const Diagnostic &diagnostic : list)
    if (diagnostic.severity == Severity::Error)
      code = std::max(code, static_cast<int>(diagnostic.kind));
  return code;
}

static std::string_view nameOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Note:
    return "note";
  }
  return "error";
}

static void printLine(llvm::raw_ostream &os, const Location &where, std::string_view severity,
                      std::string_view text) {
  std::string place = where.str();
  os << (place.empty() ? "spirv-tailor" : place) << ": " << severity << ": " << text << "\n";
}

void print(llvm::raw_ostream &os, const Diagnostic &diagnostic) {
  printLine(os, diagnostic.location, nameOf(diagnostic.severity), diagnostic.text);
  for (const Note &note : diagnostic.notes)
    printLine(os, note.location, "note", note.text);
  if (diagnostic.severity == Severity::Error && diagnostic.kind == ErrorKind::Internal)
    printLine(os, {}, "note",
              "this is a fault of spirv-tailor itself; please report it with the input");
}

void print(llvm::raw_ostream &os, const Diagnostics &diagnostics) {
  for (const Diagnostic &diagnostic : diagnostics.all())
    print(os, diagnostic);
}

// Text that came from a file can hold any bytes; JSON holds UTF-8 alone.
static std::string utf8(std::string_view text) { return llvm::json::fixUTF8(text); }

void printJson(llvm::json::OStream &json, const Diagnostic &diagnostic) {
  json.object([&] {
    json.attribute("severity", llvm::StringRef(nameOf(diagnostic.severity)));
    json.attribute("location", utf8(diagnostic.location.str()));
    json.attribute("text", utf8(diagnostic.text));
    json.attributeArray("notes", [&] {
      for (const Note &note : diagnostic.notes)
        json.object([&] {
          json.attribute("location", utf8(note.location.str()));
          json.attribute("text", utf8(note.text));
        });
    });
  });
}

void printJson(llvm::json::OStream &json, const Diagnostics &diagnostics) {
  json.array([&] {
    for (const Diagnostic &diagnostic : diagnostics.all())
      printJson(json, diagnostic);
  });
}

} // namespace tailor
