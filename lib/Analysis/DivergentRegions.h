//===- Analysis/DivergentRegions.h - Where invocations may part ------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cuts a function with structured control flow (SPIR-V 1.6, section 2.11) into the
// blocks that all invocations of a workgroup go through together, and stretches
// with one way in and one way out in which they may go different ways:
//
//   a whole construct        if (lane) A; else B;      while (lane) A;
//   the rest of a switch     case 1: A; if (lane) break; B; break;
//   the rest of a loop body  for (...) { A; if (lane) continue; B; }
//   the rest of the function A; if (lane) return; B;
//
// The rests begin at the branch where invocations part, or in front of a construct
// around it that invocations leave by such a way.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_DIVERGENTREGIONS_H
#define TAILOR_ANALYSIS_DIVERGENTREGIONS_H

#include "IR/Cfg.h"
#include "IR/Module.h"
#include "Support/Result.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace tailor {

/// Everything between the end of `head` and the start of `exit`.
struct DivergentRegion {
  /// All invocations run its body; from its terminator on they may part. Null: the region begins
  /// with a loop that has no preheader.
  Block *head = nullptr;
  std::vector<Block *> blocks; ///< in the order of the function; neither head nor exit
  /// Where they are together again; null: the end of the function, which `blocks` reach by
  /// OpReturn.
  Block *exit = nullptr;
  /// The rest of a construct (or of the function) behind `head`, left by breaks, continues or
  /// returns, rather than a whole construct: `exit` is no merge block of the head's own.
  bool isTail = false;
  /// A tail of a loop's body that, taken out of it, must stand in a loop again: its continues leave
  /// a switch as well, or `head` is the header of the loop.
  bool needsLoop = false;
  Block *parting = nullptr; ///< head or one of `blocks`: the first one seen that all leave unalike
};

/// Whether a block that ends in a return stands inside a loop or a switch: no tail can be made of
/// what follows it.
bool returnsFromInside(Function &function, const ControlFlow &flow);

/// The outermost regions, none of them inside another. `isUniform`: whether all invocations that
/// come to the block together leave it by the same edge. Fails where a region has no end that is
/// reached, or where control flow is not structured; `stuck` is then the block where invocations
/// part. Blocks that are never reached are in no region, but for those that a merge instruction in
/// a region names.
Result<std::vector<DivergentRegion>>
findDivergentRegions(Function &function, const ControlFlow &flow,
                     llvm::function_ref<bool(const Block &)> isUniform,
                     const Block **stuck = nullptr);

} // namespace tailor

#endif
