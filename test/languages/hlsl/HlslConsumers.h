//===- languages/hlsl/HlslConsumers.h - Texts compiled and run --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_LANGUAGES_HLSL_HLSLCONSUMERS_H
#define TAILOR_LANGUAGES_HLSL_HLSLCONSUMERS_H

#include "LanguageCases.h"
#include "hlsl/MicrosoftCompilers.h"

namespace tailor::languages {

/// `file: text` and the notes.
std::string textOf(const Diagnostic &diagnostic);

/// Compiles the text with glslang, validates, and runs it; "" when the outputs are the authored
/// kernel's, else what is wrong.
std::string runByGlslang(const LanguageCase &made);

/// The same of what FXC made of the text, through vkd3d-compiler.
std::string runDxbc(const LanguageCase &made, const std::string &dxbc);

/// FXC's models: 5.0 and 5.1.
bool isForFxc(const LanguageInterface &interface);
HlslJob jobForFxc(const LanguageCase &made);
/// FXC's models compile there as 6.0.
HlslJob jobForDxc(const LanguageCase &made);

} // namespace tailor::languages

#endif
