//===- Frontend/GlslangLog.h - glslang's log as diagnostics ---------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_FRONTEND_GLSLANGLOG_H
#define TAILOR_FRONTEND_GLSLANGLOG_H

#include "Support/Diagnostics.h"

#include <string>
#include <string_view>
#include <vector>

namespace tailor {

/// Every message of a log, in order. `files` are the names that the compiler
/// may write: the shader's, then the included ones. A line that is no message
/// becomes a note of the message before it; lines that only say
/// that there were errors ("2 compilation errors. ...") are left out.
std::vector<Diagnostic> parseGlslangLog(std::string_view log,
                                        const std::vector<std::string> &files);

} // namespace tailor

#endif
