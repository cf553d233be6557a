//===- Backends/Emitters.h - What the backends share ----------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inside lib/Backends alone. Every emitter runs after the size and the memory
// were compared with its language's limits, and returns a text whose size was
// read back.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_EMITTERS_H
#define TAILOR_BACKENDS_EMITTERS_H

#include "Backends/Backend.h"
#include "Backends/ModuleFacts.h"

#include <optional>
#include <string>
#include <string_view>

namespace tailor {

using Emitter = Result<Emitted> (*)(const EmitRequest &request, const ModuleFacts &facts);

#define TAILOR_BACKEND(NAME, SUFFIX, FUNCTION, STRENGTH, INVOCATIONS, X, Y, Z, SHARED, SOURCE)     \
  Result<Emitted> FUNCTION(const EmitRequest &request, const ModuleFacts &facts);
#include "Backends/Backends.def"

/// The size in `layout(local_size_x = 8, local_size_y = 4, local_size_z = 1) in;`;
/// nothing where an axis is not a literal. An axis left out is 1.
std::optional<Dim3> sizeInGlsl(std::string_view text);
/// The size in `[numthreads(8, 4, 1)]`.
std::optional<Dim3> sizeInHlsl(std::string_view text);
/// The size in `@compute @workgroup_size(8, 4, 1)`.
std::optional<Dim3> sizeInWgsl(std::string_view text);
/// The product in `[[max_total_threads_per_threadgroup(32)]]`.
std::optional<uint64_t> invocationsInMsl(std::string_view text);

/// ErrorKind::Internal unless the size found in the text is the expected one.
Status compareSize(std::string_view language, const EmitRequest &request,
                   const std::optional<Dim3> &found);

/// Refuses the kernel in a language that has no word for `op`.
Status refuseOp(std::string_view language, const ModuleFacts &facts, SpvOp op,
                std::string_view why);

} // namespace tailor

#endif
