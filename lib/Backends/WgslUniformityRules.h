//===- Backends/WgslUniformityRules.h - What WGSL takes for uniform -===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules are those of the WGSL specification, "Uniformity", in a form that is
// no weaker: a variable is one value for all time, as if every store to it could
// reach every load; and behind a branch that invocations leave in different ways
// all of the loop counts as reached by some of them.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_WGSLUNIFORMITYRULES_H
#define TAILOR_BACKENDS_WGSLUNIFORMITYRULES_H

#include "IR/Cfg.h"
#include "IR/Module.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <vector>

namespace tailor::wgsl {

/// Why a value or a block is not proven to be the same: the instruction that it was decided at.
using Cause = const Instruction *;

class Rules {
public:
  Rules(Module &module, Function &function,
        const llvm::DenseSet<const Instruction *> &uniformLoads);

  Cause of(const Block &block) const { return blocks.lookup(&block); }
  Cause of(Id value) const { return values.lookup(raw(value)); }

  /// The variable that a pointer points into; None for parameters and what comes of a choice.
  /// `differs`: set to an access chain on the way that has an index which is not uniform.
  Id rootOf(Id pointer, Cause *differs = nullptr) const;

private:
  void mark(Id value, Cause why);
  void mark(const Block &block, Cause why);

  void visit(Block &block);
  void visit(const Instruction &inst, const Block &block);
  void store(Id pointer, Id value, const Instruction &inst, const Block &block);
  Cause loaded(const Instruction &inst) const;

  /// Blocks that a header dominates and its merge block does not.
  template <typename Visit> void within(const Block &header, const Block *merge, Visit visit) {
    for (Block &block : function.blocks())
      if (flow.dominates(header, block) && !(merge && flow.dominates(*merge, block)))
        visit(block);
  }

  const Construct *constructOf(const Block &header, Construct::Kind kind) const;

  /// All of a loop, or of a switch, that some invocations leave before others.
  void leave(const Block &target, const Block &from, Cause why, bool loopsAlone = false);

  void diverge(Block &header, const Instruction &branch);

  /// Some invocations return: whatever can still come is reached by the others alone.
  void leaveFunction(Block &header, const Instruction &branch);

  Module &module;
  Function &function;
  ControlFlow flow;
  std::vector<Construct> constructs;
  const llvm::DenseSet<const Instruction *> &uniformLoads;
  llvm::DenseMap<uint32_t, Cause> values;
  llvm::DenseMap<const Block *, Cause> blocks;
  bool changed = false;
};

} // namespace tailor::wgsl

#endif
