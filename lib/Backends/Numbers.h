//===- Backends/Numbers.h - Numbers as texts take them ---------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In SPIR-V an instruction says how it takes the bits of its integers, whatever
// the sign of their type; in the languages the type says it. SPIRV-Cross 1.3.239
// and naga (wgpu 30) bring over the operation and forget the difference in many
// places, and neither has a word for two comparisons of floats. Here such
// instructions are written with bitcasts and with other comparisons, before the
// text is made.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_NUMBERS_H
#define TAILOR_BACKENDS_NUMBERS_H

#include "Backends/ModuleFacts.h"
#include "IR/Module.h"
#include "passes/Pass.h"

namespace tailor {

/// Whether spellOutNumbers may have something to do in a module.
bool mayNeedNumbersSpelledOut(const ModuleFacts &facts);

/// Integer operations whose operands or results have a type of the other sign get bitcasts.
/// Comparisons of floats that texts lack (OpFOrdNotEqual, all unordered ones but OpFUnordNotEqual)
/// become others that tell NaN as they do. `openNotEqual`: whether `!=` is true of a NaN is open in
/// the language, so that OpFUnordNotEqual too becomes the opposite of `==`.
Change spellOutNumbers(Module &module, bool openNotEqual);

/// Whether the module says that it was made from GLSL or HLSL, which leave a remainder of operands
/// of different signs undefined, and whose compilers write OpSMod for `%` all the same.
bool leavesModuloOpen(const Module &module);

/// A remainder and a correction in place of each OpSMod, which texts write as `%` (SPIRV-Cross) or
/// by way of floats (naga): neither takes the divisor's sign. Its operands are signed by then.
Change rewriteSignedModulo(Module &module);

/// Refuses atomics on memory of the other sign (OpAtomicSMin on unsigned integers): no bitcast
/// reaches memory.
Status refuseAtomicsOfOtherSign(std::string_view language, const Module &module);

} // namespace tailor

#endif
