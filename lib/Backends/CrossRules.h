//===- Backends/CrossRules.h - What SPIRV-Cross cannot be given -----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SPIRV-Cross 1.3.239 writes GLSL, GLSL ES, HLSL and Metal. These rules hold for
// all four: a list of the instructions that it writes as they are, and what it
// leaves out, or writes as something else, without a word. Each language has more
// rules of its own.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_CROSSRULES_H
#define TAILOR_BACKENDS_CROSSRULES_H

#include "Backends/Emitters.h"

namespace tailor {

/// Refuses, at the instruction, what no text of `language` (glsl, essl, hlsl, msl) would mean.
Status checkCrossRules(std::string_view language, const EmitRequest &request,
                       const ModuleFacts &facts);

} // namespace tailor

#endif
