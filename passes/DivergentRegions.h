//===- passes/DivergentRegions.h - Where invocations may part --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cuts a function with structured control flow (SPIR-V 1.6, section 2.11) into the
// blocks that all invocations of a workgroup go through together, and stretches
// with one way in and one way out in which they may go different ways.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_DIVERGENTREGIONS_H
#define TAILOR_PASSES_DIVERGENTREGIONS_H

#include "IR/Cfg.h"
#include "IR/Module.h"
#include "Support/Result.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace tailor {

/// Everything between the end of `head` and the start of `exit`.
struct DivergentRegion {
  /// All invocations run its body; from its terminator on they may part.
  Block *head = nullptr;
  std::vector<Block *> blocks; ///< in the order of the function; neither head nor exit
  /// Where they are together again; null: the end of the function, which `blocks` reach by
  /// OpReturn.
  Block *exit = nullptr;
  /// The rest of a construct (or of the function) behind `head`, left by breaks or returns, rather
  /// than a whole construct: `exit` is no merge block of the head's own.
  bool isTail = false;
};

/// Erases blocks that are never reached. Those that a merge instruction names stay: merge blocks
/// with OpUnreachable alone, continue targets with their branch back.
void tidyUnreachable(Module &module, Function &function);

/// Gives each loop header one predecessor outside of the loop, which does nothing but branch to it
/// (and choose the values that the loop starts with). Keeps the labels of headers.
void insertPreheaders(Module &module, Function &function);

/// Whether a block that ends in a return stands inside a loop or a switch: no tail can be made of
/// what follows it.
bool returnsFromInside(Function &function, const ControlFlow &flow);

/// The outermost regions, none of them inside another. `isUniform`: whether all invocations that
/// come to the block together leave it by the same edge. Loops must have preheaders. Fails where a
/// region has no end that is reached, or where control flow is not structured.
Result<std::vector<DivergentRegion>>
findDivergentRegions(Function &function, const ControlFlow &flow,
                     llvm::function_ref<bool(const Block &)> isUniform);

} // namespace tailor

#endif
