//===- Analysis/ValueConditions.cpp - What branches say of values ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A branch that every path to a block has taken last says something of its operands
// there: in SSA form a value whose definition dominates the block has not been
// computed again since, or the branch would have been run again too.
//
//===----------------------------------------------------------------------===//
#include "Analysis/IntegerTransfer.h"
#include "Analysis/ValueRanges.h"

#include "IR/Types.h"

namespace tailor {

void ValueRanges::findConditions() {
  innermost.assign(function.size(), nullptr);
  for (const Block *block : order) {
    const Block *dominator = flow.immediateDominator(*block);
    if (!dominator)
      continue;
    const Condition *outer = innermost[dominator->index()];
    const Instruction *last = dominator->terminator();
    auto add = [&](Id value, Id target, uint64_t pattern) {
      const Block *to = byLabel.lookup(raw(target));
      if (!to || !flow.edgeDominates(*dominator, *to, *block))
        return;
      conditions.push_back({resolve(value, 0), pattern, outer});
      outer = &conditions.back();
    };
    if (last->opcode() == spv::Op::OpBranchConditional) {
      add(last->id(0), last->id(1), 1);
      add(last->id(0), last->id(2), 0);
    } else if (last->opcode() == spv::Op::OpSwitch) {
      for (unsigned at = 2; at + 1 < last->numOperands(); at += 2)
        add(last->id(0), last->id(at + 1), last->literal64(at));
    }
    innermost[block->index()] = outer;
  }
}

/// By what holds in `from`, up to what holds in `stop` too (nullptr: all of it).
IntegerSet ValueRanges::underConditions(const Slot &slot, IntegerSet set, const Block &from,
                                        const Block *stop, unsigned depth) const {
  constexpr unsigned kMaxConditions = 64; // those further out are not looked at
  const Condition *end = stop ? innermost[stop->index()] : nullptr;
  unsigned count = 0;
  for (const Condition *at = innermost[from.index()];
       at && at != end && !set.isEmpty() && count < kMaxConditions; at = at->outer, ++count)
    set = given(at->value, at->pattern, slot, std::move(set), from, depth);
  return set;
}

IntegerSet ValueRanges::onEdge(const Slot &slot, IntegerSet set, const Block &from, const Block &to,
                               unsigned depth) const {
  const Instruction *last = from.terminator();
  if (last->opcode() != spv::Op::OpBranchConditional || last->id(1) == last->id(2))
    return set;
  return given(resolve(last->id(0), 0), last->id(1) == to.id() ? 1 : 0, slot, std::move(set), from,
               depth);
}

/// Where `condition` is `pattern`, as `where` sees both.
IntegerSet ValueRanges::given(const Slot &condition, uint64_t pattern, const Slot &slot,
                              IntegerSet set, const Block &where, unsigned depth) const {
  if (condition == slot)
    return set.intersect(IntegerSet::of(set.width(), pattern));
  const Instruction *inst = module.def(condition.id);
  if (depth == 0 || !inst || !isBoolType(module, scalarTypeOf(module, inst->typeId())) ||
      !isSteady(condition))
    return set;
  const unsigned component = condition.component;
  auto part = [&](unsigned at) { return resolve(inst->id(at), component); };
  switch (inst->opcode()) {
  case spv::Op::OpLogicalNot:
    return given(part(0), 1 - pattern, slot, std::move(set), where, depth - 1);
  case spv::Op::OpLogicalAnd:
  case spv::Op::OpLogicalOr: {
    IntegerSet first = given(part(0), pattern, slot, set, where, depth - 1);
    if ((inst->opcode() == spv::Op::OpLogicalAnd) == (pattern == 1)) // both are so
      return given(part(1), pattern, slot, std::move(first), where, depth - 1);
    return first.unite(given(part(1), pattern, slot, std::move(set), where, depth - 1));
  }
  case spv::Op::OpPhi:
    return givenPhi(*inst, component, pattern, slot, set, depth - 1);
  default:
    break;
  }
  if (!isIntegerComparison(inst->opcode()))
    return set;
  const Slot left = part(0), right = part(1);
  if (left == slot)
    set = constrainLeft(inst->opcode(), set, evaluate(right, &where, depth - 1), pattern == 1);
  if (right == slot)
    set = constrainLeft(mirrored(inst->opcode()), set, evaluate(left, &where, depth - 1),
                        pattern == 1);
  return set;
}

/// `a && b` is a phi of `false` and b. Of the ways into its block, those that can bring the pattern
/// say what holds on them. Not where one comes round a loop: there `slot` may have been computed
/// again since.
IntegerSet ValueRanges::givenPhi(const Instruction &phi, unsigned component, uint64_t pattern,
                                 const Slot &slot, const IntegerSet &set, unsigned depth) const {
  const Block &block = *phi.parent();
  if (depth == 0)
    return set;
  IntegerSet united = IntegerSet::none(set.width());
  for (unsigned at = 0; at + 1 < phi.numOperands(); at += 2) {
    const Block *from = byLabel.lookup(raw(phi.id(at + 1)));
    if (!from || !flow.isReachable(*from))
      continue;
    if (flow.dominates(block, *from))
      return set;
    const Slot value = resolve(phi.id(at), component);
    if (!isTaken(*from, block) || !base(value).contains(pattern))
      continue;
    IntegerSet there = underConditions(slot, set, *from, &block, depth);
    there = onEdge(slot, std::move(there), *from, block, depth);
    united = united.unite(given(value, pattern, slot, std::move(there), *from, depth));
  }
  return united;
}

} // namespace tailor
