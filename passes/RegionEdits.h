//===- passes/RegionEdits.h - Ready to be repeated -------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Edits after which each region (Analysis/DivergentRegions.h) can be taken out of
// its function and put back several times.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_REGIONEDITS_H
#define TAILOR_PASSES_REGIONEDITS_H

#include "Analysis/DivergentRegions.h"
#include "IR/Module.h"

namespace tailor {

/// Erases blocks that are never reached. Those that a merge instruction names stay: merge blocks
/// with OpUnreachable alone, continue targets with their branch back.
void tidyUnreachable(Module &module, Function &function);

/// Gives each loop header one predecessor outside of the loop, which does nothing but branch to it
/// (and choose the values that the loop starts with). Keeps the labels of headers.
void insertPreheaders(Module &module, Function &function);

} // namespace tailor

#endif
