//===- tools/spirv-tailor/TargetArguments.h - Languages and their versions ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TOOLS_SPIRV_TAILOR_TARGETARGUMENTS_H
#define TAILOR_TOOLS_SPIRV_TAILOR_TARGETARGUMENTS_H

#include "Backends/Backend.h"
#include "Support/Result.h"

#include <string>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): the name is the parser library's
class App;
}

namespace tailor {

/// --targets, and for each language what versions, platforms and limits it is written for.
struct TargetArguments {
  std::vector<std::string> targets = {"spirv"}, limits;
  std::string glslVersion = "450", esslVersion = "310", hlslModel = "auto", mslVersion = "2.1",
              mslPlatform = "macos";

  void addTo(CLI::App &command);
  /// The languages, each once, in the order given. Failures are ErrorKind::Usage.
  Result<std::vector<std::string>> languages() const;
  /// Failures are ErrorKind::Usage, and name the option.
  Result<EmitOptions> options() const;
};

} // namespace tailor

#endif
