//===- Backends/WgslBreaks.cpp - Loops left from inside a switch -----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/WgslSteps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tailor::wgsl {

/// SPIR-V may leave a loop from inside a switch in it (SPIR-V 1.6, section 2.11.2); WGSL's `break`
/// leaves the switch alone, and naga (wgpu 30) writes it all the same.
Status refuseBreaksThroughSwitches(const Module &module) {
  for (const auto &function : module.functions()) {
    llvm::DenseMap<const Block *, const Block *> loopOfEnd, loopOfNext; // merge, continue target
    for (Block &block : function->blocks())
      if (const Instruction *merge = block.merge();
          merge && merge->opcode() == spv::Op::OpLoopMerge) {
        loopOfEnd[function->block(merge->id(0))] = &block;
        loopOfNext[function->block(merge->id(1))] = &block;
      }
    for (Block &header : function->blocks()) {
      if (header.terminator()->opcode() != spv::Op::OpSwitch || !header.merge())
        continue;
      const Block *end = function->block(header.merge()->id(0));
      llvm::DenseSet<const Block *> inside = {&header};
      std::vector<const Block *> pending = {&header};
      while (!pending.empty()) {
        const Block *block = pending.back();
        pending.pop_back();
        for (const Block *next : block->successors()) {
          if (next == end || inside.contains(next))
            continue;
          auto toNext = loopOfNext.find(next), left = loopOfEnd.find(next);
          if (left != loopOfEnd.end() && !inside.contains(left->second))
            return failure(module.locationOf(*block->terminator()),
                           "wgsl cannot express this kernel: a loop is left from inside a switch");
          if (toNext != loopOfNext.end() && !inside.contains(toNext->second))
            continue;
          inside.insert(next);
          pending.push_back(next);
        }
      }
    }
  }
  return success();
}

} // namespace tailor::wgsl
