//===- Frontend/GlslangHints.h - What helps with glslang's errors ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_FRONTEND_GLSLANGHINTS_H
#define TAILOR_FRONTEND_GLSLANGHINTS_H

#include "Frontend/Frontend.h"

#include <string>
#include <string_view>

namespace tailor {

/// "glslang 12.0.0": the one that this build links.
std::string glslangVersion();

/// What was to be compiled.
struct CompiledSource {
  std::string_view text;
  std::string fileName;
  InputKind kind = InputKind::Glsl; ///< Glsl or Hlsl
  std::string entryPoint;
  bool entryIsAsked = false; ///< by the user, and not taken for one
  std::string targetEnv;
};

/// What is said of an entry point that is not there, as of one of a SPIR-V module.
std::string noEntryPoint(std::string_view name);

/// Says in our words what glslang names too shortly, and adds notes that tell a user what to do:
/// a shader of another stage, an extension or a language feature that this glslang lacks, a target
/// that is too old, an entry point that is not there. `error` is the first one of a compilation.
void addHints(Diagnostic &error, const CompiledSource &source);

} // namespace tailor

#endif
