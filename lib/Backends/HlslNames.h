//===- Backends/HlslNames.h - Words that HLSL keeps -----------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_HLSLNAMES_H
#define TAILOR_BACKENDS_HLSLNAMES_H

#include <string_view>

namespace tailor {

/// Whether FXC or DXC has a meaning for the word, at any shader model: as a keyword, type, function
/// or macro.
bool isTakenInHlsl(std::string_view name);

} // namespace tailor

#endif
