//===- languages/msl/MslRun.h - A case of the suite on the processor ------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_LANGUAGES_MSL_MSLRUN_H
#define TAILOR_LANGUAGES_MSL_MSLRUN_H

#include "LanguageCases.h"
#include "msl/MslFibres.h"

#include <string>
#include <vector>

namespace tailor::languages {

/// Binds what the interface of the case asks for, at the indices that it names, dispatches, and
/// reads the outputs back. Empty, or what went wrong: a resource that the instance lacks, a
/// divergent barrier, a write outside a buffer.
std::string runCase(const LanguageCase &made, const MslKernel &kernel,
                    std::vector<std::vector<std::byte>> &outputs);

} // namespace tailor::languages

#endif
