//===- Backends/SignedModulo.h - OpSMod in other words --------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_SIGNEDMODULO_H
#define TAILOR_BACKENDS_SIGNEDMODULO_H

#include "Support/Result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tailor {

/// The module with OpSRem and a correction in place of each OpSMod. SPIRV-Cross 1.3.239 writes `%`
/// for OpSMod, which takes its sign from the dividend, not from the divisor. Nothing where there is
/// none, and where the module says that it was made from GLSL or HLSL: there operands of different
/// signs are undefined, and the compilers write OpSMod for `%` all the same.
Result<std::optional<std::vector<uint32_t>>> withoutSignedModulo(std::span<const uint32_t> words,
                                                                 const std::string &fileName);

} // namespace tailor

#endif
