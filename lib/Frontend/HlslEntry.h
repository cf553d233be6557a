//===- Frontend/HlslEntry.h - What glslang dies of in an entry point ------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_FRONTEND_HLSLENTRY_H
#define TAILOR_FRONTEND_HLSLENTRY_H

#include "Support/Diagnostics.h"

#include <optional>
#include <string>
#include <string_view>

namespace tailor {

/// glslang 12 makes a variable of each parameter of HLSL's entry point, and dies of one that has
/// no name; other functions may have such. Where the first of them stands; nothing where each has
/// one. `text`: as the preprocessor leaves it, whose `#line` directives are followed.
std::optional<Location> unnamedParameter(std::string_view text, std::string_view entryPoint,
                                         const std::string &fileName);

} // namespace tailor

#endif
