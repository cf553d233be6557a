//===- Frontend/Frontend.h - A shader file in, SPIR-V words out -----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one way in for every kind of input: GLSL and HLSL through glslang, SPIR-V
// as a binary of either byte order and as text. What comes out is a stream of
// words that the IR reader takes. Compiled HLSL is validated here, since glslang is
// at fault where it is not valid; the other kinds are not.
//
// HLSL numbers its registers by kind (b, t, u, s), Vulkan its bindings across all
// kinds. Where no two registers share a number, the binding is that number;
// where some do, it is the number plus 0 for b, 32 for t, 64 for u and 96 for s
// for the whole shader, and a warning says so.
//
// The functions may be called from several threads at once, each with its own
// Diagnostics: glslang keeps its state per shader and per thread, and its
// process-wide start happens once, on first use.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_FRONTEND_FRONTEND_H
#define TAILOR_FRONTEND_FRONTEND_H

#include "Support/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tailor {

enum class InputKind : uint8_t { Auto, Glsl, Hlsl, SpirvBinary, SpirvText, Wgsl };

/// "GLSL", "HLSL", "SPIR-V binary", "SPIR-V text", "WGSL"; "unknown" for Auto.
std::string_view nameOf(InputKind kind);
/// A source language, compiled here: its locations are lines, never words of the module.
inline bool isCompiled(InputKind kind) {
  return kind == InputKind::Glsl || kind == InputKind::Hlsl || kind == InputKind::Wgsl;
}

struct FrontendOptions {
  /// Searched in order for `#include <x>`, and for `#include "x"` after the
  /// folder of the including file.
  std::vector<std::string> includeDirs;
  /// NAME and value of `#define NAME value` ahead of the source (GLSL and HLSL).
  /// The name may carry parameters: `MAX(a,b)`.
  std::vector<std::pair<std::string, std::string>> defines;
  /// HLSL: the function to compile; empty: main. GLSL knows main alone. SPIR-V
  /// comes in whole, and the name matters to whoever reads it.
  std::string entryPoint;
  /// vulkan1.0, vulkan1.1, vulkan1.2 or vulkan1.3. HLSL is compiled for at most
  /// vulkan1.1, because at later targets glslang declares its buffers with a
  /// decoration (BufferBlock) that those versions of SPIR-V no longer have. For
  /// SPIR-V text without a `; Version:` comment it picks the version of the
  /// module; a binary names its own.
  std::string targetEnv = "vulkan1.1";
  InputKind kind = InputKind::Auto;
  /// GLSL and HLSL: writes OpSource, OpString and OpLine, by which everything
  /// after this reports its locations (the writers can strip them).
  bool debugInfo = true;
};

struct FrontendResult {
  /// The module, header included. A binary's words are as the file holds them:
  /// one of the other byte order keeps its swapped magic.
  std::vector<uint32_t> words;
  std::string fileName; ///< as given
  InputKind kind = InputKind::Auto;
  /// GLSL and HLSL: what was compiled.
  std::string text;
  /// SPIR-V text: the line (from 1) of the instruction that starts at each word
  /// offset, in ascending order. Empty for the other kinds, and for text that
  /// writes raw words (`!123`) in place of instructions.
  std::vector<std::pair<uint32_t, uint32_t>> textLines;
  /// Every file read, each once, the shader first, in the order of their first
  /// reading (for depfiles). Empty when the shader came from memory and
  /// includes nothing.
  std::vector<std::string> dependencies;
};

/// A file or an included text above this size is refused.
inline constexpr size_t kMaxInputBytes = size_t{128} << 20;
/// Includes that nest deeper are refused; most often it is a cycle.
inline constexpr unsigned kMaxIncludeDepth = 64;

/// The kind of an input by its content, where that speaks for itself (a SPIR-V
/// magic number, `; SPIR-V` or an instruction that a module begins with,
/// `[numthreads(`), else by the suffix of its name
/// (.comp .glsl .hlsl .spv .spvasm .wgsl), else by weaker signs in the text.
/// Auto: neither tells.
InputKind detectInputKind(std::string_view fileName, std::string_view bytes);

/// Reads and compiles a shader. Warnings go to `diagnostics`; a failed result
/// holds the first error, with the compiler's further ones as its notes.
/// Failures: ErrorKind::Refused for what a file holds (or for a file that cannot
/// be read), ErrorKind::Usage for what is wrong in the options.
Result<FrontendResult> loadShader(const std::string &path, const FrontendOptions &options,
                                  Diagnostics &diagnostics);

/// The same from memory: `fileName` is what messages and debug lines call it,
/// and its folder is where `#include "x"` looks first.
Result<FrontendResult> loadShaderFromMemory(std::string_view bytes, const std::string &fileName,
                                            const FrontendOptions &options,
                                            Diagnostics &diagnostics);

} // namespace tailor

#endif
