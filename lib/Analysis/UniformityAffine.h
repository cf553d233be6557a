//===- Analysis/UniformityAffine.h - Values of equal symbols are equal -----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value that is congruent to a polynomial over symbols is the same wherever
// the symbols are: `(lid + base) - lid` is `base`, `GlobalId / 16` at size 16 is
// the workgroup's id. A comparison of two such values depends on their
// difference alone: for == and != modulo 2^w, for an order where neither can
// wrap. So a loop from `lid` to `lid + 1024` turns equally often for all.
//
// A symbol is looked at where the value is computed: the iteration of a loop is
// the same for those who are in the loop, and a value computed in a loop is
// known as itself only inside of that loop.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_UNIFORMITYAFFINE_H
#define TAILOR_ANALYSIS_UNIFORMITYAFFINE_H

#include "Analysis/Affine.h"
#include "Analysis/UniformityRun.h"

namespace tailor {

class AffineSupport {
public:
  AffineSupport(const ValueGraph &graph, const NodeFlow &flow, const Module &module,
                const AffineAnalysis &affine);

  /// The node is a function of symbols that are the same in the set, those that stand for other
  /// nodes left aside: those nodes have it among their dependents.
  bool isFunctionOfUniform(const ValueNode &node, InvocationSet set) const;
  /// And no symbol changes in a loop.
  bool isInvariant(const ValueNode &node) const { return entries[node.index].isInvariant; }
  /// The nodes that are functions of the symbol that stands for this one, among others.
  llvm::ArrayRef<uint32_t> dependents(const ValueNode &node) const {
    return llvm::ArrayRef<uint32_t>(flat).slice(starts[node.index],
                                                starts[node.index + 1] - starts[node.index]);
  }

private:
  friend class AffineSupportBuilder;
  struct Entry {
    bool isKnown = false, isInvariant = false;
    bool hasLocalId = false;
    uint8_t groupAxes = 0; ///< bit k: WorkgroupId[k]
  };
  std::vector<Entry> entries;         ///< by node
  std::vector<uint32_t> starts, flat; ///< dependents by node
};

} // namespace tailor

#endif
