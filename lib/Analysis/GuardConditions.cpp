//===- Analysis/GuardConditions.cpp ---------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/GuardConditions.h"

#include "IR/Types.h"

namespace tailor {

/// Whether the value is computed at most once, so that what was true of it once stays true.
bool ConditionFinder::isTimeless(const Instruction &inst) const {
  if (inst.opcode() == spv::Op::OpUndef)
    return false; // another value at each use
  return !inst.parent() || !flow.inCycle(*inst.parent());
}

void ConditionFinder::add(KnownConditions &facts, const Atom &atom) const {
  Atom opposite = atom;
  opposite.truth = !atom.truth;
  if (isTimeless(*atom.inst) && facts.has(opposite))
    facts.infeasible = true;
  facts.add(atom);
}

void ConditionFinder::addAll(KnownConditions &facts, const KnownConditions &more) const {
  facts.infeasible |= more.infeasible;
  for (const Atom &atom : more.atoms())
    add(facts, atom);
}

void ConditionFinder::assumeComponents(KnownConditions &facts, Id vector, bool truth,
                                       unsigned depth) {
  const Instruction *inst = module.def(vector);
  unsigned count = inst ? componentCount(module, inst->typeId()) : 0;
  for (unsigned component = 0; component < count; ++component)
    assume(facts, vector, component, truth, depth);
}

void ConditionFinder::assume(KnownConditions &facts, Id condition, unsigned component, bool truth,
                             unsigned depth) {
  constexpr unsigned kMaxDepth = 24;
  const Instruction *inst = module.def(condition);
  if (!inst || depth > kMaxDepth)
    return;
  if (inst->opcode() == spv::Op::OpConstantTrue || inst->opcode() == spv::Op::OpConstantFalse) {
    facts.infeasible |= (inst->opcode() == spv::Op::OpConstantTrue) != truth;
    return;
  }
  if (facts.has({inst, component, truth}))
    return; // and what follows from it
  add(facts, {inst, component, truth});
  switch (inst->opcode()) {
  case spv::Op::OpLogicalNot:
    return assume(facts, inst->id(0), component, !truth, depth + 1);
  case spv::Op::OpCopyObject:
    return assume(facts, inst->id(0), component, truth, depth + 1);
  case spv::Op::OpLogicalAnd:
  case spv::Op::OpLogicalOr:
    if ((inst->opcode() == spv::Op::OpLogicalAnd) == truth) {
      assume(facts, inst->id(0), component, truth, depth + 1);
      assume(facts, inst->id(1), component, truth, depth + 1);
    }
    return;
  case spv::Op::OpAll:
    return truth ? assumeComponents(facts, inst->id(0), true, depth + 1) : void();
  case spv::Op::OpAny:
    return truth ? void() : assumeComponents(facts, inst->id(0), false, depth + 1);
  case spv::Op::OpCompositeExtract:
    if (inst->numOperands() == 2)
      assume(facts, inst->id(0), inst->literal(1), truth, depth + 1);
    return;
  case spv::Op::OpCompositeConstruct:
    if (component < inst->numOperands() &&
        inst->numOperands() == componentCount(module, inst->typeId()))
      assume(facts, inst->id(component), 0, truth, depth + 1);
    return;
  case spv::Op::OpPhi:
    return addAll(facts, ofPhi(*inst, truth));
  default:
    return;
  }
}

const KnownConditions &ConditionFinder::ofPhi(const Instruction &phi, bool truth) {
  static const KnownConditions nothing;
  constexpr unsigned kMaxOpen = 256; // the stack of whoever follows a chain of them
  auto known = phis.find({&phi, truth});
  if (known != phis.end())
    return known->second;
  if (openPhis == kMaxOpen || !isTimeless(phi) || componentCount(module, phi.typeId()) != 1)
    return nothing;
  ++openPhis;
  KnownConditions facts = computePhi(phi, truth);
  --openPhis;
  return phis.emplace(std::pair(&phi, truth), std::move(facts)).first->second;
}

/// A phi is true: control came along an edge whose value can be true. What holds on all such
/// edges holds.
KnownConditions ConditionFinder::computePhi(const Instruction &phi, bool truth) {
  std::optional<KnownConditions> common;
  for (unsigned at = 0; at + 1 < phi.numOperands(); at += 2) {
    const Instruction *label = module.def(phi.id(at + 1));
    if (!label || !label->parent() || !flow.isReachable(*label->parent()))
      continue;
    KnownConditions way = this->at(*label->parent());
    assumeEdge(way, *label->parent(), *phi.parent(), 0);
    assume(way, phi.id(at), 0, truth, 0);
    if (way.infeasible)
      continue;
    if (!common)
      common = std::move(way);
    else
      common->keepCommon(way);
  }
  if (!common)
    common.emplace().infeasible = true;
  return std::move(*common);
}

/// The condition under which control goes from -> to. Nothing where both ways lead there.
void ConditionFinder::assumeEdge(KnownConditions &facts, const Block &from, const Block &to,
                                 unsigned depth) {
  const Instruction *last = from.terminator();
  if (!last || last->opcode() != spv::Op::OpBranchConditional || last->id(1) == last->id(2))
    return;
  assume(facts, last->id(0), 0, last->id(1) == to.id(), depth);
}

const KnownConditions &ConditionFinder::at(const Block &block) {
  std::optional<KnownConditions> &known = ofBlock[block.index()];
  if (known)
    return *known;
  known.emplace(); // for whoever comes round a loop to this block: nothing is known yet
  KnownConditions facts;
  if (Block *dominator = flow.immediateDominator(block)) {
    facts = at(*dominator);
    for (Block *successor : dominator->successors())
      if (flow.edgeDominates(*dominator, *successor, block))
        assumeEdge(facts, *dominator, *successor, 0);
  }
  facts.infeasible = false; // only a way into a phi is judged infeasible, never a block
  ofBlock[block.index()] = std::move(facts);
  return *ofBlock[block.index()];
}

} // namespace tailor
