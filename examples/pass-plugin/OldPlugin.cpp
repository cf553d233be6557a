//===- examples/pass-plugin/OldPlugin.cpp - A plug-in of another interface version ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/PassPlugin.h"

extern "C" tailor::PassPluginInfo tailorPassPluginInfo() {
  return {tailor::kPassPluginVersion + 1, "old", "1.0", nullptr};
}
