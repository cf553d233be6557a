//===- Analysis/Executors.cpp ----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An equality of two polynomials is one of their difference with 0. Where the
// ids in it have constant coefficients, each larger than what all smaller ones
// can add up to, at most one choice of these ids makes it hold: so
// `LocalInvocationIndex == 0` leaves one invocation, as `x == 0 && y == 0` does.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Executors.h"

#include "IR/Types.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tailor {

std::string Executors::str() const {
  std::string text = oneOfWorkgroup  ? "one invocation per workgroup"
                     : oneOfSubgroup ? "one invocation per subgroup"
                                     : "all invocations";
  std::string axes;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (groupFixed[axis])
      axes += (axes.empty() ? "" : ", ") + std::string(1, kAxisName[axis]);
  return axes.empty() ? text : text + ", of one workgroup along " + axes;
}

namespace {

class Guards {
public:
  Guards(const KernelAnalysis &kernel, Executors &result)
      : kernel(kernel), affine(kernel.affine()), module(kernel.module()), result(result) {}

  void assume(Id condition, bool holds, unsigned depth = 0);
  void assumeBlock(const Block &block, unsigned depth = 0);

private:
  static constexpr unsigned kMaxDepth = 16; ///< of conditions inside conditions
  void compare(const Instruction &inst, bool holds, bool allComponents);
  void equal(Id a, Id b, unsigned component);
  void vanishes(const AffineExpr &difference, unsigned width);
  bool isSubgroupLane(const Symbol &symbol) const;
  void assumePhi(const Instruction &phi, bool holds, unsigned depth);

