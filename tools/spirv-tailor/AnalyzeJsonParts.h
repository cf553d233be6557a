//===- tools/spirv-tailor/AnalyzeJsonParts.h - Pieces of the JSON report ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TOOLS_SPIRV_TAILOR_ANALYZEJSONPARTS_H
#define TAILOR_TOOLS_SPIRV_TAILOR_ANALYZEJSONPARTS_H

#include "Analysis/Findings.h"
#include "Devices/Profile.h"

#include "llvm/Support/JSON.h"

namespace tailor {

/// Names come from shaders and files and can hold any bytes; JSON holds UTF-8 alone.
inline std::string utf8(std::string_view text) { return llvm::json::fixUTF8(text); }

inline void writeText(llvm::json::OStream &json, llvm::StringRef name, std::string_view text) {
  json.attribute(name, utf8(text));
}

inline void writeTexts(llvm::json::OStream &json, llvm::StringRef name,
                       const std::vector<std::string> &texts) {
  json.attributeArray(name, [&] {
    for (const std::string &text : texts)
      json.value(utf8(text));
  });
}

template <typename T>
void writeOptional(llvm::json::OStream &json, llvm::StringRef name, const std::optional<T> &value) {
  json.attribute(name, value ? llvm::json::Value(*value) : llvm::json::Value(nullptr));
}

/// `location: text`, as in the causes of a refusal.
inline std::string causeText(const Location &location, const std::string &text) {
  std::string place = location.str();
  return utf8(place.empty() ? text : place + ": " + text);
}

/// Whether the authored size fits a device, and how it fills it: members of an object.
void writeFit(llvm::json::OStream &json, const DeviceProfile &profile, const Findings &findings);

} // namespace tailor

#endif
