//===- Analysis/ConstructNest.cpp ------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/ConstructNest.h"

namespace tailor {

/// What is around a block is around the block that dominates it; behind a construct, what is around
/// that.
ConstructNest::ConstructNest(Function &function, const ControlFlow &flow)
    : constructs(structuredConstructs(function)), headed(function.size(), kNone),
      outer(function.size(), kUnknown) {
  std::vector<const Block *> mergedHeader(function.size(), nullptr); // by merge block
  for (size_t index = 0; index < constructs.size(); ++index) {
    const Construct &construct = constructs[index];
    const Block *merge = construct.mergeBlock, *next = construct.continueTarget;
    const bool isLoop = construct.kind == Construct::Kind::Loop;
    if (!flow.isReachable(*construct.header) || !merge || (isLoop && !next))
      continue;
    headed[construct.header->index()] = static_cast<int>(index);
    if (merge != construct.header && flow.isReachable(*merge) &&
        flow.dominates(*construct.header, *merge))
      mergedHeader[merge->index()] = construct.header;
    if (isLoop && next != construct.header && flow.isReachable(*next) &&
        flow.dominates(*construct.header, *next))
      outer[next->index()] = static_cast<int>(index);
  }
  std::vector<const Block *> open;
  for (const Block &block : function.blocks()) {
    if (!flow.isReachable(block)) {
      outer[block.index()] = kNone;
      continue;
    }
    open.push_back(&block);
    while (!open.empty()) { // what it hangs on dominates it
      const Block &each = *open.back();
      const Block *header = mergedHeader[each.index()];
      const Block *from = header ? header : flow.immediateDominator(each);
      if (outer[each.index()] != kUnknown) {
        open.pop_back();
      } else if (!from) {
        outer[each.index()] = kNone;
      } else if (outer[from->index()] == kUnknown) {
        open.push_back(from);
      } else {
        outer[each.index()] = header ? outer[from->index()] : inner(*from);
      }
    }
  }
}

bool ConstructNest::contains(const Construct &construct, const Block &block) const {
  for (const Construct *each = innermost(block); each; each = around(*each))
    if (each == &construct)
      return true;
  return false;
}

} // namespace tailor
