//===- Backends/MslRules.h - What Metal cannot do, and what it must -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inside lib/Backends alone. SPIRV-Cross 1.3.239 writes some kernels as a text
// that Metal rejects, or that does something else, without a word. Those are
// found here, in the words of the module, before it is asked.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_MSLRULES_H
#define TAILOR_BACKENDS_MSLRULES_H

#include "Backends/Emitters.h"

#include <set>
#include <span>
#include <string>

namespace tailor {

/// The versions of the language that can be asked for, as EmitOptions::mslVersion.
std::span<const uint32_t> mslVersions();
/// `2.1`
std::string mslVersionName(uint32_t version);

/// What the smallest iOS device on which the version runs takes (docs/languages-msl.md says which).
const LanguageLimits &mslIosLimits(uint32_t version);
/// Indices of textures that it has, on iOS or on a Mac.
uint32_t mslTextures(MslPlatform platform);

/// Refuses what the text would do otherwise than the module, or not at all, in the version and on
/// the platform of the request. Else what the host must give beside them
/// (LanguageInterface::features).
Result<std::set<std::string>> checkMslRules(const EmitRequest &request, const ModuleFacts &facts);

/// A text in which a write to a texture that is also read is followed by its fence, without which
/// the invocation does not see its own write. SPIRV-Cross 1.3.239 writes none.
std::string withTextureFences(const std::string &text);

} // namespace tailor

#endif
