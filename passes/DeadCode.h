//===- passes/DeadCode.h - What a pass leaves behind -----------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_DEADCODE_H
#define TAILOR_PASSES_DEADCODE_H

#include "IR/Module.h"
#include "Support/Result.h"

#include <string_view>

namespace tailor {

/// Drops code that no invocation reaches and what is computed for nobody, such as variables that
/// are only written. `maker`: who made the module: `coarsening`. Fails with ErrorKind::Internal
/// where what was made is not valid, since the optimizer may crash on that. A module of several
/// entry points stays as it is.
Result<Module> withoutDeadCode(Module made, std::string_view maker);

} // namespace tailor

#endif
