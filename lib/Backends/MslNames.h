//===- Backends/MslNames.h - Words that Metal keeps -----------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_MSLNAMES_H
#define TAILOR_BACKENDS_MSLNAMES_H

#include <string_view>

namespace tailor {

/// Whether Metal 2.0 to 3.1 has a meaning for the word: as a keyword of C++, or a type, function,
/// value or macro of Metal's library, all of which a text sees (`using namespace metal`).
bool isTakenInMsl(std::string_view name);

} // namespace tailor

#endif
