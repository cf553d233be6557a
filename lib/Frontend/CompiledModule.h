//===- Frontend/CompiledModule.h - Is what the compiler wrote valid -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some shaders pass through glslang and come out as modules that are not valid.
// Neither the author of the shader nor we are then at fault, and the message
// says who is.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_FRONTEND_COMPILEDMODULE_H
#define TAILOR_FRONTEND_COMPILEDMODULE_H

#include "Support/Result.h"

#include <cstdint>
#include <span>
#include <string>

namespace tailor {

/// How much is asked of the module.
enum class ModuleCheck : uint8_t {
  Parsed, ///< its instructions can be read (HLSL before it is legalized is no more than that)
  Valid,  ///< validateSpirv takes it
};

/// A failure is ErrorKind::Refused, names the compiler, is located at the source line of the
/// instruction where the module has OpLine, and has what SPIRV-Tools say in notes.
Status checkCompiledModule(std::span<const uint32_t> words, const std::string &fileName,
                           ModuleCheck check);

/// Whether the module can be read in the environment that its version stands for, or at least in no
/// newer one either: a compiler may use what came later than the target that it was given. Fails
/// with the option that helps.
Status checkTargetEnvironment(std::span<const uint32_t> words, const std::string &fileName);

} // namespace tailor

#endif
