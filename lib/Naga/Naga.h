//===- Naga/Naga.h - WGSL to SPIR-V and back -------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shader translator naga, as the npm package naga-wasm has it: its module of
// WebAssembly is turned into C when the project is built and linked in, so that
// nothing is looked for at run time. Where the build found no such module, every
// function fails with ErrorKind::Environment and says what was missing.
//
// The functions may be called from several threads at once: each thread has an
// instance of its own, with its own memory, made on first use and thrown away
// after a fault inside it. Such a fault (a panic, memory or stack that runs out)
// is a failure like any other: ErrorKind::Internal, or Environment for memory.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_NAGA_NAGA_H
#define TAILOR_NAGA_NAGA_H

#include "Support/Result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tailor::naga {

/// Whether this build can translate; if not, why not ("this build has no WGSL: ...").
bool isAvailable();
std::string_view whyUnavailable();
/// "naga-wasm 30.1.0"; empty where there is none.
std::string_view version();

/// WGSL of a module in the machine's byte order, every entry point of it. What naga refuses is
/// ErrorKind::Refused, located at the file alone: naga's messages do not say where in SPIR-V.
Result<std::string> wgslFromSpirv(std::span<const uint32_t> words, const std::string &fileName);

/// SPIR-V 1.0 of a WGSL text, with the names of the text (OpName), without lines. What is wrong
/// with the text is ErrorKind::Refused at its line and column, with the places that the message
/// points at, and its causes, as notes.
Result<std::vector<uint32_t>> spirvFromWgsl(std::string_view text, const std::string &fileName);

/// Whether a WGSL text is valid; failures as for spirvFromWgsl. Texts with overrides are, too.
Status checkWgsl(std::string_view text, const std::string &fileName);

/// naga's formatted message ("error: ...", the place, the lines of the source with labels, `= ...`)
/// as ours. For its own use and for tests.
Diagnostic diagnosticFrom(std::string_view formatted, const std::string &fileName);

} // namespace tailor::naga

#endif
