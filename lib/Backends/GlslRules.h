//===- Backends/GlslRules.h - What GLSL cannot say ------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SPIRV-Cross writes much that the version it was asked for has not, or leaves
// out what has no word there (docs/languages.md lists both). These rules refuse
// such a module at the instruction or the variable, before the text is made, so
// that no text goes out which its compiler rejects or which computes something
// else.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_GLSLRULES_H
#define TAILOR_BACKENDS_GLSLRULES_H

#include "Backends/GlslProfile.h"
#include "Backends/GlslScan.h"

namespace tailor {

/// Types, variables, execution modes and built-in values.
Status checkGlslDeclarations(const GlslProfile &profile, const ModuleFacts &facts,
                             const GlslScan &scan);
/// Instructions in the functions.
Status checkGlslInstructions(const GlslProfile &profile, const ModuleFacts &facts,
                             const GlslScan &scan);

/// The layout qualifier of an image format; empty for one that GLSL has not.
std::string_view glslFormatName(SpvImageFormat format);
/// Whether GLSL ES has the format, and whether an image of it may be both read and written.
bool isEsFormat(SpvImageFormat format);
bool isEsReadWriteFormat(SpvImageFormat format);

/// SPIRV-Cross 1.3.239 compares the offsets of members with those of the block's layout, and not
/// how far apart the columns of a matrix are: one at the end of a block has another stride in the
/// text.
Status checkMatrixLayout(const GlslProfile &profile, const ModuleFacts &facts, const GlslScan &scan,
                         bool pushConstantsInStd140);
/// The same of a storage block that the text declares in one of the two layouts.
Status checkWrittenLayout(const GlslProfile &profile, const ModuleFacts &facts,
                          const GlslScan &scan, const GlslScan::Resource &resource, bool isStd140);

} // namespace tailor

#endif
