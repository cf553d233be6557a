//===- Analysis/ConstructNest.h - Which constructs stand in which ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_CONSTRUCTNEST_H
#define TAILOR_ANALYSIS_CONSTRUCTNEST_H

#include "IR/Cfg.h"

#include <vector>

namespace tailor {

/// The tree of the structured constructs of a function (SPIR-V 1.6, section 2.11). A construct
/// holds what its header dominates, but for what its merge block does and that of any construct
/// around it; where the merge block is never reached, up to the end of what it stands in. A
/// continue target stands in its loop alone, from wherever inside it is reached. Of blocks that are
/// reached.
class ConstructNest {
public:
  ConstructNest(Function &function, const ControlFlow &flow);

  /// Null where there is none.
  const Construct *headedBy(const Block &block) const { return at(headed[block.index()]); }
  /// The construct that the block heads, else the innermost one around it.
  const Construct *innermost(const Block &block) const { return at(inner(block)); }
  /// The innermost one around the construct.
  const Construct *around(const Construct &construct) const {
    return at(outer[construct.header->index()]);
  }
  bool contains(const Construct &construct, const Block &block) const;

  static bool isSwitch(const Construct &construct) {
    return construct.kind == Construct::Kind::Selection &&
           construct.header->terminator()->opcode() == spv::Op::OpSwitch;
  }

private:
  static constexpr int kNone = -1, kUnknown = -2;

  const Construct *at(int index) const { return index < 0 ? nullptr : &constructs[index]; }
  int inner(const Block &block) const {
    return headed[block.index()] != kNone ? headed[block.index()] : outer[block.index()];
  }

  std::vector<Construct> constructs;
  std::vector<int> headed; ///< by block: the construct that it heads
  std::vector<int> outer;  ///< by block: the innermost around it that it does not head
};

} // namespace tailor

#endif
