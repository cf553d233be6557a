//===- passes/IdRewrite.h - Authored ids from the global id ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_IDREWRITE_H
#define TAILOR_PASSES_IDREWRITE_H

#include "IR/Module.h"
#include "Support/Dim3.h"
#include "Support/Result.h"

namespace tailor {

/// Replaces the reads of WorkgroupId, LocalInvocationId and LocalInvocationIndex in what `entry`
/// reaches, so that WorkgroupId·authored + LocalInvocationId stays the global id at any workgroup
/// size (passes/Resize.h says how). The module is unchanged after a failure.
Status rewriteIds(Module &module, const EntryPoint &entry, const Dim3 &authored);

} // namespace tailor

#endif
