//===- Frontend/Inputs.h - What the input kinds share ---------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inside lib/Frontend alone: one function a kind of input, and the reading of
// files with a limit on their size.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_FRONTEND_INPUTS_H
#define TAILOR_FRONTEND_INPUTS_H

#include "Frontend/Frontend.h"

#include <string>
#include <string_view>

namespace tailor {

/// Reads at most kMaxInputBytes of a regular file, a pipe or a device. A folder,
/// a file that cannot be read and one that is larger are ErrorKind::Refused.
Result<std::string> readInput(const std::string &path);

/// GLSL and HLSL. Fills words and dependencies (the included files; the shader
/// itself is the caller's).
Status compileWithGlslang(std::string_view source, const FrontendOptions &options,
                          FrontendResult &result, Diagnostics &diagnostics);

/// WGSL, through naga. Overrides become constants: of `defines`, else of their defaults.
Status compileWithNaga(std::string_view source, const FrontendOptions &options,
                       FrontendResult &result);

/// Checks size, magic number and that no instruction runs past the end.
Status readSpirvBinary(std::string_view bytes, FrontendResult &result);

/// Assembles, and fills textLines.
Status readSpirvText(std::string_view text, const FrontendOptions &options, FrontendResult &result);

} // namespace tailor

#endif
