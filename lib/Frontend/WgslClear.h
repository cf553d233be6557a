//===- Frontend/WgslClear.h - Workgroup memory that starts as zero --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// WGSL's workgroup memory starts as zero. In naga's module the first invocation
// stores a zero to each variable, whole, before the first barrier: the others wait
// for it, and no language stores a whole array of atomics at once.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_FRONTEND_WGSLCLEAR_H
#define TAILOR_FRONTEND_WGSLCLEAR_H

#include "IR/Module.h"

namespace tailor {

/// Lets all invocations of the group clear arrays, an element each in turn. What is no array, and
/// what is not found in naga's form, stays as it is. Elements are cleared as before, each once,
/// before the same barrier.
void clearTogether(Module &module);

} // namespace tailor

#endif
