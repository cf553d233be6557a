//===- Backends/GlslNames.h - Words that GLSL keeps -----------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_GLSLNAMES_H
#define TAILOR_BACKENDS_GLSLNAMES_H

#include <string_view>

namespace tailor {

/// Whether GLSL 4.30 to 4.60, GLSL ES 3.10 or 3.20 or GLSL for Vulkan has a meaning for the word:
/// as a keyword, type, function, macro or built-in value. One answer for all versions, so that a
/// kernel's names do not hang on the version.
bool isTakenInGlsl(std::string_view name);

} // namespace tailor

#endif
