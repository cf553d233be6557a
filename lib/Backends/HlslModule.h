//===- Backends/HlslModule.h - A module as SPIRV-Cross can write it --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inside lib/Backends alone.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_HLSLMODULE_H
#define TAILOR_BACKENDS_HLSLMODULE_H

#include "Backends/Emitters.h"
#include "passes/Pass.h"

namespace tailor {

/// Writes what HLSL lacks in other words.
///
/// Wide products, carries and borrows (legalize-extended-arithmetic): SPIRV-Cross 1.3.239 leaves
/// them as the GLSL functions umulExtended, imulExtended, uaddCarry and usubBorrow.
///
/// Undefined values (OpUndef) are zeros: SPIRV-Cross declares them as variables without a value,
/// and FXC fails with X4555 (cannot use casts on l-values) where such a bool goes round a loop.
Result<Change> legalizeForHlsl(Module &module);
/// Whether it may have something to do.
bool mayNeedLegalizingForHlsl(const ModuleFacts &facts);

} // namespace tailor

#endif
