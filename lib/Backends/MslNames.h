//===- Backends/MslNames.h - Names that Metal has taken -------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_MSLNAMES_H
#define TAILOR_BACKENDS_MSLNAMES_H

#include "spirv_cross/spirv_msl.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace tailor {

/// Appends `_` to the names that are words of C++ or of Metal, which SPIRV-Cross 1.3.239 lets
/// through (`new`, `private`, `xor`; `device` for a function). Returns the entry point's name
/// after.
std::string renameTakenInMsl(spirv_cross::CompilerMSL &compiler, std::span<const uint32_t> words,
                             const std::string &entryPoint);

} // namespace tailor

#endif
