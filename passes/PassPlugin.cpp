//===- passes/PassPlugin.cpp - Passes from a shared library ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/PassPlugin.h"

#include <dlfcn.h>

namespace tailor {

static Failure refuse(const std::string &path, std::string text) {
  return failure(Location::inFile(path), std::move(text), ErrorKind::Environment);
}

Status loadPassPlugin(const std::string &path, PassRegistry &registry) {
  // Without a slash the dynamic loader would search its own folders.
  std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *why = dlerror();
    return refuse(path, std::string("the pass plug-in cannot be loaded: ") +
                            (why ? why : "unknown reason"));
  }
  void *entry = dlsym(library, "tailorPassPluginInfo");
  if (!entry)
    return refuse(path,
                  "the library is no pass plug-in: it has no function 'tailorPassPluginInfo'");
  PassPluginInfo info = reinterpret_cast<PassPluginInfo (*)()>(entry)();
  if (info.version != kPassPluginVersion)
    return refuse(path, "the pass plug-in was built for version " + std::to_string(info.version) +
                            " of the interface, this program has version " +
                            std::to_string(kPassPluginVersion));
  std::string name = std::string("the pass plug-in '") + (info.name ? info.name : "") + "'";
  if (!info.registerPasses)
    return refuse(path, name + " has no function that registers its passes");
  if (Status added = info.registerPasses(registry); !added)
    return refuse(path, name + " could not register its passes: " + added.diagnostic().text);
  return success();
}

} // namespace tailor
