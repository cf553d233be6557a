//===- test/unit/Backends/Shaders.h ------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Modules for the tests of the backends: compiled from source, with the size
// spelled as one literal LocalSize, as the passes leave it.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TEST_BACKENDS_SHADERS_H
#define TAILOR_TEST_BACKENDS_SHADERS_H

#include "Backends/Backend.h"
#include "Frontend/Frontend.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tailor::test {

/// Without the decoration BuiltIn WorkgroupSize: glslang always writes one.
inline std::vector<uint32_t> withoutDecoratedSize(const std::vector<uint32_t> &words) {
  constexpr uint32_t decorate = (4u << 16) | 71, builtIn = 11, workgroupSize = 25;
  std::vector<uint32_t> result(words.begin(), words.begin() + 5);
  for (size_t at = 5; at < words.size(); at += words[at] >> 16)
    if (words[at] != decorate || words[at + 2] != builtIn || words[at + 3] != workgroupSize)
      result.insert(result.end(), words.begin() + static_cast<long>(at),
                    words.begin() + static_cast<long>(at + (words[at] >> 16)));
  return result;
}

/// Compiles, or reports a test failure with the compiler's message.
inline std::vector<uint32_t> compile(const std::string &source, const std::string &name = "k.comp",
                                     const FrontendOptions &options = {}) {
  Diagnostics diagnostics;
  Result<FrontendResult> result = loadShaderFromMemory(source, name, options, diagnostics);
  if (!result) {
    ADD_FAILURE() << result.diagnostic().location.str() << ": " << result.diagnostic().text << "\n"
                  << source;
    return {};
  }
  return result->words;
}

inline std::vector<uint32_t> module(const std::string &glsl) {
  return withoutDecoratedSize(compile(glsl));
}

inline Result<std::string> emitAs(std::string_view target, const std::vector<uint32_t> &words,
                                  Dim3 size, const EmitOptions &options = {}) {
  Result<Emitted> made = emit(target, {words, "main", size, "k.comp", options});
  if (!made)
    return made.takeFailure();
  return std::move(made->code);
}

/// The text, or a test failure with the message.
inline std::string text(std::string_view target, const std::vector<uint32_t> &words, Dim3 size,
                        const EmitOptions &options = {}) {
  Result<std::string> result = emitAs(target, words, size, options);
  if (!result) {
    ADD_FAILURE() << target << ": " << result.diagnostic().text;
    return {};
  }
  return *result;
}

/// The message of a refusal, or a test failure.
inline Diagnostic refusal(std::string_view target, const std::vector<uint32_t> &words, Dim3 size,
                          const EmitOptions &options = {}) {
  Result<std::string> result = emitAs(target, words, size, options);
  if (result) {
    ADD_FAILURE() << target << " was written:\n" << *result;
    return {};
  }
  return result.diagnostic();
}

/// Push constants, workgroup memory, a barrier, workgroup counts, a function.
inline const std::string kKernel = R"(#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0) buffer A { float a[]; };
layout(set = 0, binding = 1) readonly buffer B { float b[]; };
layout(set = 0, binding = 2) uniform U { vec4 scale; };
layout(push_constant) uniform P { uint n; float k; uvec2 dim; } pc;
shared float tile[32];
float helper(float x) { return x * scale.y + 1.0; }
void main() {
  uint i = gl_GlobalInvocationID.x + gl_GlobalInvocationID.y * pc.dim.x;
  tile[gl_LocalInvocationIndex] = b[i];
  barrier();
  if (i < pc.n)
    a[i] = helper(tile[31u - gl_LocalInvocationIndex]) * pc.k + float(gl_NumWorkGroups.x);
}
)";

} // namespace tailor::test

#endif
