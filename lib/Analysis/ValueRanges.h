//===- Analysis/ValueRanges.h - What integers of a function can be ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each integer and boolean of a function in SSA form a set that holds every
// value it has in any invocation of any dispatch (IntegerSet.h). It starts from
// constants and from local ids, which are below the workgroup's size, follows
// arithmetic with its wraps, and knows in each block the branches that led there:
// behind `if (s > 0)`, s is not 0. Loops are followed until nothing changes.
//
// Anything may be in memory, in parameters and results of functions, in
// specialization constants, in other built-in variables, and in what has the
// decoration RelaxedPrecision (devices may cut it to 16 bits). OpUndef may be
// something else each time it is looked at.
//
// Affine.h says how values hang together; this says, after a transformation and
// without a canonical form, what is left of them in each block.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_VALUERANGES_H
#define TAILOR_ANALYSIS_VALUERANGES_H

#include "Analysis/IntegerSet.h"
#include "IR/Cfg.h"
#include "IR/Constants.h"
#include "Support/Dim3.h"

#include "llvm/ADT/DenseMap.h"

#include <deque>
#include <vector>

namespace tailor {

/// The size that every invocation of the module is in: of its compute entry points, where it is one
/// literal for all. nullopt: nothing is known of local ids.
std::optional<Dim3> knownWorkgroupSize(const Module &module);

class ValueRanges {
public:
  /// The module and its functions must not change while this lives. `size`: knownWorkgroupSize.
  ValueRanges(const Module &module, Function &function, std::optional<Dim3> size);

  /// Of component `component` wherever the value is there; not tracked for other types than
  /// integers, booleans and vectors of them. Empty: the value is never computed.
  IntegerSet of(Id id, unsigned component = 0) const;
  /// The same as the block sees it. The block must be one that the definition dominates.
  IntegerSet at(Id id, const Block &block, unsigned component = 0) const;
  /// Whether invocations may run the block.
  bool isReached(const Block &block) const { return reached[block.index()]; }

private:
  /// Component `component` of what `id` defines, as it was put together there.
  struct Slot {
    Id id = Id::None;
    unsigned component = 0;
    friend bool operator==(const Slot &, const Slot &) = default;
  };
  /// On every path to a block, a branch on `value` was taken that needs this bit pattern.
  struct Condition {
    Slot value;
    uint64_t pattern;
    const Condition *outer; ///< the next one that holds too
  };

  void findConditions();
  void solve();
  struct Sweep {
    bool widensEven, widens; ///< counters that go in equal steps, all phis that grow
    bool narrows;            ///< sets only shrink
  };
  bool sweep(const Sweep &how);
  bool update(const Instruction &inst, unsigned component, const Sweep &how);
  void giveUp();

  Slot resolve(Id id, unsigned component) const;
  unsigned widthOf(Id value) const;
  IntegerSet base(const Slot &slot) const;
  IntegerSet constant(const Instruction &inst, unsigned component) const;
  /// Whether a branch on the value says something about it where it is used again.
  bool isSteady(const Slot &slot) const;

  IntegerSet evaluate(const Slot &slot, const Block *where, unsigned depth) const;
  IntegerSet evaluateOnEdge(const Slot &slot, const Block &from, const Block &to,
                            unsigned depth) const;
  bool isTaken(const Block &from, const Block &to) const;
  IntegerSet compute(const Instruction &inst, unsigned component, const Block &where,
                     unsigned depth) const;
  IntegerSet computePhi(const Instruction &inst, unsigned component, unsigned depth) const;
  IntegerSet computeSelect(const Instruction &inst, unsigned component, const Block &where,
                           unsigned depth) const;
  IntegerSet computeLoad(const Instruction &inst, unsigned component) const;
  IntegerSet operand(Id id, unsigned component, const Block &where, unsigned depth) const;

  // ValueConditions.cpp: members of `set`, which `slot` is in, that remain.
  IntegerSet underConditions(const Slot &slot, IntegerSet set, const Block &from, const Block *stop,
                             unsigned depth) const;
  IntegerSet onEdge(const Slot &slot, IntegerSet set, const Block &from, const Block &to,
                    unsigned depth) const;
  IntegerSet given(const Slot &condition, uint64_t pattern, const Slot &slot, IntegerSet set,
                   const Block &where, unsigned depth) const;
  IntegerSet givenPhi(const Instruction &phi, unsigned component, uint64_t pattern,
                      const Slot &slot, const IntegerSet &set, unsigned depth) const;

  const Module &module;
  Function &function;
  std::optional<Dim3> size;
  ControlFlow flow;
  mutable ConstantEvaluator constants;
  std::vector<Block *> order; ///< blocks that there is a path to, in reverse post-order
  std::vector<bool> reached;  ///< by block index
  std::deque<Condition> conditions;
  std::vector<const Condition *> innermost; ///< by block index
  llvm::DenseMap<uint32_t, const Block *> byLabel;
  llvm::DenseMap<uint64_t, IntegerSet> sets; ///< by slot
  mutable llvm::DenseMap<uint64_t, Slot> resolved;
  mutable llvm::DenseMap<uint64_t, IntegerSet> constantSets;
};

} // namespace tailor

#endif
