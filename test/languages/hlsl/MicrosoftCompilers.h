//===- languages/hlsl/MicrosoftCompilers.h - FXC, DXC, and DXBC to SPIR-V --===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// d3dcompiler_47.dll and dxcompiler.dll under wine, through the program
// fxc/CompileHlsl.cpp. They are looked for in TAILOR_HLSL_COMPILERS (a folder), then
// where scripts/bootstrap puts them. Nobody redistributes them.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_LANGUAGES_HLSL_MICROSOFTCOMPILERS_H
#define TAILOR_LANGUAGES_HLSL_MICROSOFTCOMPILERS_H

#include "Support/Result.h"

#include <string>
#include <vector>

namespace tailor::languages {

struct HlslJob {
  std::string compiler; ///< fxc or dxc
  std::string profile;  ///< cs_5_0
  std::string text;
  std::vector<std::string> arguments; ///< of DXC
};

struct HlslOutcome {
  bool compiled = false;
  std::string code;     ///< DXBC or DXIL
  std::string messages; ///< of the compiler
};

/// What is not on this machine of what compiles; "" where all is.
std::string missingCompilers();

/// Compiles all of them in one process; by index into `jobs`.
Result<std::vector<HlslOutcome>> compileAll(const std::vector<HlslJob> &jobs);

/// FXC's code as SPIR-V, by vkd3d-compiler: resources are named t0, u1, cb2_0, s3. Repairs what
/// vkd3d-compiler 1.2 leaves invalid: branches behind the end of a block (after a
/// break), one decoration twice.
Result<std::vector<uint32_t>> spirvOfDxbc(const std::string &dxbc);

} // namespace tailor::languages

#endif
