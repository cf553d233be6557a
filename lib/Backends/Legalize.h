//===- Backends/Legalize.h - A module as its text will mean it ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What SPIRV-Cross 1.3.239 and naga (wgpu 30) write as something else than the
// module says goes to them in other words. Each change keeps the module's
// meaning; none is made where nothing asks for it.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_LEGALIZE_H
#define TAILOR_BACKENDS_LEGALIZE_H

#include "Backends/Emitters.h"

#include <optional>
#include <vector>

namespace tailor {

/// The module to write in `target`; nothing where it is the one of the request. Refuses, at the
/// instruction, what no other words help.
Result<std::optional<std::vector<uint32_t>>>
legalize(std::string_view target, const EmitRequest &request, const ModuleFacts &facts);

} // namespace tailor

#endif
