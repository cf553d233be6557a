//===- Backends/GlslNames.h - Names that GLSL has taken -------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SPIRV-Cross 1.3.239 renames what has the name of a keyword or of most built-in
// functions. These are the words that it misses, found by giving every word of
// the language to every kind of thing that has a name.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_GLSLNAMES_H
#define TAILOR_BACKENDS_GLSLNAMES_H

#include "Backends/GlslScan.h"

#include "spirv_cross/spirv_glsl.hpp"

#include <string_view>

namespace tailor {

enum class NamedThing : uint8_t { Structure, Member, Other };
bool isTakenInGlsl(std::string_view name, NamedThing thing);

/// Appends `_` to the names that are taken, but the entry point's, which the text calls main.
void renameTaken(spirv_cross::CompilerGLSL &compiler, const ModuleFacts &facts,
                 const GlslScan &scan);

} // namespace tailor

#endif
