//===- Analysis/UniformityAffine.cpp ---------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/UniformityAffine.h"

#include "Analysis/UniformityContext.h"
#include "IR/Types.h"

namespace tailor {

namespace {

enum class Comparison : uint8_t { None, Equality, Unsigned, Signed };

Comparison comparisonOf(spv::Op op) {
  using enum spv::Op;
  switch (op) {
  case OpIEqual:
  case OpINotEqual:
    return Comparison::Equality;
  case OpUGreaterThan:
  case OpUGreaterThanEqual:
  case OpULessThan:
  case OpULessThanEqual:
    return Comparison::Unsigned;
  case OpSGreaterThan:
  case OpSGreaterThanEqual:
  case OpSLessThan:
  case OpSLessThanEqual:
    return Comparison::Signed;
  default:
    return Comparison::None;
  }
}

} // namespace

class AffineSupportBuilder {
public:
  AffineSupportBuilder(AffineSupport &support, const ValueGraph &graph, const NodeFlow &flow,
                       const Module &module, const AffineAnalysis &affine)
      : support(support), graph(graph), flow(flow), module(module), affine(affine) {}

  void build() {
    support.entries.resize(graph.nodes().size());
    for (const ValueNode &node : graph.nodes())
      if (node.kind == ValueNode::Kind::Value || node.kind == ValueNode::Kind::Phi)
        if (isValid(node.inst->result()))
          visit(node);
    // Counting sort by the node that is depended on.
    support.starts.assign(graph.nodes().size() + 1, 0);
    for (auto [from, to] : dependences)
      ++support.starts[from + 1];
    for (size_t at = 1; at < support.starts.size(); ++at)
      support.starts[at] += support.starts[at - 1];
    std::vector<uint32_t> next(support.starts.begin(), support.starts.end() - 1);
    support.flat.resize(dependences.size());
    for (auto [from, to] : dependences)
      support.flat[next[from]++] = to;
  }

private:
  void visit(const ValueNode &node);
  unsigned widthOf(Id value) const;
  /// False: the value is not a function of the symbol as it is where the node is computed.
  bool addSymbol(const ValueNode &node, SymbolIndex index, AffineSupport::Entry &entry);
  bool addIteration(const ValueNode &node, const Symbol &symbol);
  /// The loop that the test ends, where its body runs equally often for all: the test is then a
  /// function of the iteration, whatever it compares.
  const LoopInfo *countedBy(const Instruction &test) const;
  bool addValue(const ValueNode &node, const Symbol &symbol, AffineSupport::Entry &entry);
  bool addTerm(const ValueNode &node, const AffineTerm &term, int64_t coefficient, unsigned width,
               AffineSupport::Entry &entry);
  bool addDifference(const ValueNode &node, const AffineExpr &a, const AffineExpr &b,
                     unsigned width, AffineSupport::Entry &entry);

