//===- Tuning/ReflectSize.h - The size of a module, under its defaults -----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Apart from the rest of the reflection: SPIRV-Cross reads the size in one of
// its spellings alone, and its headers do not go together with ours.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_REFLECTSIZE_H
#define TAILOR_TUNING_REFLECTSIZE_H

#include "Tuning/Reflect.h"

namespace tailor {

/// Fills in the size of `reflection.entryPoint`, and which constants decide about it.
Status reflectSize(std::span<const uint32_t> words, const std::string &file,
                   Reflection &reflection);

} // namespace tailor

#endif
