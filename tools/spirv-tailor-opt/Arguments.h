//===- tools/spirv-tailor-opt/Arguments.h - The command line of spirv-tailor-opt ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TOOLS_SPIRV_TAILOR_OPT_ARGUMENTS_H
#define TAILOR_TOOLS_SPIRV_TAILOR_OPT_ARGUMENTS_H

#include "Frontend/Frontend.h"
#include "passes/SpecValues.h"

#include <optional>
#include <string>
#include <vector>

namespace tailor {

struct OptArguments {
  enum class Action : uint8_t { Run, Help, Version, ListPasses, PrintPassDocs };
  Action action = Action::Run;
  std::string passes;
  std::string input;
  std::optional<std::string> output; ///< `-o`; "-" is standard output
  bool asText = false;               ///< `-S`
  bool verifyEach = false;
  std::vector<std::string> plugins;
  std::vector<SpecAssignment> spec;
  std::string entryPoint;
  FrontendOptions frontend;
  bool hasTargetEnv = false;
};

/// Fails with ErrorKind::Usage.
Result<OptArguments> parseArguments(const std::vector<std::string> &words);

extern const char *const kHelpText;

} // namespace tailor

#endif
