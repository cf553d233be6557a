//===- Backends/Indices.h - Indices that a text can write -----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GLSL and HLSL take indices of 32 bits, SPIR-V any width. What an index of more
// than 32 bits points to is no memory that a module has.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_INDICES_H
#define TAILOR_BACKENDS_INDICES_H

#include "Backends/ModuleFacts.h"
#include "passes/Pass.h"

namespace tailor {

/// Whether a module may have indices of other widths.
bool mayHaveOtherIndices(const ModuleFacts &facts);

/// Converts the indices of access chains and of OpVectorExtractDynamic and OpVectorInsertDynamic to
/// 32 bits.
Change convertIndices(Module &module);

} // namespace tailor

#endif
