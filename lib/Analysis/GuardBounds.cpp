//===- Analysis/GuardBounds.cpp -------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/GuardBounds.h"

#include "Analysis/UniformExpression.h"
#include "IR/Types.h"

#include <algorithm>

namespace tailor {

namespace {

/// An atom as `lower < upper` or `lower <= upper`.
struct Order {
  unsigned lower = 0, upper = 1; ///< operands of the instruction
  bool strict = true, isSigned = false, isEquality = false;
};

/// nullopt where the atom bounds nothing.
std::optional<Order> orderOf(spv::Op op, bool truth) {
  using enum spv::Op;
  Order order;
  order.isSigned = op == OpSLessThan || op == OpSLessThanEqual || op == OpSGreaterThan ||
                   op == OpSGreaterThanEqual;
  order.isEquality = op == OpIEqual || op == OpINotEqual;
  switch (op) {
  case OpULessThan:
  case OpSLessThan:
    break;
  case OpULessThanEqual:
  case OpSLessThanEqual:
    order.strict = false;
    break;
  case OpUGreaterThan:
  case OpSGreaterThan:
    std::swap(order.lower, order.upper);
    break;
  case OpUGreaterThanEqual:
  case OpSGreaterThanEqual:
    std::swap(order.lower, order.upper);
    order.strict = false;
    break;
  case OpIEqual:
  case OpINotEqual:
    if ((op == OpIEqual) != truth)
      return std::nullopt;
    order.strict = false;
    break;
  default:
    return std::nullopt;
  }
  if (!truth && !order.isEquality) { // not (a < b) is b <= a
    std::swap(order.lower, order.upper);
    order.strict = !order.strict;
  }
  return order;
}

} // namespace

std::optional<DispatchBound> BoundReader::read(const Atom &atom, unsigned axis) const {
  std::optional<Order> order = orderOf(atom.inst->opcode(), atom.truth);
  if (!order || module.hasDecoration(atom.inst->result(), spv::Decoration::RelaxedPrecision))
    return std::nullopt; // with less precision it may compare 16 bits
  auto [lower, upper, strict, isSigned, isEquality] = *order;
  auto component = [&](unsigned operand) {
    AbstractValue value = ids.value(atom.inst->id(operand));
    return atom.component < value.size() ? value[atom.component] : AbstractScalar();
  };
  if (isEquality && component(upper).isGlobalId(axis))
    std::swap(lower, upper);
  const Instruction *compared = module.def(atom.inst->id(lower));
  if (!compared || !isIntType(module, scalarTypeOf(module, compared->typeId()), 32) ||
      component(upper).variation() != Variation::Dispatch)
    return std::nullopt;
  DispatchBound result{axis, {}, isSigned, !strict, form.locationOf(*atom.inst)};
  Id value = atom.inst->id(lower);
  bool signedQuotient = false;
  if (std::optional<Quotient> quotient = quotientOf(value, atom.component)) {
    if (isEquality)
      return std::nullopt;
    value = quotient->dividend;
    result.divisor = std::move(quotient->divisor);
    signedQuotient = quotient->isSigned;
  }
  AbstractValue compareds = ids.value(value);
  if (atom.component >= compareds.size())
    return std::nullopt;
  if (!compareds[atom.component].isGlobalId(axis)) {
    // That two sums are not equal bounds neither of them.
    std::optional<DispatchBound> linear =
        isEquality ? std::nullopt : sum(value, atom.component, axis);
    // What is divided as a signed number must stay below 2^31, which an unsigned comparison does
    // not ask of the grid.
    if (!linear || (signedQuotient && !isSigned))
      return std::nullopt;
    result.terms = std::move(linear->terms);
    result.offset = std::move(linear->offset);
  }
  std::optional<UniformExpr> bound =
      uniformExpression(module, ids, atom.inst->id(upper), atom.component);
  if (!bound)
    return std::nullopt;
  result.bound = std::move(*bound);
  return result;
}

/// `value` as a quotient by a value of the dispatch.
std::optional<BoundReader::Quotient> BoundReader::quotientOf(Id value, unsigned component) const {
  const Instruction *inst = module.def(value);
  if (!inst || (inst->opcode() != spv::Op::OpUDiv && inst->opcode() != spv::Op::OpSDiv) ||
      module.hasDecoration(value, spv::Decoration::RelaxedPrecision))
    return std::nullopt;
  AbstractValue by = ids.value(inst->id(1));
  if (component >= by.size() || by[component].variation() != Variation::Dispatch)
    return std::nullopt;
  std::optional<UniformExpr> divisor = uniformExpression(module, ids, inst->id(1), component);
  if (!divisor)
    return std::nullopt;
  return Quotient{inst->id(0), std::move(*divisor), inst->opcode() == spv::Op::OpSDiv};
}

/// A polynomial over values of the host as an expression; what is negative in it wraps to a large
/// number, which no check of a grid lets pass.
std::optional<UniformExpr> BoundReader::factorOf(const AffineExpr &factor) const {
  using Op = UniformExpr::Op;
  std::optional<UniformExpr> total;
  auto addTo = [](std::optional<UniformExpr> &sum, Op op, UniformExpr part) {
    sum = sum ? UniformExpr{op, {}, {std::move(*sum), std::move(part)}} : std::move(part);
  };
  if (factor.constant != 0 || factor.terms.empty())
    total = UniformExpr::constant(static_cast<uint32_t>(factor.constant));
  for (const AffineTerm &term : factor.terms) {
    std::optional<UniformExpr> product;
    if (term.coefficient != 1)
      product = UniformExpr::constant(static_cast<uint32_t>(term.coefficient));
    for (unsigned at = 0; at < term.degree(); ++at) {
      const Symbol &symbol = affine.symbols()[term.symbols[at]];
      std::optional<UniformExpr> value =
          symbol.kind == Symbol::Kind::Uniform && symbol.width == 32
              ? uniformExpression(module, ids, symbol.def->result(), symbol.component)
              : std::nullopt;
      if (!value)
        return std::nullopt;
      addTo(product, Op::Mul, std::move(*value));
    }
    addTo(total, Op::Add, std::move(*product));
  }
  return total && isWellFormed(*total) ? total : std::nullopt;
}

/// How fast a factor makes a sum grow, as far as that can be told: values of the host count for
/// more than numbers, and more of them for more.
static std::pair<unsigned, int64_t> weightOf(const AffineExpr &factor) {
  std::pair<unsigned, int64_t> weight{0, factor.constant};
  for (const AffineTerm &term : factor.terms)
    weight = std::max(weight, {term.degree(), term.coefficient});
  return weight;
}

std::optional<DispatchBound> BoundReader::sum(Id value, unsigned component, unsigned axis) const {
  const AffineExpr *expr = affine.expr(value, component);
  if (!expr)
    return std::nullopt;
  DispatchBound result;
  AffineExpr rest = *expr;
  std::optional<std::pair<unsigned, int64_t>> ofAxis;
  std::vector<std::pair<unsigned, int64_t>> ofOthers;
  for (unsigned at = 0; at < 3; ++at) {
    const uint32_t size = affine.size()[at];
    std::optional<SymbolIndex> group = affine.workgroupId(at), local = affine.localId(at);
    // The global id: S times the group and once the local id, with one factor.
    std::optional<AffineExpr> byGroup = group ? affine.coefficientOf(*expr, *group) : AffineExpr();
    std::optional<AffineExpr> byLocal = local ? affine.coefficientOf(*expr, *local) : AffineExpr();
    if (!byGroup || !byLocal)
      return std::nullopt;
    AffineExpr factor = size == 1 ? *byGroup : *byLocal;
    if (size != 1) {
      std::optional<int64_t> apart = affine.difference(*byGroup, affine.scaled(factor, size));
      if (!apart || *apart != 0)
        return std::nullopt;
    }
    if (factor == AffineExpr())
      continue;
    std::optional<UniformExpr> uniform = factorOf(factor);
    if (!uniform || (factor.isConstant() && factor.constant < 0))
      return std::nullopt;
    result.terms.push_back({at, std::move(*uniform)});
    std::erase_if(rest.terms, [&](const AffineTerm &term) {
      return (group && term.contains(*group)) || (local && term.contains(*local));
    });
    if (at == axis)
      ofAxis = weightOf(factor);
    else
      ofOthers.push_back(weightOf(factor));
  }
  bool growsFastest = ofAxis && std::all_of(ofOthers.begin(), ofOthers.end(),
                                            [&](const auto &other) { return other < *ofAxis; });
  std::optional<UniformExpr> offset = factorOf(rest);
  if (!growsFastest || !offset || (rest.isConstant() && rest.constant < 0))
    return std::nullopt;
  result.axis = axis;
  result.offset = std::move(*offset);
  return result;
}

AxisBounds BoundReader::allOf(const KnownConditions &known) const {
  AxisBounds bounds;
  for (unsigned axis = 0; axis < 3; ++axis)
    for (const Atom &atom : known.atoms())
      if (std::optional<DispatchBound> bound = read(atom, axis))
        bounds[axis].push_back(std::move(*bound));
  return bounds;
}

} // namespace tailor
