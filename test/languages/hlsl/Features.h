//===- languages/hlsl/Features.h - One thing of GLSL a kernel ---------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_LANGUAGES_HLSL_FEATURES_H
#define TAILOR_LANGUAGES_HLSL_FEATURES_H

#include "LanguageCases.h"

#include <string>
#include <vector>

namespace tailor::languages {

/// A kernel of 64 invocations, made from a few statements over
///   i           the invocation
///   a, b        unsigned integers, small ones and edges
///   s, t        the same as signed
///   x, y        floats from 0.1 to 1.1
///   v[]         all inputs, 256 words, read only
///   o[]         outputs, 256 words, zero
/// and, where `declarations` have them, images of 8x8 at the bindings 2 (r32ui), 3 (a texture of
/// rgba8 with a linear sampler) and 5 (rgba8), a uniform buffer of floats at 4, and 80 bytes of
/// push constants.
struct Feature {
  const char *name;
  const char *declarations; ///< ahead of main
  const char *body;
  bool isFloat = false; ///< the outputs are floats, compared within some ulps
};

const std::vector<Feature> &features();

/// The case of a feature, with what the authored SPIR-V leaves behind. A refusal is in the case.
Result<LanguageCase> caseOf(const Feature &feature, const EmitOptions &options = {});

} // namespace tailor::languages

#endif
