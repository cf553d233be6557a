//===- Backends/HlslNames.h - Words that HLSL keeps -----------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_HLSLNAMES_H
#define TAILOR_BACKENDS_HLSLNAMES_H

#include <string>
#include <string_view>

namespace tailor {

/// Whether FXC or DXC has a meaning for the word, at any shader model: as a keyword, type, function
/// or macro. Also the words that hlslTypeOf() changes.
bool isTakenInHlsl(std::string_view name);

/// SPIRV-Cross 1.3.239 gives vectors of 64-bit integers the names that GLSL has for them:
/// `uint64_t2` for `u64vec2`. Any other word as it is.
std::string hlslTypeOf(std::string_view word);

} // namespace tailor

#endif
