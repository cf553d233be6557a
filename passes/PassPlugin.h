//===- passes/PassPlugin.h - Passes from a shared library ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plug-in is a shared library with one C entry:
//
//   extern "C" tailor::PassPluginInfo tailorPassPluginInfo() {
//     return {tailor::kPassPluginVersion, "my-passes", "1.0", registerPasses};
//   }
//
// It is compiled against the headers of the very version that loads it and takes
// the project's functions from the program that loads it (examples/pass-plugin).
// It stays loaded until the program ends.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_PASSPLUGIN_H
#define TAILOR_PASSES_PASSPLUGIN_H

#include "passes/PassRegistry.h"

#include <string>

namespace tailor {

/// Grows whenever Pass.h, PassRegistry.h or lib/IR change in a way that a compiled plug-in notices.
inline constexpr uint32_t kPassPluginVersion = 1;

/// What the entry returns. The version stays the first member for ever.
struct PassPluginInfo {
  uint32_t version;          ///< kPassPluginVersion of the headers it was compiled with
  const char *name;          ///< of the plug-in, for messages
  const char *pluginVersion; ///< its own
  /// Adds its passes, and returns the failure of one that could not be added.
  Status (*registerPasses)(PassRegistry &registry);
};

/// Loads a plug-in and lets it register. Fails with ErrorKind::Environment, located at the library:
/// it cannot be loaded, has no `tailorPassPluginInfo`, is of another version, or its passes are
/// refused.
Status loadPassPlugin(const std::string &path, PassRegistry &registry);

} // namespace tailor

#endif
