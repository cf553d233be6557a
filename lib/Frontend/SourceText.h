//===- Frontend/SourceText.h - Looking into GLSL and HLSL unparsed ------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What can be told of C-like source text without a compiler.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_FRONTEND_SOURCETEXT_H
#define TAILOR_FRONTEND_SOURCETEXT_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tailor {

/// The text with every comment turned into one space, or into the line breaks that it holds: lines
/// keep their numbers.
std::string withoutComments(std::string_view text);

/// Whether a line of `code`, which holds no comments, is the directive `#name`.
bool hasDirective(std::string_view code, std::string_view name);

struct SourceFunction {
  std::string name;
  uint32_t line = 0; ///< 1-based
};

/// The HLSL functions with `[numthreads(...)]` in `code`, which holds no comments, in order;
/// whether the preprocessor would keep them is not known. The name is empty where none is found.
std::vector<SourceFunction> numthreadsFunctions(std::string_view code);

} // namespace tailor

#endif