  const KernelAnalysis &kernel;
  const AffineAnalysis &affine;
  const Module &module;
  Executors &result;
  llvm::DenseSet<const Block *> walked; ///< blocks whose dominators were looked at
  llvm::DenseSet<uint64_t> met;         ///< conditions that were looked at, and how they came out
};

bool Guards::isSubgroupLane(const Symbol &symbol) const {
  if (symbol.kind != Symbol::Kind::Value || !symbol.def || symbol.def->opcode() != spv::Op::OpLoad)
    return false;
  std::optional<PointerPath> path = tracePointer(module, symbol.def->id(0));
  return path && path->space == MemorySpace::Input &&
         builtInOf(module, *path->variable) == spv::BuiltIn::SubgroupLocalInvocationId;
}

/// `difference`, of integers of `width` bits, is 0.
void Guards::vanishes(const AffineExpr &difference, unsigned width) {
  struct IdPart {
    uint64_t coefficient, extent;
    Symbol::Kind kind;
    unsigned axis;
  };
  std::vector<IdPart> parts;
  bool hasOthers = false; // beside ids and constants
  for (const AffineTerm &term : difference.terms) {
    unsigned locals = 0, lanes = 0, unknown = 0;
    for (unsigned at = 0; at < term.degree(); ++at) {
      const Symbol &symbol = affine.symbols()[term.symbols[at]];
      locals += symbol.kind == Symbol::Kind::LocalId;
      lanes += isSubgroupLane(symbol);
      unknown += symbol.kind == Symbol::Kind::Iteration || symbol.kind == Symbol::Kind::Value;
    }
    bool onlyLane = difference.terms.size() == 1 && term.degree() == 1 && lanes == 1;
    if (onlyLane && (term.coefficient == 1 || term.coefficient == -1)) {
      result.oneOfSubgroup = true;
      return;
    }
    // Of the rest nothing may vary inside a workgroup.
    if (unknown != 0 || (locals != 0 && term.degree() != 1))
      return;
    const Symbol &symbol = affine.symbols()[term.symbols[0]];
    bool isId = term.degree() == 1 &&
                (symbol.kind == Symbol::Kind::LocalId || symbol.kind == Symbol::Kind::WorkgroupId);
    if (!isId || !symbol.range.isBounded()) {
      hasOthers = true;
      continue;
    }
    uint64_t magnitude = term.coefficient < 0
                             ? uint64_t{0} - static_cast<uint64_t>(term.coefficient)
                             : static_cast<uint64_t>(term.coefficient);
    parts.push_back(
        {magnitude, static_cast<uint64_t>(symbol.range.hi) - static_cast<uint64_t>(symbol.range.lo),
         symbol.kind, symbol.component});
  }
  // First the local ids alone, all others being some value of the workgroup's; then, where there
  // are no others, the workgroup ids with them.
  auto decide = [&](bool withGroups) {
    std::vector<IdPart> chosen;
    for (const IdPart &part : parts)
      if (withGroups || part.kind == Symbol::Kind::LocalId)
        chosen.push_back(part);
    std::sort(chosen.begin(), chosen.end(),
              [](const IdPart &a, const IdPart &b) { return a.coefficient < b.coefficient; });
    uint64_t reach = 0; // saturates
    for (const IdPart &part : chosen) {
      if (part.coefficient <= reach)
        return;
      reach = llvm::SaturatingMultiplyAdd(part.coefficient, part.extent, reach);
    }
    if (reach == UINT64_MAX || (width < 64 && reach >> width != 0))
      return; // the sum could come round
    for (const IdPart &part : chosen)
      (part.kind == Symbol::Kind::LocalId ? result.localFixed : result.groupFixed)[part.axis] =
          true;
  };
  decide(false);
  if (!hasOthers)
    decide(true);
}

void Guards::equal(Id a, Id b, unsigned component) {
  const AffineExpr *left = affine.expr(a, component), *right = affine.expr(b, component);
  if (!left || !right)
    return;
  AffineExpr difference = *left;
  difference.constant -= right->constant;
  for (const AffineTerm &term : right->terms) {
    auto same = std::find_if(difference.terms.begin(), difference.terms.end(),
                             [&](const AffineTerm &each) { return each.symbols == term.symbols; });
    if (same == difference.terms.end()) {
      difference.terms.push_back(term);
      difference.terms.back().coefficient = -term.coefficient;
    } else if (same->coefficient -= term.coefficient; same->coefficient == 0) {
      difference.terms.erase(same);
    }
  }
  const Instruction *def = module.def(a);
  const Instruction *type = def ? module.def(scalarTypeOf(module, def->typeId())) : nullptr;
  if (type && type->opcode() == spv::Op::OpTypeInt)
    vanishes(difference, type->literal(0));
}

/// Equalities, and `x < 1` of an unsigned x, which is one.
void Guards::compare(const Instruction &inst, bool holds, bool allComponents) {
  unsigned count = std::max(1u, componentCount(module, inst.typeId()));
  if (count > 1 && !allComponents)
    return;
  if (module.hasDecoration(inst.result(), spv::Decoration::RelaxedPrecision))
    return; // it may compare 16 bits
  Id left = inst.id(0), right = inst.id(1);
  auto isNumber = [&](Id id, unsigned at, int64_t number) {
    const AffineExpr *expr = affine.expr(id, at);
    return expr && expr->isConstant() && expr->constant == number;
  };
  for (unsigned at = 0; at < count; ++at) {
    auto nonNegative = [&](Id id) { return affine.unsignedRange(id, at).within(0, INT32_MAX); };
    bool isZero = false; // the one operand that is no number is 0
    switch (inst.opcode()) {
    case spv::Op::OpIEqual:
      if (holds)
        equal(left, right, at);
      continue;
    case spv::Op::OpINotEqual:
      if (!holds)
        equal(left, right, at);
      continue;
    case spv::Op::OpULessThan: // x < 1
      isZero = holds && isNumber(right, at, 1);
      break;
    case spv::Op::OpSLessThan:
      isZero = holds && isNumber(right, at, 1) && nonNegative(left);
      break;
    case spv::Op::OpUGreaterThan: // not x > 0
      isZero = !holds && isNumber(right, at, 0);
      break;
    case spv::Op::OpSGreaterThan:
      isZero = !holds && isNumber(right, at, 0) && nonNegative(left);
      break;
    default:
      return;
    }
    const AffineExpr *expr = isZero ? affine.expr(left, at) : nullptr;
    const Instruction *def = module.def(left);
    const Instruction *type = def ? module.def(scalarTypeOf(module, def->typeId())) : nullptr;
    if (expr && type && type->opcode() == spv::Op::OpTypeInt)
      vanishes(*expr, type->literal(0));
  }
}

/// A short-circuit: where every side but one is a constant that the condition is not, the value
/// came from that side, and what guards it holds too.
void Guards::assumePhi(const Instruction &phi, bool holds, unsigned depth) {
  const Block *from = nullptr;
  Id value = Id::None;
  for (unsigned at = 0; at + 1 < phi.numOperands(); at += 2) {
    const Instruction *label = module.def(phi.id(at + 1));
    const Block *block = label ? label->parent() : nullptr;
    const Instruction *incoming = module.def(phi.id(at));
    bool excluded = incoming &&
                    (incoming->opcode() == spv::Op::OpConstantTrue ||
                     incoming->opcode() == spv::Op::OpConstantFalse) &&
                    (incoming->opcode() == spv::Op::OpConstantTrue) != holds;
    // `a && b` comes from the block of a with the value a, on the edge where a is false.
    const Instruction *last = block ? block->terminator() : nullptr;
    if (!excluded && last && last->opcode() == spv::Op::OpBranchConditional &&
        last->id(0) == phi.id(at) && last->id(1) != last->id(2)) {
      bool isTrueEdge = last->id(1) == phi.parent()->id();
      excluded = isTrueEdge != holds;
    }
    if (excluded)
      continue;
    if (from || !block)
      return;
    from = block;
    value = phi.id(at);
  }
  if (!from)
    return;
  assume(value, holds, depth + 1);
  assumeBlock(*from, depth + 1);
}

void Guards::assume(Id condition, bool holds, unsigned depth) {
  const Instruction *inst = module.def(condition);
  if (!inst || depth > kMaxDepth || !met.insert(uint64_t{raw(condition)} << 1 | holds).second)
    return;
  switch (inst->opcode()) {
  case spv::Op::OpLogicalNot:
    assume(inst->id(0), !holds, depth + 1);
    break;
  case spv::Op::OpLogicalAnd:
  case spv::Op::OpLogicalOr:
    if ((inst->opcode() == spv::Op::OpLogicalAnd) == holds)
      for (unsigned at = 0; at < 2; ++at)
        assume(inst->id(at), holds, depth + 1);
    break;
  case spv::Op::OpAll:
  case spv::Op::OpAny:
    if ((inst->opcode() == spv::Op::OpAll) == holds)
      if (const Instruction *vector = module.def(inst->id(0));
          vector && vector->parent() && vector->numOperands() == 2)
        compare(*vector, holds, true);
    break;
  case spv::Op::OpPhi:
    assumePhi(*inst, holds, depth);
    break;
  case spv::Op::OpGroupNonUniformElect:
    result.oneOfSubgroup |= holds;
    break;
  default:
    if (inst->parent() && inst->numOperands() == 2 && inst->isId(0) && inst->isId(1))
      compare(*inst, holds, false);
  }
}

void Guards::assumeBlock(const Block &block, unsigned depth) {
  const ControlFlow &flow = kernel.flow();
  const Block *above =
      depth > kMaxDepth || !walked.insert(&block).second ? nullptr : flow.immediateDominator(block);
  // Past a block that was walked from nothing new is to be found.
  for (bool seen = false; above && !seen; above = flow.immediateDominator(*above)) {
    const Instruction *last = above->terminator();
    seen = walked.contains(above);
    if (last->opcode() != spv::Op::OpBranchConditional || above->successors().size() < 2)
      continue;
    for (const Block *next : above->successors())
      if (flow.edgeDominates(*above, *next, block))
        assume(last->id(0), last->id(1) == next->id(), depth + 1);
  }
}

} // namespace

Executors executorsOf(const KernelAnalysis &kernel, const Block &block) {
  Executors result;
  Guards(kernel, result).assumeBlock(block);
  result.oneOfWorkgroup = true;
  for (unsigned axis = 0; axis < 3; ++axis)
    result.oneOfWorkgroup &= result.localFixed[axis] || kernel.size()[axis] == 1;
  return result;
}

} // namespace tailor