  AffineSupport &support;
  const ValueGraph &graph;
  const NodeFlow &flow;
  const Module &module;
  const AffineAnalysis &affine;
  std::vector<std::pair<uint32_t, uint32_t>> dependences; ///< (depended on, dependent)
};

unsigned AffineSupportBuilder::widthOf(Id value) const {
  const Instruction *inst = module.def(value);
  const Instruction *type = inst ? module.def(scalarTypeOf(module, inst->typeId())) : nullptr;
  return type && type->opcode() == spv::Op::OpTypeInt ? type->literal(0) : 0;
}

void AffineSupportBuilder::visit(const ValueNode &node) {
  const Instruction &inst = *node.inst;
  AffineSupport::Entry entry;
  entry.isInvariant = true;
  size_t before = dependences.size();
  // With reduced precision its operands may be others than their expressions say.
  const bool isRelaxed = module.hasDecoration(inst.result(), spv::Decoration::RelaxedPrecision);
  Comparison comparison = isRelaxed ? Comparison::None : comparisonOf(inst.opcode());
  const LoopInfo *loop = countedBy(inst);
  if (loop && addIteration(node, affine.symbols()[loop->iteration])) {
    entry.isInvariant = false;
    entry.isKnown = true;
  } else if (comparison == Comparison::None) {
    const AffineExpr *expr = affine.expr(inst.result(), node.component);
    unsigned width = widthOf(inst.result());
    entry.isKnown = expr && width != 0;
    for (const AffineTerm &term : entry.isKnown ? expr->terms : std::vector<AffineTerm>())
      entry.isKnown = entry.isKnown && addTerm(node, term, term.coefficient, width, entry);
  } else {
    const AffineExpr *a = affine.expr(inst.id(0), node.component);
    const AffineExpr *b = affine.expr(inst.id(1), node.component);
    unsigned width = widthOf(inst.id(0));
    auto fits = [&](const AffineExpr &expr) {
      IntRange range = affine.rangeOf(expr, node.block->block);
      return comparison == Comparison::Equality ||
             (comparison == Comparison::Unsigned ? range.fitsUnsigned(width)
                                                 : range.fitsSigned(width));
    };
    entry.isKnown = a && b && width != 0 && width == widthOf(inst.id(1)) && fits(*a) && fits(*b);
    // An order looks at the difference itself, equality at its remainder.
    unsigned modulus = comparison == Comparison::Equality ? width : 64;
    entry.isKnown = entry.isKnown && addDifference(node, *a, *b, modulus, entry);
  }
  if (!entry.isKnown) {
    dependences.resize(before);
    return;
  }
  support.entries[node.index] = entry;
}

/// Both in ascending order of their symbols; coefficients are compared as they are, so a difference
/// that wraps 64 bits is no fault: it is 0 only where they are equal.
bool AffineSupportBuilder::addDifference(const ValueNode &node, const AffineExpr &a,
                                         const AffineExpr &b, unsigned width,
                                         AffineSupport::Entry &entry) {
  auto minus = [](int64_t x, int64_t y) {
    return static_cast<int64_t>(static_cast<uint64_t>(x) - static_cast<uint64_t>(y));
  };
  for (const AffineTerm &term : a.terms) {
    auto same = std::find_if(b.terms.begin(), b.terms.end(), [&](const AffineTerm &other) {
      return other.symbols == term.symbols;
    });
    int64_t other = same == b.terms.end() ? 0 : same->coefficient;
    if (!addTerm(node, term, minus(term.coefficient, other), width, entry))
      return false;
  }
  return std::all_of(b.terms.begin(), b.terms.end(), [&](const AffineTerm &term) {
    bool isInBoth = std::any_of(a.terms.begin(), a.terms.end(), [&](const AffineTerm &other) {
      return other.symbols == term.symbols;
    });
    return isInBoth || addTerm(node, term, minus(0, term.coefficient), width, entry);
  });
}

bool AffineSupportBuilder::addTerm(const ValueNode &node, const AffineTerm &term,
                                   int64_t coefficient, unsigned width,
                                   AffineSupport::Entry &entry) {
  if (static_cast<uint64_t>(coefficient) << (64 - width) == 0)
    return true; // a multiple of 2^w
  for (SymbolIndex symbol : term.symbols)
    if (symbol != AffineTerm::kNone && !addSymbol(node, symbol, entry))
      return false;
  return true;
}

bool AffineSupportBuilder::addSymbol(const ValueNode &node, SymbolIndex index,
                                     AffineSupport::Entry &entry) {
  const Symbol &symbol = affine.symbols()[index];
  switch (symbol.kind) {
  case Symbol::Kind::LocalId:
    entry.hasLocalId |= affine.size()[symbol.component] != 1;
    return true;
  case Symbol::Kind::WorkgroupId:
    entry.groupAxes |= static_cast<uint8_t>(1u << symbol.component);
    return true;
  case Symbol::Kind::NumWorkgroups:
  case Symbol::Kind::Uniform:
    return true;
  case Symbol::Kind::Iteration:
    entry.isInvariant = false;
    return addIteration(node, symbol);
  case Symbol::Kind::Value:
    return addValue(node, symbol, entry);
  }
  return false;
}

/// The iteration of a loop around the node. In a cycle with several entries there is no telling
/// which of the ways in and round were the same.
bool AffineSupportBuilder::addIteration(const ValueNode &node, const Symbol &symbol) {
  const NodeBlock *header = symbol.header ? graph.blockOf(*symbol.header) : nullptr;
  const NodeCycle *loop = nullptr;
  for (const NodeCycle *cycle = flow.cycles.getCycle(node.block); cycle;
       cycle = cycle->getParentCycle()) {
    if (!cycle->isReducible())
      return false;
    if (header && cycle->getHeader() == header)
      loop = cycle;
  }
  return loop != nullptr;
}

const LoopInfo *AffineSupportBuilder::countedBy(const Instruction &test) const {
  for (const auto &loop : affine.loops())
    if (loop->tripCount && loop->exiting && loop->exiting->terminator()->isId(0) &&
        loop->exiting->terminator()->id(0) == test.result())
      return loop.get();
  return nullptr;
}

bool AffineSupportBuilder::addValue(const ValueNode &node, const Symbol &symbol,
                                    AffineSupport::Entry &entry) {
  if (!symbol.def)
    return false;
  if (graph.isFixed(symbol.def->result()))
    return true;
  llvm::ArrayRef<ValueNode> components = graph.components(symbol.def->result());
  if (symbol.component >= components.size())
    return false;
  const ValueNode &def = components[symbol.component];
  // Computed before, by this very pass through the code: else the value would speak for itself.
  bool isBefore = def.block == node.block ? def.index < node.index
                                          : flow.dominators.dominates(def.block, node.block);
  const NodeCycle *cycle = flow.cycles.getCycle(def.block);
  if (!isBefore || (cycle && !cycle->contains(node.block)))
    return false;
  entry.isInvariant = false; // or not for sure: the value may yet turn out to differ
  dependences.emplace_back(def.index, node.index);
  return true;
}

AffineSupport::AffineSupport(const ValueGraph &graph, const NodeFlow &flow, const Module &module,
                             const AffineAnalysis &affine) {
  AffineSupportBuilder(*this, graph, flow, module, affine).build();
}

bool AffineSupport::isFunctionOfUniform(const ValueNode &node, InvocationSet set) const {
  const Entry &entry = entries[node.index];
  if (!entry.isKnown || entry.hasLocalId)
    return false;
  for (unsigned axis = 0; axis < 3; ++axis)
    if ((entry.groupAxes >> axis & 1u) != 0 && groupsDiffer(set, axis))
      return false;
  return true;
}

} // namespace tailor
