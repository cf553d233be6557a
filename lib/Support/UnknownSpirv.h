//===- Support/UnknownSpirv.h - SPIR-V that is newer than SPIRV-Tools ------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module may use what came into SPIR-V after the SPIRV-Tools that this build
// links. They call it invalid; what is said here is that they do not know it.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_SUPPORT_UNKNOWNSPIRV_H
#define TAILOR_SUPPORT_UNKNOWNSPIRV_H

#include "Support/Result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tailor {

/// "SPIRV-Tools v2023.1".
std::string spirvToolsVersion();

/// What SPIRV-Tools' parser does not know, by what it said: "capability 4174" from "Invalid
/// capability operand: 4174". Nothing when it complains of something else.
std::optional<std::string> unknownToParser(std::string_view said);

struct DeclaredExtension {
  std::string name;
  uint32_t word = 0; ///< of its OpExtension
};

/// The extensions that a module of either byte order declares and SPIRV-Tools does not know, in
/// order. Stops where the words are no instructions.
std::vector<DeclaredExtension> unknownExtensions(std::span<const uint32_t> words);

/// ErrorKind::Refused at `where`: what the parser `said` about the words, as "this build's SPIR-V
/// tools do not know ..." with the version and the extensions of that kind in notes, or else
/// behind `otherwise` ("malformed SPIR-V").
Failure parserFailure(const Location &where, std::string_view said, std::span<const uint32_t> words,
                      std::string_view otherwise);

/// Adds a note for each extension of the module that SPIRV-Tools does not know.
void noteUnknownExtensions(Diagnostic &diagnostic, const std::string &file,
                           std::span<const uint32_t> words);

} // namespace tailor

#endif
