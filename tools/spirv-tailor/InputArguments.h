//===- tools/spirv-tailor/InputArguments.h - A shader on the command line ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TOOLS_SPIRV_TAILOR_INPUTARGUMENTS_H
#define TAILOR_TOOLS_SPIRV_TAILOR_INPUTARGUMENTS_H

#include "Bundle/Manifest.h"
#include "Frontend/Frontend.h"
#include "IR/Constants.h"
#include "IR/Module.h"
#include "Support/Result.h"

#include <string>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): the name is the parser library's
class App;
}

namespace tailor {

/// The options by which a shader is read: --entry, -I, -D, --spec, --target-env.
struct InputArguments {
  std::string entry;
  std::vector<std::string> includeDirs, defines, spec;
  std::string targetEnv;

  void addTo(CLI::App &command);
};

/// A shader that was read, compiled where need be, validated and parsed.
struct LoadedShader {
  Module module;
  InputKind kind = InputKind::Auto;
  std::vector<std::string> dependencies; ///< files read
  std::vector<std::string> entryPoints;  ///< the compute entry points asked for: one, or all
  SpecMap spec;
  FrontendResult source;   ///< what the module was read from
  FrontendOptions options; ///< that it was read with
};

/// Failures are located; a module that is not valid SPIR-V is refused.
Result<LoadedShader> loadInput(const std::string &path, const InputArguments &arguments,
                               Diagnostics &diagnostics);

/// `a/b/blur.comp` -> `blur`; `x.comp.hlsl` -> `x`.
std::string stemOf(const std::string &path);

/// Reads them all. Fails at the first that is none.
Result<std::vector<Bundle>> loadBundles(const std::vector<std::string> &paths);

} // namespace tailor

#endif
